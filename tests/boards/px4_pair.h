/* The rig's codec and a stand-in for PX4 that hears every message and says what a test wants, joined in
 * memory. */
#pragma once

#include <check.h>
#include <math.h>
#include <string.h>

#include "io/codec/px4/px4.h"

#define MS 1000000LL

static const struct codec_setup setup_sitl = {
        .dialect = "sitl",
        .lockstep = true,
        .period_ns = 1 * MS,
        .sensor_period_ns = { 1 * MS, 100 * MS, 20 * MS, 10 * MS },
        .origin = { .lat_rad = 0.8,
                    .lon_rad = 0.2,
                    .height_m = 353.0,
                    .north_m_per_rad = 6.37e6,
                    .east_m_per_rad = 4.4e6,
                    .utc_ns = 1784635200000000000LL },
        .start_ned_m = { 10.0, 20.0, -0.06 },
        .rotors = 4,
        .motor_order = { 0, 3, 1, 2 },
};

/* Messages that the stand-in heard, the newest last. */
struct px4_heard {
        uint32_t id;
        int channel;
        struct mavlink_frame frame;
};

#define HEARD_MAX 4096

struct px4_pair {
        struct codec *rig;
        struct mavlink_stream ear[2];
        struct mavlink_sender mouth;
        struct packets out;
        struct fc_report report;
        struct sensor_frame frame;
        uint32_t number;
        int64_t host_ns;
        bool armed;
        int heard_count;
        struct px4_heard heard[HEARD_MAX];
};

static inline void pair_begin(struct px4_pair *p, const struct codec_setup *setup)
{
        memset(p, 0, sizeof *p);
        p->rig = codec_create("px4", setup);
        ck_assert_ptr_nonnull(p->rig);
        p->host_ns = 77 * MS;
        p->mouth = (struct mavlink_sender){ .version = 2, .system = 1, .component = 1 };
}

static inline void pair_end(struct px4_pair *p)
{
        p->rig->ops->destroy(p->rig);
}

/* The stand-in hears what is in the outbox. */
static inline void pair_listen(struct px4_pair *p)
{
        for (int i = 0; i < p->out.count; i++) {
                const struct packet *packet = &p->out.packet[i];
                size_t used = 0;

                ck_assert_uint_gt(packet->len, 0);
                while (used < packet->len) {
                        struct mavlink_frame frame;
                        bool got = false;

                        used += mavlink_stream_take(&p->ear[packet->channel],
                                                    packet->bytes + used,
                                                    packet->len - used, &frame, &got);
                        if (!got)
                                continue;
                        ck_assert_int_lt(p->heard_count, HEARD_MAX);
                        p->heard[p->heard_count++] =
                                (struct px4_heard){ frame.id, packet->channel, frame };
                }
        }
        for (int i = 0; i < 2; i++)
                ck_assert_uint_eq(
                        p->ear[i].bad_crc + p->ear[i].noise_bytes + p->ear[i].unknown, 0);
}

/* Bytes to the rig; the news that were in them. */
static inline uint32_t pair_bytes(struct px4_pair *p, int channel, const uint8_t *bytes,
                                  size_t len)
{
        size_t used = 0;

        p->report.fresh = 0;
        while (used < len)
                used += p->rig->ops->decode(p->rig, channel, p->host_ns, bytes + used,
                                            len - used, &p->report);
        return p->report.fresh;
}

static inline uint32_t pair_say(struct px4_pair *p, int channel, uint32_t id,
                                const void *values)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];

        return pair_bytes(p, channel, bytes, mavlink_send(&p->mouth, id, values, bytes));
}

static inline uint32_t pair_heartbeat(struct px4_pair *p, int channel, uint8_t base_mode,
                                      uint8_t main_mode, uint8_t sub_mode)
{
        struct mavlink_heartbeat m = { .type = 2,
                                       .autopilot = 12,
                                       .base_mode = base_mode,
                                       .custom_mode = (uint32_t)main_mode << 16 |
                                                      (uint32_t)sub_mode << 24,
                                       .system_status = 4 };

        return pair_say(p, channel, MAVLINK_HEARTBEAT, &m);
}

