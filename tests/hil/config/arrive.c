/* Numbers that no shipped file sets: where they arrive, in SI units. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "hil/config/config.h"

#include "tests/suites.h"

#define RAD_PER_DEG (3.14159265358979323846 / 180.0)

#define SENSORS "vehicles.0.vehicle.sensors."
#define ROTORS  "vehicles.0.vehicle.rotors."
#define LAWS    "vehicles.0.fc.reference."

#define V(member)    OF_VEHICLE, offsetof(struct vehicle_config, member)
#define STEP(member) OF_RIG, offsetof(struct rig_config, scenario.step[0].member)
#define FAULT(text)  "scenario.steps=[{\"sensor_fault\": {\"does\": \"drift\", " text "}}]"
#define TUBE                                                                             \
        "vehicles.0.vehicle.parts=[{\"shape\": \"tube\", \"mass_kg\": 0.964, "           \
        "\"radius_m\": 0.1, \"inner_radius_m\": 0.06, \"length_m\": 0.2}]"

static const struct {
        const char *rig, *set; /* NULL: the default rig */
        enum { OF_RIG, OF_VEHICLE } of;
        size_t at;
        double value;
} numbers[] = {
        { NULL, SENSORS "imu.accel.turn_on_sigma_mps2=[1, 2, 3]",
          V(params.sensors.imu.accel_axes.turn_on[2]), 3.0 },
        { NULL, SENSORS "imu.gyro.turn_on_sigma_dps=[1, 2, 3]",
          V(params.sensors.imu.gyro_axes.turn_on[2]), 3.0 * RAD_PER_DEG },
        { NULL, SENSORS "imu.accel.cross_axis.yx=0.25",
          V(params.sensors.imu.accel.scale[1][0]), 0.25 },
        { NULL, SENSORS "imu.accel.cross_axis.yz=0.25",
          V(params.sensors.imu.accel.scale[1][2]), 0.25 },
        { NULL, SENSORS "power={\"rate_hz\": 10, \"current\": {\"bias_a\": 0.5}}",
          V(params.sensors.power.current.bias[0]), 0.5 },
        { NULL,
          ROTORS "vibration=[{\"order\": 1, \"force_n_per_radps2\": [0, 0, 0], "
                 "\"phase_deg\": 90}]",
          V(params.vibration.harmonic[0].phase_rad), 90.0 * RAD_PER_DEG },
        { NULL, TUBE, V(params.body.inertia_kgm2[2][2]),
          0.5 * 0.964 * (0.1 * 0.1 + 0.06 * 0.06) },
        { "rigs/finken3.json", FAULT("\"sensor\": \"flow\", \"amount_rad_per_s\": 0.5"),
          STEP(sensor_fault.amount), 0.5 },
        { NULL, FAULT("\"sensor\": \"voltage\", \"amount_v_per_s\": 0.5"),
          STEP(sensor_fault.amount), 0.5 },
        { NULL, "vehicles.0.pilot.turn_max_dps=30", V(pilot.turn_max_radps),
          30.0 * RAD_PER_DEG },
        { NULL, LAWS "finken.derivative_tau_s=0.25", V(fc.reference.finken.d_tau_s),
          0.25 },
        { NULL, LAWS "finken.climb_p=3", V(fc.reference.finken.climb_p), 3.0 },
        { NULL, LAWS "finken.target_i_deg_per_ms=3",
          V(fc.reference.finken.horizontal.i_per_s), 3.0 * RAD_PER_DEG },
        { NULL, LAWS "finken.target_tau_s=0.25", V(fc.reference.finken.target_tau_s),
          0.25 },
        { NULL, LAWS "finken.throttle_p_percent_per_m=3",
          V(fc.reference.finken.vertical.p), 3.0 },
        { NULL, LAWS "finken.throttle_i_percent_per_ms=3",
          V(fc.reference.finken.vertical.i_per_s), 3.0 },
        { NULL, LAWS "finken.throttle_d_percent_per_mps=3",
          V(fc.reference.finken.vertical.d_s), 3.0 },
        { NULL, LAWS "sticks.takeoff_percent=8", V(fc.reference.sticks.takeoff_percent),
          8.0 },
        { NULL, LAWS "landing_states.high_below_m=3",
          V(fc.reference.landing_states.high_below_m), 3.0 },
        { NULL, LAWS "landing_states.slow_below_m=3",
          V(fc.reference.landing_states.slow_below_m), 3.0 },
        { NULL, LAWS "landing_states.flare_below_m=0.25",
          V(fc.reference.landing_states.flare_below_m), 0.25 },
        { NULL, LAWS "position_thesis.yaw_rate_max_dps=30",
          V(fc.reference.position_thesis.yaw_rate_max_radps), 30.0 * RAD_PER_DEG },
        { "rigs/md4_200_blades.json", ROTORS "blades.twist_deg=6",
          V(params.blades.twist_rad), 6.0 * RAD_PER_DEG },
        { NULL, LAWS "position_thesis.yaw_tolerance_deg=3",
          V(fc.reference.position_thesis.yaw_tolerance_rad), 3.0 * RAD_PER_DEG },
};

TEST_EACH(a_number_arrives_where_it_is_used, sizeof numbers / sizeof numbers[0])
{
        const char *name = numbers[_i].rig ? numbers[_i].rig : "default.json";
        struct rig_config *rig = calloc(1, sizeof *rig);
        char path[100];
        struct config_error why;
        struct config_overrides o = { .sets = 1, .set = { numbers[_i].set } };
        const char *base;

        snprintf(path, sizeof path, "rig_configs/%s", name);
        ck_assert_msg(config_read(rig, path, &o, NULL, &why), "%s", why.text);
        base = numbers[_i].of == OF_VEHICLE ? (const char *)rig->vehicle
                                            : (const char *)rig;
        ck_assert_double_eq_tol(*(const double *)(const void *)(base + numbers[_i].at),
                                numbers[_i].value, 1e-12);
        config_free(rig);
        free(rig);
}
