/* The end of every run: its boards are told to disarm until they say that they are, and nothing of ours comes
 * before that. Their sensors go on meanwhile, for a board that gets none may not listen. */
#include "hil/rig/loop.h"

#include <stdio.h>

#define SAY_AGAIN_NS (20 * NS_PER_MS)
/* What is heard sooner may have been said before the goodbye came. */
#define SETTLED_NS (50 * NS_PER_MS)
/* For one that was not armed when it was last heard: an order to arm may just be on its way. */
#define UNARMED_NS (100 * NS_PER_MS)
/* Lockstep: so long for a frame's answer, and longer in all than the run's own time. */
#define PER_FRAME_NS (100 * NS_PER_MS)
#define HOST_RATIO   10

struct farewells {
        int64_t begin_ns, said_ns, tick;
        int64_t elapsed_ns; /* in lockstep of simulated time, and of host time without an answer */
};

static void lower_sticks(struct rig_vehicle *v)
{
        const struct pilot_params *pilot = &v->config->pilot;
        int arm = pilot->period_ns > 0 ? pilot->arm_channel : 4;
        uint16_t *rc_us = v->input.rc_us;

        v->input.setpoint.mode = MODE_DISARMED;
        if (rc_us[PILOT_THROTTLE] != 0)
                rc_us[PILOT_THROTTLE] = 1000;
        if (arm >= 0 && rc_us[arm] != 0)
                rc_us[arm] = (uint16_t)(pilot->period_ns > 0 ? pilot->disarmed_us : 1000);
        v->input_pending = true;
}

static void begin_farewells(struct rig *rig, struct farewells *all)
{
        *all = (struct farewells){ .begin_ns = clock_now_ns() };
        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                struct farewell *f = &v->farewell;

                fc_port_leave(&v->port);
                fc_port_receive(&v->port, all->begin_ns, false); /* said before */
                lower_sticks(v);
                f->awaited = v->port.state != FC_PORT_CLOSED;
                f->words = v->port.talk.arming.words;
                f->frame = v->port.talk.next_number;
        }
}

static bool any_awaited(const struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                if (rig->vehicle[i].farewell.awaited)
                        return true;
        return false;
}

static void say_goodbye(struct rig *rig, struct farewells *all)
{
        bool due = all->tick == 0 || all->elapsed_ns - all->said_ns >= SAY_AGAIN_NS;

        all->tick++;
        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                if (!rig->vehicle[i].farewell.awaited)
                        continue;
                if (v->port.state == FC_PORT_READY)
                        loop_coast_tick(rig, v, all->tick);
                if (due)
                        fc_port_goodbye(&v->port, clock_now_ns());
        }
        if (due)
                all->said_ns = all->elapsed_ns;
}

/* False: one that can answer has not yet, or is to have more host time; or nobody can. */
static bool hear_answers(struct rig *rig, int64_t waited_ns)
{
        bool can = false, have = true;

        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                if (!rig->vehicle[i].farewell.awaited)
                        continue;
                fc_port_receive(&v->port, clock_now_ns(), false);
                if (v->port.state != FC_PORT_READY)
                        continue;
                can = true;
                have &= fc_port_answered(&v->port) &&
                        (!v->sent || fc_port_rest_ns(&v->port, waited_ns) == 0);
        }
        return can && have;
}

/* Until end_ns, or until bytes have come. What is readable without any has hung up, or nobody is there yet. */
static void wait_for_bytes(struct rig *rig, int64_t now_ns, int64_t end_ns)
{
        int64_t left_ns = end_ns - now_ns < NS_PER_MS ? end_ns - now_ns : NS_PER_MS;
        uint64_t before = loop_bytes_received(rig);

        if (loop_wait_for_bytes(rig, left_ns) <= 0)
                return;
        for (int i = 0; i < config_boards(rig->config); i++)
                fc_port_receive(&rig->vehicle[i].port, clock_now_ns(), false);
        if (loop_bytes_received(rig) == before)
                clock_sleep_until(now_ns + left_ns);
}

/* Their processes have ended, and nothing that they said is left to be read. */
static bool have_all_ended(struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];

                if (v->farewell.awaited &&
                    (v->port.state == FC_PORT_READY || !child_look(&rig->child[i])))
                        return false;
        }
        return true;
}

