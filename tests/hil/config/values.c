/* What the numbers of a rig file become: units, axes, layouts, gear. */
#include <math.h>

#include "models/world/geomagnetism.h"
#include "tests/hil/config/rig_file.h"

TEST(units_are_converted_once)
{
        const struct vehicle_params *p;
        const struct world *w = &rig.world;

        expect_read(DEFAULT, "vehicles.0.start.yaw_deg=180");
        p = &rig.vehicle[0].params;
        ck_assert_double_eq_tol(rig.vehicle[0].start_yaw_rad, M_PI, 1e-15);
        ck_assert_double_eq_tol(p->motor[0].speed_full_radps, 1.08 * 4250 * 2 * M_PI / 60,
                                1e-9);
        ck_assert_double_eq_tol(w->origin.lat_rad, 47.0707 * M_PI / 180, 1e-15);
        ck_assert_double_eq(w->atmosphere.sea_level_pressure_pa, 101325.0);
        ck_assert_double_eq(w->atmosphere.sea_level_temperature_k, 288.15);
        ck_assert_int_eq(p->sensors.imu.schedule.period_ns, 1000000);
        ck_assert_int_eq(p->sensors.gps.schedule.delay_ns, 200000000);
        ck_assert_int_eq(rig.log.truth_period_ns, 4000000);
        ck_assert_double_eq(rig.realtime.missed_max_ratio, 0.1);
        ck_assert_double_eq_tol(rig.vehicle[0].fc.reference.idle_duty, 0.08, 1e-15);
}

TEST(a_given_magnetic_field_is_of_its_strength_and_angles)
{
        const struct vec3 *field = &rig.world.magnetic_field_ned_t;

        expect_read(DEFAULT,
                    "world.magnetic_field={\"model\": \"given\", \"strength_ut\": 50, "
                    "\"inclination_deg\": 60, \"declination_deg\": -30}");
        ck_assert_double_eq_tol(vec3_norm(*field), 50e-6, 1e-18);
        ck_assert_double_eq_tol(field->z, 50e-6 * sin(M_PI / 3), 1e-18);
        ck_assert_double_eq_tol(atan2(field->y, field->x), -M_PI / 6, 1e-14);
        expect_read(DEFAULT, "world.magnetic_field={}");
        ck_assert_double_eq_tol(vec3_norm(*field), 48.6e-6, 1e-18);
        ck_assert_double_eq_tol(atan2(field->z, hypot(field->x, field->y)),
                                63.6 * M_PI / 180, 1e-14);
        ck_assert_double_eq_tol(atan2(field->y, field->x), 4.6 * M_PI / 180, 1e-14);
}

/* The shipped world's date is noon of 2026-07-27, day 208 of the year. The field of early
 * 2025 differs by tens of nT. */
TEST(a_modelled_magnetic_field_is_that_of_the_origin_and_the_time)
{
        const struct world *w = &rig.world;
        struct vec3 wanted;

        expect_read(DEFAULT, NULL);
        wanted = geomagnetism_field_ned_t((struct earth_position){ w->origin.lat_rad,
                                                                   w->origin.lon_rad,
                                                                   w->origin.height_m },
                                          2026.0 + 207.5 / 365.0);
        ck_assert_double_eq_tol(vec3_norm(vec3_sub(w->magnetic_field_ned_t, wanted)), 0.0,
                                1e-12);
        ck_assert_double_eq_tol(vec3_norm(wanted), 48.8e-6, 0.2e-6);
        expect_read(DEFAULT, "world.time_utc=2025-01-01T00:00:00Z");
        ck_assert_double_gt(vec3_norm(vec3_sub(w->magnetic_field_ned_t, wanted)), 1e-8);
        expect_read(DEFAULT, "world.origin.latitude_deg=-47.0707");
        ck_assert_double_lt(w->magnetic_field_ned_t.z, 0.0);
        expect_refused(DEFAULT, "world.time_utc=2031-01-01T00:00:00Z",
                       "time_utc: must be from 2025 to 2029 with magnetic_field.model");
}

