/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which recorded header fields are sent again. One table decides; a field no row names is kept,
 * since services do read fields of their own. What is dropped as a matter of course is told in one
 * line, what the tester may miss (a cookie, a handshake) in a line of its own.
 */
#include "lather/capture/head_rules.h"

#include <stdlib.h>

#include "lather/capture/gather.h"

enum action {
    ACTION_DROP = 0,    /* recomputed, or meaningless on another connection */
    ACTION_DROP_REMARK, /* dropped, and the tester should know */
    ACTION_KEEP_REMARK,
    ACTION_REDUCE,    /* Accept-Encoding */
    ACTION_AUTHORIZE, /* Authorization: by its scheme */
};

enum { COOKIE_NAME_BYTES = 60 };

enum match { MATCH_WHOLE = 0, MATCH_START, MATCH_PART };

struct rule {
    struct str name; /* any case */
    enum match match;
    enum action action;
    const char *remark;
};

#define LITERAL(text)                                                                              \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

/* The first that fits. */
static const struct rule rules[] = {
    {LITERAL("Host"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Content-Length"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Transfer-Encoding"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Connection"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Keep-Alive"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("TE"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Trailer"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Upgrade"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("HTTP2-Settings"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Proxy-"), MATCH_START, ACTION_DROP, NULL},
    {LITERAL("If-"), MATCH_START, ACTION_DROP, NULL},
    {LITERAL("VsDebuggerCausalityData"), MATCH_WHOLE, ACTION_DROP, NULL},
    {LITERAL("Expect"), MATCH_WHOLE, ACTION_DROP_REMARK, "-H \"Expect: 100-continue\" sends it"},
    {LITERAL("Cookie"), MATCH_WHOLE, ACTION_DROP_REMARK,
     "it belongs to a session that was recorded; -C sends one"},
    {LITERAL("Authorization"), MATCH_WHOLE, ACTION_AUTHORIZE, NULL},
    {LITERAL("Accept-Encoding"), MATCH_WHOLE, ACTION_REDUCE, NULL},
    {LITERAL("Content-MD5"), MATCH_WHOLE, ACTION_KEEP_REMARK,
     "it no longer fits when the body is refreshed"},
    {LITERAL("Digest"), MATCH_WHOLE, ACTION_KEEP_REMARK,
     "it no longer fits when the body is refreshed"},
    {LITERAL("-Digest"), MATCH_PART, ACTION_KEEP_REMARK,
     "it no longer fits when the body is refreshed"},
    {LITERAL("Signature"), MATCH_PART, ACTION_KEEP_REMARK,
     "a signature no longer fits when what it covers is refreshed"},
    {LITERAL("HMAC"), MATCH_PART, ACTION_KEEP_REMARK,
     "it no longer fits when the body is refreshed"},
};

static bool rule_fits(const struct rule *rule, struct str name)
{
    switch (rule->match) {
    case MATCH_WHOLE:
        return str_equals_nocase(name, rule->name);
    case MATCH_START:
        return str_starts_with_nocase(name, rule->name);
    default:
        return str_find_nocase(name, rule->name) != SIZE_MAX;
    }
}

static const struct rule *rule_of(struct str name)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rule_fits(&rules[i], name)) {
            return &rules[i];
        }
    }
    return NULL;
}

/* Schemes whose value was made for one connection or one request (RFC 4559, RFC 7616). */
static bool is_handshake(struct str scheme)
{
    return str_equals_nocase(scheme, STR("Negotiate")) || str_equals_nocase(scheme, STR("NTLM")) ||
           str_equals_nocase(scheme, STR("Kerberos")) || str_equals_nocase(scheme, STR("Digest"));
}

/* Whether the field goes. The value itself is never told: it is a secret. */
static bool judge_authorization(struct capture *capture, struct str value)
{
    struct str scheme;
    struct str rest;
    (void)str_split(str_trim(value), ' ', &scheme, &rest);
    if (is_handshake(scheme)) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "dropped Authorization: a %.*s handshake cannot be replayed; give -A and the "
                    "option of that scheme",
                    STR_ARG(scheme));
        return true;
    }
    if (!str_equals_nocase(scheme, STR("Basic"))) {
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count,
                    "kept Authorization: the recorded token may have expired");
    }
    return false;
}

