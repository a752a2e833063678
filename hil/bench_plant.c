/* The plant's and the sensors' throughput, flying a microdrone md4-200 through commands
 * that change at every step. The checksum is of what it computed: equal checksums mean
 * equal work. */
#include "hil/bench_plant.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "models/vehicle.h"

#define REPEATS  7
#define STEP_NS  1000000
#define COMMANDS 64
/* The flight starts again from the same place so often that it never meets the ground. */
#define FLIGHT_STEPS 10000
#define FLIGHTS      20

#define HEIGHT_M  50.0
#define ARM_M     0.26
#define PERIOD(s) ((int64_t)((s)*1e9))

struct bench {
        struct vehicle_params params;
        struct world world;
        struct motor_command command[COMMANDS];
        struct vehicle vehicle;
        struct vehicle start;
};

static const struct world world = {
        .origin = { 0.8134, 0.2494,
                    446.0 }, /* Klagenfurt, where the thesis was written */
        .gravity_mps2 = 9.81,
        .atmosphere = { 101325.0, 288.15 },
        .wind = { .steady_ned_mps = { 1.0, -2.0, 0.1 } },
        .magnetic_field_ned_t = { 21.6e-6, 1.4e-6, 43.1e-6 },
        .ground = { .friction = 0.7, .restitution = 0.2 },
};

/* Gruber table 4.2 as corrected in docs/errata.md, 4.14, and footnote 5 of 3.9. */
static void fit_rotors(struct vehicle_params *p)
{
        /* Front, right, back, left; the front one turns clockwise. */
        const double x[4] = { 1.0, 0.0, -1.0, 0.0 }, y[4] = { 0.0, 1.0, 0.0, -1.0 };

        p->rotors = 4;
        for (int i = 0; i < 4; i++) {
                p->motor[i] = (struct motor_params){
                        .tau_s = 0.165,
                        .speed_full_radps = 1.08 * 4250.0 * 2.0 * M_PI / 60.0,
                        .speed_limit_radps = 2000.0 * 2.0 * M_PI / 60.0,
                };
                p->rotor[i] = (struct rotor_params){
                        .pos_body_m = { ARM_M * x[i], ARM_M * y[i], 0.0 },
                        .spin = i % 2 == 0 ? 1.0 : -1.0,
                        .thrust_n_per_radps2 = 8.694e-5,
                        .torque_nm_per_radps2 = 1.734e-6,
                        .inertia_kgm2 = 1.188e-4,
                        .air_density_ref_kgpm3 = 1.2,
                };
        }
}

static void fit_body(struct vehicle_params *p)
{
        const double mass = 0.964, b = 2.77634;

        p->body = (struct body_params){
                .mass_kg = mass,
                .inertia_kgm2 = { { 8.173e-3, 0.0, 0.0 },
                                  { 0.0, 8.173e-3, 0.0 },
                                  { 0.0, 0.0, 14.882e-3 } },
        };
        p->airframe = (struct airframe_params){
                .linear_n_per_mps = { mass * b, mass * b, mass * b },
                .angular_nm_per_radps = { 1.0473, 1.0473, 0.0320 },
        };
        p->contact = (struct contact_params){
                .points = 4,
                .point_body_m = { { 0.15, 0.15, 0.12 },
                                  { -0.15, 0.15, 0.12 },
                                  { -0.15, -0.15, 0.12 },
                                  { 0.15, -0.15, 0.12 } },
        };
}

static struct error_params noise(double sigma, double lsb, double max)
{
        struct error_params e;

        error_params_ideal(&e);
        for (int i = 0; i < 3; i++)
                e.sigma[i] = sigma;
        e.lsb = lsb;
        e.min = -max;
        e.max = max;
        return e;
}

/* Every sensor, noisy and rounded; the GPS's fixes and the sonar's echoes come late. */
static void fit_sensors(struct sensors_params *s)
{
        *s = (struct sensors_params){ 0 };
        s->imu.schedule.period_ns = PERIOD(0.001);
        s->imu.lever_arm_body_m = (struct vec3){ 0.02, 0.0, 0.01 };
        s->imu.q_body_to_sensor.w = 1.0;
        s->imu.accel = noise(0.05, 9.81 / 2048.0, 16.0 * 9.81);
        s->imu.gyro = noise(2e-3, 1.0 / 939.0, 34.9);
        s->gps.schedule = (struct schedule_params){ PERIOD(0.25), 0, PERIOD(0.1) };
        s->gps.lever_arm_body_m.z = -0.05;
        s->gps.position = noise(0.8, 0.0, INFINITY);
        s->gps.velocity = noise(0.1, 0.0, INFINITY);
        s->gps.satellites = 9;
        s->baro.schedule.period_ns = PERIOD(0.02);
        s->baro.pressure = noise(3.0, 1.0, 120e3);
        s->baro.temperature = noise(0.1, 0.01, 400.0);
        s->mag.schedule.period_ns = PERIOD(0.01);
        s->mag.q_body_to_sensor.w = 1.0;
        s->mag.field = noise(3e-7, 1.5e-7, 1e-3);
        s->sonar.schedule = (struct schedule_params){ PERIOD(0.05), 0, PERIOD(0.02) };
        s->sonar.axis_body.z = 1.0;
        s->sonar.beam_max_m = 7.65;
        s->sonar.incidence_max_rad = 0.5;
        s->sonar.range = noise(0.01, 0.01, 2.65);
}

