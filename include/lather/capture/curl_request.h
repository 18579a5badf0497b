/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_CURL_REQUEST_H
#define LATHER_CAPTURE_CURL_REQUEST_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/capture/capture.h"
#include "lather/capture/curl_option.h"
#include "lather/capture/shell.h"

/* A request of a curl command in the making. */
struct curl_request {
    struct capture *capture;
    const struct shell_command *command;
    struct capture_message message;
    struct buf credentials;
    const char *scheme; /* of authentication, when it is not Basic; a literal */
    bool has_type;      /* a Content-Type was given, or taken out on purpose */
    bool has_data;
    bool is_get;
    bool is_head;
    bool is_compressed;
    bool is_json;
    struct err refusal; /* why it cannot be a message; the first reason */
};

/* Begins the request that stands in `part` of the command (from 1; parts are behind --next). */
void curl_request_begin(struct curl_request *request, struct capture *capture,
                        const struct shell_command *command, size_t part);

/* Does what an option says; value is empty for options that take none. */
void curl_request_apply(struct curl_request *request, const struct curl_option *option,
                        struct str value);

/* Sets the URL; a second one is left out, with a remark. */
void curl_request_set_url(struct curl_request *request, struct str url);

/* Makes the request no message, for that reason; the first reason counts. */
void curl_request_refuse(struct curl_request *request, const char *format, ...) PRINTF_LIKE(2, 3);

/* Hands the request to the capture, or skips it with the reason. What it held is freed. */
void curl_request_finish(struct curl_request *request);

#endif
