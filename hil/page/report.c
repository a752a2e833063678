#include "hil/page/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/text/files.h"
#include "hil/page/page.h"

_Static_assert(SCENARIO_REQUIREMENTS_MAX <= REPORT_MOMENTS_MAX,
               "each requirement has its moment");

/* Rows within this of a requirement's worst moment are not thinned. */
#define AROUND_US 1500000

static char *copy_text(const char *text, size_t len)
{
        char *copy = malloc(len + 1);

        if (copy != NULL) {
                memcpy(copy, text, len);
                copy[len] = '\0';
        }
        return copy;
}

static struct json *parse_object(const char *text, size_t len, const char *name,
                                 const char *missing, char **why)
{
        struct json_error error = { "is missing" };
        struct json *root = NULL;

        if (missing != NULL)
                snprintf(error.text, sizeof error.text, "%s", missing);
        if (text != NULL)
                root = json_parse(text, len, name, &error);
        if (root != NULL && !json_is(root, JSON_OBJECT)) {
                json_free(root);
                root = NULL;
                snprintf(error.text, sizeof error.text, "%s: must be an object", name);
        }
        if (root == NULL)
                *why = copy_text(error.text, strlen(error.text));
        return root;
}

static void drop_rig(struct report *r)
{
        if (r->rig != NULL)
                config_free(r->rig);
        free(r->rig);
        r->rig = NULL;
}

/* The world as configured: what the sensors should have said follows from it. A configuration of another version may
 * not read: then the page goes without. */
static bool read_world(struct report *r, const struct report_files *files)
{
        const struct config_overrides none = { 0 };
        struct config_error error;
        char name[1100], *resolved = NULL;

        if (r->config == NULL)
                return true;
        r->rig = calloc(1, sizeof *r->rig);
        if (r->rig == NULL)
                return false;
        snprintf(name, sizeof name, "%s/config.json", r->folder);
        r->world.known = config_read_text(r->rig, name, files->config, files->config_len,
                                          &none, &resolved, &error);
        free(resolved);
        if (!r->world.known) {
                drop_rig(r);
                return true;
        }
        r->world.world = r->rig->world;
        r->world.world.scene = NULL;
        for (int i = 0; i < r->rig->vehicles; i++)
                r->world.flat_gps[i] = r->rig->vehicle[i].params.sensors.gps.flat_earth;
        return true;
}

static void note_moments_of(struct report *r, bool failed)
{
        struct report_moments *m = &r->moments;
        const struct json *list = json_member(r->summary, "requirements");

        for (const struct json *q = list != NULL ? list->first : NULL;
             q != NULL && m->count < REPORT_MOMENTS_MAX; q = q->next) {
                int64_t t_us = report_worst_us(q);

                if (t_us >= 0 && report_failed(q) == failed)
                        m->t_us[m->count++] = t_us;
        }
}

/* Where something failed, its moments get all the room there is. */
static void note_moments(struct report *r)
{
        r->moments.around_us = AROUND_US;
        note_moments_of(r, true);
        if (r->moments.count == 0)
                note_moments_of(r, false);
}

/* -1: there is none of that name. */
static int number_of(const struct report *r, const char *vehicle)
{
        const struct json *list = json_member(r->config, "vehicles");
        int i = 0;

        for (const struct json *v = list != NULL && vehicle != NULL ? list->first : NULL;
             v != NULL; v = v->next, i++)
                if (json_string(v, "name") != NULL &&
                    strcmp(json_string(v, "name"), vehicle) == 0)
                        return i;
        return -1;
}

static void focus_on(struct report_focus *f, double vehicle)
{
        if (vehicle >= 0.0 && vehicle < VEHICLES_MAX && f->count < REPORT_FOCUS_MAX)
                f->vehicle[f->count++] = (int)vehicle;
}

static void note_focus(struct report *r)
{
        static const char *const rank[] = { "fleet.worst", "fleet.median", "fleet.best" };
        const struct json *list = json_member(r->summary, "requirements");
        const struct json *asked = json_at(r->config, "scenario.requirements");

        focus_on(&r->focus, r->vehicle);
        for (int i = 0; i < 3; i++)
                focus_on(&r->focus, json_number(r->summary, rank[i]));
        for (const struct json *q = list != NULL ? list->first : NULL;
             q != NULL && asked != NULL; q = q->next)
                if (report_failed(q))
                        focus_on(&r->focus,
                                 json_number(report_asked_for(r, q), "vehicle"));
        /* Nothing tells which are worth it. */
        if (r->focus.count == 0)
                focus_on(&r->focus, 0.0);
}

