/* The doubles of a vehicle's state by place and name, so that one that became no number is found before
 * anybody takes it for one. What goes into every sample of a sensor is seen in the sample. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "models/isa.h"
#include "models/vehicle/vehicle.h"

#define PLACE(member) offsetof(struct vehicle, member)
/* From one member to another, and all between. */
#define SIZE(first, last) (PLACE(last) + sizeof((struct vehicle *)0)->last - PLACE(first))

/* Of the whole state: first and last of doubles that stand one after the other. */
#define BLOCKS(block)                                                                    \
        block(body.pos_ned_m, battery.low_s);                                            \
        block(motor, air);                                                               \
        block(around.wind.u, around.torque_body_nm);                                     \
        block(impact_mps, impact_mps);                                                   \
        block(sensors.gps.last.lat_rad, sensors.gps.last.s_acc_mps);                     \
        block(sensors.gps.fix_down_m, sensors.gps.fix_down_m);                           \
        block(sensors.baro.drift_pa, sensors.baro.heat_reached);                         \
        block(sensors.flow.pos_ned_m, sensors.flow.left_rad);                            \
        block(sensors.latest.imu.accel_body_mps2, sensors.latest.imu.gyro_body_radps);   \
        block(sensors.latest.gps.lat_rad, sensors.latest.gps.s_acc_mps);                 \
        block(sensors.latest.baro.pressure_pa, sensors.latest.baro.temperature_k);       \
        block(sensors.latest.mag.field_body_t, sensors.latest.mag.field_body_t);         \
        /* A camera without a gyroscope has no angles of one. */                         \
        block(sensors.latest.flow.flow_x_rad, sensors.latest.flow.flow_y_rad);           \
        block(sensors.latest.power.voltage_v, sensors.latest.power.charge_used_c);       \
        block(sensors.latest.ins.pos_ned_m, sensors.latest.ins.euler_rad)

/* With one more in its exponent, what is infinite or no number has the bit of the sign, and no other has it. */
static inline uint64_t overflow(uint64_t bits)
{
        return (bits & UINT64_C(0x7ff0000000000000)) + UINT64_C(0x0010000000000000);
}

/* Inlined by force: with the size and the place known it is a few instructions on several at once. */
ALWAYS_INLINE uint64_t overflow_of(const void *at, size_t size)
{
        uint64_t any = 0, bits;

        for (size_t i = 0; i < size; i += sizeof bits) {
                memcpy(&bits, (const char *)at + i, sizeof bits);
                any |= overflow(bits);
        }
        return any;
}

bool vehicle_is_finite(const struct vehicle *v)
{
        uint64_t any = 0;

#define ADD(first, last)                                                                 \
        any |= overflow_of((const char *)v + PLACE(first), SIZE(first, last))
        BLOCKS(ADD);
        for (int i = 0; i < SONARS_MAX; i++)
                any |= overflow_of(&v->sensors.latest.sonar[i].range_m, sizeof(double));
        return any >> 63 == 0;
}

static const char *const along_ned[] = { " north", " east", " down" };
static const char *const about_body[] = { " about x", " about y", " about z" };

#define SPAN(first, last) PLACE(first), SIZE(first, last)

/* The body first: what it does the others follow. */
static const struct state {
        const char *name;
        size_t offset, size;
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
        { "IMU sample",
          SPAN(sensors.latest.imu.accel_body_mps2, sensors.latest.imu.gyro_body_radps),
          NULL },
        { "GPS sample", SPAN(sensors.latest.gps.lat_rad, sensors.latest.gps.s_acc_mps),
          NULL },
        { "barometer sample",
          SPAN(sensors.latest.baro.pressure_pa, sensors.latest.baro.temperature_k),
          NULL },
        { "magnetometer sample",
          SPAN(sensors.latest.mag.field_body_t, sensors.latest.mag.field_body_t), NULL },
        { "power sample",
          SPAN(sensors.latest.power.voltage_v, sensors.latest.power.charge_used_c),
          NULL },
};

struct infinite_state vehicle_find_infinite(const struct vehicle *v)
{
        for (size_t k = 0; k < sizeof states / sizeof states[0]; k++)
                for (size_t i = 0; i < states[k].size / sizeof(double); i++) {
                        const struct state *s = &states[k];
                        double x;

                        memcpy(&x, (const char *)v + s->offset + i * sizeof x, sizeof x);
                        if (!isfinite(x))
                                return (struct infinite_state){
                                        s->name, s->part != NULL ? s->part[i] : ""
                                };
                }
        return (struct infinite_state){ "state", "" };
}
