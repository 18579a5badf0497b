/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between days and dates, without the C library: no locale, no time zone, and cheap enough for
 * every request. Days are turned into dates by whole 400-year cycles, years begin in March
 * (Hinnant, "chrono-compatible low-level date algorithms").
 */
#include "lather/soap/civil.h"

int64_t civil_days(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = year / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

void civil_split(struct stamp moment, struct civil *civil)
{
    uint64_t seconds = (uint64_t)moment.seconds;
    unsigned rest = (unsigned)(seconds % CIVIL_SECONDS_OF_DAY);
    unsigned days = (unsigned)(seconds / CIVIL_SECONDS_OF_DAY);
    civil->days = days;
    civil->weekday = (days + 4) % 7; /* 1970-01-01 was a Thursday */
    civil->hour = rest / 3600;
    civil->minute = rest / 60 % 60;
    civil->second = rest % 60;
    unsigned shifted = days + 719468;
    unsigned era = shifted / 146097;
    unsigned day_of_era = shifted - era * 146097;
    unsigned year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    unsigned from_march = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    unsigned march_month = (5 * from_march + 2) / 153;
    civil->day = from_march - (153 * march_month + 2) / 5 + 1;
    civil->month = march_month < 10 ? march_month + 3 : march_month - 9;
    civil->year = era * 400 + year_of_era + (civil->month <= 2);
}
