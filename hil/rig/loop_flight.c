/* Whether a vehicle does what it is asked: arms, and leaves the ground; and whether it still is one. */
#include "hil/rig/loop.h"

#include <stdio.h>
#include <stdlib.h>

#include "models/vehicle/pilot.h"

#define THROTTLE_MIDDLE_US 1500
/* In the air for less altogether, it has bounced at most. */
#define FLIGHT_LEAST_S 0.5
/* Upside down on the ground for so long, it does not get up again. */
#define WRECK_NS (3 * NS_PER_S)
/* What turns over so soon after a stimulus does so because of it. */
#define PUSHED_NS (2 * NS_PER_S)

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
                        v->asked.setpoint.mode == MODE_MISSION ||
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
                const char *complaint;

                if (v->twin != NULL)
                        continue;
                complaint = v->port.codec->ops->complaint(v->port.codec);
                snprintf(v->words, sizeof v->words, "%s",
                         complaint[0] != '\0' ? complaint : v->port.report.text);
                /* What a jig holds touches nothing, too. */
                v->was_armed |= has_flown(v) && !v->vehicle.held;
                if (v->fly_asked && !has_flown(v))
                        judge_grounded(&rig->judge, i, v->was_armed);
        }
}

static bool is_upside_down(const struct rig_vehicle *v)
{
        struct vec3 down = { 0.0, 0.0, 1.0 };

        return quat_rotate(v->vehicle.body.q_body_to_ned, down).z < 0.0;
}

/* By a jig that holds it so, or a stimulus that has just pushed it over. */
static void time_lying(const struct rig *rig, struct rig_vehicle *v)
{
        bool over = is_upside_down(v);

        if (v->actions.in_force > 0)
                v->pushed_ns = loop_sim_ns(rig);
        v->upset |= over && v->lies_ns == 0 &&
                    (v->vehicle.held || loop_sim_ns(rig) - v->pushed_ns < PUSHED_NS);
        if (!over || !v->fly_asked || v->upset)
                v->lies_ns = 0;
        else if (v->vehicle.contact.touching) {
                if (v->lies_ns == 0)
                        v->lies_since_ns = loop_sim_ns(rig);
                v->lies_ns += rig->config->period_ns;
        }
}

static bool any_may_fly(const struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                if (rig->vehicle[i].fly_asked && !rig->vehicle[i].lost &&
                    rig->vehicle[i].lies_ns < WRECK_NS)
                        return true;
        return false;
}

void loop_notice_wreck(struct rig *rig, struct rig_vehicle *v)
{
        bool known = v->lies_ns >= WRECK_NS;
        char text[200];

        time_lying(rig, v);
        if (known || v->lies_ns < WRECK_NS || v->lost)
                return;
        snprintf(text, sizeof text,
                 "%s: has lain upside down since %.3f s, and cannot fly like that",
                 v->config->name, (double)v->lies_since_ns * 1e-9);
        loop_say(rig, '3', text);
        if (!any_may_fly(rig))
                loop_finish(rig, END_WRECKED, text);
}

/* What the models cannot go on with, into text: false, nothing. */
static bool find_plant_lost(char *text, size_t size, const struct rig *rig,
                            const struct rig_vehicle *v)
{
        const struct vehicle *plant = &v->vehicle;
        double altitude_m = world_altitude_m(&rig->config->world, plant->body.pos_ned_m);
        double now_s = (double)loop_sim_ns(rig) * 1e-9;
        struct infinite_state what;

        if (!vehicle_is_finite(plant)) {
                what = vehicle_find_infinite(plant);
                snprintf(text, size,
                         "%s: its %s%s became no number at tick %lld, %.3f s: its model "
                         "cannot be stepped so (hilrig check warns of what it knows)",
                         v->config->name, what.name, what.part, (long long)rig->tick,
                         now_s);
                return true;
        }
        if (altitude_m <= ATMOSPHERE_HIGHEST_M)
                return false;
        snprintf(text, size,
                 "%s: is %.0f m above sea level at tick %lld, %.3f s: the air is "
                 "modelled up to %.0f m",
                 v->config->name, altitude_m, (long long)rig->tick, now_s,
                 ATMOSPHERE_HIGHEST_M);
        return true;
}

bool loop_check_plant(struct rig *rig, const struct rig_vehicle *v)
{
        char text[300];

        if (!find_plant_lost(text, sizeof text, rig, v))
                return true;
        loop_say(rig, '3', text);
        loop_finish(rig, END_PLANT_LOST, text);
        judge_dismiss(&rig->judge);
        return false;
}
