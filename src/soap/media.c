/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Media types as far as SOAP cares. They are claims: what an answer really is its bytes tell, but
 * a type that cannot hold XML ends the matter, as it does for every SOAP client.
 */
#include "lather/soap/media.h"

#include "lather/base/http_head.h"

/* "text/xml charset=utf-8", with the semicolon lost on the way, still is text/xml. */
static struct str without_junk(struct str type)
{
    for (size_t i = 0; i < type.len; i++) {
        if (type.data[i] == ' ' || type.data[i] == '\t' || type.data[i] == ',') {
            return str_slice(type, 0, i);
        }
    }
    return type;
}

enum media media_of(struct str content_type, struct str *type, struct str *charset)
{
    http_head_split_media_type(content_type, type, STR("charset"), charset);
    *type = without_junk(*type);
    if (type->len == 0) {
        return MEDIA_ABSENT;
    }
    if (str_equals_nocase(*type, STR("text/xml"))) {
        return MEDIA_SOAP_11;
    }
    if (str_equals_nocase(*type, STR("application/soap+xml"))) {
        return MEDIA_SOAP_12;
    }
    if (str_equals_nocase(*type, STR("multipart/related"))) {
        return MEDIA_MULTIPART;
    }
    struct str suffix = str_slice(*type, type->len > 4 ? type->len - 4 : 0, type->len);
    if (str_equals_nocase(*type, STR("application/xml")) ||
        str_equals_nocase(suffix, STR("+xml"))) {
        return MEDIA_XML;
    }
    return MEDIA_OTHER;
}
