/* Faults of sensors' values: what each makes of a sample, and that it makes nothing else. */
#include "tests/models/faults/sensor_fault_stage.h"
#include "tests/suites.h"

static struct sensors_params sensors;
static struct faulty faulty;

static void set_up(void)
{
        stage_sensors(&sensors);
}

FIXTURE(set_up, NULL)

/* What a fault makes of the frame at t_ns, having begun at 1 s. */
static struct sensor_frame after(struct sensor_fault fault, int64_t t_ns)
{
        struct sensor_frame last = stage_frame(999 * MS), f = stage_frame(t_ns);

        last.imu.gyro_body_radps = (struct vec3){ 2.0, 3.0, 4.0 };
        fault_begin(&faulty, fault, 1000 * MS, &last);
        fault_apply(&faulty, &sensors, &f);
        return f;
}

static struct sensor_frame now(struct sensor_fault fault)
{
        return after(fault, 1000 * MS);
}

static void check_gyro(struct sensor_fault fault, double x, double y, double z)
{
        struct vec3 v = now(fault).imu.gyro_body_radps;

        ck_assert_double_eq(v.x, x);
        ck_assert_double_eq(v.y, y);
        ck_assert_double_eq(v.z, z);
}

static struct sensor_fault gyro(enum sensor_fault_kind kind, double amount, unsigned axes)
{
        struct sensor_fault p = stage_fault(FAULT_GYRO, kind, amount);

        p.axes = axes;
        return p;
}

TEST(bias_is_added_to_the_chosen_axes)
{
        check_gyro(gyro(SENSOR_BIAS, 0.5, FAULT_AXIS_X | FAULT_AXIS_Z), 0.75, -0.5, 1.5);
}

TEST(scale_multiplies)
{
        check_gyro(gyro(SENSOR_SCALE, -3.0, FAULT_ALL_AXES), -0.75, 1.5, -3.0);
}

TEST(saturation_leaves_what_is_nearer_to_zero)
{
        check_gyro(gyro(SENSOR_SATURATE, 0.375, FAULT_ALL_AXES), 0.25, -0.375, 0.375);
}

TEST(axes_change_their_signs_and_places)
{
        check_gyro(gyro(SENSOR_FLIP_AXES, 0, FAULT_AXIS_Y), 0.25, 0.5, 1.0);
        check_gyro(gyro(SENSOR_SWAP_AXES, 0, FAULT_AXIS_X | FAULT_AXIS_Z), 1.0, -0.5,
                   0.25);
}

TEST(stuck_says_the_last_value_with_new_times)
{
        struct sensor_frame f =
                after(gyro(SENSOR_STUCK, 0, FAULT_AXIS_Y | FAULT_AXIS_Z), 1007 * MS);

        ck_assert_double_eq(f.imu.gyro_body_radps.x, 0.25);
        ck_assert_double_eq(f.imu.gyro_body_radps.y, 3.0);
        ck_assert_double_eq(f.imu.gyro_body_radps.z, 4.0);
        ck_assert_int_eq(f.imu.t_ns, 1007 * MS);
}

TEST(what_has_said_nothing_yet_sticks_at_the_first_that_it_says)
{
        struct sensor_frame f = stage_frame(1 * MS);

        fault_begin(&faulty, gyro(SENSOR_STUCK, 0, FAULT_ALL_AXES), 0, NULL);
        fault_apply(&faulty, &sensors, &f);
        ck_assert_double_eq(f.imu.gyro_body_radps.z, 1.0);
        f = stage_frame(2 * MS);
        f.imu.gyro_body_radps.z = 0.0;
        fault_apply(&faulty, &sensors, &f);
        ck_assert_double_eq(f.imu.gyro_body_radps.z, 1.0);
}

