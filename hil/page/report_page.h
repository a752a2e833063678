/* The parts of report.html. */
#ifndef HIL_PAGE_REPORT_PAGE_H
#define HIL_PAGE_REPORT_PAGE_H

#include <stdio.h>

#include "hil/page/report.h"

void report_page(FILE *out, const struct report *r);

/* "12.345 s" of a number of microseconds. */
void report_seconds(FILE *out, int64_t t_us);

/* "passed", "failed", "void", "error"; "void" without a summary. */
const char *report_verdict(const struct report *r);
const char *report_vehicle_name(const struct report *r, int vehicle);

/* Verdict and reason, key figures, requirements, metrics. */
/* The word alone, for a class. */
void report_put_verdict_word(FILE *out, const struct report *r);
void report_put_verdict(FILE *out, const struct report *r);
void report_put_figures(FILE *out, const struct report *r);
void report_put_requirements(FILE *out, const struct report *r);
void report_put_metrics(FILE *out, const struct report *r);
/* When requirement i was at its worst, microseconds; -1: not known. */
int64_t report_worst_us(const struct json *requirement);
bool report_failed(const struct json *requirement);

/* Latency as tables and histograms. */
void report_put_latency(FILE *out, const struct report *r);

/* How far the host can be believed, what the link counted, what flew. */
void report_put_host(FILE *out, const struct report *r);
void report_put_link(FILE *out, const struct report *r);
void report_put_versions(FILE *out, const struct report *r);
void report_put_config(FILE *out, const struct report *r);
void report_put_events(FILE *out, const struct report *r);
void report_put_lines(FILE *out, const struct report *r);

/* Numbers for the plots, as JSON. */
void report_put_data(FILE *out, const struct report *r);

#endif
