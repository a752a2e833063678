/* What ArduPilot says on its console. */
#include <stdio.h>
#include <string.h>

#include "io/codec/ardupilot/ardupilot.h"

#define MAV_AUTOPILOT_ARDUPILOT 3
#define MAV_COMPONENT_AUTOPILOT 1
#define MAV_MODE_ARMED          128
#define MAV_SENSOR_PREARM       0x10000000U /* MAV_SYS_STATUS_PREARM_CHECK */
#define MAV_STATE_CRITICAL      5

/* Farther from where the rig has it: it began somewhere else on Earth. */
#define ASTRAY_M      100.0
#define ASTRAY_HIGH_M 30.0

static const char *vehicle_name(uint8_t mav_type)
{
        switch (mav_type) {
        case 2: /* quadrotor */
        case 3: /* coaxial */
        case 4: /* helicopter */
        case 13: /* hexarotor */
        case 14: /* octorotor */
        case 15: /* tricopter */
        case 29: /* dodecarotor */
                return "ArduCopter";
        case 1:
        case 19: /* vertical take-off */
        case 20:
        case 21:
                return "ArduPlane";
        case 10:
        case 11:
                return "Rover";
        case 12:
                return "ArduSub";
        default:
                return "ArduPilot";
        }
}

static uint32_t take_heartbeat(struct codec_ardupilot *a,
                               const struct mavlink_frame *frame,
                               struct fc_report *report)
{
        struct ardupilot_status *s = &a->status;
        struct mavlink_heartbeat m;

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m) ||
            m.autopilot != MAV_AUTOPILOT_ARDUPILOT ||
            frame->component != MAV_COMPONENT_AUTOPILOT ||
            (s->heard && frame->system != s->system))
                return 0;
        s->armed = (m.base_mode & MAV_MODE_ARMED) != 0;
        s->mode = m.custom_mode;
        s->critical = m.system_status == MAV_STATE_CRITICAL;
        if (s->heard)
                return FC_ARMING;
        s->heard = true;
        s->system = frame->system;
        s->component = frame->component;
        snprintf(report->name, sizeof report->name, "%s", vehicle_name(m.type));
        return FC_HELLO | FC_ARMING;
}

static uint32_t take_position(const struct mavlink_frame *frame, struct fc_report *report)
{
        struct mavlink_local_position_ned m;

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                return 0;
        report->estimate.pos_ned_m =
                (struct vec3){ (double)m.x, (double)m.y, (double)m.z };
        report->estimate.vel_ned_mps =
                (struct vec3){ (double)m.vx, (double)m.vy, (double)m.vz };
        return FC_STATE;
}

/* A message may come after a newer one. */
#define OVERTAKEN_MS 1000

/* The simulation's own frames tell a restart by themselves. */
static uint32_t take_attitude(struct codec_ardupilot *a,
                              const struct mavlink_frame *frame, struct fc_report *report)
{
        struct mavlink_attitude_quaternion m;
        uint32_t before_ms = a->status.boot_ms;

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                return 0;
        if (a->shipped && before_ms > OVERTAKEN_MS &&
            m.time_boot_ms < before_ms - OVERTAKEN_MS)
                return codec_ardupilot_begin_anew(a, report);
        a->status.boot_ms = m.time_boot_ms;
        report->estimate.q_body_to_ned =
                (struct quat){ (double)m.q1, (double)m.q2, (double)m.q3, (double)m.q4 };
        return FC_STATE;
}

#define OUTPUTS 16

static uint32_t take_outputs(struct codec_ardupilot *a, const struct mavlink_frame *frame,
                             struct fc_report *report)
{
        struct mavlink_servo_output_raw m;
        uint16_t pulse_us[OUTPUTS];