TEST(zero_and_nan_are_said_whatever_the_range)
{
        check_gyro(gyro(SENSOR_ZERO, 0, FAULT_AXIS_X), 0.0, -0.5, 1.0);
        ck_assert_double_nan(
                now(gyro(SENSOR_NAN, 0, FAULT_AXIS_Z)).imu.gyro_body_radps.z);
        ck_assert_double_eq(
                now(stage_fault(FAULT_SONAR, SENSOR_ZERO, 0)).sonar[3].range_m, 0.0);
        ck_assert_double_eq(now(stage_fault(FAULT_BARO, SENSOR_ZERO, 0)).baro.pressure_pa,
                            0.0);
}

TEST(drift_grows_from_nothing_with_the_time_since_it_began)
{
        struct sensor_fault p = gyro(SENSOR_DRIFT, 2.0, FAULT_AXIS_X);

        for (int ms = 0; ms <= 500; ms += 125)
                ck_assert_double_eq(after(p, (1000 + ms) * MS).imu.gyro_body_radps.x,
                                    0.25 + 2.0 * ms / 1000.0);
}

TEST(what_is_changed_is_rounded_and_clamped_as_the_sensor_does)
{
        const double lsb = sensors.imu.gyro.lsb;
        double x = now(gyro(SENSOR_BIAS, 0.4 * lsb, 7)).imu.gyro_body_radps.x;

        ck_assert_double_eq(x, 0.25);
        x = now(gyro(SENSOR_BIAS, 0.6 * lsb, 7)).imu.gyro_body_radps.x;
        ck_assert_double_eq(x, 0.25 + lsb);
        x = now(gyro(SENSOR_BIAS, -1e6, 7)).imu.gyro_body_radps.x;
        ck_assert_double_eq(x, -32.0);
        ck_assert_double_eq(
                now(stage_fault(FAULT_VOLTAGE, SENSOR_BIAS, -99)).power.voltage_v, 0.0);
        ck_assert_double_eq(
                now(stage_fault(FAULT_SONAR, SENSOR_BIAS, 99)).sonar[0].range_m, 4.0);
        ck_assert_double_eq(
                now(stage_fault(FAULT_MAG, SENSOR_SCALE, 1e9)).mag.field_body_t.y,
                -0x1p-10);
        /* 8 rad/s for 10 ms. */
        ck_assert_double_eq_tol(
                now(stage_fault(FAULT_FLOW, SENSOR_BIAS, 99)).flow.flow_x_rad, 0.08,
                1e-15);
}

TEST(noise_has_the_standard_deviation_and_is_new_on_every_axis)
{
        enum { COUNT = 20000 };
        double sum[3] = { 0 }, square[3] = { 0 }, both = 0.0;

        fault_begin(&faulty, stage_fault(FAULT_ACCEL, SENSOR_NOISE, 2.0), 0, NULL);
        for (int i = 1; i <= COUNT; i++) {
                struct sensor_frame f = stage_frame(i * MS);
                struct vec3 v;

                fault_apply(&faulty, &sensors, &f);
                v = vec3_sub(f.imu.accel_body_mps2, stage_frame(0).imu.accel_body_mps2);
                sum[0] += v.x;
                sum[1] += v.y;
                sum[2] += v.z;
                square[0] += v.x * v.x;
                square[1] += v.y * v.y;
                square[2] += v.z * v.z;
                both += v.x * v.y;
        }
        /* Five standard errors each: sigma/sqrt(n), sigma^2 sqrt(2/n), sigma^2/sqrt(n). */
        for (int i = 0; i < 3; i++) {
                ck_assert_double_eq_tol(sum[i] / COUNT, 0.0, 5 * 2.0 / sqrt(COUNT));
                ck_assert_double_eq_tol(square[i] / COUNT, 4.0,
                                        5 * 4.0 * sqrt(2.0 / COUNT));
        }
        ck_assert_double_eq_tol(both / COUNT, 0.0, 5 * 4.0 / sqrt(COUNT));
}

