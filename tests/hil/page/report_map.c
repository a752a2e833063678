/* The world of a report's top view: outlines hold what is seen from above, a mesh is no lower than it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/report.h"
#include "models/world/scene.h"
#include "tests/hil/record/record_run.h"
#include "tests/suites.h"

/* The resolved rig with that set of it. */
static char *config_with(const char *set)
{
        const struct config_overrides overrides = { .sets = 1, .set = { set } };
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct config_error *why = calloc(1, sizeof *why);
        char *resolved = NULL;

        ck_assert_msg(
                config_read(rig, "rig_configs/default.json", &overrides, &resolved, why),
                "%s", why->text);
        config_free(rig);
        free(rig);
        free(why);
        return resolved;
}

static struct report *report_of(const char *set, const void *log, size_t len)
{
        char *config = config_with(set);
        const struct report_files files = {
                .config = config, .config_len = strlen(config), .log = log, .log_len = len
        };
        struct report *r = calloc(1, sizeof *r);

        ck_assert(report_read(r, "folder", &files));
        ck_assert_ptr_nonnull(r->rig);
        free(config);
        return r;
}

static void drop(struct report *r)
{
        report_free(r);
        free(r);
}

/* By the shoelace formula; clockwise or not. */
static double area_m2(const struct json *outline)
{
        double area = 0.0;

        for (const struct json *a = outline->first; a != NULL; a = a->next) {
                const struct json *b = a->next != NULL ? a->next : outline->first;

                area += json_number(a, "0") * json_number(b, "1") -
                        json_number(b, "0") * json_number(a, "1");
        }
        return fabs(area) / 2.0;
}

#define BOX    "\"shape\":\"box\",\"at_m\":{\"north\":20},\"size_m\":[4,2,3],\"yaw_deg\":30"
#define SPHERE "\"shape\":\"sphere\",\"at_m\":{\"north\":30,\"up\":5},\"radius_m\":2"
#define CYLINDER                                                                         \
        "\"shape\":\"cylinder\",\"at_m\":{\"east\":40,\"up\":1},\"radius_m\":1,"         \
        "\"height_m\":6,\"pitch_deg\":90"

TEST(an_outline_is_the_solid_from_above)
{
        struct report *r =
                report_of("world.obstacles=[{\"name\":\"b\"," BOX
                          "},{\"name\":\"s\"," SPHERE "},{\"name\":\"c\"," CYLINDER "}]",
                          NULL, 0);
        /* A box of 4 m x 2 m stays so however it is turned, a cylinder that lies is a rectangle. */
        static const struct {
                const char *name;
                double area_m2, low_m, high_m;
        } wanted[] = { { "b", 8.0, 0.0, 3.0 },
                       { "s", 4.0 * M_PI, 3.0, 7.0 },
                       { "c", 12.0, 0.0, 2.0 } };
        struct json *map = report_map(r);
        const struct json *list = json_member(map, "solids");

        ck_assert_int_eq(list->count, 3);
        for (const struct json *s = list->first; s != NULL; s = s->next)
                for (int i = 0; i < 3; i++) {
                        if (strcmp(json_string(s, "name"), wanted[i].name) != 0)
                                continue;
                        ck_assert_double_eq_tol(area_m2(json_member(s, "outline")),
                                                wanted[i].area_m2,
                                                0.01 * wanted[i].area_m2);
                        ck_assert_double_eq_tol(json_number(s, "low_m"), wanted[i].low_m,
                                                0.011);
                        ck_assert_double_eq_tol(json_number(s, "high_m"),
                                                wanted[i].high_m, 0.011);
                }
        json_free(map);
        drop(r);
}

TEST(of_very_many_solids_it_says_how_many_it_leaves_out)
{
        enum { STEPS = 200, FLIGHTS = 12 };
        char set[2000] = "world.obstacles=[";
        struct report *r;
        struct json *map;

        for (int i = 0; i < FLIGHTS; i++)
                sprintf(set + strlen(set),
                        "%s{\"name\":\"s%d\",\"shape\":\"stairs\",\"at_m\":{\"north\":%d}"
                        ","
                        "\"size_m\":[5,1,5],\"steps\":%d}",
                        i > 0 ? "," : "", i, 20 + 10 * i, STEPS);
        strcat(set, "]");
        r = report_of(set, NULL, 0);
        map = report_map(r);
        ck_assert_int_eq(json_member(map, "solids")->count +
                                 (int)json_number(map, "solids_more"),
                         STEPS * FLIGHTS);
        ck_assert_double_gt(json_number(map, "solids_more"), 0.0);
        json_free(map);
        drop(r);
}

TEST(a_mesh_is_no_lower_in_the_map_than_it_is)
{
        struct folder f;
        struct report *r;
        struct json *map;
        const struct json *relief;
        uint8_t *log;
        size_t len = 0;
        int known = 0, cells = 0, columns;
        double cell_m;

        folder_make(&f);
        record_run(&f);
        log = folder_load(&f, "run.ulg", &len);
        ck_assert_ptr_nonnull(log);
        r = report_of("world.obstacles=[{\"name\":\"hill\",\"shape\":\"mesh\",\"file\":"
                      "\"rig_configs/worlds/"
                      "hill.obj\",\"scale_m\":10,\"at_m\":{\"north\":120,\"east\":40}}]",
                      log, len);
        map = report_map(r);
        relief = json_member(map, "relief");
        ck_assert_ptr_nonnull(relief);
        columns = (int)json_number(relief, "columns");
        cell_m = json_number(relief, "cell_m");
        for (const struct json *up = json_member(relief, "up_m")->first; up != NULL;
             up = up->next, cells++) {
                int row = cells / columns;
                struct vec3 above = {
                        json_number(relief, "north_m") + (row + 0.5) * cell_m,
                        json_number(relief, "east_m") + (cells % columns + 0.5) * cell_m,
                        -1000.0
                };
                struct scene_hit hit = scene_ray(r->rig->world.scene, above,
                                                 (struct vec3){ 0.0, 0.0, 1.0 }, 2000.0);

                known += json_is(up, JSON_NUMBER);
                if (hit.solid >= 0)
                        ck_assert_double_ge(up->number + 0.006, 1000.0 - hit.range_m);
        }
        ck_assert_int_gt(known, 10);
        ck_assert_int_lt(known, cells);
        json_free(map);
        drop(r);
        free(log);
        folder_remove(&f);
}
