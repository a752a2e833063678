/* Steps taken together give the bits of steps taken one by one: whatever the vehicles, however many, with every set of
 * instructions that this processor has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/isa.h"
#include "models/rng.h"
#include "models/vehicle/batch.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

#define STEP_NS  1000000
#define VEHICLES 21 /* two full batches and five lanes of a third */
#define STEPS    400
#define HELD     20 /* steps for which a command holds */

struct stage {
        struct world world;
        struct vehicle_params p[VEHICLES];
        struct vehicle v[VEHICLES];
        struct motor_command command[VEHICLES];
        struct rng rng;
};

static double between(struct rng *rng, double low, double high)
{
        return low + (high - low) * rng_uniform(rng);
}

static struct vec3 around_0(struct rng *rng, double most)
{
        return (struct vec3){ between(rng, -most, most), between(rng, -most, most),
                              between(rng, -most, most) };
}

static void vary_rotors(struct vehicle_params *p, struct rng *rng)
{
        p->rotors = 3 + (int)between(rng, 0.0, ROTORS_MAX - 2.0);
        for (int i = 0; i < p->rotors; i++) {
                p->motor[i] = p->motor[i % 4];
                p->rotor[i] = p->rotor[i % 4];
                p->rotor[i].pos_body_m = around_0(rng, 0.3);
                p->rotor[i].thrust_n_per_radps2 *= between(rng, 0.7, 1.1);
                p->motor[i].tau_s *= between(rng, 0.2, 1.0);
                p->motor[i].dead_band = between(rng, -0.2, 0.2);
                if (rng_uniform(rng) < 0.3)
                        p->motor[i].steps = 1000.0;
        }
}

/* Every third kind is one that has to move by itself. */
static void vary(struct vehicle_params *p, struct rng *rng, int kind)
{
        p->body.mass_kg *= between(rng, 0.8, 1.5);
        p->body.inertia_kgm2[1][1] *= between(rng, 0.9, 1.1);
        p->airframe.quadratic_area_m2 = around_0(rng, 0.02);
        p->airframe.angular_quadratic_nm_per_radps2 = around_0(rng, 0.01);
        p->airframe.angular_nm_per_radps = (struct vec3){ 0.1, 0.1, 0.05 };
        p->rotor_radius_m = between(rng, 0.1, 0.2);
        p->surroundings.ground_effect_m = 1.0;
        vary_rotors(p, rng);
        if (kind % 9 == 1)
                for (int i = 0; i < ROTORS_MAX; i++)
                        p->motor[i].tau_down_s = (i % 2 ? 0.6 : 1.8) * p->motor[i].tau_s;
        if (kind % 9 == 2)
                p->centre_body_m = around_0(rng, 0.02);
        if (kind % 9 == 5)
                p->body.inertia_kgm2[0][1] = p->body.inertia_kgm2[1][0] = 1e-4;
}

static void vary_state(struct vehicle *v, struct rng *rng)
{
        struct vec3 angle = around_0(rng, 1.0);

        v->body.q_body_to_ned = quat_from_euler(angle.x, angle.y, angle.z);
        v->body.vel_ned_mps = around_0(rng, 5.0);
        v->body.rate_body_radps = around_0(rng, 3.0);
        v->around.wind_ned_mps = around_0(rng, 4.0);
        v->around.force_ned_n = around_0(rng, 0.5);
        v->around.torque_body_nm = around_0(rng, 0.01);
        v->speed_ratio = between(rng, 0.8, 1.0);
        for (int i = 0; i < ROTORS_MAX; i++)
                v->motor[i].speed_radps = between(rng, 0.0, 200.0);
}

/* From 10 m down to where they touch the ground, some of them in a jig. */
static struct stage *stage_new(uint64_t seed)
{
        struct stage *s = calloc(1, sizeof *s);

