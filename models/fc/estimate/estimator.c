#include "models/fc/estimate/estimator.h"

#include <stddef.h>

#define GRAVITY_MPS2 9.80665

/* After this time an input is no longer waited for. */
#define GPS_SEARCH_S 10.0
#define GPS_LOST_S   2.0
#define NEVER_S      1e9

#define FELT_MAX_SHARE 1.5 /* of the rotors' full thrust; and 1 g */
#define ORIGIN_SAMPLES 8
#define H_ACC_MAX_M    10.0
#define COAST_S        1.0 /* without GPS the velocity is forgotten this fast */

void estimator_init(struct fc_estimator *e)
{
        *e = (struct fc_estimator){
                .ahrs.q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 },
                .gps_age_s = NEVER_S,
                .baro_age_s = NEVER_S,
                .sonar_age_s = NEVER_S,
        };
}

/* Written so that NaN fails. */
static bool within(double x, double low, double high)
{
        return x >= low && x <= high;
}

static bool within3(struct vec3 v, double most)
{
        return within(v.x, -most, most) && within(v.y, -most, most) &&
               within(v.z, -most, most);
}

double estimator_since(int64_t *last_ns, int64_t t_ns)
{
        double dt_s = (double)(t_ns - *last_ns) * 1e-9;

        if (!(dt_s > 0.0))
                return 0.0;
        *last_ns = t_ns;
        return fmin(dt_s, 1.0);
}

static void start_flying_state(struct fc_estimator *e, const struct fc_params *p)
{
        struct alignment_result r =
                alignment_result(&e->alignment, p->magnetic_declination_rad);

        e->ahrs = (struct ahrs){ .q_body_to_ned = r.q_body_to_ned,
                                 .gyro_bias_radps = r.gyro_bias_radps };
        e->motion = (struct motion){ .now.t_ns = e->imu_t_ns };
        /* At rest it feels exactly 1 g: any difference is due to the sensor, or to local gravity. */
        e->motion.accel_bias_ned_mps2.z = GRAVITY_MPS2 - vec3_norm(r.accel_body_mps2);
        e->felt_body_mps2 = r.accel_body_mps2;
        e->baro_zero_pa = r.pressure_pa;
        e->baro_zero_k = r.temperature_k;
        e->aligned = true;
}

/* Specific force; an impact says nothing about the rest of its sampling period, so the previous
 * value is used instead. */
static struct vec3 felt(struct fc_estimator *e, const struct fc_params *p,
                        struct vec3 accel_body_mps2)
{
        double thrust = p->rotors * p->thrust_n_per_radps2 * p->speed_limit_radps *
                        p->speed_limit_radps / p->mass_kg;

        if (vec3_norm(accel_body_mps2) < FELT_MAX_SHARE * thrust + GRAVITY_MPS2)
                e->felt_body_mps2 = accel_body_mps2;
        return e->felt_body_mps2;
}

static void use_imu(struct fc_estimator *e, const struct fc_params *p,
                    const struct imu_sample *imu, double dt_s)
{
        struct vec3 accel;

        if (!e->aligned) {
                alignment_imu(&e->alignment, imu, dt_s);
                if (alignment_missing(&e->alignment) == NULL)
                        start_flying_state(e, p);
                return;
        }
        ahrs_imu(&e->ahrs, p, imu, dt_s);
        accel = quat_rotate(e->ahrs.q_body_to_ned, felt(e, p, imu->accel_body_mps2));
        accel.z += GRAVITY_MPS2;
        motion_predict(&e->motion, accel, imu->t_ns);
        if (!estimator_knows_position(e)) {
                double kept = 1.0 - fmin(dt_s / COAST_S, 1.0);

                e->motion.now.vel_ned_mps.x *= kept;
                e->motion.now.vel_ned_mps.y *= kept;
        }
        e->searching_s += e->origin_known ? 0.0 : dt_s;
        e->gps_age_s += dt_s;
        e->baro_age_s += dt_s;
        e->sonar_age_s += dt_s;
}

static void use_mag(struct fc_estimator *e, const struct fc_params *p,
                    const struct mag_sample *mag)
{
        double dt_s = estimator_since(&e->mag_t_ns, mag->t_ns);

        if (dt_s <= 0.0)
                return;
        if (e->aligned)
                ahrs_mag(&e->ahrs, p, mag->field_body_t, dt_s);
        else
                alignment_mag(&e->alignment, mag);
}

/* The mean of the first fixes is the origin of NED. */
static void find_origin(struct fc_estimator *e, const struct gps_sample *gps)
{
        struct earth_position at = { gps->lat_rad, gps->lon_rad, gps->height_m };
        struct earth_origin first;

        if (e->origin_samples == 0)
                e->first_fix = at;
        first = (struct earth_origin){ e->first_fix.lat_rad, e->first_fix.lon_rad,
                                       e->first_fix.height_m };
        e->origin_sum_m = vec3_add(e->origin_sum_m, earth_to_ned(&first, at));
        e->origin_samples++;
        if (e->origin_samples < ORIGIN_SAMPLES)
                return;
        at = earth_from_ned(&first, vec3_scale(1.0 / e->origin_samples, e->origin_sum_m));
        e->origin = (struct earth_origin){ at.lat_rad, at.lon_rad, at.height_m };
        e->origin_known = true;
}

static double gain(double dt_s, double tau_s)
{
        return dt_s / (dt_s + tau_s);
}

/* Compares a fix with the estimate at the fix's own time. A persistent velocity error is due to the
 * accelerometer, or to the tilt. */
