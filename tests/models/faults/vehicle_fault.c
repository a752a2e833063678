/* Broken motors, propellers and batteries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/faults/vehicle_fault.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

#define STEP_NS 1000000

struct flight {
        struct vehicle_params pristine, params;
        struct world world;
        struct vehicle v;
};

/* With everything that preparing fills. */
static struct vehicle_params furnished(void)
{
        struct vehicle_params p = md4_200();
        struct sensors_params *s = &p.sensors;

        p.battery = (struct battery_params){ .capacity_c = 8280.0,
                                             .charge_ratio = 1.0,
                                             .resistance_ohm = 0.02,
                                             .points = 2,
                                             .curve_ratio = { 0.0, 1.0 },
                                             .curve_v = { 13.0, 16.8 },
                                             .cutoff_v = 10.0,
                                             .idle_w = 5.0,
                                             .efficiency = 0.7,
                                             .reference_v = 15.5 };
        p.tolerance = (struct tolerance_params){ 0.02, 0.02, 0.02, 0.02 };
        p.vibration =
                (struct vibration_params){ 1, { { 2.0, { 1e-5, 1e-5, 1e-5 }, 0.3 } } };
        p.rotor_radius_m = 0.18;
        p.surroundings.ground_effect_m = 1.2;
        s->imu.schedule.period_ns = 1000000;
        s->imu.q_body_to_sensor.w = 1.0;
        error_params_ideal(&s->imu.accel);
        error_params_ideal(&s->imu.gyro);
        for (int i = 0; i < 3; i++) {
                s->imu.accel.sigma[i] = 0.05;
                s->imu.gyro_axes.density[i] = 1e-4;
                s->imu.gyro_axes.instability[i] = 1e-5;
        }
        s->imu.gyro_axes.bandwidth_hz = 98.0;
        s->gps.schedule.period_ns = 250000000;
        s->gps.errors.range_tau_s = 30.0;
        s->sonar.count = 1;
        s->sonar.unit[0].schedule.period_ns = 50000000;
        s->sonar.unit[0].axis_body.z = 1.0;
        s->sonar.unit[0].rays = 9;
        s->sonar.unit[0].opening_rad = 0.5;
        return p;
}

static void begin(struct flight *f, const struct vehicle_params *p, double speed_radps)
{
        memset(f, 0, sizeof *f);
        memcpy(&f->pristine, p, sizeof f->pristine);
        f->world = uniform_air();
        put(&f->v, &f->pristine, &f->world, STEP_NS, 100.0, speed_radps);
        memcpy(&f->params, &f->pristine, sizeof f->params);
}

static void set(struct flight *f, const struct vehicle_fault *const *fault, int count)
{
        ck_assert(
                vehicle_faults_recompute(&f->params, &f->v, &f->pristine, fault, count));
}

static void set_one(struct flight *f, const struct vehicle_fault *fault)
{
        set(f, &fault, 1);
}

static const struct vehicle_fault every[] = {
        { .kind = MOTOR_DEAD, .rotor = 1 },
        { .kind = MOTOR_SLOW, .rotor = 2, .time_constant_ratio = 3.0 },
        { .kind = MOTOR_STUCK, .rotor = 0 },
        { .kind = MOTOR_WEAK, .rotor = 2, .loss_ratio = 0.3 },
        { .kind = PROPELLER_CHIPPED,
          .rotor = 3,
          .loss_ratio = 0.1,
          .unbalance_kgm = 2e-5 },
        { .kind = BATTERY_SAG, .resistance_ratio = 4.0, .charge_loss_ratio = 0.2 },
        { .kind = BROWN_OUT, .voltage_v = 11.0 },
        { .kind = COM_SHIFT, .shift_m = { 0.02, 0.01, 0.03 } },
        { .kind = ADDED_MASS,
          .load = { "", 0.2, { 0.1, 0.0, 0.1 }, { 0.05, 0.05, 0.02 } } },
};

#define EVERY ((int)(sizeof every / sizeof every[0]))

