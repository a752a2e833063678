/* Every key of the tables and kind of file as text: for scripts, and as a page of the documentation. */
#include "hil/config/rig/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLES_MAX 160

static bool holds_objects(const struct config_field *f)
{
        return f->type == CONFIG_OBJECT || f->type == CONFIG_OBJECTS;
}

static void list_table(FILE *out, const struct config_table *t, const char *path)
{
        char below[200];

        for (const struct config_field *f = t->field; f->key; f++) {
                fprintf(out, "%s%s\t%s\t%s\n", path, f->key,
                        f->preset     ? f->preset
                        : f->optional ? "optional"
                                      : "required",
                        f->about);
                if (!holds_objects(f))
                        continue;
                snprintf(below, sizeof below, "%s%s.%s", path, f->key,
                         f->type == CONFIG_OBJECTS ? "0." : "");
                list_table(out, f->table, below);
        }
}

static const char *type_of(const struct config_field *f)
{
        switch (f->type) {
        case CONFIG_INTEGER:
        case CONFIG_WHOLE:
        case CONFIG_SEED:
                return "whole number";
        case CONFIG_VECTOR:
                return "numbers";
        case CONFIG_INTEGERS:
                return "whole numbers";
        case CONFIG_BOOL:
                return "true or false";
        case CONFIG_TEXT:
        case CONFIG_NAME:
                return "text";
        case CONFIG_TEXTS:
                return "text, or a list of them";
        case CONFIG_CHOICE:
                return "one of";
        case CONFIG_PAIRS:
                return "names and texts";
        case CONFIG_OBJECT:
                return "object";
        case CONFIG_OBJECTS:
                return "list of objects";
        default:
                return "number";
        }
}

/* A bar would end the cell of a table. */
static void write_cell(FILE *out, const char *text)
{
        for (; *text; text++)
                fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void write_bounds(FILE *out, const struct config_field *f)
{
        static const char *const lower[] = { "", ", from ", ", above " };
        static const char *const upper[] = { "", " to ", " to below " };
        char least[40], most[40];

        json_format_number(least, sizeof least, f->min);
        json_format_number(most, sizeof most, f->max);
        fprintf(out, "%s%s%s%s", lower[f->lower], f->lower ? least : "",
                f->lower || !f->upper ? upper[f->upper] : ", up to ",
                f->upper ? most : "");
}

static void write_type(FILE *out, const struct config_field *f)
{
        fputs(type_of(f), out);
        for (int i = 0; f->type == CONFIG_CHOICE && f->names[i]; i++)
                fprintf(out, "%s `%s`", i > 0 ? "," : "", f->names[i]);
        if (holds_objects(f) && f->table->kind)
                fprintf(out, ", or a %s file", f->table->kind);
        else if (holds_objects(f))
                fprintf(out, " [%s](#%s)", f->table->name, f->table->name);
        else if (config_unit(f->key))
                fprintf(out, " in %s", config_unit(f->key));
        write_bounds(out, f);
}

static void write_table(FILE *out, const struct config_table *t)
{
        fprintf(out, "\n## %s\n\n%s\n\n| key | value | default | |\n|---|---|---|---|\n",
                t->name, t->about);
        for (const struct config_field *f = t->field; f->key; f++) {
                fprintf(out, "| `%s` | ", f->key);
                write_type(out, f);
                fprintf(out, f->preset ? " | `%s` | " : " | %s | ",
                        f->preset     ? f->preset
                        : f->optional ? ""
                                      : "required");
                write_cell(out, f->about);
                fputs(" |\n", out);
        }
}

struct written {
        int count;
        const struct config_table *table[TABLES_MAX];
};

/* The table and those below it, each once. */
static void write_tables(FILE *out, const struct config_table *t, struct written *w)
{
        for (int i = 0; i < w->count; i++)
                if (w->table[i] == t)
                        return;
        if (w->count == TABLES_MAX)
                return;
        w->table[w->count++] = t;
        write_table(out, t);
        for (const struct config_field *f = t->field; f->key; f++)
                if (holds_objects(f))
                        write_tables(out, f->table, w);
}

static void write_page(FILE *out)
{
        struct written written = { 0 };

        fputs("# Every key\n\nWhat stands in the tables of `hil/config`; "
              "`hilrig check --keys page` prints it. A key ends in its unit, "
              "[configuration.md](configuration.md) says what goes for all of them. "
              "\"comment\" and \"include\" may stand in any object.\n",
              out);
        for (int i = 0; config_kinds[i]; i++)
                write_tables(out, config_kinds[i], &written);
}

char *config_keys_text(const char *form)
{
        char *text = NULL;
        size_t len;
        FILE *out;

        if (strcmp(form, "list") != 0 && strcmp(form, "page") != 0 &&
            strcmp(form, "kinds") != 0)
                return NULL;
        out = open_memstream(&text, &len);
        if (!out)
                return NULL;
        if (form[0] == 'l')
                list_table(out, &config_rig_table, "");
        for (int i = 0; form[0] == 'k' && config_kinds[i]; i++)
                fprintf(out, "%s\n", config_kinds[i]->kind);
        if (form[0] == 'p')
                write_page(out);
        if (fclose(out) == 0)
                return text;
        free(text);
        return NULL;
}
