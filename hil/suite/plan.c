/* From a suite file to its runs. */
#include "hil/suite/suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/config/load.h"
#include "hil/config/rig/rig.h"

/* One rig with one scenario and one variant, and what its runs have in common. */
struct cell {
        const struct suite_variant *variant;
        const char *rig, *scenario, *board;
        char group[COMPARE_GROUP_MAX];
        bool seen; /* what follows is known */
        bool alone;
        char old_firmware[32];
        int vehicles;
        int64_t duration_ns;
        struct suite_signer signer;
};

struct planner {
        struct suite *s;
        struct suite_only only;
        struct rig_config *config;
        char *why;
        size_t cap;
};

static bool refuse_plan(struct planner *p, const char *text)
{
        snprintf(p->why, p->cap, "%s", text);
        return false;
}

/* "../rigs/bench strict.json" -> "bench_strict". */
static void name_of(const char *path, char *name, size_t cap)
{
        const char *slash = strrchr(path, '/');
        char *dot;

        snprintf(name, cap, "%.60s", slash ? slash + 1 : path);
        dot = strrchr(name, '.');
        if (dot != NULL && dot != name)
                *dot = '\0';
        for (char *c = name; *c != '\0'; c++)
                if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                            "0123456789_.-",
                            *c) ||
                    (c == name && *c == '.'))
                        *c = '_';
}

/* Only a flight controller that the rig itself starts may fly beside others: a board has one port, and
 * in real time runs would take each other's processor. */
static bool look_at(struct planner *p, struct cell *cell)
{
        const struct suite_run probe = { .variant = cell->variant,
                                         .rig = (char *)(uintptr_t)cell->rig,
                                         .scenario = (char *)(uintptr_t)cell->scenario };
        bool spawned = true, ok;
        char *resolved = NULL;

        ok = suite_read_rig(p->s, &probe, p->config, &resolved, p->why, p->cap);
        free(resolved);
        if (ok) {
                for (int i = 0; i < p->config->vehicles; i++) {
                        const struct fc_config *fc = &p->config->vehicle[i].fc;

                        spawned = spawned && fc->spawn && fc->links == 1;
                        if (config_fc_must_be_renewed(fc))
                                snprintf(cell->old_firmware, sizeof cell->old_firmware,
                                         "%s", fc->codec);
                }
                cell->alone = p->config->pace != PACE_LOCKSTEP || !spawned;
                cell->vehicles = cell->alone ? 0 : p->config->vehicles;
                /* Its board is its own as long as it flies, and so is the link to it. */
                if (cell->board[0] != '\0') {
                        cell->alone = false;
                        cell->vehicles = 0;
                }
                cell->duration_ns =
                        p->config->stop_after_ns < p->config->scenario.duration_ns
                                ? p->config->stop_after_ns
                                : p->config->scenario.duration_ns;
        }
        config_free(p->config);
        return ok;
}

static struct suite_run *next_run(struct planner *p)
{
        struct suite *s = p->s;

        /* A power of two: the room is used up. */
        if ((s->runs & (s->runs - 1)) == 0) {
                size_t room = s->runs ? 2 * (size_t)s->runs : 1;
                struct suite_run *run = realloc(s->run, room * sizeof *run);

                if (run == NULL) {
                        refuse_plan(p, "out of memory");
                        return NULL;
                }
                s->run = run;
        }
        if (s->runs == SUITE_RUNS_MAX) {
                refuse_plan(p, "more than 20000 runs");
                return NULL;
        }
        s->run[s->runs] = (struct suite_run){ 0 };
        return &s->run[s->runs++];
}

static bool add_run(struct planner *p, struct cell *cell, uint64_t seed, int repeat)
{
        struct suite_run *r = next_run(p);

        if (r == NULL)
                return false;
        *r = (struct suite_run){ .variant = cell->variant,
                                 .seed = seed,
                                 .repeat = repeat,
                                 .alone = cell->alone,
                                 .board = cell->board,
                                 .vehicles = cell->vehicles,
                                 .duration_ns = cell->duration_ns };
        snprintf(r->old_firmware, sizeof r->old_firmware, "%s", cell->old_firmware);
        r->rig = strdup(cell->rig);
        r->scenario = cell->scenario ? strdup(cell->scenario) : NULL;
        if (!r->rig || (cell->scenario && !r->scenario))
                return refuse_plan(p, "out of memory");
        snprintf(r->group, sizeof r->group, "%s", cell->group);
        if ((size_t)snprintf(r->folder, sizeof r->folder, "%s/%s/%llu-%d", p->s->folder,
                             cell->group, (unsigned long long)seed,
                             repeat) >= sizeof r->folder)
                return refuse_plan(p,
                                   "a run folder's name is longer than 511 characters");
        if (p->s->options.just != 0 && p->s->options.just != p->s->runs)
                return true;
        return suite_sign(&cell->signer, p->s, r, p->why, p->cap);
}

