/* SPDX-License-Identifier: Apache-2.0 */
/* A message to be sent, and the header fields made of it: nothing in a file can write a field of
 * its own. */
#include <string.h>

#include "fuzz.h"
#include "lather/base/buf.h"
#include "lather/base/check.h"
#include "lather/soap/binding.h"
#include "lather/soap/notes.h"

static void check_field(const char *value)
{
    if (value != NULL) {
        CHECK(strpbrk(value, "\r\n") == NULL);
    }
}

static void settle(const struct envelope *envelope, struct str body, const char *soap_action)
{
    struct binding_request request = {.envelope = envelope,
                                      .body = body,
                                      .soap_action = soap_action,
                                      .exchange = BINDING_TWO_WAY};
    struct binding binding;
    binding_settle(&request, &binding);
    CHECK(binding.content_type != NULL && binding.content_type[0] != '\0');
    check_field(binding.content_type);
    check_field(binding.soap_action);

    struct buf notes;
    buf_init(&notes);
    notes_append(&request, &binding, &notes);
    CHECK(notes.len == 0 || notes.data[notes.len - 1] == '\n');
    buf_deinit(&notes);
    binding_deinit(&binding);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str body = str_of((const char *)data, size);
    struct envelope envelope;
    envelope_read(&envelope, body);
    CHECK(envelope.bytes == size);
    CHECK(envelope.is_well_formed == (envelope.problem[0] == '\0') || !envelope.is_xml);
    CHECK(envelope.action != NULL && envelope.to != NULL && envelope.message_id != NULL);
    settle(&envelope, body, NULL);
    settle(&envelope, body, "urn:example:orders/PlaceOrder");
    envelope_deinit(&envelope);
    return 0;
}
