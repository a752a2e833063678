/* The plant's and the sensors' throughput, flying a rig file's vehicle through commands that
 * change at every step. The checksum is of what it computed: equal checksums mean
 * equal work. */
#include "hil/bench/plant.h"

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hil/config/config.h"
#include "io/sort.h"

#define REPEATS  7
#define STEP_NS  1000000
#define COMMANDS 64
/* The flight starts again from the same place before it has tumbled down to the ground, which costs several times as much. */
#define FLIGHT_STEPS 1000
#define FLIGHTS      200

#define HEIGHT_M 50.0

struct bench {
        struct rig_config config;
        struct vehicle_params params;
        struct motor_command command[COMMANDS];
        struct vehicle vehicle;
        struct vehicle start;
};

double bench_hover_radps(const struct vehicle_params *p, const struct world *w)
{
        double sum = 0.0;

        for (int i = 0; i < p->rotors; i++)
                sum += p->rotor[i].thrust_n_per_radps2;
        return sum > 0.0 ? sqrt(p->body.mass_kg * w->gravity_mps2 / sum)
                         : 0.5 * p->motor[0].speed_limit_radps;
}

void bench_hover_commands(struct motor_command *command, int count,
                          const struct vehicle_params *p, const struct world *w)
{
        double hover = bench_hover_radps(p, w) / p->motor[0].speed_full_radps;
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < count; i++)
                for (int k = 0; k < p->rotors; k++)
                        command[i].duty[k] = hover * (0.95 + 0.2 * rng_uniform(&rng));
}

static void take_off(struct bench *b)
{
        const struct world *world = &b->config.world;

        b->params = b->config.vehicle[0].params;
        vehicle_params_prepare(&b->params, STEP_NS, 1, 0);
        bench_hover_commands(b->command, COMMANDS, &b->params, world);
        vehicle_init(&b->start, &b->params, world, 1, 0,
                     (struct vec3){ 0.0, 0.0, world->ground_down_m - HEIGHT_M }, 0.3);
        for (int i = 0; i < b->params.rotors; i++)
                b->start.motor[i].speed_radps = bench_hover_radps(&b->params, world);
        b->vehicle = b->start;
}

static struct bench *bench_new(const char *config_path)
{
        const struct config_overrides none = { 0 };
        struct bench *b = malloc(sizeof *b);
        struct config_error error;
        char *resolved;

        if (b == NULL ||
            !config_read(&b->config, config_path, &none, &resolved, &error)) {
                fprintf(stderr, "hilrig bench: %s\n",
                        b == NULL ? "out of memory" : error.text);
                free(b);
                return NULL;
        }
        free(resolved);
        take_off(b);
        return b;
}

void bench_start_again(struct vehicle *v, const struct vehicle *start)
{
        int64_t t_ns = v->t_ns;

        memcpy(v, start, offsetof(struct vehicle, sensors));
        v->t_ns = t_ns;
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
        bench_start_again(&b->vehicle, &b->start);
        for (int i = 0; i < FLIGHT_STEPS; i++)
                vehicle_move(&b->vehicle, &b->params, &b->config.world,
                             &b->command[i % COMMANDS]);
        return checksum_add(sum, &b->vehicle.body, sizeof b->vehicle.body);
}

static uint64_t fly_sensors(struct bench *b, uint64_t sum)
{
        const struct sensor_frame *frame;
        struct vec3 heard = { 0 };

        bench_start_again(&b->vehicle, &b->start);
        for (int i = 0; i < FLIGHT_STEPS; i++) {
                frame = vehicle_step(&b->vehicle, &b->params, &b->config.world, NULL,
                                     &b->command[i % COMMANDS], 1);
                heard = vec3_add(heard, frame->imu.accel_body_mps2);
        }
        frame = &b->vehicle.sensors.latest;
        heard.x += frame->gps.lat_rad + frame->baro.pressure_pa + frame->sonar[0].range_m;
        heard = vec3_add(heard, frame->mag.field_body_t);
        sum = checksum_add(sum, &b->vehicle.body, sizeof b->vehicle.body);
        return checksum_add(sum, &heard, sizeof heard);
}

double bench_cpu_s(void)
{
        struct timespec t;

        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

static int measure(FILE *out, const char *name, const char *config_path,
                   uint64_t (*fly)(struct bench *b, uint64_t sum))
{
        const double steps = (double)FLIGHTS * FLIGHT_STEPS;
        struct bench *b = bench_new(config_path);
        double took_s[REPEATS], median_s;
        uint64_t sum = UINT64_C(0xcbf29ce484222325);
        cpu_set_t before;
        bool landed;

        if (b == NULL)
                return -1;
        stay_on_this_cpu(&before);
        /* Warms caches and branch predictors, and wakes up the clock. */
        for (int k = 0; k < 4 * FLIGHTS; k++)
                sum = fly(b, sum);
        for (int i = 0; i < REPEATS; i++) {
                double start_s = bench_cpu_s();

                for (int k = 0; k < FLIGHTS; k++)
                        sum = fly(b, sum);
                took_s[i] = bench_cpu_s() - start_s;
        }
        if (CPU_COUNT(&before) > 0)
                sched_setaffinity(0, sizeof before, &before);
        config_free(&b->config);
        landed = b->vehicle.contact.touching;
        free(b);
        if (landed) {
                fprintf(stderr,
                        "hilrig bench: %s: the vehicle of %s hit something within %g s: "
                        "not measured\n",
                        name, config_path, FLIGHT_STEPS * 1e-9 * STEP_NS);
                return -1;
        }
        sort_doubles(took_s, REPEATS);
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

int bench_plant(FILE *out, const char *config_path)
{
        return measure(out, "plant", config_path, fly_plant);
}

int bench_sensors(FILE *out, const char *config_path)
{
        return measure(out, "sensors", config_path, fly_sensors);
}