bool report_read(struct report *r, const char *folder, const struct report_files *files)
{
        r->folder = folder;
        r->summary = parse_object(files->summary, files->summary_len, "summary.json",
                                  files->summary_why, &r->summary_why);
        r->config = parse_object(files->config, files->config_len, "config.json",
                                 files->config_why, &r->config_why);
        if (files->config != NULL) {
                r->config_text = copy_text(files->config, files->config_len);
                if (r->config_text == NULL)
                        return false;
        }
        note_moments(r);
        r->vehicle = number_of(r, files->vehicle);
        note_focus(r);
        r->log_there = files->log != NULL;
        r->log_why = r->log_there ? topic_reader_refusal(files->log, files->log_len)
                                  : files->log_why;
        return read_world(r, files) &&
               (!r->log_there || report_log_read(&r->log, files->log, files->log_len,
                                                 &r->world, &r->moments, &r->focus));
}

void report_free(struct report *r)
{
        json_free(r->summary);
        json_free(r->config);
        free(r->summary_why);
        free(r->config_why);
        free(r->config_text);
        report_log_free(&r->log);
        drop_rig(r);
}

static const void *map_file(const char *folder, const char *name, size_t *len,
                            const char **why)
{
        char path[1100];

        snprintf(path, sizeof path, "%s/%s", folder, name);
        return mapped_file_open(path, len, why);
}

bool report_page(FILE *out, const struct report *r)
{
        struct json *page = report_document(r);
        bool ok = page_open(out, page);

        if (ok) {
                report_put_flight(out, r);
                page_close(out, page);
        }
        json_free(page);
        return ok;
}

static bool write_page(const struct report *r, char *why, size_t cap)
{
        char path[1100], part[1130];
        FILE *out;
        bool ok;

        snprintf(path, sizeof path, "%s/report.html", r->folder);
        /* Another process may be at it, too. */
        snprintf(part, sizeof part, "%s.%d.part", path, getpid());
        out = fopen(part, "wxe");
        if (out == NULL) {
                snprintf(why, cap, "%s: cannot be written (%s)", part, strerror(errno));
                return false;
        }
        errno = ENOMEM;
        ok = report_page(out, r) && ferror(out) == 0;
        ok = fclose(out) == 0 && ok;
        /* Whole or not at all: a page that stands there can be believed. */
        if (ok && rename(part, path) == 0)
                return true;
        snprintf(why, cap, "%s: could not be written (%s)", path, strerror(errno));
        unlink(part);
        return false;
}

static bool write_files(const char *folder, const struct report_files *files, char *why,
                        size_t cap)
{
        struct report *r = calloc(1, sizeof *r);
        bool ok = r != NULL && report_read(r, folder, files);

        if (!ok)
                snprintf(why, cap, "%s: out of memory", folder);
        if (ok && files->vehicle != NULL && r->vehicle < 0) {
                snprintf(why, cap, "%s: no vehicle is called %s", folder, files->vehicle);
                ok = false;
        }
        ok = ok && write_page(r, why, cap);
        if (r != NULL)
                report_free(r);
        free(r);
        return ok;
}

static bool holds_log(const struct report_files *files)
{
        return files->log != NULL && !ulog_is_header_cut(files->log, files->log_len);
}

/* One sentence of a folder that has nothing to show. */
static void refuse_folder(const char *folder, const struct report_files *files, char *why,
                          size_t cap)
{
        bool missing = files->log == NULL && strcmp(files->log_why, "is missing") == 0 &&
                       strcmp(files->summary_why, "is missing") == 0;

        if (missing)
                snprintf(why, cap, "%s: holds neither summary.json nor run.ulg", folder);
        else
                snprintf(why, cap, "%s: nothing to report: run.ulg %s, summary.json %s",
                         folder,
                         files->log != NULL
                                 ? topic_reader_refusal(files->log, files->log_len)
                                 : files->log_why,
                         files->summary_why);
}

static void map_files(const char *folder, struct report_files *files)
{
        files->summary = map_file(folder, "summary.json", &files->summary_len,
                                  &files->summary_why);
        files->config =
                map_file(folder, "config.json", &files->config_len, &files->config_why);
        files->log = map_file(folder, "run.ulg", &files->log_len, &files->log_why);
}

static void close_files(const struct report_files *files)
{
        mapped_file_close(files->summary, files->summary_len);
        mapped_file_close(files->config, files->config_len);
        mapped_file_close(files->log, files->log_len);
}

bool report_read_folder(struct report *r, const char *folder)
{
        struct report_files files = { 0 };
        bool ok;

        map_files(folder, &files);
        ok = report_read(r, folder, &files);
        close_files(&files);
        return ok;
}

bool report_write(const char *folder, const char *vehicle, char *why, size_t cap)
{
        struct report_files files = { .vehicle = vehicle };
        bool ok = false;

        if (strlen(folder) > 1000) {
                snprintf(why, cap, "the run folder's name is too long");
                return false;
        }
        map_files(folder, &files);
        if (files.summary == NULL && !holds_log(&files))
                refuse_folder(folder, &files, why, cap);
        else
                ok = write_files(folder, &files, why, cap);
        close_files(&files);
        return ok;
}