TEST(preparing_again_changes_nothing)
{
        struct vehicle_params p = furnished(), again;

        for (int blades = 0; blades < 2; blades++) {
                if (blades)
                        p.blades = (struct blades_params){ .radius_m = 0.18,
                                                           .blades = 2,
                                                           .chord_m = 0.02,
                                                           .pitch_rad = 0.2,
                                                           .lift_slope = 5.7,
                                                           .drag_coefficient = 0.012,
                                                           .thrust_factor = 1.0,
                                                           .torque_factor = 1.0 };
                ck_assert(vehicle_params_prepare(&p, STEP_NS, 7, 3));
                memcpy(&again, &p, sizeof p);
                ck_assert(vehicle_params_prepare(&again, STEP_NS, 0, 0));
                ck_assert_mem_eq(&again, &p, sizeof p);
        }
}

TEST(when_the_last_one_ends_the_parameters_are_the_old_ones_to_the_bit)
{
        const struct vehicle_params p = furnished();

        for (int i = 0; i < EVERY; i++) {
                struct flight f;

                begin(&f, &p, 150.0);
                set_one(&f, &every[i]);
                if (every[i].kind != MOTOR_STUCK)
                        ck_assert_mem_ne(&f.params, &f.pristine, sizeof p);
                set(&f, NULL, 0);
                ck_assert_mem_eq(&f.params, &f.pristine, sizeof p);
        }
}

/* In force at last: those in `left`, a bit for each; the way there does not matter. */
TEST(faults_overlap_and_end_in_any_order)
{
        const struct vehicle_params p = furnished();

        for (unsigned left = 0; left < 1U << EVERY; left += 37) {
                const struct vehicle_fault *some[EVERY], *all[EVERY];
                struct flight straight, round;
                int count = 0;

                for (int i = 0; i < EVERY; i++) {
                        all[i] = &every[i];
                        if (left & 1U << i)
                                some[count++] = &every[i];
                }
                begin(&straight, &p, 150.0);
                set(&straight, some, count);
                begin(&round, &p, 150.0);
                set_one(&round, &every[left % EVERY]);
                set(&round, all, EVERY);
                set(&round, all + 3, EVERY - 3);
                set(&round, some, count);
                ck_assert_mem_eq(&round.params, &straight.params, sizeof p);
        }
}

/* Drifts, filters, noise, motors: all but the motion, the supply and what follows from them. */
TEST(sensors_and_motors_do_not_notice_the_change)
{
        const struct vehicle_params p = furnished();
        const struct motor_command c = all_at(150.0);
        const struct vehicle_fault *all[EVERY];
        struct vehicle before;
        struct flight f;

        for (int i = 0; i < EVERY; i++)
                all[i] = &every[i];
        begin(&f, &p, 150.0);
        for (int i = 0; i < 300; i++)
                vehicle_step(&f.v, &f.params, &f.world, NULL, &c, 1);
        memcpy(&before, &f.v, sizeof before);
        set(&f, all, EVERY);
        ck_assert_mem_eq(&f.v.sensors, &before.sensors, sizeof before.sensors);
        ck_assert_mem_eq(f.v.motor, before.motor, sizeof before.motor);
        ck_assert_mem_eq(f.v.angle_turns, before.angle_turns, sizeof before.angle_turns);
        ck_assert_mem_eq(&f.v.around, &before.around, sizeof before.around);
        ck_assert_mem_eq(&f.v.contact, &before.contact, sizeof before.contact);
        ck_assert_double_eq(f.v.battery.charge_used_c, before.battery.charge_used_c);
        ck_assert_int_eq(f.v.t_ns, before.t_ns);
}

TEST(a_dead_motor_runs_out_with_its_own_lag)
{
        const struct vehicle_params p = md4_200();
        const struct motor_command c = all_at(150.0);
        struct flight f;

        begin(&f, &p, 150.0);
        set_one(&f, &every[0]);
        for (int i = 1; i <= 500; i++) {
                vehicle_move(&f.v, &f.params, &f.world, &c);
                ck_assert_double_eq_tol(f.v.motor[1].speed_radps,
                                        150.0 * exp(-1e-3 * i / MD4_TAU_S), 1e-10);
                ck_assert_double_eq_tol(f.v.motor[0].speed_radps, 150.0, 1e-9);
        }
        /* Back to life. */
        set(&f, NULL, 0);
        fly(&f.v, &f.params, &f.world, &c, 3.0);
        ck_assert_double_eq_tol(f.v.motor[1].speed_radps, 150.0, 1e-5);
}