        if (!a->shipped || !mavlink_unpack(frame, mavlink_message_find(frame->id), &m) ||
            m.port != 0)
                return 0;
        memcpy(pulse_us, m.servo_raw, sizeof m.servo_raw);
        memcpy(pulse_us + OUTPUTS / 2, m.servo9_to_16_raw, sizeof m.servo9_to_16_raw);
        if (!codec_ardupilot_sound(a, pulse_us, OUTPUTS))
                return 0;
        codec_ardupilot_take_pulses(a, pulse_us, report);
        report->answers_frame = false;
        return FC_MOTORS;
}

/* Once: a firmware that began somewhere else flies, but with that place's magnetic field. */
static uint32_t take_fix(struct codec_ardupilot *a, const struct mavlink_frame *frame,
                         struct fc_report *report)
{
        const struct codec_origin *o = &a->setup.origin;
        struct vec3 pos_ned_m = a->last.pose.pos_ned_m;
        struct mavlink_gps_raw_int m;
        double north_m, east_m, up_m;

        if (a->status.position_checked ||
            !mavlink_unpack(frame, mavlink_message_find(frame->id), &m) || m.fix_type < 3)
                return 0;
        a->status.position_checked = true;
        north_m = ((double)m.lat * 1e-7 / DEG_PER_RAD - o->lat_rad) * o->north_m_per_rad -
                  pos_ned_m.x;
        east_m = ((double)m.lon * 1e-7 / DEG_PER_RAD - o->lon_rad) * o->east_m_per_rad -
                 pos_ned_m.y;
        up_m = (double)m.alt * 1e-3 - o->height_m + pos_ned_m.z;
        if (north_m * north_m + east_m * east_m < ASTRAY_M * ASTRAY_M &&
            up_m * up_m < ASTRAY_HIGH_M * ASTRAY_HIGH_M)
                return 0;
        if (a->shipped)
                snprintf(report->text, sizeof report->text,
                         "it is not where the world has it (%.7f, %.7f, %.1f m): is "
                         "another receiver in use?",
                         o->lat_rad * DEG_PER_RAD, o->lon_rad * DEG_PER_RAD, o->height_m);
        else
                snprintf(report->text, sizeof report->text,
                         "it is not where the world has it: start it with "
                         "--home=%.7f,%.7f,%.1f,0",
                         o->lat_rad * DEG_PER_RAD, o->lon_rad * DEG_PER_RAD, o->height_m);
        return FC_TEXT;
}

static void name_lack(char *words, size_t cap, unsigned lack)
{
        words[0] = '\0';
        if (lack != 0)
                snprintf(words, cap,
                         "its estimator has no %s yet (flags 0x%x are missing)",
                         lack & 1    ? "attitude"
                         : lack & 6  ? "velocity"
                         : lack & 32 ? "height"
                         : lack & 24 ? "position"
                                     : "position to fly by",
                         lack);
}

static void take_ekf(struct codec_ardupilot *a, const struct mavlink_frame *frame)
{
        struct mavlink_ekf_status_report m;

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                return;
        a->status.ekf_heard = true;
        a->status.ekf_flags = m.flags;
        name_lack(a->status.ekf_words, sizeof a->status.ekf_words,
                  ARDUPILOT_EKF_READY & ~m.flags);
}

static void take_health(struct codec_ardupilot *a, const struct mavlink_frame *frame)
{
        struct mavlink_sys_status m;

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                return;
        a->status.health_heard = true;
        a->status.health_ready =
                (m.onboard_control_sensors_health & MAV_SENSOR_PREARM) != 0;
}

