/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CLI_OPTION_TABLE_H
#define LATHER_CLI_OPTION_TABLE_H

#include <stdbool.h>

#include "lather/base/str.h"
#include "lather/cli/command_table.h"
#include "lather/cli/option_rule.h"

/* Every option there is; the table has one row for each. */
enum option {
    OPTION_REQUESTS = 0,
    OPTION_CONCURRENCY,
    OPTION_TIME,
    OPTION_KEEP_ALIVE,
    OPTION_REQUESTS_PER_CONNECTION,
    OPTION_TIMEOUT,
    OPTION_CONNECT_TIMEOUT,
    OPTION_THREADS,
    OPTION_RATE,
    OPTION_ARRIVALS,
    OPTION_THINK,
    OPTION_STEPS,
    OPTION_FIND_RATE,
    OPTION_WARMUP,
    OPTION_GRACE,
    OPTION_START_AT,
    OPTION_SESSIONS,
    OPTION_BURST,
    OPTION_SEED,
    OPTION_KEEP_GOING,
    OPTION_POST,
    OPTION_PUT,
    OPTION_PICK,
    OPTION_URLS,
    OPTION_SHUFFLE,
    OPTION_METHOD,
    OPTION_HEAD,
    OPTION_CONTENT_TYPE,
    OPTION_SOAP_ACTION,
    OPTION_HEADER,
    OPTION_COOKIE,
    OPTION_VERBATIM,
    OPTION_NO_TEMPLATE,
    OPTION_TEMPLATE,
    OPTION_VARIABLE,
    OPTION_DATA,
    OPTION_DATA_ORDER,
    OPTION_WSSE_USER,
    OPTION_WSSE,
    OPTION_WSSE_DIGEST,
    OPTION_WSA_TO,
    OPTION_ADD_MESSAGE_ID,
    OPTION_CLOCK_OFFSET,
    OPTION_VALIDATE,
    OPTION_EXPECT_STATUS,
    OPTION_ONE_WAY,
    OPTION_EXPECT_FAULT,
    OPTION_EXPECT_XPATH,
    OPTION_NAMESPACE,
    OPTION_EXPECT_TEXT,
    OPTION_REJECT_TEXT,
    OPTION_XSD,
    OPTION_WSDL,
    OPTION_GOLDEN,
    OPTION_IGNORE,
    OPTION_MAX_TIME,
    OPTION_MAX_ANSWER,
    OPTION_COUNT_BODIES,
    OPTION_SAVE_FAILURES,
    OPTION_SAME_LENGTH,
    OPTION_ANY_LENGTH,
    OPTION_FAIL_IF,
    OPTION_USER,
    OPTION_DIGEST,
    OPTION_NTLM,
    OPTION_NEGOTIATE,
    OPTION_SPN,
    OPTION_PROXY,
    OPTION_PROXY_USER,
    OPTION_HTTP2,
    OPTION_RESOLVE_EACH,
    OPTION_TRANSPORT,
    OPTION_CONNECT_TO,
    OPTION_BIND,
    OPTION_WINDOW,
    OPTION_QUICKACK,
    OPTION_AUTHORITY,
    OPTION_INSECURE,
    OPTION_CERTIFICATE,
    OPTION_KEY,
    OPTION_KEY_PASSWORD_FILE,
    OPTION_CIPHERS,
    OPTION_PROTOCOL,
    OPTION_NO_SERVER_NAME,
    OPTION_NO_RESUME,
    OPTION_QUIET,
    OPTION_VERBOSITY,
    OPTION_NO_PERCENTILES,
    OPTION_NO_DEVIATION,
    OPTION_PERCENTILE_FILE,
    OPTION_SAMPLE_FILE,
    OPTION_JSON_FILE,
    OPTION_HTML_FILE,
    OPTION_COUNTERS_FILE,
    OPTION_JUNIT_FILE,
    OPTION_HDR_FILE,
    OPTION_TIMELINE_FILE,
    OPTION_PERCENTILES,
    OPTION_HTML,
    OPTION_TABLE_ATTRIBUTES,
    OPTION_ROW_ATTRIBUTES,
    OPTION_CELL_ATTRIBUTES,
    OPTION_SERVE_PORT,
    OPTION_SERVE_DELAY,
    OPTION_SERVE_THREADS,
    OPTION_SERVE_FAULT_RATE,
    OPTION_SERVE_SIZE,
    OPTION_SERVE_CLOSE_AFTER,
    OPTION_JUDGE_REQUEST,
    OPTION_CHECK_DRY_RUN,
    OPTION_CHECK_PRINT,
    OPTION_VERSION,
    OPTION_HELP,
    OPTION_COUNT
};

/* The groups of --help, in its order. */
enum option_group {
    OPTION_GROUP_LOAD = 0,
    OPTION_GROUP_MESSAGE,
    OPTION_GROUP_VERDICT,
    OPTION_GROUP_CONNECTION,
    OPTION_GROUP_OUTPUT,
    OPTION_GROUP_SERVE,
    OPTION_GROUP_JUDGE,
    OPTION_GROUP_CHECK,
    OPTION_GROUP_ABOUT,
    OPTION_GROUP_COUNT
};

/* One option: the only source of the parser, --help, the man page and docs/OPTIONS.md. */
struct option_row {
    enum option option;
    char letter;      /* 0: has none */
    const char *name; /* long name, without the dashes */
    enum option_group group;
    struct option_rule rule;
    const char *fallback; /* what holds when it is not given; NULL when nothing does */
    const char *help;
};

/* The row of an option. Never NULL. */
const struct option_row *option_table_row(enum option option);

/* "Load", "Message"...; never NULL. */
const char *option_table_group_name(enum option_group group);

/* Whether the command takes the option. */
bool option_table_has(enum command command, const struct option_row *row);

/* The row of a letter or of a long name among the command's options; NULL when there is none. */
const struct option_row *option_table_find_letter(enum command command, char letter);
const struct option_row *option_table_find_name(enum command command, struct str name);

/*
 * The command's option a tester most likely meant by a long name that is none: the longest begun
 * name, or the one with the least typing errors. NULL when nothing is near.
 */
const struct option_row *option_table_nearest(enum command command, struct str name);

#endif