TEST(a_slow_motor_takes_longer)
{
        const struct vehicle_params p = md4_200();
        const struct motor_command c = all_at(150.0);
        struct flight f;

        begin(&f, &p, 100.0);
        set_one(&f, &every[1]);
        fly(&f.v, &f.params, &f.world, &c, 0.2);
        ck_assert_double_eq_tol(f.v.motor[2].speed_radps,
                                150.0 - 50.0 * exp(-0.2 / (3.0 * MD4_TAU_S)), 1e-9);
        ck_assert_double_eq_tol(f.v.motor[3].speed_radps,
                                150.0 - 50.0 * exp(-0.2 / MD4_TAU_S), 1e-9);
}

TEST(a_stuck_motor_keeps_its_first_command)
{
        const struct vehicle_params p = md4_200();
        struct vehicle_fault_state state;
        struct motor_command c = { { 0.31, 0.4, 0.5, 0.6 } };
        struct flight f;

        begin(&f, &p, 100.0);
        vehicle_fault_init(&state, &every[2], &f.v);
        for (int i = 0; i < 5; i++) {
                struct motor_command now = c;

                vehicle_fault_command(&every[2], &state, &now);
                ck_assert_double_eq(now.duty[0], 0.31);
                for (int k = 1; k < 4; k++)
                        ck_assert_double_eq(now.duty[k], c.duty[k]);
                c.duty[0] += 0.1;
                c.duty[1] -= 0.05;
        }
        /* Nobody else touches the command. */
        for (int i = 0; i < EVERY; i++) {
                struct motor_command now = c;

                if (every[i].kind == MOTOR_STUCK)
                        continue;
                vehicle_fault_init(&state, &every[i], &f.v);
                vehicle_fault_command(&every[i], &state, &now);
                ck_assert_mem_eq(&now, &c, sizeof c);
        }
}

/* Front, right, back, left: where the thrust is lost, it goes down. */
TEST(a_weak_motor_tips_to_its_side)
{
        const double roll[4] = { 0, 1, 0, -1 }, pitch[4] = { -1, 0, 1, 0 };
        const double quarter_nm = 0.25 * MD4_MASS_KG * 9.81 * MD4_ARM_M;
        const struct vehicle_params p = md4_200();

        for (int i = 0; i < 4; i++) {
                const struct vehicle_fault weak = { .kind = MOTOR_WEAK,
                                                    .rotor = i,
                                                    .loss_ratio = 0.3 };
                struct vec3 turn;
                struct flight f;

                begin(&f, &p, md4_200_hover_radps());
                set_one(&f, &weak);
                turn = f.v.body.rate_dot_body_radps2;
                ck_assert_double_eq_tol(turn.x, roll[i] * 0.3 * quarter_nm / MD4_J_XX,
                                        1e-6);
                ck_assert_double_eq_tol(turn.y, pitch[i] * 0.3 * quarter_nm / MD4_J_XX,
                                        1e-6);
                ck_assert_double_eq_tol(f.v.body.accel_ned_mps2.z, 0.3 * 0.25 * 9.81,
                                        1e-6);
                /* Less of the drag against its spin: the body follows the spin. */
                ck_assert_double_gt(turn.z * f.params.rotor[i].spin, 0.0);
        }
}

TEST(weak_blades_lose_as_much)
{
        struct vehicle_params p = md4_200();
        const struct motor_command c = all_at(150.0);
        const struct vehicle_fault *weak[4];
        const struct vehicle_fault all[4] = {
                { .kind = MOTOR_WEAK, .rotor = 0, .loss_ratio = 0.5 },
                { .kind = MOTOR_WEAK, .rotor = 1, .loss_ratio = 0.5 },
                { .kind = MOTOR_WEAK, .rotor = 2, .loss_ratio = 0.5 },
                { .kind = MOTOR_WEAK, .rotor = 3, .loss_ratio = 0.5 }
        };
        double whole_n;
        struct flight f;

        p.blades = (struct blades_params){ .radius_m = 0.18,
                                           .blades = 2,
                                           .chord_m = 0.02,
                                           .pitch_rad = 0.2,
                                           .lift_slope = 5.7,
                                           .drag_coefficient = 0.012,
                                           .thrust_factor = 1.0,
                                           .torque_factor = 1.0 };
        begin(&f, &p, 150.0);
        vehicle_hold(&f.v, f.v.body.q_body_to_ned);
        fly(&f.v, &f.params, &f.world, &c, 1.0);
        vehicle_update_acceleration(&f.v, &f.params);
        whole_n = f.v.thrust_n;
        for (int i = 0; i < 4; i++)
                weak[i] = &all[i];
        set(&f, weak, 4);
        ck_assert_double_gt(whole_n, 1.0);
        ck_assert_double_eq_tol(f.v.thrust_n, 0.5 * whole_n, 1e-12);
}