TEST(spikes_are_whole_and_as_frequent_as_their_probability)
{
        enum { COUNT = 20000 };
        struct sensor_fault p = gyro(SENSOR_SPIKE, 5.0, FAULT_AXIS_X | FAULT_AXIS_Y);
        int spikes = 0;

        p.probability = 0.1;
        fault_begin(&faulty, p, 0, NULL);
        for (int i = 1; i <= COUNT; i++) {
                struct sensor_frame f = stage_frame(i * MS);
                struct vec3 v;

                fault_apply(&faulty, &sensors, &f);
                v = f.imu.gyro_body_radps;
                ck_assert(v.x == 0.25 || v.x == 5.25);
                ck_assert_double_eq(v.y - v.x, -0.75);
                ck_assert_double_eq(v.z, 1.0);
                spikes += v.x > 1.0;
        }
        ck_assert_double_eq_tol(spikes, 0.1 * COUNT, 5 * sqrt(COUNT * 0.1 * 0.9));
}

TEST(a_sonar_without_an_echo_says_its_maximum_whatever_its_errors)
{
        struct sensor_frame f = stage_frame(1000 * MS);

        f.sonar[2].echo = false;
        f.sonar[2].range_m = 4.0;
        fault_begin(&faulty, stage_fault(FAULT_SONAR, SENSOR_BIAS, -0.5), 1000 * MS,
                    NULL);
        fault_apply(&faulty, &sensors, &f);
        ck_assert_double_eq(f.sonar[2].range_m, 4.0);
        ck_assert(!f.sonar[2].echo);
        ck_assert_double_eq(f.sonar[3].range_m, 1.375 - 0.5);
}

TEST(a_blind_sonar_hears_nothing_and_a_ghost_hides_behind_what_is_nearer)
{
        struct sensor_frame f = now(stage_fault(FAULT_SONAR, SONAR_BLIND, 0));

        for (int i = 0; i < SONARS_MAX; i++) {
                ck_assert(!f.sonar[i].echo);
                ck_assert_double_eq(f.sonar[i].range_m, 4.0);
        }
        f = now(stage_fault(FAULT_SONAR, SONAR_GHOST, 1.51));
        for (int i = 0; i < SONARS_MAX; i++)
                ck_assert_double_eq(f.sonar[i].range_m, fmin(1.0 + 0.125 * i, 1.5));
        f = stage_frame(1000 * MS);
        f.sonar[0] = (struct sonar_sample){ f.t_ns, 0.5, false };
        fault_begin(&faulty, stage_fault(FAULT_SONAR, SONAR_GHOST, 2.0), 0, NULL);
        fault_apply(&faulty, &sensors, &f);
        ck_assert(f.sonar[0].echo);
        ck_assert_double_eq(f.sonar[0].range_m, 2.0);
}

TEST(one_sonar_is_faulty_alone)
{
        struct sensor_fault p = stage_fault(FAULT_SONAR, SENSOR_BIAS, 0.5);
        struct sensor_frame f;

        p.sonar = 4;
        f = now(p);
        for (int i = 0; i < SONARS_MAX; i++)
                ck_assert_double_eq(f.sonar[i].range_m, 1.0 + 0.125 * i + (i == 4) * 0.5);
}

TEST(a_flow_sensor_that_sees_nothing_says_nothing)
{
        struct sensor_frame f = stage_frame(1000 * MS);

        f.flow.quality = 0;
        f.flow.flow_x_rad = f.flow.flow_y_rad = 0.0;
        fault_begin(&faulty, stage_fault(FAULT_FLOW, SENSOR_BIAS, 0.01), 1000 * MS, NULL);
        fault_apply(&faulty, &sensors, &f);
        ck_assert_double_eq(f.flow.flow_x_rad, 0.0);
        f = now(stage_fault(FAULT_FLOW, SENSOR_BIAS, 0x1p-7));
        ck_assert_double_eq(f.flow.flow_x_rad, 0x1p-6 + 0x1p-7);
        ck_assert_double_eq(f.flow.flow_y_rad, 0.0);
        ck_assert_double_eq(f.flow.gyro_x_rad, 0.001);
}

