/* messages.xml and conf.xml, read by expat. External entities are not fetched, and inner ones are bounded by expat. */
#include "io/twin/ivy_layout.h"

#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX (16 << 20)
#define CHUNK    65536

struct reading {
        const char *path;
        XML_Parser parser;
        struct link_error *why;
        bool refused;
        struct ivy_layouts *layouts; /* of messages.xml, else NULL */
        struct ivy_layout
                *into; /* the message that is being read; NULL: none that counts */
        struct ivy_fleet *fleet; /* of conf.xml, else NULL */
        int elements; /* that the file is for */
};

static void refuse_here(struct reading *r, const char *what, const char *of,
                        const char *expected)
{
        if (r->refused)
                return;
        r->refused = true;
        snprintf(r->why->text, sizeof r->why->text, "%s:%lu: %s%s%.60s: %s", r->path,
                 (unsigned long)XML_GetCurrentLineNumber(r->parser), what,
                 of[0] != '\0' ? " " : "", of, expected);
        XML_StopParser(r->parser, XML_FALSE);
}

static const char *attribute(const XML_Char **attributes, const char *name)
{
        for (int i = 0; attributes[i] != NULL; i += 2)
                if (strcmp(attributes[i], name) == 0)
                        return attributes[i + 1];
        return NULL;
}

static void begin_message(struct reading *r, const XML_Char **attributes)
{
        const char *name = attribute(attributes, "name");

        r->elements++;
        if (r->into != NULL) {
                refuse_here(r, r->into->name, "", "must end before the next message");
                return;
        }
        for (int i = 0; name != NULL && i < IVY_LAYOUTS; i++)
                if (strcmp(r->layouts->of[i].name, name) == 0)
                        r->into = &r->layouts->of[i];
        if (r->into != NULL)
                r->into->fields = 0;
}

static void read_field(struct reading *r, const XML_Char **attributes)
{
        struct ivy_field_text text = { .name = attribute(attributes, "name"),
                                       .type = attribute(attributes, "type"),
                                       .unit = attribute(attributes, "unit"),
                                       .alt_unit = attribute(attributes, "alt_unit"),
                                       .alt_unit_coef =
                                               attribute(attributes, "alt_unit_coef") };
        struct ivy_layout *l = r->into;
        const char *expected = "";
        char must[80];

        if (text.name == NULL) {
                refuse_here(r, "a field of", l->name, "must have a name");
        } else if (text.type != NULL && strchr(text.type, '[') != NULL) {
                refuse_here(r, l->name, text.name, "must be a number, is an array");
        } else if (l->fields == IVY_FIELDS_MAX) {
                refuse_here(r, l->name, text.name, "must be one of 64 fields at most");
        } else if (!ivy_field_make(&l->field[l->fields++], &text, &expected)) {
                snprintf(must, sizeof must, "its unit must be %s", expected);
                refuse_here(r, l->name, text.name, must);
        }
}

static void read_aircraft(struct reading *r, const XML_Char **attributes)
{
        const char *name = attribute(attributes, "name");
        const char *text = attribute(attributes, "ac_id");
        char *end = NULL;
        long id = text != NULL ? strtol(text, &end, 10) : 0;
        struct ivy_fleet *f = r->fleet;

        r->elements++;
        if (name == NULL || name[0] == '\0' || strlen(name) >= IVY_NAME_MAX)
                refuse_here(r, "aircraft", name ? name : "",
                            "must have a name of up to 63 bytes");
        else if (id < 1 || id > 254 || *end != '\0')
                refuse_here(r, "aircraft", name, "its ac_id must be 1 to 254");
        else if (ivy_fleet_find(f, name) != 0 || ivy_fleet_has(f, (int)id))
                refuse_here(r, "aircraft", name, "its name or its ac_id stands twice");
        else if (f->count == IVY_AIRCRAFT_MAX)
                refuse_here(r, "aircraft", name, "is one of more than 256");
        else {
                snprintf(f->aircraft[f->count].name, IVY_NAME_MAX, "%s", name);
                f->aircraft[f->count++].id = (int)id;
        }
}

static void XMLCALL begin_element(void *user, const XML_Char *name,
                                  const XML_Char **attributes)
{
        struct reading *r = user;

        if (r->layouts != NULL && strcmp(name, "message") == 0)
                begin_message(r, attributes);
        else if (r->layouts != NULL && strcmp(name, "field") == 0 && r->into != NULL)
                read_field(r, attributes);
        else if (r->fleet != NULL && strcmp(name, "aircraft") == 0)
                read_aircraft(r, attributes);
}

static void XMLCALL end_element(void *user, const XML_Char *name)
{
        struct reading *r = user;

        if (strcmp(name, "message") != 0)
                return;
        if (r->into != NULL && ivy_layout_says(r->into) == 0)
                refuse_here(r, r->into->name, "",
                            "must have east, north and up, or phi, theta and psi, or "
                            "thrust, or height");
        r->into = NULL;
}

static void refuse_text(struct reading *r)
{
        if (r->refused)
                return;
        r->refused = true;
        snprintf(r->why->text, sizeof r->why->text, "%s:%lu: %s", r->path,
                 (unsigned long)XML_GetCurrentLineNumber(r->parser),
                 XML_ErrorString(XML_GetErrorCode(r->parser)));
}

static bool parse(struct reading *r, FILE *file)
{
        size_t all = 0, len;

        do {
                void *chunk = XML_GetBuffer(r->parser, CHUNK);

                if (chunk == NULL) {
                        refuse_text(r);
                        return false;
                }
                len = fread(chunk, 1, CHUNK, file);
                all += len;
                if (all > FILE_MAX || ferror(file)) {
                        snprintf(r->why->text, sizeof r->why->text, "%s: %s", r->path,
                                 ferror(file) ? strerror(errno) : "has more than 16 MiB");
                        return false;
                }
                if (XML_ParseBuffer(r->parser, (int)len, len == 0) != XML_STATUS_OK) {
                        refuse_text(r);
                        return false;
                }
        } while (len > 0);
        return true;
}

static bool read_file(struct reading *r, const char *element)
{
        FILE *file = fopen(r->path, "re");
        bool ok = file != NULL;

        if (!ok)
                snprintf(r->why->text, sizeof r->why->text, "%s: %s", r->path,
                         strerror(errno));
        r->parser = ok ? XML_ParserCreate(NULL) : NULL;
        if (ok && r->parser == NULL) {
                snprintf(r->why->text, sizeof r->why->text, "%s: out of memory", r->path);
                ok = false;
        }
        if (ok) {
                XML_SetUserData(r->parser, r);
                XML_SetElementHandler(r->parser, begin_element, end_element);
                ok = parse(r, file);
                XML_ParserFree(r->parser);
        }
        if (file != NULL)
                fclose(file);
        if (ok && r->elements == 0)
                snprintf(r->why->text, sizeof r->why->text, "%s: has no <%s>", r->path,
                         element);
        return ok && r->elements > 0;
}

bool ivy_layouts_read(struct ivy_layouts *l, const char *path, struct link_error *why)
{
        struct reading r = { .path = path, .why = why, .layouts = l };

        return read_file(&r, "message");
}

bool ivy_fleet_read(struct ivy_fleet *f, const char *path, struct link_error *why)
{
        struct reading r = { .path = path, .why = why, .fleet = f };

        f->count = 0;
        return read_file(&r, "aircraft");
}
