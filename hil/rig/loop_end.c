/* What can end or interrupt a run: a signal, a full disk, a flight controller that is
 * gone. */
#include "hil/rig/loop.h"

#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "hil/config/fc/option_words.h"

#define REOPEN_PERIOD_NS (500 * NS_PER_MS)

bool loop_running(const struct rig *rig)
{
        return rig->end_reason[0] == '\0';
}

void loop_finish(struct rig *rig, enum end_kind kind, const char *reason)
{
        if (!loop_running(rig))
                return;
        rig->end = kind;
        snprintf(rig->end_reason, sizeof rig->end_reason, "%s", reason);
}

void loop_check_stop(struct rig *rig)
{
        struct signalfd_siginfo info;

        if (rig->stop_fd >= 0 && read(rig->stop_fd, &info, sizeof info) > 0)
                loop_finish(rig, END_INTERRUPTED, "interrupted");
        if (rig->recorder != NULL && recorder_failed(rig->recorder))
                loop_finish(rig, END_RECORD_FAILED, "the record could not be written");
        loop_check_processes(rig);
}

void loop_say(struct rig *rig, char level, const char *text)
{
        if (rig->recorder != NULL)
                recorder_text(rig->recorder, loop_sim_ns(rig), level, text);
}

static void note_lost(struct rig *rig, const struct rig_vehicle *v)
{
        struct event_record event = { .t_ns = loop_sim_ns(rig),
                                      .vehicle = v->port.vehicle,
                                      .kind = EVENT_BOARD_LOST,
                                      .obstacle = -2,
                                      .step = -1 };

        snprintf(event.what, sizeof event.what, "lost%s",
                 v->config->fc.when_lost == WHEN_LOST_FLY_ON ? ", motors off" : "");
        if (rig->recorder != NULL)
                recorder_event(rig->recorder, &event);
}

static bool any_board_left(const struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                if (!rig->vehicle[i].lost)
                        return true;
        return false;
}

void loop_lose_board(struct rig *rig, struct rig_vehicle *v, enum fc_lost lost,
                     const char *text)
{
        enum fc_loss loss = v->port.loss;

        if (v->lost || !loop_running(rig))
                return;
        v->lost = lost;
        snprintf(v->lost_why, sizeof v->lost_why, "%s", text);
        note_lost(rig, v);
        if (v->config->fc.when_lost == WHEN_LOST_END || !any_board_left(rig)) {
                loop_finish(rig, lost == FC_LOST_HELD ? END_FC_HELD : END_FC_GONE, text);
                return;
        }
        /* What it does from now on is the fall of a vehicle without motors. */
        wiring_disturb(&v->wiring);
        if (v->gone_ns < 0)
                v->gone_ns = loop_sim_ns(rig);
        if (v->port.state == FC_PORT_GONE)
                return;
        fc_port_give_up(&v->port);
        if (loss == FC_LOSS_REFUSED)
                v->port.loss = loss;
}

