/* What the live line is told now and then: of one vehicle itself, of a fleet the worst and the median. */
#include <math.h>

#include "hil/rig/loop.h"

#define LIVE_PERIOD_NS (100 * NS_PER_MS)

static double altitude_m(const struct rig *rig, const struct rig_vehicle *v)
{
        return rig->config->world.ground_down_m - v->vehicle.body.pos_ned_m.z;
}

static double tilt_deg(const struct rig_vehicle *v)
{
        struct quat q = v->vehicle.body.q_body_to_ned;

        return DEG_PER_RAD * acos(fmax(1.0 - 2.0 * (q.x * q.x + q.y * q.y), -1.0));
}

/* Every vehicle's, from the least on. */
static double sort_tilts(const struct rig *rig, double sorted_deg[VEHICLES_MAX])
{
        int count = rig->config->vehicles;

        for (int i = 0; i < count; i++) {
                double deg = tilt_deg(&rig->vehicle[i]);
                int at = i;

                for (; at > 0 && sorted_deg[at - 1] > deg; at--)
                        sorted_deg[at] = sorted_deg[at - 1];
                sorted_deg[at] = deg;
        }
        return sorted_deg[(count - 1) / 2];
}

static struct live_fleet watch_fleet(const struct rig *rig, int64_t *loop_worst_ns)
{
        struct live_fleet fleet = { .vehicles = rig->config->vehicles,
                                    .worst = rig->config->vehicle[0].name,
                                    .low_m = INFINITY,
                                    .high_m = -INFINITY };
        double sorted_deg[VEHICLES_MAX] = { 0 };

        fleet.tilt_median_deg = sort_tilts(rig, sorted_deg);
        for (int i = 0; i < fleet.vehicles; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];

                int64_t loop_ns = histogram_quantile_ns(&v->port.talk.loop, 0.5);

                fleet.armed += v->port.report.armed;
                fleet.low_m = fmin(fleet.low_m, altitude_m(rig, v));
                fleet.high_m = fmax(fleet.high_m, altitude_m(rig, v));
                if (loop_ns > *loop_worst_ns)
                        *loop_worst_ns = loop_ns;
                if (tilt_deg(v) <= fleet.tilt_worst_deg)
                        continue;
                fleet.tilt_worst_deg = tilt_deg(v);
                fleet.worst = v->config->name;
        }
        return fleet;
}

void loop_show_live(struct rig *rig)
{
        const struct rig_vehicle *v = &rig->vehicle[0];
        struct live_figures f = { .sim_ns = loop_sim_ns(rig), .missed = rig->missed };
        struct vec3 euler;

        if (rig->live == NULL ||
            loop_sim_ns(rig) % LIVE_PERIOD_NS >= rig->config->period_ns)
                return;
        euler = quat_to_euler(v->vehicle.body.q_body_to_ned);
        f.host_ns = clock_now_ns() - rig->start_ns;
        f.roll_deg = DEG_PER_RAD * euler.x;
        f.pitch_deg = DEG_PER_RAD * euler.y;
        f.yaw_deg = DEG_PER_RAD * euler.z;
        f.altitude_m = altitude_m(rig, v);
        f.loop_ns = histogram_quantile_ns(&v->port.talk.loop, 0.5);
        f.armed = v->port.report.armed;
        if (config_is_fleet(rig->config))
                f.fleet = watch_fleet(rig, &f.loop_ns);
        live_set(rig->live, &f);
}
