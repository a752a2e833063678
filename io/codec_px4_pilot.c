/* What the pilot wants, asked for in PX4's own way: arming, take-off, repositions and landing are
 * MAVLink commands, sent again until PX4 says that it is so. */
#include <math.h>
#include <string.h>

#include "io/codec_px4.h"

#define ASK_EVERY_NS 1000000000LL

#define DEG_PER_RAD      57.29577951308232
#define FRAME_GLOBAL_INT 5 /* MAV_FRAME: altitude above sea level */
#define CHANGE_MODE      1.0F /* MAV_DO_REPOSITION_FLAGS */
#define SPEED_DEFAULT    (-1.0F)

/* PX4's px4_custom_mode.h. */
#define MAIN_AUTO    4
#define SUB_TAKEOFF  2
#define SUB_LAND     6
#define SUB_PRECLAND 9

/* Double, because a float's degrees end at half a metre. */
static int32_t degrees_e7(double rad)
{
        double value = rad * DEG_PER_RAD * 1e7;

        return fabs(value) <= 1.8e9 ? (int32_t)llround(value) : 0;
}

/* Where the set-point lies, above sea level, which at the origin is the ellipsoid. */
static float altitude_m(const struct codec_px4 *p)
{
        const struct setpoint *to = &p->pilot.input.setpoint;

        return (float)(p->setup.origin.height_m -
                       (p->setup.start_ned_m.z + to->pos_ned_m.z));
}

static bool in_auto(const struct px4_status *status, uint8_t sub_mode)
{
        return status->main_mode == MAIN_AUTO && status->sub_mode == sub_mode;
}

/* What would bring PX4 nearer to what is wanted; PX4_NO_COMMAND: it is there. */
static enum px4_command needed(struct codec_px4 *p)
{
        const struct px4_status *known = &p->known;
        enum flight_mode wanted = p->pilot.input.setpoint.mode;

        if (wanted == MODE_DISARMED)
                return p->armed ? PX4_ARM_DISARM : PX4_NO_COMMAND;
        if (wanted == MODE_LAND) {
                bool landing = in_auto(known, SUB_LAND) || in_auto(known, SUB_PRECLAND);

                return p->armed && !landing ? PX4_NAV_LAND : PX4_NO_COMMAND;
        }
        if (!p->armed)
                return PX4_ARM_DISARM;
        if (wanted != MODE_GOTO)
                return PX4_NO_COMMAND;
        /* On its way up PX4 heeds no reposition, and then holds by itself. */
        if (in_auto(known, SUB_TAKEOFF))
                return PX4_NO_COMMAND;
        if (!known->in_air)
                return PX4_NAV_TAKEOFF;
        return p->pilot.reposition_due ? PX4_DO_REPOSITION : PX4_NO_COMMAND;
}

static void take_off(struct codec_px4 *p, struct packet *packet)
{
        struct mavlink_command_long m = {
                .command = PX4_NAV_TAKEOFF,
                .target_system = p->system,
                .target_component = 1,
                .param4 = NAN, /* heading, latitude, longitude: as it stands */
                .param5 = NAN,
                .param6 = NAN,
                .param7 = altitude_m(p),
        };

        codec_px4_put(p, packet, MAVLINK_COMMAND_LONG, &m);
        p->pilot.reposition_due = true;
}

static void land(struct codec_px4 *p, struct packet *packet)
{
        struct mavlink_command_long m = {
                .command = PX4_NAV_LAND,
                .target_system = p->system,
                .target_component = 1,
                .param4 = NAN,
                .param5 = NAN,
                .param6 = NAN,
                .param7 = NAN,
        };

        codec_px4_put(p, packet, MAVLINK_COMMAND_LONG, &m);
}

static void reposition(struct codec_px4 *p, struct packet *packet)
{
        const struct codec_origin *origin = &p->setup.origin;
        const struct setpoint *to = &p->pilot.input.setpoint;
        double north_m = p->setup.start_ned_m.x + to->pos_ned_m.x;
        double east_m = p->setup.start_ned_m.y + to->pos_ned_m.y;
        struct mavlink_command_int m = {
                .command = PX4_DO_REPOSITION,
                .target_system = p->system,
                .target_component = 1,
                .frame = FRAME_GLOBAL_INT,
                .param1 = SPEED_DEFAULT,
                .param2 = CHANGE_MODE,
                .param4 = (float)remainder(to->yaw_rad, 2.0 * 3.14159265358979323846),
                .x = degrees_e7(origin->lat_rad + north_m / origin->north_m_per_rad),
                .y = degrees_e7(origin->lon_rad + east_m / origin->east_m_per_rad),
                .z = altitude_m(p),
        };

        codec_px4_put(p, packet, MAVLINK_COMMAND_INT, &m);
        p->pilot.repositions = p->known.repositions;
}

static void ask(struct codec_px4 *p, enum px4_command command, struct packet *packet)
{
        bool arm = p->pilot.input.setpoint.mode != MODE_DISARMED;

        switch (command) {
        case PX4_ARM_DISARM:
                codec_px4_command(p, packet, command, arm ? 1.0F : 0.0F, 0.0F);
                break;
        case PX4_NAV_TAKEOFF:
                take_off(p, packet);
                break;
        case PX4_NAV_LAND:
                land(p, packet);
                break;
        case PX4_DO_REPOSITION:
                reposition(p, packet);
                break;
        default:
                break;
        }
}

void codec_px4_fly(struct codec_px4 *p, int64_t now_ns, struct packet *packet)
{
        struct px4_pilot *pilot = &p->pilot;
        enum px4_command command;

        if (!pilot->has_input || !p->ground_heard)
                return;
        /* Accepted after it was asked for. */
        if (pilot->asked == PX4_DO_REPOSITION &&
            p->known.repositions != pilot->repositions)
                pilot->reposition_due = false;
        command = needed(p);
        if (command == PX4_NO_COMMAND) {
                pilot->asked = PX4_NO_COMMAND;
                return;
        }
        if (command == pilot->asked && now_ns < pilot->ask_again_ns)
                return;
        pilot->asked = command;
        pilot->ask_again_ns = now_ns + ASK_EVERY_NS;
        ask(p, command, packet);
}
