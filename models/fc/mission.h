/* The pilot's requests and the vehicle's state -> what to do now: arming, take-off, flight,
 * landing, and what happens without sensors. It decides; it controls nothing. */
#pragma once

#include "models/fc/estimate/estimator.h"
#include "models/fc/landing_watch.h"

enum fc_phase {
        FC_PHASE_STARTING, /* estimator not ready */
        FC_PHASE_READY, /* disarmed */
        FC_PHASE_IDLE, /* armed on the ground */
        FC_PHASE_FLYING,
        FC_PHASE_LANDING,
        FC_PHASE_FAILSAFE /* without sensors, descending blind */
};

#define FC_TEXT_MAX 100

struct mission {
        enum fc_phase phase;
        double phase_s; /* time in this phase */
        struct setpoint asked; /* the last valid input */
        struct setpoint target; /* where it flies to now */
        bool waits; /* a hub has it stay on the ground */
        bool must_ask_again; /* it stopped on its own: no arming on an old request */
        bool must_disarm; /* by a failsafe: nor on one to arm, which the rig repeats */
        bool airborne; /* since this take-off */
        bool cruising; /* high enough to leave the take-off position */
        struct vec3 takeoff_ned_m;
        struct takeoff_states takeoff_states; /* of this take-off, by that law */
        struct landing_states landing_states; /* of this landing, */
        struct landing_thesis landing_thesis; /* by these */
        double flare_m; /* where the states' flare should be by now */
        bool sonar_wrong; /* it reported ground where there was none */
        struct landing_watch landing_watch; /* for any law */
        double landed_s; /* how long it has looked landed; negative: not again yet, */
        double touched_down_m; /* and where: a down coordinate */
        double silent_s; /* since the last IMU sample */
        bool failsafe;
        bool news; /* said is new */
        char said[FC_TEXT_MAX]; /* last message to the user */
};

enum demand_kind { DEMAND_STOP, DEMAND_IDLE, DEMAND_BLIND, DEMAND_FLY };

struct demand {
        enum demand_kind kind;
        struct setpoint target;
        bool level; /* do not control the horizontal position */
        bool among; /* on its way: a law of flocks may lead */
        bool on_ground; /* nothing may integrate yet, or any more */
        bool climb_given; /* fly this climb, not to the target's height */
        double climb_mps;
        bool velocity_given; /* horizontally fly this velocity, not to the target's position */
        struct vec3 vel_ned_mps;
        double tilt_max_rad;
        double share; /* of the thrust and torque that flight needs, 0 to 1 */
};

/* False: refused (unknown mode, not a number, too far away). */
bool mission_ask(struct mission *m, const struct setpoint *asked);

/* thrust_n: the last thrust command. */
void mission_step(struct mission *m, const struct fc_params *p,
                  const struct fc_estimator *e, double thrust_n, double dt_s,
                  struct demand *out);

/* No IMU sample for another dt_s. False: nothing to change yet. */
bool mission_silence(struct mission *m, const struct fc_params *p, double dt_s,
                     struct demand *out);

bool mission_armed(const struct mission *m);