/* What somebody finished there would vanish from the suite's page. */
static bool leave_out(struct planner *p, const struct cell *cell, uint64_t seed,
                      int repeat)
{
        struct suite *s = p->s;

        s->left_out++;
        if (s->options.list || !suite_folder_holds(s, cell->group, seed, repeat))
                return true;
        snprintf(p->why, p->cap,
                 "%s: holds %s/%llu-%d, which --only or --seed leave out, and the "
                 "suite's page would lose it: choose another --out",
                 s->folder, cell->group, (unsigned long long)seed, repeat);
        return false;
}

/* Every repeat of a seed that is asked for. `own`: the seed is one of the file's. */
static bool add_seed(struct planner *p, struct cell *cell, uint64_t seed, bool own)
{
        int repeats = p->s->options.repeats ? p->s->options.repeats : p->s->file.repeats;

        for (int k = 1; k <= repeats; k++) {
                if (!suite_only_wants(&p->only, cell->group, seed, k)) {
                        if (own && !leave_out(p, cell, seed, k))
                                return false;
                        continue;
                }
                if (!cell->seen && !look_at(p, cell))
                        return false;
                cell->seen = true;
                if (!add_run(p, cell, seed, k))
                        return false;
        }
        return true;
}

static int seeds_of(const struct suite_file *f)
{
        return f->seeds.list_given ? f->seeds.listed : f->seeds.count;
}

static bool has_seed(const struct suite_file *f, uint64_t seed)
{
        for (int i = 0; i < seeds_of(f); i++)
                if (suite_seed(f, i) == seed)
                        return true;
        return false;
}

/* The file's seeds, as far as they are asked for, and those that only the command line has. */
static bool add_cell(struct planner *p, struct cell *cell)
{
        const struct suite_file *f = &p->s->file;
        const struct suite_options *o = &p->s->options;

        suite_only_see(&p->only, cell->group);
        for (int i = 0; i < seeds_of(f); i++)
                if (!add_seed(p, cell, suite_seed(f, i), true))
                        return false;
        for (int i = 0; i < o->seeds; i++)
                if (!has_seed(f, o->seed[i]) && !add_seed(p, cell, o->seed[i], false))
                        return false;
        return true;
}

/* Two cells of one name would fly into the same folders. */
static bool name_cell(struct planner *p, struct cell *cell)
{
        char rig[64], scenario[64];

        name_of(cell->rig, rig, sizeof rig);
        if (cell->scenario != NULL)
                name_of(cell->scenario, scenario, sizeof scenario);
        snprintf(cell->group, sizeof cell->group, "%s%s%s/%s", rig,
                 cell->variant ? "+" : "", cell->variant ? cell->variant->name : "",
                 cell->scenario ? scenario : "own");
        for (int i = 0; i < p->s->runs; i++)
                if (strcmp(p->s->run[i].group, cell->group) == 0) {
                        snprintf(p->why, p->cap,
                                 "%s: two rigs or scenarios would both be %s: give one "
                                 "file another name",
                                 p->s->options.file, cell->group);
                        return false;
                }
        return true;
}

/* Where a file is that the suite names; freed by the caller. NULL: no memory. */
static char *path_of(const struct planner *p, const char *name)
{
        char *suite = config_file_named(p->s->options.file);
        char *path = suite ? config_file_beside(suite, name) : NULL;

        free(suite);
        return path;
}

static bool add_scenario(struct planner *p, const char *rig, const char *board,
                         const struct suite_path *scenario,
                         const struct suite_variant *variant)
{
        char *path = scenario ? path_of(p, scenario->file) : NULL;
        struct cell cell = {
                .variant = variant, .rig = rig, .scenario = path, .board = board
        };
        bool ok = !scenario || path ? name_cell(p, &cell) && add_cell(p, &cell)
                                    : refuse_plan(p, "out of memory");

        suite_signer_free(&cell.signer);
        free(path);
        return ok;
}

