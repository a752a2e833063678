/* A mission moved to where the vehicle starts. */
#include "hil/config/rig/rig.h"

#include <math.h>

/* From the plan's home to where the vehicle starts. */
static void move_place(double *lat_deg, double *lon_deg, const struct earth_origin *home,
                       const struct earth_origin *origin, struct vec3 start_ned_m)
{
        struct earth_position p = { *lat_deg * RAD_PER_DEG, *lon_deg * RAD_PER_DEG,
                                    home->height_m };
        struct vec3 at = earth_to_ned(home, p);

        at.x += start_ned_m.x;
        at.y += start_ned_m.y;
        at.z = 0.0;
        p = earth_from_ned(origin, at);
        *lat_deg = p.lat_rad / RAD_PER_DEG;
        *lon_deg = p.lon_rad / RAD_PER_DEG;
}

static bool above_the_sea(const struct mission_item *item)
{
        return item->frame == MISSION_FRAME_GLOBAL ||
               item->frame == MISSION_FRAME_GLOBAL_INT;
}

/* False: an altitude above the sea is not to be moved, since that of the home is not known. */
static bool move_item(struct mission_item *item, const struct mission_plan *p,
                      const struct earth_origin *from, const struct earth_origin *origin,
                      struct vec3 start_ned_m)
{
        move_place(&item->lat_deg, &item->lon_deg, from, origin, start_ned_m);
        if (!above_the_sea(item) || !isfinite(item->altitude_m))
                return true;
        item->altitude_m += origin->height_m - start_ned_m.z - p->home_altitude_m;
        return p->has_home;
}

bool config_move_mission(struct mission_plan *p, const struct earth_origin *origin,
                         struct vec3 start_ned_m, const struct json *node,
                         struct config_error *why)
{
        struct earth_position home;
        struct earth_origin from;

        if (!route_home(p, &home))
                return true;
        from = (struct earth_origin){ home.lat_rad, home.lon_rad, origin->height_m };
        for (int l = 0; l < MISSION_LISTS; l++)
                for (int i = 0; i < p->list[l].count; i++) {
                        struct mission_item *item = &p->list[l].item[i];

                        if ((l == MISSION_LIST_ITEMS && !mission_has_place(item)) ||
                            !mission_place_given(item))
                                continue;
                        if (!move_item(item, p, &from, origin, start_ned_m))
                                return config_refuse_at(
                                        why, node, "place",
                                        "must not be at_start: item %d has an altitude "
                                        "above the sea, and the mission has no home that "
                                        "it could be counted from",
                                        i + 1);
                }
        if (p->has_home) {
                move_place(&p->home_lat_deg, &p->home_lon_deg, &from, origin,
                           start_ned_m);
                p->home_altitude_m = origin->height_m - start_ned_m.z;
        }
        return true;
}
