/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_TESTS_FUZZ_H
#define LATHER_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * What libFuzzer calls with each input it makes, and replay.c with each file of the corpus. Ends
 * the process (CHECK, a sanitizer) when a promise is broken; returns 0.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
