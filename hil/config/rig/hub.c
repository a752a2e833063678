/* Hub files: groups of a fleet's members, and what is switched when. */
#include "hil/config/rig/rig.h"

#include <stdlib.h>
#include <string.h>

static const char *const status_names[] = { "go", "pause", NULL };
static const char *const silent_names[] = { "pause", "go_on", NULL };

static const struct config_field group_fields[] = {
        { "name", CONFIG_NAME, "What the group is called.", .size = HUB_NAME_MAX,
          AT(hub_group_file, name) },
        { "members", CONFIG_INTEGERS,
          "Their addresses on the radio: vehicles count from 0, in the rig file's order.",
          BETWEEN(0, HUB_MEMBERS_MAX - 1), .least = 1, .size = HUB_MEMBERS_MAX,
          AT(hub_group_file, member), .count = offsetof(struct hub_group_file, members) },
        { "behaviours", CONFIG_TEXTS,
          "Behaviours that are on at the start: separation, alignment, cohesion, "
          "targeting, avoid.",
          .size = HUB_NAME_MAX, .stride = HUB_BEHAVIOURS * HUB_NAME_MAX,
          .preset = "[\"separation\", \"alignment\", \"cohesion\", \"targeting\", "
                    "\"avoid\"]",
          AT(hub_group_file, behaviour),
          .count = offsetof(struct hub_group_file, count) },
        { NULL },
};

static const struct config_table group_table = {
        .name = "hub_group",
        .about = "Members that get the same messages.",
        .field = group_fields,
};

static const struct config_field switch_fields[] = {
        { "at_s", CONFIG_TIME, "Simulated time.", BETWEEN(0, 86400), .scale = S_TO_NS,
          AT(hub_switch_file, t_ns) },
        { "group", CONFIG_TEXT, "Which. Left out: all.", .size = HUB_NAME_MAX,
          .optional = true, AT(hub_switch_file, group) },
        { "status", CONFIG_CHOICE,
          "pause: each stays where it is. go: no longer, once all are there.",
          .names = status_names, .optional = true, AT(hub_switch_file, status),
          .given = offsetof(struct hub_switch_file, status_given) },
        { "behaviours", CONFIG_TEXTS,
          "Behaviours that are on from now on; all others are off.", .size = HUB_NAME_MAX,
          .stride = HUB_BEHAVIOURS * HUB_NAME_MAX, .optional = true,
          AT(hub_switch_file, behaviour),
          .count = offsetof(struct hub_switch_file, count),
          .given = offsetof(struct hub_switch_file, behaviours_given) },
        { NULL },
};

static const struct config_rule switch_rules[] = {
        { { "status", "behaviours" }, .least = 1 },
        { { NULL } },
};

static const struct config_table switch_table = {
        .name = "hub_switch",
        .about = "What a group is told from a given time on.",
        .field = switch_fields,
        .rule = switch_rules,
};

static const struct config_field hub_fields[] = {
        { "name", CONFIG_NAME, "What it is called.", .size = NAME_MAX_LEN,
          .preset = "\"hub\"", AT(hub_file, name) },
        { "period_ms", CONFIG_TIME, "Period of its messages to each group.",
          BETWEEN(1, 60000), .scale = MS_TO_NS, .preset = "100",
          AT(hub_file, period_ns) },
        { "silent_s", CONFIG_TIME,
          "A member that is silent for longer has left its group.", BETWEEN(0.01, 60),
          .scale = S_TO_NS, .preset = "1", AT(hub_file, silent_ns) },
        { "when_silent", CONFIG_CHOICE,
          "pause: then its group pauses until it is back. go_on: without it.",
          .names = silent_names, .preset = "\"pause\"", AT(hub_file, when_silent) },
        { "groups", CONFIG_OBJECTS, "Members that get the same messages.",
          .table = &group_table, .least = 1, .size = HUB_GROUPS_MAX,
          .stride = sizeof(struct hub_group_file), AT(hub_file, group),
          .count = offsetof(struct hub_file, groups) },
        { "switches", CONFIG_OBJECTS, "What is switched when, in the order of time.",
          .table = &switch_table, .size = HUB_SWITCHES_MAX, .preset = "[]",
          .stride = sizeof(struct hub_switch_file), AT(hub_file, at),
          .count = offsetof(struct hub_file, switches) },
        { NULL },
};

