/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_MEDIA_H
#define LATHER_SOAP_MEDIA_H

#include "lather/base/str.h"

/* What a media type says of the bytes under it. */
enum media {
    MEDIA_ABSENT = 0, /* no type given: the bytes must tell */
    MEDIA_SOAP_11,    /* text/xml */
    MEDIA_SOAP_12,    /* application/soap+xml */
    MEDIA_XML,        /* application/xml and every other +xml */
    MEDIA_MULTIPART,  /* multipart/related: MTOM or attachments */
    MEDIA_OTHER,      /* anything else: no SOAP in text */
    MEDIA_COUNT
};

/*
 * Reads the value of a Content-Type field: its kind, the bare type (as written), its charset
 * (empty when absent). Views into content_type. Case, blanks and quotes are forgiven.
 */
enum media media_of(struct str content_type, struct str *type, struct str *charset);

#endif
