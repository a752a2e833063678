/* QGroundControl's .plan, version 1, written. */
#include "hil/mission/mission.h"
#include "hil/text/json.h"

#include <math.h>

/* As QGroundControl has them where a plan is made for none in particular: speeds for its estimates of time, which no
 * firmware is told; MAV_AUTOPILOT_GENERIC; MAV_TYPE_QUADROTOR. */
#define CRUISE_MPS    15
#define HOVER_MPS     5
#define FIRMWARE_TYPE 0
#define VEHICLE_TYPE  2

static void add_place(struct json *parent, const char *key,
                      const struct mission_item *item, bool height)
{
        struct json *place = json_add_array(parent, key);

        json_add_number(place, NULL, item->lat_deg);
        json_add_number(place, NULL, item->lon_deg);
        if (height)
                json_add_number(place, NULL, item->altitude_m);
}

static void add_item(struct json *items, int n, const struct mission_item *item)
{
        struct json *o = json_add_object(items, NULL), *params;

        json_add_bool(o, "autoContinue", item->autocontinue);
        json_add_i64(o, "command", item->command);
        json_add_i64(o, "doJumpId", n);
        json_add_i64(o, "frame", item->frame);
        params = json_add_array(o, "params");
        for (int i = 0; i < 4; i++)
                json_add_number(params, NULL, item->param[i]);
        json_add_number(params, NULL, item->lat_deg);
        json_add_number(params, NULL, item->lon_deg);
        json_add_number(params, NULL, item->altitude_m);
        json_add_string(o, "type", "SimpleItem");
}

static void add_mission(struct json *root, const struct mission_plan *p,
                        struct mission_losses *losses)
{
        const struct mission_list *items = &p->list[MISSION_LIST_ITEMS];
        struct mission_item home = { .lat_deg = p->home_lat_deg,
                                     .lon_deg = p->home_lon_deg,
                                     .altitude_m = p->home_altitude_m };
        struct json *mission = json_add_object(root, "mission"), *list;

        json_add_i64(mission, "cruiseSpeed", CRUISE_MPS);
        json_add_i64(mission, "firmwareType", FIRMWARE_TYPE);
        json_add_i64(mission, "hoverSpeed", HOVER_MPS);
        list = json_add_array(mission, "items");
        for (int i = 0; i < items->count; i++)
                add_item(list, i + 1, &items->item[i]);
        if (!p->has_home)
                mission_lose(losses, false, "home: is not given, it is at 0, 0");
        add_place(mission, "plannedHomePosition", &home, true);
        json_add_i64(mission, "vehicleType", VEHICLE_TYPE);
        json_add_i64(mission, "version", 2);
}

static void add_circle(struct json *circles, const struct mission_item *item)
{
        struct json *o = json_add_object(circles, NULL),
                    *circle = json_add_object(o, "circle");

        add_place(circle, "center", item, false);
        json_add_number(circle, "radius", item->param[0]);
        json_add_bool(o, "inclusion", item->command == MISSION_FENCE_CIRCLE_INSIDE);
        json_add_i64(o, "version", 1);
}

/* Returns the last of its corners. */
static int add_polygon(struct json *polygons, const struct mission_list *fence, int at)
{
        const struct mission_item *item = &fence->item[at];
        int last = at + (int)fmax(mission_param(item, 0), 1.0) - 1;
        struct json *o = json_add_object(polygons, NULL), *corners;

        json_add_bool(o, "inclusion", item->command == MISSION_FENCE_POLYGON_INSIDE);
        corners = json_add_array(o, "polygon");
        for (; at <= last && at < fence->count; at++)
                add_place(corners, NULL, &fence->item[at], false);
        json_add_i64(o, "version", 1);
        return last;
}

static void add_fence(struct json *root, const struct mission_list *fence)
{
        struct json *o = json_add_object(root, "geoFence"),
                    *circles = json_add_array(o, "circles"),
                    *polygons = json_add_array(o, "polygons");

        for (int i = 0; i < fence->count; i++) {
                const struct mission_item *item = &fence->item[i];

                if (item->command == MISSION_FENCE_RETURN_POINT)
                        add_place(o, "breachReturn", item, true);
                else if (item->command == MISSION_FENCE_CIRCLE_INSIDE ||
                         item->command == MISSION_FENCE_CIRCLE_OUTSIDE)
                        add_circle(circles, item);
                else
                        i = add_polygon(polygons, fence, i);
        }
        json_add_i64(o, "version", 2);
}

char *mission_write_plan(const struct mission_plan *p, struct mission_losses *losses)
{
        struct json *root = json_new_object(), *rally, *points;

        json_add_string(root, "fileType", "Plan");
        add_fence(root, &p->list[MISSION_LIST_FENCE]);
        json_add_string(root, "groundStation", "QGroundControl");
        add_mission(root, p, losses);
        rally = json_add_object(root, "rallyPoints");
        points = json_add_array(rally, "points");
        for (int i = 0; i < p->list[MISSION_LIST_RALLY].count; i++)
                add_place(points, NULL, &p->list[MISSION_LIST_RALLY].item[i], true);
        json_add_i64(rally, "version", 2);
        json_add_i64(root, "version", 1);
        return json_print_free(root);
}
