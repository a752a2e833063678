/* Faults of sensors over time: which samples come and when, what faults make of each other's samples,
 * and what of all this reaches the wire. */
#include "tests/boards/hilp_pair.h"
#include "tests/models/faults/sensor_fault_stage.h"
#include "tests/suites.h"

static struct sensors_params sensors;
static struct faulty one, other;

static void set_up(void)
{
        stage_sensors(&sensors);
}

FIXTURE(set_up, NULL)

static struct sensor_fault imu(enum sensor_fault_kind kind, double probability,
                               int64_t delay_ns)
{
        struct sensor_fault p = stage_fault(FAULT_IMU, kind, 0.0);

        p.probability = probability;
        p.delay_ns = delay_ns;
        return p;
}

/* Sample n says n. */
static struct sensor_frame numbered(int n)
{
        struct sensor_frame f = stage_frame(n * MS);

        f.imu.gyro_body_radps.x = n;
        return f;
}

static const uint32_t imu_bit = SENSOR_BIT(SENSOR_IMU);

TEST(samples_drop_out_as_often_as_their_probability_says)
{
        enum { COUNT = 20000 };
        int lost = 0;

        fault_begin(&one, imu(SENSOR_DROPOUT, 0.3, 0), 0, NULL);
        for (int i = 1, said = 0; i <= COUNT; i++) {
                struct sensor_frame f = numbered(i);

                fault_apply(&one, &sensors, &f);
                if (f.fresh & imu_bit)
                        said = i;
                else
                        lost++;
                /* Where none comes, the frame holds the one before. */
                ck_assert_double_eq(f.imu.gyro_body_radps.x, said);
                ck_assert_uint_eq(f.fresh | imu_bit, SENSOR_BIT(SENSOR_COUNT) - 1);
        }
        ck_assert_double_eq_tol(lost, 0.3 * COUNT, 5 * sqrt(COUNT * 0.3 * 0.7));
}

TEST(a_probability_of_one_lets_nothing_through)
{
        fault_begin(&one, imu(SENSOR_DROPOUT, 1.0, 0), 0, NULL);
        for (int i = 1; i < 1000; i++) {
                struct sensor_frame f = numbered(i);

                fault_apply(&one, &sensors, &f);
                ck_assert_uint_eq(f.fresh & imu_bit, 0);
        }
}

TEST(delayed_samples_come_late_with_the_times_at_which_they_were_measured)
{
        struct sensor_frame last = numbered(9);

        fault_begin(&one, imu(SENSOR_DELAY, 0, 7 * MS), 10 * MS, &last);
        for (int i = 10; i < 100; i++) {
                struct sensor_frame f = numbered(i);
                int expected = i < 17 ? 9 : i - 7;

                fault_apply(&one, &sensors, &f);
                ck_assert_int_eq(!(f.fresh & imu_bit), i < 17);
                ck_assert_double_eq(f.imu.gyro_body_radps.x, expected);
                ck_assert_int_eq(f.imu.t_ns, expected * MS);
                ck_assert_int_eq(f.t_ns, i * MS);
        }
}

/* The tick that comes first after they are due; of two the newer. */
TEST(a_delay_between_two_ticks_ends_at_the_later)
{
        struct sensor_frame f = numbered(10);

        fault_begin(&one, imu(SENSOR_DELAY, 0, 2 * MS + 1), 10 * MS, NULL);
        fault_apply(&one, &sensors, &f);
        f = numbered(11);
        fault_apply(&one, &sensors, &f);
        f = stage_frame(12 * MS);
        f.fresh = 0;
        fault_apply(&one, &sensors, &f);
        ck_assert_uint_eq(f.fresh & imu_bit, 0);
        f = stage_frame(15 * MS);
        f.fresh = 0;
        fault_apply(&one, &sensors, &f);
        ck_assert_uint_eq(f.fresh & imu_bit, imu_bit);
        ck_assert_double_eq(f.imu.gyro_body_radps.x, 11);
        f.fresh = 0;
        f.t_ns = 16 * MS;
        fault_apply(&one, &sensors, &f);
        ck_assert_uint_eq(f.fresh, 0);
}

