/* Flights of builds, each in a folder of its own; and what a build is. */
#include "hil/cmd/bisect.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define VOID_MOST 3 /* times that void flights are flown again */

/* Runs argv with what it prints going to standard error, or into a pipe that is returned. Exit status; -1: it
 * did not start, or was ended by a signal. */
static int run_program(char *const argv[], int *out_fd)
{
        posix_spawn_file_actions_t files;
        int ends[2] = { -1, -1 }, error, status;
        pid_t child;

        if (out_fd != NULL && pipe(ends) != 0)
                return -1;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, out_fd != NULL ? ends[1] : 2, 1);
        if (out_fd != NULL) {
                posix_spawn_file_actions_addclose(&files, ends[0]);
                posix_spawn_file_actions_addclose(&files, ends[1]);
        }
        error = posix_spawnp(&child, argv[0], &files, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&files);
        if (out_fd != NULL) {
                close(ends[1]);
                *out_fd = ends[0];
        }
        if (error != 0)
                return -1;
        /* The reader of the pipe waits for it. */
        if (out_fd != NULL)
                return (int)child;
        while (waitpid(child, &status, 0) != child)
                ;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool bisect_list_commits(struct builds *b, const char *dir, const char *range, char *why,
                         size_t cap)
{
        const char *dots = strstr(range, "..");
        char good[200], name[BUILD_NAME_MAX + 2];
        char *argv[] = { "git",
                         "-C",
                         (char *)(uintptr_t)dir,
                         "rev-list",
                         "--first-parent",
                         "--reverse",
                         (char *)(uintptr_t)range,
                         NULL };
        char *first[] = { "git", "-C", (char *)(uintptr_t)dir, "rev-parse", "--verify",
                          good,  NULL };
        bool ok = dots != NULL && dots - range < 100;

        if (ok)
                snprintf(good, sizeof good, "%.*s^{commit}", (int)(dots - range), range);
        for (int part = 0; ok && part < 2; part++) {
                int fd, status;
                pid_t child = run_program(part == 0 ? first : argv, &fd);
                FILE *lines = child > 0 ? fdopen(fd, "re") : NULL;

                ok = lines != NULL;
                while (ok && fgets(name, sizeof name, lines) != NULL) {
                        name[strcspn(name, "\n")] = '\0';
                        ok = builds_add(b, name, why, cap);
                        if (!ok)
                                break;
                }
                if (lines != NULL)
                        fclose(lines);
                if (child > 0 && (waitpid(child, &status, 0) != child || status != 0))
                        ok = false;
        }
        if (!ok)
                snprintf(why, cap, "--git: must be a repository and GOOD..BAD, is %s %s",
                         dir, range);
        return ok;
}

static void set_variables(const struct build *b)
{
        char name[200];

        setenv("HILRIG_BUILD", b->name, 1);
        for (int i = 0; i < b->variables; i++) {
                size_t len = strcspn(b->variable[i], "=");

                snprintf(name, sizeof name, "%.*s", (int)len, b->variable[i]);
                setenv(name, b->variable[i] + len + 1, 1);
        }
}

static void unset_variables(const struct build *b)
{
        char name[200];

        for (int i = 0; i < b->variables; i++) {
                snprintf(name, sizeof name, "%.*s", (int)strcspn(b->variable[i], "="),
                         b->variable[i]);
                unsetenv(name);
        }
}

static bool prepare(struct bisect_command *c, int build, char *why, size_t cap)
{
        char *argv[] = { "sh", "-c", (char *)(uintptr_t)c->prepare, NULL };
        int status;

        if (c->prepare == NULL || c->prepared[build])
                return true;
        status = run_program(argv, NULL);
        c->prepared[build] = status == 0;
        if (status != 0)
                snprintf(why, cap, "--prepare ended with %d", status);
        return status == 0;
}

/* The build's own settings, then the command line's; freed by free_sets(). */
static bool make_sets(const struct bisect_command *c, const struct build *b,
                      struct suite_options *o)
{
        for (int i = 0; i < b->sets + c->sets; i++) {
                char *text =
                        build_expand(b, i < b->sets ? b->set[i] : c->set[i - b->sets]);

                if (text == NULL || o->sets == SUITE_CLI_SETS_MAX) {
                        free(text);
                        return false;
                }
                o->set[o->sets++] = text;
        }
        return true;
}

static void free_sets(struct suite_options *o)
{
        for (int i = 0; i < o->sets; i++)
                free((char *)(uintptr_t)o->set[i]);
        o->sets = 0;
}

/* BISECT_CANNOT with the first that did not run. */
static enum bisect_flown judge(const struct suite *s, char *why, size_t cap)
{
        if (s->interrupted) {
                snprintf(why, cap, "stopped");
                return BISECT_STOPPED;
        }
        for (int i = 0; i < s->runs; i++)
                if (s->run[i].verdict == RUN_ERROR) {
                        snprintf(why, cap, "%s", s->run[i].reason);
                        return BISECT_CANNOT;
                }
        return BISECT_FLOWN;
}

static bool has_void(const struct suite *s)
{
        for (int i = 0; i < s->runs; i++)
                if (s->run[i].verdict == RUN_VOID && !suite_asked_nothing(&s->run[i]))
                        return true;
        return false;
}

static enum bisect_flown fly_suite(const struct suite_options *o, bool *again, char *why,
                                   size_t cap)
{
        enum bisect_flown flown = BISECT_BROKE;
        struct suite *s = calloc(1, sizeof *s);
        FILE *out = fopen("/dev/null", "we");

        *again = false;
        if (s == NULL || out == NULL)
                snprintf(why, cap, "out of memory");
        else if (!suite_plan(s, o, why, cap))
                flown = BISECT_CANNOT;
        else if (suite_fly(s, out, why, cap))
                flown = judge(s, why, cap);
        *again = flown == BISECT_FLOWN && has_void(s);
        if (s != NULL)
                suite_free(s);
        free(s);
        if (out != NULL)
                fclose(out);
        return flown;
}

enum bisect_flown bisect_fly_build(void *self, int build, int seeds,
                                   struct compared_side *side, char *why, size_t cap)
{
        struct bisect_command *c = self;
        const struct build *b = &c->builds.build[build];
        struct suite_options o = { .file = c->suite,
                                   .jobs = c->jobs,
                                   .seed_count = seeds };
        enum bisect_flown flown = BISECT_CANNOT;
        char folder[500];
        bool again = true;

        snprintf(folder, sizeof folder, "%s/%s", c->folder, b->name);
        o.out = folder;
        set_variables(b);
        if (!make_sets(c, b, &o))
                snprintf(why, cap, "more than %d settings", SUITE_CLI_SETS_MAX);
        else if (prepare(c, build, why, cap))
                for (int i = 0; i < VOID_MOST && again; i++)
                        flown = fly_suite(&o, &again, why, cap);
        free_sets(&o);
        unset_variables(b);
        if (flown == BISECT_FLOWN && !compared_side_read(side, folder, why, cap))
                flown = BISECT_CANNOT;
        return flown;
}
