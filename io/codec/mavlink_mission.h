/* A ground station's side of MAVLink's mission protocol: each list of a plan is sent (an empty one cleared), read back
 * and compared item by item. Pure functions; time is an argument, on any clock that goes forward. Every transfer ends
 * as MISSION_HELD or MISSION_FAILED, whatever is lost, doubled, late or wrong. Source: the MAVLink developer
 * guide, "Mission Protocol". */
#pragma once

#include "io/codec/mavlink_messages.h"
#include "io/codec/mission.h"

/* What an autopilot does in its own way. */
struct mavlink_mission_rules {
        bool home_first; /* item 0 is home, and the plan's items count from 1 */
        bool nan_is_zero; /* it takes no NaN for what is not given */
        bool needs_place; /* of an item with a global frame */
        uint64_t
                capabilities; /* AUTOPILOT_VERSION's: fence and rally points as they say */
};

extern const struct mavlink_mission_rules mavlink_mission_ardupilot;
extern const struct mavlink_mission_rules mavlink_mission_px4;

enum mavlink_mission_step {
        MAVLINK_MISSION_COUNTING, /* told how many items come */
        MAVLINK_MISSION_GIVING, /* item by item, as it asks */
        MAVLINK_MISSION_CLEARING,
        MAVLINK_MISSION_LISTING, /* asked how many it holds */
        MAVLINK_MISSION_READING, /* item by item, as we ask */
        MAVLINK_MISSION_THANKING, /* the last one came */
        MAVLINK_MISSION_STARTING, /* told where to begin */
        MAVLINK_MISSION_OVER
};

struct mavlink_mission {
        const struct mission_plan *plan;
        struct mavlink_mission_rules rules;
        struct mission_progress progress;
        uint8_t system, component; /* the autopilot's */
        uint8_t own_system, own_component;

        enum mavlink_mission_step step;
        int list; /* enum mission_list_kind */
        int seq; /* as the wire counts: given last, or asked for */
        int furthest; /* that was given */
        bool due; /* to be said at once */
        bool nacked; /* the last refusal was: */
        uint8_t nack;
        int64_t again_ns;
        int tries, attempts, answers;
        int unkept; /* parameters that it does not hold */
};

/* A message of ours. */
struct mavlink_mission_words {
        uint32_t id;
        union {
                struct mavlink_mission_count count;
                struct mavlink_mission_item_int item;
                struct mavlink_mission_request_list list;
                struct mavlink_mission_request request;
                struct mavlink_mission_ack ack;
                struct mavlink_mission_set_current current;
        } as;
};

/* Begins with the plan, which must outlast this. The autopilot's numbers and ours. */
void mavlink_mission_begin(struct mavlink_mission *m, const struct mission_plan *plan,
                           const struct mavlink_mission_rules *rules, uint8_t system,
                           uint8_t component, const struct mavlink_sender *own);
/* What is to be said at t_ns; false: nothing. */
bool mavlink_mission_poll(struct mavlink_mission *m, int64_t t_ns,
                          struct mavlink_mission_words *say);
/* A message that came. True: the autopilot has reached an item, progress.reached. */
bool mavlink_mission_take(struct mavlink_mission *m, const struct mavlink_frame *frame);
/* It starts anew and is to be given the mission again; what it reached is forgotten. */
void mavlink_mission_restart(struct mavlink_mission *m);

static inline bool mavlink_mission_under_way(const struct mavlink_mission *m)
{
        return m->progress.transfer == MISSION_SENDING ||
               m->progress.transfer == MISSION_CHECKING;
}

/* One item of a list as the wire has it, and whether one that came back is the same (mavlink_mission_item.c). False:
 * why says in which field; else *unkept counts the parameters that the autopilot does not hold. */
void mavlink_mission_item(const struct mavlink_mission *m, int list, int seq,
                          struct mavlink_mission_item_int *item);
bool mavlink_mission_same(const struct mavlink_mission_item_int *sent,
                          const struct mavlink_mission_item_int *held, int *unkept,
                          char *why, size_t cap);
/* How many items of a list the wire has. */
int mavlink_mission_count(const struct mavlink_mission *m, int list);
/* It takes such a list. */
bool mavlink_mission_capable(const struct mavlink_mission *m, int list);
/* What the autopilot cannot take of the plan, before anything is sent. */
bool mavlink_mission_possible(const struct mavlink_mission *m, char *why, size_t cap);
/* What its step has to say. */
void mavlink_mission_say(const struct mavlink_mission *m,
                         struct mavlink_mission_words *say);
#define MAVLINK_MISSION_ACCEPTED 0 /* MAV_MISSION_RESULT */
/* Of MAV_MISSION_RESULT: "no space". */
const char *mavlink_mission_result_name(uint8_t result);
