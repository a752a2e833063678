/* What the rig hears from PX4. Each take returns the news that it put into the report. In lockstep only
 * the answer to a frame changes what the rig acts on; telemetry waits in px4_status.heard. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/px4/px4.h"

#define AUTOPILOT_COMPONENT 1 /* MAV_COMP_ID_AUTOPILOT1 */
#define AUTOPILOT_PX4       12 /* MAV_AUTOPILOT_PX4 */
#define AUTOPILOT_INVALID   8

#define MODE_FLAG_ARMED 128 /* MAV_MODE_FLAG_SAFETY_ARMED */
#define MODE_FLAG_HIL   32 /* MAV_MODE_FLAG_HIL_ENABLED */
#define PREARM_CHECK    0x10000000U /* MAV_SYS_STATUS_PREARM_CHECK */
#define STATE_CRITICAL  5 /* MAV_STATE: a failsafe is flying */
#define STATE_EMERGENCY 6

/* Others may share the telemetry's wire: a companion computer, a gimbal, another PX4. The first PX4 that
 * is heard there is ours. A simulator's link has PX4 alone. */
static bool is_ours(const struct codec_px4 *p, int channel,
                    const struct mavlink_frame *frame)
{
        bool known = p->board ? p->ready : p->ground_heard;

        if (channel != codec_px4_ground(p))
                return true;
        return frame->component == AUTOPILOT_COMPONENT &&
               (!known || frame->system == p->system);
}

static double duty_of(float control)
{
        if (!(control > 0.0F)) /* NaN: an output that is not used */
                return 0.0;
        return control < 1.0F ? (double)control : 1.0;
}

/* The newest frame that is no newer than the answer's time. */
static bool find_frame(const struct codec_px4 *p, uint64_t time_us, uint32_t *number)
{
        uint32_t kept = p->sent < PX4_SENT_MAX ? p->sent : PX4_SENT_MAX;

        for (uint32_t i = 1; i <= kept; i++) {
                uint32_t at = (p->sent - i) % PX4_SENT_MAX;

                *number = p->sent_number[at];
                if (p->sent_us[at] <= time_us)
                        return true;
        }
        return false;
}

static void note_armed(struct codec_px4 *p, bool armed)
{
        if (armed)
                p->refusal[0] = '\0';
        p->armed = armed;
}

static void tell(const struct codec_px4 *p, struct fc_report *report)
{
        report->armed = p->armed;
        report->can_arm = codec_px4_can_arm(p);
        report->failsafe = p->known.failsafe;
        report->mode = codec_px4_mode(p);
        report->refused = codec_px4_refused(p);
}

static uint32_t take_motors(struct codec_px4 *p,
                            const struct mavlink_hil_actuator_controls *m, int64_t t_ns,
                            struct fc_report *report)
{
        uint32_t news = codec_px4_take_clock(p, m->time_usec / 1000, report);
        uint32_t number = 0;

        if (news != 0 || !p->ready || !p->frame_sent)
                return news;
        if (!p->board && !find_frame(p, m->time_usec, &number))
                return 0;
        p->answered = true;
        if (m->time_usec > p->answered_us) {
                p->answered_us = m->time_usec;
                p->answer_host_ns = t_ns;
        }
        note_armed(p, (m->mode & MODE_FLAG_ARMED) != 0);
        memset(&report->motors, 0, sizeof report->motors);
        for (int i = 0; i < p->setup.rotors; i++)
                report->motors.duty[i] = duty_of(m->controls[p->setup.motor_order[i]]);
        report->answers_frame = !p->board;
        report->answered_frame = number;
        tell(p, report);
        return FC_MOTORS | FC_ARMING | codec_px4_tell_estimate(p, &p->known, report);
}

#define OUTPUT_OFF     65535 /* of one that is disarmed, on a CAN bus */
#define PULSE_LEAST_US 800

static uint16_t raw_output(const struct codec_px4 *p, int rotor,
                           const struct mavlink_servo_output_raw *m)
{
        int output = p->setup.motor_order[rotor];

        return output < 8 ? m->servo_raw[output] : m->servo9_to_16_raw[output - 8];
}

/* As shipped: what drives its outputs, in whatever unit that has. Numbers that are no pulses, of outputs that it has said
 * nothing of (DShot at a timer that was not asked for), are compared with nothing. */
static uint32_t take_outputs(struct codec_px4 *p,
                             const struct mavlink_servo_output_raw *m,
                             struct fc_report *report)
{
        double least, most;

