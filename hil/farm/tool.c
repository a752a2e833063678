#include "hil/farm/tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/process/child.h"
#include "hil/time/clock.h"

extern char **environ;

static const struct {
        const char *program, *from;
} known[] = {
        { "uhubctl", "Debian: uhubctl" },
        { "usbrelay", "Debian: usbrelay" },
        { "sispmctl", "Debian: sispmctl" },
        { "dfu-util", "Debian: dfu-util" },
        { "openocd", "Debian: openocd" },
        { "st-flash", "Debian: stlink-tools" },
        /* python3-pyocd of Debian 12 has no program of this name. */
        { "pyocd", "pip install pyocd" },
        { "python3", "Debian: python3" },
};

void tool_add(struct tool *t, const char *format, ...)
{
        va_list args;

        if (t->words == TOOL_WORDS_MAX)
                return;
        va_start(args, format);
        vsnprintf(t->word[t->words++], TOOL_WORD_MAX, format, args);
        va_end(args);
}

static bool is_in_path(const char *program)
{
        const char *path = getenv("PATH");
        char file[1200];

        if (strchr(program, '/') != NULL)
                return access(program, X_OK) == 0;
        while (path != NULL && *path != '\0') {
                int len = (int)strcspn(path, ":");

                snprintf(file, sizeof file, "%.*s/%s", len, path, program);
                if (access(file, X_OK) == 0)
                        return true;
                path += len + (path[len] == ':');
        }
        return false;
}

bool tool_is_there(const struct tool *t, char *why, size_t cap)
{
        const char *from = NULL;

        if (is_in_path(t->word[0]))
                return true;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
                if (strcmp(known[i].program, t->word[0]) == 0)
                        from = known[i].from;
        snprintf(why, cap, "%s: %s%s%s%s", t->word[0],
                 strchr(t->word[0], '/') != NULL ? "no such program"
                                                 : "no program of this name is in PATH",
                 from != NULL ? " (" : "", from != NULL ? from : "",
                 from != NULL ? ")" : "");
        return false;
}

static void read_said(const char *log, char said[TOOL_SAID_MAX])
{
        FILE *f = fopen(log, "re");
        size_t n = f != NULL ? fread(said, 1, TOOL_SAID_MAX - 1, f) : 0;

        said[n] = '\0';
        if (f != NULL)
                fclose(f);
}

/* What it was, how it ended, and what it said at last. */
static bool explain(const struct child *c, bool late, int64_t timeout_ns, char *why,
                    size_t cap)
{
        char end[100], words[300];

        child_last_words(c->log, words, sizeof words);
        if (late)
                snprintf(end, sizeof end, "still ran after %g s, and was killed",
                         1e-9 * (double)timeout_ns);
        else
                child_describe_end(c, end, sizeof end);
        snprintf(why, cap, "%s: %s%s%s", c->name, end, words[0] != '\0' ? ": " : "",
                 words);
        return false;
}

bool tool_run_into(const struct tool *t, int64_t timeout_ns, const char *file, char *why,
                   size_t cap)
{
        char *argv[TOOL_WORDS_MAX + 1];
        struct child_command command = {
                .argv = argv, .environment = environ, .folder = ".", .log = file
        };
        struct child c;
        bool ended;

        for (int i = 0; i < t->words; i++)
                argv[i] = (char *)(uintptr_t)t->word[i];
        argv[t->words] = NULL;
        if (!child_start(&c, &command, why, cap))
                return false;
        ended = child_await(&c, timeout_ns);
        child_end(&c);
        return (ended && c.status == 0) || explain(&c, !ended, timeout_ns, why, cap);
}

bool tool_run(const struct tool *t, int64_t timeout_ns, char said[TOOL_SAID_MAX],
              char *why, size_t cap)
{
        const char *tmp = getenv("TMPDIR");
        char log[300];
        bool ok;
        int fd;

        said[0] = '\0';
        snprintf(log, sizeof log, "%.200s/hilrig-tool-XXXXXX", tmp ? tmp : "/tmp");
        fd = mkstemp(log);
        if (fd < 0) {
                snprintf(why, cap, "%s: cannot be made", log);
                return false;
        }
        close(fd);
        ok = tool_run_into(t, timeout_ns, log, why, cap);
        read_said(log, said);
        unlink(log);
        return ok;
}
