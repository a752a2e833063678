/* Requirements and the steps' conditions, looked at while the vehicles fly, and what the whole run is worth. */
#pragma once

#include <stddef.h>

#include "hil/formula/quantity.h"
#include "hil/formula/requirement.h"
#include "hil/judge/monitor.h"
#include "hil/scenario/scenario.h"

enum verdict { VERDICT_PASSED, VERDICT_FAILED, VERDICT_VOID, VERDICT_ERROR };
/* Why a flight is void that was flown to its end for its record and its metrics alone. */
#define NOTHING_REQUIRED "nothing was required"

enum judge_outcome {
        JUDGE_PASSED,
        JUDGE_FAILED,
        JUDGE_OPEN /* not judged: the flight ended before the window did, and nothing had decided it; or it
                      held, and the flight had not put it to the test: judge_untested() */
};

/* The quantities that formulas name, of the vehicles' last tick. */
struct judge_values {
        int used;
        int *number; /* of each, as formulas number them */
        double *value; /* by number; NaN where nothing names it, or nothing has been observed */
        bool observed;
};

/* Those that the conditions of a scenario's steps name. False: no memory. */
bool judge_conditions_open(struct judge_values *v, const struct scenario *s,
                           int vehicles);
/* Zeroed is allowed. */
void judge_values_close(struct judge_values *v);
/* One tick of all vehicles, in their order. */
void judge_values_observe(struct judge_values *v, const struct observation *vehicle);
/* For timeline_due(): NULL before the first tick. */
const double *judge_values_newest(const struct judge_values *v);

/* One requirement so far. */
struct judge_state {
        /* Of always and eventually. */
        bool decided; /* an `always` that broke, an `eventually` that happened */
        bool seen; /* the window was reached */
        int64_t decided_ns;
        int64_t t_ns; /* of the margin */
        double value; /* of the signal then */
        double margin; /* how far inside min..max: smallest for always, largest for
                        * eventually; negative is outside */
        struct figure figure; /* of a metric */
        struct monitor *monitor; /* of a formula */
        struct formula *
                witness; /* owned, of a formula that may ask nothing: formula_witness() */
        struct monitor *tested; /* of the witness */
        bool unasked; /* the witness did not come, when the flight is over */
        struct monitor_result result; /* of the monitor, when the flight is over */
};

struct judge_ground {
        bool grounded, armed;
};

struct judge {
        const struct requirement *list; /* not owned */
        int count, vehicles;
        int64_t end_ns; /* of the flight, when it is over */
        struct judge_ground *ground; /* of each vehicle: judge_grounded() */
        bool dismissed; /* judge_dismiss() */
        struct judge_values values; /* that the requirements name */
        struct judge_state *state;
};

/* end_ns: of the scenario. The requirements outlive the judge. False, with a reason and nothing to be
 * closed: no memory, or windows of operators inside others that are too long. */
bool judge_open(struct judge *j, const struct requirement *list, int count, int vehicles,
                int64_t period_ns, int64_t end_ns, char *why, size_t cap);
/* Zeroed is allowed. */
void judge_close(struct judge *j);
/* One tick of all vehicles, in their order. */
void judge_observe(struct judge *j, const struct observation *vehicle);
/* That vehicle was asked to fly and never left the ground; its board armed, or did not even that. */
void judge_grounded(struct judge *j, int vehicle, bool armed);
/* A vehicle became no number: what was flown is no flight, and nothing of it is judged. */
void judge_dismiss(struct judge *j);
/* After a flight that ended at end_ns of simulated time. What follows is asked after it. */
void judge_finish(struct judge *j, int64_t end_ns);

enum judge_outcome judge_result(const struct judge *j, int requirement);
/* Why a requirement that held was not put to the test, or why none was, in words; NULL: it was, or did not hold. */
const char *judge_untested(const struct judge *j, int requirement);
const char *judge_result_name(enum judge_outcome o);
/* How far inside what is required, in the unit of the signal or metric; negative is outside. Of what is
 * open, so far. Infinite of states and of what was NaN; NaN: nothing was observed. */
double judge_robustness(const struct judge *j, int requirement);
/* The moment that decides it: the worst of always, the best of eventually, a metric's; -1: there is
 * none. */
int64_t judge_at_ns(const struct judge *j, int requirement);
/* When it became certain; -1: not before the end of its window, or never. */
int64_t judge_decided_ns(const struct judge *j, int requirement);
/* Of the signal at that moment, or of the metric; NaN of a formula. */
double judge_value(const struct judge *j, int requirement);
/* One line: what happened, when, by how much. */
void judge_detail(const struct judge *j, int requirement, char *text, size_t cap);

const char *verdict_name(enum verdict v);
/* 0 passed, 1 failed, 2 could not run, 3 void. */
int verdict_exit_status(enum verdict v);
