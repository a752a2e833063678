/* Hands on the live page: the flight is ended or, in lockstep, held, stepped, slowed down. The bits of a flight do not depend
 * on how long it took. */
#include <math.h>
#include <stdio.h>

#include "hil/rig/loop.h"

#define NAP_NS (5 * NS_PER_MS)

static void tell_hands(struct rig *rig)
{
        const struct live_hands hands = { rig->page.held, rig->page.pace };

        live_server_tell(rig->page.server, LIVE_HANDS, loop_sim_ns(rig), &hands,
                         sizeof hands);
}

/* What is seen while time stands still is the newest. */
static void hold(struct live_page *page, int64_t after_periods)
{
        page->held = true;
        page->steps_left = after_periods;
        live_server_hurry(page->server);
}

void loop_begin_held(struct rig *rig)
{
        rig->page.held = true;
        tell_hands(rig);
}

static void set_pace(struct rig *rig, double pace)
{
        rig->page.pace = pace;
        rig->page.pace_host_ns = clock_now_ns();
        rig->page.pace_sim_ns = loop_sim_ns(rig);
}

static void change_time(struct rig *rig, const struct live_order *order)
{
        struct live_page *page = &rig->page;

        if (order->kind == LIVE_HOLD && !page->held)
                hold(page, 1);
        else if (order->kind == LIVE_STEP)
                hold(page, (int64_t)order->value);
        else if (order->kind == LIVE_GO)
                page->held = false;
        else if (order->kind == LIVE_PACE)
                page->pace = order->value;
        set_pace(rig, page->pace);
        tell_hands(rig);
}

/* In a track of its own behind all others; the timeline fires it as the tick begins. */
static void add_fault(struct rig *rig, const struct live_order *order, int64_t tick)
{
        struct live_page *page = &rig->page;
        struct scenario *s = page->scenario;
        struct scenario_step *step =
                s != NULL && s->reserve > 0 ? &s->step[s->steps] : NULL;

        /* Not more are given, so that there is a place for its text. */
        page->fault[page->faults].text = order->text;
        page->fault[page->faults].step = s != NULL ? s->steps : -1;
        page->fault[page->faults++].tick = step != NULL ? tick : -1;
        if (step == NULL) {
                loop_say(rig, '4', "a fault by hand found no room in the scenario");
                return;
        }
        *step = order->step;
        step->track = s->tracks;
        step->trigger = TRIGGER_TIME;
        step->t_ns = tick * rig->config->period_ns;
        for (int i = 0; i < rig->config->vehicles; i++)
                action_admit(&rig->vehicle[i].actions, s, s->steps, i);
        s->reserve--;
        s->steps++;
}

/* One that was begun by hand, and before this tick: the step then says how long it lasted. */
static void lift_fault(struct rig *rig, int step, int64_t tick)
{
        struct live_page *page = &rig->page;
        int64_t t_ns = tick * rig->config->period_ns;

        for (int k = 0; k < page->faults; k++) {
                struct scenario_step *of = &page->scenario->step[step];

                if (page->fault[k].tick < 0 || page->fault[k].step != step ||
                    tick <= page->fault[k].tick || of->for_ns <= t_ns - of->t_ns)
                        continue;
                of->for_ns = t_ns - of->t_ns;
                page->fault[k].lifted = tick;
                for (int i = 0; i < rig->config->vehicles; i++) {
                        struct rig_vehicle *v = &rig->vehicle[i];

                        action_lift(&v->actions, step, t_ns);
                        for (int p = -1; p < v->config->ports; p++)
                                fc_faults_lift(rig_vehicle_wire(v, p), step, t_ns);
                }
        }
}

static void move_sticks(struct rig *rig, const struct live_sticks *sticks)
{
        struct joystick *j = rig->vehicle[sticks->vehicle].joystick;

        for (int i = 0; j != NULL && i < sticks->count; i++)
                joystick_feed(j, sticks->at[i].input, sticks->at[i].value,
                              clock_now_ns());
}

void loop_obey_page(struct rig *rig, int64_t tick)
{
        struct live_order order;

        if (rig->page.server == NULL)
                return;
        while (live_server_order(rig->page.server, &order)) {
                if (order.kind == LIVE_ABORT && loop_running(rig)) {
                        loop_say(rig, '4', "ended by hand, on the live page");
                        loop_finish(rig, END_INTERRUPTED,
                                    "ended by hand, on the live page");
                } else if (order.kind == LIVE_FAULT)
                        add_fault(rig, &order, tick);
                else if (order.kind == LIVE_STICKS)
                        move_sticks(rig, &order.sticks);
                else if (order.kind == LIVE_LIFT && rig->page.scenario != NULL)
                        lift_fault(rig, (int)order.value, tick);
                else if (rig->config->pace == PACE_LOCKSTEP)
                        change_time(rig, &order);
        }
}

static bool may_go_on(const struct rig *rig)
{
        const struct live_page *page = &rig->page;
        double host_ns = (double)(clock_now_ns() - page->pace_host_ns);
        double sim_ns = (double)(loop_sim_ns(rig) - page->pace_sim_ns);

        if (page->held)
                return page->steps_left > 0;
        return page->pace == 0.0 || sim_ns <= page->pace * host_ns;
}

void loop_hold_for_page(struct rig *rig)
{
        if (rig->page.server == NULL)
                return;
        loop_obey_page(rig, rig->tick + 1);
        while (loop_running(rig) && !may_go_on(rig)) {
                loop_check_stop(rig);
                clock_sleep_until(clock_now_ns() + (rig->page.held ? NAP_NS : NS_PER_MS));
                loop_obey_page(rig, rig->tick + 1);
        }
        if (rig->page.held && --rig->page.steps_left == 0)
                live_server_hurry(rig->page.server);
}
