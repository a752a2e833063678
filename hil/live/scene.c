/* What a page is told first: the scene, and what can be seen and asked for of the flight in it. */
#include <stdlib.h>

#include "hil/config/scenario/scenario.h"
#include "hil/live/document.h"
#include "hil/page/scene.h"

/* Left out where it is for all. */
static void add_vehicles(struct json *step, const struct scenario_step *s, int vehicles)
{
        struct json *list;
        int of = 0;

        for (int i = 0; i < vehicles; i++)
                of += scenario_step_is_for(s, i);
        list = of < vehicles ? json_add_array(step, "vehicles") : NULL;
        for (int i = 0; i < vehicles && list != NULL; i++)
                if (scenario_step_is_for(s, i))
                        json_add_number(list, NULL, i);
}

static void add_steps(struct json *scene, const struct scenario *s, int vehicles)
{
        struct json *list = json_add_array(scene, "steps");

        for (int i = 0; i < s->steps; i++) {
                struct json *o = json_add_object(list, NULL);
                char does[EVENT_TEXT_MAX];

                scenario_describe(&s->step[i], does, sizeof does);
                json_add_string(o, "name", s->step[i].name);
                json_add_string(o, "does", does);
                add_vehicles(o, &s->step[i], vehicles);
                if (s->step[i].trigger == TRIGGER_TIME)
                        json_add_number(o, "at_s", (double)s->step[i].t_ns * 1e-9);
        }
}

/* What can be asked for, of each vehicle. */
static void add_quantities(struct json *scene)
{
        struct json *list = json_add_array(scene, "quantities");
        struct live_quantity_place at = { 0 };
        const char *unit;
        char name[96];

        while (live_quantity_next(&at, name, sizeof name, &unit)) {
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "name", name);
                json_add_string(o, "unit", unit);
        }
}

/* Of each vehicle that is flown by sticks on the page, what they move. */
static void add_sticks(struct json *scene, const struct rig_config *rig)
{
        struct json *list = json_add_array(scene, "sticks");

        for (int i = 0; i < rig->vehicles; i++) {
                const struct joystick_config *j = &rig->vehicle[i].joystick;

                for (int k = 0; k < j->controls && config_joystick_on_page(j); k++) {
                        const struct joystick_control *c = &j->control[k];
                        struct json *o = json_add_object(list, NULL);

                        json_add_i64(o, "vehicle", i);
                        json_add_string(o, "input", c->input);
                        json_add_string(o, "drives",
                                        config_joystick_drives_name(c->drives));
                        json_add_i64(o, "channel", c->channel + 1);
                }
        }
}

char *live_scene_text(const struct rig_config *rig, bool control)
{
        struct json *scene = json_new_object();
        char *text;

        json_add_string(scene, "kind", "scene");
        json_add_string(scene, "rig", rig->name);
        json_add_string(scene, "scenario", rig->scenario.name);
        json_add_string(scene, "pace",
                        rig->pace == PACE_LOCKSTEP ? "lockstep" : "realtime");
        json_add_bool(scene, "control", control);
        json_add_number(scene, "duration_s",
                        (double)(rig->stop_after_ns < rig->scenario.duration_ns
                                         ? rig->stop_after_ns
                                         : rig->scenario.duration_ns) *
                                1e-9);
        page_scene_add(scene, rig);
        add_steps(scene, &rig->scenario, rig->vehicles);
        add_quantities(scene);
        if (control)
                add_sticks(scene, rig);
        text = scene != NULL ? json_print_line(scene) : NULL;
        json_free(scene);
        return text;
}
