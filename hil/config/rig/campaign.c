/* Campaign files: the tables. */
#include "hil/config/rig/campaign.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/load.h"

_Static_assert(offsetof(struct campaign_file, suite) == 0,
               "the tables of a suite are read into a campaign");

static const struct config_field rig_fields[] = {
        { "file", CONFIG_TEXT, "The file, named relative to this one.",
          .size = SUITE_PATH_MAX, AT(suite_path, file) },
        { "board", CONFIG_NAME,
          "It flies on whichever board of this family is free in the farm; left out: "
          "without a board.",
          .size = NAME_MAX_LEN, .optional = true, AT(suite_path, board) },
        { NULL },
};

static const struct config_table rig_table = {
        .name = "campaign_rig",
        .about = "A rig of the campaign.",
        .field = rig_fields,
};

static const struct config_field version_fields[] = {
        { "name", CONFIG_NAME,
          "Its name, which is also the folder of its flights; unique in the campaign.",
          .size = NAME_MAX_LEN, AT(campaign_version, name) },
        { "set", CONFIG_TEXTS, "Changes to every rig, each as \"key.path=value\".",
          .size = SUITE_PATH_MAX, .preset = "[]", AT(campaign_version, set.text),
          .count = offsetof(struct campaign_version, set.count) },
        { "executable", CONFIG_TEXT,
          "The program of the firmware in place of the first word of the first vehicle's "
          "fc.start.command; a file, named relative to this one.",
          .size = SUITE_PATH_MAX, .optional = true, AT(campaign_version, executable) },
        { "environment", CONFIG_PAIRS, "Variables on top of the campaign's own.",
          .size = CAMPAIGN_VARIABLES_MAX, .stride = CAMPAIGN_PAIR_MAX, .preset = "{}",
          AT(campaign_version, variable),
          .count = offsetof(struct campaign_version, variables) },
        { "image", CONFIG_TEXT,
          "Image that a board is flashed with before it flies this version, unless it "
          "has it already; a file, named relative to this one.",
          .size = SUITE_PATH_MAX, .optional = true, AT(campaign_version, image) },
        { "says", CONFIG_TEXT,
          "Text in a board's answer, when it is asked who it is, by which this version "
          "is recognised.",
          .size = NAME_MAX_LEN, .optional = true, AT(campaign_version, says) },
        { NULL },
};

static const struct config_rule version_rules[] = {
        { { "says" }, { "image" }, .may = CONFIG_THERE },
        { { NULL } },
};

static const struct config_table version_table = {
        .name = "campaign_version",
        .about = "A version of the firmware, which flies everything.",
        .field = version_fields,
        .rule = version_rules,
};

