/* From a campaign file to its flights. */
#include "hil/campaign/campaign.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/config/load.h"
#include "hil/farm/equip.h"
#include "hil/record/signal_hash.h"
#include "hil/text/files.h"

static bool refuse_plan(char *why, size_t cap, const char *text)
{
        snprintf(why, cap, "%s", text);
        return false;
}

/* Every flight has a seed of its own, and a folder called after it. */
static bool leaves_seed(const struct suite_sets *sets, const char *file, char *why,
                        size_t cap)
{
        for (int i = 0; i < sets->count; i++)
                if (strncmp(sets->text[i], "seed=", 5) == 0) {
                        snprintf(why, cap,
                                 "%s: set: must leave the seed to \"seeds\", is with "
                                 "\"%.60s\"",
                                 file, sets->text[i]);
                        return false;
                }
        return true;
}

static bool seeds_are_free(const struct campaign *c, char *why, size_t cap)
{
        const struct campaign_file *f = &c->file;
        bool ok = leaves_seed(&f->suite.set, c->options.file, why, cap);

        for (int i = 0; ok && i < f->versions; i++)
                ok = leaves_seed(&f->version[i].set, c->options.file, why, cap);
        for (int i = 0; ok && i < f->suite.variants; i++)
                ok = leaves_seed(&f->suite.variant[i].set, c->options.file, why, cap);
        for (int i = 0; ok && i < c->options.sets; i++)
                if (strncmp(c->options.set[i], "seed=", 5) == 0) {
                        snprintf(why, cap,
                                 "--set %.60s: each flight has a seed of its own",
                                 c->options.set[i]);
                        ok = false;
                }
        return ok;
}

/* A file that the campaign names; freed by the caller. NULL: no memory. */
static char *path_of(const struct campaign *c, const char *name)
{
        char *file = config_file_named(c->options.file);
        char *path = file != NULL ? config_file_beside(file, name) : NULL;

        free(file);
        return path;
}

static bool has_family(const struct campaign *c, const char *family)
{
        for (int i = 0; i < c->farm.boards; i++)
                if (strcmp(c->farm.board[i].family, family) == 0)
                        return true;
        return false;
}

static bool read_farm(struct campaign *c, char *why, size_t cap)
{
        const char *own = c->file.farm[0] != '\0' ? c->file.farm : NULL;
        struct config_error error;
        char *path = c->options.farm != NULL ? strdup(c->options.farm)
                     : own != NULL           ? path_of(c, own)
                                             : NULL;
        bool ok = true;

        if (path == NULL && (c->options.farm != NULL || own != NULL))
                return refuse_plan(why, cap, "out of memory");
        if (path != NULL)
                snprintf(c->farm_path, sizeof c->farm_path, "%s", path);
        if (path != NULL && !config_read_farm(&c->farm, path, &error)) {
                snprintf(why, cap, "%s", error.text);
                ok = false;
        }
        for (int i = 0; ok && i < c->file.suite.rigs; i++) {
                const char *family = c->file.suite.rig[i].board;

                if (family[0] == '\0' || has_family(c, family))
                        continue;
                snprintf(why, cap,
                         "%s: rigs.%d.board: must be the family of a board of the "
                         "farm%s%s, "
                         "is \"%s\"",
                         c->options.file, i,
                         path != NULL ? " " : ", and it names no farm",
                         path != NULL ? path : "", family);
                ok = false;
        }
        free(path);
        return ok;
}

