/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parcel service on gSOAP: one thread a connection, as its manual teaches. It counts its calls by
 * itself and notes which ids they brought; GET shows both. The engine decides everything else that
 * is on the wire: framing, keep-alive, statuses, the spelling of envelopes and Faults. Under /guarded
 * its WS-Security plugin has to let a call to Track through before it counts as one.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soapH.h"
#include "Parcels.nsmap"
#include "wsaapi.h"
#include "wsseapi.h"

enum { CALL_CEILING = 100000, LINE_SIZE = 80 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char calls[CALL_CEILING][LINE_SIZE];
static size_t call_count;

static void note(const char *operation, const char *id)
{
    pthread_mutex_lock(&lock);
    if (call_count < CALL_CEILING) {
        snprintf(calls[call_count++], LINE_SIZE, "%s %s", operation, id == NULL ? "" : id);
    }
    pthread_mutex_unlock(&lock);
}

/* With WS-Addressing in the request the answer gets its RelatesTo. */
static int address_reply(struct soap *soap, const char *action)
{
    if (soap->header == NULL || soap->header->wsa5__MessageID == NULL) {
        soap->header = NULL;
        return SOAP_OK;
    }
    return soap_wsa_check(soap) || soap_wsa_reply(soap, NULL, action) ? soap->error : SOAP_OK;
}

/*
 * The plugin's own checks: a Timestamp that has not expired, and a UsernameToken whose password is
 * right, as text or as a digest whose Created is young and whose nonce no call before had.
 */
static int admit(struct soap *soap)
{
    if (strcmp(soap->path, "/guarded") != 0) {
        return SOAP_OK;
    }
    const char *user = soap_wsse_get_Username(soap);
    if (user == NULL) {
        return soap->error;
    }
    if (strcmp(user, "porter") != 0) {
        return soap_wsse_fault(soap, wsse__FailedAuthentication, "the user is not known");
    }
    if (soap_wsse_Timestamp(soap) == NULL) {
        return soap_wsse_fault(soap, wsse__InvalidSecurity, "there is no Timestamp");
    }
    if (soap_wsse_verify_Timestamp(soap) || soap_wsse_verify_Password(soap, "parcel-secret")) {
        return soap->error;
    }
    return SOAP_OK;
}

int p__Track(struct soap *soap, char *id, struct p__TrackResponse *out)
{
    if (admit(soap) != SOAP_OK) {
        const int error = soap->error;
        note("Refused", id);
        soap->header = NULL;
        return error;
    }
    soap_wsse_delete_Security(soap); /* it is not for the answer */
    note("Track", id);
    out->id = id;
    out->place = "Bergen";
    return address_reply(soap, "urn:example:parcels/TrackResponse");
}

int p__Return(struct soap *soap, char *id, struct p__ReturnResponse *out)
{
    (void)out;
    note("Return", id);
    soap->header = NULL;
    return soap_sender_fault(soap, "the parcel is not here", "<p:Lost xmlns:p=\"urn:example:parcels\"/>");
}

int p__Announce(struct soap *soap, char *id)
{
    note("Announce", id);
    return soap_send_empty_response(soap, 202);
}

/* Only replies carry this; the skeleton wants it all the same. */
int SOAP_ENV__Fault(struct soap *soap, char *faultcode, char *faultstring, char *faultactor,
                    struct SOAP_ENV__Detail *detail, struct SOAP_ENV__Code *code,
                    struct SOAP_ENV__Reason *reason, char *node, char *role,
                    struct SOAP_ENV__Detail *detail_12)
{
    (void)faultcode, (void)faultstring, (void)faultactor, (void)detail, (void)code, (void)reason;
    (void)node, (void)role, (void)detail_12;
    return soap->error = SOAP_NO_METHOD;
}

static int show_calls(struct soap *soap)
{
    soap->http_content = "text/plain";
    if (soap_response(soap, SOAP_FILE)) {
        return soap->error;
    }
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < call_count; i++) {
        if (soap_send(soap, calls[i]) || soap_send(soap, "\n")) {
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return soap_end_send(soap);
}

static void *serve(void *context)
{
    struct soap *soap = context;
    soap_serve(soap);
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    return NULL;
}

static void serve_apart(struct soap *listening)
{
    pthread_t thread;
    pthread_attr_t attributes;
    struct soap *soap = soap_copy(listening);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, serve, soap) != 0) {
        soap_free(soap);
    }
    pthread_attr_destroy(&attributes);
}

int main(int argc, char **argv)
{
    struct soap soap;
    if (argc != 2) {
        fprintf(stderr, "usage: parcels PORT\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    soap_init1(&soap, SOAP_IO_KEEPALIVE);
    soap_register_plugin(&soap, soap_wsa);
    soap_register_plugin(&soap, soap_wsse);
    soap.fget = show_calls;
    soap.max_keep_alive = 100;
    soap.send_timeout = soap.recv_timeout = 30;
    if (!soap_valid_socket(soap_bind(&soap, "127.0.0.1", (int)strtol(argv[1], NULL, 10), 500))) {
        soap_print_fault(&soap, stderr);
        return 1;
    }
    for (;;) {
        if (soap_valid_socket(soap_accept(&soap))) {
            serve_apart(&soap);
        }
    }
}
