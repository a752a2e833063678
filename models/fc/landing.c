#include "models/fc/landing.h"

#include "models/fc/ground.h"

#define GRAVITY_MPS2 9.80665

/* Landing: slower from the first height down, at half the speed below the second. */
#define SLOW_FROM_M   1.0
#define SLOW_AT_M     0.3
#define DESCENT_PER_S 0.25 /* faster than land_mps high up, in proportion to the height */
#define TILT_LOW_RAD  0.12 /* near the ground */

/* It has landed when it does not sink although it should, with less thrust than weight. */
#define LANDED_SINK    0.5 /* of the asked */
#define LANDED_MPS     0.3 /* nor does it bounce */
#define LANDED_SHARE   0.93
#define LANDED_AFTER_S 1.5 /* of landing, so that it has begun to sink */
#define CLEAR_M        0.15 /* while the sonar sees this much air below, */
#define CLEAR_RATE     0.1 /* it takes ten times as long to be believed */
#define TOUCHING_S     0.1 /* from then on level, and nothing integrates, */
#define FALL_M         0.4 /* unless it turns out to fall */
#define SURE_S         0.4 /* then the thrust fades, */
#define FADE_S         0.3
#define DISARM_S       1.0 /* and the motors stop */
#define AGAIN_S        0.5 /* after a fall it flies on for so long at least */

/* For the last two states: a late vehicle may sink at this share of land_mps; from higher up,
 * stopping the motors means a drop. */
#define LATE_SHARE 0.5
#define DROP_M     0.02

/* Above where it stood, or will stand. A sonar that was found wrong is not used. */
static double clearance_m(const struct mission *m, const struct fc_params *p,
                          const struct fc_estimator *e)
{
        if (m->sonar_wrong)
                return m->takeoff_ned_m.z - e->pos_ned_m.z;
        return ground_clearance_m(e, p, m->takeoff_ned_m.z);
}

/* Sinking slows down towards the ground. */
static double slowing_mps(const struct fc_params *p, double above_m)
{
        double part = (above_m - SLOW_AT_M) / (SLOW_FROM_M - SLOW_AT_M);

        if (part >= 1.0)
                return fmin(p->descend_max_mps,
                            fmax(p->land_mps, DESCENT_PER_S * above_m));
        return p->land_mps * (0.5 + 0.5 * fmax(part, 0.0));
}

/* The states need a height. */
static bool by_states(const struct mission *m, const struct fc_params *p)
{
        return p->law.landing == LANDING_STATES && !m->sonar_wrong;
}

/* How far below its position the states want it. Their flare is slower than the error of the
 * estimated velocity may be, so the descent still missing by then is added. */
static double states_below_m(const struct mission *m, const struct fc_params *p,
                             const struct fc_estimator *e)
{
        double below_m = landing_states_below_m(&m->landing_states, &p->landing_states);
        double late_m;

        if (m->landing_states.state != LANDING_FLARE)
                return below_m;
        late_m = ground_height(e, p, m->takeoff_ned_m.z).above_m - m->flare_m;
        return fmax(below_m, fmin(below_m + late_m,
                                  LATE_SHARE * p->land_mps / p->altitude_p_per_s));
}

/* The climb that the landing law commands. */
static double sink_mps(const struct mission *m, const struct fc_params *p,
                       const struct fc_estimator *e)
{
        if (p->law.landing == LANDING_THESIS)
                return p->landing_thesis.sink_mps;
        if (by_states(m, p))
                return fmin(p->altitude_p_per_s * states_below_m(m, p, e),
                            p->descend_max_mps);
        return slowing_mps(p, clearance_m(m, p, e));
}

/* Not sinking although it should, not bouncing, and not just turning from climb to descent. */
static bool still(const struct mission *m, const struct fc_params *p,
                  const struct fc_estimator *e, double thrust_n)
{
        return e->vel_ned_mps.z < LANDED_SINK * sink_mps(m, p, e) &&
               e->vel_ned_mps.z > -LANDED_MPS &&
               thrust_n < LANDED_SHARE * p->mass_kg * GRAVITY_MPS2 &&
               !landing_watch_sinks(&m->landing_watch);
}

/* Whether the sonar says that there is air below. */
static bool clear_of_ground(const struct mission *m, const struct fc_params *p,
                            const struct fc_estimator *e)
{
        return estimator_sure_of_ground(e) && clearance_m(m, p, e) > CLEAR_M;
}

