/* Firmware as a process that the rig starts for a run: its folder, its environment, until it is up, and its end. */
#include "hil/rig/spawn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/process/listening.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"
#include "hil/text/tree.h"
#include "hil/text/variables.h"
#include "hil/time/clock.h"

#define LOOK_NS        (5 * NS_PER_MS)
#define SPAWNED_END_NS (2 * NS_PER_S) /* of the reference FC, after its link was closed */

struct firmware {
        const struct vehicle_config *vehicle; /* or a station */
        const char *list; /* "vehicles", and the place in it */
        int index;
        struct child *child;
        char folder[600], log[600];
        char *word[FC_WORDS_MAX + 1]; /* owned, like what follows */
        char **environment;
        char *why;
        size_t cap;
};

static struct firmware firmware_of(const struct rig_config *config, int board,
                                   struct child *child, char *why, size_t cap)
{
        int station = board - config->vehicles;

        return (struct firmware){ .vehicle = &config->vehicle[board],
                                  .list = station < 0 ? "vehicles" : "stations",
                                  .index = station < 0 ? board : station,
                                  .child = child,
                                  .why = why,
                                  .cap = cap };
}

static bool refuse_firmware(struct firmware *f, const char *key, const char *text)
{
        snprintf(f->why, f->cap, "%s.%d.fc.%s: %s", f->list, f->index, key, text);
        return false;
}

/* ${NAME} by the rig's environment. NULL: why says which it has not. */
static char *expand_variables(struct firmware *f, const char *key, const char *word)
{
        char missing[128], text[400];
        char *out = variables_expand(word, missing, sizeof missing);

        if (out != NULL)
                return out;
        if (missing[0] != '\0')
                snprintf(text, sizeof text,
                         "the environment has no %s: export %s=..., or start the "
                         "firmware yourself, with --set %s.%d.fc.start=null",
                         missing, missing, f->list, f->index);
        else
                snprintf(text, sizeof text, "out of memory");
        refuse_firmware(f, key, text);
        return NULL;
}

static bool fill_words(struct firmware *f, const char *key, const struct fc_command *c)
{
        for (int i = 0; i < c->words; i++) {
                f->word[i] = expand_variables(f, key, c->word[i]);
                if (f->word[i] == NULL)
                        return false;
        }
        return true;
}

/* "KEY=VALUE" of that key. */
static bool is_variable(const char *entry, const char *key)
{
        size_t len = strlen(key);

        return strncmp(entry, key, len) == 0 && entry[len] == '=';
}

static bool is_replaced(const struct fc_start_config *s, const char *entry)
{
        for (int i = 0; i < s->variables; i++)
                if (is_variable(entry, s->variable[i].key))
                        return true;
        return false;
}

static bool fill_environment(struct firmware *f)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;
        size_t room = (size_t)s->variables + 1, n = 0;

        for (char **e = environ; *e != NULL; e++)
                room++;
        f->environment = calloc(room, sizeof *f->environment);
        if (f->environment == NULL)
                return refuse_firmware(f, "start", "out of memory");
        for (int i = 0; i < s->variables; i++) {
                char *value =
                        expand_variables(f, "start.environment", s->variable[i].value);

                if (value == NULL ||
                    asprintf(&f->environment[n], "%s=%s", s->variable[i].key, value) < 0)
                        f->environment[n] = NULL;
                free(value);
                if (f->environment[n++] == NULL)
                        return false;
        }
        for (char **e = environ; *e != NULL; e++)
                if (!is_replaced(s, *e)) {
                        f->environment[n] = strdup(*e);
                        if (f->environment[n++] == NULL)
                                return refuse_firmware(f, "start", "out of memory");
                }
        return true;
}

static void free_firmware(struct firmware *f)
{
        for (int i = 0; i < FC_WORDS_MAX; i++)
                free(f->word[i]);
        for (char **e = f->environment; e != NULL && *e != NULL; e++)
                free(*e);
        free(f->environment);
}

