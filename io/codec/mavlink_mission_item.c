/* The items of a mission as MAVLink has them, there and back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/mavlink_mission.h"

/* MAV_PROTOCOL_CAPABILITY, by list */
static const uint32_t capabilities[MISSION_LISTS] = { 0, 1U << 14, 1U << 15 };

#define YAW_DEG      0.05 /* as a float's radians give it back */
#define ALTITUDE_M   0.011 /* ArduPilot holds centimetres */
#define RALLY_HIGH_M 1.0 /* and for rally points metres */

/* MAV_FRAME: those with degrees in whole numbers are the same places. */
#define FRAME_GLOBAL_INT   5
#define FRAME_RELATIVE_INT 6
#define FRAME_TERRAIN_INT  11

const struct mavlink_mission_rules mavlink_mission_ardupilot = { .home_first = true,
                                                                 .nan_is_zero = true };
const struct mavlink_mission_rules mavlink_mission_px4 = { .needs_place = true };

static uint8_t plain_frame(uint8_t frame)
{
        switch (frame) {
        case FRAME_GLOBAL_INT:
                return MISSION_FRAME_GLOBAL;
        case FRAME_RELATIVE_INT:
                return MISSION_FRAME_RELATIVE;
        case FRAME_TERRAIN_INT:
                return MISSION_FRAME_TERRAIN;
        default:
                return frame;
        }
}

/* Commands that lead to a place; of the others an autopilot may hold what it likes in these fields. */
static bool has_place(uint16_t command)
{
        return (command >= 16 && command <= 31 && command != MISSION_RETURN) ||
               (command >= 80 && command <= 85) ||
               (command >= MISSION_FENCE_RETURN_POINT && command <= MISSION_RALLY_POINT);
}

static bool is_fence(uint16_t command)
{
        return command >= MISSION_FENCE_RETURN_POINT &&
               command <= MISSION_FENCE_CIRCLE_OUTSIDE;
}

int mavlink_mission_count(const struct mavlink_mission *m, int list)
{
        int count = m->plan->list[list].count;

        return count > 0 && list == MISSION_LIST_ITEMS && m->rules.home_first ? count + 1
                                                                              : count;
}

static int32_t place_e7(uint8_t frame, double value)
{
        if (isnan(value))
                return 0;
        if (plain_frame(frame) != MISSION_FRAME_NONE)
                value *= 1e7;
        return fabs(value) <= INT32_MAX ? (int32_t)lround(value) : 0;
}

void mavlink_mission_item(const struct mavlink_mission *m, int list, int seq,
                          struct mavlink_mission_item_int *item)
{
        const struct mission_plan *plan = m->plan;
        bool home_first = list == MISSION_LIST_ITEMS && m->rules.home_first;
        struct mission_item home = { .command = MISSION_WAYPOINT,
                                     .autocontinue = true,
                                     .lat_deg = plan->home_lat_deg,
                                     .lon_deg = plan->home_lon_deg,
                                     .altitude_m = plan->home_altitude_m };
        const struct mission_item *of = &home;

        if (!home_first || seq > 0)
                of = &plan->list[list].item[seq - home_first];
        *item = (struct mavlink_mission_item_int){
                .param1 = (float)of->param[0],
                .param2 = (float)of->param[1],
                .param3 = (float)of->param[2],
                .param4 = (float)of->param[3],
                .x = place_e7(of->frame, of->lat_deg),
                .y = place_e7(of->frame, of->lon_deg),
                .z = isnan(of->altitude_m) ? 0.0F : (float)of->altitude_m,
                .seq = (uint16_t)seq,
                .command = of->command,
                .target_system = m->system,
                .target_component = m->component,
                .frame = of->frame,
                .autocontinue = of->autocontinue,
                .mission_type = (uint8_t)list,
        };
        /* Items count from 1 in a plan, from 0 here, and home is one of them. */
        if (of->command == MISSION_JUMP && !home_first)
                item->param1 -= 1.0F;
}

static bool list_possible(const struct mavlink_mission *m, int list, char *why,
                          size_t cap)
{
        const struct mission_list *l = &m->plan->list[list];

        for (int i = 0; i < l->count && m->rules.needs_place; i++) {
                const struct mission_item *item = &l->item[i];

                if (!has_place(item->command) || item->frame == MISSION_FRAME_NONE ||
                    (!isnan(item->lat_deg) && !isnan(item->lon_deg)))
                        continue;
                snprintf(why, cap,
                         "item %d (command %d) has no latitude and longitude, which this "
                         "firmware needs",
                         i + 1, item->command);
                return false;
        }
        return true;
}

bool mavlink_mission_capable(const struct mavlink_mission *m, int list)
{
        return (m->rules.capabilities & capabilities[list]) == capabilities[list];
}

bool mavlink_mission_possible(const struct mavlink_mission *m, char *why, size_t cap)
{
        for (int i = 0; i < MISSION_LISTS; i++)
                if (m->plan->list[i].count > 0 && !mavlink_mission_capable(m, i)) {
                        snprintf(why, cap,
                                 "the firmware takes no %s by MAVLink's mission protocol",
                                 i == MISSION_LIST_FENCE ? "geofence" : "rally points");
                        return false;
                }
        for (int i = 0; i < MISSION_LISTS; i++)
                if (!list_possible(m, i, why, cap))
                        return false;
        return true;
}

/* Without these parameters the item would be another: where a jump goes and how often, a delay, a speed, how many corners
 * a polygon has, how wide a circle is. */
static bool must_hold(uint16_t command, int param)
{
        switch (command) {
        case MISSION_JUMP:
                return param < 2;
        case MISSION_SPEED:
                return param == 1;
        case MISSION_DELAY:
                return param == 0;
        default:
                return is_fence(command) && param == 0 &&
                       command != MISSION_FENCE_RETURN_POINT;
        }
}

