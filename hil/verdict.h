/* Requirements judged while the vehicle flies, and what the whole run is worth. */
#ifndef HIL_VERDICT_H
#define HIL_VERDICT_H

#include "hil/scenario.h"
#include "models/vehicle.h"

enum verdict { VERDICT_PASSED, VERDICT_FAILED, VERDICT_VOID, VERDICT_ERROR };

/* What a requirement can be asked about, of one vehicle at one tick. */
struct observation {
        const struct body_state *truth;
        double altitude_m; /* above the ground plane */
        bool armed, contact;
        double impact_mps;
};

struct requirement_state {
        bool decided; /* an `always` that broke, an `eventually` that happened */
        bool seen; /* the window was reached */
        int64_t t_ns; /* of the break or the event, else of the closest approach */
        double value; /* of the signal then */
        double margin; /* how far inside min..max: smallest for always, largest for
                        * eventually; negative is outside */
};

struct judge {
        const struct scenario *scenario;
        int64_t end_ns;
        struct requirement_state state[SCENARIO_REQUIREMENTS_MAX];
};

void judge_init(struct judge *j, const struct scenario *s);
void judge_observe(struct judge *j, int vehicle, int64_t t_ns,
                   const struct observation *o);

enum judge_outcome {
        JUDGE_PASSED,
        JUDGE_FAILED,
        JUDGE_OPEN /* the flight ended before the window did, and nothing had decided it */
};

/* After a flight that ended at end_ns of simulated time. */
void judge_finish(struct judge *j, int64_t end_ns);
enum judge_outcome judge_result(const struct judge *j, int requirement);
const char *judge_result_name(enum judge_outcome o);
/* One line: what happened, when, by how much. */
void judge_detail(const struct judge *j, int requirement, char *text, size_t cap);

const char *verdict_name(enum verdict v);
/* 0 passed, 1 failed, 2 could not run, 3 void. */
int verdict_exit_status(enum verdict v);

#endif
