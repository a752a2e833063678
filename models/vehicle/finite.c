/* The doubles of a vehicle's state by place and name, so that one that became no number is found before
 * anybody takes it for one. What goes into every sample of a sensor is seen in the sample. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "models/vehicle/vehicle.h"

/* Doubles one after the other, or, of samples of one kind, so many apart. */
struct block {
        size_t offset;
        int count, stride;
};

/* From one member to another, and all between. */
#define PLACE(member) offsetof(struct vehicle, member)
#define SPAN(first, last)                                                                \
        {                                                                                \
                PLACE(first),                                                            \
                        (int)((PLACE(last) + sizeof((struct vehicle *)0)->last -         \
                               PLACE(first)) /                                           \
                              sizeof(double)),                                           \
                        1                                                                \
        }
#define SAMPLE(first, last) SPAN(sensors.latest.first, sensors.latest.last)

static const struct block blocks[] = {
        SPAN(body.pos_ned_m, battery.low_s),
        SPAN(motor, air),
        SPAN(around.wind.u, around.torque_body_nm),
        SPAN(impact_mps, impact_mps),
        SPAN(sensors.gps.last.lat_rad, sensors.gps.last.s_acc_mps),
        SPAN(sensors.gps.fix_down_m, sensors.gps.fix_down_m),
        SPAN(sensors.baro.drift_pa, sensors.baro.heat_reached),
        SPAN(sensors.flow.pos_ned_m, sensors.flow.left_rad),
        SAMPLE(imu.accel_body_mps2, imu.gyro_body_radps),
        SAMPLE(gps.lat_rad, gps.s_acc_mps),
        SAMPLE(baro.pressure_pa, baro.temperature_k),
        SAMPLE(mag.field_body_t, mag.field_body_t),
        /* A camera without a gyroscope has no angles of one. */
        SAMPLE(flow.flow_x_rad, flow.flow_y_rad),
        SAMPLE(power.voltage_v, power.charge_used_c),
        SAMPLE(ins.pos_ned_m, ins.euler_rad),
        { PLACE(sensors.latest.sonar[0].range_m), SONARS_MAX,
          sizeof(struct sonar_sample) / sizeof(double) },
};

static double double_at(const struct vehicle *v, size_t offset)
{
        double x;

        memcpy(&x, (const char *)v + offset, sizeof x);
        return x;
}

/* 0 times a number is 0, times no number or infinity none. */
bool vehicle_is_finite(const struct vehicle *v)
{
        double sum[4] = { 0.0 };

        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
                size_t stride = (size_t)blocks[b].stride * sizeof(double);
                size_t at = blocks[b].offset;
                int i = 0;

                for (; i + 4 <= blocks[b].count; i += 4, at += 4 * stride)
                        for (int k = 0; k < 4; k++)
                                sum[k] += 0.0 * double_at(v, at + (size_t)k * stride);
                for (; i < blocks[b].count; i++, at += stride)
                        sum[0] += 0.0 * double_at(v, at);
        }
        return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

static const char *const along_ned[] = { " north", " east", " down" };
static const char *const about_body[] = { " about x", " about y", " about z" };

/* The body first: what it does the others follow. */
static const struct state {
        const char *name;
        struct block block;
        const char *const *part; /* what each is called; NULL: they have no names */
} states[] = {
        { "velocity", SPAN(body.vel_ned_mps, body.vel_ned_mps), along_ned },
        { "turn rate", SPAN(body.rate_body_radps, body.rate_body_radps), about_body },
        { "position", SPAN(body.pos_ned_m, body.pos_ned_m), along_ned },
        { "attitude", SPAN(body.q_body_to_ned, body.q_body_to_ned), NULL },
        { "acceleration", SPAN(body.accel_ned_mps2, body.accel_ned_mps2), along_ned },
        { "angular acceleration",
          SPAN(body.rate_dot_body_radps2, body.rate_dot_body_radps2), about_body },
        { "gravity", SPAN(body.gravity_mps2, body.gravity_mps2), NULL },
        { "push from outside", SPAN(push, push), NULL },
        { "battery", SPAN(battery.charge_used_c, battery.low_s), NULL },
        { "rotor speed", SPAN(motor, target_radps), NULL },
        { "inflow", SPAN(inflow_mps, inflow_mps), NULL },
        { "rotor angle", SPAN(angle_turns, angle_turns), NULL },
        { "thrust", SPAN(speed_ratio, thrust_n), NULL },
        { "air density", SPAN(air, air), NULL },
        { "wind", SPAN(around.wind.u, around.torque_body_nm), NULL },
        { "impact", SPAN(impact_mps, impact_mps), NULL },
        { "barometer", SPAN(sensors.baro.drift_pa, sensors.baro.heat_reached), NULL },
        { "flow camera", SPAN(sensors.flow.pos_ned_m, sensors.flow.left_rad), NULL },
        { "IMU sample", SAMPLE(imu.accel_body_mps2, imu.gyro_body_radps), NULL },
        { "GPS sample", SAMPLE(gps.lat_rad, gps.s_acc_mps), NULL },
        { "barometer sample", SAMPLE(baro.pressure_pa, baro.temperature_k), NULL },
        { "magnetometer sample", SAMPLE(mag.field_body_t, mag.field_body_t), NULL },
        { "power sample", SAMPLE(power.voltage_v, power.charge_used_c), NULL },
};

struct infinite_state vehicle_find_infinite(const struct vehicle *v)
{
        for (size_t k = 0; k < sizeof states / sizeof states[0]; k++)
                for (int i = 0; i < states[k].block.count; i++) {
                        const struct state *s = &states[k];
                        double x = double_at(v, s->block.offset + (size_t)i * sizeof x);

                        if (x - x != 0.0)
                                return (struct infinite_state){
                                        s->name, s->part != NULL ? s->part[i] : ""
                                };
                }
        return (struct infinite_state){ "state", "" };
}
