/* The joystick of a vehicle: its events become RC channels, in place of those that the scenario asked last. */
#include "hil/rig/loop.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#define EVENTS_MAX 64 /* of one look; more wait for the next */

static bool settle_stick(struct rig_vehicle *v, int i, char *why, size_t cap)
{
        const struct joystick_config *config = &v->config->joystick;
        const struct joystick_control *c = &config->control[i];
        struct stick *s = &v->sticks[i];
        struct joystick_range range;

        s->params = c->stick;
        if (!joystick_code_from_name(c->input, &s->code) ||
            !joystick_range(v->joystick, s->code, &range)) {
                snprintf(why, cap, "%s: joystick %s has no %s", v->config->name,
                         config->source, c->input);
                return false;
        }
        if (!c->has_min)
                s->params.least = range.least;
        if (!c->has_max)
                s->params.most = range.most;
        if (!c->has_centre)
                s->params.centre = strncmp(c->input, "ABS_", 4) == 0
                                           ? 0.5 * (s->params.least + s->params.most)
                                           : s->params.least;
        s->raw = range.now;
        if (s->params.least <= s->params.centre && s->params.centre < s->params.most)
                return true;
        snprintf(why, cap,
                 "%s: joystick.controls.%d: min <= centre < max must hold, is %g, %g, %g",
                 v->config->name, i, s->params.least, s->params.centre, s->params.most);
        return false;
}

bool rig_joystick_open(struct rig_vehicle *v, char *why, size_t cap)
{
        const struct joystick_config *config = &v->config->joystick;
        char reason[300];

        if (!config->used)
                return true;
        v->joystick = joystick_open(config->source, reason, sizeof reason);
        if (v->joystick == NULL) {
                snprintf(why, cap, "%s: joystick %s", v->config->name, reason);
                return false;
        }
        for (int i = 0; i < config->controls; i++)
                if (!settle_stick(v, i, why, cap))
                        return false;
        return true;
}

static void take_event(struct rig_vehicle *v, const struct joystick_event *e)
{
        for (int i = 0; i < v->config->joystick.controls; i++)
                if (v->sticks[i].code.type == e->of.type &&
                    v->sticks[i].code.code == e->of.code)
                        v->sticks[i].raw = e->value;
}

static uint16_t channel_us(const struct rig_vehicle *v, int i)
{
        const struct stick *s = &v->sticks[i];

        if (v->joystick_state == JOYSTICK_THERE ||
            v->config->joystick.when_lost == JOYSTICK_LOST_HOLD)
                return stick_us(&s->params, s->raw);
        if (v->config->joystick.when_lost == JOYSTICK_LOST_CENTRE)
                return stick_us(&s->params, s->params.centre);
        return 0;
}

static void notice_state(struct rig *rig, struct rig_vehicle *v)
{
        static const char *const then[] = { "channels stay as they are",
                                            "channels go to their centres",
                                            "no channels are sent" };
        enum joystick_state state = joystick_state(v->joystick);
        char text[300];

        if (state == v->joystick_state)
                return;
        v->joystick_state = state;
        snprintf(text, sizeof text, "%s: joystick %.100s %s at %.3f s%s%s",
                 v->config->name, joystick_name(v->joystick),
                 state == JOYSTICK_LOST ? "lost" : "back",
                 (double)loop_sim_ns(rig) * 1e-9, state == JOYSTICK_LOST ? ": " : "",
                 state == JOYSTICK_LOST ? then[v->config->joystick.when_lost] : "");
        loop_say(rig, '4', text);
}

void loop_follow_joystick(struct rig *rig, struct rig_vehicle *v)
{
        const struct joystick_config *config = &v->config->joystick;
        struct joystick_event event[EVENTS_MAX];
        int64_t t_ns = loop_sim_ns(rig);
        int count;

        if (v->joystick == NULL || t_ns < v->joystick_due_ns)
                return;
        v->joystick_due_ns = t_ns - t_ns % config->period_ns + config->period_ns;
        count = joystick_read(v->joystick, t_ns, clock_now_ns(), event, EVENTS_MAX);
        for (int i = 0; i < count; i++)
                take_event(v, &event[i]);
        notice_state(rig, v);
        for (int i = 0; i < config->controls; i++) {
                uint16_t *us = &v->asked.rc_us[config->control[i].channel];
                uint16_t now_us = channel_us(v, i);

                if (*us == now_us)
                        continue;
                *us = now_us;
                v->input = v->asked;
                v->input_pending = true;
        }
}

bool rig_write_joysticks(const struct rig *rig, const char *folder, char *why, size_t cap)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                char path[PATH_MAX];
                FILE *file;
                bool good;

                if (v->joystick == NULL)
                        continue;
                snprintf(path, sizeof path, "%.3000s/joystick-%.200s.txt", folder,
                         v->config->name);
                file = fopen(path, "we");
                good = file != NULL && joystick_write(v->joystick, file);
                if (file != NULL)
                        good = fclose(file) == 0 && good;
                if (!good)
                        snprintf(why, cap, "%.300s: %s", path, strerror(errno));
                else if (joystick_overrun(v->joystick))
                        snprintf(why, cap,
                                 "%.300s: has the first %d changes of the joystick's "
                                 "inputs, the rest is missing",
                                 path, JOYSTICK_EVENTS_MAX);
                else
                        continue;
                return false;
        }
        return true;
}
