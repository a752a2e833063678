/* The runs of one side: every summary.json below a folder. In a suite's folder a run is
 * RIG/SCENARIO/SEED-REPEAT; elsewhere the summary tells rig and seed, and the order the repeat. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/config/config.h"
#include "hil/config/table.h"
#include "hil/suite/compare.h"

#define DEPTH_MAX 6

struct walk {
        struct compared_side *side;
        int capacity;
        char *why;
        size_t cap;
};

static bool refuse_path(struct walk *w, const char *path, const char *text)
{
        snprintf(w->why, w->cap, "%s: %s", path, text);
        return false;
}

static struct compared_result *next_run(struct walk *w)
{
        struct compared_side *s = w->side;

        if (s->runs == w->capacity) {
                int more = w->capacity ? 2 * w->capacity : 64;
                struct compared_result *run = realloc(s->run, (size_t)more * sizeof *run);

                if (run == NULL)
                        return NULL;
                s->run = run;
                w->capacity = more;
        }
        return &s->run[s->runs];
}

/* "12-3": seed and repeat. */
static bool parse_numbers(const char *text, uint64_t *seed, int *repeat)
{
        unsigned long long a;
        unsigned b;
        int end = 0;

        if (strspn(text, "0123456789-") != strlen(text) ||
            sscanf(text, "%20llu-%8u%n", &a, &b, &end) != 2 || text[end] != '\0')
                return false;
        *seed = a;
        *repeat = (int)b;
        return true;
}

static void identify_run(struct compared_result *r)
{
        const char *slash = strrchr(r->path, '/');

        if (slash == NULL || !parse_numbers(slash + 1, &r->seed, &r->repeat)) {
                r->repeat = 0; /* number_repeats() */
                return;
        }
        snprintf(r->group, sizeof r->group, "%.*s", (int)(slash - r->path), r->path);
}

static bool read_run(struct walk *w, const char *file, const char *relative)
{
        struct compared_side *s = w->side;
        struct compared_result *r = next_run(w);
        struct config_error error;
        char why[600], *text;
        size_t len;
        bool ok;

        if (r == NULL || s->runs == COMPARE_RUNS_MAX)
                return refuse_path(w, s->folder,
                                   r ? "more than 20000 runs" : "out of memory");
        text = config_load_text(file, &len, &error);
        ok = text != NULL && compared_result_parse(r, text, len, file, why, sizeof why);
        if (!ok) {
                snprintf(s->problem, sizeof s->problem, "%s", text ? why : error.text);
                s->unreadable++;
                if (text != NULL)
                        free(r->value);
                free(text);
                return true;
        }
        free(text);
        snprintf(r->path, sizeof r->path, "%s", relative);
        identify_run(r);
        s->runs++;
        return true;
}

static bool visit_folder(struct walk *w, const char *relative, int depth);

static bool visit_entry(struct walk *w, const char *relative, const char *name, int depth)
{
        char below[512];

        if (name[0] == '.')
                return true;
        if ((size_t)snprintf(below, sizeof below, "%s%s%s", relative,
                             relative[0] ? "/" : "", name) >= sizeof below)
                return true;
        return visit_folder(w, below, depth + 1);
}

/* A folder with a summary is a run; nothing below it is looked at. */
static bool visit_folder(struct walk *w, const char *relative, int depth)
{
        struct dirent **entry;
        char path[1100];
        struct stat st;
        bool ok = true;
        int n;

        snprintf(path, sizeof path, "%s/%s%ssummary.json", w->side->folder, relative,
                 relative[0] ? "/" : "");
        if (access(path, F_OK) == 0)
                return read_run(w, path, relative);
        path[strlen(path) - strlen("summary.json")] = '\0';
        if (depth > DEPTH_MAX || lstat(path, &st) != 0)
                return true;
        /* A link could lead back up. */
        path[strlen(path) - 1] = '\0';
        if (relative[0] && (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode)))
                return true;
        n = scandir(path, &entry, NULL, alphasort);
        for (int i = 0; i < n; i++) {
                ok = ok && visit_entry(w, relative, entry[i]->d_name, depth);
                free(entry[i]);
        }
        if (n >= 0)
                free(entry);
        return ok;
}

