/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_SAMPLE_LOG_H
#define LATHER_MEASURE_SAMPLE_LOG_H

#include <stdint.h>

/*
 * One answered request's times, for ab's -g file: kept only when it was asked for (40 bytes each),
 * as all other reports need no more than the histograms.
 */
struct sample_times {
    uint64_t start_ns; /* since the start of the run */
    uint64_t connect_ns;
    uint64_t processing_ns; /* total - connect */
    uint64_t total_ns;
    uint64_t waiting_ns;
};

#endif