static const struct config_field campaign_fields[] = {
        { "name", CONFIG_NAME, "What the campaign is called; part of its folder's name.",
          .size = NAME_MAX_LEN, AT(campaign_file, suite.name) },
        { "rigs", CONFIG_OBJECTS, "The rigs.", .table = &rig_table, .least = 1,
          .size = SUITE_RIGS_MAX, .stride = sizeof(struct suite_path),
          AT(campaign_file, suite.rig),
          .count = offsetof(struct campaign_file, suite.rigs) },
        { "scenarios", CONFIG_OBJECTS,
          "What each rig flies, as in a suite. None: the rig's own.",
          .table = &config_suite_scenario_table, .size = SUITE_SCENARIOS_MAX,
          .stride = sizeof(struct suite_path), .preset = "[]",
          AT(campaign_file, suite.scenario),
          .count = offsetof(struct campaign_file, suite.scenarios) },
        { "seeds", CONFIG_OBJECT, "The seeds.", .table = &config_suite_seeds_table,
          .preset = "{}" },
        { "repeats", CONFIG_INTEGER,
          "How often each is flown. In lockstep a repeat is the same flight again.",
          BETWEEN(1, 1000), .preset = "1", AT(campaign_file, suite.repeats) },
        { "pace", CONFIG_CHOICE, "The pace; as_rig: that of each rig file.",
          .names = config_suite_paces, .preset = "\"lockstep\"",
          AT(campaign_file, suite.pace) },
        { "set", CONFIG_TEXTS, "Changes to every rig, each as \"key.path=value\".",
          .size = SUITE_PATH_MAX, .preset = "[]", AT(campaign_file, suite.set.text),
          .count = offsetof(struct campaign_file, suite.set.count) },
        { "versions", CONFIG_OBJECTS, "The versions of the firmware, the oldest first.",
          .table = &version_table, .least = 1, .size = CAMPAIGN_VERSIONS_MAX,
          .stride = sizeof(struct campaign_version), AT(campaign_file, version),
          .count = offsetof(struct campaign_file, versions) },
        { "faults", CONFIG_OBJECTS,
          "Every rig flies everything as it is, and once more with each of these "
          "planted.",
          .table = &config_suite_variant_table, .size = SUITE_VARIANTS_MAX,
          .stride = sizeof(struct suite_variant), .preset = "[]",
          AT(campaign_file, suite.variant),
          .count = offsetof(struct campaign_file, suite.variants) },
        { "farm", CONFIG_TEXT,
          "The inventory of boards: a farm file, named relative to this one.",
          .size = SUITE_PATH_MAX, .optional = true, AT(campaign_file, farm) },
        { "jobs", CONFIG_INTEGER, "Flights at a time; 0: one for each processor.",
          BETWEEN(0, 256), .preset = "0", AT(campaign_file, suite.jobs) },
        { "time_limit_s", CONFIG_TIME,
          "Host time that a flight may take. One that takes longer is ended, and void.",
          ABOVE(0), AT_MOST(86400), .scale = S_TO_NS, .preset = "900",
          AT(campaign_file, time_limit_ns) },
        { "attempts", CONFIG_INTEGER,
          "How often a flight that ends void, or does not run on its board, is flown in "
          "all before that becomes its result.",
          BETWEEN(1, 100), .preset = "3", AT(campaign_file, attempts) },
        { "reserve_mb", CONFIG_INTEGER,
          "Megabytes of disk space to keep free: the campaign stops when there is less.",
          BETWEEN(0, 1000000), .preset = "256", AT(campaign_file, reserve_mb) },
        { "comparison", CONFIG_OBJECT,
          "How the flights of a version are compared with another's.",
          .table = &config_comparison_table, .preset = "{}",
          AT(campaign_file, suite.comparison) },
        { NULL },
};

const struct config_table config_campaign_table = {
        .name = "campaign",
        .kind = "campaign",
        .about = "A campaign: rigs, scenarios, seeds, versions of the firmware and "
                 "planted "
                 "faults, each with each.",
        .field = campaign_fields,
};

/* Two of a name would share their folders; the campaign's own files stand beside them. */
static bool check_versions(const struct campaign_file *c, const struct json *root,
                           struct config_error *why)
{
        char path[40];

        for (int i = 0; i < c->versions; i++)
                for (int k = 0; k < i; k++) {
                        if (strcmp(c->version[i].name, c->version[k].name) != 0)
                                continue;
                        snprintf(path, sizeof path, "versions.%d.name", i);
                        return config_refuse_at(why, root, path,
                                                "must be unique, is \"%s\" twice",
                                                c->version[i].name);
                }
        return true;
}

bool config_read_campaign(struct campaign_file *campaign, const char *path,
                          struct config_error *why)
{
        struct config_document d = { 0 };
        bool ok;

        memset(campaign, 0, sizeof *campaign);
        config_error_clear(why);
        ok = config_document_open(&d, path, &config_campaign_table, why) &&
             config_table_read(&config_campaign_table, d.root, campaign, NULL, why) &&
             config_check_suite(&campaign->suite, "faults", d.root, why) &&
             check_versions(campaign, d.root, why);
        campaign->suite.plain_too = true;
        config_document_free(&d);
        return ok;
}
