#include "models/fc/laws/position_thesis.h"

double position_thesis_angle_rad(double wanted_rad, double is_rad)
{
        double turns = (wanted_rad - is_rad) / (2.0 * M_PI);

        return 2.0 * M_PI * (turns - rint(turns));
}

struct vec3 position_thesis_to_xy(struct vec3 ned, double yaw_rad)
{
        double c = cos(yaw_rad), s = sin(yaw_rad);

        return (struct vec3){ c * ned.x + s * ned.y, /* A.4 */
                              -s * ned.x + c * ned.y, /* A.5 */
                              ned.z };
}

struct vec3 position_thesis_to_ned(struct vec3 xyz, double yaw_rad)
{
        return position_thesis_to_xy(xyz, -yaw_rad);
}

static bool same(const struct position_thesis *s, struct vec3 target_m, double yaw_rad)
{
        return s->started && s->target_ned_m.x == target_m.x &&
               s->target_ned_m.y == target_m.y && s->target_ned_m.z == target_m.z &&
               s->target_yaw_rad == yaw_rad;
}

/* "After one position measurement is in a defined tolerance window, the correction of the heading
 * is initiated" (B.2.8). */
static void advance(struct position_thesis *s, const struct position_thesis_params *p,
                    double distance_m, double turn_rad)
{
        if (s->stage == THESIS_POSITION && distance_m <= p->tolerance_m)
                s->stage = THESIS_HEADING;
        if (s->stage == THESIS_HEADING && fabs(turn_rad) <= p->yaw_tolerance_rad)
                s->stage = THESIS_HOLD;
}

static double clamp(double x, double most)
{
        return fmin(fmax(x, -most), most);
}

struct thesis_velocity position_thesis_step(struct position_thesis *s,
                                            const struct position_thesis_params *p,
                                            struct vec3 target_ned_m,
                                            double target_yaw_rad, struct vec3 pos_ned_m,
                                            double yaw_rad)
{
        struct vec3 away_m = vec3_sub(target_ned_m, pos_ned_m);
        double turn_rad = position_thesis_angle_rad(target_yaw_rad, yaw_rad);
        struct thesis_velocity u = { { 0.0, 0.0, 0.0 }, 0.0 };

        if (!same(s, target_ned_m, target_yaw_rad))
                *s = (struct position_thesis){ THESIS_POSITION, true, target_ned_m,
                                               target_yaw_rad };
        advance(s, p, vec3_norm(away_m), turn_rad);
        if (s->stage != THESIS_HEADING) {
                struct vec3 xyz =
                        vec3_scale(p->gain_per_s, position_thesis_to_xy(away_m, yaw_rad));
                double level = sqrt(xyz.x * xyz.x + xyz.y * xyz.y);
                double kept = level > p->speed_max_mps ? p->speed_max_mps / level : 1.0;

                u.xyz_mps = (struct vec3){ kept * xyz.x, kept * xyz.y, xyz.z };
        }
        if (s->stage != THESIS_POSITION)
                u.yaw_radps = clamp(p->yaw_gain_per_s * turn_rad, p->yaw_rate_max_radps);
        return u;
}