/* A file that a version names, from wherever it is read. */
static bool find_file(const struct campaign *c, const struct campaign_version *v,
                      const char *key, char name[SUITE_PATH_MAX], char *why, size_t cap)
{
        char *path = name[0] != '\0' ? path_of(c, name) : NULL;
        char *whole = path != NULL ? realpath(path, NULL) : NULL;
        bool ok = name[0] == '\0';

        if (!ok && whole == NULL)
                snprintf(why, cap, "%s: version %s: %s: %s is not there", c->options.file,
                         v->name, key, path != NULL ? path : name);
        else if (!ok && strlen(whole) >= SUITE_PATH_MAX - 40)
                snprintf(
                        why, cap,
                        "%s: version %s: %s: its path must be shorter than %d characters",
                        c->options.file, v->name, key, SUITE_PATH_MAX - 40);
        else if (!ok)
                ok = snprintf(name, SUITE_PATH_MAX, "%s", whole) > 0;
        free(whole);
        free(path);
        return ok;
}

/* The program in place of the one that the rig starts. */
static bool add_executable(struct campaign *c, struct suite *s,
                           const struct campaign_version *v, char *why, size_t cap)
{
        if (v->executable[0] == '\0')
                return true;
        if (s->extra.count == SUITE_SETS_MAX) {
                snprintf(why, cap,
                         "%s: version %s: beside an executable at most %d settings",
                         c->options.file, v->name, SUITE_SETS_MAX - 1);
                return false;
        }
        snprintf(s->extra.text[s->extra.count++], SUITE_PATH_MAX,
                 "vehicles.0.fc.start.command.0=\"%.215s\"", v->executable);
        return true;
}

/* What is in a file, which may be another the next time under the same name; "": nothing can be read. */
static void sign_file(const char *path, char sha256[65])
{
        const char *why;
        size_t len;
        const void *map = path[0] != '\0' ? mapped_file_open(path, &len, &why) : NULL;

        sha256[0] = '\0';
        if (map != NULL)
                sha256_hex(map, len, sha256);
        mapped_file_close(map, map != NULL ? len : 0);
}

/* Its configuration does not tell everything: other variables, or another program or image, make another flight. */
static void sign_version(struct suite *s, const struct campaign_version *v)
{
        char text[2 * 65 + sizeof v->variable + sizeof v->says + 100], image[65],
                program[65];
        size_t used, begin;

        if (v->variables == 0 && v->image[0] == '\0' && v->executable[0] == '\0')
                return;
        sign_file(v->image, image);
        sign_file(v->executable, program);
        begin = sizeof s->run->config_sha256;
        used = begin + (size_t)snprintf(text + begin, sizeof text - begin, "%s %s %s\n",
                                        image, program, v->says);
        for (int i = 0; i < v->variables; i++)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s=%s\n",
                                         v->variable[i].key, v->variable[i].value);
        for (int i = 0; i < s->runs; i++) {
                memcpy(text, s->run[i].config_sha256, begin);
                sha256_hex(text, used, s->run[i].config_sha256);
        }
}

/* Of a job's campaign only its flight is read. Each version has the same ones. */
static int just_run(const struct campaign *c, int version)
{
        int before = version * c->suite[0].runs, number = c->options.job.number;

        if (number == 0)
                return 0;
        return number > before && (version == 0 || number <= before + c->suite[0].runs)
                       ? number - before
                       : -1;
}

static bool plan_version(struct campaign *c, int version, char *why, size_t cap)
{
        struct campaign_version *v = &c->file.version[version];
        struct suite_options o = { .file = c->options.file, .jobs = c->options.jobs };
        struct suite *s = &c->suite[version];
        struct campaign_environment e;
        bool ok;

        s->file = c->file.suite;
        s->extra = v->set;
        s->folder_fd = -1;
        memcpy(o.set, c->options.set, sizeof o.set);
        o.sets = c->options.sets;
        o.just = just_run(c, version);
        if (!find_file(c, v, "executable", v->executable, why, cap) ||
            !find_file(c, v, "image", v->image, why, cap) ||
            !add_executable(c, s, v, why, cap))
                return false;
        if ((size_t)snprintf(s->folder, sizeof s->folder, "%s/%s", c->folder, v->name) >=
            sizeof s->folder)
                return refuse_plan(why, cap, "--out: its name is too long");
        /* Named in JUnit XML after the campaign and the version. */
        snprintf(s->file.name, sizeof s->file.name, "%.31s.%.31s", c->file.suite.name,
                 v->name);
        campaign_enter_version(&e, v);
        ok = suite_plan_runs(s, &o, why, cap);
        campaign_leave_version(&e);
        if (ok && o.just >= 0)
                sign_version(s, v);
        return ok;
}

