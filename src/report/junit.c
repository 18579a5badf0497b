/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run as JUnit XML, the one format every build server shows. Elements and their order are those
 * that the schemas of Jenkins and Ant agree on: properties first, then the cases, system-out last.
 * Text from a server is XML 1.0 here, so control characters are written out and what is no UTF-8 is
 * replaced.
 */
#include "lather/report/junit.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "lather/base/clock.h"
#include "lather/report/clean.h"
#include "lather/report/details.h"

enum { FAILURES_SHOWN = 20 };

static void property(struct buf *out, const char *name, const char *value)
{
    buf_printf(out, "      <property name=\"%s\" value=\"", name);
    clean_html(out, str_from(value));
    buf_append_str(out, STR("\"/>\n"));
}

static void property_count(struct buf *out, const char *name, uint64_t value)
{
    buf_printf(out, "      <property name=\"%s\" value=\"%" PRIu64 "\"/>\n", name, value);
}

static void property_real(struct buf *out, const char *name, double value)
{
    buf_printf(out, "      <property name=\"%s\" value=\"%.3f\"/>\n", name, value);
}

static void write_properties(struct buf *out, const struct summary *summary)
{
    const struct tally *tally = summary->tally;
    buf_append_str(out, STR("    <properties>\n"));
    property(out, "lather.version", LATHER_VERSION);
    property(out, "lather.command", summary->plan.command_line);
    property_count(out, "requests.finished", tally->finished);
    property_count(out, "requests.failed", tally_failed(tally));
    property_real(out, "requests.per_s", summary_requests_per_s(summary));
    if (histogram_count(tally->total) > 0) {
        struct percentiles percentiles;
        summary_percentiles(summary, "50,90,95,99,99.9", &percentiles);
        for (size_t i = 0; i < percentiles.count; i++) {
            char name[PERCENTILES_LABEL_SIZE + 16];
            (void)snprintf(name, sizeof name, "latency.%s_ms", percentiles.at[i].label);
            property_real(out, name,
                          (double)histogram_percentile(tally->total, percentiles.at[i].percent) /
                              1e6);
        }
        property_real(out, "latency.mean_ms", histogram_mean(tally->total) / 1e6);
        property_real(out, "latency.max_ms", (double)histogram_max(tally->total) / 1e6);
    }
    buf_append_str(out, STR("    </properties>\n"));
}

static void begin_case(struct buf *out, const struct summary *summary, const char *name)
{
    buf_append_str(out, STR("    <testcase classname=\"lather."));
    clean_html(out, str_from(summary->plan.host));
    buf_append_str(out, STR("\" name=\""));
    clean_html(out, str_from(name));
    buf_printf(out, "\" time=\"%.3f\"", (double)summary->duration_ns / (double)NS_PER_S);
}

static void end_case(struct buf *out)
{
    buf_append_str(out, STR("/>\n"));
}

/* Ends a case that did not pass; kind is "failure" or "error". */
static void end_case_badly(struct buf *out, const char *kind, const char *type, struct str message)
{
    buf_printf(out, ">\n      <%s type=\"%s\" message=\"", kind, type);
    clean_html(out, message);
    buf_append_str(out, STR("\"/>\n    </testcase>\n"));
}

static bool is_trustworthy(const struct summary *summary)
{
    return !summary->unbalanced && summary->tally->outcomes[OUTCOME_LOCAL] == 0 &&
           (summary->end == RUN_END_DONE || summary->end == RUN_END_TIME ||
            summary->end == RUN_END_ROWS) &&
           summary->tally->finished > 0;
}

static void write_trust(struct buf *out, const struct summary *summary)
{
    begin_case(out, summary, "the run can be trusted");
    if (is_trustworthy(summary)) {
        end_case(out);
        return;
    }
    struct buf why;
    buf_init(&why);
    if (summary->unbalanced) {
        buf_append_str(&why, STR("its books do not balance"));
    } else if (summary->tally->outcomes[OUTCOME_LOCAL] > 0) {
        buf_append_str(&why, STR("this machine lacked ports, descriptors or memory"));
    } else if (summary->tally->finished == 0) {
        buf_append_str(&why, STR("no request was finished"));
    } else {
        buf_append_str(&why, STR("it ended "));
        details_run_end(&why, summary);
    }
    end_case_badly(out, "error", "run", buf_view(&why));
    buf_deinit(&why);
}

static void write_condition(struct buf *out, const struct summary *summary, size_t index)
{
    struct condition_verdict verdict;
    begin_case(out, summary, summary->conditions[index]);
    if (!summary_judge_condition(summary, index, &verdict)) {
        end_case(out);
        return;
    }
    struct buf message;
    buf_init(&message);
    buf_append_str(&message, str_from(summary->conditions[index]));
    buf_printf(&message, ": %s", verdict.found);
    end_case_badly(out, "failure", "fail-if", buf_view(&message));
    buf_deinit(&message);
}

