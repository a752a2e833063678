#include "hil/bench/program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/time/clock.h"

static int64_t ns_of(struct timeval t)
{
        return (int64_t)t.tv_sec * NS_PER_S + (int64_t)t.tv_usec * 1000;
}

static int start(char *const *argv, const char *file, pid_t *child)
{
        posix_spawn_file_actions_t files;
        int error;

        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, 1, file, O_WRONLY | O_CREAT | O_TRUNC,
                                         0666);
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
        error = posix_spawn(child, argv[0], &files, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&files);
        return error;
}

bool program_run(char *const *argv, const char *file, struct program_cost *cost)
{
        struct rusage used;
        pid_t child;
        int status, error;

        cost->begin_ns = clock_now_ns();
        error = start(argv, file, &child);
        if (error == 0 && wait4(child, &status, 0, &used) != child)
                error = ECHILD;
        cost->wall_ns = clock_now_ns() - cost->begin_ns;
        if (error != 0) {
                fprintf(stderr, "hilrig bench: %s: %s\n", argv[0], strerror(error));
                return false;
        }
        cost->user_ns = ns_of(used.ru_utime);
        cost->system_ns = ns_of(used.ru_stime);
        cost->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        return true;
}