static void take_landed(struct codec_ardupilot *a, const struct mavlink_frame *frame)
{
        struct mavlink_extended_sys_state m;

        if (mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                a->status.landed = m.landed_state;
}

static uint32_t take(struct codec_ardupilot *a, const struct mavlink_frame *frame,
                     struct fc_report *report)
{
        if (frame->id == MAVLINK_HEARTBEAT)
                return take_heartbeat(a, frame, report);
        /* Only who introduced itself, and nobody whose words it passes on. */
        if (!a->status.heard || frame->system != a->status.system)
                return 0;
        if (mavlink_mission_take(&a->mission, frame)) {
                mission_name_reached(&a->mission.progress, report->text,
                                     sizeof report->text);
                return FC_TEXT;
        }
        switch (frame->id) {
        case MAVLINK_AUTOPILOT_VERSION:
                return codec_ardupilot_take_version(a, frame, report);
        case MAVLINK_STATUSTEXT:
                return codec_ardupilot_take_words(a, frame, report);
        case MAVLINK_COMMAND_ACK:
                return codec_ardupilot_take_ack(a, frame, report);
        case MAVLINK_LOCAL_POSITION_NED:
                return take_position(frame, report);
        case MAVLINK_ATTITUDE_QUATERNION:
                return take_attitude(a, frame, report);
        case MAVLINK_SERVO_OUTPUT_RAW:
                return take_outputs(a, frame, report);
        case MAVLINK_GPS_RAW_INT:
                return take_fix(a, frame, report);
        case MAVLINK_PARAM_VALUE:
                return codec_ardupilot_take_param(a, frame, report);
        case MAVLINK_EKF_STATUS_REPORT:
                take_ekf(a, frame);
                return 0;
        case MAVLINK_SYS_STATUS:
                take_health(a, frame);
                return 0;
        case MAVLINK_EXTENDED_SYS_STATE:
                take_landed(a, frame);
                return 0;
        default:
                return 0;
        }
}

size_t codec_ardupilot_listen(struct codec_ardupilot *a, const uint8_t *bytes, size_t len,
                              struct fc_report *report)
{
        uint64_t bad_crc = a->stream.bad_crc, noise = a->stream.noise_bytes;
        uint32_t news = 0;
        size_t used = 0;

        /* Frames may stand in what was kept, too: behind a start mark that was none. */
        while (news == 0) {
                struct mavlink_frame frame;
                bool got;

                used += mavlink_stream_take(&a->stream, bytes + used, len - used, &frame,
                                            &got);
                if (!got)
                        break;
                a->codec.counts.frames_decoded++;
                news = take(a, &frame, report);
                mavlink_rates_note(&a->status.rates, codec_ardupilot_rates,
                                   ARDUPILOT_RATES, frame.id);
        }
        a->codec.counts.crc_errors += a->stream.bad_crc - bad_crc;
        a->codec.counts.bytes_skipped += a->stream.noise_bytes - noise;
        codec_ardupilot_tell(a, report);
        report->fresh |= news;
        return used;
}

static enum flight_mode flight_mode(const struct codec_ardupilot *a, bool armed)
{
        if (!armed)
                return MODE_DISARMED;
        switch (a->status.mode) {
        case ARDUPILOT_MODE_LAND:
                return MODE_LAND;
        case ARDUPILOT_MODE_GUIDED:
                return MODE_GOTO;
        case ARDUPILOT_MODE_AUTO:
                return MODE_MISSION;
        case ARDUPILOT_MODE_RTL:
        case ARDUPILOT_MODE_SMART_RTL:
        case ARDUPILOT_MODE_AUTO_RTL:
                return MODE_RETURN;
        default:
                return a->sticks || !a->status.heard ? MODE_ARMED : MODE_OTHER;
        }
}

/* Without a console: armed is who turns a motor, and who can arm is not known. */
void codec_ardupilot_tell(const struct codec_ardupilot *a, struct fc_report *report)
{
        const struct ardupilot_status *s = &a->status;
        enum mission_transfer mission = a->mission.progress.transfer;

        report->refused |= mission == MISSION_FAILED;
        report->armed = s->armed || (a->turning && !a->shipped);
        report->failsafe = s->critical;
        report->mode = flight_mode(a, report->armed);
        report->can_arm = s->heard ? s->ekf_heard && s->health_heard && s->health_ready &&
                                             s->ekf_words[0] == '\0'
                                   : a->stamp_ps > 60000000000000U;
        report->can_arm &= a->setup.mission == NULL || mission == MISSION_HELD;
}
