/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A verdict on one answer in a line, for people who look at single answers: the words of the
 * service stand in it as they came, not masked as where many failures are counted together. What
 * came from outside is cleaned before it is shown.
 */
#include "lather/cli/verdict_text.h"

#include <string.h>

#include "lather/report/clean.h"

/* "{ns}a/{ns}b" as "{ns}a > {ns}b": a namespace may hold slashes, a name none. */
static void append_chain(struct buf *text, struct str chain)
{
    bool in_braces = false;
    for (size_t i = 0; i < chain.len; i++) {
        in_braces = chain.data[i] == '{' || (in_braces && chain.data[i] != '}');
        if (chain.data[i] == '/' && !in_braces) {
            buf_append_str(text, STR(" > "));
        } else {
            buf_append_byte(text, chain.data[i]);
        }
    }
}

/* White space of any length is one blank: reasons are often broken over lines. */
static void append_collapsed(struct buf *text, struct str words)
{
    bool is_blank = false;
    words = str_trim(words);
    for (size_t i = 0; i < words.len; i++) {
        bool was_blank = is_blank;
        is_blank = strchr(" \t\r\n", words.data[i]) != NULL && words.data[i] != '\0';
        if (!is_blank) {
            buf_append_byte(text, words.data[i]);
        } else if (!was_blank) {
            buf_append_byte(text, ' ');
        }
    }
}

/* A Fault in the words of the service, not masked as where many are counted together. */
static void append_fault(struct buf *text, const struct verdict *verdict)
{
    append_chain(text, verdict->fault_code);
    if (verdict->fault_subcodes.len > 0) {
        buf_append_str(text, STR(" > "));
        append_chain(text, verdict->fault_subcodes);
    }
    if (verdict->fault_reason.len > 0) {
        buf_append_str(text, STR(": "));
        append_collapsed(text, verdict->fault_reason);
    }
}

static void append_remark(struct buf *text, struct str remark)
{
    buf_append_str(text, text->len > 0 ? STR("; ") : STR(""));
    buf_append_str(text, remark);
}

/* What a run counts beside its outcomes; none of it is a failure. */
static void append_remarks(struct buf *text, const struct verdict *verdict)
{
    if (verdict->relation == RELATION_ABSENT) {
        append_remark(text, STR("no RelatesTo"));
    }
    if (verdict->charset_contradicts) {
        append_remark(text, STR("Content-Type and XML disagree about the charset"));
    }
    if (verdict->media_contradicts) {
        append_remark(text, STR("the media type is that of the other SOAP version"));
    }
}

void verdict_text_append(struct buf *text, const struct verdict *verdict)
{
    struct buf reason;
    struct buf remarks;
    buf_init(&reason);
    buf_init(&remarks);
    if (verdict->fault_code.len > 0 || verdict->outcome == OUTCOME_FAULT) {
        append_fault(&reason, verdict);
    } else {
        append_collapsed(&reason, verdict->reason);
    }
    append_remarks(&remarks, verdict);
    buf_append_str(text, str_from(outcome_name(verdict->outcome)));
    if (reason.len > 0) {
        buf_append_str(text, STR(": "));
        clean_line(text, buf_view(&reason));
    }
    if (remarks.len > 0) {
        buf_printf(text, " (%.*s)", STR_ARG(buf_view(&remarks)));
    }
    buf_deinit(&remarks);
    buf_deinit(&reason);
}
