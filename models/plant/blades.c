#include "models/plant/blades.h"

#define PI 3.14159265358979323846

/* v/vh over Vc/vh in the vortex ring state, from -2 (windmill brake) to 0 (hover): Leishman,
 * Principles of Helicopter Aerodynamics, eq. 2.96, after measurements. His last coefficient,
 * 0.655, leaves a gap of 2.6 % to the windmill branch's v = vh at -2; with 0.656625 they meet. */
static double ring_speed(double r)
{
        return 1.0 - r * (1.125 + r * (1.372 + r * (1.718 + r * 0.656625)));
}

static double ring_slope(double r)
{
        return -(1.125 + r * (2.0 * 1.372 + r * (3.0 * 1.718 + r * 4.0 * 0.656625)));
}

/* Vc/vh at which Vc/v is x: the ratio rises all the way. */
static double ring_climb(double x)
{
        double low = -2.0, high = 0.0;

        for (int i = 0; i < 60; i++) {
                double middle = 0.5 * (low + high);

                if (middle < x * ring_speed(middle))
                        low = middle;
                else
                        high = middle;
        }
        return 0.5 * (low + high);
}

/* The fit gives v for a thrust; the disk needs the thrust for v. */
static void prepare_ring(double ring[BLADES_RING_NODES][2])
{
        for (int i = 0; i < BLADES_RING_NODES; i++) {
                double r = ring_climb(-2.0 + 2.0 * i / (BLADES_RING_NODES - 1));
                double q = ring_speed(r), slope = ring_slope(r);

                ring[i][0] = 1.0 / (q * q);
                ring[i][1] = -2.0 * slope / (q * (q - r * slope));
        }
}

void blades_params_prepare(struct blades_params *p)
{
        const double r = p->radius_m;

        if (!(r > 0.0))
                return;
        p->solidity = p->blades * p->chord_m / (PI * r);
        p->area_m2 = PI * r * r;
        p->lift_m2 = p->solidity * p->area_m2 * p->lift_slope * p->thrust_factor;
        p->drag_m2 = p->solidity * p->area_m2 * p->drag_coefficient * p->torque_factor;
        /* Apparent mass of a disk in still air (Carpenter and Fridovich 1953): 8/3 rho R^3. */
        p->disk_per_m = p->area_m2 / (8.0 / 3.0 * r * r * r);
        prepare_ring(p->ring);
}

/* Cubic between the nodes; x in (-2, 0). */
static double ring_thrust(const struct blades_params *p, double x)
{
        const double width = 2.0 / (BLADES_RING_NODES - 1);
        double place = (x + 2.0) * (1.0 / width);
        int i = (int)place;
        double t = place - i, u = 1.0 - t;

        if (i >= BLADES_RING_NODES - 1)
                return 1.0;
        return u * u * ((1.0 + 2.0 * t) * p->ring[i][0] + width * t * p->ring[i][1]) +
               t * t *
                       ((1.0 + 2.0 * u) * p->ring[i + 1][0] -
                        width * u * p->ring[i + 1][1]);
}

/* Speed of the air that takes part in making the thrust, 2 rho A v times this: Glauert's sqrt(V^2 +
 * (Vc + v)^2), which holds in the windmill brake too. Between them, where the descent is slower
 * than 2 v, the fit replaces Vc + v, and fades with forward speed as (1 - (V/v)^2)^2: at V = v,
 * near vh, the rotor has left its ring (Johnson 2005 puts the boundary at 0.95 vh). */
static inline double wake_mps(const struct blades_params *p, double inflow, double climb,
                              double across2)
{
        double inflow2 = inflow * inflow;
        double axial = climb + inflow, axial2 = axial * axial;

        if (climb * inflow < 0.0 && fabs(climb) < 2.0 * fabs(inflow) &&
            across2 < inflow2) {
                double per_inflow = 1.0 / inflow;
                double ring = ring_thrust(p, climb * per_inflow);
                double fade = 1.0 - across2 * (per_inflow * per_inflow);

                axial2 += fade * fade * (inflow2 * ring * ring - axial2);
        }
        return sqrt(across2 + axial2);
}

/* Speeds used by the blade elements. */
struct flow {
        double tip_mps; /* Omega R */
        double across2; /* of the airspeed in the disk, squared */
        double share; /* of it that counts */
        double climb_mps, through_mps; /* through the disk, downwards */
};

