/* What a run's end says: whether it passed, failed, shows nothing or could not be flown, and why in
 * a line. */
#include "hil/rig/loop.h"
#include "hil/config/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#include "hil/time/clock.h"

/* Frames that wire faults were to delay and had no room for. */
static uint64_t frames_not_delayed(const struct rig *rig)
{
        uint64_t lost = 0;

        for (int i = 0; i < rig->config->vehicles; i++)
                for (int p = -1; p < rig->config->vehicle[i].ports; p++)
                        lost += fc_faults_lost(rig_vehicle_wire(&rig->vehicle[i], p));
        return lost;
}

static bool loads_make_no_body(const struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++)
                if (rig->vehicle[i].actions.impossible)
                        return true;
        return false;
}

/* Of the vehicles of a fleet, when the same became of several. */
#define TOLD_ONE_BY_ONE 4

static const struct rig_vehicle *find_lost(const struct rig *rig, enum fc_lost lost,
                                           bool failed)
{
        for (int i = 0; i < config_boards(rig->config); i++)
                if (rig->vehicle[i].lost == lost && rig->vehicle[i].failed >= failed)
                        return &rig->vehicle[i];
        return NULL;
}

/* Of boards that were lost in flight; where the others flew on, before what became of these. */
static size_t name_lost(const struct rig *rig, char *why, size_t cap)
{
        size_t used = 0;
        int told = 0;

        for (int i = 0; i < config_boards(rig->config) && used < cap; i++)
                if (rig->vehicle[i].lost && told++ < TOLD_ONE_BY_ONE)
                        used += (size_t)snprintf(why + used, cap - used, "%s; ",
                                                 rig->vehicle[i].lost_why);
        if (told > TOLD_ONE_BY_ONE && used < cap)
                used += (size_t)snprintf(why + used, cap - used,
                                         "%d more boards were lost; ",
                                         told - TOLD_ONE_BY_ONE);
        return used < cap ? used : cap - 1;
}

/* The run was cut short, or what it recorded has holes. */
static bool record_incomplete(const struct rig *rig, uint64_t record_drops, char *why,
                              size_t cap)
{
        if (rig->end == END_RECORD_FAILED || rig->end == END_INTERRUPTED ||
            rig->end == END_PADS_GONE || rig->end == END_FC_HELD ||
            rig->end == END_TWIN_SILENT)
                snprintf(why, cap, "%s", rig->end_reason);
        else if (find_lost(rig, FC_LOST_HELD, false) != NULL)
                snprintf(why, cap, "%s", find_lost(rig, FC_LOST_HELD, false)->lost_why);
        else if (record_drops > 0)
                snprintf(why, cap, "%llu records were lost",
                         (unsigned long long)record_drops);
        else
                return false;
        return true;
}

/* A setting that the FC never acknowledged: nobody knows what flew. */
static bool option_unheard(const struct rig *rig, char *why, size_t cap)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                const char *key = fc_options_unheard(&rig->vehicle[i].port.options);

                if (key == NULL || rig->vehicle[i].lost)
                        continue;
                snprintf(why, cap,
                         "%s: its flight controller never acknowledged the option %s",
                         rig->config->vehicle[i].name, key);
                return true;
        }
        return false;
}

/* Something that the scenario asked for was not done to the vehicle. */
static bool scenario_not_obeyed(const struct rig *rig, char *why, size_t cap)
{
        uint64_t not_delayed = frames_not_delayed(rig);

        if (rig->refused > 0)
                snprintf(why, cap,
                         "%d faults of the scenario could not begin: more than %d of the "
                         "wire at once, or more than %d settings",
                         rig->refused, WIRE_IN_FORCE_MAX, CODEC_OPTIONS_MAX);
        else if (loads_make_no_body(rig))
                snprintf(why, cap,
                         "the scenario's loads and payloads together belong to no "
                         "body");
        else if (not_delayed > 0)
                snprintf(why, cap, "faulty wires had no room for %llu frames",
                         (unsigned long long)not_delayed);
        else
                return false;
        return true;
}