/* Fractions may be cut off, what it has no use for is 0 or NaN, and in place of 0 it may have a default of its own. */
static bool same_param(uint16_t command, int param, double sent, double held, int *unkept)
{
        bool yaw = param == 3 && has_place(command);

        if (isnan(sent) || fabs(sent - held) <= 1e-4 * fmax(1.0, fabs(sent)))
                return true;
        if (yaw && fabs(remainder(sent - held, 360.0)) <= YAW_DEG)
                return true;
        if (must_hold(command, param))
                return false;
        ++*unkept;
        return isnan(held) || held == 0.0 || sent == 0.0 || held == trunc(sent);
}

static bool same_place(const struct mavlink_mission_item_int *sent,
                       const struct mavlink_mission_item_int *held, char *why, size_t cap)
{
        double high_m = sent->command == MISSION_RALLY_POINT ? RALLY_HIGH_M : ALTITUDE_M;

        if (sent->x != held->x || sent->y != held->y) {
                snprintf(why, cap, "latitude and longitude %d %d e-7 degrees, not %d %d",
                         (int)held->x, (int)held->y, (int)sent->x, (int)sent->y);
                return false;
        }
        if (is_fence(sent->command))
                return true;
        if (plain_frame(sent->frame) != plain_frame(held->frame)) {
                snprintf(why, cap, "frame %d, not %d", held->frame, sent->frame);
                return false;
        }
        /* Written so that NaN is not the same. */
        if (!(fabs((double)held->z - (double)sent->z) < high_m)) {
                snprintf(why, cap, "altitude %g m, not %g m", (double)held->z,
                         (double)sent->z);
                return false;
        }
        return true;
}

bool mavlink_mission_same(const struct mavlink_mission_item_int *sent,
                          const struct mavlink_mission_item_int *held, int *unkept,
                          char *why, size_t cap)
{
        const float there[4] = { sent->param1, sent->param2, sent->param3, sent->param4 };
        const float back[4] = { held->param1, held->param2, held->param3, held->param4 };

        if (sent->command != held->command) {
                snprintf(why, cap, "command %d, not %d", held->command, sent->command);
                return false;
        }
        for (int i = 0; i < 4; i++) {
                if (same_param(sent->command, i, (double)there[i], (double)back[i],
                               unkept))
                        continue;
                snprintf(why, cap, "parameter %d is %g, not %g", i + 1, (double)back[i],
                         (double)there[i]);
                return false;
        }
        return !has_place(sent->command) || sent->frame == MISSION_FRAME_NONE ||
               same_place(sent, held, why, cap);
}

const char *mavlink_mission_result_name(uint8_t result)
{
        static const char *const names[] = { "accepted",
                                             "error",
                                             "a frame that it does not know",
                                             "a command that it does not know",
                                             "no space",
                                             "invalid",
                                             "invalid parameter 1",
                                             "invalid parameter 2",
                                             "invalid parameter 3",
                                             "invalid parameter 4",
                                             "invalid latitude (x)",
                                             "invalid longitude (y)",
                                             "invalid altitude",
                                             "out of sequence",
                                             "denied",
                                             "cancelled" };

        return result < sizeof names / sizeof names[0] ? names[result]
                                                       : "an unknown reason";
}

static void say_item(const struct mavlink_mission *m,
                     struct mavlink_mission_item_int *item)
{
        float *param[4] = { &item->param1, &item->param2, &item->param3, &item->param4 };

        mavlink_mission_item(m, m->list, m->seq, item);
        for (int i = 0; i < 4; i++)
                if (m->rules.nan_is_zero && isnan(*param[i]))
                        *param[i] = 0.0F;
}

void mavlink_mission_say(const struct mavlink_mission *m,
                         struct mavlink_mission_words *say)
{
        uint8_t type = (uint8_t)m->list;

        memset(say, 0, sizeof *say);
        switch (m->step) {
        case MAVLINK_MISSION_COUNTING:
                say->id = MAVLINK_MISSION_COUNT;
                say->as.count = (struct mavlink_mission_count){
                        .count = (uint16_t)m->progress.total,
                        .target_system = m->system,
                        .target_component = m->component,
                        .mission_type = type
                };
                break;
        case MAVLINK_MISSION_GIVING:
                say->id = MAVLINK_MISSION_ITEM_INT;
                say_item(m, &say->as.item);
                break;
        case MAVLINK_MISSION_CLEARING:
        case MAVLINK_MISSION_LISTING:
                say->id = m->step == MAVLINK_MISSION_CLEARING
                                  ? MAVLINK_MISSION_CLEAR_ALL
                                  : MAVLINK_MISSION_REQUEST_LIST;
                say->as.list =
                        (struct mavlink_mission_request_list){ m->system, m->component,
                                                               type };
                break;
        case MAVLINK_MISSION_READING:
                say->id = MAVLINK_MISSION_REQUEST_INT;
                say->as.request =
                        (struct mavlink_mission_request){ (uint16_t)m->seq, m->system,
                                                          m->component, type };
                break;
        case MAVLINK_MISSION_THANKING:
                say->id = MAVLINK_MISSION_ACK;
                say->as.ack =
                        (struct mavlink_mission_ack){ .target_system = m->system,
                                                      .target_component = m->component,
                                                      .type = MAVLINK_MISSION_ACCEPTED,
                                                      .mission_type = type };
                break;
        default:
                say->id = MAVLINK_MISSION_SET_CURRENT;
                say->as.current =
                        (struct mavlink_mission_set_current){ m->rules.home_first ? 1 : 0,
                                                              m->system, m->component };
        }
}
