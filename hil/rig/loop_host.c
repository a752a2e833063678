/* Whether the host kept the rig, or a firmware that runs on it, from the flight. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/rig/loop.h"

/* The host was late beyond the rig's budget; in lockstep nothing waits for the host's clock. */
static bool rig_late(const struct rig *rig, char *why, size_t cap)
{
        const struct realtime_config *budget = &rig->config->realtime;
        double missed_max = budget->missed_max_ratio * (double)rig->tick;
        double stall_max_ms = (double)budget->stall_max_ns * 1e-6;

        if (rig->config->pace != PACE_REALTIME)
                return false;
        if (llabs(rig->clock_step_ns) > budget->stall_max_ns)
                snprintf(why, cap,
                         "the host's clock jumped by %.3f ms, further than the budget of "
                         "%.6g ms for stalls",
                         (double)rig->clock_step_ns * 1e-6, stall_max_ms);
        else if ((double)rig->missed > missed_max)
                snprintf(why, cap,
                         "the host missed %llu of %lld periods, more than the budget of "
                         "%.6g %%",
                         (unsigned long long)rig->missed, (long long)rig->tick,
                         100.0 * budget->missed_max_ratio);
        else if (rig->longest_late_ns > budget->stall_max_ns)
                snprintf(
                        why, cap,
                        "the host stalled for %.3f ms, longer than the budget of %.6g ms",
                        (double)rig->longest_late_ns * 1e-6, stall_max_ms);
        else
                return false;
        return true;
}

/* A firmware whose process is known was looked at; of another one beside the rig only its silence is. A board on
 * a serial port has a processor of its own. */
static int64_t firmware_held_ns(const struct rig *rig, const struct rig_vehicle *v)
{
        const struct fc_port *port = &v->port;

        /* What restarts is silent by its own doing. */
        if (port->restarts > 0)
                return 0;
        if (v->watched)
                return v->held_ns;
        if (rig->config->pace != PACE_REALTIME ||
            v->config->fc.link[0].kind == LINK_UART || port->links.faults.all != NULL ||
            port->mute || port->shipped)
                return 0;
        return port->talk.longest_owed_ns;
}

/* A firmware that runs as a process beside the rig and is not given a processor for so long says as
 * little about itself as a rig that was late. */
static bool firmware_held(const struct rig *rig, char *why, size_t cap)
{
        int64_t budget_ns = rig->config->realtime.stall_max_ns;

        for (int i = 0; i < config_boards(rig->config); i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                int64_t held_ns = firmware_held_ns(rig, v);

                if (rig->config->pace != PACE_REALTIME || v->failed ||
                    held_ns <= budget_ns)
                        continue;
                if (v->held[0] != '\0')
                        snprintf(why, cap,
                                 "%s: its firmware's process %s, longer than the budget "
                                 "of "
                                 "%.6g ms for stalls",
                                 v->config->name, v->held, (double)budget_ns * 1e-6);
                else
                        snprintf(why, cap,
                                 "%s: its firmware did not answer for %.3f ms, longer "
                                 "than "
                                 "the budget of %.6g ms for stalls: give it priority "
                                 "(chrt -f)",
                                 v->config->name, (double)held_ns * 1e-6,
                                 (double)budget_ns * 1e-6);
                return true;
        }
        return false;
}

double rig_starved_share(const struct rig_vehicle *v)
{
        return v->flight_ns > 0 ? (double)standstill_ns(&v->flight) / (double)v->flight_ns
                                : 0.0;
}

bool loop_firmware_starved(const struct rig *rig, char *why, size_t cap)
{
        double budget = rig->config->realtime.starved_max_ratio;

        for (int i = 0; i < config_boards(rig->config); i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                char text[80], rest[900];

                if (v->failed || v->port.restarts > 0 || rig_starved_share(v) <= budget)
                        continue;
                standstill_describe(&v->flight, text, sizeof text);
                snprintf(rest, sizeof rest, "%s", why);
                snprintf(why, cap,
                         "%s: its firmware's process %s, %.0f %% of the flight and more "
                         "than the budget of %.6g %%; %s",
                         v->config->name, text, 100.0 * rig_starved_share(v),
                         100.0 * budget, rest);
                return true;
        }
        return false;
}

bool loop_host_late(const struct rig *rig, char *why, size_t cap)
{
        return rig_late(rig, why, cap) || firmware_held(rig, why, cap);
}
