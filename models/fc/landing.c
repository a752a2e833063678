#include "models/fc/landing.h"

#include "models/fc/ground.h"

#define GRAVITY_MPS2 9.80665

/* Landing: slower from here on, at half the speed below the second height. */
#define SLOW_FROM_M   1.0
#define SLOW_AT_M     0.3
#define DESCENT_PER_S 0.25 /* faster than land_mps high up, in proportion to the height */
#define TILT_LOW_RAD  0.12 /* near the ground */

/* It has landed when it does not sink although it should, on less thrust than it weighs. */
#define LANDED_SINK    0.5 /* of the asked */
#define LANDED_MPS     0.3 /* nor does it bounce */
#define LANDED_SHARE   0.93
#define LANDED_AFTER_S 1.5 /* of landing, so that it has begun to sink */
#define TOUCHING_S     0.1 /* from then on level, and nothing integrates, */
#define FALL_M         0.4 /* unless it turns out to fall */
#define SURE_S         0.4 /* then the thrust fades, */
#define FADE_S         0.3
#define DISARM_S       1.0 /* and the motors stop */

/* Sinking slows down towards the ground. */
static double slowing_mps(const struct fc_params *p, double above_m)
{
        double part = (above_m - SLOW_AT_M) / (SLOW_FROM_M - SLOW_AT_M);

        if (part >= 1.0)
                return fmin(p->descend_max_mps,
                            fmax(p->land_mps, DESCENT_PER_S * above_m));
        return p->land_mps * (0.5 + 0.5 * fmax(part, 0.0));
}

/* What the landing law asks for. */
static double sink_mps(const struct mission *m, const struct fc_params *p,
                       const struct fc_estimator *e)
{
        double below_m = landing_states_below_m(&m->landing_states, &p->landing_states);

        if (p->law.landing == LANDING_THESIS)
                return p->landing_thesis.sink_mps;
        if (p->law.landing == LANDING_STATES)
                return fmin(p->altitude_p_per_s * below_m, p->descend_max_mps);
        return slowing_mps(p, ground_clearance_m(e, p, m->takeoff_ned_m.z));
}

/* Counts for how long it should sink and does not; noise that speaks against it takes time
 * back, twice as fast. Then the thrust fades, and only a fall would show an error: on the
 * ground an accelerometer feels much that is no motion. */
static void look_for_ground(struct mission *m, const struct fc_params *p,
                            const struct fc_estimator *e, double thrust_n, double dt_s)
{
        double sink_wanted_mps = sink_mps(m, p, e);
        bool still = e->vel_ned_mps.z < LANDED_SINK * sink_wanted_mps &&
                     e->vel_ned_mps.z > -LANDED_MPS &&
                     thrust_n < LANDED_SHARE * p->mass_kg * GRAVITY_MPS2;

        if (m->phase_s < LANDED_AFTER_S)
                return;
        if (m->landed_s < SURE_S) {
                m->landed_s = fmax(m->landed_s + (still ? dt_s : -2.0 * dt_s), 0.0);
                m->touched_down_m = e->pos_ned_m.z;
        } else if (fabs(e->pos_ned_m.z - m->touched_down_m) < FALL_M) {
                m->landed_s += dt_s;
        } else {
                m->landed_s = 0.0;
        }
}

/* Whether the landing is over. The thesis's controller has its own way to tell; the states'
 * ends at a height, which without a sonar no sensor knows well enough. */
bool landing_step(struct mission *m, const struct fc_params *p,
                  const struct fc_estimator *e, double thrust_n, double dt_s)
{
        struct ground_height ground = ground_height(e, p, m->takeoff_ned_m.z);

        if (p->law.landing == LANDING_THESIS) {
                landing_thesis_step(&m->landing_thesis, &p->landing_thesis,
                                    e->pos_ned_m.z, dt_s);
                return m->landing_thesis.landed;
        }
        if (p->law.landing == LANDING_STATES)
                landing_states_step(&m->landing_states, &p->landing_states,
                                    ground.above_m,
                                    ground.by_sonar && estimator_sure_of_ground(e));
        look_for_ground(m, p, e, thrust_n, dt_s);
        return m->landed_s >= DISARM_S || m->landing_states.state == LANDING_OFF;
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
        if (ground_clearance_m(e, p, m->takeoff_ned_m.z) < SLOW_AT_M)
                out->tilt_max_rad = fmin(p->tilt_max_rad, TILT_LOW_RAD);
        if (p->law.landing == LANDING_STATES) {
                out->climb_given = false;
                out->target.pos_ned_m.z =
                        e->pos_ned_m.z +
                        landing_states_below_m(&m->landing_states, &p->landing_states);
        }
        if (faded_s > 0.0)
                out->share = fmax(1.0 - faded_s / FADE_S, 0.0);
}
