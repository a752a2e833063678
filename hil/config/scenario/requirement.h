/* Requirements as scenario files hold them. */
#ifndef HIL_CONFIG_SCENARIO_REQUIREMENT_H
#define HIL_CONFIG_SCENARIO_REQUIREMENT_H

#include "hil/config/table.h"
#include "hil/judge/requirement.h"

struct requirement_file {
        char name[NAME_MAX_LEN];
        int vehicle, kind, metric;
        char signal[FORMULA_TEXT_MAX], formula[FORMULA_TEXT_MAX];
        double min, max, target, from_value, band;
        int64_t from_ns, to_ns;
        bool kind_given, metric_given, signal_given, formula_given, min_given, max_given,
                target_given, from_value_given, band_given, from_given, to_given;
};

extern const struct config_table config_requirement_table;

/* r owns what it gets even if this fails. item is the object that was read. */
bool config_build_requirement(struct requirement *r, const struct requirement_file *file,
                              int vehicles, int64_t duration_ns, const struct json *item,
                              struct config_error *why);
/* Writes the window that was left to its default. */
void config_resolve_requirement(struct json *resolved,
                                const struct requirement_file *file,
                                const struct requirement *r);

#endif