/* A period in real time; in lockstep until all have answered, or nobody is left who could. */
static void wait_for_words(struct rig *rig, struct farewells *all)
{
        bool lockstep = rig->config->pace == PACE_LOCKSTEP, answered = false;
        int64_t begin_ns = clock_now_ns(), now_ns = begin_ns;
        int64_t end_ns = begin_ns + (lockstep ? PER_FRAME_NS : rig->config->period_ns);

        for (; now_ns < end_ns; now_ns = clock_now_ns()) {
                answered = hear_answers(rig, now_ns - begin_ns);
                if (lockstep && (answered || have_all_ended(rig)))
                        break;
                for (int i = 0; i < config_boards(rig->config); i++)
                        fc_port_poll(&rig->vehicle[i].port, now_ns);
                wait_for_bytes(rig, now_ns, end_ns);
        }
        if (!lockstep)
                all->elapsed_ns = now_ns - all->begin_ns;
        else
                all->elapsed_ns += answered ? rig->config->period_ns : now_ns - begin_ns;
}

/* Since the goodbye, of a frame that went out after it, or late enough to be no word from before it. */
static bool has_confirmed(struct farewell *f, const struct fc_arming *arming,
                          int64_t elapsed_ns)
{
        if (arming->answers)
                return !arming->armed && arming->words != f->words &&
                       (int32_t)(arming->frame - f->frame) >= 0;
        if (elapsed_ns < SETTLED_NS)
                f->words = arming->words;
        return !arming->armed && arming->words != f->words;
}

static int64_t patience_ns(const struct rig_vehicle *v)
{
        if (v->port.talk.arming.armed)
                return v->config->fc.disarm_timeout_ns;
        return v->port.state == FC_PORT_READY ? UNARMED_NS : 0;
}

static bool is_over(const struct rig_vehicle *v, const struct farewells *all)
{
        int64_t patient_ns = patience_ns(v);

        return all->elapsed_ns >= patient_ns ||
               clock_now_ns() - all->begin_ns > HOST_RATIO * patient_ns;
}

static void look_for_words(struct rig *rig, struct farewells *all)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                const struct fc_arming *arming = &v->port.talk.arming;
                struct farewell *f = &v->farewell;
                bool ended;

                if (!f->awaited)
                        continue;
                ended = child_look(&rig->child[i]);
                if (ended) /* its last words may have come since they were looked for */
                        fc_port_receive(&v->port, clock_now_ns(), false);
                f->confirmed = has_confirmed(f, arming, all->elapsed_ns);
                f->awaited = !f->confirmed && !ended && !is_over(v, all);
                if (f->awaited || f->confirmed || !arming->armed || ended)
                        continue;
                v->left = arming->words != f->words ? LEFT_ARMED : LEFT_UNHEARD;
        }
}

void rig_left_armed(const struct rig_vehicle *v, char *text, size_t cap)
{
        double told_s = (double)v->config->fc.disarm_timeout_ns * 1e-9;

        if (v->left == LEFT_ARMED)
                snprintf(text, cap,
                         "left armed: it says that it is, %.3g s after it was told to "
                         "disarm",
                         told_s);
        else if (v->left == LEFT_UNHEARD)
                snprintf(text, cap,
                         "perhaps left armed: it was when it was last heard, and was "
                         "told to disarm for %.3g s without an answer",
                         told_s);
        else
                snprintf(text, cap, "%s", "");
}

void loop_disarm(struct rig *rig)
{
        struct farewells all;

        begin_farewells(rig, &all);
        for (int i = 0; i < rig->config->vehicles; i++)
                for (int p = 0; p < rig->config->vehicle[i].ports; p++)
                        fc_faults_finish(rig_vehicle_wire(&rig->vehicle[i], p));
        while (any_awaited(rig)) {
                say_goodbye(rig, &all);
                wait_for_words(rig, &all);
                look_for_words(rig, &all);
        }
        for (int i = 0; i < config_boards(rig->config); i++)
                if (rig->vehicle[i].farewell.confirmed)
                        fc_port_goodbye(&rig->vehicle[i].port, clock_now_ns());
}