TEST(a_wrong_reading_of_the_current_leaves_the_count_of_the_charge)
{
        struct sensor_frame f = now(stage_fault(FAULT_CURRENT, SENSOR_SCALE, 2.0));

        ck_assert_double_eq(f.power.current_a, 24.5);
        ck_assert_double_eq(f.power.voltage_v, 15.5);
        ck_assert_double_eq(f.power.charge_used_c, 900.0);
        f = now(stage_fault(FAULT_POWER, SENSOR_ZERO, 0));
        ck_assert_double_eq(f.power.voltage_v + f.power.current_a + f.power.charge_used_c,
                            0.0);
}

static struct sensor_frame bmp180_frame(double pressure_pa, double temperature_c)
{
        struct sensor_frame f = stage_frame(1000 * MS);
        struct bmp180_words w = bmp180_convert(&sheet_words, pressure_pa, temperature_c);
        struct bmp180_reading r = bmp180_compensate(&sheet_words, w);

        f.baro.raw_temperature = w.ut;
        f.baro.raw_pressure = w.up;
        f.baro.pressure_pa = r.pressure_pa;
        f.baro.temperature_k = 273.15 + 0.1 * r.temperature_dc;
        return f;
}

/* At every word of the temperature within 0.3 degrees, not only those that a tenth rounds to. */
TEST(a_board_that_reads_the_barometers_words_sees_the_same_fault)
{
        sensors.baro.is_bmp180 = true;
        sensors.baro.bmp180 = sheet_words;
        for (int i = 0; i < 48; i++) {
                struct sensor_frame f = bmp180_frame(95000.0 + 37.0 * i, 20.0);
                struct bmp180_words w;
                int32_t ut = f.baro.raw_temperature + i;
                double before_pa;

                w = (struct bmp180_words){ ut, f.baro.raw_pressure };
                f.baro.raw_temperature = ut;
                f.baro.pressure_pa = before_pa =
                        bmp180_compensate(&sheet_words, w).pressure_pa;
                fault_begin(&faulty, stage_fault(FAULT_BARO, SENSOR_BIAS, 250.0),
                            1000 * MS, NULL);
                fault_apply(&faulty, &sensors, &f);
                ck_assert_int_eq(f.baro.raw_temperature, ut);
                w.up = f.baro.raw_pressure;
                ck_assert_double_eq(f.baro.pressure_pa,
                                    bmp180_compensate(&sheet_words, w).pressure_pa);
                /* The part's own arithmetic makes steps of up to 3 Pa. */
                ck_assert_double_eq_tol(f.baro.pressure_pa, before_pa + 250.0, 3.0);
        }
}

TEST(no_word_stands_for_a_pressure_that_is_no_number)
{
        struct sensor_frame f = bmp180_frame(95000.0, 20.0);

        sensors.baro.is_bmp180 = true;
        sensors.baro.bmp180 = sheet_words;
        fault_begin(&faulty, stage_fault(FAULT_BARO, SENSOR_NAN, 0), 0, NULL);
        fault_apply(&faulty, &sensors, &f);
        ck_assert_double_nan(f.baro.pressure_pa);
        ck_assert_int_eq(f.baro.raw_pressure, 0);
        ck_assert_int_eq(f.baro.raw_temperature, 0);
}

/* Every number that a frame holds, but those of one sensor; bits, as NaN is not equal to itself. */
struct numbers {
        int count;
        double value[200];
};

static void add(struct numbers *n, const void *from, int count)
{
        ck_assert_int_le(n->count + count, 200);
        memcpy(n->value + n->count, from, (size_t)count * sizeof(double));
        n->count += count;
}