        if (!p->shipped || m->port != 0 || !codec_px4_output_range(p, &least, &most))
                return 0;
        for (int i = 0; i < p->setup.rotors; i++)
                p->odd_outputs |= least > 0.0 && raw_output(p, i, m) < PULSE_LEAST_US;
        if (p->odd_outputs)
                return 0;
        for (int i = 0; i < p->setup.rotors; i++) {
                uint16_t raw = raw_output(p, i, m);

                report->motors.duty[i] =
                        raw == OUTPUT_OFF
                                ? 0.0
                                : duty_of((float)((raw - least) / (most - least)));
        }
        report->answers_frame = false;
        return FC_MOTORS;
}

static uint32_t make_ready(struct codec_px4 *p, struct fc_report *report)
{
        if (p->ready)
                return 0;
        p->ready = true;
        p->wrong_mode = false;
        p->autopilot = 0;
        snprintf(report->name, sizeof report->name, "PX4");
        return FC_HELLO;
}

static uint32_t take_heartbeat(struct codec_px4 *p, int channel,
                               const struct mavlink_frame *frame,
                               const struct mavlink_heartbeat *m,
                               struct fc_report *report)
{
        if (m->autopilot == AUTOPILOT_INVALID)
                return 0;
        if (m->autopilot != AUTOPILOT_PX4) {
                p->autopilot = m->autopilot;
                report->refused = p->board && !p->ready;
                return 0;
        }
        report->refused = codec_px4_refused(p);
        if (channel == codec_px4_ground(p)) {
                p->system = frame->system;
                p->ground_heard = true;
                p->heard.main_mode = (uint8_t)(m->custom_mode >> 16);
                p->heard.sub_mode = (uint8_t)(m->custom_mode >> 24);
                p->heard.failsafe = m->system_status == STATE_CRITICAL ||
                                    m->system_status == STATE_EMERGENCY;
        }
        p->wrong_mode = p->board && ((m->base_mode & MODE_FLAG_HIL) != 0) == p->shipped;
        if (p->wrong_mode)
                return 0;
        if (p->shipped) {
                note_armed(p, (m->base_mode & MODE_FLAG_ARMED) != 0);
                tell(p, report);
                report->fresh |= FC_ARMING;
        } else if (!p->frame_sent) { /* nothing else tells */
                report->armed = (m->base_mode & MODE_FLAG_ARMED) != 0;
                report->fresh |= FC_ARMING;
        }
        return channel == 0 ? make_ready(p, report) : 0;
}

static uint32_t take_timesync(struct codec_px4 *p, const struct mavlink_timesync *m,
                              int64_t t_ns, struct fc_report *report)
{
        int64_t elapsed_ns = t_ns - p->sync_ns;

        if (m->tc1 == 0) {
                if (p->syncs < PX4_SYNCS_MAX)
                        p->sync_asked[p->syncs++] = m->ts1;
                return 0;
        }
        if (!p->sync_open || m->ts1 != p->sync_ns || elapsed_ns < 0)
                return 0;
        p->sync_open = false;
        if (m->tc1 < 0 || m->tc1 > INT64_MAX / 2) {
                p->codec.counts.malformed++;
                return 0;
        }
        report->sync_round_trip_ns = elapsed_ns;
        report->sync_offset_ns = m->tc1 - p->sync_ns - elapsed_ns / 2;
        return FC_TIME_SYNC;
}

/* Any of the messages that are taken; large enough and aligned. */
union px4_message {
        struct mavlink_heartbeat heartbeat;
        struct mavlink_sys_status sys_status;
        struct mavlink_system_time system_time;
        struct mavlink_attitude_quaternion attitude;
        struct mavlink_local_position_ned position;
        struct mavlink_command_ack ack;
        struct mavlink_hil_actuator_controls motors;
        struct mavlink_timesync timesync;
        struct mavlink_autopilot_version version;
        struct mavlink_extended_sys_state landed;
        struct mavlink_home_position home;
        struct mavlink_param_value param;
        struct mavlink_servo_output_raw outputs;
        struct mavlink_statustext words;
};

static bool is_taken(uint32_t id)
{
        switch (id) {
        case MAVLINK_HEARTBEAT:
        case MAVLINK_SYS_STATUS:
        case MAVLINK_SYSTEM_TIME:
        case MAVLINK_ATTITUDE_QUATERNION:
        case MAVLINK_LOCAL_POSITION_NED:
        case MAVLINK_COMMAND_ACK:
        case MAVLINK_HIL_ACTUATOR_CONTROLS:
        case MAVLINK_TIMESYNC:
        case MAVLINK_AUTOPILOT_VERSION:
        case MAVLINK_EXTENDED_SYS_STATE:
        case MAVLINK_HOME_POSITION:
        case MAVLINK_PARAM_VALUE:
        case MAVLINK_SERVO_OUTPUT_RAW:
        case MAVLINK_STATUSTEXT:
                return true;
        default:
                return false;
        }
}

