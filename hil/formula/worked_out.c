/* Quantities that stand nowhere, and are worked out from what was observed. */
#include "hil/formula/worked_out.h"

#include <math.h>

static double component(struct vec3 v, int i)
{
        return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static double wrapped_deg(double deg)
{
        return deg - 360.0 * rint(deg / 360.0);
}

double quantity_altitude(const struct observation *o, int i)
{
        (void)i;
        return o->ground_down_m - o->truth->body.pos_ned_m.z;
}

double quantity_height(const struct observation *o, int i)
{
        (void)i;
        return o->truth->around.surface_down_m - o->truth->body.pos_ned_m.z;
}

double quantity_speed(const struct observation *o, int i)
{
        (void)i;
        return vec3_norm(o->truth->body.vel_ned_mps);
}

double quantity_tilt(const struct observation *o, int i)
{
        struct quat q = o->truth->body.q_body_to_ned;
        /* The angle between the body's z axis and down. */
        double c = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);

        (void)i;
        return DEG_PER_RAD * acos(fmin(fmax(c, -1.0), 1.0));
}

double quantity_attitude(const struct observation *o, int i)
{
        return DEG_PER_RAD * component(quat_to_euler(o->truth->body.q_body_to_ned), i);
}

double quantity_charge(const struct observation *o, int i)
{
        (void)i;
        return o->truth->battery.charge_used_c / 3.6;
}

/* A flight controller that has not yet said what it believes has a quaternion of zeros. */
static bool estimates(const struct observation *o)
{
        struct quat q = o->report->estimate.q_body_to_ned;

        return q.w != 0.0 || q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
}

static struct vec3 from_start(const struct observation *o)
{
        return vec3_sub(o->truth->body.pos_ned_m, o->start_ned_m);
}

double quantity_est_attitude(const struct observation *o, int i)
{
        struct vec3 euler = quat_to_euler(o->report->estimate.q_body_to_ned);

        return estimates(o) ? DEG_PER_RAD * component(euler, i) : NAN;
}

double quantity_est_position(const struct observation *o, int i)
{
        double x = component(o->report->estimate.pos_ned_m, i);

        return !estimates(o) ? NAN : i == 2 ? -x : x;
}

double quantity_est_attitude_error(const struct observation *o, int i)
{
        struct vec3 truth = quat_to_euler(o->truth->body.q_body_to_ned);

        return wrapped_deg(quantity_est_attitude(o, i) -
                           DEG_PER_RAD * component(truth, i));
}

double quantity_est_position_error(const struct observation *o, int i)
{
        double truth = component(from_start(o), i);

        return quantity_est_position(o, i) - (i == 2 ? -truth : truth);
}

double quantity_est_error(const struct observation *o, int i)
{
        struct quat est = o->report->estimate.q_body_to_ned;
        struct quat turn =
                quat_multiply(quat_conjugate(o->truth->body.q_body_to_ned), est);
        double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);

        (void)i;
        return estimates(o) ? 2.0 * DEG_PER_RAD * atan2(sine, fabs(turn.w)) : NAN;
}

double quantity_asked_position(const struct observation *o, int i)
{
        double x = component(o->input->setpoint.pos_ned_m, i);

        return i == 2 ? 0.0 - x : x;
}

double quantity_goto_error(const struct observation *o, int i)
{
        double truth = component(from_start(o), i);
        double asked = component(o->input->setpoint.pos_ned_m, i);

        if (o->input->setpoint.mode != MODE_GOTO)
                return NAN;
        return i == 2 ? asked - truth : truth - asked;
}

double quantity_yaw_error(const struct observation *o, int i)
{
        double yaw_rad = quat_to_euler(o->truth->body.q_body_to_ned).z;

        (void)i;
        if (o->input->setpoint.mode != MODE_GOTO)
                return NAN;
        return wrapped_deg(DEG_PER_RAD * (yaw_rad - o->input->setpoint.yaw_rad));
}

double quantity_position_error(const struct observation *o, int i)
{
        (void)i;
        if (o->input->setpoint.mode != MODE_GOTO)
                return NAN;
        return vec3_norm(vec3_sub(from_start(o), o->input->setpoint.pos_ned_m));
}

double quantity_nearest(const struct observation *o, int i)
{
        (void)i;
        return o->fleet != NULL ? o->fleet->member[o->member].nearest_m : NAN;
}

double quantity_centre_distance(const struct observation *o, int i)
{
        (void)i;
        return o->fleet != NULL ? o->fleet->member[o->member].centre_m : NAN;
}

double quantity_fleet_centre(const struct observation *o, int i)
{
        double x;

        if (o->fleet == NULL)
                return NAN;
        x = component(o->fleet->centre_ned_m, i);
        return i == 2 ? o->ground_down_m - x : x;
}

double quantity_fleet_figure(const struct observation *o, int i)
{
        const struct fleet *f = o->fleet;

        if (f == NULL)
                return NAN;
        return i == 0   ? f->separation_m
               : i == 1 ? f->radius_m
               : i == 2 ? f->speed_mps
               : i == 3 ? f->order
               : i == 4 ? f->lattice_m
                        : fleet_range_m(f);
}