TEST(a_delay_longer_than_the_queue_loses_the_oldest)
{
        fault_begin(&one, imu(SENSOR_DELAY, 0, 300 * MS), 0, NULL);
        for (int i = 1; i <= 300; i++) {
                struct sensor_frame f = numbered(i);

                fault_apply(&one, &sensors, &f);
                ck_assert_uint_eq(f.fresh & imu_bit, 0);
        }
        for (int i = 301; i <= 600; i++) {
                struct sensor_frame f = stage_frame(i * MS);
                bool kept = i - 300 > 300 - SENSOR_FAULT_WAITING_MAX;

                f.fresh = 0;
                fault_apply(&one, &sensors, &f);
                ck_assert_int_eq(f.fresh == imu_bit, kept);
        }
}

TEST(each_delayed_sonar_says_its_own)
{
        struct sensor_fault p = stage_fault(FAULT_SONAR, SENSOR_DELAY, 0);

        p.delay_ns = 3 * MS;
        fault_begin(&one, p, 0, NULL);
        for (int i = 1; i < 40; i++) {
                struct sensor_frame f = stage_frame(i * MS);
                uint32_t due = i > 3 ? 1U << (i - 3) % SONARS_MAX : 0;

                f.fresh_sonars = 1U << i % SONARS_MAX;
                fault_apply(&one, &sensors, &f);
                ck_assert_uint_eq(f.fresh_sonars, due);
                ck_assert_int_eq(!(f.fresh & SENSOR_BIT(SENSOR_SONAR)), due == 0);
                for (int k = 0; k < SONARS_MAX; k++)
                        if (due >> k & 1)
                                ck_assert_double_eq(f.sonar[k].range_m, 1.0 + 0.125 * k);
        }
}

TEST(between_samples_a_frame_holds_what_was_said_last)
{
        struct sensor_frame f = numbered(1);
        struct sensor_fault p = stage_fault(FAULT_GYRO, SENSOR_BIAS, 4.0);

        fault_begin(&one, p, 0, NULL);
        fault_apply(&one, &sensors, &f);
        f = stage_frame(2 * MS);
        f.fresh &= ~imu_bit;
        f.imu = numbered(1).imu;
        fault_apply(&one, &sensors, &f);
        ck_assert_double_eq(f.imu.gyro_body_radps.x, 5.0);
        ck_assert_uint_eq(f.fresh & imu_bit, 0);
}

static double two_faults(struct sensor_fault first, struct sensor_fault second)
{
        struct sensor_frame f = numbered(4);

        fault_begin(&one, first, 0, NULL);
        fault_begin(&other, second, 0, NULL);
        fault_apply(&one, &sensors, &f);
        fault_apply(&other, &sensors, &f);
        return f.imu.gyro_body_radps.x;
}

TEST(faults_of_one_sensor_act_in_their_order)
{
        struct sensor_fault bias = stage_fault(FAULT_GYRO, SENSOR_BIAS, 1.0);
        struct sensor_fault scale = stage_fault(FAULT_GYRO, SENSOR_SCALE, 3.0);

        ck_assert_double_eq(two_faults(bias, scale), (4 + 1) * 3);
        ck_assert_double_eq(two_faults(scale, bias), 4 * 3 + 1);
}

TEST(what_sticks_behind_a_bias_says_the_biased_value)
{
        struct sensor_frame f = numbered(4);

        fault_begin(&one, stage_fault(FAULT_GYRO, SENSOR_BIAS, 1.0), 0, NULL);
        fault_apply(&one, &sensors, &f);
        fault_begin(&other, stage_fault(FAULT_GYRO, SENSOR_STUCK, 0), 5 * MS, &f);
        for (int i = 5; i < 9; i++) {
                f = numbered(i);
                fault_apply(&one, &sensors, &f);
                fault_apply(&other, &sensors, &f);
                ck_assert_double_eq(f.imu.gyro_body_radps.x, 5.0);
        }
}

TEST(delayed_samples_that_drop_out_too_keep_their_delay)
{
        int came = 0;

        fault_begin(&one, imu(SENSOR_DELAY, 0, 3 * MS), 0, NULL);
        fault_begin(&other, imu(SENSOR_DROPOUT, 0.5, 0), 0, NULL);
        for (int i = 1; i < 100; i++) {
                struct sensor_frame f = numbered(i);

                fault_apply(&one, &sensors, &f);
                fault_apply(&other, &sensors, &f);
                if (!(f.fresh & imu_bit))
                        continue;
                came++;
                ck_assert_double_eq(f.imu.gyro_body_radps.x, i - 3);
        }
        ck_assert_int_gt(came, 20);
        ck_assert_int_lt(came, 80);
}

