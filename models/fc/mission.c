#include "models/fc/mission.h"

#include <stddef.h>
#include <string.h>

#include "models/fc/ground.h"
#include "models/fc/landing.h"

#define RANGE_MAX_M 10000.0
#define YAW_MAX_RAD 100.0
#define SPIN_UP_S   1.0 /* idling before it lifts off */
#define RAMP_S      0.8 /* from no thrust to more than the weight */
#define AIRBORNE_M  0.15
#define CRUISE_M    1.0 /* or most of the way to a lower target */

/* Reported once, however long it stays true. */
static void say(struct mission *m, const char *text)
{
        size_t len = strlen(text);

        if (strcmp(m->said, text) == 0)
                return;
        len = len < FC_TEXT_MAX ? len : FC_TEXT_MAX - 1;
        memcpy(m->said, text, len);
        m->said[len] = '\0';
        m->news = true;
}

static void enter(struct mission *m, enum fc_phase phase)
{
        m->phase = phase;
        m->phase_s = 0.0;
        m->landed_s = 0.0;
}

/* Written so that NaN fails. */
static bool within(double x, double most)
{
        return fabs(x) <= most;
}

bool mission_ask(struct mission *m, const struct setpoint *asked)
{
        if ((unsigned)asked->mode >= MODE_COUNT)
                return false;
        if (asked->mode == MODE_GOTO && !(within(asked->pos_ned_m.x, RANGE_MAX_M) &&
                                          within(asked->pos_ned_m.y, RANGE_MAX_M) &&
                                          within(asked->pos_ned_m.z, RANGE_MAX_M) &&
                                          within(asked->yaw_rad, YAW_MAX_RAD)))
                return false;
        m->asked = *asked;
        if (asked->mode == MODE_DISARMED ||
            (asked->mode == MODE_ARMED && !m->must_disarm))
                m->must_ask_again = m->must_disarm = false;
        return true;
}

static double yaw_of(const struct fc_estimator *e)
{
        return quat_to_euler(e->q_body_to_ned).z;
}

/* Stay here. */
static void hold(struct mission *m, const struct fc_estimator *e)
{
        m->target.mode = MODE_GOTO;
        m->target.pos_ned_m = e->pos_ned_m;
        m->target.yaw_rad = yaw_of(e);
}

/* Without GPS it can only go up and down. */
static bool reachable(const struct mission *m, const struct fc_estimator *e)
{
        return estimator_knows_position(e) ||
               (m->asked.pos_ned_m.x == 0.0 && m->asked.pos_ned_m.y == 0.0);
}

static void stop(struct mission *m, const char *why)
{
        enter(m, FC_PHASE_READY);
        say(m, why);
}

static void stop_until_asked(struct mission *m, const char *why)
{
        stop(m, why);
        m->must_ask_again = true;
}

static void stop_failsafe(struct mission *m, const char *why)
{
        stop_until_asked(m, why);
        m->must_disarm = true;
}

static void starting(struct mission *m, const struct fc_estimator *e)
{
        const char *missing = estimator_missing(e);

        if (missing != NULL) {
                say(m, missing);
                return;
        }
        stop(m,
             e->origin_known ? "ready" : "ready without GPS: height and attitude only");
}

static void ready(struct mission *m, const struct fc_estimator *e)
{
        const char *missing = estimator_missing(e);

        if (m->asked.mode != MODE_ARMED && m->asked.mode != MODE_GOTO)
                return;
        if (missing != NULL) {
                say(m, missing);
        } else if (m->must_ask_again) {
                say(m, m->must_disarm ? "stopped by its failsafe: disarm first"
                                      : "stopped by itself: disarm or arm first");
        } else {
                enter(m, FC_PHASE_IDLE);
                say(m, "armed");
        }
}

