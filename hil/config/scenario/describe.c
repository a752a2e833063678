/* What a scenario's step does, in a few words. */
#include "hil/config/scenario/scenario.h"

#include <stdio.h>

static void describe_host_fault(const struct host_fault *f, char *text, size_t cap)
{
        snprintf(text, cap,
                 f->kind == HOST_STALL ? "host stalls for %.6g ms"
                                       : "host clock steps by %.6g ms",
                 (double)f->by_ns * 1e-6);
}

static void describe_fc_option(const struct fc_option *o, char *text, size_t cap)
{
        if (o->value[0] == '\0')
                snprintf(text, cap, "FC option %s as the FC has it", o->key);
        else
                snprintf(text, cap, "FC option %s = \"%s\"", o->key, o->value);
}

static void describe_pilot(const struct scenario_step *step, char *text, size_t cap)
{
        static const char *const mode[] = { "disarm", "arm", "go to", "land" };
        const struct vec3 to = step->setpoint.pos_ned_m;

        if (step->flies && step->setpoint.mode == MODE_GOTO)
                snprintf(text, cap,
                         "go to north %.6g, east %.6g, up %.6g m, heading %.6g deg", to.x,
                         to.y, 0.0 - to.z, step->setpoint.yaw_rad * DEG_PER_RAD);
        else if (step->flies)
                snprintf(text, cap, "%s", mode[step->setpoint.mode]);
        else if (step->jig == JIG_HOLD)
                snprintf(text, cap, "jig holds");
        else if (step->jig == JIG_RELEASE)
                snprintf(text, cap, "jig lets go");
        else
                snprintf(text, cap, "RC");
}

void scenario_describe(const struct scenario_step *step, char *text, size_t cap)
{
        char does[96] = "";

        switch (step->action) {
        case ACTION_STIMULUS:
                stimulus_describe(&step->stimulus, does, sizeof does);
                break;
        case ACTION_SENSOR_FAULT:
                sensor_fault_describe(&step->sensor_fault, does, sizeof does);
                break;
        case ACTION_VEHICLE_FAULT:
                vehicle_fault_describe(&step->vehicle_fault, does, sizeof does);
                break;
        case ACTION_WIRE_FAULT:
                wire_fault_describe(&step->wire_fault, does, sizeof does);
                break;
        case ACTION_HOST_FAULT:
                describe_host_fault(&step->host_fault, does, sizeof does);
                break;
        case ACTION_FC_OPTION:
                describe_fc_option(&step->fc_option, does, sizeof does);
                break;
        default:
                describe_pilot(step, does, sizeof does);
                break;
        }
        snprintf(text, cap, "%s%s%s", step->name, step->name[0] != '\0' ? ": " : "",
                 does);
}
