/* What one summary.json has to say that can be compared. Older and newer ones are taken: what is not
 * there is not compared. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/judge/metrics.h"
#include "hil/judge/verdict.h"
#include "hil/mission/route.h"
#include "hil/suite/compare.h"
#include "hil/suite/required.h"
#include "hil/text/json.h"

/* A longer flight is none. */
#define SIM_TIME_MAX_S 1e7

/* The run, its requirements with their robustness, its mission's stops, fence and figures, its metrics, three quantiles. */
_Static_assert(1 + 2 * SCENARIO_REQUIREMENTS_MAX + ROUTE_STOPS_MAX + 4 +
                               VEHICLES_MAX * METRIC_COUNT + 3 <=
                       COMPARE_VALUES_MAX,
               "all that a summary lists can be compared");
_Static_assert(sizeof((struct requirement *)0)->name + 64 <= COMPARE_NAME_MAX,
               "a requirement's name is compared whole, with its vehicle");

static bool refuse_result(char *why, size_t cap, const char *name, const char *text)
{
        snprintf(why, cap, "%s: %s", name, text);
        return false;
}

/* Beginnings of words that say which way is better. */
static const char *const less_words[] = {
        "error",    "rms",      "rmse",      "overshoot",   "settling",  "rise",
        "latency",  "delay",    "lateness",  "jitter",      "tilt",      "impact",
        "drift",    "noise",    "deviation", "vibration",   "saturat",   "energy",
        "consumed", "lost",     "steady",    "undershoot",  "offset",    "iae",
        "ise",      "itae",     "ripple",    "oscillation", "excursion", "misses",
        "missed",   "dropouts", NULL,
};
static const char *const more_words[] = {
        "margin", "robustness", "remaining", "coherence", "bandwidth", "crossover", NULL,
};

static bool has_word(const char *name, const char *const *words)
{
        for (const char *c = name; *c != '\0'; c++) {
                if (c > name && isalnum((unsigned char)c[-1]))
                        continue;
                for (int i = 0; words[i] != NULL; i++)
                        if (strncasecmp(c, words[i], strlen(words[i])) == 0)
                                return true;
        }
        return false;
}

static bool is_signed(const char *name)
{
        static const char *const error[] = { "error", "offset", "bias", "drift", NULL };
        static const char *const mean[] = { "mean", NULL };

        return has_word(name, error) && has_word(name, mean);
}

enum compared_better compared_better_of(const char *name)
{
        if (has_word(name, more_words))
                return BETTER_MORE;
        if (is_signed(name))
                return BETTER_ZERO;
        return has_word(name, less_words) ? BETTER_LESS : BETTER_NEITHER;
}

/* As the entry says; "none" of a mean error is that it has a sign. */
static enum compared_better better_said(const char *better, const char *name)
{
        if (strcmp(better, "less") == 0)
                return BETTER_LESS;
        if (strcmp(better, "more") == 0)
                return BETTER_MORE;
        return is_signed(name) ? BETTER_ZERO : BETTER_NEITHER;
}

static struct compared_value *add_value(struct compared_result *r,
                                        enum compared_kind kind, const char *name,
                                        const char *suffix, double value)
{
        struct compared_value *v;

        if (r->values == COMPARE_VALUES_MAX)
                return NULL;
        if (r->value == NULL)
                r->value = calloc(COMPARE_VALUES_MAX, sizeof *r->value);
        if (r->value == NULL)
                return NULL;
        v = &r->value[r->values++];
        *v = (struct compared_value){ .kind = kind, .value = value };
        snprintf(v->name, sizeof v->name, "%s%s", name, suffix);
        v->name_len = (int)strlen(v->name);
        v->better = kind == COMPARED_HOST     ? BETTER_LESS
                    : kind == COMPARED_METRIC ? compared_better_of(name)
                                              : BETTER_MORE;
        return v;
}

#define OWN_NAME_MAX 90