/* Amplitude of x at f over whole periods. */
static double line(const double *x, int n, double turns_per_sample)
{
        double re = 0.0, im = 0.0;

        for (int i = 0; i < n; i++) {
                re += x[i] * cos(2.0 * M_PI * turns_per_sample * i);
                im += x[i] * sin(2.0 * M_PI * turns_per_sample * i);
        }
        return 2.0 / n * sqrt(re * re + im * im);
}

/* 25 turns a second, read by an ideal accelerometer at 1 kHz, in a jig. The jig takes no vibration
 * away. */
TEST(a_chipped_propeller_shakes_with_m_e_w2_at_its_own_speed)
{
        const double speed = 2.0 * M_PI * 25.0, other = 2.0 * M_PI * 20.0;
        struct vehicle_params p = md4_200();
        const struct vehicle_fault chipped = { .kind = PROPELLER_CHIPPED,
                                               .rotor = 3,
                                               .unbalance_kgm = 2e-5 };
        const double must = 2e-5 * speed * speed / MD4_MASS_KG;
        struct motor_command c = all_at(other);
        static double x[2000], y[2000];
        struct flight f;

        c.duty[3] = all_at(speed).duty[3];
        p.sensors.imu.schedule.period_ns = STEP_NS;
        p.sensors.imu.q_body_to_sensor.w = 1.0;
        error_params_ideal(&p.sensors.imu.accel);
        error_params_ideal(&p.sensors.imu.gyro);
        begin(&f, &p, other);
        f.v.motor[3].speed_radps = speed;
        vehicle_hold(&f.v, f.v.body.q_body_to_ned);
        set_one(&f, &chipped);
        for (int i = 0; i < 2000; i++) {
                const struct sensor_frame *s =
                        vehicle_step(&f.v, &f.params, &f.world, NULL, &c, 1);

                x[i] = s->imu.accel_body_mps2.x;
                y[i] = s->imu.accel_body_mps2.y;
        }
        ck_assert_double_eq_tol(line(x, 2000, 0.025), must, 1e-5 * must);
        ck_assert_double_eq_tol(line(y, 2000, 0.025), must, 1e-5 * must);
        ck_assert_double_lt(line(x, 2000, 0.020), 1e-5 * must);
        ck_assert_double_lt(line(x, 2000, 0.050), 1e-5 * must);
}

TEST(a_brown_out_slows_the_motors_as_the_voltage)
{
        struct vehicle_params p = furnished();
        const struct motor_command c = all_at(150.0);
        struct flight f;

        p.tolerance = (struct tolerance_params){ 0 };
        begin(&f, &p, 150.0);
        fly(&f.v, &f.params, &f.world, &c, 0.5);
        set_one(&f, &every[6]);
        ck_assert_double_eq(f.v.battery.voltage_v, 11.0);
        ck_assert_double_eq(f.v.speed_ratio, 11.0 / 15.5);
        for (int i = 0; i < 3000; i++) {
                vehicle_step(&f.v, &f.params, &f.world, NULL, &c, 1);
                ck_assert_double_eq(f.v.battery.voltage_v, 11.0);
        }
        for (int i = 0; i < 4; i++)
                ck_assert_double_eq_tol(f.v.motor[i].speed_radps, 150.0 * 11.0 / 15.5,
                                        1e-4);
        set(&f, NULL, 0);
        ck_assert_double_gt(f.v.battery.voltage_v, 16.0);
}

/* Below the cut-off for half a second, and the motors stop for good. */
TEST(a_deep_brown_out_stops_the_motors)
{
        const struct vehicle_params p = furnished();
        const struct vehicle_fault deep = { .kind = BROWN_OUT, .voltage_v = 9.0 };
        const struct motor_command c = all_at(150.0);
        struct flight f;

        begin(&f, &p, 150.0);
        set_one(&f, &deep);
        for (int i = 0; i < 490; i++)
                vehicle_step(&f.v, &f.params, &f.world, NULL, &c, 1);
        ck_assert(!f.v.battery.empty);
        for (int i = 0; i < 20; i++)
                vehicle_step(&f.v, &f.params, &f.world, NULL, &c, 1);
        ck_assert(f.v.battery.empty);
        set(&f, NULL, 0);
        ck_assert_double_eq(f.v.speed_ratio, 0.0);
}

