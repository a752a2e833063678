/* Vehicles that fly elsewhere: what their sources say, before the tick; and what goes back to them, after it. */
#include "hil/rig/loop.h"

#include <stdio.h>
#include <string.h>

static void note_change(struct rig *rig, const struct rig_vehicle *v,
                        enum twin_change change)
{
        const struct twin *t = v->twin;
        struct event_record event = { .t_ns = loop_sim_ns(rig),
                                      .vehicle = v->port.vehicle,
                                      .kind = EVENT_TWIN,
                                      .obstacle = -2,
                                      .step = -1 };

        if (change == TWIN_FELL_SILENT)
                snprintf(event.what, sizeof event.what,
                         "its source fell silent: nothing for %.6g ms",
                         (double)t->config->timeout_ns * 1e-6);
        else
                snprintf(event.what, sizeof event.what, "its source is back");
        if (rig->recorder != NULL)
                recorder_event(rig->recorder, &event);
}

static void note_silence(struct rig *rig, struct rig_vehicle *v)
{
        enum twin_change change = twin_listen(v->twin, loop_sim_ns(rig));
        char text[sizeof rig->end_reason];

        if (change == TWIN_AS_BEFORE)
                return;
        note_change(rig, v, change);
        if (change != TWIN_FELL_SILENT || v->config->twin.when_silent != TWIN_ENDS)
                return;
        snprintf(text, sizeof text, "%s: its source, %s at %s, %s", v->config->name,
                 v->config->twin.source, v->config->twin.where,
                 v->twin->source->gone ? "is over" : "fell silent");
        loop_finish(rig, END_TWIN_SILENT, text);
}

static void hear(struct rig *rig, struct rig_vehicle *v, const struct twin_word *word)
{
        struct twin_record record = { .t_ns = loop_sim_ns(rig),
                                      .vehicle = v->port.vehicle,
                                      .word = *word };
        struct twin_heard heard;

        if (!twin_hear(v->twin, word, &heard))
                return;
        record.delay_ns = heard.delay_ns;
        record.wrong_m = heard.surprise.pos_m;
        record.wrong_rad = heard.surprise.attitude_rad;
        if (rig->recorder != NULL)
                recorder_twin(rig->recorder, &record);
}

/* A flood of words costs so much of a period, and no more: the rest waits. */
#define WORDS_MOST 64

void loop_hear_twins(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                struct twin_word word;

                if (v->twin == NULL)
                        continue;
                for (int n = 0;
                     n < WORDS_MOST && twin_take(v->twin, clock_now_ns(), rig->start_ns,
                                                 loop_sim_ns(rig), &word);
                     n++)
                        hear(rig, v, &word);
                if (loop_word_of_hand(rig, v, &word))
                        hear(rig, v, &word);
                note_silence(rig, v);
        }
}

/* A vehicle whose place is not known now is where it was. */
static bool is_known(const struct rig_vehicle *v)
{
        return v->twin == NULL || (v->twin->heard && !v->twin->silent);
}

void loop_measure_overlaps(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                for (int k = 0; v->twin != NULL && k < rig->config->vehicles; k++)
                        if (k != i && is_known(&rig->vehicle[k]) &&
                            strcmp(v->config->twin.beside,
                                   rig->config->vehicle[k].name) == 0)
                                twin_overlap(v->twin, loop_sim_ns(rig), &v->vehicle.body,
                                             &rig->vehicle[k].vehicle.body);
        }
}

bool loop_tell_twin(struct rig *rig, struct rig_vehicle *v)
{
        int others = 0;

        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct rig_vehicle *o = &rig->vehicle[i];

                if (o->twin != NULL)
                        continue;
                rig->other[others++] =
                        (struct twin_other){ .name = o->config->name,
                                             .number = i,
                                             .pose = vehicle_pose(&o->vehicle),
                                             .vel_ned_mps = o->vehicle.body.vel_ned_mps };
        }
        return twin_tell(v->twin, loop_sim_ns(rig), &v->frame,
                         v->params.sensors.sonar.count, others, rig->other, clock_now_ns);
}

bool loop_twin_met(struct rig *rig, struct rig_vehicle *v, int64_t now_ns,
                   int64_t begin_ns)
{
        const struct twin_config *t = &v->config->twin;
        const struct twin_counts *c = &v->twin->source->counts;
        char text[sizeof rig->end_reason];
        struct twin_word word;

        /* What it says before the flight is of no tick. */
        for (int n = 0; n < WORDS_MOST && !v->twin->source->ops->recorded &&
                        twin_take(v->twin, now_ns, now_ns, 0, &word);
             n++)
                v->met_twin |= (word.said & twin_needs(t)) != 0;
        if (v->met_twin || v->twin->source->ops->recorded)
                return true;
        if (now_ns - begin_ns < t->hello_timeout_ns)
                return false;
        snprintf(text, sizeof text,
                 "%s: %s at %s said nothing of %s%s%s%s in %.6g s; heard of it: %llu, of "
                 "others: %llu, wrong: %llu",
                 v->config->name, t->source, t->where,
                 c->words == 0                    ? ""
                 : twin_needs(t) == TWIN_POSITION ? "the position of "
                                                  : "the attitude of ",
                 t->aircraft[0] != '\0' ? "\"" : "any aircraft", t->aircraft,
                 t->aircraft[0] != '\0' ? "\"" : "", (double)t->hello_timeout_ns * 1e-9,
                 (unsigned long long)c->words, (unsigned long long)c->overheard,
                 (unsigned long long)c->errors);
        loop_finish(rig, END_NO_HELLO, text);
        return false;
}