const struct config_table config_hub_table = {
        .name = "hub",
        .kind = "hub",
        .about = "A hub of a fleet (Micklisch, Hilliard and ElAarag 3.4): groups that go "
                 "when all of their members have been heard.",
        .field = hub_fields,
};

/* node has the key "behaviours". */
static bool build_behaviours(uint32_t *bits, char name[][HUB_NAME_MAX], int count,
                             const struct json *node, struct config_error *why)
{
        *bits = 0;
        for (int i = 0; i < count; i++) {
                int bit = hub_find_behaviour(name[i]);

                if (bit < 0)
                        return config_refuse_at(why, node, "behaviours",
                                                "no behaviour is called \"%s\"; known: "
                                                "separation, alignment, cohesion, "
                                                "targeting, avoid",
                                                name[i]);
                *bits |= 1U << bit;
        }
        return true;
}

static bool is_member(const struct hub_group_params *g, int address)
{
        for (int i = 0; i < g->members; i++)
                if (g->member[i] == address)
                        return true;
        return false;
}

/* Of group `at`, the last one of p. */
static bool check_members(const struct hub_params *p, int at, const struct json *node,
                          struct config_error *why)
{
        for (int g = 0; g < at; g++) {
                if (strcmp(p->group[g].name, p->group[at].name) == 0)
                        return config_refuse_at(why, node, "name",
                                                "is the name of groups.%d too", g);
                for (int i = 0; i < p->group[at].members; i++)
                        if (is_member(&p->group[g], p->group[at].member[i]))
                                return config_refuse_at(why, node, "members",
                                                        "%d is a member of groups.%d too",
                                                        p->group[at].member[i], g);
        }
        return true;
}

static bool build_group(struct hub_params *p, const struct hub_file *file, int at,
                        const struct json *node, struct config_error *why)
{
        struct hub_group_file of = file->group[at];
        struct hub_group_params *g = &p->group[at];

        memcpy(g->name, of.name, sizeof g->name);
        for (int i = 0; i < of.members; i++)
                if (is_member(g, of.member[i]))
                        return config_refuse_at(why, node, "members", "%d is there twice",
                                                of.member[i]);
                else
                        g->member[g->members++] = of.member[i];
        return check_members(p, at, node, why) &&
               build_behaviours(&g->behaviours, of.behaviour, of.count, node, why);
}

static bool build_switch(struct hub_params *p, const struct hub_file *file, int at,
                         const struct json *node, struct config_error *why)
{
        struct hub_switch_file of = file->at[at];
        struct hub_switch *s = &p->at[at];

        *s = (struct hub_switch){ .t_ns = of.t_ns,
                                  .group = -1,
                                  .status_given = of.status_given,
                                  .behaviours_given = of.behaviours_given,
                                  .paused = of.status == 1 };
        if (of.group[0] != '\0') {
                s->group = hub_find_group(p, of.group);
                if (s->group < 0)
                        return config_refuse_at(why, node, "group",
                                                "no group is called \"%s\"", of.group);
        }
        if (at > 0 && s->t_ns < p->at[at - 1].t_ns)
                return config_refuse_at(why, node, "at_s",
                                        "must not be before the one above it");
        return build_behaviours(&s->behaviours, of.behaviour, of.count, node, why);
}

bool config_build_hub(struct hub_params *p, const struct hub_file *file,
                      const struct json *node, struct config_error *why)
{
        const struct json *groups = json_member(node, "groups");
        const struct json *switches = json_member(node, "switches");
        bool ok = true;

        if (!config_is_sound(node))
                return false;
        *p = (struct hub_params){ .period_ns = file->period_ns,
                                  .silent_ns = file->silent_ns,
                                  .goes_on = file->when_silent == 1,
                                  .groups = file->groups,
                                  .switches = file->switches };
        for (int g = 0; g < p->groups; g++)
                ok = build_group(p, file, g, json_item(groups, g), why) && ok;
        for (int i = 0; ok && i < p->switches; i++)
                ok = build_switch(p, file, i, json_item(switches, i), why);
        return ok;
}
