/* A plan's items as INAV's way-points, and their transfer: each is set, each read back and compared. Pure functions on
 * their own state. A way-point that is lost is set again; every transfer ends as MISSION_HELD or MISSION_FAILED.
 * Sources: INAV 9.1.0, src/main/navigation/navigation.h and navigation.c, fc/fc_msp.c; docs/Navigation.md. */
#pragma once

#include "io/codec/codec.h"
#include "io/codec/msp.h"

#define INAV_WAYPOINTS_MAX  120 /* NAV_MAX_WAYPOINTS */
#define INAV_WAYPOINT_BYTES 21

/* navWaypointActions_e */
enum inav_action {
        INAV_ACTION_WAYPOINT = 1, /* p1: speed, cm/s */
        INAV_ACTION_HOLD = 3, /* p1: s, p2: speed */
        INAV_ACTION_RETURN = 4, /* p1: and land */
        INAV_ACTION_JUMP = 6, /* p1: to which way-point, p2: how often; -1: for ever */
        INAV_ACTION_HEADING = 7, /* p1: degrees; -1: along its way */
        INAV_ACTION_LAND = 8 /* p1: speed of the way to it */
};

struct inav_waypoint {
        uint8_t action; /* enum inav_action */
        int32_t lat_e7, lon_e7, altitude_cm;
        int16_t p1, p2, p3; /* p3 bit 0: the altitude is above the sea */
        uint8_t flag; /* 0xA5: the last */
        int item; /* of the plan, that it comes from */
};

/* What is asked next. */
enum inav_mission_step {
        INAV_MISSION_OVER, /* or there is none */
        INAV_MISSION_ASKING, /* how many it has room for */
        INAV_MISSION_SETTING,
        INAV_MISSION_READING,
        INAV_MISSION_COUNTING /* whether it takes them for a mission */
};

struct inav_mission {
        struct mission_progress progress;
        int count;
        struct inav_waypoint waypoint[INAV_WAYPOINTS_MAX];
        enum inav_mission_step step;
        int at; /* of waypoint, with SETTING and READING */
        int attempts, asked; /* transfers; times that one question was said */
};

/* From the setup's plan and the vehicle's start. What INAV cannot fly makes it MISSION_FAILED, with the number of the item. */
void inav_mission_begin(struct inav_mission *m, const struct codec_setup *setup);
/* It has forgotten everything: the transfer begins anew. */
void inav_mission_restart(struct inav_mission *m);

/* The command that is due, with its payload (room for INAV_WAYPOINT_BYTES); 0: none. */
uint16_t inav_mission_ask(struct inav_mission *m, uint8_t *payload, size_t *len);
/* The answer to it, which may be a refusal. */
void inav_mission_take(struct inav_mission *m, const struct msp_frame *frame);
/* The payload of MSP_NAV_STATUS. True: it has gone on from an item, progress.reached. */
bool inav_mission_follow(struct inav_mission *m, const struct msp_frame *frame);