/* What of "gzip, deflate" the recorded client took; "" when nothing. */
static const char *reduced_encodings(struct str value)
{
    bool takes_any = str_find_byte(value, '*') != SIZE_MAX;
    bool takes_gzip = takes_any || str_find_nocase(value, STR("gzip")) != SIZE_MAX;
    bool takes_deflate = takes_any || str_find_nocase(value, STR("deflate")) != SIZE_MAX;
    if (takes_gzip) {
        return takes_deflate ? "gzip, deflate" : "gzip";
    }
    return takes_deflate ? "deflate" : "";
}

/* Whether the field goes; otherwise its value is the reduced one. */
static bool reduce_encodings(struct capture *capture, struct http_field *field)
{
    const char *reduced = reduced_encodings(str_from(field->value));
    if (!str_equals(str_from(reduced), str_from(field->value))) {
        gather_note(capture, CAPTURE_NOTE_ROUTINE, capture->count,
                    "Accept-Encoding \"%.60s\" became \"%s\"", field->value, reduced);
        free(field->value);
        field->value = str_dup(str_from(reduced));
    }
    return reduced[0] == '\0';
}

/* "a=1; b=2": the names, as the values are nobody's business. */
static void add_cookie_names(struct buf *names, struct str cookies)
{
    while (cookies.len > 0) {
        struct str cookie;
        struct str name;
        struct str value;
        (void)str_split(cookies, ';', &cookie, &cookies);
        (void)str_split(str_trim(cookie), '=', &name, &value);
        if (name.len > 0) {
            buf_append_str(names, names->len > 0 ? STR(", ") : STR(""));
            gather_append_clean(names, name, COOKIE_NAME_BYTES);
        }
    }
}

/* Whether the field goes. */
static bool judge_field(struct capture *capture, struct http_field *field, struct buf *dropped)
{
    const struct rule *rule = rule_of(str_from(field->name));
    if (rule == NULL) {
        return false;
    }
    switch (rule->action) {
    case ACTION_DROP_REMARK:
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count, "dropped %.60s: %s", field->name,
                    rule->remark);
        return true;
    case ACTION_KEEP_REMARK:
        gather_note(capture, CAPTURE_NOTE_REMARK, capture->count, "kept %.60s: %s", field->name,
                    rule->remark);
        return false;
    case ACTION_REDUCE:
        return reduce_encodings(capture, field);
    case ACTION_AUTHORIZE:
        return judge_authorization(capture, str_from(field->value));
    default:
        buf_printf(dropped, "%s%s", dropped->len == 0 ? "" : ", ", field->name);
        return true;
    }
}

void head_rules_apply(struct capture *capture, struct capture_message *message)
{
    struct buf dropped;
    buf_init(&dropped);
    struct http_head kept;
    http_head_init(&kept);
    for (size_t i = 0; i < message->head.count; i++) {
        struct http_field *field = &message->head.fields[i];
        if (str_equals_nocase(str_from(field->name), STR("Cookie"))) {
            add_cookie_names(&message->cookies, str_from(field->value));
        }
        if (!judge_field(capture, field, &dropped)) {
            http_head_add(&kept, str_from(field->name), str_from(field->value));
        }
    }
    if (dropped.len > 0) {
        gather_note(capture, CAPTURE_NOTE_ROUTINE, capture->count,
                    "dropped, to be computed anew or not needed: %s", dropped.data);
    }
    http_head_deinit(&message->head);
    message->head = kept;
    buf_deinit(&dropped);
}
