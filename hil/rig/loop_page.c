/* What the live page is told: where everything is, sixty times a second at most; what became of a requirement, when it
 * does; once a second what changes slowly. */
#include <math.h>

#include "hil/rig/loop.h"

#define SLOW_NS NS_PER_S

void loop_begin_page(struct rig *rig)
{
        struct live_page *page = &rig->page;

        if (page->server != NULL && live_server_due(page->server, clock_now_ns()))
                page->frame = live_server_frame(page->server, loop_sim_ns(rig));
}

static bool quat_is_known(struct quat q)
{
        return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > 0.0;
}

void loop_show_page(struct rig *rig, const struct rig_vehicle *v,
                    const struct tick_record *tick)
{
        const struct fc_report *report = &v->port.report;
        struct live_vehicle *to;

        if (rig->page.frame == NULL)
                return;
        to = &rig->page.frame->vehicle[v->port.vehicle];
        to->arming_unknown = false;
        to->tick = *tick;
        to->estimate =
                (struct topic_pose){ { .q_body_to_ned = report->estimate.q_body_to_ned,
                                       .pos_ned_m = report->estimate.pos_ned_m,
                                       .vel_ned_mps = report->estimate.vel_ned_mps },
                                     quat_to_euler(report->estimate.q_body_to_ned).z };
        /* Of a board that has not said it all is zero. */
        to->estimated = quat_is_known(report->estimate.q_body_to_ned);
        to->setpoint = (struct setpoint_record){ loop_sim_ns(rig), v->port.vehicle,
                                                 v->asked.setpoint };
}

/* Of an operator inside another nothing is said before it has come to its end. */
static void judge_formula(const struct judge *j, int i, struct live_verdict *v)
{
        struct monitor_result so_far;

        if (!monitor_so_far(j->state[i].monitor, &so_far))
                return;
        v->open = so_far.open;
        if (!so_far.open)
                v->outcome = so_far.holds ? JUDGE_PASSED : JUDGE_FAILED;
        v->robustness = so_far.robustness;
        v->at_ns = so_far.at_ns;
}

static struct live_verdict verdict_so_far(const struct rig *rig, int i, bool over)
{
        const struct judge *j = &rig->judge;
        bool formula = j->list[i].form == REQUIRE_FORMULA;
        struct live_verdict v = { .requirement = i,
                                  .outcome = JUDGE_OPEN,
                                  .open = true,
                                  .value = NAN,
                                  .robustness = NAN,
                                  .at_ns = -1 };

        if (formula && !over) {
                judge_formula(j, i, &v);
                return v;
        }
        v.outcome = judge_result(j, i);
        v.open = !over && v.outcome == JUDGE_OPEN;
        v.value = judge_value(j, i);
        v.robustness = judge_robustness(j, i);
        v.at_ns = judge_at_ns(j, i);
        if (!v.open)
                judge_detail(j, i, v.detail, sizeof v.detail);
        return v;
}

static bool same_number(double a, double b)
{
        return a == b || (isnan(a) && isnan(b));
}

static void tell_verdicts(struct rig *rig, bool slow, bool over)
{
        for (int i = 0; i < rig->config->scenario.requirements; i++) {
                struct live_verdict v = verdict_so_far(rig, i, over);
                bool known = rig->page.row[i].told &&
                             rig->page.row[i].outcome == v.outcome &&
                             rig->page.row[i].open == v.open;
                bool moved = !same_number(rig->page.row[i].robustness, v.robustness);

                if (known && !(slow && moved) && !over)
                        continue;
                rig->page.row[i].told = true;
                rig->page.row[i].open = v.open;
                rig->page.row[i].outcome = v.outcome;
                rig->page.row[i].robustness = v.robustness;
                live_server_tell(rig->page.server, LIVE_VERDICT, loop_sim_ns(rig), &v,
                                 sizeof v);
        }
}

/* One vehicle after the other: of a fleet all at once would take the loop too long. */
static void tell_latency(struct rig *rig)
{
        struct live_page *page = &rig->page;
        int vehicle = page->latency_next++ % rig->config->vehicles;
        struct live_latency latency = { vehicle, rig->vehicle[vehicle].port.talk.loop };

        if (latency.loop.count > 0)
                live_server_tell(page->server, LIVE_LATENCY, loop_sim_ns(rig), &latency,
                                 sizeof latency);
}

void loop_end_page(struct rig *rig)
{
        struct live_page *page = &rig->page;
        bool slow;

        if (page->frame == NULL)
                return;
        slow = clock_now_ns() >= page->slow_due_ns;
        if (slow) {
                page->slow_due_ns = clock_now_ns() + SLOW_NS;
                tell_latency(rig);
        }
        tell_verdicts(rig, slow, false);
        live_server_publish(page->server);
        page->frame = NULL;
}

void rig_conclude_page(struct rig *rig)
{
        if (rig->page.server == NULL)
                return;
        for (int i = 0; i < rig->config->vehicles; i++)
                tell_latency(rig);
        tell_verdicts(rig, true, true);
}
