/* The scene of a flight: solids and triangles stand where rays hit them, requirements have the bounds of a signal alone. */
#include "hil/page/scene.h"

#include <math.h>
#include <stdlib.h>

#include "models/world/scene.h"
#include "tests/suites.h"

static struct rig_config *rig_with(const char *set)
{
        const struct config_overrides overrides = { .sets = 1, .set = { set } };
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct config_error *why = calloc(1, sizeof *why);
        char *resolved = NULL;

        ck_assert_msg(
                config_read(rig, "rig_configs/default.json", &overrides, &resolved, why),
                "%s", why->text);
        free(resolved);
        free(why);
        return rig;
}

static struct json *scene_of(const struct rig_config *rig)
{
        struct json *scene = json_new_object();

        page_scene_add(scene, rig);
        ck_assert(!scene->failed);
        return scene;
}

static void drop(struct rig_config *rig, struct json *scene)
{
        config_free(rig);
        free(rig);
        json_free(scene);
}

static struct vec3 vec3_at(const struct json *o, const char *key)
{
        const struct json *v = json_member(o, key);

        return (struct vec3){ json_number(v, "0"), json_number(v, "1"),
                              json_number(v, "2") };
}

/* From 9 m away towards its middle along its own axis. */
static void expect_face(const struct scene *world, const struct json *solid,
                        struct vec3 axis, double half_m)
{
        const struct json *q = json_member(solid, "q");
        struct quat own = { json_number(q, "0"), json_number(q, "1"), json_number(q, "2"),
                            json_number(q, "3") };
        struct vec3 out = quat_rotate(own, axis);
        struct vec3 eye = vec3_axpy(vec3_at(solid, "p"), 9.0, out);
        struct scene_hit hit = scene_ray(world, eye, vec3_scale(-1.0, out), 20.0);

        ck_assert_int_ge(hit.solid, 0);
        ck_assert_double_eq_tol(hit.range_m, 9.0 - half_m, 1e-9);
}

TEST(solids_stand_where_rays_hit_them)
{
        struct rig_config *rig = rig_with(
                "world.obstacles=[{\"name\":\"b\",\"shape\":\"box\",\"at_m\":{\"north\":"
                "20,\"up\":40},\"size_m\":[4,2,3],\"yaw_deg\":30,\"pitch_deg\":20},"
                "{\"name\":\"s\",\"shape\":\"sphere\",\"at_m\":{\"north\":50,\"up\":40},"
                "\"radius_m\":2},"
                "{\"name\":\"c\",\"shape\":\"cylinder\",\"at_m\":{\"east\":40,\"up\":40},"
                "\"radius_m\":1,\"height_m\":6,\"pitch_deg\":70,\"yaw_deg\":10}]");
        struct json *scene = scene_of(rig);
        const struct json *list = json_member(scene, "obstacles");

        ck_assert_int_eq(list->count, 3);
        for (const struct json *o = list->first; o != NULL; o = o->next) {
                struct vec3 size = vec3_at(o, "size");

                expect_face(rig->world.scene, o, (struct vec3){ 1, 0, 0 }, size.x / 2.0);
                expect_face(rig->world.scene, o, (struct vec3){ 0, -1, 0 }, size.y / 2.0);
                expect_face(rig->world.scene, o, (struct vec3){ 0, 0, 1 }, size.z / 2.0);
        }
        drop(rig, scene);
}

TEST(triangles_are_those_of_the_mesh)
{
        struct rig_config *rig = rig_with(
                "world.obstacles=[{\"name\":\"hill\",\"shape\":\"mesh\",\"file\":"
                "\"rig_configs/worlds/"
                "hill.obj\",\"scale_m\":10,\"at_m\":{\"north\":120,\"east\":40}}]");
        struct json *scene = scene_of(rig);
        const struct json *list = json_member(scene, "triangles");

        ck_assert_int_eq(list->count, 9 * rig->world.scene->solids);
        ck_assert_int_gt(list->count, 0);
        for (const struct json *x = list->first; x != NULL;) {
                double sum[3] = { 0.0 };
                struct scene_hit hit;

                for (int i = 0; i < 9; i++, x = x->next)
                        sum[i % 3] += x->number / 3.0;
                /* The middle, from a metre above: the hill hangs over nowhere. */
                hit = scene_ray(rig->world.scene,
                                (struct vec3){ sum[0], sum[1], sum[2] - 1.0 },
                                (struct vec3){ 0.0, 0.0, 1.0 }, 2.0);
                ck_assert_int_ge(hit.solid, 0);
                ck_assert_double_eq_tol(hit.range_m, 1.0, 0.01);
        }
        drop(rig, scene);
}

TEST(bounds_are_those_of_a_signal)
{
        struct rig_config *rig = rig_with(
                "scenario.requirements=["
                "{\"name\":\"r\",\"kind\":\"always\",\"signal\":\"altitude_m\",\"max\":6,"
                "\"from_s\":3,\"to_s\":9},"
                "{\"name\":\"m\",\"metric\":\"rms\",\"signal\":\"altitude_m\",\"max\":2,"
                "\"from_s\":4,\"to_s\":8},"
                "{\"name\":\"f\",\"formula\":\"always altitude_m < 7\"}]");
        struct json *scene = scene_of(rig);
        const struct json *list = json_member(scene, "requirements");
        const struct json *r = json_item(list, 0), *m = json_item(list, 1),
                          *f = json_item(list, 2);

        ck_assert_int_eq(list->count, 3);
        ck_assert_str_eq(json_string(r, "form"), "always");
        ck_assert_double_eq(json_number(r, "max"), 6.0);
        ck_assert_double_eq(json_number(r, "from_s"), 3.0);
        ck_assert_double_eq(json_number(r, "to_s"), 9.0);
        ck_assert_ptr_null(json_member(r, "min"));
        ck_assert_str_eq(json_string(m, "form"), "metric");
        ck_assert_double_eq(json_number(m, "to_s"), 8.0);
        ck_assert_ptr_null(json_member(m, "max"));
        ck_assert_str_eq(json_string(f, "form"), "formula");
        ck_assert_ptr_null(json_member(f, "from_s"));
        drop(rig, scene);
}
