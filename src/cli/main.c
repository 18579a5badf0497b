/* SPDX-License-Identifier: Apache-2.0 */
/* The program's entry: nothing but the call into the command line floor. */

int main(void)
{
    return 2;
}
