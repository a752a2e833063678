#include "hil/history/history.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of the margin: what is found then is about as large as it. */
#define LEAST_SPREAD 0.25
#define SWEEPS       30

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

/* Of one flight. */
struct entry {
        const struct compared_result *run;
        const struct compared_value *value;
        int release;
        int column; /* its seed and repeat */
};

static int by_row(const void *a, const void *b)
{
        const struct entry *x = a, *y = b;
        int order = strcmp(x->run->group, y->run->group);

        if (order == 0)
                order = (int)x->value->kind - (int)y->value->kind;
        if (order == 0)
                order = strcmp(x->value->name, y->value->name);
        if (order == 0)
                order = (x->run->seed > y->run->seed) - (x->run->seed < y->run->seed);
        if (order == 0)
                order = x->run->repeat - y->run->repeat;
        return order != 0 ? order : x->release - y->release;
}

static bool is_same_row(const struct entry *x, const struct entry *y)
{
        return strcmp(x->run->group, y->run->group) == 0 &&
               x->value->kind == y->value->kind &&
               strcmp(x->value->name, y->value->name) == 0;
}

static double size_of(const struct compared_value *v)
{
        return v->better == BETTER_ZERO ? fabs(v->value) : v->value;
}

/* All values of all flights that count, by rows; freed by the caller. NULL: no memory. */
static struct entry *gather(const struct history *h, size_t *count)
{
        struct entry *entries;
        size_t room = 0, n = 0;

        for (int i = 0; i < h->releases; i++)
                for (int k = 0; k < h->release[i].side.runs; k++)
                        room += (size_t)h->release[i].side.run[k].values;
        entries = malloc((room + 1) * sizeof *entries);
        for (int i = 0; entries != NULL && i < h->releases; i++)
                for (int k = 0; k < h->release[i].side.runs; k++) {
                        const struct compared_result *run = &h->release[i].side.run[k];

                        for (int v = 0; compared_is_usable(run) && v < run->values; v++)
                                if (run->value[v].kind != COMPARED_HOST &&
                                    !isnan(run->value[v].value))
                                        entries[n++] =
                                                (struct entry){ run, &run->value[v], i,
                                                                0 };
                }
        if (entries != NULL)
                qsort(entries, n, sizeof *entries, by_row);
        *count = n;
        return entries;
}

/* Columns of a row's entries, which lie together; returns how many. A seed that a single release has flown has none of its own:
 * nothing tells it from the release. */
static int number_columns(struct entry *e, size_t n)
{
        int columns = 0;

        for (size_t from = 0, to; from < n; from = to) {
                for (to = from + 1; to < n && e[to].run->seed == e[from].run->seed &&
                                    e[to].run->repeat == e[from].run->repeat;)
                        to++;
                for (size_t i = from; i < to; i++)
                        e[i].column = to - from > 1 ? columns : -1;
                columns += to - from > 1;
        }
        return columns;
}

/* A row's flights, and the share of each seed. */
struct fit {
        struct history_row *row;
        int releases, columns;
        const struct entry *e;
        size_t n;
        double *seed; /* [columns] */
        int *count; /* the same */
};

static double share_of(const struct fit *f, const struct entry *e)
{
        return e->column >= 0 ? f->seed[e->column] : 0.0;
}

static void level_releases(struct fit *f)
{
        for (int r = 0; r < f->releases; r++)
                f->row->point[r].level = 0.0;
        for (size_t i = 0; i < f->n; i++) {
                struct history_point *p = &f->row->point[f->e[i].release];

                p->level += (size_of(f->e[i].value) - share_of(f, &f->e[i])) / p->flights;
        }
}

static void share_seeds(struct fit *f)
{
        for (int c = 0; c < f->columns; c++)
                f->seed[c] = f->count[c] = 0;
        for (size_t i = 0; i < f->n; i++)
                if (f->e[i].column >= 0) {
                        double own = size_of(f->e[i].value) -
                                     f->row->point[f->e[i].release].level;
                        double *share = &f->seed[f->e[i].column];

                        *share += (own - *share) / ++f->count[f->e[i].column];
                }
}

/* The two-way fit: a flight is its release's level, its seed's own share, and noise. Where every release has flown the same
 * seeds, the first sweep is exact. */
