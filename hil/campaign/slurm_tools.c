/* What is asked of Slurm, by its own programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/campaign/slurm.h"
#include "hil/farm/tool.h"
#include "hil/time/clock.h"

#define TOOL_NS      (60 * NS_PER_S)
#define CANCELS_MAX  50 /* jobs that one scancel is told */
#define ARRAY_MAX    1000
#define END_MARGIN_S 120 /* that Slurm leaves a job beyond what it gives itself */

static void name_tool(struct tool *t, const char *program)
{
        t->words = 0;
        tool_add(t, "%s", program);
}

bool slurm_tools_are_there(char *why, size_t cap)
{
        static const char *const program[] = { "sbatch", "squeue", "scancel",
                                               "scontrol" };
        struct tool t;

        for (size_t i = 0; i < sizeof program / sizeof program[0]; i++) {
                name_tool(&t, program[i]);
                if (!tool_is_there(&t, why, cap))
                        return false;
        }
        return true;
}

bool slurm_ask_limits(struct slurm *s, char *why, size_t cap)
{
        struct tool t;
        char path[600], line[400];
        FILE *f;
        int most;

        s->most = ARRAY_MAX;
        snprintf(path, sizeof path, "%s/config", s->folder);
        name_tool(&t, "scontrol");
        tool_add(&t, "show");
        tool_add(&t, "config");
        if (!tool_run_into(&t, TOOL_NS, path, why, cap))
                return false;
        f = fopen(path, "re");
        while (f != NULL && fgets(line, sizeof line, f) != NULL)
                if (sscanf(line, "MaxArraySize = %d", &most) == 1 && most >= 2 &&
                    most - 1 < s->most)
                        s->most = most - 1;
        if (f != NULL)
                fclose(f);
        unlink(path);
        return true;
}

/* A job of this folder: "hilrig-FOLDER-PLAN-BASE|INDEX|STATE|ARRAY". */
struct queued {
        char plan[20];
        int base, index;
        char state[8];
        long array;
};

static bool read_line(const struct slurm *s, const char *line, struct queued *q)
{
        char folder[20];

        *q = (struct queued){ .array = 0 };
        return sscanf(line, "hilrig-%19[0-9a-f]-%19[0-9a-f]-%d|%d|%7[A-Z]|%ld", folder,
                      q->plan, &q->base, &q->index, q->state, &q->array) == 6 &&
               strcmp(folder, s->name) == 0 && q->base >= 0 &&
               q->base <= SUITE_RUNS_MAX && q->index >= 0 && q->index <= SUITE_RUNS_MAX;
}

/* What squeue says of this user's jobs, to be closed by the caller; NULL with the reason. */
static FILE *ask_queue(const struct slurm *s, char *why, size_t cap)
{
        struct tool t;
        char path[600];
        FILE *f;

        snprintf(path, sizeof path, "%s/queue", s->folder);
        name_tool(&t, "squeue");
        tool_add(&t, "--me");
        tool_add(&t, "--noheader");
        tool_add(&t, "--array");
        tool_add(&t, "--format=%%j|%%K|%%t|%%F");
        if (!tool_run_into(&t, TOOL_NS, path, why, cap))
                return NULL;
        f = fopen(path, "re");
        if (f == NULL)
                snprintf(why, cap, "%s: %s", path, strerror(errno));
        return f;
}

/* False: there is none left. */
static bool next_job(const struct slurm *s, FILE *f, struct queued *q)
{
        char line[400];

        while (fgets(line, sizeof line, f) != NULL)
                if (read_line(s, line, q))
                        return true;
        return false;
}

static void place_flight(struct slurm *s, const struct queued *q)
{
        int number = q->base + q->index;
        struct slurm_flight *f;

        if (strcmp(q->plan, s->plan) != 0) {
                s->strangers++;
                return;
        }
        if (number < 1 || number > s->p->c->flights)
                return;
        f = &s->flight[number - 1];
        f->submitted = true;
        f->looks = 0;
        f->place = strcmp(q->state, "PD") == 0 ? SLURM_WAITS : SLURM_RUNS;
        s->p->flying += f->place == SLURM_RUNS;
}

void slurm_place(struct slurm *s, FILE *queue)
{
        struct queued q;

        s->strangers = s->p->flying = 0;
        while (next_job(s, queue, &q))
                place_flight(s, &q);
}

