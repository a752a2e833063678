/* What pilot and flight controller say, between SI and HILP's counts. */
#include "io/codec/hilp/hilp_si.h"

#include <string.h>

#include "io/codec/hilp/hilp_count.h"

#define QUAT_SCALE 1e4

void hilp_si_to_input(struct hilp_input *wire, const struct pilot_input *input)
{
        memset(wire, 0, sizeof *wire);
        wire->mode = (uint8_t)input->setpoint.mode;
        to_counts_xyz(wire->pos_ned_mm, input->setpoint.pos_ned_m, MILLI_IN_NANO);
        /* Turned into -pi..pi, which 16 bits hold. */
        wire->yaw_mrad = to_i16(remainder(input->setpoint.yaw_rad, 2.0 * PI) * 1e3);

        /* Up to the last channel that has a value. */
        for (int i = 0; i < RC_CHANNELS_MAX; i++) {
                wire->rc_us[i] = input->rc_us[i];
                if (input->rc_us[i] != 0)
                        wire->channels = (uint8_t)(i + 1);
        }
}

void hilp_si_from_input(struct pilot_input *input, const struct hilp_input *wire)
{
        memset(input, 0, sizeof *input);
        input->setpoint.mode = (enum flight_mode)wire->mode;
        input->setpoint.pos_ned_m = from_counts_xyz(wire->pos_ned_mm, MILLI_IN_NANO);
        input->setpoint.yaw_rad = from_i16(wire->yaw_mrad) / 1e3;
        for (int i = 0; i < wire->channels && i < RC_CHANNELS_MAX; i++)
                input->rc_us[i] = wire->rc_us[i];
}

void hilp_si_to_state(struct hilp_state *wire, const struct fc_estimate *estimate)
{
        struct quat q = estimate->q_body_to_ned;

        memset(wire, 0, sizeof *wire);
        wire->q_1e4[0] = to_i16(q.w * QUAT_SCALE);
        wire->q_1e4[1] = to_i16(q.x * QUAT_SCALE);
        wire->q_1e4[2] = to_i16(q.y * QUAT_SCALE);
        wire->q_1e4[3] = to_i16(q.z * QUAT_SCALE);
        to_counts_xyz(wire->pos_ned_mm, estimate->pos_ned_m, MILLI_IN_NANO);
        wire->vel_ned_cmps[0] = to_i16(estimate->vel_ned_mps.x * 1e2);
        wire->vel_ned_cmps[1] = to_i16(estimate->vel_ned_mps.y * 1e2);
        wire->vel_ned_cmps[2] = to_i16(estimate->vel_ned_mps.z * 1e2);
}

void hilp_si_from_state(struct fc_estimate *estimate, const struct hilp_state *wire)
{
        struct quat q = { from_i16(wire->q_1e4[0]), from_i16(wire->q_1e4[1]),
                          from_i16(wire->q_1e4[2]), from_i16(wire->q_1e4[3]) };

        estimate->q_body_to_ned = quat_normalise(q);
        estimate->pos_ned_m = from_counts_xyz(wire->pos_ned_mm, MILLI_IN_NANO);
        estimate->vel_ned_mps = (struct vec3){ from_i16(wire->vel_ned_cmps[0]) / 1e2,
                                               from_i16(wire->vel_ned_cmps[1]) / 1e2,
                                               from_i16(wire->vel_ned_cmps[2]) / 1e2 };
}

uint16_t hilp_si_to_duty(double duty)
{
        return isnan(duty) ? 0 : (uint16_t)saturate(duty * UINT16_MAX, 0, UINT16_MAX);
}

double hilp_si_from_duty(uint16_t duty)
{
        return (double)duty / UINT16_MAX;
}

void hilp_si_to_real_ranges(struct hilp_real_ranges *wire,
                            const double range_m[SONARS_MAX])
{
        memset(wire, 0, sizeof *wire);
        for (int i = 0; i < SONARS_MAX; i++) {
                struct hilp_real_range *to = &wire->range[wire->count];

                /* Written so that NaN sees nothing. */
                if (!(range_m[i] >= 0.0 && range_m[i] < INFINITY))
                        continue;
                to->index = (uint8_t)i;
                to->range_mm = to_counts(range_m[i], MILLI_IN_NANO);
                wire->count++;
        }
}

void hilp_si_from_real_ranges(double range_m[SONARS_MAX],
                              const struct hilp_real_ranges *wire)
{
        for (int i = 0; i < SONARS_MAX; i++)
                range_m[i] = (double)INFINITY;
        for (int i = 0; i < wire->count; i++) {
                const struct hilp_real_range *from = &wire->range[i];

                if (from->range_mm != HILP_INVALID_I32)
                        range_m[from->index] = from_counts(from->range_mm, MILLI_IN_NANO);
        }
}
