/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The option table: one row an option, the single source of the parser, --help, the man page and
 * docs/OPTIONS.md. It decides names, kinds and bounds; what an option does is decided where the
 * plan is made. An option that does nothing yet has no row. Rows stand in the order of the enum,
 * which is the order of --help.
 */
#include "lather/cli/option_table.h"

#include <stddef.h>

#include "lather/base/clock.h"

#define LONGEST_NS       (10ULL * 365 * 24 * 3600 * NS_PER_S)
#define REQUESTS_CEILING 1000000000000ULL /* 11 days at a million a second */
#define CONCURRENCY_MOST 60000ULL         /* a local address has hardly more ports to one service */
#define THREADS_CEILING  256ULL
#define WINDOW_CEILING   (1ULL << 30) /* the socket option is an int */
#define SERVE_SIZE_MOST  (64ULL << 20)
#define SEED_MOST        ((1ULL << 53) - 1) /* what JSON readers keep exact */
#define MILLION          1000000ULL
#define ANY_LENGTH       UINT64_MAX

/* A table reads as a table: three lines a row, not one a field. */
/* clang-format off */
static const struct option_row rows[OPTION_COUNT] = {
    {OPTION_REQUESTS, 'n', "requests", OPTION_GROUP_LOAD,
     {OPTION_KIND_NUMBER, "N", 1, REQUESTS_CEILING, OPTION_OPEN},
     "1; with -t no limit", "requests to make"},
    {OPTION_CONCURRENCY, 'c', "concurrency", OPTION_GROUP_LOAD,
     {OPTION_KIND_NUMBER, "N", 1, CONCURRENCY_MOST, OPTION_OPEN},
     "1", "connections, each with one request at a time; not more than -n"},
    {OPTION_TIME, 't', "time", OPTION_GROUP_LOAD,
     {OPTION_KIND_DURATION, "TIME", NS_PER_MS, LONGEST_NS, OPTION_OPEN},
     NULL, "end the run after this time; with -n too, what is reached first ends it"},
    {OPTION_KEEP_ALIVE, 'k', "keep-alive", OPTION_GROUP_LOAD,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "keep connections open for the next request; without, each request has its own"},
    {OPTION_REQUESTS_PER_CONNECTION, 0, "requests-per-connection", OPTION_GROUP_LOAD,
     {OPTION_KIND_NUMBER, "N", 1, UINT32_MAX, OPTION_OPEN},
     "no limit with -k", "close a connection after this many requests; from 2 on this means -k too"},
    {OPTION_TIMEOUT, 's', "timeout", OPTION_GROUP_LOAD,
     {OPTION_KIND_DURATION, "TIME", NS_PER_MS, LONGEST_NS, OPTION_OPEN},
     "30s", "longest time for one request, its connect included"},
    {OPTION_CONNECT_TIMEOUT, 0, "connect-timeout", OPTION_GROUP_LOAD,
     {OPTION_KIND_DURATION, "TIME", NS_PER_MS, LONGEST_NS, OPTION_OPEN},
     "that of -s", "longest time for one connect"},
    {OPTION_THREADS, 0, "threads", OPTION_GROUP_LOAD,
     {OPTION_KIND_NUMBER, "N", 1, THREADS_CEILING, OPTION_OPEN},
     "1", "worker threads that share connections and requests; never more than -c"},
    {OPTION_RATE, 0, "rate", OPTION_GROUP_LOAD,
     {OPTION_KIND_RATE, "R", 1, 1000000 * MILLION, OPTION_OPEN},
     NULL, "open loop: requests are due at this rate, as 200/s or 3000/min, whatever the server "
           "does; -c bounds the connections"},
    {OPTION_ARRIVALS, 0, "arrivals", OPTION_GROUP_LOAD,
     {OPTION_KIND_TEXT, "even|poisson", 1, ANY_LENGTH, OPTION_OPEN},
     "even", "distances between the requests of --rate"},
    {OPTION_THINK, 0, "think", OPTION_GROUP_LOAD,
     {OPTION_KIND_TEXT, "MIN[-MAX]", 1, ANY_LENGTH, OPTION_OPEN},
     "none", "pause between an answer and the connection's next request, as 1s or 500ms-2s"},
    {OPTION_STEPS, 0, "steps", OPTION_GROUP_LOAD,
     {OPTION_KIND_TEXT, "R1,R2,...xTIME", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "open loops one after the other, each at its rate for this time, as 100,200,400x30s; the "
           "report has a line for each"},
    {OPTION_FIND_RATE, 0, "find-rate", OPTION_GROUP_LOAD,
     {OPTION_KIND_TEXT, "CONDITION", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "the highest rate at which it holds, as 'p95<500ms': up from --rate (10/s), doubling, then "
           "halving in; -t is the length of a step (10s), --steps gives the way up"},
    {OPTION_WARMUP, 0, "warmup", OPTION_GROUP_LOAD,
     {OPTION_KIND_TEXT, "N|TIME", 1, ANY_LENGTH, OPTION_OPEN},
     "none", "make so many requests, or go on so long (with a unit), before anything is counted"},
    {OPTION_GRACE, 0, "grace", OPTION_GROUP_LOAD,
     {OPTION_KIND_DURATION, "TIME", 0, LONGEST_NS, OPTION_OPEN},
     "0 with -t, 5s with Ctrl-C, -s behind a warm-up or a step",
     "how long answers in flight are waited for when the run ends"},
    {OPTION_START_AT, 0, "start-at", OPTION_GROUP_LOAD,
     {OPTION_KIND_TEXT, "TIME", 1, ANY_LENGTH, OPTION_OPEN},
     "at once", "wait until 14:30:00 of this machine's time (the next one, within half a day), or "
           "2026-01-31T14:30:00Z, so that several boxes begin together; a warm-up is made before"},
    {OPTION_SESSIONS, 0, "sessions", OPTION_GROUP_LOAD,
     {OPTION_KIND_TEXT, "N,CALLS,THINK", 1, ANY_LENGTH, OPTION_OPEN},
     "none", "N users, -c at a time: each opens a connection, makes CALLS requests with a pause of "
     "THINK between them, as 100,10,2s, and closes it"},
    {OPTION_BURST, 0, "burst", OPTION_GROUP_LOAD,
     {OPTION_KIND_NUMBER, "N", 1, UINT32_MAX, OPTION_OPEN},
     "1", "so many requests of a session without a pause between them"},
    {OPTION_SEED, 0, "seed", OPTION_GROUP_LOAD,
     {OPTION_KIND_NUMBER, "N", 0, SEED_MOST, OPTION_OPEN},
     "a new one each run", "make order and choice repeatable; ids stay fresh"},
    {OPTION_KEEP_GOING, 'r', "keep-going", OPTION_GROUP_LOAD,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     "always so", "go on after socket errors; taken for ab's sake, as no error ends a run here"},

    {OPTION_POST, 'p', "post", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_LIST, "FILE[@WEIGHT]", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "the message: an envelope, other bytes, or a capture (Fiddler text or .saz, HAR, curl, "
     "SoapUI, svclog, Postman, JMeter); - reads standard input; repeatable, or a folder: a mix, "
     "each message as often as its weight says"},
    {OPTION_PUT, 'u', "put", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "PUT this file's bytes; - reads standard input"},
    {OPTION_PICK, 0, "pick", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_LIST, "N|NAME", 1, ANY_LENGTH, OPTION_OPEN},
     "all SOAP POSTs", "which messages of a capture with several; repeatable"},
    {OPTION_URLS, 0, "urls", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "URLs to ask for besides those of the command line, one a line; behind one may stand "
     "POST and a body or <FILE"},
    {OPTION_SHUFFLE, 0, "shuffle", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     "in order", "send the messages of each cycle of a mix in an order by chance (--seed)"},
    {OPTION_METHOD, 'm', "method", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "METHOD", 1, ANY_LENGTH, OPTION_OPEN},
     "GET; with a file POST or PUT", "the request's method, in its own letters"},
    {OPTION_HEAD, 'i', "head", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "make HEAD requests"},
    {OPTION_CONTENT_TYPE, 'T', "content-type", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "TYPE", 1, ANY_LENGTH, OPTION_OPEN},
     "by the envelope", "media type of the message, as \"text/xml; charset=utf-8\""},
    {OPTION_SOAP_ACTION, 0, "soap-action", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "URI", 0, ANY_LENGTH, OPTION_OPEN},
     NULL, "the action: SOAPAction with SOAP 1.1, action= of the media type with 1.2"},
    {OPTION_HEADER, 'H', "header", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_LIST, "FIELD", 1, ANY_LENGTH, OPTION_SECRET_FIELD},
     NULL, "a header field \"Name: value\"; takes the place of lather's own; repeatable"},
    {OPTION_COOKIE, 'C', "cookie", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_LIST, "NAME=VALUE", 1, ANY_LENGTH, OPTION_SECRET_COOKIE},
     NULL, "a cookie; repeatable"},
    {OPTION_VERBATIM, 0, "verbatim", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "send the file's bytes exactly: refresh nothing, read no templates"},
    {OPTION_NO_TEMPLATE, 0, "no-template", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "leave ${...} as it is; what goes stale is refreshed all the same"},
    {OPTION_TEMPLATE, 0, "template", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "read ${...} in captures too; in bare files it always is"},
    {OPTION_VARIABLE, 0, "var", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_LIST, "NAME=VALUE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "what ${var.NAME} stands for; repeatable"},
    {OPTION_DATA, 0, "data", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "FILE.csv", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "a row for each request; ${data.COLUMN} stands for its values"},
    {OPTION_DATA_ORDER, 0, "data-order", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "cycle|shuffle|once", 1, ANY_LENGTH, OPTION_OPEN},
     "cycle", "the order of the rows; once: the run ends when they are used up"},
    {OPTION_WSSE_USER, 0, "wsse-user", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "USER:PASSWORD", 1, ANY_LENGTH, OPTION_SECRET_PASSWORD},
     "$LATHER_WSSE_PASSWORD", "for the UsernameToken; the password may be @FILE, or missing and in "
     "the environment"},
    {OPTION_WSSE, 0, "wsse", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "text|digest", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "add a UsernameToken and a Timestamp to envelopes without; needs --wsse-user"},
    {OPTION_WSSE_DIGEST, 0, "wsse-digest", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "plain|sha1raw|sha1b64", 1, ANY_LENGTH, OPTION_OPEN},
     "plain", "what a PasswordDigest is made of: the password, or its SHA-1"},
    {OPTION_WSA_TO, 0, "wsa-to", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "auto|keep|URI", 1, ANY_LENGTH, OPTION_OPEN},
     "auto", "wsa:To: rewritten where it is not the URL's place, kept, or this URI"},
    {OPTION_ADD_MESSAGE_ID, 0, "add-message-id", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "add a wsa:MessageID to envelopes with WS-Addressing and without one"},
    {OPTION_CLOCK_OFFSET, 0, "clock-offset", OPTION_GROUP_MESSAGE,
     {OPTION_KIND_TEXT, "OFFSET", 1, ANY_LENGTH, OPTION_OPEN},
     "0", "added to every moment written, as -90s or +3m, for servers whose clock differs"},

    {OPTION_VALIDATE, 0, "validate", OPTION_GROUP_VERDICT,
     {OPTION_KIND_TEXT, "HOW", 1, ANY_LENGTH, OPTION_OPEN},
     "soap if an envelope is sent", "off: status only; soap: the envelope and all that is expected; "
     "full: wsa:Action too; N%: soap for a part of the answers"},
    {OPTION_EXPECT_STATUS, 0, "expect-status", OPTION_GROUP_VERDICT,
     {OPTION_KIND_TEXT, "LIST", 1, ANY_LENGTH, OPTION_OPEN},
     "2xx", "the statuses that are good, as \"200,202\" or \"2xx,404\""},
    {OPTION_ONE_WAY, 0, "one-way", OPTION_GROUP_VERDICT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "the message has no answer: an empty 200 or 202 is good"},
    {OPTION_EXPECT_FAULT, 0, "expect-fault", OPTION_GROUP_VERDICT,
     {OPTION_KIND_OPTIONAL, "[CODE]", 0, ANY_LENGTH, OPTION_OPEN},
     "any Fault", "a Fault is good, of this code or subcode if given: --expect-fault=Sender; 400 "
     "and 500 are expected"},
    {OPTION_EXPECT_XPATH, 0, "expect-xpath", OPTION_GROUP_VERDICT,
     {OPTION_KIND_LIST, "EXPR", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "must hold in every answer: true, found, not 0, not empty; repeatable"},
    {OPTION_NAMESPACE, 0, "ns", OPTION_GROUP_VERDICT,
     {OPTION_KIND_LIST, "PREFIX=URI", 1, ANY_LENGTH, OPTION_OPEN},
     "those of the message; s, soap, a, wsa", "a prefix for --expect-xpath and --ignore; repeatable"},
    {OPTION_EXPECT_TEXT, 0, "expect-text", OPTION_GROUP_VERDICT,
     {OPTION_KIND_LIST, "TEXT", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "must be in every answer; repeatable"},
    {OPTION_REJECT_TEXT, 0, "reject-text", OPTION_GROUP_VERDICT,
     {OPTION_KIND_LIST, "TEXT", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "must be in no answer; repeatable"},
    {OPTION_XSD, 0, "xsd", OPTION_GROUP_VERDICT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "schema that the Body's content must fit; imports are read from disk"},
    {OPTION_WSDL, 0, "wsdl", OPTION_GROUP_VERDICT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "as --xsd, with the schemas inside this WSDL and beside it"},
    {OPTION_GOLDEN, 0, "golden", OPTION_GROUP_VERDICT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "an answer that all others must be like; ids and times may differ"},
    {OPTION_IGNORE, 0, "ignore", OPTION_GROUP_VERDICT,
     {OPTION_KIND_LIST, "XPATH", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "what may differ from --golden besides; repeatable"},
    {OPTION_MAX_TIME, 0, "max-time", OPTION_GROUP_VERDICT,
     {OPTION_KIND_MILLISECONDS, "MS", NS_PER_US, LONGEST_NS, OPTION_OPEN},
     NULL, "a slower answer is a mismatch; in milliseconds, or as 2s"},
    {OPTION_MAX_ANSWER, 0, "max-answer", OPTION_GROUP_VERDICT,
     {OPTION_KIND_SIZE, "SIZE", 1, 1ULL << 40, OPTION_OPEN},
     "64M", "a larger answer, once decoded, is too_large"},
    {OPTION_COUNT_BODIES, 0, "count-bodies", OPTION_GROUP_VERDICT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "count how many different bodies came, refreshed ids apart"},
    {OPTION_SAVE_FAILURES, 0, "save-failures", OPTION_GROUP_VERDICT,
     {OPTION_KIND_TEXT, "DIR[,K]", 1, ANY_LENGTH, OPTION_OPEN},
     "K is 10", "keep the first K failed exchanges of each kind as files in DIR, secrets masked"},
    {OPTION_SAME_LENGTH, 0, "same-length", OPTION_GROUP_VERDICT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "ab's rule: an answer of another length than the first one is a failure"},
    {OPTION_ANY_LENGTH, 'l', "any-length", OPTION_GROUP_VERDICT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "print \"Variable\" as the document length; lengths never count as failures anyway"},
    {OPTION_FAIL_IF, 0, "fail-if", OPTION_GROUP_VERDICT,
     {OPTION_KIND_LIST, "CONDITION", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "exit 1 if it holds, as errors>1%, p95>800ms, rate<100/s, mean, max, \"outcome timeout>0\" "
     "or fault{CODE}>0; repeatable; failed requests alone then no longer do"},

    {OPTION_USER, 'A', "user", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "USER:PASSWORD", 1, ANY_LENGTH, OPTION_SECRET_PASSWORD},
     NULL, "credentials: Basic, sent with every request, unless one of the next three is given"},
    {OPTION_DIGEST, 0, "digest", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "authenticate with Digest, as the user of -A"},
    {OPTION_NTLM, 0, "ntlm", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "authenticate with NTLM, once a connection, as the user of -A (DOMAIN\\USER)"},
    {OPTION_NEGOTIATE, 0, "negotiate", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "authenticate with Negotiate: with the Kerberos ticket of kinit or of the logon"},
    {OPTION_SPN, 0, "spn", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "SERVICE/HOST", 1, ANY_LENGTH, OPTION_OPEN},
     "HTTP/ the URL's host", "the service's principal for --negotiate"},
    {OPTION_PROXY, 'X', "proxy", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "HOST:PORT", 1, ANY_LENGTH, OPTION_OPEN},
     "none", "proxy: HTTP (CONNECT for https), or with socks5:// or socks5h:// in front"},
    {OPTION_PROXY_USER, 'P', "proxy-user", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "USER:PASSWORD", 1, ANY_LENGTH, OPTION_SECRET_PASSWORD},
     NULL, "credentials for the proxy (Basic)"},
    {OPTION_HTTP2, 0, "http2", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "speak HTTP/2, one request at a time on a connection; with http:// from the first byte"},
    {OPTION_RESOLVE_EACH, 0, "resolve-each", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "look the name up again for each connection, and measure that"},
    {OPTION_TRANSPORT, 0, "transport", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "auto|direct|curl", 1, ANY_LENGTH, OPTION_OPEN},
     "auto", "who speaks HTTP: lather itself, or libcurl; auto: lather whenever it can"},
    {OPTION_CONNECT_TO, 0, "connect-to", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_LIST, "HOST:PORT:HOST2:PORT2", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "connect to the second in place of the first; empty parts: any, or unchanged; repeatable"},
    {OPTION_BIND, 'B', "bind", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "ADDRESS", 1, ANY_LENGTH, OPTION_OPEN},
     "the system's choice", "local address that connections come from; several, by commas, in turn"},
    {OPTION_WINDOW, 'b', "window", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_SIZE, "SIZE", 1, WINDOW_CEILING, OPTION_OPEN},
     "the system's", "send and receive buffer of each socket"},
    {OPTION_QUICKACK, 0, "quickack", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "acknowledge at once (Linux): for servers that lose 40 ms to Nagle's rule"},
    {OPTION_AUTHORITY, 0, "cacert", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     "the system's", "certificates to trust (PEM): of authorities, or the server's own"},
    {OPTION_INSECURE, 0, "insecure", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "do not verify the server's certificate; the report says so"},
    {OPTION_CERTIFICATE, 'E', "cert", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "client certificate with its chain and key: PEM, or PFX as Windows exports it"},
    {OPTION_KEY, 0, "key", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     "in the file of -E", "private key of the client certificate (PEM)"},
    {OPTION_KEY_PASSWORD_FILE, 0, "key-password-file", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     "$LATHER_KEY_PASSWORD", "its first line is the password of the key or the PFX"},
    {OPTION_CIPHERS, 'Z', "ciphers", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "LIST", 1, ANY_LENGTH, OPTION_OPEN},
     "OpenSSL's", "ciphers as OpenSSL writes them; suites of TLS 1.3 may stand among them"},
    {OPTION_PROTOCOL, 'f', "tls", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_TEXT, "VERSION", 1, ANY_LENGTH, OPTION_OPEN},
     "1.2 and 1.3", "TLS1, TLS1.1, TLS1.2, TLS1.3 or ALL"},
    {OPTION_NO_SERVER_NAME, 'I', "no-sni", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "do not send the server's name (SNI)"},
    {OPTION_NO_RESUME, 0, "no-resume", OPTION_GROUP_CONNECTION,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "make each TLS handshake a full one"},

    {OPTION_QUIET, 'q', "quiet", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "no progress on standard error"},
    {OPTION_VERBOSITY, 'v', "verbosity", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_NUMBER, "N", 0, 4, OPTION_OPEN},
     "0", "from 2 on, print the heads of requests and answers"},
    {OPTION_NO_PERCENTILES, 'd', "no-percentiles", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "leave out the table of percentiles"},
    {OPTION_NO_DEVIATION, 'S', "no-deviation", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "leave out median, deviation and the warnings about them"},
    {OPTION_PERCENTILE_FILE, 'e', "percentile-file", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "write the percentiles 0 to 100 as CSV"},
    {OPTION_SAMPLE_FILE, 'g', "sample-file", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "write each request's times, tab-separated, in order of start"},
    {OPTION_JSON_FILE, 0, "json", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "write the whole result as JSON"},
    {OPTION_HTML_FILE, 0, "html", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "write a page with charts that needs nothing else to be opened"},
    {OPTION_COUNTERS_FILE, 0, "counters", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "read after the run: the server's counters as CSV (relog -f csv, typeperf), drawn into "
     "the page of --html"},
    {OPTION_JUNIT_FILE, 0, "junit", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "write a JUnit report for build servers, a test case for each --fail-if"},
    {OPTION_HDR_FILE, 0, "hdr", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "write the latencies as HdrHistogram's plotters read them (.hgrm)"},
    {OPTION_TIMELINE_FILE, 0, "timeline", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     NULL, "write a row for each second as CSV; if FILE ends in .pdh.csv, as Performance Monitor's "
     "logs are"},
    {OPTION_PERCENTILES, 0, "percentiles", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "LIST", 1, ANY_LENGTH, OPTION_OPEN},
     "99.9,99.99", "the percentiles shown besides ab's, as 95,99.9; also those of --timeline"},
    {OPTION_HTML, 'w', "html-report", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "print the report as an HTML table"},
    {OPTION_TABLE_ATTRIBUTES, 'x', "table-attributes", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "TEXT", 0, ANY_LENGTH, OPTION_OPEN},
     NULL, "attributes of the report's <table>; switches -w on"},
    {OPTION_ROW_ATTRIBUTES, 'y', "row-attributes", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "TEXT", 0, ANY_LENGTH, OPTION_OPEN},
     NULL, "attributes of its <tr>; switches -w on"},
    {OPTION_CELL_ATTRIBUTES, 'z', "cell-attributes", OPTION_GROUP_OUTPUT,
     {OPTION_KIND_TEXT, "TEXT", 0, ANY_LENGTH, OPTION_OPEN},
     "bgcolor=white", "attributes of its <td> and <th>; switches -w on"},

    {OPTION_SERVE_PORT, 0, "port", OPTION_GROUP_SERVE,
     {OPTION_KIND_NUMBER, "N", 0, 65535, OPTION_OPEN},
     "a free one", "port to listen on, on 127.0.0.1"},
    {OPTION_SERVE_DELAY, 0, "delay", OPTION_GROUP_SERVE,
     {OPTION_KIND_TEXT, "DELAY", 1, ANY_LENGTH, OPTION_OPEN},
     "0", "time between a request's last byte and its answer: 20ms, or a number of seconds (or fixed:20ms), exp:20ms (exponential, with that "
     "mean, the same at each start), file:PATH (a delay a line, from the first again after the last)"},
    {OPTION_SERVE_THREADS, 0, "threads", OPTION_GROUP_SERVE,
     {OPTION_KIND_NUMBER, "N", 1, THREADS_CEILING, OPTION_OPEN},
     "1", "threads that connections are handed to in turn; delays and Faults are each thread's own"},
    {OPTION_SERVE_FAULT_RATE, 0, "fault-rate", OPTION_GROUP_SERVE,
     {OPTION_KIND_FRACTION, "RATE", 0, MILLION, OPTION_OPEN},
     "0", "part of the orders answered with a Fault, as 0.05 or 5%: evenly spread, in no rhythm, the same at each start"},
    {OPTION_SERVE_SIZE, 0, "size", OPTION_GROUP_SERVE,
     {OPTION_KIND_SIZE, "SIZE", 0, SERVE_SIZE_MOST, OPTION_OPEN},
     "as it comes", "least size of an answer's body"},
    {OPTION_SERVE_CLOSE_AFTER, 0, "close-after", OPTION_GROUP_SERVE,
     {OPTION_KIND_NUMBER, "N", 0, REQUESTS_CEILING, OPTION_OPEN},
     "0: never", "close a connection after this many answers"},

    {OPTION_JUDGE_REQUEST, 0, "request", OPTION_GROUP_JUDGE,
     {OPTION_KIND_TEXT, "FILE", 1, ANY_LENGTH, OPTION_OPEN},
     "N.request beside N.answer", "the message that the answers answer, for RelatesTo: an envelope, or a saved request "
     "with its head"},

    {OPTION_CHECK_DRY_RUN, 0, "dry-run", OPTION_GROUP_CHECK,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "send nothing; a URL is needed no more"},
    {OPTION_CHECK_PRINT, 0, "print", OPTION_GROUP_CHECK,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "print the request as it goes out, secrets as ***; everything else goes to standard error"},

    {OPTION_VERSION, 'V', "version", OPTION_GROUP_ABOUT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "print the version"},
    {OPTION_HELP, 'h', "help", OPTION_GROUP_ABOUT,
     {OPTION_KIND_FLAG, NULL, 0, 0, OPTION_OPEN},
     NULL, "print the options"},
};
/* clang-format on */

