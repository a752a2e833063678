/* By the schema that the file names; else by its keys, of which another kind knows more than a rig. */
#include "hil/config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/rig/rig.h"

static bool schema_is(const char *schema, const char *kind)
{
        const char *slash = strrchr(schema, '/');
        const char *file = slash != NULL ? slash + 1 : schema;
        size_t len = strlen(kind);

        return strncmp(file, kind, len) == 0 && strcmp(file + len, ".schema.json") == 0;
}

/* Every kind of file may have a name. */
static int keys_known(const struct config_table *table, const struct json *root)
{
        int known = 0;

        for (const struct json *c = root->first; c != NULL; c = c->next)
                known += strcmp(c->key, "name") != 0 &&
                         config_table_find(table, c->key) != NULL;
        return known;
}

const char *config_kind_name(const struct json *root)
{
        const char *schema = json_string(root, "$schema"), *kind = NULL;
        int most = keys_known(&config_rig_table, root);

        if (most > 0)
                kind = config_rig_table.kind;
        else
                most = 1; /* a single key of another kind may be a rig's, misspelt */
        for (int i = 0; schema != NULL && config_kinds[i] != NULL; i++)
                if (schema_is(schema, config_kinds[i]->kind))
                        return config_kinds[i]->kind;
        for (int i = 0; config_kinds[i] != NULL; i++)
                if (keys_known(config_kinds[i], root) > most) {
                        most = keys_known(config_kinds[i], root);
                        kind = config_kinds[i]->kind;
                }
        return kind;
}

static void explain_kind(const char *command, const char *path, const char *kind,
                         struct config_error *why)
{
        char words[40];

        config_error_clear(why);
        snprintf(words, sizeof words, "%s", kind);
        for (char *c = words; *c != '\0'; c++)
                *c = *c == '_' ? ' ' : *c;
        if (strcmp(kind, "scenario") == 0)
                config_refuse_line(why,
                                   "%s: is a scenario, not a rig; with a rig that flies "
                                   "it: hilrig %s RIG --scenario %s",
                                   path, command, path);
        else if (strcmp(kind, "suite") == 0 || strcmp(kind, "campaign") == 0)
                config_refuse_line(why,
                                   "%s: is a %s, not a rig; hilrig %s flies it, and "
                                   "hilrig %s takes the rigs that it names",
                                   path, kind, kind, command);
        else if (strcmp(kind, "farm") == 0)
                config_refuse_line(why,
                                   "%s: is a farm, not a rig; hilrig farm tells of its "
                                   "boards, and a campaign flies on them",
                                   path);
        else
                config_refuse_line(why,
                                   "%s: is %s %s, not a rig; hilrig %s takes a rig "
                                   "that names it",
                                   path, strchr("aeiou", words[0]) != NULL ? "an" : "a",
                                   words, command);
}

void config_kind_of_file(const char *path, char *kind, size_t cap)
{
        struct config_error unread = { .count = 0 };
        struct json_error error;
        size_t len;
        char *text = config_load_named(path, &len, &unread);
        struct json *root = text != NULL ? json_parse(text, len, path, &error) : NULL;
        const char *name = root != NULL && json_is(root, JSON_OBJECT)
                                   ? config_kind_name(root)
                                   : NULL;

        snprintf(kind, cap, "%s", name != NULL ? name : "");
        json_free(root);
        free(text);
}

void config_kind_explain(const char *command, const char *path, struct config_error *why)
{
        char kind[40];

        config_kind_of_file(path, kind, sizeof kind);
        if (kind[0] != '\0' && strcmp(kind, "rig") != 0)
                explain_kind(command, path, kind, why);
}
