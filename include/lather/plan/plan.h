/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_PLAN_PLAN_H
#define LATHER_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/http_head.h"
#include "lather/base/url.h"
#include "lather/plan/mix.h"
#include "lather/plan/way.h"
#include "lather/soap/expect.h"
#include "lather/soap/feed.h"
#include "lather/soap/refresh.h"
#include "lather/soap/slot.h"
#include "lather/soap/stamp.h"
#include "lather/soap/template.h"
#include "lather/soap/version.h"

/* What is sent: one request, compiled once; what goes stale in it is made anew each time. */
struct plan_message {
    char *name; /* for the report; no two of a plan have the same */
    char *method;
    struct url target;
    uint32_t weight;           /* how often it is sent in each cycle of the mix */
    struct expect *expect;     /* the plan's; frozen with it */
    struct template *template; /* request line, head and body */
    size_t body_bytes;         /* as given, before anything is made anew */
    bool has_body;
    bool answer_has_no_body; /* HEAD */
    enum soap_version soap_version;
    char *content_type; /* as sent; empty without a body */
    bool body_is_utf16;
    char *soap_action;               /* as sent, quotes included; empty when none */
    struct refresh_result refreshed; /* what was found stale, and what becomes of it */
};

/* What of a message is made anew in each request, and what templates in it stand for. */
struct plan_renewal {
    bool is_verbatim;       /* --verbatim: the bytes as they are, templates too */
    bool ignores_templates; /* --no-template */
    enum refresh_to to;     /* --wsa-to */
    struct str to_uri;
    bool adds_message_id;  /* --add-message-id */
    const char *wsse_user; /* --wsse-user; NULL: not given */
    struct str wsse_password;
    enum wsse_variant wsse_variant;
    enum refresh_add adds_token; /* --wsse, where the envelope has none */
    struct slot_names names;     /* --var, the environment, --data */
};

/* How TLS is to be spoken with an https URL. Owned; NULL where the option was not given. */
struct plan_tls {
    char *host;             /* of the Host field sent: the server name, and whom to verify */
    char *authority_file;   /* --cacert */
    char *certificate_file; /* -E */
    char *key_file;         /* --key */
    char *key_password;     /* never shown */
    char *ciphers;          /* -Z */
    char *protocol;         /* -f */
    bool insecure;
    bool omit_server_name; /* -I */
    bool no_resume;
};

/* How requests of an open loop arrive. */
enum plan_arrivals {
    PLAN_ARRIVALS_EVEN = 0, /* at equal distances */
    PLAN_ARRIVALS_POISSON,  /* at exponential distances, as independent users do */
    PLAN_ARRIVALS_COUNT
};

/* Users who come, ask a few times with pauses in between, and go (--sessions). */
struct plan_sessions {
    uint64_t count;    /* how many; 0: the run has none */
    uint64_t calls;    /* of each, one after the other on one connection */
    uint64_t burst;    /* so many of them without a pause */
    uint64_t think_ns; /* the pause */
};

/* What goes before, between and after the requests that are measured. Durations of 0: none. */
struct plan_shape {
    uint64_t warmup_requests; /* --warmup: made before, in no figure; of the two at most one */
    uint64_t warmup_ns;
    bool has_grace;
    uint64_t grace_ns;    /* --grace: for what is in flight when the run ends */
    uint64_t start_at_ns; /* --start-at, since 1970; 0: at once */
    uint64_t *step_rates; /* --steps, or what --find-rate climbs by; millionths a second */
    size_t step_count;    /* 0: the run is one stretch */
    uint64_t step_ns;     /* of each */
    char *find_rate;      /* --find-rate: the condition that is to hold; NULL: only the list */
};

/*
 * What to send, how hard, when to stop, what to expect. Frozen once built: every worker reads it,
 * none writes. Durations of 0 mean "none".
 */