static inline void pair_poll(struct px4_pair *p, int64_t later_ns)
{
        p->host_ns += later_ns;
        p->rig->ops->poll(p->rig, p->host_ns, &p->out);
        pair_listen(p);
}

/* The next frame, 4 ms of its time after the last one. */
static inline void pair_frame(struct px4_pair *p, const struct pilot_input *input)
{
        p->frame.t_ns += 4 * MS;
        p->frame.fresh |= SENSOR_BIT(SENSOR_IMU);
        p->rig->ops->encode(p->rig, p->number++, p->host_ns, &p->frame, input, &p->out);
        pair_listen(p);
        p->frame.fresh = 0;
}

static inline uint32_t pair_motors(struct px4_pair *p, uint64_t time_us)
{
        struct mavlink_hil_actuator_controls m = {
                .time_usec = time_us,
                .flags = 1,
                .mode = p->armed ? 129 : 1,
                .controls = { 0.1F, 0.2F, 0.3F, 0.4F, NAN },
        };

        return pair_say(p, 0, MAVLINK_HIL_ACTUATOR_CONTROLS, &m);
}

/* A frame, its answer, and what the rig says after it. */
static inline void pair_tick(struct px4_pair *p, const struct pilot_input *input)
{
        pair_frame(p, input);
        pair_motors(p, (uint64_t)p->frame.t_ns / 1000);
        pair_poll(p, 2 * MS);
}

static inline void pair_ticks(struct px4_pair *p, int count)
{
        for (int i = 0; i < count; i++)
                pair_tick(p, NULL);
}

/* Connected, answering, and heard on the telemetry link. */
static inline void pair_ready(struct px4_pair *p, const struct codec_setup *setup)
{
        pair_begin(p, setup);
        pair_heartbeat(p, 0, 32, 4, 3);
        pair_heartbeat(p, 1, 32, 4, 3);
        pair_ticks(p, 100);
        p->heard_count = 0;
}

static inline int pair_count(const struct px4_pair *p, uint32_t id)
{
        int count = 0;

        for (int i = 0; i < p->heard_count; i++)
                count += p->heard[i].id == id;
        return count;
}

/* The newest of that message; which channel it came on. */
static inline int pair_newest(const struct px4_pair *p, uint32_t id, void *values)
{
        for (int i = p->heard_count - 1; i >= 0; i--)
                if (p->heard[i].id == id) {
                        ck_assert(mavlink_unpack(&p->heard[i].frame,
                                                 mavlink_message_find(id), values));
                        return p->heard[i].channel;
                }
        ck_abort_msg("message %u was not said", id);
}

static inline struct codec_setup in_dialect(const char *dialect, bool lockstep)
{
        struct codec_setup setup = setup_sitl;

        setup.dialect = dialect;
        setup.lockstep = lockstep;
        return setup;
}

static inline struct pilot_input wanting(enum flight_mode mode, double up_m)
{
        struct pilot_input input = { .setpoint = { .mode = mode,
                                                   .pos_ned_m = { 3.0, -2.0, -up_m },
                                                   .yaw_rad = 1.0 } };

        return input;
}

/* What PX4 says about itself by telemetry. */
static inline void pair_status(struct px4_pair *p, uint8_t main_mode, uint8_t sub_mode,
                               uint8_t landed_state, bool can_arm)
{
        struct mavlink_extended_sys_state landed = { .landed_state = landed_state };
        struct mavlink_sys_status status = { .onboard_control_sensors_health =
                                                     can_arm ? 0x10000000U : 0 };

        pair_heartbeat(p, 1, 0, main_mode, sub_mode);
        pair_say(p, 1, MAVLINK_EXTENDED_SYS_STATE, &landed);
        pair_say(p, 1, MAVLINK_SYS_STATUS, &status);
}
