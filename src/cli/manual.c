/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The man page and the options page of the documentation, made from the option table. The
 * committed files are compared with these by a test; nobody edits them. No date is written: the
 * same sources must give the same bytes.
 */
#include "lather/cli/manual.h"

#include <inttypes.h>

#include "lather/base/clock.h"
#include "lather/base/units.h"
#include "lather/cli/option_table.h"

/* The bounds as people read them, or nothing where they say nothing. */
static void format_bounds(struct buf *text, const struct option_rule *rule)
{
    char least[UNITS_TEXT_SIZE];
    char most[UNITS_TEXT_SIZE];
    switch (rule->kind) {
    case OPTION_KIND_NUMBER:
        buf_printf(text, "%" PRIu64 " to %" PRIu64, rule->least, rule->most);
        break;
    case OPTION_KIND_DURATION:
        buf_printf(text, "%s to %lluh", units_format_duration(rule->least, least),
                   rule->most / (3600 * NS_PER_S));
        break;
    case OPTION_KIND_SIZE:
        buf_printf(text, "%s to %s", units_format_size(rule->least, least),
                   units_format_size(rule->most, most));
        break;
    case OPTION_KIND_FRACTION:
        buf_append_str(text, STR("0 to 1, or 0% to 100%"));
        break;
    default:
        break;
    }
}

/* Text for roff: a hyphen is a minus there, and no line may begin with a control character. */
static void append_roff(struct buf *text, struct str plain)
{
    if (plain.len > 0 && (plain.data[0] == '.' || plain.data[0] == '\'')) {
        buf_append_str(text, STR("\\&"));
    }
    for (size_t i = 0; i < plain.len; i++) {
        if (plain.data[i] == '-') {
            buf_append_str(text, STR("\\-"));
        } else if (plain.data[i] == '\\') {
            buf_append_str(text, STR("\\e"));
        } else {
            buf_append_byte(text, plain.data[i]);
        }
    }
}

static void append_roff_row(struct buf *text, const struct option_row *row)
{
    buf_append_str(text, STR(".TP\n"));
    if (row->letter != 0) {
        buf_printf(text, "\\fB\\-%c\\fR, ", row->letter);
    }
    buf_append_str(text, STR("\\fB\\-\\-"));
    append_roff(text, str_from(row->name));
    buf_append_str(text, STR("\\fR"));
    if (row->rule.argument != NULL) {
        buf_printf(text, " \\fI%s\\fR", row->rule.argument);
    }
    buf_append_byte(text, '\n');
    append_roff(text, str_from(row->help));
    buf_append_str(text, STR(".\n"));

    struct buf bounds;
    buf_init(&bounds);
    format_bounds(&bounds, &row->rule);
    if (bounds.len > 0) {
        buf_append_str(text, STR("From "));
        append_roff(text, buf_view(&bounds));
        buf_append_str(text, STR(".\n"));
    }
    if (row->fallback != NULL) {
        buf_append_str(text, STR("Default: "));
        append_roff(text, str_from(row->fallback));
        buf_append_str(text, STR(".\n"));
    }
    buf_deinit(&bounds);
}

static const char ROFF_HEAD[] =
    ".\\\" Made from the option table by tests/tools/print_manual.c; do not edit.\n"
    ".TH LATHER 1 \"\" \"lather " LATHER_VERSION "\" \"User Commands\"\n"
    ".SH NAME\n"
    "lather \\- load tester for SOAP services\n"
    ".SH SYNOPSIS\n";

static const char ROFF_DESCRIPTION[] =
    ".B lather help\n"
    ".SH DESCRIPTION\n"
    "Fires a SOAP message at a service, concurrently and at full force from the first moment,\n"
    "judges every answer, and reports throughput, failures and latency percentiles.\n"
    "Options, labels and units are those of\n"
    ".BR ab (1),\n"
    "so that its scripts keep working; each answer that is a Fault, or no envelope, counts as "
    "failed.\n"
    ".PP\n"
    "\\fITIME\\fR is a number with us, ms, s, m or h; a bare number is seconds.\n"
    "\\fISIZE\\fR is a number of bytes, or one with k, M or G (times 1024).\n"
    "Short options may be written together, as in \\fB\\-kq\\fR.\n"
    ".SH COMMANDS\n";