static bool number_flights(struct campaign *c, char *why, size_t cap)
{
        int n = 0;

        for (int v = 0; v < c->file.versions; v++)
                c->flights += c->suite[v].runs;
        if (c->flights > SUITE_RUNS_MAX)
                return refuse_plan(why, cap, "more than 20000 flights");
        c->flight = calloc((size_t)c->flights, sizeof *c->flight);
        if (c->flight == NULL)
                return refuse_plan(why, cap, "out of memory");
        for (int v = 0; v < c->file.versions; v++)
                for (int i = 0; i < c->suite[v].runs; i++, n++)
                        c->flight[n] = (struct campaign_flight){
                                .number = n + 1, .version = v, .run = &c->suite[v].run[i]
                        };
        return true;
}

/* A job's campaign is its flight alone. */
static bool leave_one(struct campaign *c, char *why, size_t cap)
{
        int number = c->options.job.number;

        if (number == 0)
                return true;
        if (number > c->flights) {
                snprintf(why, cap, "--job: there is no flight %d, but %d", number,
                         c->flights);
                return false;
        }
        c->flight[0] = c->flight[number - 1];
        c->flight[0].attempts = c->options.job.attempts;
        c->flights = c->jobs = 1;
        return true;
}

static int choose_jobs(const struct campaign *c)
{
        long n = c->options.jobs > 0 ? c->options.jobs : c->file.suite.jobs;

        if (n == 0)
                n = sysconf(_SC_NPROCESSORS_ONLN);
        return n < 1 ? 1 : n > 256 ? 256 : (int)n;
}

static bool name_folder(struct campaign *c, char *why, size_t cap)
{
        char name[NAME_MAX_LEN + 12];

        snprintf(name, sizeof name, "campaign-%s", c->file.suite.name);
        if (c->options.out == NULL)
                return run_folder_make(NULL, name, c->folder, sizeof c->folder, why, cap);
        if ((size_t)snprintf(c->folder, sizeof c->folder, "%s", c->options.out) <
            sizeof c->folder)
                return true;
        snprintf(why, cap, "--out: must have 1 to %zu characters", sizeof c->folder - 1);
        return false;
}

bool campaign_plan(struct campaign *c, const struct campaign_options *o, char *why,
                   size_t cap)
{
        struct config_error error;

        why[0] = '\0';
        *c = (struct campaign){ .options = *o, .folder_fd = -1 };
        if (!config_read_campaign(&c->file, o->file, &error))
                return refuse_plan(why, cap, error.text);
        if (!seeds_are_free(c, why, cap) || !read_farm(c, why, cap) ||
            !name_folder(c, why, cap))
                return false;
        c->suite = calloc((size_t)c->file.versions, sizeof *c->suite);
        if (c->suite == NULL)
                return refuse_plan(why, cap, "out of memory");
        for (int v = 0; v < c->file.versions; v++)
                if (!plan_version(c, v, why, cap)) {
                        if (o->out == NULL)
                                rmdir(c->folder);
                        return false;
                }
        c->jobs = choose_jobs(c);
        return number_flights(c, why, cap) && leave_one(c, why, cap);
}

const char *campaign_flight_name(const struct campaign *c,
                                 const struct campaign_flight *f)
{
        return f->run->folder + strlen(c->folder) + 1;
}

bool campaign_is_open(const struct campaign_flight *f)
{
        return f->run->state == SUITE_WAITING || f->run->state == SUITE_FLYING;
}
