/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LATHER_SOAP_CIVIL_H
#define LATHER_SOAP_CIVIL_H

#include <stdint.h>

#include "lather/soap/stamp.h"

enum { CIVIL_SECONDS_OF_DAY = 86400 };

/* A moment in UTC, in fields. */
struct civil {
    unsigned year;
    unsigned month;
    unsigned day;
    unsigned hour;
    unsigned minute;
    unsigned second;
    unsigned weekday; /* 0: Sunday */
    unsigned days;    /* since 1970-01-01 */
};

/* Days from 1970-01-01 to a date, which may be before it. */
int64_t civil_days(int64_t year, unsigned month, unsigned day);

/* A moment of the years 1970 to 9999 in fields; its fraction is left out. */
void civil_split(struct stamp moment, struct civil *civil);

#endif