/* What the motors were told in a gap nobody knows. */
static bool pads_gapped(const struct rig *rig, char *why, size_t cap)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct pads *pads = rig->vehicle[i].pads;

                if (pads == NULL || !pads->config->drives ||
                    pads->now.gaps <= (uint64_t)pads->config->gaps_max)
                        continue;
                snprintf(why, cap,
                         "%s: the capture of its motor pads has %llu gaps, more than the "
                         "budget "
                         "of %d",
                         rig->config->vehicle[i].name, (unsigned long long)pads->now.gaps,
                         pads->config->gaps_max);
                return true;
        }
        return false;
}

static bool steps_never_fired(const struct rig *rig, char *why, size_t cap)
{
        const struct scenario *s = &rig->config->scenario;
        char does[EVENT_TEXT_MAX];
        int first = 0, left = timeline_left(&rig->timeline, &first);

        if (left == 0 || rig->ended)
                return false;
        scenario_describe(&s->step[first], does, sizeof does);
        snprintf(why, cap,
                 "%d of %d steps of the scenario never fired, the first of them %d (%s)",
                 left, s->steps, first, does);
        return true;
}

/* A board may need so long for its own checks; after a flight that ended sooner nothing is said. */
#define ARMS_WITHIN_NS (3 * NS_PER_S)

static bool never_armed(const struct rig *rig, const struct rig_vehicle *v)
{
        int64_t end_ns = rig->tick * rig->config->period_ns;

        return v->arm_asked_ns >= 0 && !v->was_armed && !v->lost &&
               end_ns - v->arm_asked_ns >= ARMS_WITHIN_NS;
}

/* Before anything else of a run that did not pass: nothing else could come of it. */
static size_t explain_unarmed(const struct rig *rig, char *why, size_t cap)
{
        size_t used = 0;
        int more = 0, told = 0;

        why[0] = '\0';
        for (int i = 0; i < rig->config->vehicles && used < cap; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                bool said = v->words[0] != '\0';

                if (!never_armed(rig, v))
                        continue;
                if (told++ < TOLD_ONE_BY_ONE)
                        used += (size_t)snprintf(
                                why + used, cap - used,
                                "%s: asked to arm at %.6g s, never did%s%s%s; ",
                                v->config->name, (double)v->arm_asked_ns * 1e-9,
                                said ? ", said \"" : "", v->words, said ? "\"" : "");
                else
                        more++;
        }
        if (more > 0 && used < cap)
                used += (size_t)snprintf(why + used, cap - used,
                                         "%d more vehicles never did, either; ", more);
        return used < cap ? used : cap;
}

/* Of a flight of which nothing failed: the first of those that are why it is void. */
static void name_unjudged(const struct rig *rig, char *why, size_t cap)
{
        size_t used = strlen(why);
        char detail[200];

        for (int i = 0; i < rig->config->scenario.requirements; i++) {
                if (judge_result(&rig->judge, i) != JUDGE_OPEN)
                        continue;
                judge_detail(&rig->judge, i, detail, sizeof detail);
                snprintf(why + used, cap - used, " (%s: %s)",
                         rig->config->scenario.requirement[i].name, detail);
                return;
        }
}

static enum verdict requirements_verdict(const struct rig *rig, char *why, size_t cap)
{
        int all = rig->config->scenario.requirements, passed = 0, failed = 0;
        size_t used = 0;

        if (rig->config->mission != NULL) {
                struct mission_tally t = mission_flight_tally(&rig->mission);

                all += t.all;
                passed = t.met;
                failed = t.unmet;
        }
        for (int i = 0; i < rig->config->scenario.requirements; i++) {
                passed += judge_result(&rig->judge, i) == JUDGE_PASSED;
                failed += judge_result(&rig->judge, i) == JUDGE_FAILED;
        }
        if (all == 0 || passed < all)
                used = explain_unarmed(rig, why, cap);
        if (all == 0)
                snprintf(why + used, cap - used, NOTHING_REQUIRED);
        else
                snprintf(why + used, cap - used,
                         "%d of %d requirements met, %d failed, %d not judged", passed,
                         all, failed, all - passed - failed);
        if (failed > 0)
                return VERDICT_FAILED;
        if (all > 0 && passed == all)
                return VERDICT_PASSED;
        /* What was not judged was not shown: that must not look like a pass. */
        name_unjudged(rig, why, cap);
        return VERDICT_VOID;
}

