/* The scene of a flight: who flies, in which world, and what is required of it. */
#include "hil/page/scene.h"

#include <math.h>

#include "models/world/satellites.h"

/* More are not listed. */
#define SOLIDS_SHOWN 20000
/* In ten minutes a satellite moves five degrees; more skies than of eight hours are not listed. */
#define SKY_EVERY_S 600.0
#define SKIES_SHOWN 48

static void add_numbers(struct json *o, const char *key, const double *value, int count)
{
        struct json *list = json_add_array(o, key);

        for (int i = 0; i < count; i++)
                json_add_number(list, NULL, value[i]);
}

static void add_vec3(struct json *o, const char *key, struct vec3 v)
{
        add_numbers(o, key, (const double[]){ v.x, v.y, v.z }, 3);
}

static void add_quat(struct json *o, const char *key, struct quat q)
{
        add_numbers(o, key, (const double[]){ q.w, q.x, q.y, q.z }, 4);
}

/* Of a rotation, by the largest of its four (Shepperd 1978). */
static struct quat quat_of_axes(struct mat3 m)
{
        double trace = m.x.x + m.y.y + m.z.z;
        struct quat q;

        if (trace > 0.0)
                q = (struct quat){ 1.0 + trace, m.z.y - m.y.z, m.x.z - m.z.x,
                                   m.y.x - m.x.y };
        else if (m.x.x >= m.y.y && m.x.x >= m.z.z)
                q = (struct quat){ m.z.y - m.y.z, 1.0 + 2.0 * m.x.x - trace,
                                   m.y.x + m.x.y, m.x.z + m.z.x };
        else if (m.y.y >= m.z.z)
                q = (struct quat){ m.x.z - m.z.x, m.y.x + m.x.y,
                                   1.0 + 2.0 * m.y.y - trace, m.z.y + m.y.z };
        else
                q = (struct quat){ m.y.x - m.x.y, m.x.z + m.z.x, m.z.y + m.y.z,
                                   1.0 + 2.0 * m.z.z - trace };
        return quat_normalise(q);
}

static void add_rotors(struct json *o, const struct vehicle_params *p)
{
        struct json *list = json_add_array(o, "rotors");

        for (int i = 0; i < p->rotors; i++) {
                struct json *rotor = json_add_object(list, NULL);

                add_vec3(rotor, "p", p->rotor[i].pos_body_m);
                json_add_number(rotor, "direction", p->rotor[i].spin);
                json_add_number(rotor, "radius",
                                p->rotor_radius_m > 0.0
                                        ? p->rotor_radius_m
                                        : 0.4 * vec3_norm(p->rotor[i].pos_body_m));
        }
}

static void add_sonars(struct json *o, const struct sonar_params *p)
{
        struct json *list = json_add_array(o, "sonars");

        for (int i = 0; i < p->count; i++) {
                struct json *sonar = json_add_object(list, NULL);

                add_vec3(sonar, "p", p->unit[i].lever_arm_body_m);
                add_vec3(sonar, "axis", p->unit[i].axis_body);
                json_add_number(sonar, "opening_rad", p->unit[i].opening_rad);
                json_add_number(sonar, "reach_m", p->unit[i].range.max);
        }
}

static void add_vehicles(struct json *scene, const struct rig_config *rig)
{
        struct json *list = json_add_array(scene, "vehicles");

        for (int i = 0; i < rig->vehicles; i++) {
                const struct vehicle_config *v = &rig->vehicle[i];
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "name", v->name);
                json_add_i64(o, "colour", i);
                json_add_number(o, "mass_kg", v->params.body.mass_kg);
                add_vec3(o, "start", v->start_ned_m);
                add_rotors(o, &v->params);
                add_sonars(o, &v->params.sensors.sonar);
        }
}

static void add_solid(struct json *list, const struct rig_config *rig,
                      const struct solid *s)
{
        static const char *const shape[] = { [SOLID_BOX] = "box",
                                             [SOLID_SPHERE] = "sphere",
                                             [SOLID_CYLINDER] = "cylinder" };
        struct json *o = json_add_object(list, NULL);

        json_add_string(o, "shape", shape[s->shape]);
        json_add_string(o, "name", config_obstacle_name(rig, s->name));
        add_vec3(o, "p", s->pos_ned_m);
        add_quat(o, "q", quat_of_axes(s->axes_to_ned));
        add_vec3(o, "size",
                 s->shape == SOLID_BOX ? vec3_scale(2.0, s->size_m)
                 : s->shape == SOLID_SPHERE
                         ? vec3_scale(2.0 * s->size_m.x, (struct vec3){ 1.0, 1.0, 1.0 })
                         : (struct vec3){ 2.0 * s->size_m.x, 2.0 * s->size_m.x,
                                          2.0 * s->size_m.z });
}

static void add_corner(struct json *corners, struct vec3 at)
{
        json_add_number(corners, NULL, round(1e3 * at.x) / 1e3);
        json_add_number(corners, NULL, round(1e3 * at.y) / 1e3);
        json_add_number(corners, NULL, round(1e3 * at.z) / 1e3);
}

