/* Requirements: a range that a signal keeps or reaches, a formula, or a figure of a signal. */
#include "hil/config/scenario/scenario.h"

#include <math.h>
#include <string.h>

#include "hil/formula/quantity.h"

#define DAY_S 86400

#define GIVEN(field) .given = offsetof(struct requirement_file, field##_given)

static const char *const kind_names[] = { "always", "eventually", NULL };

static const struct config_field requirement_fields[] = {
        { "name", CONFIG_TEXT, "What it is called in the result.", .size = NAME_MAX_LEN,
          AT(requirement_file, name) },
        { "vehicle", CONFIG_INTEGER,
          "Index of the vehicle that plain names refer to; v1.altitude_m is always that "
          "of vehicle 1.",
          BETWEEN(0, VEHICLES_MAX - 1), .preset = "0", AT(requirement_file, vehicle) },
        { "formula", CONFIG_TEXT,
          "What must hold, in signal temporal logic: \"always[14, 32] abs(altitude_m - "
          "5) "
          "< 1\". Instead of kind or metric.",
          .size = FORMULA_TEXT_MAX, .optional = true, AT(requirement_file, formula) },
        { "kind", CONFIG_CHOICE,
          "always: min <= signal <= max at every tick from from_s to to_s; eventually: "
          "at "
          "one of them at least.",
          .names = kind_names, .optional = true, AT(requirement_file, kind) },
        { "metric", CONFIG_CHOICE,
          "The figure of the signal from from_s to to_s that must be within min and max.",
          .names = figure_names, .optional = true, AT(requirement_file, metric),
          GIVEN(metric) },
        { "signal", CONFIG_TEXT,
          "With kind and metric: a quantity, or a formula that gives a number; with "
          "holds_since_s a condition.",
          .size = FORMULA_TEXT_MAX, .optional = true, AT(requirement_file, signal) },
        { "target", CONFIG_NUMBER,
          "With metrics of a step: where the signal should end, in its unit.",
          BETWEEN(-1e9, 1e9), .optional = true, AT(requirement_file, target) },
        { "from_value", CONFIG_NUMBER,
          "With metrics of a step: where it begins. Left out: the signal's value at "
          "from_s.",
          BETWEEN(-1e9, 1e9), .optional = true, AT(requirement_file, from_value),
          GIVEN(from_value) },
        { "band", CONFIG_NUMBER,
          "With settling_time_s: how far from the target still counts as settled, in the "
          "signal's unit. Left out: 2 % of the step.",
          ABOVE(0), AT_MOST(1e9), .optional = true, AT(requirement_file, band) },
        { "min", CONFIG_NUMBER,
          "Least that is allowed, in the signal's or metric's unit.", BETWEEN(-1e9, 1e9),
          .optional = true, AT(requirement_file, min), GIVEN(min) },
        { "max", CONFIG_NUMBER, "Most that is allowed, in the signal's or metric's unit.",
          BETWEEN(-1e9, 1e9), .optional = true, AT(requirement_file, max), GIVEN(max) },
        { "from_s", CONFIG_TIME,
          "Start of the window. Left out: 0. A formula has windows of its own.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true,
          AT(requirement_file, from_ns) },
        { "to_s", CONFIG_TIME, "End of the window. Left out: the end of the scenario.",
          BETWEEN(0, DAY_S), .scale = S_TO_NS, .optional = true,
          AT(requirement_file, to_ns), .absent = "-1" },
        { NULL },
};

/* Metrics of a step. */
#define STEP                                                                             \
        (CONFIG_IS(FIGURE_SETTLING_TIME) | CONFIG_IS(FIGURE_RISE_TIME) |                 \
         CONFIG_IS(FIGURE_OVERSHOOT) | CONFIG_IS(FIGURE_STEADY_ERROR))

static const struct config_rule requirement_rules[] = {
        { { "formula", "kind", "metric" }, .least = 1, .most = 1 },
        { { "signal" }, { "formula" }, .must = CONFIG_ABSENT },
        { { "min", "max" }, { "formula" }, .may = CONFIG_ABSENT, .least = 1 },
        { { "from_s", "to_s" }, { "formula" }, .may = CONFIG_ABSENT },
        { { "target" }, { "metric" }, .must = STEP },
        { { "from_value" }, { "metric" }, .may = STEP },
        { { "band" }, { "metric" }, .may = CONFIG_IS(FIGURE_SETTLING_TIME) },
        { { NULL } },
};

const struct config_table config_requirement_table = {
        .name = "requirement",
        .about = "What must be true of the flight.",
        .field = requirement_fields,
        .rule = requirement_rules,
};

static bool parse_formula(struct requirement *r, int vehicles, const char *key,
                          const char *text, const struct json *item,
                          struct config_error *why)
{
        struct formula_error error;
        struct quantity_names names;

        if (!quantity_names_make(&names, vehicles, r->vehicle))
                return config_refuse(why, item, NULL, "out of memory");
        memcpy(r->text, text, sizeof r->text);
        r->formula = formula_parse(text, &names.names, &error);
        quantity_names_free(&names);
        if (r->formula == NULL)
                return config_refuse_at(why, item, key, "%s", error.text);
        return true;
}

