/* The joystick of a vehicle: its events become RC channels, in place of those that the scenario asked last, a set-point that
 * moves, or what a twin says. */
#include "hil/rig/loop.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
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
        v->hand.yaw_rad = v->config->start_yaw_rad;
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
        static const char *const channels[] = { "channels stay as they are",
                                                "channels go to their centres",
                                                "no channels are sent" };
        static const char *const place[] = { "it stays where it is asked to be",
                                             "it stays where it is asked to be",
                                             "it is asked to land" };
        const char *const *then =
                config_joystick_pilots(&v->config->joystick) ? place : channels;
        enum joystick_state state = joystick_state(v->joystick);
        char text[300];

        if (state == v->joystick_state)
                return;
        v->joystick_state = state;
        snprintf(text, sizeof text, "%s: joystick %.100s %s at %.3f s%s%s",
                 v->config->name, joystick_name(v->joystick),
                 state == JOYSTICK_LOST ? "lost" : "back",
                 (double)loop_sim_ns(rig) * 1e-9,
                 state == JOYSTICK_LOST && v->twin == NULL ? ": " : "",
                 state == JOYSTICK_LOST && v->twin == NULL
                         ? then[v->config->joystick.when_lost]
                         : "");
        loop_say(rig, '4', text);
}

/* True once a look: its events are taken in. */
static bool look_at_joystick(struct rig *rig, struct rig_vehicle *v)
{
        struct joystick_event event[EVENTS_MAX];
        int64_t t_ns = loop_sim_ns(rig);
        int count;

        if (v->joystick == NULL || t_ns < v->joystick_due_ns)
                return false;
        v->joystick_due_ns = t_ns - t_ns % v->config->joystick.period_ns +
                             v->config->joystick.period_ns;
        count = joystick_read(v->joystick, t_ns, clock_now_ns(), event, EVENTS_MAX);
        for (int i = 0; i < count; i++)
                take_event(v, &event[i]);
        notice_state(rig, v);
        return true;
}

/* The control that drives this; -1: none does. */
static int find_control(const struct rig_vehicle *v, enum joystick_drives what)
{
        const struct joystick_config *config = &v->config->joystick;

        for (int i = 0; i < config->controls; i++)
                if (config->control[i].drives == what)
                        return i;
        return -1;
}

/* -1 to 1; 0: by no control. */
static double part_of(const struct rig_vehicle *v, enum joystick_drives what)
{
        int i = find_control(v, what);

        return i < 0 ? 0.0 : stick_value(&v->sticks[i].params, v->sticks[i].raw);
}

static double full_of(const struct rig_vehicle *v, enum joystick_drives what)
{
        int i = find_control(v, what);

        return i < 0 ? 0.0 : v->config->joystick.control[i].full;
}

/* In the unit of its full. */
static double driven(const struct rig_vehicle *v, enum joystick_drives what)
{
        return part_of(v, what) * full_of(v, what);
}

static void move_channels(struct rig_vehicle *v)
{
        const struct joystick_config *config = &v->config->joystick;

        for (int i = 0; i < config->controls; i++) {
                const struct joystick_control *c = &config->control[i];
                uint16_t now_us;

                if (c->drives != JOYSTICK_CHANNEL)
                        continue;
                now_us = channel_us(v, i);
                if (v->asked.rc_us[c->channel] == now_us)
                        continue;
                v->asked.rc_us[c->channel] = now_us;
                v->input = v->asked;
                v->input_pending = true;
        }
}

/* No farther from the vehicle than its set-point goes in so long, so that letting go stops it. */
#define LEASH_S 1.5

static double leash(double asked, double is, double full)
{
        return full > 0.0 ? fmin(fmax(asked, is - LEASH_S * full), is + LEASH_S * full)
                          : asked;
}

static void move_place(struct rig_vehicle *v, double dt_s)
{
        struct setpoint *to = &v->hand;
        struct vec3 is = v->vehicle.body.pos_ned_m;
        double forward = dt_s * driven(v, JOYSTICK_FORWARD),
               right = dt_s * driven(v, JOYSTICK_RIGHT);
        double level = fmax(full_of(v, JOYSTICK_FORWARD), full_of(v, JOYSTICK_RIGHT));
        double cosine = cos(to->yaw_rad), sine = sin(to->yaw_rad);

        to->yaw_rad =
                remainder(to->yaw_rad + dt_s * driven(v, JOYSTICK_TURN), 2.0 * M_PI);
        to->pos_ned_m.x =
                leash(to->pos_ned_m.x + cosine * forward - sine * right, is.x, level);
        to->pos_ned_m.y =
                leash(to->pos_ned_m.y + sine * forward + cosine * right, is.y, level);
        to->pos_ned_m.z = leash(to->pos_ned_m.z - dt_s * driven(v, JOYSTICK_UP), is.z,
                                full_of(v, JOYSTICK_UP));
}

/* Flies from where it stands; lands where it is. */
static void move_setpoint(struct rig *rig, struct rig_vehicle *v)
{
        const struct joystick_config *config = &v->config->joystick;
        bool lost = v->joystick_state == JOYSTICK_LOST;
        bool flies = part_of(v, JOYSTICK_FLY) > 0.5 &&
                     !(lost && config->when_lost == JOYSTICK_LOST_NO_CHANNELS);
        struct setpoint *to = &v->hand;

        if (to->mode != MODE_GOTO) {
                to->pos_ned_m = v->vehicle.body.pos_ned_m;
                to->yaw_rad = quat_to_euler(v->vehicle.body.q_body_to_ned).z;
        }
        if (!flies)
                to->mode = to->mode == MODE_GOTO || to->mode == MODE_LAND ? MODE_LAND
                                                                          : MODE_DISARMED;
        else if (to->mode != MODE_GOTO)
                to->mode = v->port.report.armed ? MODE_GOTO : MODE_ARMED;
        else if (!lost)
                move_place(v, (double)config->period_ns * 1e-9);
        loop_ask_setpoint(rig, v, *to);
}

void loop_follow_joystick(struct rig *rig, struct rig_vehicle *v)
{
        if (!look_at_joystick(rig, v))
                return;
        move_channels(v);
        if (config_joystick_pilots(&v->config->joystick))
                move_setpoint(rig, v);
}

bool loop_word_of_hand(struct rig *rig, struct rig_vehicle *v, struct twin_word *word)
{
        double dt_s = (double)v->config->joystick.period_ns * 1e-9;

        if (!look_at_joystick(rig, v) || v->joystick_state == JOYSTICK_LOST)
                return false;
        v->twin->source->counts.words++;
        v->hand.yaw_rad =
                remainder(v->hand.yaw_rad + dt_s * driven(v, JOYSTICK_TURN), 2.0 * M_PI);
        *word = (struct twin_word){
                .said = TWIN_ATTITUDE | TWIN_THROTTLE,
                .arrived_ns = loop_sim_ns(rig),
                .q_body_to_ned =
                        quat_from_euler(driven(v, JOYSTICK_ROLL),
                                        driven(v, JOYSTICK_PITCH), v->hand.yaw_rad),
                .throttle_ratio = fmin(fmax(driven(v, JOYSTICK_THROTTLE), 0.0), 1.0),
        };
        return true;
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
