/* A mission as the formats and protocols of ground stations have it: items numbered as MAVLink's MAV_CMD and
 * MAV_FRAME (common.xml), which QGroundControl's and Mission Planner's files name, too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one list; a firmware takes fewer (INAV 120, ArduPilot what its storage holds). */
#define MISSION_ITEMS_MAX 5000

enum mission_command {
        MISSION_WAYPOINT =
                16, /* param: hold s, acceptance radius m, pass radius m, yaw deg */
        MISSION_LOITER_UNLIMITED = 17,
        MISSION_LOITER_TURNS = 18,
        MISSION_LOITER_TIME = 19, /* param: s */
        MISSION_RETURN = 20,
        MISSION_LAND = 21,
        MISSION_TAKEOFF = 22,
        MISSION_DELAY = 93, /* param: s */
        MISSION_JUMP = 177, /* param: to which item, from 1; how often */
        MISSION_SPEED = 178, /* param: type, m/s, throttle % */
        MISSION_PICTURE = 2000,
        MISSION_FENCE_RETURN_POINT = 5000,
        MISSION_FENCE_POLYGON_INSIDE = 5001, /* param: number of corners */
        MISSION_FENCE_POLYGON_OUTSIDE = 5002,
        MISSION_FENCE_CIRCLE_INSIDE = 5003, /* param: radius m */
        MISSION_FENCE_CIRCLE_OUTSIDE = 5004,
        MISSION_RALLY_POINT = 5100
};

enum mission_frame {
        MISSION_FRAME_GLOBAL = 0, /* altitude above mean sea level */
        MISSION_FRAME_GLOBAL_INT = 5, /* the same */
        MISSION_FRAME_NONE = 2, /* no place: MAV_FRAME_MISSION */
        MISSION_FRAME_RELATIVE = 3, /* altitude above home */
        MISSION_FRAME_TERRAIN = 10 /* altitude above the ground below */
};

struct mission_item {
        uint16_t command; /* enum mission_command, or another MAV_CMD */
        uint8_t frame; /* enum mission_frame, or another MAV_FRAME */
        bool autocontinue;
        double param[4]; /* NAN: not given */
        double lat_deg, lon_deg; /* NAN: not given */
        double altitude_m; /* as frame has it */
};

/* As MAVLink's MAV_MISSION_TYPE numbers them. */
enum mission_list_kind {
        MISSION_LIST_ITEMS,
        MISSION_LIST_FENCE,
        MISSION_LIST_RALLY,
        MISSION_LISTS
};

struct mission_list {
        int count;
        struct mission_item *item; /* the plan's own */
};

struct mission_plan {
        bool has_home;
        double home_lat_deg, home_lon_deg, home_altitude_m; /* above mean sea level */
        struct mission_list list[MISSION_LISTS];
};

enum mission_transfer {
        MISSION_NOT_GIVEN,
        MISSION_SENDING,
        MISSION_CHECKING, /* read back and compared */
        MISSION_HELD, /* the firmware has exactly this mission */
        MISSION_FAILED /* why says it */
};

/* What became of a mission on the other side of a protocol. */
struct mission_progress {
        enum mission_transfer transfer;
        int done, total; /* items of the transfer that is under way */
        int current; /* item that it flies to, from 0; -1: not said */
        int reached; /* the last that it says it has reached; -1: none yet */
        char why[160];
};

/* "reached item 3 of 12 of its mission" (codec.c). */
void mission_name_reached(const struct mission_progress *p, char *words, size_t cap);