/* The process is elsewhere than the rig. */
static bool name_files(struct firmware *f, const char *run_folder)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;
        char *run = realpath(run_folder, NULL), *own = NULL;
        bool ok = run != NULL;

        if (ok && s->folder[0] != '\0') {
                own = expand_variables(f, "start.folder", s->folder);
                ok = own != NULL;
        } else if (!ok) {
                snprintf(f->why, f->cap, "%s: %s", run_folder, strerror(errno));
        }
        if (ok &&
            ((size_t)snprintf(f->log, sizeof f->log, "%s/fc-%s.log", run,
                              f->vehicle->name) >= sizeof f->log ||
             (size_t)snprintf(f->folder, sizeof f->folder, "%s%s%s",
                              own != NULL ? own : run, own != NULL ? "" : "/fc-",
                              own != NULL ? "" : f->vehicle->name) >= sizeof f->folder))
                ok = refuse_firmware(f, "start.folder", "its path is too long");
        free(own);
        free(run);
        return ok;
}

static bool make_folder(struct firmware *f)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;
        char text[400];

        /* One of the rig's own is new: nothing that another flight left is in it. */
        if (s->folder[0] == '\0' && mkdir(f->folder, 0777) != 0) {
                snprintf(text, sizeof text, "%s: cannot be made (%s): give another --out",
                         f->folder, strerror(errno));
                return refuse_firmware(f, "start.folder", text);
        }
        if (s->folder[0] != '\0' && !folder_make(f->folder, text, sizeof text))
                return refuse_firmware(f, "start.folder", text);
        return true;
}

static bool fill_folder(struct firmware *f)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;
        char text[400];
        bool ok = true;

        for (int i = 0; ok && i < s->restores; i++) {
                char *path = expand_variables(f, "start.restore", s->restore[i]);

                ok = path != NULL;
                if (ok && !tree_copy_into(f->folder, path, text, sizeof text))
                        ok = refuse_firmware(f, "start.restore", text);
                free(path);
        }
        return ok;
}

static bool is_unattended(struct firmware *f)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;
        char text[400];

        if (s->listens[0] == '\0' || !listening_at(&s->listener))
                return true;
        snprintf(text, sizeof text,
                 "something listens at %s already: end it if it is a firmware of another "
                 "flight, or fly with it as it is by --set %s.%d.fc.start=null",
                 s->listens, f->list, f->index);
        return refuse_firmware(f, "start", text);
}

static bool log_holds(const char *log, const char *text)
{
        const char *why;
        size_t len;
        const void *map = mapped_file_open(log, &len, &why);
        bool found = map != NULL && memmem(map, len, text, strlen(text)) != NULL;

        mapped_file_close(map, len);
        return found;
}

/* What is still missing, in words; "": nothing. */
static void describe_missing(const struct firmware *f, char *text, size_t cap)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;

        text[0] = '\0';
        if (s->listens[0] != '\0' && !listening_at(&s->listener))
                snprintf(text, cap, "nothing listens at %s", s->listens);
        else if (s->output[0] != '\0' && !log_holds(f->log, s->output))
                snprintf(text, cap, "its output does not hold \"%s\"", s->output);
}

static void describe_words(const struct child *c, const char *what, char *text,
                           size_t cap)
{
        char words[240] = "";

        if (c->log[0] != '\0')
                child_last_words(c->log, words, sizeof words);
        snprintf(text, cap, "its process %s %s%s%s%s%s%s", c->name, what,
                 words[0] != '\0' ? "; it last said: " : "", words,
                 c->log[0] != '\0' ? " (" : "", c->log, c->log[0] != '\0' ? ")" : "");
}

void rig_describe_end(const struct child *c, char *text, size_t cap)
{
        char end[100];

        child_describe_end(c, end, sizeof end);
        describe_words(c, end, text, cap);
}

static bool refuse_not_up(struct firmware *f, const char *what)
{
        char text[400];

        describe_words(f->child, what, text, sizeof text);
        snprintf(f->why, f->cap, "%s: %s", f->vehicle->name, text);
        return false;
}

static bool await_firmware(struct firmware *f)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;
        int64_t begin_ns = clock_now_ns();
        char missing[300], what[400], end[100];

        for (;;) {
                if (child_look(f->child)) {
                        child_describe_end(f->child, end, sizeof end);
                        snprintf(what, sizeof what, "%s before it was up", end);
                        return refuse_not_up(f, what);
                }
                describe_missing(f, missing, sizeof missing);
                if (missing[0] == '\0')
                        return true;
                if (clock_now_ns() - begin_ns > s->ready_timeout_ns)
                        break;
                clock_sleep_until(clock_now_ns() + LOOK_NS);
        }
        snprintf(what, sizeof what, "was not up within %.6g s: %s",
                 (double)s->ready_timeout_ns * 1e-9, missing);
        return refuse_not_up(f, what);
}