/* Nano units a count, exactly. */
static void check_whole_lsb(const struct error_params *e)
{
        double nano = round(e->lsb * 1e9);

        ck_assert(nano >= 1.0 && nano <= 4294967295.0);
        ck_assert_double_eq(nano / 1e9, e->lsb);
        ck_assert_double_eq_tol(e->min / e->lsb, round(e->min / e->lsb), 1e-6);
        ck_assert_double_eq_tol(e->max / e->lsb, round(e->max / e->lsb), 1e-6);
        ck_assert(fabs(e->min / e->lsb) <= 2147483648.0 &&
                  e->max / e->lsb <= 2147483647.0);
}

TEST(an_lsb_is_a_whole_number_of_nano_units)
{
        for (int i = 0; i < COUNT(good); i++) {
                expect_read(good[i], NULL);
                for (int v = 0; v < rig.vehicles; v++) {
                        const struct sensors_params *s = &rig.vehicle[v].params.sensors;

                        check_whole_lsb(&s->imu.accel);
                        check_whole_lsb(&s->imu.gyro);
                        check_whole_lsb(&s->baro.pressure);
                        check_whole_lsb(&s->baro.temperature);
                        check_whole_lsb(&s->mag.field);
                        for (int k = 0; k < s->sonar.count; k++)
                                check_whole_lsb(&s->sonar.unit[k].range);
                }
        }
}

TEST(a_power_of_two_of_lsbs_ends_as_a_register_does)
{
        const struct sensors_params *s;

        expect_read(DEFAULT, NULL);
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq_tol(s->imu.gyro.max / s->imu.gyro.lsb, 32767.0, 1e-9);
        ck_assert_double_eq_tol(s->imu.gyro.min / s->imu.gyro.lsb, -32768.0, 1e-9);
        ck_assert_double_eq_tol(s->mag.field.max / s->mag.field.lsb, 2047.0, 1e-9);
        ck_assert_double_eq_tol(s->mag.field.min / s->mag.field.lsb, -2048.0, 1e-9);
        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.mag.range_ut=1196");
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq_tol(s->mag.field.max / s->mag.field.lsb, 13000.0, 1e-9);
        ck_assert_double_eq_tol(s->mag.field.min / s->mag.field.lsb, -13000.0, 1e-9);
        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.imu.part.gyro.range_dps=null");
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq_tol(s->imu.gyro.max / s->imu.gyro.lsb, 2147483647.0, 1e-6);
}

TEST(default_lsbs_are_a_millionth_of_the_unit)
{
        const struct sensors_params *s;

        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.imu={\"rate_hz\": 1000}");
        s = &rig.vehicle[0].params.sensors;
        ck_assert_double_eq(s->imu.accel.lsb, 1e-6);
        ck_assert_double_eq(s->imu.gyro.lsb, 1e-6);
        ck_assert_double_eq(s->imu.q_body_to_sensor.w, 1.0);
        ck_assert_double_eq(s->imu.accel.scale[1][1], 1.0);
        ck_assert_double_eq(s->imu.accel.scale[1][0], 0.0);
}

TEST(mounting_turns_body_vectors_into_the_sensors_axes)
{
        struct vec3 forward;

        /* Turned to the right by 90 degrees, what is forward is on the sensor's left. */
        expect_read(DEFAULT, "vehicles.0.vehicle.sensors.imu.mounting_deg={\"yaw\": 90}");
        forward = quat_rotate(rig.vehicle[0].params.sensors.imu.q_body_to_sensor,
                              (struct vec3){ 1.0, 0.0, 0.0 });
        ck_assert_double_eq_tol(forward.x, 0.0, 1e-15);
        ck_assert_double_eq_tol(forward.y, -1.0, 1e-15);
}

/* Gruber 3.9: yaw torque of front and back is negative about down, of right and left positive. */
TEST(plus_layout_has_grubers_signs)
{
        static const double x[4] = { 1, 0, -1, 0 }, y[4] = { 0, 1, 0, -1 };
        const struct vehicle_params *p;

        expect_read(DEFAULT, NULL);
        p = &rig.vehicle[0].params;
        for (int i = 0; i < 4; i++) {
                /* Drag acts against the spin. */
                ck_assert_double_eq(p->rotor[i].spin, i % 2 == 0 ? 1.0 : -1.0);
                ck_assert_double_eq(p->rotor[i].pos_body_m.x, 0.26 * x[i]);
                ck_assert_double_eq(p->rotor[i].pos_body_m.y, 0.26 * y[i]);
        }
}