static void fit(struct fit *f)
{
        double squares = 0.0;
        int freedom = (int)f->n - f->releases - f->columns + 1;

        for (int sweep = 0; sweep < SWEEPS; sweep++) {
                level_releases(f);
                share_seeds(f);
        }
        for (size_t i = 0; i < f->n; i++) {
                double d = size_of(f->e[i].value) - f->row->point[f->e[i].release].level -
                           share_of(f, &f->e[i]);

                squares += d * d;
        }
        f->row->noise = sqrt(squares / (freedom > 1 ? freedom : 1));
}

static void note_points(struct history_row *row, const struct entry *e, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                struct history_point *p = &row->point[e[i].release];
                double v = size_of(e[i].value);

                p->least = p->flights == 0 ? v : fmin(p->least, v);
                p->most = p->flights == 0 ? v : fmax(p->most, v);
                p->mean += (v - p->mean) / ++p->flights;
        }
}

/* A row of n entries. False: no memory. */
static bool make_row(struct history *h, struct history_row *row, struct entry *e,
                     size_t n)
{
        struct fit f = { row, h->releases, number_columns(e, n), e, n, NULL, NULL };
        bool ok;

        memcpy(row->group, e->run->group, sizeof row->group);
        memcpy(row->name, e->value->name, sizeof row->name);
        memcpy(row->unit, e->value->unit, sizeof row->unit);
        row->kind = e->value->kind;
        row->better = e->value->better;
        row->point = calloc((size_t)h->releases, sizeof *row->point);
        f.seed = calloc((size_t)f.columns + 1, sizeof *f.seed);
        f.count = calloc((size_t)f.columns + 1, sizeof *f.count);
        ok = row->point != NULL && f.seed != NULL && f.count != NULL;
        if (ok) {
                note_points(row, e, n);
                fit(&f);
        }
        free(f.seed);
        free(f.count);
        return ok;
}

static bool make_rows(struct history *h)
{
        size_t n, from = 0;
        struct entry *e = gather(h, &n);
        bool ok = e != NULL;
        size_t rows = 0;

        for (size_t i = 0; ok && i < n; i++)
                rows += i == 0 || !is_same_row(&e[i - 1], &e[i]);
        h->row = ok ? calloc(rows + 1, sizeof *h->row) : NULL;
        ok = h->row != NULL;
        while (ok && from < n) {
                size_t to = from + 1;

                while (to < n && is_same_row(&e[from], &e[to]))
                        to++;
                ok = make_row(h, &h->row[h->rows++], e + from, to - from);
                from = to;
        }
        free(e);
        return ok;
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

static bool find_changes(struct history *h, const struct history_options *o)
{
        double *level = malloc((size_t)h->releases * sizeof *level);
        bool ok = level != NULL;

        for (int k = 0; ok && k < h->rows; k++) {
                struct history_row *row = &h->row[k];
                double sum = 0.0, fewest = (double)INFINITY, margin, least;
                int known = 0;

                for (int r = 0; r < h->releases; r++) {
                        const struct history_point *p = &row->point[r];

                        level[r] = p->flights > 0 ? p->level : (double)NAN;
                        if (p->flights == 0)
                                continue;
                        sum += fabs(p->level);
                        known++;
                        fewest = fmin(fewest, p->flights);
                }
                margin = o->margin * sum / known;
                least = fmax(LEAST_SPREAD * margin, row->noise / sqrt(fewest));
                if (least <= 0.0) /* all are 0 */
                        continue;
                ok = history_find_changes(&row->changes, level, h->releases, least,
                                          o->doubt / h->rows);
                drop_small(&row->changes, margin);
        }
        free(level);
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
        return (make_rows(h) && find_changes(h, o)) ||
               refuse(why, cap, o->folder, "out of memory");
}

void history_free(struct history *h)
{
        for (int i = 0; i < h->releases; i++)
                compared_side_free(&h->release[i].side);
        for (int k = 0; k < h->rows; k++)
                free(h->row[k].point);
        free(h->release);
        free(h->row);
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

        for (int k = 0; k < h->rows; k++) {
                const struct history_changes *c = &h->row[k].changes;
                const struct history_change *last = &c->of[c->count - 1];

                n += c->count > 0 && last->at == h->releases - 1 &&
                     history_turn(&h->row[k], last) == HISTORY_WORSE;
        }
        return n;
}
