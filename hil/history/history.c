#include "hil/history/history.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of the margin: what is found then is about as large as it. */
#define LEAST_SPREAD 0.25

static bool refuse(char *why, size_t cap, const char *path, const char *text)
{
        snprintf(why, cap, "%s: %s", path, text);
        return false;
}

int history_order(const char *a, const char *b)
{
        while (*a != '\0' && *b != '\0') {
                if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
                        char *end_a, *end_b;
                        unsigned long long x = strtoull(a, &end_a, 10);
                        unsigned long long y = strtoull(b, &end_b, 10);

                        if (x != y)
                                return x < y ? -1 : 1;
                        a = end_a;
                        b = end_b;
                        continue;
                }
                if (*a != *b)
                        break;
                a++;
                b++;
        }
        if (*a == '-' || *b == '-')
                return (*b == '-') - (*a == '-');
        return (unsigned char)*a - (unsigned char)*b;
}

static int by_version(const void *a, const void *b)
{
        const struct history_release *x = a, *y = b;
        int order = history_order(x->name, y->name);

        return order != 0 ? order : strcmp(x->name, y->name);
}

static bool add_release(struct history *h, const struct history_options *o,
                        const char *name, char *why, size_t cap)
{
        struct history_release *more, *r;

        if (h->releases == HISTORY_RELEASES_MAX)
                return refuse(why, cap, o->folder, "more than 1000 releases");
        more = realloc(h->release, (size_t)(h->releases + 1) * sizeof *more);
        if (more == NULL)
                return refuse(why, cap, o->folder, "out of memory");
        h->release = more;
        r = &more[h->releases++];
        *r = (struct history_release){ 0 };
        if ((size_t)snprintf(r->folder, sizeof r->folder, "%s/%s", o->folder, name) >=
                    sizeof r->folder ||
            (size_t)snprintf(r->name, sizeof r->name, "%s", name) >= sizeof r->name)
                return refuse(why, cap, o->folder,
                              "must be shorter than 512 characters, and each folder's "
                              "name than 256");
        return true;
}