/* A board that starts anew in flight has lost it, unless the rig file lets it come back. */
static void notice_restart(struct rig *rig, struct rig_vehicle *v)
{
        char text[300];

        if (v->port.restarts == v->restarts)
                return;
        v->restarts = v->port.restarts;
        if (v->port.report.refused)
                snprintf(text, sizeof text, "%s: %s", v->config->name,
                         v->port.codec->ops->complaint(v->port.codec));
        else
                snprintf(text, sizeof text,
                         "%s: its flight controller restarted at %.3f s", v->config->name,
                         (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, '3', text);
        if (v->port.report.refused)
                v->port.loss = FC_LOSS_REFUSED;
        v->failed |= !v->port.report.refused && !v->config->fc.reconnect;
        if (v->port.report.refused || !v->config->fc.reconnect)
                loop_lose_board(rig, v, FC_LOST, text);
}

void loop_notice_refusal(struct rig *rig, struct rig_vehicle *v, bool flying)
{
        struct fc_report *r = &v->port.report;
        char text[sizeof rig->end_reason], when[40] = "", hint[FC_OPTION_WORDS_MAX];

        if (flying && r->refused && !v->was_armed && v->port.state == FC_PORT_READY) {
                snprintf(text, sizeof text, "%s: %s", v->config->name,
                         v->port.codec->ops->complaint(v->port.codec));
                loop_say(rig, '3', text);
                loop_finish(rig, END_SETTINGS_REFUSED, text);
        }
        if (!r->option_refused)
                return;
        r->option_refused = false;
        if (flying)
                snprintf(when, sizeof when, " at %.3f s",
                         (double)loop_sim_ns(rig) * 1e-9);
        fc_option_explain(r->name, r->option_key, r->option_value, hint, sizeof hint);
        snprintf(text, sizeof text, "%s: fc%s%s: \"%s\" was refused by %s%s: %s",
                 v->config->name, flying ? "_option " : ".options.", r->option_key,
                 r->option_value, r->name, when, hint);
        loop_say(rig, '3', text);
        loop_finish(rig, END_SETTINGS_REFUSED, text);
}

void loop_hint_conform(const struct rig *rig, const struct rig_vehicle *v, char *text,
                       size_t cap)
{
        const struct fc_config *fc = &v->config->fc;
        char rotors[20] = "", period[40] = "";
        size_t used = strlen(text);

        if (strcmp(fc->codec, "hilp") != 0 || fc->spawn || v->params.rotors == 0 ||
            v->port.loss == FC_LOSS_GONE || v->port.loss == FC_LOSS_UNPLUGGED)
                return;
        if (v->params.rotors != 4)
                snprintf(rotors, sizeof rotors, " --rotors %d", v->params.rotors);
        if (rig->config->period_ns != NS_PER_MS)
                snprintf(period, sizeof period, " --period-us %lld",
                         (long long)rig->config->period_ns / 1000);
        snprintf(text + used, cap - used,
                 "; `hilrig conform --link %s%s%s` tells what the board does wrong",
                 fc->link_text[0], rotors, period);
}

void loop_hint_baud(const struct rig_vehicle *v, char *text, size_t cap)
{
        const struct fc_config *fc = &v->config->fc;
        size_t used = strlen(text);

        if (v->port.loss == FC_LOSS_MALFORMED && fc->link[0].kind == LINK_UART)
                snprintf(text + used, cap - used, " (is %u its baud rate?)",
                         fc->link[0].baud);
}

/* Or may do so: channel 5 is the usual switch. */
static bool may_ask_to_arm(const struct rig_vehicle *v)
{
        return loop_asks_to_arm(v) || v->asked.rc_us[4] >= 1500;
}

void loop_notice_armed(struct rig *rig, struct rig_vehicle *v)
{
        const struct fc_arming *arming = &v->port.talk.arming;
        char text[300];

        if (v->arming_known || arming->words == 0)
                return;
        v->arming_known = true;
        if (!arming->armed || v->port.codec->ops->hello_disarms || may_ask_to_arm(v))
                return;
        snprintf(text, sizeof text,
                 "%s: its flight controller was armed before the run began, from an "
                 "earlier flight or by hand; it has been told to disarm: start again",
                 v->config->name);
        loop_say(rig, '3', text);
        loop_finish(rig, END_ARMED, text);
}

void loop_end_unmet(struct rig *rig, const struct rig_vehicle *v)
{
        const struct fc_port *port = &v->port;
        char text[sizeof rig->end_reason];

        snprintf(text, sizeof text, "%s: %s: %s", v->config->name,
                 port->links.link[0]->name,
                 port->links.broken ? "gone before it answered"
                                    : port->codec->ops->complaint(port->codec));
        loop_hint_baud(v, text, sizeof text);
        if (port->loss != FC_LOSS_REFUSED)
                loop_hint_conform(rig, v, text, sizeof text);
        loop_finish(rig, END_NO_HELLO, text);
}

/* Notices that an FC has gone, says so once, and ends the run unless it may come back. */
void loop_notice_gone(struct rig *rig, struct rig_vehicle *v)
{
        char text[sizeof rig->end_reason], when[40], loss[200];

        notice_restart(rig, v);
        loop_notice_refusal(rig, v, true);
        loop_notice_armed(rig, v);
        loop_notice_links(rig, v);
        if (v->port.state == FC_PORT_READY && v->gone_ns >= 0) {
                snprintf(text, sizeof text, "%s: back at %.3f s, gone for %.3f s",
                         v->config->name, (double)loop_sim_ns(rig) * 1e-9,
                         (double)(loop_sim_ns(rig) - v->gone_ns) * 1e-9);
                loop_say(rig, '4', text);
                v->gone_ns = -1;
        }
        if (v->port.state != FC_PORT_GONE || v->gone_ns >= 0)
                return;
        /* What is shipped is greeted in flight; if it never answered it was not flown. */
        if (v->port.shipped && v->port.talk.arming.words == 0) {
                loop_end_unmet(rig, v);
                return;
        }
        v->gone_ns = loop_sim_ns(rig);
        v->retry_ns = 0; /* at once */
        snprintf(when, sizeof when, " at %.3f s", (double)v->gone_ns * 1e-9);
        fc_port_describe_loss(&v->port, when, loss, sizeof loss);
        loop_hint_baud(v, loss, sizeof loss);
        snprintf(text, sizeof text, "%s: %s %s, %u frames unacknowledged",
                 v->config->name, v->port.links.link[0]->name, loss,
                 fc_talk_unanswered(&v->port.talk));
        if (!fc_port_may_return(&v->port))
                loop_explain_gone(rig, v, text, sizeof text);
        loop_hint_conform(rig, v, text, sizeof text);
        loop_say(rig, '3', text);
        if (!fc_port_may_return(&v->port))
                loop_lose_board(rig, v, FC_LOST, text);
}

/* Opening may take longer than a period; then that shows as missed periods. */
void loop_try_reopen(struct rig_vehicle *v, int64_t now_ns)
{
        if (v->lost || v->port.state != FC_PORT_GONE || !fc_port_may_return(&v->port))
                return;
        if (fc_port_unplugged(&v->port)) {
                v->retry_ns = 0; /* at once, when it is over */
                return;
        }
        if (now_ns < v->retry_ns)
                return;
        v->retry_ns = now_ns + REOPEN_PERIOD_NS;
        if (fc_port_reopen(&v->port, now_ns))
                v->input_pending = true;
}
