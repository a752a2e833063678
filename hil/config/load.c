/* Includes and file references. Each file is expanded by itself before it is merged, so
 * that a file reference in it is seen relative to it. A name whose file cannot be read stays, refused. */
#include "hil/config/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files that are open on the way from the root to here. */
struct chain {
        const struct chain *up;
        const char *file;
        dev_t dev;
        ino_t ino;
        int length;
};

struct loader {
        struct config_document *d;
        struct config_error *why;
};

static void expand_node(struct loader *l, struct json **node,
                        const struct config_table *table, const struct chain *chain);

void config_document_number(struct config_document *d, struct json *value)
{
        value->place = ++d->values;
        for (struct json *c = value->first; c; c = c->next)
                config_document_number(d, c);
}

const char *config_document_name(struct config_document *d, const char *name,
                                 struct config_error *why)
{
        char *copy = d->files < CONFIG_FILES_MAX ? strdup(name) : NULL;

        if (d->files == CONFIG_FILES_MAX)
                config_refuse_line(why, "%s: is one file too many, at most %d", name,
                                   CONFIG_FILES_MAX);
        else if (!copy)
                config_refuse_line(why, "%s: out of memory", name);
        if (!copy)
                return NULL;
        d->file[d->files++] = copy;
        return copy;
}

/* Writes a -> b -> c from the outermost file inwards; returns how much was written. */
static size_t write_chain(const struct chain *c, char *buf, size_t cap)
{
        size_t used = c->up ? write_chain(c->up, buf, cap) : 0;

        if (used < cap)
                used += (size_t)snprintf(buf + used, cap - used, "%s -> ", c->file);
        return used;
}

static bool check_chain(const struct chain *c, const struct json *at,
                        struct config_error *why)
{
        char names[400];

        for (const struct chain *u = c->up; u; u = u->up) {
                if (u->dev != c->dev || u->ino != c->ino)
                        continue;
                write_chain(c->up, names, sizeof(names));
                return config_refuse(why, at, NULL, "is cyclic: %s%s", names, c->file);
        }
        if (c->length > CONFIG_NESTED_MAX)
                return config_refuse(why, at, NULL,
                                     "more than %d files include each other in a row",
                                     CONFIG_NESTED_MAX);
        return true;
}

static struct json *parse_text(struct loader *l, const char *name, const char *text,
                               size_t len, const struct config_table *table,
                               const struct chain *chain)
{
        struct json_error parse_error;
        struct json *root;

        l->d->bytes += len;
        if (l->d->bytes > CONFIG_TOTAL_MAX) {
                config_refuse_line(l->why, "%s: with it the files are larger than 16 MiB",
                                   name);
                return NULL;
        }
        root = json_parse(text, len, name, &parse_error);
        if (!root) {
                config_refuse_file(l->why, ++l->d->values, "%s: %s", name,
                                   parse_error.text);
                return NULL;
        }
        config_document_number(l->d, root);
        expand_node(l, &root, table, chain);
        return root;
}

/* The tree of a file that was found by its name. `at` is the string that named it, NULL for the first. */
static struct json *load_file(struct loader *l, const char *path, const char *name,
                              struct json *at, const struct config_table *table,
                              const struct chain *up)
{
        struct chain here = { .up = up, .length = up ? up->length + 1 : 1 };
        struct config_error reason = { .count = 0 };
        struct stat st;
        struct json *root = NULL;
        size_t len;
        char *text = config_file_text(path, name, &len, &st, &reason);

        if (!text && at)
                config_refuse(l->why, at, NULL, "%s", reason.text);
        else if (!text)
                config_refuse_line(l->why, "%s", reason.text);
        else
                here.file = config_document_name(l->d, path, l->why);
        here.dev = st.st_dev;
        here.ino = st.st_ino;
        if (here.file && (!at || check_chain(&here, at, l->why)))
                root = parse_text(l, here.file, text, len, table, &here);
        free(text);
        return root;
}

/* NULL: the name is refused, and the reason said. */
static struct json *load_named(struct loader *l, struct json *name,
                               const struct config_table *table,
                               const struct chain *chain)
{
        char *path;
        struct json *root;

        if (!json_is(name, JSON_STRING)) {
                config_refuse(l->why, name, NULL, "must be the name of a file");
                return NULL;
        }
        path = config_file_beside(name->file, name->text);
        if (!path) {
                config_refuse(l->why, name, NULL, "out of memory");
                return NULL;
        }
        root = load_file(l, path, name->text, name, table, chain);
        name->refused = root == NULL;
        free(path);
        return root;
}

