/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a plan that must not be shown: what carries credentials on the wire, and what was
 * typed for it. They are only gathered here; load/secret_mask takes them out of what is saved or
 * printed. The trap: what is encoded is gathered in both forms, as either would tell.
 */
#include "lather/plan/secrets.h"

#include <stdlib.h>
#include <string.h>

#include "lather/plan/basic.h"

void secrets_add(struct plan *plan, struct str secret)
{
    bool is_known = secret.len == 0;
    for (size_t i = 0; i < plan->secret_count && !is_known; i++) {
        is_known = str_equals(secret, str_from(plan->secrets[i]));
    }
    if (is_known) {
        return;
    }
    plan->secrets = check_realloc(plan->secrets, (plan->secret_count + 1) * sizeof *plan->secrets);
    plan->secrets[plan->secret_count++] = str_dup(secret);
}

/* "Bearer abc": what is behind the name of the scheme, or all of it. */
static void add_secret_field(struct plan *plan, struct str value)
{
    struct str scheme;
    struct str credentials;
    bool has_scheme = str_split(str_trim(value), ' ', &scheme, &credentials);
    secrets_add(plan, str_trim(has_scheme ? credentials : scheme));
}

/* The values of "a=1; b=2". */
static void add_cookies(struct plan *plan, struct str cookies)
{
    while (cookies.len > 0) {
        struct str cookie;
        struct str name;
        struct str value;
        (void)str_split(cookies, ';', &cookie, &cookies);
        bool has_value = str_split(str_trim(cookie), '=', &name, &value);
        secrets_add(plan, has_value ? value : name);
    }
}

void secrets_add_request(struct plan *plan, const struct plan_request *request)
{
    static const char *const fields[] = {"Authorization", "Proxy-Authorization"};
    if (request->basic_credentials != NULL) {
        struct buf encoded;
        struct str user;
        struct str password;
        buf_init(&encoded);
        basic_format(&encoded, basic_credentials(request->basic_credentials));
        secrets_add(plan, str_slice(buf_view(&encoded), strlen("Basic "), SIZE_MAX));
        if (str_split(basic_credentials(request->basic_credentials), ':', &user, &password)) {
            secrets_add(plan, password);
        }
        buf_deinit(&encoded);
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        add_secret_field(plan, str_from(http_head_find(request->headers, str_from(fields[i]))));
    }
    add_cookies(plan, str_from(http_head_find(request->headers, STR("Cookie"))));
    for (size_t i = 0; i < request->cookie_count; i++) {
        add_cookies(plan, str_from(request->cookies[i]));
    }
    secrets_add(plan, request->renewal.wsse_password);
}

void secrets_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->secret_count; i++) {
        memset(plan->secrets[i], 0, strlen(plan->secrets[i]));
        free(plan->secrets[i]);
    }
    free(plan->secrets);
}
