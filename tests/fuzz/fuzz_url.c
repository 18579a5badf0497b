/* SPDX-License-Identifier: Apache-2.0 */
/* The URL of the command line and of captures: what is accepted can be put together and read again.
 */
#include <string.h>

#include "fuzz.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/url.h"

static void check_reads_again(const struct url *url)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "%s://%s%s", url_scheme_name(url->scheme), url->authority, url->path);

    struct url again;
    struct err err;
    bool read = url_parse(&again, buf_view(&text), &err);
    CHECK(read);
    CHECK(again.scheme == url->scheme);
    CHECK(again.port == url->port);
    CHECK(again.host_is_ipv6 == url->host_is_ipv6);
    CHECK(strcmp(again.host, url->host) == 0);
    CHECK(strcmp(again.authority, url->authority) == 0);
    CHECK(strcmp(again.path, url->path) == 0);
    url_deinit(&again);
    buf_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct url url;
    struct err err = {0};
    if (url_parse(&url, str_of((const char *)data, size), &err)) {
        CHECK(url.host[0] != '\0');
        CHECK(url.path[0] == '/');
        CHECK(strpbrk(url.path, " \r\n") == NULL);
        CHECK(strpbrk(url.authority, " \r\n@/") == NULL);
        check_reads_again(&url);
        url_deinit(&url);
    } else {
        CHECK(err.code != ERR_NONE && err.text[0] != '\0');
        CHECK(strpbrk(err.text, "\r\n") == NULL);
    }
    return 0;
}