static bool list_folders(struct history *h, const struct history_options *o, char *why,
                         size_t cap)
{
        DIR *dir = opendir(o->folder);
        bool ok = true;

        if (dir == NULL)
                return refuse(why, cap, o->folder, "cannot be read as a folder");
        for (struct dirent *e; ok && (e = readdir(dir)) != NULL;) {
                char path[1024];
                struct stat st;

                snprintf(path, sizeof path, "%s/%s", o->folder, e->d_name);
                if (e->d_name[0] != '.' && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
                        ok = add_release(h, o, e->d_name, why, cap);
        }
        closedir(dir);
        if (ok && h->releases > 1)
                qsort(h->release, (size_t)h->releases, sizeof *h->release, by_version);
        return ok;
}

static void describe(struct history_release *r)
{
        for (int i = 0; i < r->side.runs; i++) {
                const struct compared_result *run = &r->side.run[i];

                r->count[run->verdict]++;
                compared_list_firmware(r->firmware, sizeof r->firmware, run->firmware);
                if (i == 0)
                        memcpy(r->version, run->version, sizeof r->version);
                else if (strcmp(r->version, run->version) != 0)
                        strcpy(r->version, "several");
        }
}

/* A release that has not been flown is left out; one whose flights cannot be read is, too, and that is told. */
static void read_flights(struct history *h)
{
        int kept = 0;

        for (int i = 0; i < h->releases; i++) {
                struct history_release r = h->release[i];
                char why[600];
                bool flown = compared_side_read(&r.side, r.folder, why, sizeof why);

                if (r.side.unreadable > 0 && h->unreadable == 0)
                        memcpy(h->problem, r.side.problem, sizeof h->problem);
                h->unreadable += r.side.unreadable;
                if (!flown) {
                        compared_side_free(&r.side);
                        continue;
                }
                describe(&r);
                h->release[kept++] = r;
        }
        h->left_out = h->releases - kept;
        h->releases = kept;
}

/* A change that is smaller than the margin is none, however sure. */
static void drop_small(struct history_changes *c, double least)
{
        int kept = 0;

        for (int i = 0; i < c->count; i++)
                if (fabs(c->of[i].to - c->of[i].from) >= least)
                        c->of[kept++] = c->of[i];
        c->count = kept;
}

/* The row's levels, NAN where there is none, and what spread is none. */
static double take_levels(const struct history_row *row, int releases, double ratio,
                          double *level, double *margin)
{
        double sum = 0.0, fewest = (double)INFINITY;
        int known = 0;

        for (int r = 0; r < releases; r++) {
                bool flown = row->point[r].flights > 0;

                level[r] = flown ? row->point[r].level : (double)NAN;
                sum += flown ? fabs(level[r]) : 0.0;
                fewest = flown ? fmin(fewest, row->point[r].flights) : fewest;
                known += flown;
        }
        *margin = ratio * sum / known;
        return fmax(LEAST_SPREAD * *margin, row->noise / sqrt(fewest));
}

static bool find_changes(struct history *h, const struct history_options *o)
{
        double *level = malloc((size_t)h->releases * sizeof *level);
        bool ok = level != NULL;

        for (struct history_row *row = h->row; ok && row < h->row + h->rows; row++) {
                double margin, least;

                least = take_levels(row, h->releases, o->margin, level, &margin);
                if (least <= 0.0) /* all are 0 */
                        continue;
                ok = history_find_changes(&row->changes, level, h->releases, least,
                                          o->doubt / h->rows);
                drop_small(&row->changes, margin);
        }
        free(level);
        return ok;
}

static bool is_row(const struct history_row *a, const struct history_row *b)
{
        return a->kind == b->kind && strcmp(a->group, b->group) == 0 &&
               strcmp(a->name, b->name) == 0;
}

static bool has_change(const struct history_row *row, const struct history_change *c)
{
        for (int i = 0; i < row->changes.count; i++) {
                const struct history_change *had = &row->changes.of[i];

                if (had->first <= c->last && c->first <= had->last &&
                    (had->to > had->from) == (c->to > c->from))
                        return true;
        }
        return false;
}

static bool is_newly_worse(const struct history_row *row, const struct history *before)
{
        const struct history_row *had = before->row;

        while (had < before->row + before->rows && !is_row(had, row))
                had++;
        for (int i = 0; i < row->changes.count; i++) {
                const struct history_change *c = &row->changes.of[i];

                if (history_turn(row, c) == HISTORY_WORSE &&
                    (had == before->row + before->rows || !has_change(had, c)))
                        return true;
        }
        return false;
}

static void free_rows(struct history *h)
{
        for (int k = 0; k < h->rows; k++)
                free(h->row[k].point);
        free(h->row);
}

/* What was found when the newest release had not been flown, against what is now. */
static bool find_new(struct history *h, const struct history_options *o)
{
        struct history before = *h;
        bool ok = true;

        before.releases--;
        before.rows = 0;
        before.row = NULL;
        if (before.releases > 1)
                ok = history_make_rows(&before) && find_changes(&before, o);
        for (int k = 0; ok && k < h->rows; k++)
                h->row[k].newly_worse = is_newly_worse(&h->row[k], &before);
        free_rows(&before);
        return ok;
}

bool history_read(struct history *h, const struct history_options *o, char *why,
                  size_t cap)
{
        bool ok = true;

        *h = (struct history){ 0 };
        for (int i = 0; ok && i < o->ordered; i++)
                ok = add_release(h, o, o->order[i], why, cap);
        if (ok && o->order == NULL)
                ok = list_folders(h, o, why, cap);
        if (!ok)
                return false;
        read_flights(h);
        if (h->releases < 2)
                return refuse(why, cap, o->folder,
                              h->unreadable > 0
                                      ? h->problem
                                      : "needs the folders of two releases or more, each "
                                        "with finished runs (summary.json) in it");
        return (history_make_rows(h) && find_changes(h, o) && find_new(h, o)) ||
               refuse(why, cap, o->folder, "out of memory");
}

void history_free(struct history *h)
{
        for (int i = 0; i < h->releases; i++)
                compared_side_free(&h->release[i].side);
        free_rows(h);
        free(h->release);
        *h = (struct history){ 0 };
}

enum history_turn history_turn(const struct history_row *row,
                               const struct history_change *change)
{
        bool rose = change->to > change->from;

        if (row->better == BETTER_NEITHER)
                return HISTORY_OTHER;
        return rose == (row->better == BETTER_MORE) ? HISTORY_BETTER : HISTORY_WORSE;
}

const char *history_turn_name(enum history_turn turn)
{
        static const char *const name[] = { "worse", "better", "changed" };

        return name[turn];
}

int history_wavers(const struct history *h, const struct history_row *row)
{
        int n = 0;

        for (int r = 0; row->kind == COMPARED_OUTCOME && r < h->releases; r++)
                n += row->point[r].flights > 0 && row->point[r].mean > 0.0 &&
                     row->point[r].mean < 1.0;
        return n;
}

int history_newly_worse(const struct history *h)
{
        int n = 0;

        for (int k = 0; k < h->rows; k++)
                n += h->row[k].newly_worse;
        return n;
}