/* The vehicle that a requirement or metric is about, by name or number: part of what it is called. */
static void name_with_vehicle(const struct json *o, char *name, size_t cap)
{
        const char *own = json_string(o, "name"), *vehicle = json_string(o, "vehicle");
        double index = json_number(o, "vehicle");

        int used = snprintf(name, cap, "%.*s", OWN_NAME_MAX, own);

        if (vehicle != NULL && vehicle[0] != '\0')
                snprintf(name + used, cap - (size_t)used, " (%.40s)", vehicle);
        else if (index > 0.0)
                snprintf(name + used, cap - (size_t)used, " (vehicle %.0f)",
                         fmin(index, 1e6));
}

static bool add_required(struct compared_result *r, const struct json *root)
{
        struct required_walk walk = { .root = root };
        struct required asked;
        char name[COMPARE_NAME_MAX];

        while (required_next(&walk, &asked)) {
                if (asked.entry == NULL) {
                        if (!add_value(r, COMPARED_OUTCOME, asked.name, "",
                                       asked.outcome))
                                return false;
                        continue;
                }
                name_with_vehicle(asked.entry, name, sizeof name);
                if (!add_value(r, COMPARED_OUTCOME, name, "", asked.outcome) ||
                    (json_is(json_member(asked.entry, "robustness"), JSON_NUMBER) &&
                     !add_value(r, COMPARED_ROBUSTNESS, name, ", robustness",
                                json_number(asked.entry, "robustness"))))
                        return false;
        }
        return true;
}

static bool add_figure(struct compared_result *r, const char *name, const char *unit,
                       double value)
{
        struct compared_value *v = add_value(r, COMPARED_METRIC, name, "", value);

        if (v == NULL)
                return false;
        snprintf(v->unit, sizeof v->unit, "%s", unit);
        v->better = BETTER_LESS;
        return true;
}

/* How well it was flown, of one that was flown to its end. */
static bool add_mission(struct compared_result *r, const struct json *root)
{
        const struct json *items = json_at(root, "mission.items");
        double beside_m = NAN, landed_m = NAN, first_s = NAN, last_s = NAN;

        if (!json_is(items, JSON_ARRAY))
                return true;
        for (const struct json *o = items->first; o; o = o->next) {
                const char *outcome = json_string(o, "outcome");

                first_s = fmin(first_s, json_number(o, "asked_s"));
                last_s = fmax(last_s, json_number(o, "reached_s"));
                beside_m = fmax(beside_m, json_number(o, "cross_track_m"));
                landed_m = json_number(o, "error_m");
                if (outcome == NULL ||
                    (outcome[0] != '\0' && strcmp(outcome, "passed") != 0))
                        return true;
        }
        return add_figure(r, "mission, furthest beside a leg", "m", beside_m) &&
               add_figure(r, "mission, off its last item", "m", landed_m) &&
               add_figure(r, "mission, from its first item to its last", "s",
                          last_s - first_s);
}

static bool add_metric(struct compared_result *r, const struct json *o)
{
        const char *own = json_string(o, "name"), *unit = json_string(o, "unit");
        const char *better = json_string(o, "better");
        char name[COMPARE_NAME_MAX];
        struct compared_value *v;

        if (own == NULL)
                return true;
        name_with_vehicle(o, name, sizeof name);
        v = add_value(r,
                      strcmp(own, metric_info[METRIC_MISSED].name) == 0 ? COMPARED_HOST
                                                                        : COMPARED_METRIC,
                      name, "", json_number(o, "value"));
        if (v == NULL)
                return false;
        v->name_len = (int)strnlen(own, OWN_NAME_MAX);
        if (unit != NULL)
                snprintf(v->unit, sizeof v->unit, "%.20s", unit);
        if (better != NULL)
                v->better = better_said(better, v->name);
        return true;
}

/* In lockstep it says nothing at all; in real time something of the host as well as of the flight controller. */
static bool add_latency(struct compared_result *r, const struct json *root)
{
        static const char *const part[] = { "p50", "p99", "p99_9" };
        char path[40];

        if (r->lockstep || !(json_number(root, "latency_us.loop.count") > 0.0))
                return true;
        for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
                struct compared_value *v;

                snprintf(path, sizeof path, "latency_us.loop.%s", part[i]);
                v = add_value(r, COMPARED_HOST, "loop latency, ", part[i],
                              json_number(root, path));
                if (v == NULL)
                        return false;
                snprintf(v->unit, sizeof v->unit, "us");
        }
        return true;
}