        ck_assert_ptr_nonnull(s);
        s->world = calm_world();
        rng_init(&s->rng, seed, 0, 0, 0);
        for (int i = 0; i < VEHICLES; i++) {
                double height_m = i % 4 == 3 ? 0.3 : between(&s->rng, 3.0, 10.0);

                s->p[i] = md4_200();
                vary(&s->p[i], &s->rng, i);
                put(&s->v[i], &s->p[i], &s->world, STEP_NS, height_m, 0.0);
                vary_state(&s->v[i], &s->rng);
                if (i % 9 == 8)
                        vehicle_hold(&s->v[i], s->v[i].body.q_body_to_ned);
        }
        return s;
}

/* Duties beyond 0 and 1, too, and some that are no number. */
static void choose_commands(struct stage *s)
{
        for (int i = 0; i < VEHICLES; i++)
                for (int r = 0; r < ROTORS_MAX; r++)
                        s->command[i].duty[r] = rng_uniform(&s->rng) < 0.02
                                                        ? (double)NAN
                                                        : between(&s->rng, -0.1, 1.1);
}

/* Returns how many steps ended on the ground. */
static long move_one_by_one(struct stage *s)
{
        long touched = 0;

        rng_init(&s->rng, 7, 0, 0, 0);
        for (int n = 0; n < STEPS; n++) {
                if (n % HELD == 0)
                        choose_commands(s);
                for (int i = 0; i < VEHICLES; i++) {
                        vehicle_move(&s->v[i], &s->p[i], &s->world, &s->command[i]);
                        touched += s->v[i].contact.touching;
                }
        }
        return touched;
}

/* In batches of so many; returns how many steps were taken together. */
static long move_together(struct stage *s, int lanes)
{
        static struct batch batch[VEHICLES];
        long together = 0;

        rng_init(&s->rng, 7, 0, 0, 0);
        for (int i = 0; i < VEHICLES; i += lanes)
                batch_init(&batch[i / lanes], STEP_NS);
        for (int i = 0; i < VEHICLES; i++)
                batch_take(&batch[i / lanes], i % lanes, &s->v[i], &s->p[i]);
        for (int n = 0; n < STEPS; n++) {
                if (n % HELD == 0)
                        choose_commands(s);
                for (int i = 0; n % HELD == 0 && i < VEHICLES; i++)
                        batch_command(&batch[i / lanes], i % lanes, &s->command[i]);
                for (int i = 0; i < VEHICLES; i += lanes)
                        batch_move(&batch[i / lanes], &s->world);
                for (int i = 0; i < VEHICLES; i++)
                        together += batch[i / lanes].moved[i % lanes] != 0;
        }
        for (int i = 0; i < VEHICLES; i++)
                batch_put(&batch[i / lanes], i % lanes);
        return together;
}

/* The sign of what is no number is that of either of two operands, which the compiler orders as it likes. */
static void expect_same_numbers(const void *a, const void *b, size_t size)
{
        for (size_t i = 0; i < size; i += sizeof(double)) {
                double x, y;

                memcpy(&x, (const char *)a + i, sizeof x);
                memcpy(&y, (const char *)b + i, sizeof y);
                if (!isnan(x) || !isnan(y))
                        ck_assert_mem_eq(&x, &y, sizeof x);
        }
}

#define EXPECT_SAME(a, b) expect_same_numbers(&(a), &(b), sizeof(a))

static void expect_same(const struct vehicle *a, const struct vehicle *b)
{
        ck_assert_int_eq(a->t_ns, b->t_ns);
        EXPECT_SAME(a->body, b->body);
        EXPECT_SAME(a->motor, b->motor);
        EXPECT_SAME(a->target_radps, b->target_radps);
        EXPECT_SAME(a->angle_turns, b->angle_turns);
        EXPECT_SAME(a->drive_nm, b->drive_nm);
        EXPECT_SAME(a->air, b->air);
        ck_assert_int_eq(a->contact.touching, b->contact.touching);
        EXPECT_SAME(a->free.centre_ned_m, b->free.centre_ned_m);
        EXPECT_SAME(a->free.radius_m, b->free.radius_m);
}