int compared_order(const struct compared_result *x, const struct compared_result *y)
{
        int group = strcmp(x->group, y->group);

        if (group != 0)
                return group;
        if (x->seed != y->seed)
                return x->seed < y->seed ? -1 : 1;
        return x->repeat - y->repeat;
}

static int by_key(const void *a, const void *b)
{
        const struct compared_result *x = a, *y = b;
        int order = compared_order(x, y);

        return order != 0 ? order : strcmp(x->path, y->path);
}

/* Runs outside of a suite: the first, the second of that seed. */
static void number_repeats(struct compared_side *s)
{
        for (int i = 1; i < s->runs; i++) {
                struct compared_result *before = &s->run[i - 1], *r = &s->run[i];

                if (r->repeat <= before->repeat && r->seed == before->seed &&
                    strcmp(r->group, before->group) == 0)
                        r->repeat = before->repeat + 1;
        }
}

/* The suite that flew there says what counts as the same; folders of other runs do not. False: it says it wrongly. */
static bool read_rules(struct walk *w)
{
        struct suite_comparison *rules = &w->side->rules;
        struct config_error error;
        struct json_error unread;
        struct json *root = NULL, *own;
        char path[600], *text;
        const char *why = NULL;
        size_t len;

        compare_usual_rules(rules);
        snprintf(path, sizeof path, "%s/suite.json", w->side->folder);
        if (access(path, F_OK) != 0)
                return true;
        text = config_load_text(path, &len, &error);
        if (text == NULL)
                why = error.text;
        else if ((root = json_parse(text, len, path, &unread)) == NULL)
                why = unread.text;
        own = json_member(root, "comparison");
        if (own != NULL) {
                memset(rules, 0, sizeof *rules);
                if (!config_table_read(&config_comparison_table, own, rules, NULL,
                                       &error))
                        why = error.text;
        }
        if (why != NULL)
                snprintf(w->why, w->cap, "%s", why);
        json_free(root);
        free(text);
        return why == NULL;
}

bool compared_side_read(struct compared_side *s, const char *folder, char *why,
                        size_t cap)
{
        struct walk w = { .side = s, .why = why, .cap = cap };
        struct stat st;

        why[0] = '\0';
        *s = (struct compared_side){ 0 };
        if ((size_t)snprintf(s->folder, sizeof s->folder, "%s", folder) >=
            sizeof s->folder)
                return refuse_path(&w, folder, "must be shorter than 512 characters");
        if (stat(folder, &st) != 0)
                return refuse_path(&w, folder, strerror(errno));
        if (!S_ISDIR(st.st_mode))
                return refuse_path(&w, folder,
                                   "must be a run folder, or a folder of such");
        if (!visit_folder(&w, "", 0) || !read_rules(&w))
                return false;
        if (s->runs == 0 && s->unreadable > 0) {
                snprintf(why, cap, "%s", s->problem);
                return false;
        }
        if (s->runs == 0)
                return refuse_path(&w, folder, "holds no finished run (no summary.json)");
        /* Two single runs are twins because the user says so. */
        if (s->runs == 1 && s->run[0].path[0] == '\0') {
                snprintf(s->run[0].group, sizeof s->run[0].group, "run");
                s->run[0].seed = 0;
        }
        qsort(s->run, (size_t)s->runs, sizeof *s->run, by_key);
        number_repeats(s);
        return true;
}

void compared_side_free(struct compared_side *s)
{
        for (int i = 0; i < s->runs; i++)
                free(s->run[i].value);
        free(s->run);
        *s = (struct compared_side){ 0 };
}
