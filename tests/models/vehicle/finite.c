/* That nothing of a vehicle becomes no number unseen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "tests/suites.h"

static struct rig_config config;
static struct vehicle_params params;
static struct vehicle flown;

/* The vehicle with the most sensors, a second in the air. */
static void fly(void)
{
        const struct config_overrides none = { 0 };
        const struct motor_command half = { { 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5 } };
        struct config_error why;
        char *resolved;

        ck_assert_msg(config_read(&config, "rig_configs/rigs/finken3.json", &none,
                                  &resolved, &why),
                      "%s", why.text);
        free(resolved);
        params = config.vehicle[0].params;
        ck_assert(vehicle_params_prepare(&params, 1000000, 1, 0));
        vehicle_init(&flown, &params, &config.world, 1, 0, (struct vec3){ 0, 0, -20 },
                     0.3);
        for (int i = 0; i < 1000; i++)
                vehicle_step(&flown, &params, &config.world, NULL, &half, 1);
}

TEST(a_good_flight_is_finite_at_every_tick)
{
        const struct motor_command full = { { 1.0, 0.9, 1.0, 0.9 } };

        fly();
        for (int i = 0; i < 3000; i++) {
                vehicle_step(&flown, &params, &config.world, NULL, &full, 1);
                ck_assert_msg(vehicle_is_finite(&flown), "%s at %d",
                              vehicle_find_infinite(&flown).name, i);
        }
        config_free(&config);
}

TEST(each_kind_of_state_is_looked_at_and_named)
{
        static const struct {
                size_t offset;
                const char *name, *part;
        } state[] = {
#define AT(member) offsetof(struct vehicle, member)
                { AT(body.rate_body_radps.y), "turn rate", " about y" },
                { AT(body.vel_ned_mps.z), "velocity", " down" },
                { AT(body.q_body_to_ned.z), "attitude", "" },
                { AT(motor[ROTORS_MAX - 1].speed_radps), "rotor speed", "" },
                { AT(inflow_mps[3]), "inflow", "" },
                { AT(air.slope_kgpm4), "air density", "" },
                { AT(battery.low_s), "battery", "" },
                { AT(around.wind.w[1]), "wind", "" },
                { AT(around.torque_body_nm.z), "wind", "" },
                { AT(sensors.baro.heat_reached), "barometer", "" },
                { AT(sensors.flow.left_rad[1]), "flow camera", "" },
                { AT(sensors.latest.imu.gyro_body_radps.z), "IMU sample", "" },
                { AT(sensors.latest.gps.s_acc_mps), "GPS sample", "" },
                { AT(sensors.latest.baro.temperature_k), "barometer sample", "" },
                { AT(sensors.latest.mag.field_body_t.z), "magnetometer sample", "" },
                { AT(sensors.latest.power.charge_used_c), "power sample", "" },
                { AT(sensors.latest.sonar[SONARS_MAX - 1].range_m), "state", "" },
        };
        const double wrong[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };

        fly();
        for (size_t i = 0; i < sizeof state / sizeof state[0]; i++)
                for (size_t k = 0; k < 3; k++) {
                        struct vehicle v = flown;
                        struct infinite_state is;

                        memcpy((char *)&v + state[i].offset, &wrong[k], sizeof wrong[k]);
                        ck_assert_msg(!vehicle_is_finite(&v), "%s", state[i].name);
                        is = vehicle_find_infinite(&v);
                        ck_assert_str_eq(is.name, state[i].name);
                        ck_assert_str_eq(is.part, state[i].part);
                }
        config_free(&config);
}

/* Of the states that are not looked at themselves. */
TEST(what_goes_into_every_sample_is_seen_in_the_next)
{
        const size_t offset[] = {
                AT(sensors.imu.drift.sum[4]),    AT(sensors.imu.turn_on[1]),
                AT(sensors.imu.heat_k),          AT(sensors.imu.gyro_band.s1[0]),
                AT(sensors.gps.errors.range[0]), AT(sensors.gps.errors.rate[2])
        };
        const struct motor_command idle = { { 0 } };
        const double nan = (double)NAN;

        fly();
        for (size_t i = 0; i < sizeof offset / sizeof offset[0]; i++) {
                struct vehicle v = flown;
                double was;

                memcpy(&was, (char *)&v + offset[i], sizeof was);
                memcpy((char *)&v + offset[i], &nan, sizeof nan);
                for (int n = 0; n < 1000 && vehicle_is_finite(&v); n++)
                        vehicle_step(&v, &params, &config.world, NULL, &idle, 1);
                ck_assert_msg(!vehicle_is_finite(&v), "%zu, was %g", i, was);
        }
        config_free(&config);
}
