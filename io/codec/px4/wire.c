/* PX4's frames seen from outside the conversation: where one ends and what it is. A sensor frame and
 * its answer have the time of the frame for a number. */
#include "io/codec/px4/px4.h"

#define MESSAGES 18

static const uint32_t ids[MESSAGES] = {
        MAVLINK_HIL_SENSOR,
        MAVLINK_HIL_ACTUATOR_CONTROLS,
        MAVLINK_HIL_GPS,
        MAVLINK_HIL_OPTICAL_FLOW,
        MAVLINK_DISTANCE_SENSOR,
        MAVLINK_HEARTBEAT,
        MAVLINK_SYSTEM_TIME,
        MAVLINK_TIMESYNC,
        MAVLINK_MANUAL_CONTROL,
        MAVLINK_COMMAND_LONG,
        MAVLINK_COMMAND_INT,
        MAVLINK_COMMAND_ACK,
        MAVLINK_STATUSTEXT,
        MAVLINK_SYS_STATUS,
        MAVLINK_ATTITUDE_QUATERNION,
        MAVLINK_LOCAL_POSITION_NED,
        MAVLINK_EXTENDED_SYS_STATE,
        MAVLINK_HOME_POSITION,
};

const char *const codec_px4_frame_names[] = {
        "sensors",    "motors",      "gps",       "flow",   "range",
        "heartbeat",  "time",        "time_sync", "sticks", "command",
        "reposition", "command_ack", "text",      "status", "attitude",
        "position",   "landed",      "home",      "other",  NULL,
};

_Static_assert(sizeof codec_px4_frame_names / sizeof codec_px4_frame_names[0] ==
                       MESSAGES + 2,
               "every message has a name, and the others have one");
_Static_assert(MESSAGES + 1 <= CODEC_FRAME_TYPES_MAX, "types fit");

static int type_of(uint32_t id)
{
        int type = 0;

        while (type < MESSAGES && ids[type] != id)
                type++;
        return type;
}

/* Sensors and what goes before them come at a tick of simulated time, and so do their answers. */
static bool is_paced(int type)
{
        return type <= 4;
}

size_t codec_px4_frame_find(const uint8_t *bytes, size_t len, struct codec_frame *frame)
{
        struct mavlink_frame m;
        enum mavlink_found found;
        size_t taken = mavlink_find(bytes, len, &m, &found);

        *frame = (struct codec_frame){ .type = -1 };
        if (taken == 0 || (found != MAVLINK_FRAME && found != MAVLINK_UNKNOWN))
                return taken;
        frame->type = found == MAVLINK_FRAME ? type_of(m.id) : MESSAGES;
        frame->unpaced = !is_paced(frame->type);
        if (found == MAVLINK_UNKNOWN)
                return taken;
        if (m.id == MAVLINK_HIL_SENSOR) {
                struct mavlink_hil_sensor sensor;

                frame->asks = mavlink_unpack(&m, mavlink_message_find(m.id), &sensor);
                frame->number = frame->asks ? (uint32_t)sensor.time_usec : 0;
        } else if (m.id == MAVLINK_HIL_ACTUATOR_CONTROLS) {
                struct mavlink_hil_actuator_controls motors;

                frame->answers = mavlink_unpack(&m, mavlink_message_find(m.id), &motors);
                frame->number = frame->answers ? (uint32_t)motors.time_usec : 0;
        }
        return taken;
}