TEST(x_layout_goes_clockwise_from_front_right)
{
        static const double spin[4] = { -1, 1, -1, 1 };
        const struct vehicle_params *p;

        expect_read("rig_configs/rigs/finken3.json",
                    "vehicles.0.vehicle.rotors.first_spin=null");
        p = &rig.vehicle[0].params;
        for (int i = 0; i < 4; i++) {
                double angle = M_PI / 4 + i * M_PI / 2;

                ck_assert_double_eq_tol(p->rotor[i].pos_body_m.x, 0.11 * cos(angle),
                                        1e-15);
                ck_assert_double_eq_tol(p->rotor[i].pos_body_m.y, 0.11 * sin(angle),
                                        1e-15);
                ck_assert_double_eq(p->rotor[i].spin, spin[i]);
        }
        expect_read("rig_configs/rigs/finken3.json", NULL);
        p = &rig.vehicle[0].params;
        ck_assert_double_eq(p->rotor[0].spin, 1.0);
        ck_assert_double_eq(p->rotor[1].spin, -1.0);
}

TEST(a_vehicle_starts_on_its_gear)
{
        double lowest_m;

        expect_read(DEFAULT, "world.ground={\"down_m\": 2}");
        lowest_m = rig.vehicle[0].params.contact.point_body_m[0].z;
        ck_assert_double_eq_tol(rig.vehicle[0].start_ned_m.z + lowest_m, 2.0, 1e-15);
}

/* How far down its lowest point is when the unit vector `down_body` points down. */
static double reach_m(const struct contact_params *gear, struct vec3 down_body)
{
        double reach = -INFINITY;

        for (int i = 0; i < gear->points; i++)
                reach = fmax(reach, vec3_dot(gear->point_body_m[i], down_body));
        return reach;
}

/* Else a vehicle that has crashed lies with its centre of mass in the ground. */
TEST(shipped_vehicles_lie_above_the_ground_however_they_are_turned)
{
        static const char *const path[] = { DEFAULT, "rig_configs/rigs/finken3.json",
                                            "rig_configs/rigs/md4_200_thesis.json" };

        for (size_t n = 0; n < sizeof path / sizeof path[0]; n++) {
                expect_read(path[n], NULL);
                for (int i = 0; i < 36 * 18; i++) {
                        double around = i % 36 * M_PI / 18.0;
                        int row = i / 36 - 9;
                        double below = row * M_PI / 18.0;
                        struct vec3 down = { cos(around) * cos(below),
                                             sin(around) * cos(below), sin(below) };

                        ck_assert_double_gt(reach_m(&rig.vehicle[0].params.contact, down),
                                            0.005);
                }
        }
}

/* The thesis's own check of the shipped numbers. */
TEST(the_thesis_vehicle_answers_in_yaw_as_identified)
{
        const struct vehicle_params *p;

        expect_read("rig_configs/rigs/md4_200_thesis.json", NULL);
        p = &rig.vehicle[0].params;
        /* Gruber 4.3.2: 5.4143e-5 / (1 + 0.774194 s) */
        ck_assert_double_eq_tol(p->rotor[0].torque_nm_per_radps2 /
                                        p->airframe.angular_nm_per_radps.z,
                                5.4143e-5, 5e-9);
        ck_assert_double_eq_tol(p->body.inertia_kgm2[2][2] /
                                        p->airframe.angular_nm_per_radps.z,
                                0.774194, 1e-4);
}

/* Lift at the speed limit against weight, as a rough check of a vehicle file. */
TEST(every_shipped_vehicle_can_hover)
{
        for (int i = 0; i < COUNT(good); i++) {
                const struct vehicle_params *p;
                double lift_n = 0.0;

                expect_read(good[i], NULL);
                p = &rig.vehicle[0].params;
                for (int r = 0; r < p->rotors; r++) {
                        double speed = fmin(p->motor[r].speed_limit_radps,
                                            p->motor[r].speed_full_radps);

                        lift_n += p->rotor[r].thrust_n_per_radps2 * speed * speed;
                }
                ck_assert_double_gt(lift_n,
                                    1.5 * p->body.mass_kg * rig.world.gravity_mps2);
        }
}
