/* The motor pads in the loop: what they show becomes the motor command, or is compared with it. */
#include "hil/rig/loop.h"

#include <stdio.h>

/* An answer's signal is on the pads after its sensor frame: what the board does until the next tick
 * is to be seen before that begins. */
static int64_t next_tick_ns(const struct rig *rig)
{
        return loop_sim_ns(rig) + rig->config->period_ns;
}

void loop_take_pads(struct rig *rig, int64_t now_ns)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                if (v->pads == NULL)
                        continue;
                pads_take(v->pads, now_ns, loop_sim_ns(rig));
                loop_notice_pads(rig, v);
        }
}

/* Lockstep: time waits for its pads. Not for a capture that is lost while it only watches. */
static bool is_awaited(const struct rig *rig, const struct rig_vehicle *v)
{
        return v->pads != NULL && v->port.state != FC_PORT_GONE &&
               (v->pads->config->drives || pads_state(v->pads) == PADS_LIVE) &&
               !pads_reached(v->pads, next_tick_ns(rig));
}

bool loop_pads_reached(const struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                if (is_awaited(rig, &rig->vehicle[i]))
                        return false;
        return true;
}

/* So often a capture that is there may be asked for what it did not give. */
#define SKIPS_MAX 100

void loop_check_pads(struct rig *rig, int64_t waited_ns)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                int64_t timeout_ns = v->config->fc.timeout_ns;
                char text[300];

                if (!is_awaited(rig, v) || waited_ns <= timeout_ns ||
                    !fc_port_settled(&v->port))
                        continue;
                if (pads_state(v->pads) == PADS_LIVE && v->pads->now.gaps < SKIPS_MAX)
                        pads_skip(v->pads, next_tick_ns(rig));
                if (waited_ns <= 2 * timeout_ns + v->config->fc.hello_timeout_ns)
                        continue;
                snprintf(text, sizeof text,
                         "%s: %s gave nothing for %.3f s at %.3f s of simulated time",
                         v->config->name, v->config->pads.source_text,
                         (double)waited_ns * 1e-9, (double)loop_sim_ns(rig) * 1e-9);
                loop_finish(rig, END_PADS_GONE, text);
        }
}

static void notice_silent(struct rig *rig, struct rig_vehicle *v)
{
        char text[300];

        for (int i = 0; i < v->config->pads.rotors; i++) {
                struct pads_rotor *rotor = &v->pads->rotor[i];

                if (!rotor->news)
                        continue;
                rotor->news = false;
                snprintf(text, sizeof text,
                         "%s: pad %d (rotor %d) silent at %.3f s, its motor taken as "
                         "stopped",
                         v->config->name, v->config->pads.pad_of_rotor[i], i,
                         (double)rotor->silent_ns * 1e-9);
                loop_say(rig, '4', text);
        }
}

/* Without what drives the vehicle there is no flight, unless it may come back. */
static void notice_loss(struct rig *rig, struct rig_vehicle *v)
{
        bool fatal = v->config->pads.drives && !v->config->fc.reconnect;
        char text[300];

        snprintf(text, sizeof text, "%s: %s gone at %.3f s", v->config->name,
                 v->config->pads.source_text, (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, '3', text);
        v->pads->gone_said = true;
        if (fatal)
                loop_finish(rig, END_PADS_GONE, text);
}

/* The first rotor whose input a device with so few has not; -1: it has all of them. */
static int rotor_without(const struct pads *p, int inputs)
{
        for (int i = 0; i < p->config->rotors; i++)
                if (p->config->pad_of_rotor[i] >= inputs)
                        return i;
        return -1;
}

/* Another device, or one that was set otherwise, is where the lost one was. */
static void notice_misfit(struct rig *rig, struct rig_vehicle *v)
{
        struct pads *p = v->pads;
        uint64_t misfits = atomic_load(&p->misfits);
        double was_hz = p->decode.params.tick_hz;
        double is_hz = (double)atomic_load(&p->other_hz);
        int inputs = atomic_load(&p->other_pads), rotor = rotor_without(p, inputs);
        char text[400], other[160];

        if (misfits == p->misfits_said)
                return;
        p->misfits_said = misfits;
        if (rotor < 0)
                snprintf(other, sizeof other, "with %.9g MHz, before %.9g MHz",
                         is_hz * 1e-6, was_hz * 1e-6);
        else
                snprintf(other, sizeof other,
                         "with %d inputs, and rotor %d is on input %d", inputs, rotor,
                         p->config->pad_of_rotor[rotor]);
        snprintf(text, sizeof text, "%s: %s back at %.3f s %s: another device, not taken",
                 v->config->name, p->config->source_text, (double)loop_sim_ns(rig) * 1e-9,
                 other);
        loop_say(rig, '3', text);
}

static void notice_refusal(struct rig *rig, struct rig_vehicle *v)
{
        struct pads *p = v->pads;
        char text[500];

        if (!atomic_load(&p->refused))
                return;
        snprintf(text, sizeof text, "%s: %s still gone at %.3f s: %s", v->config->name,
                 p->config->source_text, (double)loop_sim_ns(rig) * 1e-9, p->refusal);
        atomic_store(&p->refused, false);
        if (p->gone_said)
                loop_say(rig, '3', text);
}

void loop_notice_pads(struct rig *rig, struct rig_vehicle *v)
{
        struct pads *p = v->pads;
        enum pads_state state = pads_state(p);
        uint64_t losses = atomic_load(&p->losses);
        char text[300];

        notice_silent(rig, v);
        if (losses != p->losses_said) {
                p->losses_said = losses;
                notice_loss(rig, v);
        }
        notice_misfit(rig, v);
        notice_refusal(rig, v);
        if (state != PADS_LIVE || !p->gone_said)
                return;
        p->gone_said = false;
        snprintf(text, sizeof text, "%s: %s back at %.3f s", v->config->name,
                 v->config->pads.source_text, (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, '4', text);
}

void loop_record_pads(struct rig *rig, const struct rig_vehicle *v)
{
        struct pads_record r = { .t_ns = loop_sim_ns(rig), .vehicle = v->port.vehicle };

        if (rig->recorder == NULL || v->pads == NULL)
                return;
        for (int i = 0; i < v->config->pads.rotors; i++) {
                const struct pads_reading *reading =
                        &v->pads->now.pad[v->config->pads.pad_of_rotor[i]];
                int64_t age_ns = v->pads->taken_ns - reading->end_ns;

                r.measured[i] = v->pads->command.duty[i];
                r.reported[i] = v->port.command.duty[i];
                r.age_ns[i] = reading->end_ns == 0 ? -1
                              : age_ns < INT32_MAX ? (int32_t)age_ns
                                                   : INT32_MAX;
                r.words[i] = reading->words;
                r.silent[i] = v->pads->rotor[i].silent;
        }
        recorder_pads(rig->recorder, &r);
}