struct plan {
    struct url target; /* of the first message; all go to its scheme, host and port */
    struct plan_message *messages;
    size_t message_count; /* at least 1 when built */
    struct mix *mix;      /* the order of the messages; NULL with one */
    bool shuffles;        /* --shuffle */
    struct plan_tls tls;
    struct way way;
    struct expect expect;        /* of messages that have none of their own */
    struct expect **own_expects; /* of the others, each made by plan_add_expect */
    size_t own_expect_count;
    uint64_t requests; /* 0: only the time limit ends the run */
    uint64_t time_limit_ns;
    uint64_t rate_micro_per_s; /* open loop, all threads together; 0: closed loop */
    enum plan_arrivals arrivals;
    uint64_t think_min_ns; /* pause between an answer and the connection's next request */
    uint64_t think_max_ns; /* 0: none */
    uint32_t concurrency;
    uint32_t threads; /* <= concurrency */
    bool keep_alive;
    bool quickack;
    bool same_length;
    bool any_length;
    uint64_t timeout_ns;         /* of one request, connect included */
    uint64_t connect_timeout_ns; /* of one connect; 0: only timeout_ns applies */
    uint64_t window_bytes;       /* socket buffers; 0: the system's */
    char *bind_address;          /* local addresses, used in turn, separated by commas; or NULL */
    uint32_t requests_per_connection; /* with keep_alive; 0: no limit */
    struct csv *data;                 /* --data; NULL: none */
    enum feed_order data_order;
    struct stamp clock_offset; /* --clock-offset: added to every moment written */
    uint64_t seed;
    struct plan_shape shape;
    struct plan_sessions sessions;
    char *save_failures_folder;  /* --save-failures; NULL: failures are not saved */
    uint64_t save_failures_most; /* of each kind */
    char **secrets;              /* texts that must not be shown: credentials as sent and typed */
    size_t secret_count;
    int verbosity;     /* -v: from 2 on, heads are printed */
    bool keep_samples; /* -g: every request's times are kept */
};

/* What a message is built from: options as parsed, all borrowed. NULL and 0 mean "not given". */
struct plan_request {
    const char *name;      /* NULL: the last part of body_name, else method and path */
    uint32_t weight;       /* 0: 1 */
    struct expect *expect; /* what its answers must be; NULL: plan->expect */
    struct str url;
    const char *method;    /* NULL: GET, or POST/PUT by the body's option */
    const char *body_name; /* for messages: the file's name */
    struct str body;
    bool has_body;
    const char *content_type;        /* -T */
    const char *soap_action;         /* --soap-action: quoted unless it is already */
    const struct http_head *headers; /* -H in order; replaces built-in fields of the same name */
    const char *const *cookies;      /* -C, each name=value; joined */
    size_t cookie_count;
    const char *basic_credentials; /* -A user:password */
    struct plan_renewal renewal;
    bool keep_alive;
    bool has_validate; /* expect->validate was asked for; otherwise the body decides */
};

/*
 * Parses the URL and adds a message to a plan made by plan_new: the head in ab's order
 * (request_head.h), the content type from the envelope when none was given. Fills tls.host and the
 * expectations' validate, with the first message the target too; a message for another scheme, host
 * or port than the first one's is refused. What a tester should know (a SOAP 1.1 body without an
 * action, a content type that does not fit the envelope...) is appended to notes, one line each.
 */
bool plan_add_message(struct plan *plan, const struct plan_request *request, struct buf *notes,
                      struct err *err) MUST_USE;

/* Expectations for some of the messages, to be filled like plan->expect; owned by the plan. */
struct expect *plan_add_expect(struct plan *plan);

/*
 * Once all messages are in: settles their order. False when they cannot be sent in one run (HEAD
 * with others, too many of them).
 */
bool plan_settle_mix(struct plan *plan, struct err *err) MUST_USE;

/* A plan with the defaults: one GET at a time, one request, 30 s. */
struct plan *plan_new(void) MUST_USE;
void plan_free(struct plan *plan);

/*
 * Looks for contradictions between the load figures (concurrency above requests...), caps threads
 * at the concurrency. Does not look at the message, so it may be called before that is built. The
 * plan is frozen after both.
 */
bool plan_check(struct plan *plan, struct err *err) MUST_USE;

#endif