/* One by one, too, with each set of instructions: as with those that every processor has. */
TEST_EACH(together_gives_the_bits_of_one_by_one, ISA_COUNT *BATCH_LANES)
{
        const enum isa best = isa_used, isa = (enum isa)(_i % ISA_COUNT);
        int lanes = 1 + _i / ISA_COUNT;
        struct stage *a = stage_new((uint64_t)_i), *b = stage_new((uint64_t)_i);
        long touched, together;

        if (isa_available(isa)) {
                isa_used = ISA_ANY;
                touched = move_one_by_one(a);
                isa_used = isa;
                together = move_together(b, lanes);
                isa_used = best;
                for (int i = 0; i < VEHICLES; i++)
                        expect_same(&a->v[i], &b->v[i]);
                /* Both ways were taken. */
                ck_assert_int_gt(touched, 0);
                ck_assert_int_gt(together, 1000);
                ck_assert_int_lt(together, STEPS * VEHICLES);
        }
        free(a);
        free(b);
}

/* An inertial unit that feels every step, through everything that it can have. */
static void give_senses(struct vehicle_params *p, struct rng *rng)
{
        struct imu_params *imu = &p->sensors.imu;
        struct imu_axes_params *axes[2] = { &imu->accel_axes, &imu->gyro_axes };

        imu->schedule.period_ns = STEP_NS;
        imu->lever_arm_body_m = around_0(rng, 0.1);
        imu->self_heating_k = 10.0;
        imu->warm_up_s = 1.0;
        imu->accel.sigma[0] = imu->gyro.sigma[1] = 0.01;
        imu->accel.lsb = imu->gyro.lsb = 0x1p-10;
        imu->g_sensitivity[0][2] = 1e-3;
        for (int k = 0; k < 2; k++) {
                axes[k]->bandwidth_hz = between(rng, 20.0, 300.0);
                for (int i = 0; i < 3; i++) {
                        axes[k]->scale_per_k[i] = axes[k]->asymmetry[i] = 1e-3;
                        axes[k]->square[i] = axes[k]->dead_zone[i] = 1e-3;
                        axes[k]->density[i] = axes[k]->instability[i] = 1e-2;
                        axes[k]->walk[i] = 1e-2;
                }
        }
        p->vibration.harmonics = 3;
        for (int k = 0; k < 3; k++)
                p->vibration.harmonic[k] =
                        (struct vibration_harmonic){ 0.5 + k * k, around_0(rng, 1e-4),
                                                     between(rng, 0.0, 6.0) };
        p->unbalance_kgm[1] = 1e-6;
}

static struct stage *stage_with_senses(void)
{
        struct stage *s = stage_new(1);

        for (int i = 0; i < VEHICLES; i++) {
                give_senses(&s->p[i], &s->rng);
                put(&s->v[i], &s->p[i], &s->world, STEP_NS, 5.0, 0.0);
        }
        return s;
}

/* What the inertial unit says depends on all steps; and whichever instructions are used. */
TEST_EACH(a_period_together_gives_the_samples_of_one_alone, ISA_COUNT)
{
        struct stage *a = stage_with_senses(), *b = stage_with_senses();
        const enum isa best = isa_used;
        static const struct neighbours none;
        struct vehicle_turn turn[BATCH_LANES];

        for (int n = 0; n < 50 && isa_available((enum isa)_i); n++) {
                choose_commands(a);
                isa_used = ISA_ANY;
                for (int i = 0; i < BATCH_LANES; i++) {
                        turn[i] = (struct vehicle_turn){ &b->v[i], &b->p[i], &none,
                                                         &a->command[i] };
                        vehicle_step(&a->v[i], &a->p[i], &a->world, NULL, &a->command[i],
                                     4);
                }
                isa_used = (enum isa)_i;
                vehicles_step(turn, BATCH_LANES, &b->world, 4);
                for (int i = 0; i < BATCH_LANES; i++) {
                        expect_same(&a->v[i], &b->v[i]);
                        EXPECT_SAME(a->v[i].sensors.latest.imu,
                                    b->v[i].sensors.latest.imu);
                        ck_assert(isfinite(a->v[i].sensors.latest.imu.gyro_body_radps.x));
                        ck_assert_int_ne(a->v[i].sensors.latest.fresh, 0);
                }
        }
        isa_used = best;
        free(a);
        free(b);
}