static inline struct flow flow_at(const struct blades_params *p, double speed_radps,
                                  struct vec3 airspeed, double felt_inflow)
{
        struct flow f = { .tip_mps = speed_radps * p->radius_m,
                          .across2 = airspeed.x * airspeed.x + airspeed.y * airspeed.y,
                          .share = 1.0,
                          .climb_mps = -airspeed.z };

        f.through_mps = f.climb_mps + felt_inflow;
        if (f.across2 > f.tip_mps * f.tip_mps)
                f.share = f.tip_mps / sqrt(f.across2);
        if (f.through_mps > f.tip_mps)
                f.through_mps = f.tip_mps;
        else if (f.through_mps < -f.tip_mps)
                f.through_mps = -f.tip_mps;
        return f;
}

/* C_T, times (Omega R)^2/(sigma a). */
static inline double lift_of(const struct blades_params *p, const struct flow *f)
{
        double across2 = f->share * f->share * f->across2;

        return f->tip_mps * (f->tip_mps * (p->pitch_rad / 6.0 - p->twist_rad / 8.0) -
                             0.25 * f->through_mps) +
               across2 * (0.25 * p->pitch_rad - 0.125 * p->twist_rad);
}

/* The disk's apparent mass follows the difference of the two thrusts. The air density
 * cancels. */
static inline double inflow_dot(const struct blades_params *p, const struct flow *f,
                                double lift, double inflow)
{
        double momentum = 2.0 * inflow * wake_mps(p, inflow, f->climb_mps, f->across2);

        return p->disk_per_m * (p->lift_m2 / p->area_m2 * lift - momentum);
}

void blades_derive(struct blades_forces *out, const struct blades_params *p,
                   double speed_radps, double spin, struct vec3 airspeed_body_mps,
                   double inflow_mps, double ground_factor, double air_density_kgpm3)
{
        const struct vec3 air = airspeed_body_mps;
        const double lift = air_density_kgpm3 * p->lift_m2;
        const double drag = air_density_kgpm3 * p->drag_m2;
        const struct flow f = flow_at(p, speed_radps, air, ground_factor * inflow_mps);
        const double tip = f.tip_mps, through = f.through_mps;
        const double pitch = p->pitch_rad / 6.0 - p->twist_rad / 8.0;
        double thrust = lift_of(p, &f);
        /* C_H and C_R over the airspeed in the disk, C_Q: likewise. */
        double hub =
                f.share * (0.25 * drag * tip +
                           0.25 * lift * through * (p->pitch_rad - 0.5 * p->twist_rad));
        double roll =
                spin * f.share * p->radius_m * lift * (tip * pitch - 0.125 * through);
        double across2 = f.share * f.share * f.across2;

        out->inflow_dot_mps2 = inflow_dot(p, &f, thrust, inflow_mps);
        out->shaft_nm = p->radius_m * (0.125 * drag * (tip * tip + across2) +
                                       lift * through * (tip * pitch - 0.25 * through));
        out->force_body_n = (struct vec3){ -hub * air.x, -hub * air.y, -lift * thrust };
        out->torque_body_nm =
                (struct vec3){ roll * air.x, roll * air.y, -spin * out->shaft_nm };
}

static double rest_of(const struct blades_params *p, double speed_radps,
                      struct vec3 airspeed, double inflow)
{
        struct flow f = flow_at(p, speed_radps, airspeed, inflow);

        return inflow_dot(p, &f, lift_of(p, &f), inflow);
}

/* The change falls monotonically with the inflow: its zero is bracketed, then bisected. */
double blades_steady_inflow_mps(const struct blades_params *p, double speed_radps,
                                struct vec3 airspeed_body_mps, double air_density_kgpm3)
{
        double way = rest_of(p, speed_radps, airspeed_body_mps, 0.0) < 0.0 ? -1.0 : 1.0;
        double near = 0.0, far = way;

        /* The density cancels here, too. */
        (void)air_density_kgpm3;
        for (int i = 0;
             i < 60 && way * rest_of(p, speed_radps, airspeed_body_mps, far) > 0.0; i++)
                far *= 2.0;
        for (int i = 0; i < 200; i++) {
                double middle = 0.5 * (near + far);

                if (middle == near || middle == far)
                        break;
                if (way * rest_of(p, speed_radps, airspeed_body_mps, middle) > 0.0)
                        near = middle;
                else
                        far = middle;
        }
        return 0.5 * (near + far);
}
