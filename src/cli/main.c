/* SPDX-License-Identifier: Apache-2.0 */
/* The program's entry: nothing but the call into the command line floor. */
#include <signal.h>

#include "lather/cli/commands.h"

int main(int argc, char **argv)
{
#ifdef SIGPIPE
    /* A reader that went away is an error of the write, not the end of the run. */
    (void)signal(SIGPIPE, SIG_IGN);
#endif
    return (int)commands_run(argc, (const char *const *)argv);
}
