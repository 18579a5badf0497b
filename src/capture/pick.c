/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which messages of a capture are sent. A recorded session is full of what nobody wants under load
 * (pictures, WSDL, tokens), so without a word only SOAP POSTs are taken; an empty choice is never
 * made in silence. It knows nothing of weights or order of sending.
 */
#include "lather/capture/pick.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lather/base/buf.h"
#include "lather/capture/gather.h"

enum {
    LISTED_CEILING = 8, /* messages named in a sentence */
    LISTED_NAME_BYTES = 40,
    NEAR_DISTANCE = 3, /* typing mistakes in a name that is still meant */
};

/* Indices in the order of choice, each once. */
struct choosing {
    struct pick *pick;
    bool *is_taken;
};

static void take(struct choosing *choosing, size_t index)
{
    if (!choosing->is_taken[index]) {
        choosing->is_taken[index] = true;
        choosing->pick->indices[choosing->pick->count++] = index;
    }
}

bool pick_is_soap_post(const struct capture_message *message)
{
    return message->soap_version != SOAP_VERSION_NONE &&
           str_equals(str_from(message->method), STR("POST"));
}

/* "1 SubmitOrder (GET), 2 ..." */
static void append_list(struct buf *text, const struct capture *capture)
{
    for (size_t i = 0; i < capture->count && i < LISTED_CEILING; i++) {
        buf_printf(text, "%s%zu ", i == 0 ? "" : ", ", i + 1);
        gather_append_clean(text, str_from(capture->messages[i].name), LISTED_NAME_BYTES);
        if (capture->messages[i].method[0] != '\0') {
            buf_printf(text, " (%.20s)", capture->messages[i].method);
        }
    }
    if (capture->count > LISTED_CEILING) {
        buf_printf(text, " and %zu more", capture->count - LISTED_CEILING);
    }
}

static bool fail_with_list(const struct capture *capture, enum err_code code, const char *sentence,
                           struct err *err)
{
    struct buf list;
    buf_init(&list);
    append_list(&list, capture);
    err_set(err, code, "%.200s: %s; there %s: %s", capture->name, sentence,
            capture->count == 1 ? "is" : "are", list.data);
    buf_deinit(&list);
    return false;
}

static bool has_post(const struct capture *capture)
{
    for (size_t i = 0; i < capture->count; i++) {
        if (str_equals(str_from(capture->messages[i].method), STR("POST"))) {
            return true;
        }
    }
    return false;
}

static bool take_default(const struct capture *capture, struct choosing *choosing, struct err *err)
{
    for (size_t i = 0; i < capture->count; i++) {
        if (capture_kind_is_body(capture->kind) || pick_is_soap_post(&capture->messages[i])) {
            take(choosing, i);
        }
    }
    if (choosing->pick->count == 0 && capture->count == 1 && capture->messages[0].body.len > 0 &&
        !str_equals(str_from(capture->messages[0].method), STR("GET"))) {
        take(choosing, 0);
    }
    if (choosing->pick->count > 0) {
        return true;
    }
    return fail_with_list(capture, ERR_FORMAT,
                          has_post(capture)
                              ? "no POST in it has a SOAP message as its body (--pick takes others)"
                              : "no POST is in it (--pick takes other requests)",
                          err);
}

/* How names are compared, the strict way first. */
typedef bool (*same_name)(struct str a, struct str b);

static bool take_named(const struct capture *capture, struct str word, same_name same,
                       struct choosing *choosing)
{
    bool is_found = false;
    for (size_t i = 0; i < capture->count; i++) {
        if (same(str_from(capture->messages[i].name), word)) {
            take(choosing, i);
            is_found = true;
        }
    }
    return is_found;
}

static bool fail_unknown(const struct capture *capture, struct str word, struct err *err)
{
    const char *nearest = NULL;
    size_t least = NEAR_DISTANCE + 1;
    for (size_t i = 0; i < capture->count; i++) {
        size_t distance = str_distance(word, str_from(capture->messages[i].name));
        if (distance < least) {
            least = distance;
            nearest = capture->messages[i].name;
        }
    }
    struct buf sentence;
    buf_init(&sentence);
    buf_append_str(&sentence, STR("--pick: no message is named \""));
    gather_append_clean(&sentence, word, LISTED_NAME_BYTES);
    buf_append_byte(&sentence, '"');
    if (nearest != NULL) {
        buf_append_str(&sentence, STR(", the nearest is \""));
        gather_append_clean(&sentence, str_from(nearest), LISTED_NAME_BYTES);
        buf_append_byte(&sentence, '"');
    }
    (void)fail_with_list(capture, ERR_USAGE, sentence.data, err);
    buf_deinit(&sentence);
    return false;
}

static bool take_word(const struct capture *capture, struct str word, struct choosing *choosing,
                      struct err *err)
{
    uint64_t number = 0;
    /* A name first: SoapUI users do call a request "2". */
    if (take_named(capture, word, str_equals, choosing)) {
        return true;
    }
    if (str_to_u64(word, &number)) {
        if (number >= 1 && number <= capture->count) {
            take(choosing, (size_t)number - 1);
            return true;
        }
        struct buf sentence;
        buf_init(&sentence);
        buf_printf(&sentence, "--pick %" PRIu64 ": the numbers go from 1 to %zu", number,
                   capture->count);
        (void)fail_with_list(capture, ERR_USAGE, sentence.data, err);
        buf_deinit(&sentence);
        return false;
    }
    return take_named(capture, word, str_equals_nocase, choosing) ||
           fail_unknown(capture, word, err);
}

bool pick_messages(const struct capture *capture, const char *const *words, size_t count,
                   struct pick *pick, struct err *err)
{
    *pick = (struct pick){.indices = check_calloc(capture->count + 1, sizeof pick->indices[0])};
    struct choosing choosing = {.pick = pick,
                                .is_taken = check_calloc(capture->count + 1, sizeof(bool))};
    bool is_done = true;
    if (count == 0) {
        is_done = take_default(capture, &choosing, err);
    }
    for (size_t i = 0; i < count && is_done; i++) {
        is_done = take_word(capture, str_trim(str_from(words[i])), &choosing, err);
    }
    free(choosing.is_taken);
    return is_done;
}

void pick_deinit(struct pick *pick)
{
    free(pick->indices);
    *pick = (struct pick){.indices = NULL};
}
