/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_REFRESH_H
#define LATHER_SOAP_REFRESH_H

#include <stdbool.h>
#include <stddef.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/str.h"
#include "lather/base/url.h"
#include "lather/soap/body_text.h"
#include "lather/soap/edits.h"
#include "lather/soap/envelope.h"
#include "lather/soap/stamp.h"
#include "lather/soap/wsse.h"

/* What of a captured message goes stale and is made anew. */
enum refresh_what {
    REFRESH_MESSAGE_ID = 0,
    REFRESH_TIMESTAMP,
    REFRESH_USERNAME_TOKEN,
    REFRESH_TO, /* not stale, but maybe of another place */
    REFRESH_ACTIVITY_ID,
    REFRESH_ASSERTION, /* SAML: cannot be made anew */
    REFRESH_WHAT_COUNT
};

/* "MessageID", "Timestamp", "UsernameToken", "To", "ActivityId", "Assertion". */
const char *refresh_what_name(enum refresh_what what);

/* What is done with it. */
enum refresh_state {
    REFRESH_ABSENT = 0,
    REFRESH_RENEWED, /* in each request; To: rewritten, the same in all of them */
    REFRESH_ADDED,   /* it was not there */
    REFRESH_SIGNED,  /* left alone, because a signature covers it */
    REFRESH_KEPT, /* left alone: as it should be, as the user wants it, or for want of a password */
    REFRESH_TEMPLATED, /* left alone, because the user's own template is in it */
    REFRESH_STATE_COUNT
};

/* How a UsernameToken carries its password. */
enum refresh_password {
    REFRESH_PASSWORD_ABSENT = 0,
    REFRESH_PASSWORD_TEXT,
    REFRESH_PASSWORD_DIGEST,
    REFRESH_PASSWORD_OTHER
};

/* What was found; the pre-flight reads it, the head prints refresh_append_line of it. */
struct refresh_result {
    struct {
        enum refresh_state state; /* of the last one, when they differ */
        size_t count;             /* found or added */
        size_t changed;           /* of them, renewed or added */
    } items[REFRESH_WHAT_COUNT];
    struct {
        enum refresh_password password;
        bool has_nonce;
        bool has_created;
    } token;               /* the UsernameToken as captured, the last one */
    bool has_deadline;     /* there is a Timestamp, and unless it is renewed... */
    struct stamp deadline; /* ...WCF refuses it from here on: 5 minutes after Expires, or 10 after
                              Created */
    bool has_expires;      /* the captured Timestamp says itself when it ends: others go by that */
    struct stamp expires;
    bool has_assertion_end;
    struct stamp assertion_end; /* NotOnOrAfter of a SAML assertion, the earliest */
    struct buf password;        /* a PasswordText as captured: never to be shown */
    struct buf to_before;       /* wsa:To as captured and as sent, when it was rewritten */
    struct buf to_after;
};
void refresh_result_init(struct refresh_result *result);
void refresh_result_deinit(struct refresh_result *result);

enum refresh_to {
    REFRESH_TO_AUTO = 0, /* rewritten when scheme, port or path differ from the URL */
    REFRESH_TO_KEEP,
    REFRESH_TO_GIVEN, /* becomes refresh_options.to_uri */
};

/* What is added to messages that do not have it. */
enum refresh_add {
    REFRESH_ADD_NOTHING = 0,
    REFRESH_ADD_TEXT,   /* a UsernameToken with PasswordText, and a Timestamp */
    REFRESH_ADD_DIGEST, /* the same with PasswordDigest, Nonce and Created */
};

/* Whether anything may be changed at all. */
enum refresh_mode {
    REFRESH_CHANGES = 0,
    REFRESH_LOOKS, /* --verbatim: found and reported, nothing is changed */
};

struct refresh_options {
    enum refresh_mode mode;
    const struct url *target; /* what wsa:To is compared with; NULL: with nothing */
    enum refresh_to to;
    struct str to_uri;
    bool adds_message_id; /* --add-message-id */
    const char *user;     /* --wsse-user; NULL: not given */
    struct str password;
    enum wsse_variant variant;
    enum refresh_add adds_token; /* needs user */
    struct stamp now; /* with the clock's offset: what captured moments are compared with */
    bool has_end;
    struct stamp end; /* of the run, as planned: what an assertion must outlast */
};

/*
 * Finds what is stale in an envelope and adds edits that make it anew in each request: every
 * wsa:MessageID of the four namespaces, wsu:Timestamp, wsse:UsernameToken, ActivityId, and judges
 * wsa:To. Where an edit of the user's templates is already, or a signature covers it, nothing is
 * touched. How things are written is kept: the prefix of ids, digits of moments, the Timestamp's
 * span, which elements a token has. Remarks are appended to notes, a line each. body is the text
 * that envelope was read from. An envelope that is not well-formed, or holds a DOCTYPE, is not
 * touched at all. Fails only for a password that is too long.
 */
bool refresh_find(const struct refresh_options *options, const struct body_text *body,
                  const struct envelope *envelope, struct edits *edits,
                  struct refresh_result *result, struct buf *notes, struct err *err) MUST_USE;

/*
 * "refreshing: MessageID, Timestamp; To rewritten to http://h:81/S.svc (captured: http://h/S.svc)"
 * without a line end; nothing when there is nothing to say.
 */
void refresh_append_line(const struct refresh_result *result, struct buf *line);

/* A reason why a message cannot be replayed by changing text: it is one of envelope_block. */
struct refresh_block {
    unsigned block;
    bool is_refused;  /* the plan is refused unless --verbatim; otherwise it is only to be known */
    const char *name; /* "EncryptedData" */
    const char *reason; /* one sentence without a full stop */
};

/* Fills list, which has room for REFRESH_BLOCKS; returns how many apply. */
enum { REFRESH_BLOCKS = 6 };
size_t refresh_list_blocks(const struct envelope *envelope,
                           struct refresh_block list[REFRESH_BLOCKS]);

/* Refuses an envelope that has a block which is refused; the sentence names it and --verbatim. */
bool refresh_check(const struct envelope *envelope, struct err *err) MUST_USE;

#endif