static void add_others(struct numbers *n, const struct sensor_frame *f, enum sensor but)
{
        const int32_t whole[] = { f->gps.satellites, (int32_t)f->gps.fix,
                                  f->baro.raw_temperature, f->baro.raw_pressure };

        if (but != SENSOR_GPS) {
                add(n, &f->gps, 10);
                add(n, &whole[0], 1);
        }
        if (but != SENSOR_BARO) {
                add(n, &f->baro, 3);
                add(n, &whole[2], 1);
        }
        if (but != SENSOR_IMU)
                add(n, &f->imu, 7);
        if (but != SENSOR_MAG)
                add(n, &f->mag, 4);
        if (but != SENSOR_FLOW)
                add(n, &f->flow, 6);
        if (but != SENSOR_POWER)
                add(n, &f->power, 4);
        add(n, &f->ins, 7);
}

static struct numbers others_in(const struct sensor_frame *f, enum sensor but)
{
        const uint32_t theirs = but < SENSOR_COUNT ? SENSOR_BIT(but) : 0;
        const double said[] = { (double)f->t_ns, f->fresh & ~theirs,
                                but == SENSOR_SONAR ? 0 : f->fresh_sonars };
        struct numbers n = { 0 };

        add(&n, said, 3);
        add_others(&n, f, but);
        for (int i = 0; but != SENSOR_SONAR && i < SONARS_MAX; i++) {
                const double sonar[] = { (double)f->sonar[i].t_ns, f->sonar[i].range_m,
                                         f->sonar[i].echo };

                add(&n, sonar, 3);
        }
        return n;
}

static void check_others(struct sensor_fault p, enum sensor but)
{
        struct sensor_frame was = stage_frame(1100 * MS), f = after(p, 1100 * MS);
        struct numbers a = others_in(&was, but), b = others_in(&f, but);

        ck_assert_int_eq(a.count, b.count);
        ck_assert_mem_eq(a.value, b.value, (size_t)a.count * sizeof(double));
}

TEST(a_fault_changes_nothing_that_another_sensor_says)
{
        int fitting = 0;

        for (int target = 0; target < SENSOR_FAULT_TARGETS; target++)
                for (int kind = 0; kind < SENSOR_FAULT_KINDS; kind++) {
                        enum sensor_fault_target t = (enum sensor_fault_target)target;
                        enum sensor_fault_kind k = (enum sensor_fault_kind)kind;
                        bool fits = sensor_fault_fits(t, k);

                        check_others(stage_fault(t, k, 0.5),
                                     fits ? sensor_fault_sensor(t) : SENSOR_COUNT);
                        fitting += fits;
                }
        ck_assert_int_ge(fitting, 90);
}

TEST(the_accelerometers_fault_is_none_of_the_gyroscopes)
{
        struct sensor_frame f = now(stage_fault(FAULT_ACCEL, SENSOR_BIAS, 1.0));

        ck_assert_double_eq(f.imu.accel_body_mps2.z, -8.75);
        ck_assert_double_eq(f.imu.gyro_body_radps.z, 1.0);
        f = now(stage_fault(FAULT_VOLTAGE, SENSOR_BIAS, 1.0));
        ck_assert_double_eq(f.power.voltage_v, 16.5);
        ck_assert_double_eq(f.power.current_a, 12.25);
}

TEST(faults_that_do_not_fit_have_no_name_for_the_sensor)
{
        ck_assert(!sensor_fault_fits(FAULT_BARO, SENSOR_SWAP_AXES));
        ck_assert(!sensor_fault_fits(FAULT_GYRO, GPS_LOSS));
        ck_assert(!sensor_fault_fits(FAULT_GYRO, SENSOR_DROPOUT));
        ck_assert(!sensor_fault_fits(FAULT_GPS, SENSOR_BIAS));
        ck_assert(!sensor_fault_fits(SENSOR_FAULT_TARGETS, SENSOR_ZERO));
        ck_assert(!sensor_fault_fits((enum sensor_fault_target) - 1, SENSOR_ZERO));
        ck_assert(!sensor_fault_fits(FAULT_GYRO, SENSOR_FAULT_KINDS));
        ck_assert(sensor_fault_fits(FAULT_IMU, SENSOR_DROPOUT));
}