static const char ROFF_TAIL[] =
    ".SH REQUEST\n"
    "Every request is the same bytes, HTTP/1.1, in this order: the request line, Connection,\n"
    "Cookie, Authorization, Content\\-length, Content\\-type, SOAPAction, the fields of\n"
    "\\fB\\-H\\fR spelled as typed, Host, User\\-Agent, Accept. A field given with \\fB\\-H\\fR\n"
    "takes the place of lather's own of that name, in any case of letters.\n"
    ".SH DIFFERENCES FROM AB\n"
    "\\fB\\-s\\fR limits each request, not the silence on all sockets; its failures are counted,\n"
    "and the report always comes. \\fB\\-t\\fR sets no number of requests. The order of options\n"
    "never matters. Several \\fB\\-C\\fR are joined. Files of \\fB\\-e\\fR and \\fB\\-g\\fR are\n"
    "written with \\fB\\-w\\fR too. The exit status tells whether requests failed.\n"
    ".SH EXIT STATUS\n"
    "The first of 130, 3, 1, 0 that applies; 2 alone.\n"
    ".TP\n0\nall good\n"
    ".TP\n1\nthe run ended and a request failed, or none was finished; with\n"
    "\\fB\\-\\-fail\\-if\\fR: a condition holds\n"
    ".TP\n2\nnothing was run: bad usage, an unreadable file, a host that has no address\n"
    ".TP\n3\nthe run is not trustworthy: this machine was out of ports, descriptors, memory or "
    "disk\n(out of memory ends it at once, without a report)\n"
    ".TP\n130\ninterrupted, by Ctrl\\-C, SIGTERM, SIGHUP, SIGQUIT or SIGXCPU (\\fBulimit "
    "\\-t\\fR); the\n"
    "report was printed, unless nothing had been sent yet\n"
    ".SH EXAMPLES\n"
    ".nf\n"
    "lather \\-n 200 \\-c 50 \\-T \"application/soap+xml; charset=UTF\\-8\" \\-p data.xml \\e\n"
    "    http://biztalk/OrderService.svc\n"
    "lather \\-k \\-t 30s \\-c 8 \\-p order.xml \\-\\-soap\\-action urn:place \\-\\-json run.json "
    "http://host/a.svc\n"
    ".fi\n"
    ".SH SEE ALSO\n"
    ".BR ab (1)\n";

static void append_roff_call(struct buf *text, const struct command_row *row)
{
    struct buf call;
    buf_init(&call);
    command_table_format_call(&call, row);
    buf_append_str(text, STR(".B "));
    append_roff(text, buf_view(&call));
    buf_append_byte(text, '\n');
    buf_deinit(&call);
}

static void append_roff_commands(struct buf *text)
{
    buf_append_str(text, str_from(ROFF_HEAD));
    for (enum command command = 0; command < COMMAND_COUNT; command++) {
        append_roff_call(text, command_table_row(command));
        buf_append_str(text, STR(".br\n"));
    }
    buf_append_str(text, str_from(ROFF_DESCRIPTION));
    for (enum command command = 0; command < COMMAND_COUNT; command++) {
        const struct command_row *row = command_table_row(command);
        buf_append_str(text, STR(".TP\n"));
        append_roff_call(text, row);
        append_roff(text, str_from(row->help));
        buf_append_str(text, STR(".\n"));
    }
    buf_append_str(text, STR(".SH OPTIONS\n"));
}

void manual_format_roff(struct buf *text)
{
    append_roff_commands(text);
    for (enum option_group group = 0; group < OPTION_GROUP_COUNT; group++) {
        buf_printf(text, ".SS %s\n", option_table_group_name(group));
        for (enum option option = 0; option < OPTION_COUNT; option++) {
            if (option_table_row(option)->group == group) {
                append_roff_row(text, option_table_row(option));
            }
        }
    }
    buf_append_str(text, str_from(ROFF_TAIL));
}

/* Text for a cell of a Markdown table. */
static void append_cell(struct buf *text, struct str plain)
{
    for (size_t i = 0; i < plain.len; i++) {
        if (plain.data[i] == '|' || plain.data[i] == '<' || plain.data[i] == '>') {
            buf_append_byte(text, '\\');
        }
        buf_append_byte(text, plain.data[i]);
    }
}

static void append_markdown_row(struct buf *text, const struct option_row *row)
{
    buf_append_str(text, STR("| "));
    if (row->letter != 0) {
        buf_printf(text, "`-%c` ", row->letter);
    }
    buf_printf(text, "`--%s`", row->name);
    if (row->rule.argument != NULL) {
        buf_append_byte(text, ' ');
        append_cell(text, str_from(row->rule.argument));
    }
    buf_append_str(text, STR(" | "));
    append_cell(text, str_from(row->help));
    buf_append_str(text, STR(" | "));
    format_bounds(text, &row->rule);
    buf_append_str(text, STR(" | "));
    append_cell(text, str_from(row->fallback));
    buf_append_str(text, STR(" |\n"));
}

void manual_format_markdown(struct buf *text)
{
    buf_append_str(text,
                   STR("# Options\n\n"
                       "Made from the option table by tests/tools/print_manual.c; do not "
                       "edit.\n\n"
                       "TIME is a number with `us`, `ms`, `s`, `m` or `h`, as `1.5m`; a bare "
                       "number is seconds.\nSIZE is a number of bytes, or one with `k`, `M` or "
                       "`G` (times 1024).\n"));
    for (enum option_group group = 0; group < OPTION_GROUP_COUNT; group++) {
        buf_printf(text, "\n## %s\n\n", option_table_group_name(group));
        buf_append_str(text, STR("| option | effect | bounds | default |\n|---|---|---|---|\n"));
        for (enum option option = 0; option < OPTION_COUNT; option++) {
            if (option_table_row(option)->group == group) {
                append_markdown_row(text, option_table_row(option));
            }
        }
    }
}