static void idle(struct mission *m, const struct fc_estimator *e)
{
        if (m->asked.mode == MODE_DISARMED || m->asked.mode == MODE_LAND) {
                stop(m, "disarmed");
        } else if (m->asked.mode == MODE_GOTO && !reachable(m, e)) {
                say(m, "no GPS: refused to fly to a horizontal position");
        } else if (m->asked.mode == MODE_GOTO && m->phase_s >= SPIN_UP_S && !m->waits) {
                enter(m, FC_PHASE_FLYING);
                hold(m, e);
                m->takeoff_ned_m = m->target.pos_ned_m;
                m->airborne = m->cruising = false;
                m->takeoff_states = (struct takeoff_states){ 0 };
                say(m, "taking off");
        }
}

static void begin_landing(struct mission *m, const struct fc_estimator *e)
{
        enter(m, FC_PHASE_LANDING);
        m->landing_states = (struct landing_states){ 0 };
        m->landing_thesis = (struct landing_thesis){ 0 };
        m->landing_watch = (struct landing_watch){ 0 };
        m->sonar_wrong = false;
        hold(m, e);
        say(m, "landing");
}

static void flying(struct mission *m, const struct fc_estimator *e)
{
        if (m->asked.mode == MODE_DISARMED) {
                stop(m, "disarmed in flight");
        } else if (m->asked.mode == MODE_LAND) {
                begin_landing(m, e);
        } else if (m->asked.mode == MODE_GOTO && reachable(m, e)) {
                m->target = m->asked;
        } else if (m->asked.mode == MODE_ARMED && !m->airborne) {
                enter(m, FC_PHASE_IDLE);
        } else if (m->asked.mode == MODE_ARMED && m->target.mode == MODE_GOTO) {
                hold(m, e);
                m->target.mode = MODE_ARMED; /* hold this place, do not follow */
        }
        if (m->phase == FC_PHASE_FLYING && m->airborne && !estimator_knows_position(e))
                say(m, "no GPS: holding height and attitude");
}

static void landing(struct mission *m, const struct fc_params *p,
                    const struct fc_estimator *e, double thrust_n, double dt_s)
{
        bool down = landing_step(m, p, e, thrust_n, dt_s);

        if (m->asked.mode == MODE_DISARMED) {
                stop(m, "disarmed in flight");
        } else if (down) {
                stop_until_asked(m, "landed");
        } else if (m->asked.mode == MODE_GOTO && !landing_sure(m) && reachable(m, e)) {
                enter(m, FC_PHASE_FLYING);
        }
}

/* From the ground to the height at which it may move about. */
static void watch_takeoff(struct mission *m, const struct fc_params *p,
                          const struct fc_estimator *e)
{
        double above_m = ground_clearance_m(e, p, m->takeoff_ned_m.z);
        double aim_m = m->takeoff_ned_m.z - m->target.pos_ned_m.z;

        if (above_m > AIRBORNE_M)
                m->airborne = true;
        if (p->law.takeoff == TAKEOFF_CLIMB && above_m > fmin(CRUISE_M, 0.8 * aim_m) &&
            m->airborne)
                m->cruising = true;
}

/* The documents' take-off laws decide themselves how to climb and when they are done. */
static void take_off(struct mission *m, const struct fc_params *p,
                     const struct fc_estimator *e, double dt_s, struct demand *out)
{
        double above_m = ground_clearance_m(e, p, m->takeoff_ned_m.z);
        double aim_m = m->takeoff_ned_m.z - m->target.pos_ned_m.z;
        struct takeoff_aim aim;
        double climb_mps;
        bool done;

        if (p->law.takeoff == TAKEOFF_STATES) {
                aim = takeoff_states_step(&m->takeoff_states, &p->takeoff_states, above_m,
                                          dt_s);
                out->target.pos_ned_m.z = m->takeoff_ned_m.z - aim.height_m;
                out->share = aim.share;
                done = aim.done;
        } else {
                climb_mps = takeoff_thesis_mps(&p->takeoff_thesis, aim_m, above_m, &done);
                out->climb_given = true;
                out->climb_mps =
                        fmin(fmax(climb_mps, -p->descend_max_mps), p->climb_max_mps);
        }
        m->cruising = done && m->airborne;
}

