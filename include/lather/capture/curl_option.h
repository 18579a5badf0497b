/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_CURL_OPTION_H
#define LATHER_CAPTURE_CURL_OPTION_H

#include <stdbool.h>

#include "lather/base/str.h"

/* What an option of curl does to the request. */
enum curl_action {
    CURL_ACTION_NOTHING = 0, /* output, progress, limits: not of the request */
    CURL_ACTION_ELSEWHERE,   /* of the connection: an option of the command line has to say it */
    CURL_ACTION_REFUSE,      /* makes a body or request that is not read here */
    CURL_ACTION_DATA,        /* text; "@file" loses CR, LF and NUL */
    CURL_ACTION_DATA_BINARY,
    CURL_ACTION_DATA_RAW, /* "@" is not special */
    CURL_ACTION_JSON,
    CURL_ACTION_HEADER,
    CURL_ACTION_METHOD,
    CURL_ACTION_HEAD,
    CURL_ACTION_GET,
    CURL_ACTION_USER,
    CURL_ACTION_SCHEME, /* of authentication, other than Basic */
    CURL_ACTION_BEARER,
    CURL_ACTION_URL,
    CURL_ACTION_UPLOAD,
    CURL_ACTION_AGENT,
    CURL_ACTION_REFERER,
    CURL_ACTION_COOKIE,
    CURL_ACTION_COMPRESSED,
    CURL_ACTION_NEXT,
    CURL_ACTION_COUNT
};

struct curl_option {
    char letter; /* '\0': none */
    const char *name;
    bool takes_value;
    enum curl_action action;
    const char *remark; /* for ELSEWHERE and REFUSE */
};

/* Found by its long name without dashes, or by its letter; NULL when unknown. */
const struct curl_option *curl_option_by_name(struct str name);
const struct curl_option *curl_option_by_letter(char letter);

#endif
