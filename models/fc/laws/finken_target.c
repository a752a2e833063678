#include "models/fc/laws/finken_target.h"

struct finken_guide finken_target_step(struct finken_target *c, const struct fc_params *p,
                                       struct vec3 away_ned_m, double yaw_rad,
                                       double tilt_max_rad, bool level, double dt_s,
                                       bool hold)
{
        const struct finken_params *f = &p->finken;
        struct finken_guide out = { .throttle_percent = 50.0 };
        double north, east, shorter;

        out.throttle_percent += finken_pid_step(&c->up, &f->vertical, f->target_tau_s,
                                                -away_ned_m.z, dt_s, hold);
        if (level) {
                c->north = c->east = (struct finken_pid){ 0 };
                return out;
        }
        north = finken_pid_step(&c->north, &f->horizontal, f->target_tau_s, away_ned_m.x,
                                dt_s, hold);
        east = finken_pid_step(&c->east, &f->horizontal, f->target_tau_s, away_ned_m.y,
                               dt_s, hold);
        shorter = fmin(tilt_max_rad / fmax(hypot(north, east), 1e-9), 1.0);
        /* Ahead needs nose down, to the right needs right side down. */
        out.pitch_rad = -shorter * (cos(yaw_rad) * north + sin(yaw_rad) * east);
        out.roll_rad = shorter * (cos(yaw_rad) * east - sin(yaw_rad) * north);
        return out;
}
