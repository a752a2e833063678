/* Which runs are drawn, and what is said of those that cannot be. A group is read, written and let go
 * before the next, so that many of them need no more memory than one. */
#include "hil/page/compare_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/files.h"
#include "hil/text/markup.h"

/* Of one group; and of all, so that a large suite is read in seconds. */
#define PAIRS_MAX     12
#define PAIRS_ALL_MAX 120
/* Numbers in the page, of about 7 bytes each. */
#define NUMBERS_MAX 500000
#define SAID_MAX    12

struct plots {
        FILE *f;
        const struct compared_side *side;
        const struct compare_row
                *worst; /* the row that fared worst, or NULL; its group opens first */
        struct compare_column worst_pair;
        struct compared_twins pair; /* that the page opens with; a NULL: none */
        char worst_text[COMPARE_NAME_MAX + 120];
        struct compared_twins *twin; /* usable ones, by group */
        int twins, groups;
        int put; /* groups */
        int said; /* of runs that are not drawn whole */
        char *note; /* as texts in JSON */
        size_t note_len;
        FILE *notes;
};

static int end_of_group(const struct plots *p, int from)
{
        int to = from + 1;

        while (to < p->twins && strcmp(p->twin[to].a->group, p->twin[from].a->group) == 0)
                to++;
        return to;
}

/* What fails now first, then a repeat of every seed before the next repeat. */
static int by_interest(const void *a, const void *b)
{
        const struct compared_twins *x = a, *y = b;
        int worse_x = 2 * (x->b->verdict == RUN_FAILED) - (x->a->verdict == RUN_FAILED);
        int worse_y = 2 * (y->b->verdict == RUN_FAILED) - (y->a->verdict == RUN_FAILED);

        if (worse_x != worse_y)
                return worse_y - worse_x;
        if (x->a->repeat != y->a->repeat)
                return x->a->repeat - y->a->repeat;
        return (x->a->seed > y->a->seed) - (x->a->seed < y->a->seed);
}

static void say_of_run(struct plots *p, int side, const struct compared_result *r,
                       const char *what)
{
        char *text;

        if (p->said++ >= SAID_MAX)
                return;
        if (asprintf(&text, "%s %s: %s", side == 0 ? "Baseline" : "Candidate",
                     r->path[0] != '\0' ? r->path : p->side[side].folder, what) < 0)
                return;
        fputs(p->said > 1 ? ",\n" : "\n", p->notes);
        markup_json(p->notes, text);
        free(text);
}

static void say_of_log(struct plots *p, int side, const struct compared_result *r,
                       const struct overlay_run *run)
{
        char text[160];

        if (!run->readable)
                say_of_run(p, side, r, "its run.ulg is no log: it is not drawn.");
        else if (run->vehicles == 0)
                say_of_run(p, side, r, "its run.ulg holds nothing to draw.");
        /* The last records are as far from the end as the log's slowest period. */
        else if (run->truncated || run->last_s < r->sim_time_s - 0.1) {
                snprintf(text, sizeof text,
                         "its run.ulg was cut off at %.3f s of %.3f s: it is drawn up to "
                         "there.",
                         run->last_s, r->sim_time_s);
                say_of_run(p, side, r, text);
        }
}

static bool read_run(struct plots *p, int side, const struct compared_result *r,
                     double end_s, struct overlay_run *run)
{
        char path[1100], text[160];
        const char *why;
        const void *log;
        bool ok = true;
        size_t len;

        snprintf(path, sizeof path, "%s/%s%srun.ulg", p->side[side].folder, r->path,
                 r->path[0] != '\0' ? "/" : "");
        log = mapped_file_open(path, &len, &why);
        if (log == NULL) {
                snprintf(text, sizeof text, "its run.ulg %s: it is not drawn.", why);
                say_of_run(p, side, r, text);
        } else if (end_s == 0.0) {
                say_of_run(p, side, r,
                           "its summary.json tells no sim_time_s: it is not drawn.");
        } else {
                ok = overlay_open(run, end_s) && overlay_read(run, log, len);
                if (ok)
                        say_of_log(p, side, r, run);
        }
        mapped_file_close(log, len);
        return ok;
}

static double longest_s(const struct compared_twins *twin, int pairs)
{
        double end_s = 0.0;

        for (int i = 0; i < pairs; i++) {
                if (twin[i].a->sim_time_s > end_s)
                        end_s = twin[i].a->sim_time_s;
                if (twin[i].b->sim_time_s > end_s)
                        end_s = twin[i].b->sim_time_s;
        }
        return end_s;
}

