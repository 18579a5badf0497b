/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in a message that a load test will trip over: those that a service handed out in an
 * earlier answer, and those by which it knows a message again. Both are recognised by the names
 * that well-known services give them, so something may be missed, and something may be told that
 * does no harm. An element counts only when it has a text of its own.
 */
#include "lather/soap/explain_needs.h"

#include <string.h>

#include "lather/soap/sax.h"

enum kind { KIND_NEEDED = 0, KIND_REPEATED };

struct sign {
    const char *name;   /* of the element, in any case */
    const char *parent; /* of the element around it; NULL: any */
    enum kind kind;
    const char *why;
};

static const struct sign signs[] = {
    {"sessionId", NULL, KIND_NEEDED, "a session that a login opened (Salesforce, Amadeus...)"},
    {"sessionToken", NULL, KIND_NEEDED, "a session that a login opened"},
    {"SequenceNumber", "Session", KIND_NEEDED, "the session's next number, one more each time"},
    {"SecurityToken", "Session", KIND_NEEDED, "a session that a login opened (Amadeus)"},
    {"ticket", NULL, KIND_NEEDED, "a ticket that a login gave out"},
    {"authToken", NULL, KIND_NEEDED, "a token that a login gave out"},
    {"authenticationToken", NULL, KIND_NEEDED, "a token that a login gave out"},
    {"accessToken", NULL, KIND_NEEDED, "a token that a login gave out"},
    {"FormDigest", NULL, KIND_NEEDED, "SharePoint's digest, which lives 30 minutes"},
    {"EnumerationContext", NULL, KIND_NEEDED, "the answer that opened the enumeration"},
    {"ShellId", NULL, KIND_NEEDED, "the answer that opened the shell"},
    {"CommandId", NULL, KIND_NEEDED, "the answer that started the command"},
    {"RelatesTo", NULL, KIND_NEEDED, "the message it answers"},
    {"ConversationId", NULL, KIND_NEEDED, "the answer that opened the conversation"},
    {"InstanceId", "Context", KIND_NEEDED, "the workflow instance of an earlier answer"},
    {"MessageId", "MessageInfo", KIND_REPEATED, "receivers of ebMS and AS4 drop a repeat"},
    {"EchoToken", NULL, KIND_REPEATED, "answers cannot be told apart by it"},
    {"TransactionIdentifier", NULL, KIND_REPEATED, "a service may take a repeat for the same call"},
    {"OperationID", NULL, KIND_REPEATED, "WS-Management knows a request by it"},
    {"TransactionId", NULL, KIND_REPEATED, "a service may take a repeat for the same call"},
    {"CorrelationId", NULL, KIND_REPEATED, "a service may join all requests to one instance"},
};

enum { SIGN_COUNT = sizeof signs / sizeof signs[0], NONE = -1 };

struct looking {
    int open[SAX_DEPTH_CEILING + 1]; /* the sign of the open element, or NONE */
    struct str names[SAX_DEPTH_CEILING + 1];
    bool is_found[SIGN_COUNT];
};

static int sign_of(struct str name, struct str parent)
{
    for (int i = 0; i < SIGN_COUNT; i++) {
        if (str_equals_nocase(name, str_from(signs[i].name)) &&
            (signs[i].parent == NULL || str_equals_nocase(parent, str_from(signs[i].parent)))) {
            return i;
        }
    }
    return NONE;
}

static void on_start(void *context, const struct sax_element *element)
{
    struct looking *looking = context;
    looking->names[element->depth] = str_from(element->name); /* one address within a text */
    looking->open[element->depth] =
        sign_of(looking->names[element->depth], looking->names[element->depth - 1]);
}

static void on_text(void *context, unsigned depth, struct str text)
{
    struct looking *looking = context;
    if (looking->open[depth] != NONE && str_trim(text).len > 0) {
        looking->is_found[looking->open[depth]] = true;
    }
}

void explain_needs_append(struct str text, struct buf *lines)
{
    struct looking looking = {.open = {NONE}};
    const struct sax_events events = {.start = on_start, .text = on_text};
    struct sax *sax = sax_new(&events, &looking, SAX_DOCTYPE_STOPS);
    sax_begin(sax, str_of(NULL, 0));
    sax_feed(sax, text);
    (void)sax_finish(sax);
    sax_free(sax);
    for (int i = 0; i < SIGN_COUNT; i++) {
        if (!looking.is_found[i]) {
            continue;
        }
        if (signs[i].kind == KIND_NEEDED) {
            buf_printf(lines, "needs: a fresh %s: it comes from %s; feed it with --data or --var\n",
                       signs[i].name, signs[i].why);
        } else {
            buf_printf(lines, "same each time: %s: %s; a template makes it new (${uuid})\n",
                       signs[i].name, signs[i].why);
        }
    }
}