static void correct_by_fix(struct fc_estimator *e, const struct fc_params *p,
                           const struct motion_point *fix, double dt_s)
{
        double pos_gain = gain(dt_s, p->gps_pos_tau_s);
        double vel_gain = gain(dt_s, p->gps_vel_tau_s);
        double bias_gain = 0.25 * vel_gain * vel_gain / dt_s;
        struct motion_point then;
        struct vec3 pos, vel;

        if (!motion_at(&e->motion, fix->t_ns, &then))
                return;
        pos = vec3_scale(pos_gain, vec3_sub(fix->pos_ned_m, then.pos_ned_m));
        vel = vec3_scale(vel_gain, vec3_sub(fix->vel_ned_mps, then.vel_ned_mps));
        if (e->baro_age_s < ESTIMATOR_BARO_LOST_S)
                pos.z = 0.0; /* the barometer is the better altimeter */
        motion_correct(&e->motion, fix->t_ns, pos, vel);
        e->motion.accel_bias_ned_mps2 =
                vec3_axpy(e->motion.accel_bias_ned_mps2, -bias_gain / vel_gain, vel);
        e->gps_age_s = 0.0;
}

static bool fix_usable(const struct gps_sample *gps)
{
        return gps->fix == GPS_FIX_3D && within(gps->lat_rad, -M_PI_2, M_PI_2) &&
               within(gps->lon_rad, -M_PI, M_PI) && within(gps->height_m, -1e4, 1e5) &&
               within3(gps->vel_ned_mps, 1e3) && gps->h_acc_m <= H_ACC_MAX_M;
}

static void use_gps(struct fc_estimator *e, const struct fc_params *p,
                    const struct gps_sample *gps, bool on_ground)
{
        struct motion_point fix;
        double dt_s;

        if (!fix_usable(gps))
                return;
        dt_s = estimator_since(&e->gps_t_ns, gps->t_ns);
        if (dt_s <= 0.0)
                return;
        if (!e->origin_known) {
                find_origin(e, gps);
                /* It has not moved: a single fix is no better. */
                if (e->origin_known && on_ground)
                        e->gps_age_s = 0.0;
                return;
        }
        fix.t_ns = gps->t_ns - (int64_t)(p->gps_delay_s * 1e9);
        fix.pos_ned_m = earth_to_ned(
                &e->origin,
                (struct earth_position){ gps->lat_rad, gps->lon_rad, gps->height_m });
        fix.vel_ned_mps = gps->vel_ned_mps;
        if (!e->aligned)
                return;
        if (!estimator_knows_position(e)) {
                motion_restart(&e->motion, &fix);
                e->gps_age_s = 0.0;
        } else {
                correct_by_fix(e, p, &fix, dt_s);
        }
}

static bool imu_usable(const struct imu_sample *imu)
{
        return within3(imu->accel_body_mps2, 1e4) && within3(imu->gyro_body_radps, 1e3);
}

static double take_imu(struct fc_estimator *e, const struct fc_params *p,
                       const struct imu_sample *imu)
{
        double dt_s;

        if (!e->started) {
                e->started = true;
                e->imu_t_ns = imu->t_ns;
                e->gps_t_ns = e->baro_t_ns = e->mag_t_ns = e->sonar_t_ns =
                        imu->t_ns - 1000000000;
                return 0.0;
        }
        dt_s = estimator_since(&e->imu_t_ns, imu->t_ns);
        if (dt_s > 0.0)
                use_imu(e, p, imu, dt_s);
        return dt_s;
}

double estimator_step(struct fc_estimator *e, const struct fc_params *p,
                      const struct sensor_frame *frame, bool on_ground)
{
        uint32_t fresh = frame->fresh;
        double dt_s = 0.0;

        if ((fresh & SENSOR_BIT(SENSOR_IMU)) && imu_usable(&frame->imu))
                dt_s = take_imu(e, p, &frame->imu);
        if (!e->started)
                return 0.0;
        if ((fresh & SENSOR_BIT(SENSOR_MAG)) && within3(frame->mag.field_body_t, 1.0))
                use_mag(e, p, &frame->mag);
        if ((fresh & SENSOR_BIT(SENSOR_BARO)) &&
            within(frame->baro.pressure_pa, 1e3, 2e5))
                estimator_use_baro(e, p, &frame->baro);
        /* Vehicle files list the sonar that looks down first; the others are not used. */
        if ((frame->fresh_sonars & 1) && within(frame->sonar[0].range_m, 0.0, 1e3))
                estimator_use_sonar(e, p, &frame->sonar[0], on_ground);
        if (fresh & SENSOR_BIT(SENSOR_GPS))
                use_gps(e, p, &frame->gps, on_ground);
        e->q_body_to_ned = e->ahrs.q_body_to_ned;
        e->rate_body_radps = e->ahrs.rate_body_radps;
        e->pos_ned_m = e->motion.now.pos_ned_m;
        e->vel_ned_mps = e->motion.now.vel_ned_mps;
        return dt_s;
}

const char *estimator_missing(const struct fc_estimator *e)
{
        if (!e->started)
                return "no IMU";
        if (!e->aligned)
                return alignment_missing(&e->alignment);
        if (!e->origin_known && e->searching_s < GPS_SEARCH_S)
                return "waiting for GPS fix";
        return NULL;
}

bool estimator_knows_position(const struct fc_estimator *e)
{
        return e->gps_age_s < GPS_LOST_S;
}
