/* Any bytes as a mission file: refused with a reason on one line, or what was read can be written in each format, read
 * again to the same, and made a route or refused. */
#include "hil/mission/route.h"
#include "tests/fuzz/fuzz.h"

static void check_format(const struct mission_plan *p, enum mission_format format)
{
        struct mission_losses losses = { 0 };
        struct mission_plan back;
        struct mission_error why;
        char *text = mission_write(p, format, &losses);

        expect(text != NULL);
        /* It has no items of its own. */
        if (format == MISSION_MEXO) {
                if (mission_read(&back, "again", text, strlen(text), &why))
                        expect(back.list[MISSION_LIST_ITEMS].count > 0);
                else
                        expect(why.text[0] != '\0');
                mission_plan_free(&back);
                free(text);
                return;
        }
        expect(mission_read(&back, "again", text, strlen(text), &why));
        expect(back.list[MISSION_LIST_ITEMS].count == p->list[MISSION_LIST_ITEMS].count);
        expect(losses.grave > 0 ||
               back.list[MISSION_LIST_FENCE].count == p->list[MISSION_LIST_FENCE].count);
        mission_plan_free(&back);
        free(text);
}

static void check_route(const struct mission_plan *p)
{
        struct route_setup setup = { .radius_m = 2.0,
                                     .speed_mps = 1.0,
                                     .climb_mps = 1.0 };
        struct earth_position home;
        struct route route;
        char why[200] = "";

        if (route_home(p, &home))
                setup.origin = (struct earth_origin){ home.lat_rad, home.lon_rad,
                                                      home.height_m };
        expect(route_make(&route, p, &setup, why, sizeof why) || why[0] != '\0');
        expect(route.stops <= ROUTE_STOPS_MAX);
        for (int i = 0; i < route.stops; i++)
                route_fence_breached(&route, route.stop[i].at_ned_m);
        route_free(&route);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct mission_plan plan;
        struct mission_error why = { "" };

        if (mission_read(&plan, "m", (const char *)data, size, &why)) {
                for (int f = 0; f < MISSION_FORMATS; f++)
                        check_format(&plan, (enum mission_format)f);
                check_route(&plan);
        } else {
                expect(why.text[0] != '\0' && strchr(why.text, '\n') == NULL);
        }
        mission_plan_free(&plan);
        return 0;
}