/* Why it failed, where the flight tells. */
static void add_wiring(const struct rig *rig, char *why, size_t cap)
{
        char text[WIRING_TEXT_MAX];
        int told = 0;

        for (int i = 0; i < rig->config->vehicles; i++) {
                size_t used = strlen(why);

                wiring_describe(&rig->vehicle[i].wiring, text, sizeof text);
                if (text[0] != '\0' && told++ < TOLD_ONE_BY_ONE)
                        snprintf(why + used, cap - used, "; %s: %s",
                                 rig->config->vehicle[i].name, text);
        }
}

static enum verdict flight_verdict(const struct rig *rig, uint64_t record_drops,
                                   char *why, size_t cap)
{
        enum verdict verdict;
        bool own_doing;
        size_t used;

        if (rig->end == END_NO_HELLO || rig->end == END_SETTINGS_REFUSED ||
            rig->end == END_PLANT_LOST || rig->end == END_ARMED) {
                snprintf(why, cap, "%s", rig->end_reason);
                return VERDICT_ERROR;
        }
        /* Its own doing, whatever stood still meanwhile. */
        own_doing = find_lost(rig, FC_LOST, true) != NULL;
        if (!own_doing &&
            (record_incomplete(rig, record_drops, why, cap) ||
             scenario_not_obeyed(rig, why, cap) || option_unheard(rig, why, cap) ||
             loop_host_late(rig, why, cap) || pads_gapped(rig, why, cap)))
                return VERDICT_VOID;
        if (rig->end == END_FC_GONE) {
                snprintf(why, cap, "%s", rig->end_reason);
                return VERDICT_FAILED;
        }
        used = name_lost(rig, why, cap);
        if (rig->end == END_WRECKED)
                used += (size_t)snprintf(why + used, cap - used, "%s; ", rig->end_reason);
        used = used < cap ? used : cap - 1;
        verdict = requirements_verdict(rig, why + used, cap - used);
        if (rig->end == END_WRECKED || find_lost(rig, FC_LOST, false) != NULL)
                verdict = VERDICT_FAILED;
        if (verdict == VERDICT_FAILED && find_lost(rig, FC_LOST, false) == NULL &&
            loop_firmware_starved(rig, why, cap))
                return VERDICT_VOID;
        if (verdict == VERDICT_FAILED)
                add_wiring(rig, why, cap);
        /* And what was not done was not withstood. */
        if (verdict == VERDICT_PASSED && steps_never_fired(rig, why, cap))
                return VERDICT_VOID;
        return verdict;
}

/* Before everything else: whoever goes to the bench next must know. A board that was not heard again is not
 * blamed for it. */
static enum verdict put_left_armed(const struct rig *rig, enum verdict verdict, char *why,
                                   size_t cap)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                char text[200], rest[900];

                rig_left_armed(v, text, sizeof text);
                if (text[0] == '\0')
                        continue;
                snprintf(rest, sizeof rest, "%s", why);
                snprintf(why, cap, "%s: %s; %s", v->config->name, text, rest);
                if (verdict == VERDICT_PASSED)
                        verdict = v->left == LEFT_ARMED ? VERDICT_FAILED : VERDICT_VOID;
        }
        return verdict;
}

enum verdict rig_verdict(const struct rig *rig, uint64_t record_drops, char *why,
                         size_t cap)
{
        enum verdict verdict = flight_verdict(rig, record_drops, why, cap);

        return put_left_armed(rig, verdict, why, cap);
}
