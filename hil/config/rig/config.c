/* Configuration files in, structs and the resolved text out. */
#include "hil/config/rig/rig.h"

#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"
#include "hil/config/scenario/expand.h"

static bool refuse_memory(struct config_error *why)
{
        return config_refuse_line(why, "out of memory");
}

void config_free(struct rig_config *rig)
{
        free(rig->vehicle);
        free(rig->hub);
        rig->vehicle = NULL;
        rig->hub = NULL;
        scenario_free(&rig->scenario);
        config_free_mission(rig);
        scenery_free(rig->scenery);
        rig->scenery = NULL;
        rig->world.scene = NULL;
}

const char *config_obstacle_name(const struct rig_config *rig, int obstacle)
{
        if (!rig->scenery || obstacle < 0 || obstacle >= rig->scenery->obstacles)
                return "ground";
        return rig->scenery->name[obstacle];
}

/* Reads the tree; resolved may be NULL. */
static bool build_tree(struct rig_config *rig, const struct json *root,
                       struct rig_file *file, char **resolved, struct config_error *why)
{
        struct json *all = json_new_object();
        bool ok;

        config_table_read(&config_rig_table, root, file, all, why);
        /* Of what could be read, even where not all could. */
        ok = config_build_rig(rig, file, root, why) && why->count == 0;

        if (ok && resolved) {
                config_resolve_rig(all, root, rig);
                *resolved = config_table_sort(&config_rig_table, all) ? json_print(all)
                                                                      : NULL;
                ok = *resolved || refuse_memory(why);
        }
        json_free(all);
        if (!ok)
                config_free(rig);
        return ok;
}

/* What is set of a vehicle's copies comes before they are written out, so that everything else can be set of
 * any of them. */
static void apply_sets(struct config_document *d, const struct config_overrides *o,
                       bool copies, struct config_error *why)
{
        for (int i = 0; i < o->sets; i++) {
                const char *found = strstr(o->set[i], ".copies"),
                           *equals = strchr(o->set[i], '=');

                if ((found && (!equals || found < equals)) == copies)
                        config_document_set(d, o->set[i], &config_rig_table, why);
        }
}

static void apply_overrides(struct config_document *d, const struct config_overrides *o,
                            struct config_error *why)
{
        if (o && o->scenario)
                config_document_set_file(d, "scenario", o->scenario, "--scenario",
                                         &config_rig_table, why);
        config_expand_mission(d, o ? o->mission : NULL, o && o->scenario, why);
        if (o)
                apply_sets(d, o, true, why);
        config_expand_copies(d->root, why);
        if (o)
                apply_sets(d, o, false, why);
}

static bool read_document(struct rig_config *rig, struct config_document *d,
                          const struct config_overrides *o, char **resolved,
                          struct config_error *why)
{
        struct rig_file *file = calloc(1, sizeof(*file));
        bool ok;

        if (!file)
                return refuse_memory(why);
        apply_overrides(d, o, why);
        scenario_expand(json_member(d->root, "scenario"), why);
        ok = build_tree(rig, d->root, file, resolved, why);
        config_table_free(&config_rig_table, file);
        free(file);
        return ok;
}

bool config_read(struct rig_config *rig, const char *path,
                 const struct config_overrides *o, char **resolved,
                 struct config_error *why)
{
        struct config_document d = { 0 };
        bool ok;

        memset(rig, 0, sizeof(*rig));
        config_error_clear(why);
        if (resolved)
                *resolved = NULL;
        ok = config_document_open(&d, path, &config_rig_table, why) &&
             read_document(rig, &d, o, resolved, why);

        config_document_free(&d);
        return ok;
}

bool config_read_text(struct rig_config *rig, const char *name, const char *text,
                      size_t len, const struct config_overrides *o, char **resolved,
                      struct config_error *why)
{
        struct config_document d = { 0 };
        bool ok;

        memset(rig, 0, sizeof(*rig));
        config_error_clear(why);
        if (resolved)
                *resolved = NULL;
        ok = config_document_parse(&d, name, text, len, &config_rig_table, why) &&
             read_document(rig, &d, o, resolved, why);

        config_document_free(&d);
        return ok;
}

bool config_read_fc(struct fc_params *params, const char *path, struct config_error *why)
{
        struct config_document d = { 0 };
        struct fc_file file = { 0 };
        bool ok;

        config_error_clear(why);
        ok = config_document_open(&d, path, &config_fc_table, why) &&
             config_table_read(&config_fc_table, d.root, &file, NULL, why) &&
             config_build_fc(params, &file, d.root, why);

        config_document_free(&d);
        return ok;
}

bool config_read_hub(struct hub_params *params, const char *path,
                     struct config_error *why)
{
        struct config_document d = { 0 };
        struct hub_file *file = calloc(1, sizeof *file);
        bool ok;

        config_error_clear(why);
        if (!file)
                return refuse_memory(why);
        ok = config_document_open(&d, path, &config_hub_table, why) &&
             config_table_read(&config_hub_table, d.root, file, NULL, why) &&
             config_build_hub(params, file, d.root, why);

        config_document_free(&d);
        free(file);
        return ok;
}

char *config_schema_text(const char *kind)
{
        for (int i = 0; config_kinds[i]; i++)
                if (strcmp(config_kinds[i]->kind, kind) == 0)
                        return config_table_schema(config_kinds[i]);
        return NULL;
}
