/* Flies a vehicle with every sensor through pseudo-random commands, off the ground, through
 * the air and back onto it, and prints a hash of every bit on the way: what different
 * compilers must agree on, and each set of instructions that the processor has. */
#include <inttypes.h>
#include <stdio.h>

#include "models/isa.h"
#include "models/rng.h"
#include "tests/models/md4_200.h"

#define STEPS  20000
#define PERIOD 4 /* steps for which a command holds */

/* FNV-1a. */
static uint64_t add(uint64_t hash, const void *data, size_t size)
{
        const unsigned char *byte = data;

        for (size_t i = 0; i < size; i++)
                hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
        return hash;
}

static void make_noisy(struct error_params *e, double sigma, double lsb)
{
        error_params_ideal(e);
        for (int i = 0; i < 3; i++) {
                e->sigma[i] = sigma;
                e->bias[i] = 0.3 * sigma;
        }
        e->scale[0][1] = 0.01;
        e->lsb = lsb;
}

static void fit_sensors(struct sensors_params *s)
{
        s->imu.schedule.period_ns = 1000000;
        s->imu.lever_arm_body_m = (struct vec3){ 0.03, -0.01, 0.02 };
        s->imu.q_body_to_sensor = quat_from_euler(0.1, 0.2, 0.3);
        make_noisy(&s->imu.accel, 0.05, 9.81 / 2048.0);
        make_noisy(&s->imu.gyro, 0.002, 0.0);
        s->gps.schedule = (struct schedule_params){ 250000000, 0, 100000000 };
        make_noisy(&s->gps.position, 0.8, 0.0);
        make_noisy(&s->gps.velocity, 0.1, 0.01);
        s->gps.satellites = 9;
        s->baro.schedule.period_ns = 20000000;
        make_noisy(&s->baro.pressure, 3.0, 0.0);
        make_noisy(&s->baro.temperature, 0.1, 0.01);
        s->mag.schedule.period_ns = 10000000;
        s->mag.q_body_to_sensor.w = 1.0;
        make_noisy(&s->mag.field, 3e-7, 0.0);
        s->sonar.count = 1;
        s->sonar.unit[0].schedule = (struct schedule_params){ 50000000, 0, 20000000 };
        s->sonar.unit[0].axis_body.z = 1.0;
        s->sonar.unit[0].rays = 9;
        s->sonar.unit[0].opening_rad = 0.5;
        s->sonar.unit[0].beam_max_m = 7.65;
        s->sonar.unit[0].incidence_max_rad = 0.5;
        make_noisy(&s->sonar.unit[0].range, 0.01, 0.0);
        s->flow.schedule.period_ns = 10000000;
        s->flow.q_body_to_sensor.w = 1.0;
        s->flow.range_max_m = 30.0;
        s->flow.incidence_max_rad = 1.0;
        s->flow.rate_max_radps = 7.0;
        s->flow.quality_min = 1;
        s->flow.scale[0] = s->flow.scale[1] = 1.01;
        s->flow.sigma_rad = 1e-3;
        s->flow.has_gyro = true;
        make_noisy(&s->flow.gyro, 0.002, 0.0);
        s->power.schedule.period_ns = 100000000;
        make_noisy(&s->power.voltage, 0.01, 0.0);
        make_noisy(&s->power.current, 0.1, 0.0);
        s->ins = (struct ins_params){ { 10000000, 0, 0 }, 0.01, true, 1000.0 };
}

/* What a part's data sheet says, and what shakes and drains a vehicle. */
static void make_real(struct vehicle_params *p)
{
        struct imu_axes_params *gyro = &p->sensors.imu.gyro_axes;

        gyro->bandwidth_hz = 98.0;
        for (int i = 0; i < 3; i++) {
                gyro->density[i] = 1e-4;
                gyro->instability[i] = 1e-5;
                gyro->walk[i] = 1e-6;
                gyro->turn_on[i] = 0.01;
                gyro->bias_per_k[i] = 1e-4;
        }
        p->sensors.imu.self_heating_k = 15.0;
        p->sensors.imu.warm_up_s = 3.0;
        p->vibration.harmonics = 1;
        p->vibration.harmonic[0] =
                (struct vibration_harmonic){ 2.0, { 1e-5, 1e-5, 1e-5 }, 0.3 };
        p->tolerance = (struct tolerance_params){ 0.01, 0.01, 0.01, 0.01 };
        p->rotor_radius_m = 0.18;
        p->surroundings =
                (struct surroundings_params){ { 0.0, 0.0, 0.0 }, { 0.3, 0.3, 0.1 }, 1.2 };
        p->battery = (struct battery_params){ .capacity_c = 8280.0,
                                              .charge_ratio = 1.0,
                                              .resistance_ohm = 0.02,
                                              .points = 2,
                                              .curve_ratio = { 0.0, 1.0 },
                                              .curve_v = { 13.0, 16.8 },
                                              .cutoff_v = 10.0,
                                              .idle_w = 5.0,
                                              .efficiency = 0.7,
                                              .reference_v = 15.5 };
}