static bool run_command(struct firmware *f, struct child *child, const char *log,
                        int priority)
{
        struct child_command command = { .argv = f->word,
                                         .environment = f->environment,
                                         .folder = f->folder,
                                         .log = log,
                                         .priority = priority };

        return child_start(child, &command, f->why, f->cap);
}

static bool run_firmware(struct firmware *f, enum pace pace)
{
        char text[400];

        if (run_command(f, f->child, f->log,
                        pace == PACE_REALTIME ? f->vehicle->fc.start.priority : 0))
                return true;
        snprintf(text, sizeof text, "%s", f->why);
        return refuse_firmware(f, "start.command", text);
}

static bool start_one(struct firmware *f, const struct rig_config *config,
                      const char *run_folder)
{
        const struct fc_start_config *s = &f->vehicle->fc.start;

        if (!fill_words(f, "start.command", &s->command) || !fill_environment(f) ||
            !name_files(f, run_folder) || !is_unattended(f) || !make_folder(f))
                return false;
        if (!fill_folder(f) || !run_firmware(f, config->pace)) {
                /* Nothing has run in it: the same --out may be used again. */
                if (s->folder[0] == '\0')
                        tree_remove(f->folder);
                return false;
        }
        return await_firmware(f);
}

bool rig_starts_firmware(const struct rig_config *config)
{
        for (int i = 0; i < config_boards(config); i++)
                if (config->vehicle[i].fc.start.used)
                        return true;
        return false;
}

bool rig_start(struct child *child, const struct rig_config *config,
               const char *run_folder, char *why, size_t cap)
{
        bool ok = true;

        for (int i = 0; ok && i < config_boards(config); i++) {
                struct firmware f = firmware_of(config, i, &child[i], why, cap);

                if (!f.vehicle->fc.start.used)
                        continue;
                ok = start_one(&f, config, run_folder);
                free_firmware(&f);
        }
        return ok;
}

/* In its own words, where it has a command for that. */
static void ask_to_end(struct child *child, const struct rig_config *config, int board)
{
        const struct vehicle_config *v = &config->vehicle[board];
        const struct fc_stop_config *stop = &v->fc.stop;
        struct child helper = { 0 };
        char why[400];
        struct firmware f = firmware_of(config, board, child, why, sizeof why);

        snprintf(f.folder, sizeof f.folder, "%s", child->folder);
        if (!fill_words(&f, "stop.command", &stop->command) || !fill_environment(&f) ||
            !run_command(&f, &helper, NULL, 0))
                terminal_print(stderr, "%s: fc.stop: %s\n", v->name, why);
        child_await(&helper, stop->wait_ns);
        child_end(&helper);
        free_firmware(&f);
}

static void ask_firmware(struct child *child, const struct rig_config *config, int board)
{
        const struct fc_stop_config *stop = &config->vehicle[board].fc.stop;

        if (stop->command.words == 0)
                child_ask_to_end(child, stop->signal);
        else if (child->pid > 0 && !child_look(child))
                ask_to_end(child, config, board);
}

/* All are asked, then all killed, then all waited for: threads of real-time priority whose links are closed may
 * take every processor from one that is to end. */
void rig_reap(struct child *child, const struct rig_config *config)
{
        int64_t asked_ns;

        for (int i = 0; i < config_boards(config); i++)
                if (config->vehicle[i].fc.start.used)
                        ask_firmware(&child[i], config, i);
        asked_ns = clock_now_ns();
        for (int i = 0; i < config_boards(config); i++) {
                const struct fc_config *fc = &config->vehicle[i].fc;
                int64_t wait_ns = fc->start.used ? fc->stop.wait_ns : SPAWNED_END_NS;

                child_await(&child[i], asked_ns + wait_ns - clock_now_ns());
        }
        for (int i = 0; i < config_boards(config); i++)
                child_kill(&child[i]);
        for (int i = 0; i < config_boards(config); i++)
                child_end(&child[i]);
}