static bool build_formula(struct requirement *r, const struct requirement_file *file,
                          int vehicles, int64_t duration_ns, const struct json *item,
                          struct config_error *why)
{
        int64_t horizon_ns;

        r->form = REQUIRE_FORMULA;
        r->to_ns = duration_ns;
        if (!parse_formula(r, vehicles, "formula", file->formula, item, why))
                return false;
        if (formula_is_number(r->formula))
                return config_refuse_at(why, item, "formula",
                                        "is a number: compare it, as in \"always %.60s "
                                        "< 1\"",
                                        file->formula);
        if (formula_has_instant(r->formula))
                return config_refuse_at(
                        why, item, "formula",
                        "has a part outside of always, eventually and until, which would "
                        "be judged at the start alone: put it in parentheses behind one");
        horizon_ns = formula_horizon_ns(r->formula);
        if (horizon_ns > duration_ns)
                return config_refuse_at(
                        why, item, "formula",
                        "looks ahead to %.15g s, and the scenario ends at "
                        "%.15g s",
                        (double)horizon_ns / S_TO_NS, (double)duration_ns / S_TO_NS);
        return true;
}

static bool check_window(const struct requirement *r, int64_t duration_ns,
                         const struct json *item, struct config_error *why)
{
        const char *end = r->to_ns > duration_ns ? "to_s" : "from_s";

        if (r->to_ns > duration_ns || r->from_ns > duration_ns)
                return config_refuse_at(
                        why, item, end,
                        "must not be after the end of the scenario, which "
                        "is at %.15g s",
                        (double)duration_ns / S_TO_NS);
        if (r->from_ns > r->to_ns)
                return config_refuse_at(why, item, "from_s",
                                        "must not be after to_s, which is %.15g s",
                                        (double)r->to_ns / S_TO_NS);
        return true;
}

static bool build_range(struct requirement *r, const struct requirement_file *file,
                        int64_t duration_ns, const struct json *item,
                        struct config_error *why)
{
        r->min = file->min_given ? file->min : -INFINITY;
        r->max = file->max_given ? file->max : INFINITY;
        if (r->min > r->max)
                return config_refuse_at(why, item, "min",
                                        "must not be greater than max, which is %.15g",
                                        r->max);
        r->from_ns = file->from_ns;
        r->to_ns = file->to_ns >= 0 ? file->to_ns : duration_ns;
        return check_window(r, duration_ns, item, why);
}

static bool build_signal(struct requirement *r, const struct requirement_file *file,
                         int vehicles, const struct json *item, struct config_error *why)
{
        if (!parse_formula(r, vehicles, "signal", file->signal, item, why))
                return false;
        if (file->metric_given && file->metric == FIGURE_HOLDS_SINCE) {
                if (!formula_is_number(r->formula) && !formula_is_temporal(r->formula))
                        return true;
                return config_refuse_at(why, item, "signal",
                                        "must hold or not at one moment: a comparison, "
                                        "without always, eventually and until");
        }
        if (!formula_is_number(r->formula))
                return config_refuse_at(why, item, "signal",
                                        "must be a number, not a condition: conditions "
                                        "stand in formula");
        return true;
}

static bool build_metric(struct requirement *r, const struct requirement_file *file,
                         const struct json *item, struct config_error *why)
{
        r->form = REQUIRE_METRIC;
        r->figure = (struct figure_setup){
                .kind = (enum figure_kind)file->metric,
                .from_ns = r->from_ns,
                .to_ns = r->to_ns,
                .target = file->target,
                .from = file->from_value_given ? file->from_value : NAN,
                .band = file->band > 0.0 ? file->band : NAN,
        };
        if (file->from_value_given && file->from_value == file->target)
                return config_refuse_at(why, item, "from_value",
                                        "must differ from target: a step has a height");
        return true;
}

bool config_build_requirement(struct requirement *r, const struct requirement_file *file,
                              int vehicles, int64_t duration_ns, const struct json *item,
                              struct config_error *why)
{
        if (file->vehicle >= vehicles)
                return config_refuse_at(
                        why, item, "vehicle",
                        "must be less than %d, the number of vehicles, is "
                        "%d",
                        vehicles, file->vehicle);
        memcpy(r->name, file->name, sizeof r->name);
        r->vehicle = file->vehicle;
        if (file->formula[0] != '\0')
                return build_formula(r, file, vehicles, duration_ns, item, why);
        if (!build_signal(r, file, vehicles, item, why) ||
            !build_range(r, file, duration_ns, item, why))
                return false;
        if (file->metric_given)
                return build_metric(r, file, item, why);
        r->form = file->kind == 0 ? REQUIRE_ALWAYS : REQUIRE_EVENTUALLY;
        return true;
}

void config_resolve_requirement(struct json *resolved, const struct requirement *r)
{
        if (r->form == REQUIRE_FORMULA)
                return;
        if (!json_member(resolved, "from_s"))
                json_add_number(resolved, "from_s", (double)r->from_ns / S_TO_NS);
        if (!json_member(resolved, "to_s"))
                json_add_number(resolved, "to_s", (double)r->to_ns / S_TO_NS);
}
