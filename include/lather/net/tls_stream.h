/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_NET_TLS_STREAM_H
#define LATHER_NET_TLS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/base/str.h"
#include "lather/net/tls_context.h"
#include "lather/net/tls_facts.h"
#include "lather/net/tls_reason.h"

struct ssl_ctx_st;
struct ssl_session_st;

/*
 * The client's side of one TLS connection, without a socket: ciphertext that came is fed to it,
 * ciphertext to be sent is appended to a buffer of the owner. Each call goes as far as it can; what
 * needs more from the peer is repeated after the next feed, whichever call it was: a read may have
 * to wait for nothing, and a write for bytes of a new handshake that the server began (TLS 1.2
 * renegotiation). One thread at a time.
 */
struct tls_stream;

/*
 * What is known of a server from the last connection: above all the session that the next one can
 * resume (RFC 8446 2.2). It belongs to one client of the server, a slot; zeroed it holds nothing.
 */
struct tls_ticket {
    struct ssl_session_st *session;
    bool certificate_wanted; /* the server has asked for ours; when it resumes it does not ask */
};

/* Gives the session back. */
void tls_ticket_drop(struct tls_ticket *ticket);

/*
 * A stream that has not begun its handshake. Ciphertext to be sent is appended to *out. What
 * *ticket holds is used to resume, and what the server gives is put there; both must outlive the
 * stream. A ticket of TLS 1.3 is used once.
 */
struct tls_stream *tls_stream_new(const struct tls_context *context, struct tls_ticket *ticket,
                                  struct buf *out) MUST_USE;
void tls_stream_free(struct tls_stream *stream);

/* How far a call came. */
enum tls_step {
    TLS_STEP_DONE = 0, /* it did all that was asked */
    TLS_STEP_MORE,     /* it needs more ciphertext: feed, then the same call again */
    TLS_STEP_CLOSED,   /* the peer said that it sends nothing more (close_notify) */
    TLS_STEP_FAILED,   /* tls_stream_reason tells; an alert may be in *out; nothing can follow */
    TLS_STEP_COUNT
};

/*
 * Lends ciphertext that arrived. It is not copied and must stay valid until a handshake or read has
 * come to MORE, CLOSED or FAILED; before that nothing more may be fed.
 */
void tls_stream_feed(struct tls_stream *stream, struct str ciphertext);

/* Goes on with the handshake: DONE, MORE or FAILED. */
enum tls_step tls_stream_handshake(struct tls_stream *stream) MUST_USE;

/*
 * Decrypts what was fed into plain. *len gets the bytes that came before the step: DONE says that
 * plain is full and there may be more, all others what follows the bytes.
 */
enum tls_step tls_stream_read(struct tls_stream *stream, char *plain, size_t capacity,
                              size_t *len) MUST_USE;

enum { TLS_STREAM_WRITE_MOST = 16 * 1024 }; /* a record, RFC 8446 5.1 */

/*
 * Encrypts one record of at most TLS_STREAM_WRITE_MOST bytes: DONE when all of it is in *out. After
 * MORE nothing of it is; the call is repeated with the same bytes.
 */
enum tls_step tls_stream_write(struct tls_stream *stream, struct str plain) MUST_USE;

/* Says that we send nothing more (close_notify into *out). */
void tls_stream_finish(struct tls_stream *stream);

/* Gives the stream up, for a reason that lies outside TLS. */
void tls_stream_break(struct tls_stream *stream, enum tls_end end);

/* After FAILED or tls_stream_break: why, and what to do about it. Valid as long as the stream. */
const char *tls_stream_reason(const struct tls_stream *stream);

/* After the handshake: whether it resumed a session. */
bool tls_stream_is_resumed(const struct tls_stream *stream);

/* After the handshake: fills the facts. */
void tls_stream_describe(const struct tls_stream *stream, struct tls_facts *facts);

/* For net/tls_context alone: prepares a handle for streams, and undoes that before it is freed. */
void tls_stream_set_up(struct ssl_ctx_st *handle);
void tls_stream_tear_down(struct ssl_ctx_st *handle);

#endif