/* Counts for how long it should sink but does not; evidence against it counts back, twice as fast. */
static void look_for_ground(struct mission *m, const struct fc_params *p,
                            const struct fc_estimator *e, double thrust_n, double dt_s)
{
        double rate = still(m, p, e, thrust_n) ? 1.0 : -2.0;

        m->touched_down_m = e->pos_ned_m.z;
        if (m->phase_s < LANDED_AFTER_S)
                return;
        if (rate > 0.0 && clear_of_ground(m, p, e))
                rate = CLEAR_RATE;
        m->landed_s = fmax(m->landed_s + rate * dt_s, 0.0);
}

static void states_step(struct mission *m, const struct fc_params *p,
                        const struct fc_estimator *e, double dt_s)
{
        struct ground_height ground = ground_height(e, p, m->takeoff_ned_m.z);
        bool sure = ground.by_sonar && estimator_sure_of_ground(e);

        landing_states_step(&m->landing_states, &p->landing_states, ground.above_m,
                            sure && clearance_m(m, p, e) < DROP_M);
        if (m->landing_states.state == LANDING_FLARE && sure)
                m->flare_m = fmin(m->flare_m, ground.above_m) -
                             p->altitude_p_per_s * p->landing_states.flare_below_m * dt_s;
        else
                m->flare_m = ground.above_m;
}

/* The law's own end: a height in the states, no velocity in the thesis. */
static bool law_ends(struct mission *m, const struct fc_params *p,
                     const struct fc_estimator *e, double dt_s)
{
        if (p->law.landing == LANDING_THESIS)
                landing_thesis_step(&m->landing_thesis, &p->landing_thesis,
                                    e->pos_ned_m.z, dt_s);
        else if (by_states(m, p))
                states_step(m, p, e, dt_s);
        return m->landing_thesis.landed || m->landing_states.state == LANDING_OFF;
}

/* The supposed ground was none: it flies on. If the sonar reported it, the sonar is wrong. */
static void fly_on(struct mission *m)
{
        m->landed_s = -AGAIN_S;
        m->sonar_wrong |= m->landing_states.state == LANDING_OFF;
        m->landing_states = (struct landing_states){ LANDING_FLARE };
        m->landing_thesis = (struct landing_thesis){ 0 };
}

/* The thrust fades: either the ground carries it now, or nothing does. An accelerometer shows at
 * once which; on the ground it also feels much that is not motion. */
static void fade(struct mission *m, const struct fc_estimator *e, double dt_s)
{
        if (landing_watch_falls(&m->landing_watch))
                fly_on(m);
        else if (fabs(e->pos_ned_m.z - m->touched_down_m) < FALL_M)
                m->landed_s += dt_s;
        else
                m->landed_s = 0.0;
}

bool landing_step(struct mission *m, const struct fc_params *p,
                  const struct fc_estimator *e, double thrust_n, double dt_s)
{
        landing_watch_step(&m->landing_watch, -e->felt_body_mps2.z, dt_s);
        if (m->landed_s >= SURE_S) {
                fade(m, e, dt_s);
        } else if (m->landed_s < 0.0) {
                m->landed_s = fmin(m->landed_s + dt_s, 0.0);
        } else {
                if (p->law.landing != LANDING_THESIS)
                        look_for_ground(m, p, e, thrust_n, dt_s);
                if (law_ends(m, p, e, dt_s))
                        m->landed_s = fmax(m->landed_s, SURE_S);
        }
        return m->landed_s >= DISARM_S;
}

bool landing_sure(const struct mission *m)
{
        return m->landed_s >= SURE_S;
}

void landing_demand(const struct mission *m, const struct fc_params *p,
                    const struct fc_estimator *e, struct demand *out)
{
        double faded_s = m->landed_s - SURE_S;
        bool touching = m->landed_s > TOUCHING_S;

        *out = (struct demand){ .kind = DEMAND_FLY,
                                .target = m->target,
                                .level = touching || !estimator_knows_position(e),
                                .on_ground = touching,
                                .climb_given = true,
                                .climb_mps = -sink_mps(m, p, e),
                                .tilt_max_rad = p->tilt_max_rad,
                                .share = 1.0 };
        if (clearance_m(m, p, e) < SLOW_AT_M)
                out->tilt_max_rad = fmin(p->tilt_max_rad, TILT_LOW_RAD);
        if (by_states(m, p)) {
                out->climb_given = false;
                out->target.pos_ned_m.z = e->pos_ned_m.z + states_below_m(m, p, e);
        }
        if (faded_s > 0.0)
                out->share = fmax(1.0 - faded_s / FADE_S, 0.0);
}