static bool add_values(struct compared_result *r, const struct json *root)
{
        const struct json *list = json_member(root, "metrics");
        const struct json *first = json_is(list, JSON_ARRAY) ? list->first : NULL;

        if (!r->unasked && !add_value(r, COMPARED_OUTCOME, "the whole run", "",
                                      r->verdict == RUN_PASSED ? 1.0 : 0.0))
                return false;
        if (!add_required(r, root) || !add_mission(r, root))
                return false;
        for (const struct json *o = first; o; o = o->next)
                if (!add_metric(r, o))
                        return false;
        return add_latency(r, root);
}

static const char *const run_names[] = { "passed", "failed", "void", "error" };

const char *compared_run_name(enum compared_run v)
{
        return run_names[v];
}

const char *compared_kind_name(enum compared_kind kind)
{
        static const char *const name[] = { "outcome", "robustness", "metric", "host" };

        return name[kind];
}

const char *compared_better_name(enum compared_better better)
{
        static const char *const name[] = { "less", "more", "zero", "unknown" };

        return name[better];
}

bool compared_run_parse(const char *verdict, enum compared_run *v)
{
        for (int i = RUN_PASSED; verdict != NULL && i <= RUN_ERROR; i++) {
                if (strcmp(verdict, run_names[i]) == 0) {
                        *v = (enum compared_run)i;
                        return true;
                }
        }
        return false;
}

void compared_firmware(const struct json *root, char *text, size_t cap)
{
        const struct json *list = json_member(root, "firmware");
        const struct json *first = json_is(list, JSON_ARRAY) ? list->first : NULL;

        text[0] = '\0';
        for (const struct json *o = first; o; o = o->next)
                if (json_is(o, JSON_STRING))
                        compared_list_firmware(text, cap, o->text);
}

void compared_list_firmware(char *text, size_t cap, const char *own)
{
        size_t used = strlen(text);

        if (own[0] != '\0' && strstr(text, own) == NULL)
                snprintf(text + used, cap - used, "%s%s", used > 0 ? ", " : "", own);
}

static bool read_result(struct compared_result *r, const struct json *root,
                        const char *name, char *why, size_t cap)
{
        const char *pace = json_string(root, "pace");
        const char *reason = json_string(root, "end_reason");

        if (!compared_run_parse(json_string(root, "verdict"), &r->verdict))
                return refuse_result(why, cap, name,
                                     "verdict: must be passed, failed, void or error");
        if (!json_u64(root, "seed", &r->seed))
                return refuse_result(why, cap, name, "seed: must be a whole number");
        r->unasked = r->verdict == RUN_VOID && reason != NULL &&
                     strcmp(reason, NOTHING_REQUIRED) == 0;
        r->lockstep = pace != NULL && strcmp(pace, "lockstep") == 0;
        r->sim_time_s = json_number(root, "sim_time_s");
        if (!(r->sim_time_s > 0.0 && r->sim_time_s < SIM_TIME_MAX_S))
                r->sim_time_s = 0.0;
        json_copy_string(root, "signal_sha256", r->signal_sha256,
                         sizeof r->signal_sha256);
        json_copy_string(root, "version", r->version, sizeof r->version);
        compared_firmware(root, r->firmware, sizeof r->firmware);
        /* Taken from the path of a suite's run; else this is all there is to tell twins by. */
        json_copy_string(root, "config", r->group, sizeof r->group);
        if (!add_values(r, root))
                return refuse_result(why, cap, name,
                                     "more requirements and metrics than can be "
                                     "compared, or no memory");
        return true;
}

bool compared_result_parse(struct compared_result *r, const char *text, size_t len,
                           const char *name, char *why, size_t cap)
{
        struct json_error error;
        struct json *root = json_parse(text, len, name, &error);
        struct compared_value *fit;
        bool ok;

        *r = (struct compared_result){ 0 };
        if (root == NULL)
                return refuse_result(why, cap, name, error.text);
        ok = read_result(r, root, name, why, cap);
        json_free(root);
        /* No more than is used: a side may have thousands of runs. */
        fit = r->value ? realloc(r->value, (size_t)r->values * sizeof *fit) : NULL;
        if (fit != NULL)
                r->value = fit;
        return ok;
}
