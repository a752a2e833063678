#include "hil/rig/fc_port_news.h"

#include <math.h>
#include <string.h>

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

void fc_port_forget_ranges(struct fc_port *port)
{
        double nothing_m[SONARS_MAX];

        for (int i = 0; i < SONARS_MAX; i++)
                nothing_m[i] = (double)INFINITY;
        use_ranges(port, nothing_m);
}

static void take_motors(struct fc_port *port, int64_t now_ns)
{
        const struct fc_report *r = &port->report;
        uint32_t age;

        if (port->owed_ns > 0 && now_ns - port->owed_ns > port->longest_owed_ns)
                port->longest_owed_ns = now_ns - port->owed_ns;
        port->owed_ns = 0;
        port->command = r->motors;
        port->heard_ns = now_ns;
        if (!r->answers_frame) {
                port->answered_number = port->next_number;
                return;
        }
        /* Unsigned: frames from 1 to FC_SENT_MAX ago; anything else was never sent. */
        age = port->next_number - r->answered_frame;
        if (age == 0 || age > FC_SENT_MAX || age > port->next_number)
                return;
        if (r->answered_frame + 1 <= port->answered_number)
                return;
        port->answered_number = r->answered_frame + 1;
        port->loop_ns = now_ns - port->sent_ns[r->answered_frame % FC_SENT_MAX];
        histogram_add(&port->loop, port->loop_ns);
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
        histogram_add(&port->wire, s.round_trip_ns);
        if (port->recorder != NULL)
                recorder_sync(port->recorder, &s);
}

void fc_port_take_news(struct fc_port *port, int64_t now_ns)
{
        struct fc_report *r = &port->report;
        int64_t t_ns = port->sim_ns;

        if (r->fresh == 0)
                return;
        if (r->fresh & FC_MOTORS)
                take_motors(port, now_ns);
        if (port->recorder != NULL && (r->fresh & FC_TEXT))
                recorder_text(port->recorder, t_ns, '6', r->text);
        if (port->recorder != NULL && (r->fresh & FC_STATE)) {
                struct estimate_record e = { .t_ns = t_ns,
                                             .vehicle = port->vehicle,
                                             .estimate = r->estimate };

                recorder_estimate(port->recorder, &e);
        }
        if (r->fresh & FC_TIME_SYNC)
                take_sync(port);
        if (r->fresh & FC_RANGES) {
                port->ranges_ns = t_ns;
                use_ranges(port, r->real_range_m);
        }
        r->fresh = 0;
}