static bool add_rig(struct planner *p, const struct suite_path *rig)
{
        const struct suite_file *f = &p->s->file;
        char *path = path_of(p, rig->file);
        bool plain = f->variants == 0 || f->plain_too;
        bool ok = path != NULL || refuse_plan(p, "out of memory");

        for (int v = plain ? -1 : 0; ok && v < f->variants; v++)
                for (int i = 0; ok && i < (f->scenarios ? f->scenarios : 1); i++)
                        ok = add_scenario(p, path, rig->board,
                                          f->scenarios ? &f->scenario[i] : NULL,
                                          v >= 0 ? &f->variant[v] : NULL);
        free(path);
        return ok;
}

/* Each processor can carry one: a rig and its flight controller take turns. No more than may fly side
 * by side. */
static int choose_jobs(const struct suite *s)
{
        long n = s->options.jobs ? s->options.jobs : s->file.jobs;
        long most = 0;

        if (n == 0)
                n = sysconf(_SC_NPROCESSORS_ONLN);
        for (int i = 0; i < s->runs; i++)
                most += !s->run[i].alone;
        n = n < most ? n : most;
        return n < 1 ? 1 : n > 256 ? 256 : (int)n;
}

/* Words that each name some run may have none in common with the seeds. */
static bool has_runs(struct planner *p)
{
        if (p->s->runs > 0)
                return true;
        snprintf(p->why, p->cap, "%s: no run is of both --only and --seed",
                 p->s->options.file);
        return false;
}

/* A second flight in the same process is no flight of its own. */
static bool renews_firmware(struct planner *p)
{
        const struct suite *s = p->s;

        for (int i = 0; i < s->runs; i++)
                for (int k = 0; k < i && s->run[i].old_firmware[0] != '\0'; k++) {
                        if (strcmp(s->run[i].old_firmware, s->run[k].old_firmware) != 0)
                                continue;
                        snprintf(
                                p->why, p->cap,
                                "%s: %s: the firmware of the codec \"%s\" must be "
                                "started "
                                "anew for each flight, and two runs or more would fly in "
                                "one process: have the rig start it, by fc.start "
                                "(docs/firmware.md), or fly one run, by --only",
                                p->s->options.file, s->run[i].rig,
                                s->run[i].old_firmware);
                        return false;
                }
        return true;
}

/* Every rig with everything. */
static bool plan_rigs(struct planner *p)
{
        struct suite *s = p->s;
        bool ok = true;

        p->config = calloc(1, sizeof *p->config);
        if (p->config == NULL)
                return refuse_plan(p, "out of memory");
        suite_only_init(&p->only, &s->options);
        for (int i = 0; ok && i < s->file.rigs; i++)
                ok = add_rig(p, &s->file.rig[i]);
        free(p->config);
        ok = ok && !suite_only_missed(&p->only, p->why, p->cap) && has_runs(p) &&
             (s->options.list || renews_firmware(p));
        s->jobs = choose_jobs(s);
        return ok;
}

bool suite_plan(struct suite *s, const struct suite_options *o, char *why, size_t cap)
{
        struct planner p = { .s = s, .why = why, .cap = cap };

        why[0] = '\0';
        *s = (struct suite){ .options = *o, .folder_fd = -1 };
        if (!suite_read(s, why, cap) || !suite_folder_name(s, why, cap) ||
            !plan_rigs(&p)) {
                suite_folder_drop(s);
                return false;
        }
        return o->list ||
               (suite_folder_make(s, why, cap) && suite_folder_look(s, why, cap));
}

bool suite_plan_runs(struct suite *s, const struct suite_options *o, char *why,
                     size_t cap)
{
        struct planner p = { .s = s, .why = why, .cap = cap };

        why[0] = '\0';
        s->options = *o;
        s->folder_fd = -1;
        return plan_rigs(&p);
}

void suite_free(struct suite *s)
{
        for (int i = 0; i < s->runs; i++) {
                free(s->run[i].rig);
                free(s->run[i].scenario);
        }
        free(s->run);
        s->run = NULL;
        s->runs = 0;
        if (s->folder_fd >= 0)
                close(s->folder_fd);
        s->folder_fd = -1;
}
