/* The pair of runs that a comparison opens with, as two flights in one scene. */
#include <stdlib.h>

#include "hil/page/compare_lines.h"
#include "hil/page/page.h"
#include "hil/page/report.h"
#include "hil/page/scene.h"
#include "hil/text/markup.h"

/* Of more vehicles the page would be too large. */
#define VEHICLES_SHOWN 4

static bool is_shown(const struct report *r)
{
        return r->rig != NULL && r->log.vehicles > 0 &&
               r->log.vehicles == r->rig->vehicles && r->log.vehicles <= VEHICLES_SHOWN;
}

static void put_pair(FILE *f, const struct compared_twins *t, const struct report *r)
{
        struct json *scene = json_new_object();

        page_scene_add(scene, r[0].rig);
        fputs("{\"group\":", f);
        markup_json(f, t->a->group);
        fprintf(f, ",\"name\":\"seed %llu, repeat %d\",\n\"scene\":",
                (unsigned long long)t->a->seed, t->a->repeat);
        if (scene != NULL)
                page_put(f, scene);
        else
                fputs("null", f);
        fputs(",\n\"sides\":[", f);
        report_put_paths(f, &r[0]);
        fputs(",\n", f);
        report_put_paths(f, &r[1]);
        fputs("]}", f);
        json_free(scene);
}

bool compare_pair_put(FILE *f, const struct compared_side side[2],
                      const struct compared_twins *t)
{
        struct report *r = calloc(2, sizeof *r);
        char folder[2][1100];
        bool ok = r != NULL;

        for (int i = 0; ok && i < 2; i++) {
                const struct compared_result *run = i == 0 ? t->a : t->b;

                snprintf(folder[i], sizeof folder[i], "%s%s%s", side[i].folder,
                         run->path[0] != '\0' ? "/" : "", run->path);
                ok = report_read_folder(&r[i], folder[i]);
        }
        fputs(",\n\"pair\":", f);
        if (ok && is_shown(&r[0]) && is_shown(&r[1]))
                put_pair(f, t, r);
        else
                fputs("null", f);
        for (int i = 0; r != NULL && i < 2; i++)
                report_free(&r[i]);
        free(r);
        return ok;
}