static void fly_demand(struct mission *m, const struct fc_params *p,
                       const struct fc_estimator *e, double dt_s, struct demand *out)
{
        watch_takeoff(m, p, e);
        *out = (struct demand){ .kind = DEMAND_FLY,
                                .target = m->target,
                                .level = !m->airborne || !estimator_knows_position(e),
                                .on_ground = !m->airborne,
                                .among = m->cruising && m->target.mode == MODE_GOTO,
                                .tilt_max_rad = p->tilt_max_rad,
                                .share = 1.0 };
        if (!m->cruising) {
                out->target.pos_ned_m.x = m->takeoff_ned_m.x;
                out->target.pos_ned_m.y = m->takeoff_ned_m.y;
        }
        if (!m->airborne) {
                out->target.yaw_rad = yaw_of(e);
                out->share = fmin(m->phase_s / RAMP_S, 1.0);
        }
        if (!m->cruising && p->law.takeoff != TAKEOFF_CLIMB)
                take_off(m, p, e, dt_s, out);
}

static void heard_again(struct mission *m, const struct fc_estimator *e)
{
        m->silent_s = 0.0;
        m->failsafe = false;
        if (m->phase != FC_PHASE_FAILSAFE)
                return;
        enter(m, FC_PHASE_FLYING);
        hold(m, e);
        say(m, "sensor frames are back: flying on");
}

void mission_step(struct mission *m, const struct fc_params *p,
                  const struct fc_estimator *e, double thrust_n, double dt_s,
                  struct demand *out)
{
        heard_again(m, e);
        m->phase_s += dt_s;
        switch (m->phase) {
        case FC_PHASE_STARTING:
                starting(m, e);
                break;
        case FC_PHASE_READY:
                ready(m, e);
                break;
        case FC_PHASE_IDLE:
                idle(m, e);
                break;
        case FC_PHASE_FLYING:
                flying(m, e);
                break;
        case FC_PHASE_LANDING:
                landing(m, p, e, thrust_n, dt_s);
                break;
        case FC_PHASE_FAILSAFE:
                break;
        }
        *out = (struct demand){ .kind = m->phase == FC_PHASE_IDLE ? DEMAND_IDLE
                                                                  : DEMAND_STOP };
        if (m->phase == FC_PHASE_FLYING)
                fly_demand(m, p, e, dt_s, out);
        else if (m->phase == FC_PHASE_LANDING)
                landing_demand(m, p, e, out);
}

static void begin_failsafe(struct mission *m)
{
        bool in_air = m->phase == FC_PHASE_FLYING || m->phase == FC_PHASE_LANDING;

        m->failsafe = true;
        if (in_air) {
                enter(m, FC_PHASE_FAILSAFE);
                say(m, "failsafe: no sensor frames, descending blind");
        } else {
                stop_failsafe(m, "failsafe: no sensor frames, disarmed");
        }
}

bool mission_silence(struct mission *m, const struct fc_params *p, double dt_s,
                     struct demand *out)
{
        m->silent_s += dt_s;
        if (m->silent_s < p->failsafe_after_s || !mission_armed(m))
                return false;
        m->phase_s += dt_s;
        if (m->phase != FC_PHASE_FAILSAFE)
                begin_failsafe(m);
        else if (m->phase_s >= p->failsafe_descend_s)
                stop_failsafe(m, "failsafe: motors stopped");
        *out = (struct demand){ .kind = m->phase == FC_PHASE_FAILSAFE ? DEMAND_BLIND
                                                                      : DEMAND_STOP };
        return true;
}

bool mission_armed(const struct mission *m)
{
        return m->phase != FC_PHASE_STARTING && m->phase != FC_PHASE_READY;
}