static void add_triangle(struct json *corners, const struct solid *s)
{
        add_corner(corners, s->pos_ned_m);
        add_corner(corners, vec3_add(s->pos_ned_m, s->edge_m[0]));
        add_corner(corners, vec3_add(s->pos_ned_m, s->edge_m[1]));
}

/* The tree of a world has them in another order than its file, and meshes mixed. */
static void add_solids(struct json *scene, const struct rig_config *rig)
{
        const struct scene *all = rig->world.scene;
        int solids = all != NULL ? all->solids : 0;
        struct json *list = json_add_array(scene, "obstacles");
        struct json *corners = json_add_array(scene, "triangles");

        for (int i = 0; i < solids && i < SOLIDS_SHOWN; i++)
                if (all->solid[i].shape == SOLID_TRIANGLE)
                        add_triangle(corners, &all->solid[i]);
                else
                        add_solid(list, rig, &all->solid[i]);
        json_add_i64(scene, "solids_more",
                     solids > SOLIDS_SHOWN ? solids - SOLIDS_SHOWN : 0);
}

static void add_world(struct json *scene, const struct rig_config *rig)
{
        const struct world *w = &rig->world;
        struct json *list;

        json_add_number(scene, "ground_down_m", w->ground_down_m);
        add_solids(scene, rig);
        list = json_add_array(scene, "regions");
        for (int i = 0; i < w->regions; i++) {
                const struct region *r = &w->region[i];
                struct json *o = json_add_object(list, NULL);

                add_vec3(o, "p", r->centre_ned_m);
                add_quat(o, "q", r->q_region_to_ned);
                add_vec3(o, "size", vec3_scale(2.0, r->half_m));
                add_vec3(o, "wind", r->wind_ned_mps);
        }
        add_vec3(scene, "wind", w->wind.steady_ned_mps);
}

static bool is_sky_seen(const struct rig_config *rig)
{
        for (int i = 0; i < rig->vehicles; i++) {
                const struct sensors_params *s = &rig->vehicle[i].params.sensors;

                if (s->gps.schedule.period_ns > 0 && s->gps.model != GPS_WHITE)
                        return true;
        }
        return false;
}

/* The satellites above the origin's horizon, every ten minutes of the flight: PRN, azimuth, elevation. */
static void add_skies(struct json *scene, const struct rig_config *rig)
{
        const struct world *w = &rig->world;
        double end_s = (double)rig->scenario.duration_ns * 1e-9;
        struct json *list = json_add_array(scene, "skies");

        for (int n = 0; is_sky_seen(rig) && n < SKIES_SHOWN && n * SKY_EVERY_S <= end_s;
             n++) {
                struct json *o = json_add_object(list, NULL), *all;
                struct sky sky;

                satellites_above(&sky, &almanac_shipped, &w->origin,
                                 (struct vec3){ 0.0, 0.0, 0.0 },
                                 w->gps_time_s + n * SKY_EVERY_S, 0.0);
                json_add_number(o, "time_s", n * SKY_EVERY_S);
                all = json_add_array(o, "satellites");
                for (int i = 0; i < sky.count; i++) {
                        const struct sky_satellite *s = &sky.satellite[i];

                        json_add_number(all, NULL, s->prn);
                        json_add_number(all, NULL, round(1e3 * s->azimuth_rad) / 1e3);
                        json_add_number(all, NULL, round(1e3 * s->elevation_rad) / 1e3);
                }
        }
}

static void add_bound(struct json *o, const char *key, double value)
{
        if (isfinite(value))
                json_add_number(o, key, value);
}

static void add_requirement(struct json *o, int id, const struct requirement *r)
{
        static const char *const form[] = { [REQUIRE_ALWAYS] = "always",
                                            [REQUIRE_EVENTUALLY] = "eventually",
                                            [REQUIRE_FORMULA] = "formula",
                                            [REQUIRE_METRIC] = "metric" };

        json_add_i64(o, "id", id);
        json_add_string(o, "name", r->name);
        json_add_string(o, "form", form[r->form]);
        json_add_string(o, "text", r->text);
        json_add_i64(o, "vehicle", r->vehicle);
        if (r->form == REQUIRE_FORMULA)
                return;
        json_add_number(o, "from_s", (double)r->from_ns * 1e-9);
        json_add_number(o, "to_s", (double)r->to_ns * 1e-9);
        /* A metric's are no values of its signal. */
        if (r->form == REQUIRE_METRIC)
                return;
        add_bound(o, "min", r->min);
        add_bound(o, "max", r->max);
}

static void add_requirements(struct json *scene, const struct scenario *s)
{
        struct json *list = json_add_array(scene, "requirements");

        for (int i = 0; i < s->requirements; i++)
                add_requirement(json_add_object(list, NULL), i, &s->requirement[i]);
}

void page_scene_add(struct json *to, const struct rig_config *rig)
{
        add_vehicles(to, rig);
        add_world(to, rig);
        add_skies(to, rig);
        add_requirements(to, &rig->scenario);
}