static void stir(struct world *w)
{
        w->wind.steady_ned_mps = (struct vec3){ 2.0, -1.0, 0.2 };
        w->wind.turbulence_mps = 4.0;
        w->wind.gusts = 1;
        w->wind.gust[0] = (struct gust){ 2000000000, 1500000000, { 1.0, 2.0, -0.5 } };
        w->regions = 1;
        w->region[0] = (struct region){ .centre_ned_m = { 0.0, 0.0, -2.0 },
                                        .half_m = { 1.0, 1.0, 1.0 },
                                        .q_region_to_ned = { 1.0, 0.0, 0.0, 0.0 },
                                        .wind_ned_mps = { 0.5, 0.0, 0.0 },
                                        .force_ned_n = { 0.3, 0.2, -0.1 } };
}

/* Up for a while, then down for longer, never even. */
static void command_at(struct motor_command *c, int step, struct rng *rng)
{
        double mean = step % 4000 < 1500 ? 0.38 : 0.20;

        for (int i = 0; i < 4; i++)
                c->duty[i] = mean + 0.01 * rng_normal(rng);
}

/* Member by member: what lies between members is nobody's. */
static uint64_t add_frame(uint64_t hash, const struct sensor_frame *f)
{
        hash = add(hash, &f->fresh, sizeof f->fresh);
        hash = add(hash, &f->imu, sizeof f->imu);
        hash = add(hash, &f->gps.lat_rad, 3 * sizeof(double));
        hash = add(hash, &f->gps.vel_ned_mps, sizeof f->gps.vel_ned_mps);
        hash = add(hash, &f->baro, sizeof f->baro);
        hash = add(hash, &f->mag, sizeof f->mag);
        hash = add(hash, &f->flow.flow_x_rad, 4 * sizeof(double));
        hash = add(hash, &f->power.voltage_v, 3 * sizeof(double));
        hash = add(hash, &f->ins.pos_ned_m, 6 * sizeof(double));
        return add(hash, &f->sonar[0].range_m, sizeof f->sonar[0].range_m);
}

static uint64_t hash_of_flight(int *touched)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command c = { { 0.0 } };
        struct sensor_frame frame;
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        struct vehicle v;
        struct rng rng;

        stir(&w);
        w.magnetic_field_ned_t = (struct vec3){ 21.6e-6, 1.4e-6, 43.1e-6 };
        w.ground.restitution = 0.3;
        p.airframe.angular_nm_per_radps = (struct vec3){ 0.3, 0.3, 0.03 };
        p.airframe.quadratic_area_m2 = (struct vec3){ 0.02, 0.03, 0.05 };
        p.body.inertia_kgm2[0][1] = p.body.inertia_kgm2[1][0] = 1e-4;
        fit_sensors(&p.sensors);
        make_real(&p);
        rng_init(&rng, 1, 0, 100, 0);
        put(&v, &p, &w, 1000000, 0.5, 0.0);
        for (int i = 0; i < STEPS; i += PERIOD) {
                command_at(&c, i, &rng);
                frame = *vehicle_step(&v, &p, &w, NULL, &c, PERIOD);
                *touched += v.contact.touching;
                hash = add(hash, &v.body, sizeof v.body);
                hash = add_frame(hash, &frame);
        }
        return hash;
}

int main(void)
{
        int touched = 0;
        uint64_t hash = hash_of_flight(&touched);

        for (isa_used = ISA_ANY; isa_used < ISA_COUNT; isa_used++) {
                int again = 0;
                uint64_t other = isa_available(isa_used) ? hash_of_flight(&again) : hash;

                if (other == hash)
                        continue;
                printf("%016" PRIx64 ", and with %s %016" PRIx64 "\n", hash,
                       isa_name(isa_used), other);
                return 1;
        }
        printf("%016" PRIx64 " touched %d of %d\n", hash, touched, STEPS / PERIOD);
        return touched > 0 && touched < STEPS / PERIOD ? 0 : 1;
}