const struct option_row *option_table_row(enum option option)
{
    return &rows[option];
}

const char *option_table_group_name(enum option_group group)
{
    static const char *const names[OPTION_GROUP_COUNT] = {
        [OPTION_GROUP_LOAD] = "Load",
        [OPTION_GROUP_MESSAGE] = "Message",
        [OPTION_GROUP_VERDICT] = "Verdict",
        [OPTION_GROUP_CONNECTION] = "Connection",
        [OPTION_GROUP_OUTPUT] = "Output",
        [OPTION_GROUP_SERVE] = "Options of lather serve",
        [OPTION_GROUP_JUDGE] = "Options of lather judge",
        [OPTION_GROUP_CHECK] = "Options of lather check",
        [OPTION_GROUP_ABOUT] = "About lather",
    };
    return names[group];
}

/* Of the verdict's options these are about many answers of one run, not about each answer. */
static bool is_about_a_run(enum option option)
{
    return option == OPTION_COUNT_BODIES || option == OPTION_SAVE_FAILURES ||
           option == OPTION_SAME_LENGTH || option == OPTION_ANY_LENGTH || option == OPTION_FAIL_IF;
}

/* Options about a result, which need no run: what has no progress and no single request in it. */
static bool is_of_results(const struct option_row *row)
{
    switch (row->option) {
    case OPTION_FAIL_IF:
        return true;
    case OPTION_QUIET:
    case OPTION_VERBOSITY:
    case OPTION_SAMPLE_FILE:
        return false;
    default:
        return row->group == OPTION_GROUP_OUTPUT;
    }
}

