/* Who is near whom, against looking at every pair. */
#include <math.h>
#include <stdlib.h>

#include "hil/rig/rig.h"
#include "models/rng.h"

#include "tests/suites.h"

static struct rig_config config;
static struct rig_vehicle *vehicle;
static struct config_error why;
static struct rng rng;

/* Vehicles with sonars, anywhere in a field of that size. */
static void open_field(const char *copies, double size_m)
{
        const struct config_overrides o = { .sets = 1, .set = { copies } };
        char text[200];

        ck_assert_msg(
                config_read(&config, "rig_configs/rigs/finken3.json", &o, NULL, &why),
                "%s", why.text);
        rng_init(&rng, 5, 0, 0, 0);
        vehicle = calloc((size_t)config.vehicles, sizeof *vehicle);
        ck_assert_ptr_nonnull(vehicle);
        for (int i = 0; i < config.vehicles; i++) {
                struct body_state *body = &vehicle[i].vehicle.body;

                ck_assert(rig_vehicle_init(&vehicle[i], &config, i, text, sizeof text));
                body->pos_ned_m = (struct vec3){ size_m * rng_uniform(&rng),
                                                 size_m * rng_uniform(&rng), -5.0 };
                body->vel_ned_mps.x = 3.0 * rng_normal(&rng);
        }
}

static void end(void)
{
        for (int i = 0; vehicle != NULL && i < config.vehicles; i++)
                rig_vehicle_close(&vehicle[i]);
        free(vehicle);
        vehicle = NULL;
        config_free(&config);
}

FIXTURE(NULL, end)

static bool knows(const struct rig_vehicle *v, int index)
{
        for (int i = 0; i < v->others.count; i++)
                if (v->others.at[i].index == index)
                        return true;
        return false;
}

static double apart_m(int i, int k)
{
        return vec3_norm(vec3_sub(vehicle[i].vehicle.body.pos_ned_m,
                                  vehicle[k].vehicle.body.pos_ned_m));
}

static struct shape_pose pose_of(const struct rig_vehicle *v)
{
        return (struct shape_pose){ &v->params.shape, v->vehicle.body.pos_ned_m,
                                    quat_to_mat3(v->vehicle.body.q_body_to_ned) };
}

static double overlap_m(int i, int k)
{
        const struct shape_pose a = pose_of(&vehicle[i]), b = pose_of(&vehicle[k]);
        struct shape_contact contact;

        return shapes_meet(&a, &b, &contact) ? contact.depth_m : 0.0;
}

TEST(nobody_who_can_be_heard_or_touched_is_missed)
{
        double hears_m;
        int pairs = 0;

        open_field("vehicles.0.copies.count=60", 60.0);
        hears_m = config.vehicle[0].params.sensors.sonar.unit[0].beam_max_m;
        ck_assert_double_gt(hears_m, 1.0);
        for (int tick = 0; tick < 50; tick++) {
                rig_vehicles_meet(vehicle, &config);
                for (int i = 0; i < config.vehicles; i++)
                        for (int k = 0; k < config.vehicles; k++)
                                if (k != i &&
                                    apart_m(i, k) < hears_m + vehicle[k].radius_m) {
                                        ck_assert(knows(&vehicle[i], k));
                                        pairs++;
                                }
                for (int i = 0; i < config.vehicles; i++) {
                        struct body_state *body = &vehicle[i].vehicle.body;

                        for (int n = 1; n < vehicle[i].others.count; n++)
                                ck_assert_int_lt(vehicle[i].others.at[n - 1].index,
                                                 vehicle[i].others.at[n].index);
                        body->pos_ned_m =
                                vec3_axpy(body->pos_ned_m, 0.5, body->vel_ned_mps);
                }
        }
        ck_assert_int_gt(pairs, 1000);
}

TEST(who_is_far_away_costs_nothing)
{
        int known = 0;

        open_field("vehicles.0.copies.count=200", 4000.0);
        rig_vehicles_meet(vehicle, &config);
        for (int i = 0; i < config.vehicles; i++)
                known += vehicle[i].others.count;
        /* A strip across the field, of all pairs there are 39,800. */
        ck_assert_int_lt(known, 1000);
}

TEST(all_that_overlap_are_parted_and_momentum_stays)
{
        struct vec3 before = { 0.0, 0.0, 0.0 }, after = { 0.0, 0.0, 0.0 };
        int met = 0;

        open_field("vehicles.0.copies.count=40", 4.0);
        for (int i = 0; i < config.vehicles; i++)
                before = vec3_add(before, vehicle[i].vehicle.body.vel_ned_mps);
        rig_vehicles_meet(vehicle, &config);
        for (int i = 0; i < config.vehicles; i++) {
                after = vec3_add(after, vehicle[i].vehicle.body.vel_ned_mps);
                met += vehicle[i].met_mps > 0.0;
        }
        ck_assert_double_lt(vec3_norm(vec3_sub(after, before)), 1e-12);
        ck_assert_int_gt(met, 5);
        for (int tick = 0; tick < 500; tick++) {
                rig_vehicles_meet(vehicle, &config);
                for (int i = 0; i < config.vehicles; i++)
                        vehicle[i].vehicle.body.pos_ned_m =
                                vec3_axpy(vehicle[i].vehicle.body.pos_ned_m, 1e-3,
                                          vehicle[i].vehicle.body.vel_ned_mps);
        }
        for (int i = 0; i < config.vehicles; i++)
                for (int k = 0; k < i; k++)
                        ck_assert_double_lt(overlap_m(i, k), 0.01);
}

/* One below the other, both with rotors that turn. */
static void stack(void)
{
        for (int i = 0; i < config.vehicles; i++) {
                struct vehicle *v = &vehicle[i].vehicle;

                v->body.pos_ned_m = (struct vec3){ 0.1 * i, 0.0, -20.0 + 1.5 * i };
                v->body.vel_ned_mps = (struct vec3){ 0 };
                for (int k = 0; k < vehicle[i].params.rotors; k++)
                        v->motor[k].speed_radps = 600.0;
        }
}

/* Where the two are after a period of `first` and then of the other one. */
static void fly_in_order(int first, bool wash, struct vec3 pos_ned_m[2])
{
        const struct motor_command command = { { 0.5, 0.5, 0.5, 0.5 } };

        open_field("vehicles.0.copies.count=2", 1.0);
        config.wash = wash;
        stack();
        for (int tick = 0; tick < 100; tick++) {
                rig_vehicles_meet(vehicle, &config);
                rig_vehicle_tick(&vehicle[first], first, &config, &command, false);
                rig_vehicle_tick(&vehicle[1 - first], 1 - first, &config, &command,
                                 false);
        }
        for (int i = 0; i < 2; i++)
                pos_ned_m[i] = vehicle[i].vehicle.body.pos_ned_m;
        end();
}

TEST(the_lower_one_is_washed_down_whichever_moves_first)
{
        struct vec3 one[2], other[2], calm[2];

        fly_in_order(0, true, one);
        fly_in_order(1, true, other);
        fly_in_order(0, false, calm);
        ck_assert_mem_eq(one, other, sizeof one);
        ck_assert_double_gt(one[1].z, calm[1].z + 1e-4);
        ck_assert_double_lt(fabs(one[0].z - calm[0].z), 1e-6);
}
