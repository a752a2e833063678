/* Suite files: the tables. */
#include "hil/config/rig/suite.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/load.h"

static const struct config_field path_fields[] = {
        { "file", CONFIG_TEXT, "The file, named relative to this one.",
          .size = SUITE_PATH_MAX, AT(suite_path, file) },
        { NULL },
};

static const struct config_table rig_path_table = {
        .name = "suite_rig",
        .about = "A rig of the suite.",
        .field = path_fields,
};

const struct config_table config_suite_scenario_table = {
        .name = "suite_scenario",
        .about = "A scenario of the suite.",
        .field = path_fields,
};

static const struct config_field variant_fields[] = {
        { "name", CONFIG_NAME, "What it is called in results; unique in the suite.",
          .size = NAME_MAX_LEN, AT(suite_variant, name) },
        { "set", CONFIG_TEXTS, "Changes to the rig, each as \"key.path=value\".",
          .least = 1, .size = SUITE_PATH_MAX, AT(suite_variant, set.text),
          .count = offsetof(struct suite_variant, set.count) },
        { "must_fail", CONFIG_TEXT,
          "Name of a requirement that must fail because the variant plants a fault that "
          "it has to find: a run passes if it fails, and fails otherwise.",
          .size = NAME_MAX_LEN, .optional = true, AT(suite_variant, must_fail) },
        { NULL },
};

const struct config_table config_suite_variant_table = {
        .name = "suite_variant",
        .about = "Every rig once more, changed.",
        .field = variant_fields,
};

static const struct config_field seeds_fields[] = {
        { "first", CONFIG_SEED, "The first of `count` seeds in a row.",
          BETWEEN(0, 9007199254730000.0), .preset = "1", AT(suite_file, seeds.first) },
        { "count", CONFIG_INTEGER, "How many.", BETWEEN(1, SUITE_SEEDS_MAX),
          .preset = "16", AT(suite_file, seeds.count) },
        { "list", CONFIG_INTEGERS, "These seeds instead.", BETWEEN(0, 65535), .least = 1,
          .size = SUITE_SEEDS_MAX, .optional = true, AT(suite_file, seeds.list),
          .count = offsetof(struct suite_file, seeds.listed),
          .given = offsetof(struct suite_file, seeds.list_given) },
        { NULL },
};

const struct config_table config_suite_seeds_table = {
        .name = "suite_seeds",
        .about = "The seeds with which each rig flies each scenario.",
        .field = seeds_fields,
};

static const struct config_field margin_fields[] = {
        { "row", CONFIG_TEXT,
          "A requirement or metric, as the comparison names it; without the vehicle in "
          "parentheses: of all vehicles. Left out: every row that none names.",
          .size = SUITE_ROW_MAX, .preset = "\"\"", AT(suite_margin, row) },
        { "percent", CONFIG_NUMBER, "Of the baseline's mean.", BETWEEN(0, 1000),
          .scale = 0.01, .optional = true, .absent = "-1", AT(suite_margin, ratio) },
        { "at_least", CONFIG_NUMBER, "In the unit of the row.", AT_LEAST(0),
          .optional = true, .absent = "-1", AT(suite_margin, floor) },
        { "spread", CONFIG_NUMBER,
          "Multiple of the standard deviation between repeated flights; 0: not used.",
          BETWEEN(0, 100), .optional = true, .absent = "-1", AT(suite_margin, spread) },
        { NULL },
};

static const struct config_table margin_table = {
        .name = "suite_margin",
        .about = "Largest shift of a row that counts as none: the largest of the values "
                 "given here; those left out are built in.",
        .field = margin_fields,
};

static const struct config_field comparison_fields[] = {
        { "false_alarm_percent", CONFIG_NUMBER,
          "Chance that any row of a comparison is called changed although nothing "
          "changed.",
          ABOVE(0), AT_MOST(50), .scale = 0.01, .preset = "0.8",
          AT(suite_comparison, alpha) },
        { "false_same_percent", CONFIG_NUMBER,
          "Chance that a row is called the same, or no worse, although it moved by its "
          "margin.",
          ABOVE(0), AT_MOST(40), .scale = 0.01, .preset = "5",
          AT(suite_comparison, doubt) },
        { "margins", CONFIG_OBJECTS,
          "Margins within which rows count as the same, where they differ from the "
          "built-in ones.",
          .table = &margin_table, .size = SUITE_MARGINS_MAX,
          .stride = sizeof(struct suite_margin), .preset = "[]",
          AT(suite_comparison, margin),
          .count = offsetof(struct suite_comparison, margins) },
        { NULL },
};

const struct config_table config_comparison_table = {
        .name = "suite_comparison",
        .about = "How runs of the suite are compared with those of a baseline.",
        .field = comparison_fields,
};

