/* What an FC has said: arming, motors, words, estimates, clocks, peers, ranges. */
#include "hil/port/fc_port.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What real sonars see from the next tick on. */
static void use_ranges(struct fc_port *port, const double range_m[SONARS_MAX])
{
        struct ranges_record r = { .t_ns = port->sim_ns, .vehicle = port->vehicle };

        if (memcmp(port->real_range_m, range_m, sizeof port->real_range_m) == 0)
                return;
        memcpy(port->real_range_m, range_m, sizeof port->real_range_m);
        memcpy(r.range_m, range_m, sizeof r.range_m);
        if (port->recorder != NULL)
                recorder_ranges(port->recorder, &r);
}

void fc_news_forget_ranges(struct fc_port *port)
{
        double nothing_m[SONARS_MAX];

        for (int i = 0; i < SONARS_MAX; i++)
                nothing_m[i] = (double)INFINITY;
        use_ranges(port, nothing_m);
}

static void take_sync(struct fc_port *port)
{
        struct sync_record s = { .t_ns = port->sim_ns,
                                 .vehicle = port->vehicle,
                                 .round_trip_ns = port->report.sync_round_trip_ns,
                                 .offset_ns = port->report.sync_offset_ns };

        /* The first exchanges may have waited for the rig to begin its loop. */
        if (s.t_ns == 0 || s.round_trip_ns < 0)
                return;
        histogram_add(&port->talk.wire, s.round_trip_ns);
        if (port->recorder != NULL)
                recorder_sync(port->recorder, &s);
}

static void record_words(struct fc_port *port)
{
        const struct fc_report *r = &port->report;
        char text[NAME_MAX_LEN + 2 + sizeof r->text];

        snprintf(text, sizeof text, "%s%s%s", port->name != NULL ? port->name : "",
                 port->name != NULL ? ": " : "", r->text);
        recorder_text(port->recorder, port->sim_ns, (char)('0' + r->severity), text);
}

static void note_words(struct fc_port *port)
{
        const struct fc_report *r = &port->report;

        if (port->recorder != NULL)
                record_words(port);
        if (port->talk.over || !port->gravest.counts ||
            r->severity >= port->gravest.severity)
                return;
        port->gravest.severity = r->severity;
        port->gravest.t_ns = port->sim_ns;
        memcpy(port->gravest.text, r->text, sizeof port->gravest.text);
}

static void take_peer(struct fc_port *port)
{
        struct fc_peers *peers = &port->peers;

        if (peers->count == FC_PEERS_MAX)
                peers->dropped++;
        else
                peers->packet[peers->count++] = port->report.peer;
}

void fc_news_take(struct fc_port *port, int64_t now_ns)
{
        struct fc_report *r = &port->report;
        int64_t t_ns = port->sim_ns;

        if (r->fresh & FC_ARMING) {
                fc_talk_arming(&port->talk, r);
                port->gravest.counts |= r->armed;
        }
        if (r->fresh & FC_MOTORS) {
                uint32_t answered = port->talk.answered_number;

                port->command = r->motors;
                port->motors_heard++;
                fc_talk_motors(&port->talk, r, now_ns);
                if (port->talk.answered_number != answered)
                        fc_port_begin_silence(port, now_ns);
        }
        if (r->fresh & FC_TEXT)
                note_words(port);
        if (port->talk.over)
                r->fresh = 0; /* of no flight */
        if (port->recorder != NULL && (r->fresh & FC_STATE)) {
                struct estimate_record e = { .t_ns = t_ns,
                                             .vehicle = port->vehicle,
                                             .estimate = r->estimate };

                recorder_estimate(port->recorder, &e);
        }
        if (r->fresh & FC_TIME_SYNC)
                take_sync(port);
        if (r->fresh & FC_PEER)
                take_peer(port);
        if (r->fresh & FC_RANGES) {
                port->ranges_ns = t_ns;
                use_ranges(port, r->real_range_m);
        }
        r->fresh = 0;
}
