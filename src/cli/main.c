/* SPDX-License-Identifier: Apache-2.0 */
/* The program's entry: nothing but the call into the command line floor. */
#include "lather/base/platform.h"
#include "lather/cli/commands.h"

int main(int argc, char **argv)
{
    const char *const *arguments = platform_start(&argc, argv);
    return (int)commands_run(argc, arguments);
}
