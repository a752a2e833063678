#include "hil/suite/suite.h"

#include <string.h>
#include <unistd.h>

#include "hil/text/files.h"

bool suite_folder_name(struct suite *s, char *why, size_t cap)
{
        const char *given = s->options.list && !s->options.out ? "." : s->options.out;
        char name[NAME_MAX_LEN + 8];

        if (given == NULL) {
                snprintf(name, sizeof name, "suite-%s", s->file.name);
                return run_folder_make(NULL, name, s->folder, sizeof s->folder, why, cap);
        }
        if (given[0] != '\0' &&
            (size_t)snprintf(s->folder, sizeof s->folder, "%s", given) < sizeof s->folder)
                return true;
        s->folder[0] = '\0';
        snprintf(why, cap, "--out: must have 1 to %zu characters", sizeof s->folder - 1);
        return false;
}

bool suite_folder_make(struct suite *s, char *why, size_t cap)
{
        if (!folder_make(s->folder, why, cap))
                return false;
        if (access(s->folder, W_OK) == 0)
                s->folder_fd = folder_take(s->folder, why, cap);
        else
                snprintf(why, cap, "%s: cannot be written", s->folder);
        return s->folder_fd >= 0;
}

void suite_folder_drop(const struct suite *s)
{
        if (s->options.out == NULL && !s->options.list && s->folder[0] != '\0')
                rmdir(s->folder);
}

bool suite_folder_look(struct suite *s, char *why, size_t cap)
{
        const struct suite_run *first = NULL;
        int others = 0;

        for (int i = 0; i < s->runs; i++) {
                struct suite_run *r = &s->run[i];

                if (suite_result_read(r, true))
                        r->state = SUITE_KEPT;
                others += r->other_settings;
                if (r->other_settings && first == NULL)
                        first = r;
        }
        if (first == NULL || s->options.fly_again)
                return true;
        snprintf(why, cap,
                 "%s: %d finished run%s there %s flown with other settings (or this "
                 "folder "
                 "was written differently), first %s: choose another --out, or overwrite "
                 "with --fly-again",
                 s->folder, others, others == 1 ? "" : "s", others == 1 ? "was" : "were",
                 first->folder + strlen(s->folder) + 1);
        return false;
}

bool suite_folder_holds(const struct suite *s, const char *group, uint64_t seed,
                        int repeat)
{
        char path[sizeof s->folder + COMPARE_GROUP_MAX + 60];

        if (s->options.out == NULL)
                return false;
        snprintf(path, sizeof path, "%s/%s/%llu-%d/summary.json", s->folder, group,
                 (unsigned long long)seed, repeat);
        return access(path, F_OK) == 0;
}