/* What stands in `over` wins over what stands in `base`. Takes over's children. */
static bool merge_objects(struct json *base, struct json *over)
{
        base->file = over->file;
        base->depth = over->depth;
        while (over->first) {
                struct json *c = json_detach(over->first);
                struct json *old = json_member(base, c->key);
                bool ok = true;

                if (!old) {
                        ok = json_attach(base, c->key, c);
                } else if (!c->whole && c->type == JSON_OBJECT &&
                           old->type == JSON_OBJECT) {
                        ok = merge_objects(old, c);
                        json_free(c);
                } else {
                        json_replace(old, c);
                }
                if (!ok)
                        return false;
        }
        return true;
}

/* The root of a tree takes the place of another node, which may be a root too. */
static void replace_node(struct json **node, struct json *with)
{
        if ((*node)->parent)
                json_replace(*node, with);
        else
                json_free(*node);
        *node = with;
}

static void include_base(struct loader *l, struct json **node,
                         const struct config_table *table, const struct chain *chain)
{
        struct json *name = json_member(*node, "include");
        struct json *base =
                name && !name->refused ? load_named(l, name, table, chain) : NULL;

        if (!base)
                return;
        if (base->type != JSON_OBJECT) {
                config_refuse(l->why, name, NULL, "%s holds no object", base->file);
                json_free(base);
                return;
        }
        json_free(json_detach(name));
        if (!merge_objects(base, *node))
                config_refuse(l->why, *node, NULL, "out of memory");
        replace_node(node, base);
}

static void load_reference(struct loader *l, struct json **node,
                           const struct config_table *table, const struct chain *chain)
{
        struct json *file = load_named(l, *node, table, chain);

        if (!file)
                return;
        file->whole = true;
        replace_node(node, file);
}

static void expand_field(struct loader *l, struct json *value,
                         const struct config_field *f, const struct chain *chain)
{
        if (value->refused)
                return;
        if (f->type == CONFIG_OBJECT && value->type == JSON_STRING && f->table->kind)
                load_reference(l, &value, f->table, chain);
        else if (f->type == CONFIG_OBJECT)
                expand_node(l, &value, f->table, chain);
        else if (f->type == CONFIG_OBJECTS && value->type == JSON_ARRAY)
                for (struct json *c = value->first; c; c = c->next)
                        expand_node(l, &c, f->table, chain);
}

/* Unknown keys are left as they are: the reader names them. */
static void expand_node(struct loader *l, struct json **node,
                        const struct config_table *table, const struct chain *chain)
{
        if ((*node)->type != JSON_OBJECT)
                return;
        for (struct json *c = (*node)->first, *next; c; c = next) {
                const struct config_field *f = config_table_find(table, c->key);

                next = c->next;
                if (f)
                        expand_field(l, c, f, chain);
        }
        include_base(l, node, table, chain);
}

bool config_document_open(struct config_document *d, const char *path,
                          const struct config_table *table, struct config_error *why)
{
        struct loader l = { d, why };
        char *found = config_file_named(path);

        if (found)
                d->root = load_file(&l, found, path, NULL, table, NULL);
        else
                config_refuse_line(why, "%s: out of memory", path);
        free(found);
        return d->root != NULL;
}

bool config_document_parse(struct config_document *d, const char *name, const char *text,
                           size_t len, const struct config_table *table,
                           struct config_error *why)
{
        struct loader l = { d, why };
        struct chain here = { .length = 1 };

        here.file = config_document_name(d, name, why);
        if (here.file)
                d->root = parse_text(&l, here.file, text, len, table, &here);
        return d->root != NULL;
}

void config_document_expand(struct config_document *d, struct json *node,
                            const struct config_table *table, struct config_error *why)
{
        struct loader l = { d, why };

        expand_node(&l, node == d->root ? &d->root : &node, table, NULL);
}

void config_document_free(struct config_document *d)
{
        json_free(d->root);
        for (int i = 0; i < d->files; i++)
                free(d->file[i]);
}
