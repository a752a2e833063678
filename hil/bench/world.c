/* Hills of triangles, and a vehicle that stands at many places a little above them. The worst period is
 * that in which the dearest of all pings leaves: the sonars of a ring take turns. */
#include "hil/bench/plant.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "hil/bench/bench.h"
#include "hil/config/world/scenery.h"
#include "models/sensors/sonar.h"

#define CELL_M    0.25
#define PLACES    64
#define QUESTIONS 20000
#define REPEATS   7

#define RING        12
#define RING_RAYS   25
#define RING_HZ     20.0
#define PERIOD_NS   1e6
#define RING_BEAM_M 7.65 /* FINken report 3.1.1 */

struct bench {
        struct scenery *scenery;
        struct world world;
        struct body_state at[PLACES];
        struct vec3 dir[PLACES];
        struct sonar_params ring;
        struct sonar sonar;
        double kept; /* of what was computed, so that it is */
};

static double hill_m(double north, double east)
{
        return 0.8 * sin(0.7 * north) * cos(0.5 * east) + 0.3 * sin(2.1 * east);
}

static struct vec3 ground_at(double north, double east)
{
        return (struct vec3){ east, north, hill_m(north, east) };
}

/* A square field of two triangles a cell, in a mesh file's axes. */
static bool build_hills(struct bench *b, int triangles)
{
        int side = (int)ceil(sqrt(0.5 * triangles));
        double half_m = 0.5 * CELL_M * side;
        struct mesh mesh = { .triangle = calloc((size_t)triangles + 1,
                                                sizeof(struct mesh_triangle)) };
        struct scenery_place place = {
                .own_to_ned = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } },
        };
        bool ok;

        for (int i = 0; mesh.triangle && mesh.triangles < triangles; i++) {
                int row = i / 2 / side, column = i / 2 % side;
                double n = CELL_M * row - half_m, e = CELL_M * column - half_m;
                double other = i % 2 == 0 ? 0.0 : CELL_M;

                mesh.triangle[mesh.triangles++] = (struct mesh_triangle){
                        { ground_at(n, e), ground_at(n + CELL_M, e + CELL_M),
                          ground_at(n + CELL_M - other, e + other) }
                };
        }
        b->scenery = mesh.triangle ? scenery_new(1, 1) : NULL;
        ok = b->scenery && scenery_mesh(b->scenery, &place, &mesh, 1.0, false) &&
             scenery_finish(b->scenery, 1);
        mesh_free(&mesh);
        return ok;
}

/* Half a metre above the hills, half of the field's width from its edge at least. */
static void choose_places(struct bench *b, int triangles)
{
        double half_m = 0.25 * CELL_M * ceil(sqrt(0.5 * triangles));
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < PLACES; i++) {
                double n = half_m * (2.0 * rng_uniform(&rng) - 1.0);
                double e = half_m * (2.0 * rng_uniform(&rng) - 1.0);
                struct vec3 d;

                b->at[i].pos_ned_m = (struct vec3){ n, e, -hill_m(n, e) - 0.5 };
                b->at[i].q_body_to_ned =
                        quat_from_euler(0.0, 0.0, 6.28 * rng_uniform(&rng));
                d.x = rng_normal(&rng);
                d.y = rng_normal(&rng);
                d.z = rng_normal(&rng);
                b->dir[i] = vec3_scale(1.0 / vec3_norm(d), d);
        }
}

static void fit_ring(struct bench *b)
{
        b->ring.count = RING;
        for (int i = 0; i < RING; i++) {
                double azimuth = 2.0 * 3.14159265358979323846 * i / RING;
                struct sonar_unit_params *u = &b->ring.unit[i];

                u->schedule.period_ns = (int64_t)(1e9 / RING_HZ);
                u->axis_body = (struct vec3){ cos(azimuth), sin(azimuth), 0.0 };
                u->opening_rad = 30.0 * 3.14159265358979323846 / 180.0;
                u->rays = RING_RAYS;
                u->beam_max_m = RING_BEAM_M;
                u->incidence_max_rad = 1.2;
                error_params_ideal(&u->range);
        }
        sonar_params_prepare(&b->ring);
        sonar_init(&b->sonar, &b->ring, 1, 0);
}

