#include "hil/console/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/rig/loop.h"
#include "hil/text/files.h"
#include "hil/text/json.h"
#include "hil/text/terminal.h"

void watch_reserve(struct watch *w, struct rig_config *config)
{
        struct scenario *s = &config->scenario;
        int room = SCENARIO_STEPS_MAX - s->steps;

        if (!w->control || s->tracks == SCENARIO_TRACKS_MAX || room == 0)
                return;
        s->tracks++;
        s->reserve = room < LIVE_FAULTS_MAX ? room : LIVE_FAULTS_MAX;
        w->scenario = s;
}

/* A flight that is flown again may have one of that name. */
static void name_track(struct json *track, const struct json *tracks)
{
        char name[NAME_MAX_LEN] = "by_hand";
        int number = 1;

        for (const struct json *t = tracks->first; t != NULL;) {
                const char *is = json_string(t, "name");

                t = t->next;
                if (is == NULL || strcmp(is, name) != 0)
                        continue;
                snprintf(name, sizeof name, "by_hand_%d", ++number);
                t = tracks->first;
        }
        json_add_string(track, "name", name);
}

/* lasted_s: how long before it was lifted by hand; 0: as it says itself. */
static bool add_fault(struct json *steps, const char *text, int64_t tick, double lasted_s)
{
        struct json_error error;
        struct json *step = json_parse(text, strlen(text), NULL, &error);

        if (step == NULL)
                return false;
        json_add_i64(step, "at_tick", tick);
        if (lasted_s > 0.0) {
                json_free(json_member(step, "for_s") != NULL
                                  ? json_detach(json_member(step, "for_s"))
                                  : NULL);
                json_add_number(step, "for_s", lasted_s);
        }
        return json_attach(steps, NULL, step);
}

/* The configuration with them, a root; NULL: no memory. */
static struct json *config_with_faults(const struct live_page *page, int64_t period_ns,
                                       const char *resolved)
{
        struct json_error error;
        struct json *root = json_parse(resolved, strlen(resolved), NULL, &error);
        struct json *tracks = json_at(root, "scenario.tracks"),
                    *track = json_new_object(), *steps;
        bool ok = tracks != NULL && track != NULL;

        if (ok)
                name_track(track, tracks);
        steps = json_add_array(track, "steps");
        for (int i = 0; ok && i < page->faults; i++)
                ok = page->fault[i].tick < 0 ||
                     add_fault(steps, page->fault[i].text, page->fault[i].tick,
                               (double)((page->fault[i].lifted - page->fault[i].tick) *
                                        period_ns) *
                                       1e-9);
        if (ok && json_attach(tracks, NULL, track))
                return root;
        if (!ok)
                json_free(track);
        json_free(root);
        return NULL;
}

/* What was flown, and its scenario, which other rigs may fly, too. */
static bool write_with_faults(const struct live_page *page, int64_t period_ns,
                              const char *folder, char **resolved, char *why, size_t cap)
{
        struct json *root = config_with_faults(page, period_ns, *resolved);
        struct json *scenario =
                root != NULL ? json_copy(json_member(root, "scenario")) : NULL;
        char *text = root != NULL ? json_print(root) : NULL;
        char *alone = scenario != NULL ? json_print(scenario) : NULL;
        bool ok = text != NULL && alone != NULL;

        json_free(root);
        json_free(scenario);
        if (!ok)
                snprintf(why, cap, "config.json: out of memory");
        ok = ok && run_folder_write(folder, "config.json", text, why, cap) &&
             run_folder_write(folder, "scenario.json", alone, why, cap);
        free(alone);
        if (text != NULL) {
                free(*resolved);
                *resolved = text;
        }
        return ok;
}

bool watch_keep_faults(struct rig *rig, const char *folder, char **resolved, char *why,
                       size_t cap)
{
        struct live_page *page = &rig->page;
        bool ok = page->faults == 0 || write_with_faults(page, rig->config->period_ns,
                                                         folder, resolved, why, cap);

        for (int i = 0; i < page->faults; i++)
                free(page->fault[i].text);
        page->faults = 0;
        return ok;
}

bool watch_open(const struct watch *w, struct rig *rig, char *why, size_t cap)
{
        struct live_setup setup = { .address = w->at,
                                    .rig = rig->config,
                                    .control = w->control };

        if (!w->wanted)
                return true;
        if (w->at.ip[0] == '\0' && !live_address_read(&setup.address, NULL, why, cap))
                return false;
        rig->page.server = live_server_open(&setup, why, cap);
        if (rig->page.server == NULL)
                return false;
        rig->page.scenario = w->scenario;
        if (w->held)
                loop_begin_held(rig);
        terminal_print(stderr, "live page: %s\n", live_server_url(rig->page.server));
        return true;
}

struct ring *watch_words(const struct rig *rig)
{
        return rig->page.server != NULL ? live_server_words(rig->page.server) : NULL;
}

void watch_close(struct rig *rig, const struct summary *summary)
{
        struct live_end end = { .verdict = VERDICT_VOID };

        if (rig->page.server == NULL)
                return;
        if (summary != NULL) {
                end.verdict = summary->verdict;
                snprintf(end.reason, sizeof end.reason, "%s", summary->reason);
                live_server_tell(rig->page.server, LIVE_END,
                                 rig->tick * rig->config->period_ns, &end, sizeof end);
        }
        live_server_close(rig->page.server);
        rig->page.server = NULL;
}