bool slurm_look(struct slurm *s, char *why, size_t cap)
{
        FILE *f = ask_queue(s, why, cap);

        if (f == NULL)
                return false;
        for (int i = 0; i < s->p->c->flights; i++) {
                s->flight[i].place = SLURM_NOWHERE;
                s->flight[i].looks++;
        }
        slurm_place(s, f);
        fclose(f);
        return true;
}

/* Longer than what the job itself ends, which says more. */
static long minutes_of(const struct campaign *c, const struct campaign_flight *f)
{
        int64_t ns = c->file.time_limit_ns + END_MARGIN_S * NS_PER_S;

        for (int i = 0; i < c->farm.boards; i++)
                if (strcmp(c->farm.board[i].family, f->run->board) == 0) {
                        int64_t most_ns = c->file.time_limit_ns +
                                          END_MARGIN_S * NS_PER_S +
                                          session_longest_ns(&c->farm.board[i]);

                        ns = most_ns > ns ? most_ns : ns;
                }
        return (long)(ns / (60 * NS_PER_S)) + 1;
}

/* The words with which the job is this campaign. */
static void add_campaign(const struct slurm *s, const struct slurm_array *a,
                         struct tool *t)
{
        const struct campaign_options *o = &s->p->c->options;
        char self[600];
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

        self[n > 0 ? n : 0] = '\0';
        tool_add(t, "%s", self);
        tool_add(t, "campaign");
        tool_add(t, "%s", o->file);
        tool_add(t, "--out");
        tool_add(t, "%s", s->p->c->folder);
        if (o->farm != NULL) {
                tool_add(t, "--farm");
                tool_add(t, "%s", o->farm);
        }
        for (int i = 0; i < o->sets; i++) {
                tool_add(t, "--set");
                tool_add(t, "%s", o->set[i]);
        }
        tool_add(t, "--job");
        tool_add(t, "%d,%d,%s", a->base, a->first->attempts, s->plan);
}

bool slurm_submit(const struct slurm *s, const struct slurm_array *a, char *why,
                  size_t cap)
{
        const struct suite_run *r = a->first->run;
        struct tool t;
        char said[TOOL_SAID_MAX], script[600];

        name_tool(&t, "sbatch");
        tool_add(&t, "--parsable");
        tool_add(&t, "--job-name=hilrig-%s-%s-%d", s->name, s->plan, a->base);
        tool_add(&t, "--array=%s", a->indices);
        tool_add(&t, "--output=%s/%%x-%%a.txt", s->folder);
        tool_add(&t, "--open-mode=truncate");
        tool_add(&t, "--no-requeue");
        tool_add(&t, "--nodes=1");
        tool_add(&t, "--ntasks=1");
        tool_add(&t, "--time=%ld", minutes_of(s->p->c, a->first));
        if (r->board[0] != '\0')
                tool_add(&t, "--gres=board:%s:1", r->board);
        if (r->alone)
                tool_add(&t, "--exclusive");
        snprintf(script, sizeof script, "%s/job.sh", s->folder);
        tool_add(&t, "%s", script);
        add_campaign(s, a, &t);
        if (t.words == TOOL_WORDS_MAX) {
                snprintf(why, cap, "--set: too many for jobs of Slurm; have them in %s",
                         s->p->c->options.file);
                return false;
        }
        return tool_run(&t, TOOL_NS, said, why, cap);
}

struct cancelling {
        enum slurm_cancelled which;
        int jobs;
        long array[CANCELS_MAX];
};

static void pick_job(const struct slurm *s, const struct queued *q, struct cancelling *c)
{
        bool stranger = strcmp(q->plan, s->plan) != 0;

        if (stranger != (c->which == CANCEL_STRANGERS))
                return;
        for (int i = 0; i < c->jobs; i++)
                if (c->array[i] == q->array)
                        return;
        if (c->jobs < CANCELS_MAX)
                c->array[c->jobs++] = q->array;
}

bool slurm_cancel(const struct slurm *s, enum slurm_cancelled which, char *why,
                  size_t cap)
{
        struct cancelling c = { .which = which };
        struct queued q;
        struct tool t;
        char said[TOOL_SAID_MAX];
        FILE *f = ask_queue(s, why, cap);

        if (f == NULL)
                return false;
        while (next_job(s, f, &q))
                pick_job(s, &q, &c);
        fclose(f);
        if (c.jobs == 0)
                return true;
        name_tool(&t, "scancel");
        if (which == CANCEL_WAITING)
                tool_add(&t, "--state=PENDING");
        for (int i = 0; i < c.jobs; i++)
                tool_add(&t, "%ld", c.array[i]);
        return tool_run(&t, TOOL_NS, said, why, cap);
}