/* What a noisy gyroscope says, sample by sample. */
static void noisy(uint64_t seed, uint32_t vehicle, uint32_t index, double said[50])
{
        struct sensor_fault p = stage_fault(FAULT_GYRO, SENSOR_NOISE, 1.0);

        sensor_fault_init(&one.state, &p, seed, vehicle, index, 0, NULL);
        for (int i = 0; i < 50; i++) {
                struct sensor_frame f = stage_frame((i + 1) * MS);

                sensor_fault_apply(&one.state, &p, &sensors, f.t_ns, &f);
                said[i] = f.imu.gyro_body_radps.y;
        }
}

static int differing(const double a[50], const double b[50])
{
        int count = 0;

        for (int i = 0; i < 50; i++)
                count += a[i] != b[i];
        return count;
}

TEST(a_faults_noise_is_its_own_by_seed_vehicle_and_number)
{
        double first[50], again[50], seed[50], vehicle[50], index[50];

        noisy(1, 0, 0, first);
        noisy(1, 0, 0, again);
        noisy(2, 0, 0, seed);
        noisy(1, 1, 0, vehicle);
        noisy(1, 0, 1, index);
        ck_assert_int_eq(differing(first, again), 0);
        ck_assert_int_gt(differing(first, seed), 45);
        ck_assert_int_gt(differing(first, vehicle), 45);
        ck_assert_int_gt(differing(first, index), 45);
}

TEST(a_copy_of_the_state_says_the_same_again)
{
        static struct sensor_fault_state copy;
        struct sensor_frame a, b;

        fault_begin(&one, stage_fault(FAULT_GPS, GPS_FEW_SATELLITES, 0), 0, NULL);
        for (int i = 1; i < 50; i++) {
                a = b = stage_frame(100 * i * MS);
                copy = one.state;
                fault_apply(&one, &sensors, &a);
                sensor_fault_apply(&copy, &one.fault, &sensors, b.t_ns, &b);
                ck_assert_mem_eq(&a.t_ns, &b.t_ns, sizeof a);
                ck_assert_mem_eq(&copy.begin_ns, &one.state.begin_ns,
                                 sizeof copy -
                                         offsetof(struct sensor_fault_state, begin_ns));
        }
}

/* What a board hears of a frame by HILP. */
static struct sensor_frame over_the_wire(struct pair *p, const struct sensor_frame *f)
{
        p->rig->ops->encode(p->rig, 1, 0, f, NULL, &p->out);
        exchange(p);
        ck_assert_int_eq(p->frames, 1);
        return p->seen;
}

/* Each number by itself: the wire has one that stands for none (docs/protocol.md). */
TEST(hilp_says_of_each_number_by_itself_that_it_is_none)
{
        struct sensor_fault p = stage_fault(FAULT_GYRO, SENSOR_NAN, 0);
        struct sensor_frame sent = stage_frame(5001 * MS), seen;
        struct pair wire;

        pair_begin(&wire, &setup_plain, 4);
        poll_once(&wire);
        p.axes = FAULT_AXIS_Y;
        fault_begin(&one, p, 5001 * MS, NULL);
        fault_apply(&one, &sensors, &sent);
        fault_begin(&one, stage_fault(FAULT_GPS, SENSOR_NAN, 0), 5001 * MS, NULL);
        fault_apply(&one, &sensors, &sent);
        fault_begin(&one, stage_fault(FAULT_SONAR, SENSOR_NAN, 0), 5001 * MS, NULL);
        fault_apply(&one, &sensors, &sent);
        fault_begin(&one, stage_fault(FAULT_POWER, SENSOR_NAN, 0), 5001 * MS, NULL);
        fault_apply(&one, &sensors, &sent);
        seen = over_the_wire(&wire, &sent);
        ck_assert_double_nan(seen.imu.gyro_body_radps.y);
        ck_assert_double_eq_tol(seen.imu.gyro_body_radps.z, 1.0, 1e-3);
        ck_assert_double_eq_tol(seen.imu.accel_body_mps2.y, -1.0, 5e-3);
        ck_assert_double_nan(seen.gps.lat_rad);
        ck_assert_double_nan(seen.gps.height_m);
        ck_assert_double_nan(seen.gps.vel_ned_mps.z);
        ck_assert_double_eq_tol(seen.gps.h_acc_m, 1.5, 1e-9);
        ck_assert_double_nan(seen.sonar[2].range_m);
        ck_assert_double_nan(seen.power.voltage_v);
        ck_assert_double_nan(seen.power.charge_used_c);
        pair_end(&wire);
}