/* The search has failed when it found nothing, whatever failed on the way. */
static void write_search(struct buf *out, const struct summary *summary)
{
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "a rate holds %s", summary->plan.find_rate);
    begin_case(out, summary, text.data);
    buf_deinit(&text);
    if (summary->found_micro_per_s > 0) {
        end_case(out);
    } else {
        end_case_badly(out, "failure", "find-rate", STR("no rate was found at which it holds"));
    }
}

static void write_requests(struct buf *out, const struct summary *summary)
{
    uint64_t failed = tally_failed(summary->tally);
    begin_case(out, summary, "no request failed");
    if (failed == 0) {
        end_case(out);
        return;
    }
    struct buf message;
    buf_init(&message);
    buf_printf(&message, "%" PRIu64 " of %" PRIu64 " requests failed", failed,
               summary->tally->finished);
    end_case_badly(out, "failure", "requests", buf_view(&message));
    buf_deinit(&message);
}

/* What failed of one message of several; conditions and searches judge the whole, so they decide.
 */
static void write_message(struct buf *out, const struct summary *summary,
                          const struct summary_message *message)
{
    const uint64_t failed = message_tally_failed(&message->tally);
    struct buf name;
    buf_init(&name);
    buf_printf(&name, "message %s", message->name);
    begin_case(out, summary, name.data);
    buf_deinit(&name);
    if (failed == 0 || summary->condition_count > 0 || summary_is_search(summary)) {
        end_case(out);
        return;
    }
    struct buf text;
    buf_init(&text);
    buf_printf(&text, "%" PRIu64 " of %" PRIu64 " requests failed", failed,
               message->tally.finished);
    end_case_badly(out, "failure", "requests", buf_view(&text));
    buf_deinit(&text);
}

/* What failed and why, for the page a build server shows. */
static void write_failures(struct buf *out, const struct groups *failures)
{
    if (groups_size(failures) == 0) {
        return;
    }
    buf_append_str(out, STR("    <system-out>"));
    for (size_t i = 0; i < groups_size(failures) && i < FAILURES_SHOWN; i++) {
        const struct group *group = groups_at(failures, i);
        buf_printf(out, "%" PRIu64 " %s ", group->count, outcome_name(group->key.outcome));
        clean_html(out, group->key.code);
        buf_append_byte(out, ' ');
        clean_html(out, group->key.reason);
        if (group->key.message.len > 0) {
            buf_append_str(out, STR(" in "));
            clean_html(out, group->key.message);
        }
        buf_append_byte(out, '\n');
    }
    if (groups_size(failures) > FAILURES_SHOWN) {
        buf_printf(out, "and %zu more kinds\n", groups_size(failures) - FAILURES_SHOWN);
    }
    buf_append_str(out, STR("</system-out>\n"));
}

static size_t count_failed(const struct summary *summary)
{
    if (summary_is_search(summary)) {
        return summary->found_micro_per_s == 0;
    }
    if (summary->condition_count == 0) {
        size_t messages = 0;
        for (size_t i = 0; i < summary->message_count; i++) {
            messages += message_tally_failed(&summary->messages[i].tally) > 0;
        }
        return messages + (tally_failed(summary->tally) > 0);
    }
    size_t failed = 0;
    for (size_t i = 0; i < summary->condition_count; i++) {
        struct condition_verdict verdict;
        failed += summary_judge_condition(summary, i, &verdict);
    }
    return failed;
}

void junit_write(struct buf *out, const struct summary *summary)
{
    size_t cases =
        1 + summary->message_count + (summary->condition_count == 0 ? 1 : summary->condition_count);
    size_t failures = count_failed(summary);
    int errors = is_trustworthy(summary) ? 0 : 1;
    double seconds = (double)summary->duration_ns / (double)NS_PER_S;
    char stamp[32] = "1970-01-01T00:00:00";
    time_t start = (time_t)(summary->wall_start_ns / NS_PER_S);
    struct tm utc;
    if (gmtime_r(&start, &utc) != NULL) {
        (void)strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &utc);
    }
    buf_printf(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<testsuites name=\"lather\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" "
               "time=\"%.3f\">\n  <testsuite name=\"",
               cases, failures, errors, seconds);
    clean_html(out, str_from(summary->plan.method));
    buf_append_byte(out, ' ');
    clean_html(out, str_from(summary->plan.url));
    buf_printf(out,
               "\" tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"0\" time=\"%.3f\" "
               "timestamp=\"%s\" hostname=\"",
               cases, failures, errors, seconds, stamp);
    clean_html(out, str_from(summary->plan.host));
    buf_append_str(out, STR("\">\n"));
    write_properties(out, summary);
    for (size_t i = 0; i < summary->condition_count; i++) {
        write_condition(out, summary, i);
    }
    if (summary_is_search(summary)) {
        write_search(out, summary);
    } else if (summary->condition_count == 0) {
        write_requests(out, summary);
    }
    for (size_t i = 0; i < summary->message_count; i++) {
        write_message(out, summary, &summary->messages[i]);
    }
    write_trust(out, summary);
    write_failures(out, summary->tally->failures);
    buf_append_str(out, STR("  </testsuite>\n</testsuites>\n"));
}
