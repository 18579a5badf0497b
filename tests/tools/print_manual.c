/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the generated pages: "roff" docs/lather.1, "markdown" docs/OPTIONS.md, "help" what
 * --help prints. check_manual.py compares the committed files with it; run it by hand to renew
 * them.
 */
#include <stdio.h>
#include <string.h>

#include "lather/cli/help.h"
#include "lather/cli/manual.h"

int main(int argc, char **argv)
{
    const char *page = argc == 2 ? argv[1] : "";
    struct buf text;
    buf_init(&text);
    if (strcmp(page, "roff") == 0) {
        manual_format_roff(&text);
    } else if (strcmp(page, "markdown") == 0) {
        manual_format_markdown(&text);
    } else if (strcmp(page, "help") == 0) {
        help_format(&text, COMMAND_COUNT);
    } else {
        (void)fprintf(stderr, "usage: print_manual roff|markdown|help\n");
        return 2;
    }
    size_t written = fwrite(text.data, 1, text.len, stdout);
    bool is_whole = written == text.len && fflush(stdout) == 0;
    buf_deinit(&text);
    return is_whole ? 0 : 1;
}
