/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_MEASURE_CONDITION_H
#define LATHER_MEASURE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "lather/base/check.h"
#include "lather/base/err.h"
#include "lather/base/outcome.h"
#include "lather/base/str.h"
#include "lather/measure/tally.h"

/* What a condition looks at. */
enum condition_figure {
    CONDITION_ERRORS = 0, /* failed requests, or their share of the finished ones */
    CONDITION_OUTCOME,    /* the same of one outcome */
    CONDITION_FAULT,      /* the same of SOAP faults, all or those of one code */
    CONDITION_RATE,       /* requests finished a second */
    CONDITION_TIME,       /* of a percentile, the least, the mean or the longest of the times */
    CONDITION_FIGURE_COUNT
};

enum condition_time {
    CONDITION_TIME_PERCENTILE = 0,
    CONDITION_TIME_MIN,
    CONDITION_TIME_MEAN,
    CONDITION_TIME_MAX,
    CONDITION_TIME_COUNT
};

enum condition_relation {
    CONDITION_ABOVE = 0,     /* > */
    CONDITION_ABOVE_OR_AT,   /* >= */
    CONDITION_BELOW,         /* < */
    CONDITION_BELOW_OR_AT,   /* <= */
    CONDITION_RELATION_COUNT /* none other: equal to a measured figure is chance */
};

/* A condition, read. Plain values; `fault` is borrowed from the text. */
struct condition {
    enum condition_figure figure;
    enum condition_time time;
    enum condition_relation relation;
    bool is_share;    /* errors, outcome, fault: in percent of the finished */
    bool is_response; /* times: from the moment due, not from the start */
    enum outcome outcome;
    struct str fault;  /* {namespace}name, or a name in any namespace; empty: every fault */
    double percent;    /* of a percentile */
    uint64_t count;    /* the limit: requests, */
    uint64_t ppm100;   /* or hundredths of millionths of the finished (1 % is 1000000), */
    uint64_t time_ns;  /* or a time, */
    double rate_per_s; /* or a rate */
};

/* The condition that holds when this one does not. */
void condition_negate(struct condition *condition);

/*
 * Reads FIGURE RELATION LIMIT:
 *     errors>1%   errors>5   outcome timeout>0   fault>0   fault{Server}>2   fault{{urn:a}B}>0.5%
 *     rate<100/s   rate<6000/min   p95>800ms   p99.9>2s   min  median  mean  max  response p99>1s
 * with > >= < <=, blanks anywhere between the parts. A time needs its unit: 800 alone would be
 * seconds elsewhere and is surely not meant so here. `text` must outlive the condition.
 */
bool condition_parse(struct str text, struct condition *condition, struct err *err) MUST_USE;

/* Whether it is true of a service that does badly: slow, failing, or of a low rate. --fail-if wants
   such a condition, --find-rate the opposite. */
bool condition_is_met_by_failing(const struct condition *condition);

enum { CONDITION_FOUND_SIZE = 96 };

/* What came out. */
struct condition_verdict {
    bool holds; /* also when there is nothing to judge by: a gate must not open unmeasured */
    char found[CONDITION_FOUND_SIZE]; /* "p95 is 812.345 ms", "3 of 200, 1.500 %", "no answers" */
};

/* Judges the figures of a tally and a rate. */
void condition_judge(const struct condition *condition, const struct tally *tally,
                     double rate_per_s, struct condition_verdict *verdict);

#endif
