/* What the pilot wants, asked for in PX4's own way: arming, take-off, repositions and landing are
 * MAVLink commands, sent again until PX4 says that it is so. What it then leaves of its own accord (a
 * fail-safe) is not asked for again before the pilot wants another mode. */
#include <math.h>
#include <string.h>

#include "io/codec/px4/px4.h"

#define ASK_EVERY_NS 1000000000LL

#define FRAME_GLOBAL_INT 5 /* MAV_FRAME: altitude above sea level */
#define CHANGE_MODE      1.0F /* MAV_DO_REPOSITION_FLAGS */
#define SPEED_DEFAULT    (-1.0F)

/* PX4's px4_custom_mode.h. */
#define MAIN_AUTO    4
#define SUB_TAKEOFF  2
#define SUB_MISSION  4
#define SUB_RETURN   5
#define SUB_LAND     6
#define SUB_PRECLAND 9

struct px4_place {
        int64_t lat, lon; /* 1e-7 degrees */
        double alt_m; /* above sea level */
};

/* Double, because a float's degrees end at half a metre. */
static int32_t degrees_e7(double rad)
{
        double value = rad * DEG_PER_RAD * 1e7;

        return fabs(value) <= 1.8e9 ? (int32_t)llround(value) : 0;
}

/* Where the set-point lies. It counts from where PX4 believes that it armed, which its GPS may have
 * taken for a place some metres away; before it has said where, from where the vehicle truly stood. At
 * the origin sea level is the ellipsoid. */
static struct px4_place place_of(const struct codec_px4 *p)
{
        const struct codec_origin *origin = &p->setup.origin;
        const struct vec3 *start = &p->setup.start_ned_m;
        const struct vec3 *to = &p->pilot.input.setpoint.pos_ned_m;
        const struct mavlink_home_position *home = &p->known.home;
        struct px4_place place = {
                .lat = degrees_e7(origin->lat_rad + start->x / origin->north_m_per_rad),
                .lon = degrees_e7(origin->lon_rad + start->y / origin->east_m_per_rad),
                .alt_m = origin->height_m - start->z,
        };

        if (p->known.has_home)
                place = (struct px4_place){ home->latitude, home->longitude,
                                            home->altitude * 1e-3 };
        place.lat += degrees_e7(to->x / origin->north_m_per_rad);
        place.lon += degrees_e7(to->y / origin->east_m_per_rad);
        place.alt_m -= to->z;
        return place;
}

static bool in_auto(const struct px4_status *status, uint8_t sub_mode)
{
        return status->main_mode == MAIN_AUTO && status->sub_mode == sub_mode;
}

enum flight_mode codec_px4_mode(const struct codec_px4 *p)
{
        const struct px4_status *known = &p->known;
        bool manual = known->main_mode != 0 && known->main_mode != MAIN_AUTO;

        if (!p->armed)
                return MODE_DISARMED;
        if (in_auto(known, SUB_LAND) || in_auto(known, SUB_PRECLAND))
                return MODE_LAND;
        if (in_auto(known, SUB_RETURN))
                return MODE_RETURN;
        if (in_auto(known, SUB_MISSION))
                return MODE_MISSION;
        if (!known->in_air)
                return MODE_ARMED;
        return manual && p->pilot.input.rc_us[0] == 0 ? MODE_OTHER : MODE_GOTO;
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
        /* Which also arms. */
        if (wanted == MODE_MISSION)
                return p->armed && in_auto(known, SUB_MISSION) ? PX4_NO_COMMAND
                                                               : PX4_MISSION_START;
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
                .param7 = (float)place_of(p).alt_m,
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
        const struct setpoint *to = &p->pilot.input.setpoint;
        struct px4_place place = place_of(p);
        struct mavlink_command_int m = {
                .command = PX4_DO_REPOSITION,
                .target_system = p->system,
                .target_component = 1,
                .frame = FRAME_GLOBAL_INT,
                .param1 = SPEED_DEFAULT,
                .param2 = CHANGE_MODE,
                .param4 = (float)remainder(to->yaw_rad, 2.0 * 3.14159265358979323846),
                .x = (int32_t)place.lat,
                .y = (int32_t)place.lon,
                .z = (float)place.alt_m,
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
        case PX4_MISSION_START:
                codec_px4_command(p, packet, command, 0.0F, 0.0F);
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

/* It was armed, or did as the pilot wanted, and does not any more. */
static bool goes_own_way(struct codec_px4 *p)
{
        struct px4_pilot *pilot = &p->pilot;
        enum flight_mode wish = pilot->input.setpoint.mode, mode = codec_px4_mode(p);
        bool left =
                mode != wish && mode != MODE_ARMED; /* armed: it stands on the ground */

        if (wish != pilot->wish)
                pilot->was_armed = pilot->was_there = pilot->own_way = false;
        pilot->wish = wish;
        pilot->own_way |= (pilot->was_armed && !p->armed) || (pilot->was_there && left);
        pilot->was_armed |= p->armed;
        pilot->was_there |= mode == wish && wish != MODE_ARMED;
        return pilot->own_way && wish != MODE_DISARMED;
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
        command = goes_own_way(p) ? PX4_NO_COMMAND : needed(p);
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