static double now_ns(clockid_t clock)
{
        struct timespec t;

        clock_gettime(clock, &t);
        return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void ask_ray(struct bench *b, int i)
{
        double range_m = world_hit(&b->world, b->at[i % PLACES].pos_ned_m,
                                   b->dir[i / PLACES % PLACES], 2.0 * RING_BEAM_M)
                                 .range_m;

        b->kept += range_m < INFINITY ? range_m : 0.0;
}

/* A hull that nearly always touches. */
static void ask_touch(struct bench *b, int i)
{
        struct world_touch touch[WORLD_TOUCHES_MAX];
        struct vec3 pos = b->at[i % PLACES].pos_ned_m;

        b->kept += world_touches(&b->world, pos, pos, 0.5, touch);
}

static void ask_room(struct bench *b, int i)
{
        b->kept += world_free_m(&b->world, b->at[i % PLACES].pos_ned_m, 3.0);
}

static double measure_ns(struct bench *b, void (*ask)(struct bench *b, int i))
{
        double took_ns[REPEATS];

        for (int r = 0; r < REPEATS; r++) {
                double start_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);

                for (int i = 0; i < QUESTIONS; i++)
                        ask(b, i);
                took_ns[r] = (now_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns) / QUESTIONS;
        }
        return bench_median(took_ns, REPEATS);
}

/* The quickest of some tries: what an interrupt adds is not the ping's. */
static double ping_ns(struct bench *b, int place, int unit)
{
        double far[SONARS_MAX], best_ns = INFINITY;
        struct exposure e = { .world = &b->world, .body = &b->at[place] };
        struct sonar_sample sample;

        for (int i = 0; i < SONARS_MAX; i++)
                far[i] = INFINITY;
        e.real_range_m = far;
        for (int r = 0; r < REPEATS; r++) {
                double start_ns = now_ns(CLOCK_MONOTONIC);

                sonar_step(&b->sonar, &b->ring, unit, &e, &sample);
                best_ns = fmin(best_ns, now_ns(CLOCK_MONOTONIC) - start_ns);
                b->kept += sample.range_m;
        }
        return best_ns;
}

static int measure(FILE *out, struct bench *b, int triangles)
{
        double ray_ns = measure_ns(b, ask_ray), touch_ns = measure_ns(b, ask_touch);
        double room_ns = measure_ns(b, ask_room), sum_ns = 0.0, worst_ns = 0.0, mean_ns;

        for (int i = 0; i < PLACES; i++) {
                for (int k = 0; k < RING; k++) {
                        double ns = ping_ns(b, i, k);

                        sum_ns += ns;
                        worst_ns = fmax(worst_ns, ns);
                }
        }
        mean_ns = sum_ns / PLACES * RING_HZ * PERIOD_NS * 1e-9;
        fprintf(out,
                "{\"bench\": \"world\", \"triangles\": %d, \"ray_ns\": %.1f, "
                "\"touch_ns\": %.1f, \"room_ns\": %.1f, \"sonars\": %d, \"rays\": %d, "
                "\"ring_ns_per_period\": %.1f, \"ring_percent\": %.3f, "
                "\"ring_worst_period_ns\": %.0f, \"ring_worst_percent\": %.3f, "
                "\"checksum\": %.9g}\n",
                triangles, ray_ns, touch_ns, room_ns, RING, RING_RAYS, mean_ns,
                100.0 * mean_ns / PERIOD_NS, worst_ns, 100.0 * worst_ns / PERIOD_NS,
                b->kept);
        return fflush(out) == 0 && !ferror(out) ? 0 : -1;
}

static int bench_triangles(FILE *out, int triangles)
{
        struct bench *b = calloc(1, sizeof(*b));
        int status = -1;

        if (b && build_hills(b, triangles)) {
                b->world = (struct world){ .ground_down_m = 5.0,
                                           .ground = { 0.6, 0.0, 1.0, 1.0 },
                                           .atmosphere = { 101325.0, 288.15 },
                                           .scene = &b->scenery->scene };
                choose_places(b, triangles);
                fit_ring(b);
                status = measure(out, b, triangles);
        } else {
                fprintf(stderr, "hilrig bench: world: out of memory\n");
        }
        if (b)
                scenery_free(b->scenery);
        free(b);
        return status;
}

int bench_world(FILE *out)
{
        static const int triangles[] = { 10, 1000, 100000 };

        for (int i = 0; i < 3; i++)
                if (bench_triangles(out, triangles[i]) != 0)
                        return -1;
        return 0;
}