const char *const config_suite_paces[] = { "lockstep", "realtime", "as_rig", NULL };

static const struct config_field suite_fields[] = {
        { "name", CONFIG_NAME, "What the suite is called; part of its folder's name.",
          .size = NAME_MAX_LEN, AT(suite_file, name) },
        { "rigs", CONFIG_OBJECTS, "The rigs.", .table = &rig_path_table, .least = 1,
          .size = SUITE_RIGS_MAX, .stride = sizeof(struct suite_path),
          AT(suite_file, rig), .count = offsetof(struct suite_file, rigs) },
        { "scenarios", CONFIG_OBJECTS,
          "What each rig flies, one run after the other: scenario files, and mission "
          "files "
          "(whose names do not end in .json). None: the rig's own.",
          .table = &config_suite_scenario_table, .size = SUITE_SCENARIOS_MAX,
          .stride = sizeof(struct suite_path), .preset = "[]", AT(suite_file, scenario),
          .count = offsetof(struct suite_file, scenarios) },
        { "variants", CONFIG_OBJECTS,
          "Changes to the rigs. With variants, each rig flies everything once per "
          "variant; without, once as it is.",
          .table = &config_suite_variant_table, .size = SUITE_VARIANTS_MAX,
          .stride = sizeof(struct suite_variant), .preset = "[]", AT(suite_file, variant),
          .count = offsetof(struct suite_file, variants) },
        { "seeds", CONFIG_OBJECT, "The seeds.", .table = &config_suite_seeds_table,
          .preset = "{}" },
        { "repeats", CONFIG_INTEGER,
          "How often each is flown. In lockstep a repeat is the same flight again.",
          BETWEEN(1, 1000), .preset = "1", AT(suite_file, repeats) },
        { "pace", CONFIG_CHOICE, "The pace; as_rig: that of each rig file.",
          .names = config_suite_paces, .preset = "\"lockstep\"", AT(suite_file, pace) },
        { "set", CONFIG_TEXTS, "Changes to every rig, each as \"key.path=value\".",
          .size = SUITE_PATH_MAX, .preset = "[]", AT(suite_file, set.text),
          .count = offsetof(struct suite_file, set.count) },
        { "jobs", CONFIG_INTEGER,
          "Runs in parallel, where that is possible; 0: one for each processor.",
          BETWEEN(0, 256), .preset = "0", AT(suite_file, jobs) },
        { "tries", CONFIG_INTEGER,
          "How often a run is begun that could not run, such as one whose firmware did "
          "not come up.",
          BETWEEN(1, 10), .preset = "1", AT(suite_file, tries) },
        { "comparison", CONFIG_OBJECT, "How it is compared with a baseline.",
          .table = &config_comparison_table, .preset = "{}", AT(suite_file, comparison) },
        { NULL },
};

const struct config_table config_suite_table = {
        .name = "suite",
        .kind = "suite",
        .about = "A suite: rigs, scenarios, seeds and repeats, each with each.",
        .field = suite_fields,
};

/* Two of a name would share their folders. */
static bool check_variants(const struct suite_file *s, const char *key,
                           const struct json *root, struct config_error *why)
{
        for (int i = 0; i < s->variants; i++)
                for (int k = 0; k < i; k++)
                        if (strcmp(s->variant[i].name, s->variant[k].name) == 0) {
                                char path[40];

                                snprintf(path, sizeof path, "%s.%d.name", key, i);
                                return config_refuse_at(why, root, path,
                                                        "must be unique, is \"%s\" twice",
                                                        s->variant[i].name);
                        }
        return true;
}

static bool check_seeds(const struct suite_file *s, const struct json *root,
                        struct config_error *why)
{
        for (int i = 0; i < s->seeds.listed; i++)
                for (int k = 0; k < i; k++)
                        if (s->seeds.list[i] == s->seeds.list[k])
                                return config_refuse_at(why, root, "seeds.list",
                                                        "must hold each seed once, has "
                                                        "%d twice",
                                                        s->seeds.list[i]);
        return true;
}

bool config_check_suite(const struct suite_file *suite, const char *key,
                        const struct json *root, struct config_error *why)
{
        return check_variants(suite, key, root, why) && check_seeds(suite, root, why);
}

bool config_read_suite(struct suite_file *suite, const char *path,
                       struct config_error *why)
{
        struct config_document d = { 0 };
        bool ok;

        memset(suite, 0, sizeof *suite);
        config_error_clear(why);
        ok = config_document_open(&d, path, &config_suite_table, why) &&
             config_table_read(&config_suite_table, d.root, suite, NULL, why) &&
             config_check_suite(suite, "variants", d.root, why);
        config_document_free(&d);
        return ok;
}