/* It is drawn in any case, and first. */
static bool put_worst_first(const struct plots *p, int from, int to)
{
        if (p->worst == NULL || strcmp(p->twin[from].a->group, p->worst->group) != 0)
                return false;
        for (int i = from; i < to; i++) {
                struct compared_twins own = p->twin[i];

                if (own.a->seed != p->worst_pair.seed ||
                    (p->worst_pair.repeat > 0 && own.a->repeat != p->worst_pair.repeat))
                        continue;
                memmove(p->twin + from + 1, p->twin + from,
                        (size_t)(i - from) * sizeof own);
                p->twin[from] = own;
                return true;
        }
        return false;
}

static bool put_group(struct plots *p, int from, int to)
{
        struct compare_lines lines = { .name = p->twin[from].a->group,
                                       .of = to - from,
                                       .numbers_max = NUMBERS_MAX / p->groups };
        int most = PAIRS_ALL_MAX / p->groups;
        bool ok = true, worst;

        most = most < 1 ? 1 : most < PAIRS_MAX ? most : PAIRS_MAX;
        lines.pairs = to - from < most ? to - from : most;
        qsort(p->twin + from, (size_t)(to - from), sizeof *p->twin, by_interest);
        worst = put_worst_first(p, from, to);
        lines.end_s = longest_s(p->twin + from, lines.pairs);
        lines.run = calloc(2 * (size_t)lines.pairs, sizeof *lines.run);
        if (lines.run == NULL)
                return false;
        for (int i = 0; ok && i < 2 * lines.pairs; i++) {
                const struct compared_twins *t = &p->twin[from + i / 2];

                ok = read_run(p, i % 2, i % 2 == 0 ? t->a : t->b, lines.end_s,
                              &lines.run[i]);
        }
        if (worst && ok && lines.run[0].vehicles > 0 && lines.run[1].vehicles > 0)
                lines.worst = p->worst_text;
        if (ok && compare_lines_any(&lines)) {
                fputs(p->put++ > 0 ? ",\n" : "\n", p->f);
                compare_lines_put(p->f, &lines);
                if (p->pair.a == NULL || worst)
                        p->pair = p->twin[from];
        }
        for (int i = 0; i < 2 * lines.pairs; i++)
                overlay_close(&lines.run[i]);
        free(lines.run);
        return ok;
}

static bool put_groups(struct plots *p)
{
        bool ok = true;
        int from = 0, read = 0;

        fputs(",\n\"flights\":{\"first\":", p->f);
        markup_json(p->f, p->worst != NULL ? p->worst->group : NULL);
        fprintf(p->f, ",\"all\":%d,\"groups\":[", p->groups);
        for (int to; ok && from < p->twins && read < PAIRS_ALL_MAX; from = to, read++) {
                to = end_of_group(p, from);
                ok = put_group(p, from, to);
        }
        fputs("],\"notes\":[", p->f);
        return ok;
}

/* What there is to say of the logs is known when they have been read. */
static bool put_flights(struct plots *p)
{
        bool ok;

        p->notes = open_memstream(&p->note, &p->note_len);
        if (p->notes == NULL)
                return false;
        ok = put_groups(p);
        if (p->said > SAID_MAX)
                fprintf(p->notes, ",\n\"So are %d more runs.\"", p->said - SAID_MAX);
        ok = fclose(p->notes) == 0 && ok;
        if (ok)
                fwrite(p->note, 1, p->note_len, p->f);
        fputs("]}", p->f);
        free(p->note);
        return ok;
}

static void find_worst(struct plots *p, const struct comparison *c)
{
        const struct compare_row *row;
        int pair;

        if (!compare_worst(c, &row, &pair))
                return;
        p->worst = row;
        p->worst_pair = c->column[pair];
        snprintf(p->worst_text, sizeof p->worst_text, "seed %llu: %s %.4g to %.4g%s%s",
                 (unsigned long long)c->column[pair].seed, row->name, row->a[pair],
                 row->b[pair], row->unit[0] != '\0' ? " " : "", row->unit);
}

bool compare_plots_put(FILE *f, const struct comparison *c,
                       const struct compared_side side[2])
{
        int fewer = side[0].runs < side[1].runs ? side[0].runs : side[1].runs;
        struct plots p = { .f = f, .side = side };
        struct compared_walk walk = { 0 };
        struct compared_twins t;
        bool ok;

        find_worst(&p, c);
        p.twin = calloc((size_t)fewer + 1, sizeof *p.twin);
        if (p.twin == NULL)
                return false;
        while (compared_next_twins(&side[0], &side[1], &walk, &t))
                if (compared_is_usable(t.a) && compared_is_usable(t.b))
                        p.twin[p.twins++] = t;
        for (int from = 0; from < p.twins; from = end_of_group(&p, from))
                p.groups++;
        ok = put_flights(&p);
        ok = ok && (p.pair.a == NULL || compare_pair_put(f, side, &p.pair));
        free(p.twin);
        return ok;
}
