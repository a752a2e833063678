/* A scenario: what the pilot asks of the vehicles and when, when a jig holds them, how long it takes,
 * and what must be true of the flight for it to have passed. Times are simulated time. */
#ifndef HIL_SCENARIO_H
#define HIL_SCENARIO_H

#include "models/signals.h"

#define SCENARIO_STEPS_MAX        64
#define SCENARIO_REQUIREMENTS_MAX 32

/* A jig takes the vehicle where it is, turns it and holds it so until another step lets it go. */
enum scenario_jig { JIG_AS_BEFORE, JIG_HOLD, JIG_RELEASE };

struct scenario_step {
        int64_t t_ns;
        int vehicle; /* -1: every vehicle */
        struct setpoint setpoint;
        uint16_t rc_us[RC_CHANNELS_MAX]; /* 0: not sent */
        enum scenario_jig jig;
        struct quat q_body_to_ned; /* of JIG_HOLD */
};

/* A recorded quantity that a requirement can speak of. */
enum scenario_signal {
        SIGNAL_NORTH_M,
        SIGNAL_EAST_M,
        SIGNAL_ALTITUDE_M, /* above the ground plane */
        SIGNAL_SPEED_MPS,
        SIGNAL_CLIMB_MPS,
        SIGNAL_TILT_DEG,
        SIGNAL_YAW_DEG,
        SIGNAL_ARMED, /* 0 or 1, as the FC reports */
        SIGNAL_CONTACT, /* 0 or 1 */
        SIGNAL_IMPACT_MPS, /* speed into the ground */
        SIGNAL_COUNT
};

enum scenario_quantifier {
        REQUIRE_ALWAYS, /* within the window, at every tick */
        REQUIRE_EVENTUALLY /* within the window, at one tick at least */
};

struct scenario_requirement {
        char name[64];
        int vehicle;
        enum scenario_quantifier quantifier;
        enum scenario_signal signal;
        double min, max; /* min <= signal <= max; infinite where not given */
        int64_t from_ns, to_ns; /* both ends included */
};

struct scenario {
        char name[64];
        int64_t duration_ns;
        int steps;
        struct scenario_step step[SCENARIO_STEPS_MAX]; /* in the order of their times */
        int requirements;
        struct scenario_requirement requirement[SCENARIO_REQUIREMENTS_MAX];
};

/* The steps of a vehicle that have become due since *next, in order: writes the newest input of
 * them and advances *next. False: nothing new. */
bool scenario_input(const struct scenario *s, int vehicle, int64_t t_ns, int *next,
                    struct pilot_input *out);

/* The same for the jig, with a *next of its own: what the newest of the due steps that speak of it wants,
 * and the attitude where it is JIG_HOLD. JIG_AS_BEFORE: nothing new. Depends on nothing but the times,
 * so that a replay holds the vehicle as the run did. */
enum scenario_jig scenario_jig(const struct scenario *s, int vehicle, int64_t t_ns,
                               int *next, struct quat *q_body_to_ned);

#endif