static uint32_t take_message(struct codec_px4 *p, int channel, int64_t t_ns,
                             const struct mavlink_frame *frame,
                             const union px4_message *m, struct fc_report *report)
{
        switch (frame->id) {
        case MAVLINK_HEARTBEAT:
                return take_heartbeat(p, channel, frame, &m->heartbeat, report);
        case MAVLINK_SYS_STATUS:
                p->heard.can_arm = (m->sys_status.onboard_control_sensors_health &
                                    PREARM_CHECK) != 0;
                return 0;
        case MAVLINK_SYSTEM_TIME:
                return codec_px4_take_clock(p, m->system_time.time_boot_ms, report);
        case MAVLINK_ATTITUDE_QUATERNION:
                return codec_px4_take_attitude(p, &m->attitude, report);
        case MAVLINK_LOCAL_POSITION_NED:
                return codec_px4_take_position(p, &m->position, report);
        case MAVLINK_COMMAND_ACK:
                return codec_px4_take_ack(p, &m->ack, report);
        case MAVLINK_HIL_ACTUATOR_CONTROLS:
                return channel == 0 ? take_motors(p, &m->motors, t_ns, report) : 0;
        case MAVLINK_TIMESYNC:
                return take_timesync(p, &m->timesync, t_ns, report);
        case MAVLINK_AUTOPILOT_VERSION:
                return codec_px4_take_version(p, &m->version, report);
        case MAVLINK_EXTENDED_SYS_STATE:
                codec_px4_take_landed(p, &m->landed);
                return 0;
        case MAVLINK_HOME_POSITION:
                codec_px4_take_home(p, &m->home);
                return 0;
        case MAVLINK_PARAM_VALUE:
                return codec_px4_take_param(p, &m->param, report);
        case MAVLINK_SERVO_OUTPUT_RAW:
                return take_outputs(p, &m->outputs, report);
        default:
                return codec_px4_take_words(p, &m->words, report);
        }
}

/* So far behind the newest a number is a message that another of PX4's threads has overtaken. */
#define OVERTAKEN_MOST 8

/* Gaps in the autopilot's numbers that no frame of an unknown or damaged message fills. */
static void count_lost(struct codec_px4 *p, int channel,
                       const struct mavlink_frame *frame)
{
        const struct mavlink_stream *s = &p->stream[channel];
        struct codec_counts *counts = &p->codec.counts;
        uint64_t unread = s->unknown + s->bad_crc;
        uint64_t gap = (uint8_t)(frame->sequence - p->sequence[channel] - 1);
        int behind = (uint8_t)(p->sequence[channel] - frame->sequence);

        if (frame->component != AUTOPILOT_COMPONENT)
                return;
        if (p->sequence_known[channel] && behind > 0 && behind <= OVERTAKEN_MOST) {
                counts->lost -= counts->lost > 0;
                return;
        }
        unread -= p->unread[channel];
        if (p->sequence_known[channel] && gap > unread)
                codec_count_gap(counts, (uint32_t)(gap - unread));
        p->sequence_known[channel] = true;
        p->sequence[channel] = frame->sequence;
        p->unread[channel] = s->unknown + s->bad_crc;
}

static uint32_t take_frame(struct codec_px4 *p, int channel, int64_t t_ns,
                           const struct mavlink_frame *frame, struct fc_report *report)
{
        union px4_message m;

        p->codec.counts.frames_decoded++;
        if (!is_ours(p, channel, frame))
                return 0;
        count_lost(p, channel, frame);
        if (p->shipped)
                mavlink_rates_note(&p->rates, codec_px4_rates, PX4_RATES, frame->id);
        if (!p->board && channel == 0 && !p->ready)
                return make_ready(p, report);
        if (mavlink_mission_take(&p->mission, frame)) {
                mission_name_reached(&p->mission.progress, report->text,
                                     sizeof report->text);
                return FC_TEXT;
        }
        if (!is_taken(frame->id))
                return 0;
        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m)) {
                p->codec.counts.malformed++;
                return 0;
        }
        return take_message(p, channel, t_ns, frame, &m, report);
}

size_t codec_px4_decode(struct codec *c, int channel, int64_t t_ns, const uint8_t *bytes,
                        size_t len, struct fc_report *report)
{
        struct codec_px4 *p = codec_px4_self(c);
        struct mavlink_stream *s = &p->stream[channel];
        uint32_t news = 0;
        size_t used = 0;

        while (used < len && news == 0) {
                struct mavlink_frame frame;
                uint64_t bad = s->bad_crc, noise = s->noise_bytes;
                bool got = false;

                used += mavlink_stream_take(s, bytes + used, len - used, &frame, &got);
                c->counts.crc_errors += s->bad_crc - bad;
                c->counts.bytes_skipped += s->noise_bytes - noise;
                if (got)
                        news = take_frame(p, channel, t_ns, &frame, report);
        }
        report->fresh |= news;
        return used;
}
