/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_CAPTURE_SVCLOG_RECORD_H
#define LATHER_CAPTURE_SVCLOG_RECORD_H

#include <stdbool.h>

#include "lather/base/buf.h"
#include "lather/base/err.h"
#include "lather/base/http_head.h"
#include "lather/base/str.h"

/* What one trace event is. */
enum svclog_record_kind {
    SVCLOG_RECORD_OTHER = 0, /* no message */
    SVCLOG_RECORD_REPLY,
    SVCLOG_RECORD_SENT,     /* a request, at the transport level of a client */
    SVCLOG_RECORD_RECEIVED, /* a request, at the transport level of a service */
    SVCLOG_RECORD_SERVICE,  /* a request, at the service level */
    SVCLOG_RECORD_KIND_COUNT
};

/* Owned; texts are NULL when the record has none. */
struct svclog_record {
    enum svclog_record_kind kind;
    char *source; /* "TransportSend" */
    char *method;
    char *to;
    char *query; /* with its question mark */
    char *action;
    char *message_id;
    struct http_head fields;
    struct buf envelope; /* UTF-8, without the header blocks that only WCF itself uses */
    bool lacks_body;     /* the log left the body of the message out */
    bool has_removed;    /* the log took something secret out */
    bool has_stream;     /* the log has "... stream ..." in place of the body's content */
};

/*
 * Reads one event, from <E2ETraceEvent to its end tag. False when it is not well-formed or is the
 * log of a malformed message; the sentence is for a note. The record needs no init and must be
 * deinited in both cases.
 */
bool svclog_record_read(struct str event, struct svclog_record *record, struct err *err) MUST_USE;
void svclog_record_deinit(struct svclog_record *record);

#endif
