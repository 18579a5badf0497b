/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `lather serve`: the options as the serve floor takes them, and its two lines on standard output.
 * The first is out as soon as connections are accepted, because scripts wait for it.
 */
#include "lather/cli/serve_command.h"

#include "lather/base/units.h"
#include "lather/cli/console.h"
#include "lather/serve/serve.h"

static void print_address(void *context, uint16_t port)
{
    bool *is_printed = context;
    struct buf text;
    struct err err;
    buf_init(&text);
    buf_printf(&text, "serving http://127.0.0.1:%u%s\n", (unsigned)port, SERVE_PATH);
    *is_printed = console_print(&text, &err);
    if (!*is_printed) {
        console_error(&err);
    }
    buf_deinit(&text);
}

static bool print_counts(const struct serve_counts *counts, struct err *err)
{
    char line[SERVE_LINE_SIZE];
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "%s\n", serve_format_counts(counts, line));
    bool is_printed = console_print(&text, err);
    buf_deinit(&text);
    return is_printed;
}

static const char *delay_of(const struct options *options)
{
    const char *given = options_text(options, OPTION_SERVE_DELAY);
    return given != NULL ? given : "0";
}

/* A number without a unit is seconds, as everywhere: who meant milliseconds shall see it. */
static void print_delay(const struct delays *delays)
{
    struct buf note;
    char time[UNITS_TEXT_SIZE];
    if (delays->kind == DELAY_KIND_LISTED || delays_are_none(delays)) {
        return;
    }
    buf_init(&note);
    buf_printf(&note, "answers wait %s%s", units_format_duration(delays->mean_ns, time),
               delays->kind == DELAY_KIND_EXPONENTIAL ? " in the mean" : "");
    console_notes(&note);
    buf_deinit(&note);
}

enum exit_status serve_command(const struct options *options, int argc, const char *const *argv)
{
    (void)argc;
    (void)argv;
    bool is_address_printed = true;
    struct delays delays;
    struct serve_counts counts;
    struct err err = {0};
    if (options->argument_count > 0) {
        (void)err_set(&err, ERR_USAGE, "\"%.100s\" is too much: `lather serve` takes options only",
                      options->arguments[0]);
        console_error(&err);
        return EXIT_STATUS_NOT_RUN;
    }
    if (!delays_parse(str_from(delay_of(options)), &delays, &err)) {
        (void)err_prefix(&err, "--delay");
        console_error(&err);
        return EXIT_STATUS_NOT_RUN;
    }
    const struct serve_options served = {
        .port = (uint16_t)options_number(options, OPTION_SERVE_PORT, 0),
        .threads = (size_t)options_number(options, OPTION_SERVE_THREADS, 1),
        .delays = delays,
        .fault_rate = (double)options_number(options, OPTION_SERVE_FAULT_RATE, 0) / 1e6,
        .size_bytes = options_number(options, OPTION_SERVE_SIZE, 0),
        .close_after = options_number(options, OPTION_SERVE_CLOSE_AFTER, 0),
        .started = print_address,
        .context = &is_address_printed,
    };
    print_delay(&delays);
    bool has_run = serve_run(&served, &counts, &err);
    delays_deinit(&delays);
    if (!has_run) {
        console_error(&err);
        return EXIT_STATUS_NOT_RUN;
    }
    if (!print_counts(&counts, &err)) {
        console_error(&err);
        return EXIT_STATUS_UNTRUSTED;
    }
    return is_address_printed ? EXIT_STATUS_GOOD : EXIT_STATUS_UNTRUSTED;
}