/* About the duty that hovers, a few per cent either way, the same every time. */
static void choose_commands(struct bench *b)
{
        const struct rotor_params *r = &b->params.rotor[0];
        double hover_radps = sqrt(b->params.body.mass_kg * b->world.gravity_mps2 /
                                  (4.0 * r->thrust_n_per_radps2));
        double hover = hover_radps / b->params.motor[0].speed_full_radps;
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < COMMANDS; i++)
                for (int k = 0; k < 4; k++)
                        b->command[i].duty[k] = hover * (0.95 + 0.2 * rng_uniform(&rng));
}

static struct bench *bench_new(void)
{
        struct bench *b = malloc(sizeof *b);

        if (b == NULL)
                return NULL;
        b->params = (struct vehicle_params){ 0 };
        b->world = world;
        fit_rotors(&b->params);
        fit_body(&b->params);
        fit_sensors(&b->params.sensors);
        vehicle_params_prepare(&b->params, STEP_NS, 1, 0);
        choose_commands(b);
        vehicle_init(&b->start, &b->params, &b->world, 1, 0,
                     (struct vec3){ 0.0, 0.0, -HEIGHT_M }, 0.3);
        b->vehicle = b->start;
        return b;
}

static void start_again(struct bench *b)
{
        b->vehicle.body = b->start.body;
        for (int i = 0; i < 4; i++)
                b->vehicle.motor[i].speed_radps = 169.0;
}

/* FNV-1a over the bits. */
static uint64_t checksum_add(uint64_t sum, const void *data, size_t size)
{
        const unsigned char *byte = data;

        for (size_t i = 0; i < size; i++)
                sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
        return sum;
}

static uint64_t fly_plant(struct bench *b, uint64_t sum)
{
        start_again(b);
        for (int i = 0; i < FLIGHT_STEPS; i++)
                vehicle_move(&b->vehicle, &b->params, &b->world,
                             &b->command[i % COMMANDS]);
        return checksum_add(sum, &b->vehicle.body, sizeof b->vehicle.body);
}

static uint64_t fly_sensors(struct bench *b, uint64_t sum)
{
        struct sensor_frame frame;
        struct vec3 heard = { 0 };

        start_again(b);
        for (int i = 0; i < FLIGHT_STEPS; i++) {
                vehicle_step(&b->vehicle, &b->params, &b->world,
                             &b->command[i % COMMANDS], 1, &frame);
                heard = vec3_add(heard, frame.imu.accel_body_mps2);
        }
        heard.x += frame.gps.lat_rad + frame.baro.pressure_pa + frame.sonar.range_m;
        heard = vec3_add(heard, frame.mag.field_body_t);
        sum = checksum_add(sum, &b->vehicle.body, sizeof b->vehicle.body);
        return checksum_add(sum, &heard, sizeof heard);
}

/* The thread's own time: what other programs take of this CPU is not the plant's cost. */
static double now_s(void)
{
        struct timespec t;

        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int faster(const void *a, const void *b)
{
        double x = *(const double *)a, y = *(const double *)b;

        return (x > y) - (x < y);
}

/* A migration in the middle of a repeat would be measured too. Not being allowed to
 * prevent it only makes the figure worse. */
static void stay_on_this_cpu(cpu_set_t *before)
{
        cpu_set_t here;
        int cpu = sched_getcpu();

        CPU_ZERO(before);
        if (cpu < 0 || sched_getaffinity(0, sizeof *before, before) != 0)
                return;
        CPU_ZERO(&here);
        CPU_SET((size_t)cpu, &here);
        sched_setaffinity(0, sizeof here, &here);
}

static int measure(FILE *out, const char *name,
                   uint64_t (*fly)(struct bench *b, uint64_t sum))
{
        const double steps = (double)FLIGHTS * FLIGHT_STEPS;
        struct bench *b = bench_new();
        double took_s[REPEATS], median_s;
        uint64_t sum = UINT64_C(0xcbf29ce484222325);
        cpu_set_t before;

        if (b == NULL)
                return -1;
        stay_on_this_cpu(&before);
        /* Warms caches and branch predictors, and wakes up the clock. */
        for (int k = 0; k < 4 * FLIGHTS; k++)
                sum = fly(b, sum);
        for (int i = 0; i < REPEATS; i++) {
                double start_s = now_s();

                for (int k = 0; k < FLIGHTS; k++)
                        sum = fly(b, sum);
                took_s[i] = now_s() - start_s;
        }
        if (CPU_COUNT(&before) > 0)
                sched_setaffinity(0, sizeof before, &before);
        free(b);
        qsort(took_s, REPEATS, sizeof took_s[0], faster);
        median_s = took_s[REPEATS / 2];
        fprintf(out,
                "{\"bench\": \"%s\", \"steps_per_s\": %.0f, \"ns_per_step\": %.1f, "
                "\"best_ns_per_step\": %.1f, \"steps\": %.0f, \"repeats\": %d, "
                "\"step_ns\": %d, \"clock\": \"thread_cpu\", \"checksum\": "
                "\"%016llx\"}\n",
                name, steps / median_s, 1e9 * median_s / steps, 1e9 * took_s[0] / steps,
                steps, REPEATS, STEP_NS, (unsigned long long)sum);
        return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

int bench_plant(FILE *out)
{
        return measure(out, "plant", fly_plant);
}

int bench_sensors(FILE *out)
{
        return measure(out, "sensors", fly_sensors);
}
