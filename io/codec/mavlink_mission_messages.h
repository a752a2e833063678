/* The messages of MAVLink's mission protocol; part of mavlink_messages.h. Source: common.xml. */
#pragma once

#include <stdint.h>

enum mavlink_mission_id {
        MAVLINK_MISSION_REQUEST = 40,
        MAVLINK_MISSION_SET_CURRENT = 41,
        MAVLINK_MISSION_CURRENT = 42,
        MAVLINK_MISSION_REQUEST_LIST = 43,
        MAVLINK_MISSION_COUNT = 44,
        MAVLINK_MISSION_CLEAR_ALL = 45,
        MAVLINK_MISSION_ITEM_REACHED = 46,
        MAVLINK_MISSION_ACK = 47,
        MAVLINK_MISSION_REQUEST_INT = 51,
        MAVLINK_MISSION_ITEM_INT = 73,
};

/* And MISSION_REQUEST_INT. */
struct mavlink_mission_request {
        uint16_t seq;
        uint8_t target_system, target_component;
        /* Version 2 only: */
        uint8_t mission_type;
};

struct mavlink_mission_set_current {
        uint16_t seq;
        uint8_t target_system, target_component;
};

struct mavlink_mission_current {
        uint16_t seq;
        /* Version 2 only: */
        uint16_t total;
        uint8_t mission_state, mission_mode;
        uint32_t mission_id, fence_id, rally_points_id;
};

/* And MISSION_CLEAR_ALL. */
struct mavlink_mission_request_list {
        uint8_t target_system, target_component;
        /* Version 2 only: */
        uint8_t mission_type;
};

struct mavlink_mission_count {
        uint16_t count;
        uint8_t target_system, target_component;
        /* Version 2 only: */
        uint8_t mission_type;
        uint32_t opaque_id;
};

struct mavlink_mission_item_reached {
        uint16_t seq;
};

struct mavlink_mission_ack {
        uint8_t target_system, target_component, type;
        /* Version 2 only: */
        uint8_t mission_type;
        uint32_t opaque_id;
};

struct mavlink_mission_item_int {
        float param1, param2, param3, param4;
        int32_t x, y; /* degE7; without a place: as they are */
        float z; /* m */
        uint16_t seq, command;
        uint8_t target_system, target_component, frame, current, autocontinue;
        /* Version 2 only: */
        uint8_t mission_type;
};
