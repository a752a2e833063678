#include "hil/conform/scene.h"

#include <math.h>
#include <stdio.h>

#include "io/codec/hilp/hilp_si.h"

#define GRAVITY_MPS2  9.80665
#define RAD_PER_DEG   (3.14159265358979323846 / 180.0)
#define CENTRE_M      0.12 /* of mass, above the ground */
#define SEED          1
#define GPS_TIME_S    1.4e9
#define FIELD_T       48.6e-6
#define INCLINATION   (63.6 * RAD_PER_DEG)
#define SONAR_REACH_M 4.0

/* An MPU-6000's steps at 16 g and 2000 deg/s; the rest is ordinary. */
#define ACCEL_LSB    4.79e-3
#define GYRO_LSB     1.064e-3
#define PRESSURE_LSB 0.01
#define FIELD_LSB    150e-9
#define RANGE_LSB    1e-3

static void noisy(struct error_params *p, double sigma, double lsb, double limit)
{
        error_params_ideal(p);
        for (int i = 0; i < 3; i++)
                p->sigma[i] = sigma;
        p->lsb = lsb;
        p->min = -limit;
        p->max = limit;
}

static struct schedule_params every(int64_t period_ns)
{
        return (struct schedule_params){ .period_ns = period_ns };
}

/* No more often than frames go. */
static struct schedule_params at_most_every(int64_t period_ns, int64_t frame_ns)
{
        return every(period_ns > frame_ns ? period_ns : frame_ns);
}

static void fit_imu(struct imu_params *p, int64_t period_ns)
{
        p->schedule = every(period_ns);
        p->q_body_to_sensor = (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        noisy(&p->accel, 0.03, ACCEL_LSB, 32000 * ACCEL_LSB);
        noisy(&p->gyro, 0.002, GYRO_LSB, 32000 * GYRO_LSB);
}

static void fit_gps(struct gps_params *p, int64_t period_ns)
{
        p->schedule = at_most_every(100000000, period_ns);
        p->model = GPS_WHITE;
        p->satellites = 12;
        noisy(&p->position, 0.3, 0.0, 1e7);
        noisy(&p->velocity, 0.03, 0.0, 1e3);
}

static void fit_sonar(struct sonar_params *p, int64_t period_ns)
{
        struct sonar_unit_params *unit = &p->unit[0];

        p->count = 1;
        unit->schedule = at_most_every(50000000, period_ns);
        unit->axis_body = (struct vec3){ 0.0, 0.0, 1.0 };
        unit->rays = 1;
        unit->beam_max_m = SONAR_REACH_M;
        unit->incidence_max_rad = 1.0;
        noisy(&unit->range, 0.005, RANGE_LSB, SONAR_REACH_M);
        unit->range.min = 0.0;
}

static void fit_sensors(struct sensors_params *p, int64_t period_ns)
{
        fit_imu(&p->imu, period_ns);
        fit_gps(&p->gps, period_ns);
        p->baro.schedule = at_most_every(20000000, period_ns);
        noisy(&p->baro.pressure, 1.0, PRESSURE_LSB, 2e5);
        noisy(&p->baro.temperature, 0.01, 0.01, 1e3);
        p->mag.schedule = at_most_every(10000000, period_ns);
        p->mag.q_body_to_sensor = (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        noisy(&p->mag.field, 2e-7, FIELD_LSB, 1e-3);
        fit_sonar(&p->sonar, period_ns);
        sensors_params_prepare(p, period_ns);
}

void conform_scene_init(struct conform_scene *s, int64_t period_ns)
{
        *s = (struct conform_scene){ .period_ns = period_ns };
        s->world = (struct world){
                .origin = { 48.0 * RAD_PER_DEG, 11.0 * RAD_PER_DEG, 500.0 },
                .gps_time_s = GPS_TIME_S,
                .gravity_mps2 = GRAVITY_MPS2,
                .atmosphere = { 101325.0, 288.15 },
                .magnetic_field_ned_t = { FIELD_T * cos(INCLINATION), 0.0,
                                          FIELD_T * sin(INCLINATION) },
        };
        s->body.pos_ned_m.z = -CENTRE_M;
        s->body.q_body_to_ned = (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        s->body.gravity_mps2 = GRAVITY_MPS2;
        for (int i = 0; i < SONARS_MAX; i++)
                s->nothing_m[i] = (double)INFINITY;
        fit_sensors(&s->params, period_ns);
        sensors_init(&s->sensors, &s->params, SEED, 0);
}

static uint32_t us(const struct schedule_params *p)
{
        return (uint32_t)(p->period_ns / 1000);
}

void conform_scene_hello(const struct conform_scene *s, struct hilp_hello *hello)
{
        const double lsb[SENSOR_COUNT] = { [SENSOR_IMU] = ACCEL_LSB,
                                           [SENSOR_BARO] = PRESSURE_LSB,
                                           [SENSOR_MAG] = FIELD_LSB,
                                           [SENSOR_SONAR] = RANGE_LSB };
        const struct sensors_params *p = &s->params;

        hello->frame_period_us = (uint32_t)(s->period_ns / 1000);
        hello->sensor_period_us[0] = us(&p->imu.schedule);
        hello->sensor_period_us[1] = us(&p->gps.schedule);
        hello->sensor_period_us[2] = us(&p->baro.schedule);
        hello->sensor_period_us[3] = us(&p->mag.schedule);
        hello->sensor_period_us[4] = us(&p->sonar.unit[0].schedule);
        hilp_si_units(&hello->units, lsb, GYRO_LSB);
        snprintf(hello->name, sizeof hello->name, "hilrig conform");
}

void conform_scene_turn(struct conform_scene *s, struct vec3 angle_rad,
                        struct vec3 rate_radps)
{
        s->body.q_body_to_ned = quat_from_euler(angle_rad.x, angle_rad.y, angle_rad.z);
        s->body.rate_body_radps = rate_radps;
}

void conform_scene_lift(struct conform_scene *s)
{
        s->lift_ns = s->t_ns;
}

/* Up by the polynomial that begins and ends without speed and acceleration. */
static void lift(struct conform_scene *s)
{
        double x = fmin(1e-9 * (double)(s->t_ns - s->lift_ns) / CONFORM_LIFT_S, 1.0);
        double up = x * x * x * (10.0 + x * (6.0 * x - 15.0));
        double speed = 30.0 * x * x * (1.0 - x) * (1.0 - x) / CONFORM_LIFT_S;
        double accel = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) /
                       (CONFORM_LIFT_S * CONFORM_LIFT_S);

        s->body.pos_ned_m.z = -CENTRE_M - CONFORM_LIFT_M * up;
        s->body.vel_ned_mps.z = -CONFORM_LIFT_M * speed;
        s->body.accel_ned_mps2.z = -CONFORM_LIFT_M * accel;
}

const struct sensor_frame *conform_scene_step(struct conform_scene *s, int periods)
{
        struct sensor_frame *latest = &s->sensors.latest;

        latest->fresh = latest->fresh_sonars = 0;
        for (int i = 0; i < periods; i++) {
                struct exposure e = { .world = &s->world,
                                      .others = &s->others,
                                      .body = &s->body,
                                      .vibration = &s->vibration,
                                      .real_range_m = s->nothing_m };

                s->t_ns += s->period_ns;
                if (s->lift_ns != 0)
                        lift(s);
                e.t_ns = s->t_ns;
                sensors_step(&s->sensors, &s->params, &e);
        }
        s->frame = *latest;
        s->frame.t_ns = s->t_ns;
        return &s->frame;
}
