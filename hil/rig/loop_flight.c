/* Whether a vehicle does what it is asked: arms, and leaves the ground; and whether it still is one. */
#include "hil/rig/loop.h"

#include <stdio.h>
#include <stdlib.h>

#include "models/vehicle/pilot.h"

#define THROTTLE_MIDDLE_US 1500
/* In the air for less altogether, it has bounced at most. */
#define FLIGHT_LEAST_S 0.5

bool loop_asks_to_arm(const struct rig_vehicle *v)
{
        const struct pilot_params *p = &v->config->pilot;
        bool switched = p->period_ns > 0 && p->arm_channel >= 0;
        int us = switched ? v->asked.rc_us[p->arm_channel] : 0;

        return v->asked.setpoint.mode != MODE_DISARMED ||
               (us > 0 && abs(us - p->armed_us) < abs(us - p->disarmed_us));
}

void loop_note_flight(const struct rig *rig, struct rig_vehicle *v)
{
        if (loop_asks_to_arm(v) && v->arm_asked_ns < 0)
                v->arm_asked_ns = loop_sim_ns(rig);
        v->fly_asked |= v->asked.setpoint.mode == MODE_GOTO ||
                        v->asked.rc_us[PILOT_THROTTLE] > THROTTLE_MIDDLE_US;
        v->was_armed |= v->port.report.armed;
}

static bool has_flown(const struct rig_vehicle *v)
{
        return metrics_value(&v->metrics, METRIC_AIRBORNE) >= FLIGHT_LEAST_S;
}

void loop_conclude_flights(struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];
                const char *complaint = v->port.codec->ops->complaint(v->port.codec);

                snprintf(v->words, sizeof v->words, "%s",
                         complaint[0] != '\0' ? complaint : v->port.report.text);
                /* What a jig holds touches nothing, too. */
                v->was_armed |= has_flown(v) && !v->vehicle.held;
                if (v->fly_asked && !has_flown(v))
                        judge_grounded(&rig->judge, i, v->was_armed);
        }
}

bool loop_check_plant(struct rig *rig, const struct rig_vehicle *v)
{
        struct infinite_state what;
        char text[300];

        if (vehicle_is_finite(&v->vehicle))
                return true;
        what = vehicle_find_infinite(&v->vehicle);
        snprintf(
                text, sizeof text,
                "%s: its %s%s became no number at tick %lld, %.3f s: its model cannot be "
                "stepped so (hilrig check warns of what it knows)",
                v->config->name, what.name, what.part, (long long)rig->tick,
                (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, '3', text);
        loop_finish(rig, END_PLANT_LOST, text);
        judge_dismiss(&rig->judge);
        return false;
}