/* P = V I with V = E - R I, R four times as large and a fifth of the charge gone. */
TEST(a_sagging_battery_is_one_with_more_resistance_and_less_charge)
{
        const struct vehicle_params p = furnished();
        const struct motor_command c = all_at(150.0);
        struct battery *b;
        struct flight f;

        begin(&f, &p, 150.0);
        b = &f.v.battery;
        set_one(&f, &every[5]);
        for (int i = 0; i < 200; i++) {
                double left = 0.8 - b->charge_used_c / 8280.0;

                vehicle_step(&f.v, &f.params, &f.world, NULL, &c, 1);
                ck_assert_double_eq_tol(b->voltage_v,
                                        13.0 + 3.8 * left - 4.0 * 0.02 * b->current_a,
                                        1e-12);
        }
        ck_assert_double_gt(b->current_a, 1.0);
}

/* A recording, and what it is to the bit the second time. */
TEST(the_same_faults_at_the_same_ticks_give_the_same_bits)
{
        const struct vehicle_params p = furnished();
        const struct motor_command c = all_at(160.0);
        static struct flight f[2];

        for (int n = 0; n < 2; n++) {
                const struct vehicle_fault *now[EVERY];

                begin(&f[n], &p, 160.0);
                for (int i = 0; i < 900; i++) {
                        if (i % 100 == 0 && i / 100 < EVERY) {
                                now[i / 100] = &every[i / 100];
                                set(&f[n], now, i / 100 + 1);
                        }
                        vehicle_step(&f[n].v, &f[n].params, &f[n].world, NULL, &c, 1);
                }
        }
        ck_assert_mem_eq(&f[0].v.body, &f[1].v.body, sizeof f[0].v.body);
        ck_assert_mem_eq(&f[0].v.sensors.latest.imu, &f[1].v.sensors.latest.imu,
                         sizeof f[0].v.sensors.latest.imu);
}

/* A load of twice the vehicle's mass that was never on it falls off. All else is as if it did not. */
TEST(an_impossible_load_brings_nothing_back_to_life)
{
        const struct vehicle_params p = furnished();
        const struct vehicle_fault impossible = {
                .kind = PAYLOAD_DROP,
                .load = { .name = "x", .mass_kg = 2.0 * MD4_MASS_KG }
        };
        const struct motor_command c = all_at(150.0);
        const struct vehicle_fault *list[8];
        struct flight f, without;

        /* All but the two that move the centre of mass. */
        for (int i = 0; i < 7; i++)
                list[i] = &every[i];
        list[7] = &impossible;
        begin(&f, &p, 150.0);
        begin(&without, &p, 150.0);
        set(&without, list, 7);
        ck_assert(!vehicle_faults_recompute(&f.params, &f.v, &f.pristine, list, 8));
        ck_assert_mem_eq(&f.params, &without.params, sizeof p);
        ck_assert_mem_eq(&f.v.body, &without.v.body, sizeof f.v.body);
        fly(&f.v, &f.params, &f.world, &c, 0.5);
        ck_assert_double_lt(f.v.motor[1].speed_radps, 150.0 * exp(-0.49 / MD4_TAU_S));
        ck_assert_double_eq(f.v.battery.voltage_v, 11.0);
        /* With a shift before it, the centre goes back to where it was without any. */
        list[6] = &every[7];
        ck_assert(!vehicle_faults_recompute(&f.params, &f.v, &f.pristine, list, 8));
        ck_assert_double_eq(vec3_norm(f.params.centre_body_m), 0.0);
        ck_assert_double_eq(f.params.motor[1].speed_limit_radps, 0.0);
}

TEST(what_is_not_there_cannot_break)
{
        struct vehicle_params p = md4_200();
        const struct vehicle_fault fifth = { .kind = MOTOR_DEAD, .rotor = 4 };

        ck_assert(!vehicle_fault_possible(&fifth, &p));
        ck_assert(vehicle_fault_possible(&every[0], &p));
        ck_assert(!vehicle_fault_possible(&every[5], &p));
        ck_assert(!vehicle_fault_possible(&every[6], &p));
        p = furnished();
        for (int i = 0; i < EVERY; i++)
                ck_assert(vehicle_fault_possible(&every[i], &p));
}