/*
 * All that a run takes, so that `check` can be put into the line of a run. What is about a load, a
 * result or many answers changes nothing there.
 */
static bool is_of_check(const struct option_row *row)
{
    return row->group != OPTION_GROUP_SERVE && row->group != OPTION_GROUP_JUDGE;
}

bool option_table_has(enum command command, const struct option_row *row)
{
    if (row->group == OPTION_GROUP_ABOUT) {
        return true;
    }
    switch (command) {
    case COMMAND_SERVE:
        return row->group == OPTION_GROUP_SERVE;
    case COMMAND_JUDGE:
        return row->group == OPTION_GROUP_JUDGE ||
               (row->group == OPTION_GROUP_VERDICT && !is_about_a_run(row->option));
    case COMMAND_CHECK:
        return is_of_check(row);
    case COMMAND_COMPARE:
        return false;
    case COMMAND_REPORT:
    case COMMAND_MERGE:
        return is_of_results(row);
    default:
        return row->group != OPTION_GROUP_SERVE && row->group != OPTION_GROUP_JUDGE &&
               row->group != OPTION_GROUP_CHECK;
    }
}

const struct option_row *option_table_find_letter(enum command command, char letter)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (rows[i].letter == letter && letter != 0 && option_table_has(command, &rows[i])) {
            return &rows[i];
        }
    }
    return NULL;
}

const struct option_row *option_table_find_name(enum command command, struct str name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (str_equals(name, str_from(rows[i].name)) && option_table_has(command, &rows[i])) {
            return &rows[i];
        }
    }
    return NULL;
}

const struct option_row *option_table_nearest(enum command command, struct str name)
{
    /* One error in three letters is a slip; more is another word. */
    size_t least = name.len / 3 + 1;
    const struct option_row *nearest = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        struct str candidate = str_from(rows[i].name);
        if (!option_table_has(command, &rows[i])) {
            continue;
        }
        if (name.len >= 3 && str_starts_with(candidate, name)) {
            return &rows[i];
        }
        size_t distance = str_distance(name, candidate);
        if (distance <= least && (nearest == NULL || distance < least)) {
            least = distance;
            nearest = &rows[i];
        }
    }
    return nearest;
}
