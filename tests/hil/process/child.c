/* Processes that the rig starts: what cannot be started is named, what was started ends with its whole group,
 * and with the rig. */
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/process/child.h"
#include "hil/time/clock.h"

#include "tests/scratch.h"

static char folder[40], log_path[80], why[400];
static struct child child;

static void make_folder(void)
{
        snprintf(folder, sizeof folder, "/tmp/hilrig_child_XXXXXX");
        scratch_make(folder);
        snprintf(log_path, sizeof log_path, "%s/log", folder);
}

static void remove_folder(void)
{
        child_end(&child);
        scratch_remove(folder);
}

FIXTURE(make_folder, remove_folder)

static bool start(char *const *argv)
{
        const struct child_command command = {
                .argv = argv, .environment = environ, .folder = folder, .log = log_path
        };

        return child_start(&child, &command, why, sizeof why);
}

static bool start_shell(const char *script)
{
        char text[300];

        snprintf(text, sizeof text, "%s", script);
        return start((char *[]){ "sh", "-c", text, NULL });
}

static void refuse(const char *program, const char *reason)
{
        char name[100];

        snprintf(name, sizeof name, "%s", program);
        ck_assert_msg(!start((char *[]){ name, NULL }), "%s", program);
        ck_assert_msg(strstr(why, reason) != NULL, "%s", why);
        ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
        ck_assert_int_eq(errno, ECHILD);
}

static void put_program(const char *name, const char *text, char *path, size_t cap)
{
        FILE *f;

        snprintf(path, cap, "%s/%s", folder, name);
        f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(text, f);
        fclose(f);
        ck_assert_int_eq(chmod(path, 0777), 0);
}

TEST(what_cannot_be_started_is_named_and_leaves_nothing_behind)
{
        char path[80];

        refuse("no-such-program", "no program of this name is in PATH");
        refuse("/no/such/program", "no such file");
        refuse("/etc/passwd", "is not executable");
        put_program("bare", "echo no\n", path, sizeof path);
        refuse(path, "is no program for this machine");
        put_program("odd", "#!/no/such/interpreter\n", path, sizeof path);
        refuse(path, "interpreter");
}

TEST(how_it_ended_and_what_it_last_said_is_told)
{
        char text[200];

        ck_assert_msg(start_shell("echo one; echo two >&2; printf 'th\\033ree\\n'; echo "
                                  "four; exit 7"),
                      "%s", why);
        ck_assert(child_await(&child, 100 * NS_PER_S));
        child_describe_end(&child, text, sizeof text);
        ck_assert_str_eq(text, "exited with status 7");
        child_last_words(log_path, text, sizeof text);
        ck_assert_str_eq(text, "two | th?ree | four");

        child_end(&child);
        ck_assert_msg(start_shell("kill -SEGV $$"), "%s", why);
        ck_assert(child_await(&child, 100 * NS_PER_S));
        child_describe_end(&child, text, sizeof text);
        ck_assert_str_eq(text, "was ended by signal 11 (Segmentation fault)");
}

/* The numbers that a script has printed, once it has printed so many. */
static void read_numbers(int *number, int count)
{
        for (;;) {
                FILE *f = fopen(log_path, "r");
                int got = 0;

                while (f != NULL && got < count && fscanf(f, "%d", &number[got]) == 1)
                        got++;
                if (f != NULL)
                        fclose(f);
                if (got == count)
                        return;
                clock_sleep_until(clock_now_ns() + NS_PER_MS);
        }
}

/* Gone, or waits for its parent to learn so. */
static bool has_ended(int pid)
{
        char path[40], state = 'X';
        FILE *f;

        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        f = fopen(path, "r");
        if (f == NULL)
                return true;
        if (fscanf(f, "%*d %*[^)]) %c", &state) != 1)
                state = 'X';
        fclose(f);
        return state == 'Z' || state == 'X';
}

/* Not in a bounded time: one that lives on runs into the test's own limit. */
static void await_end(int pid)
{
        while (!has_ended(pid))
                clock_sleep_until(clock_now_ns() + NS_PER_MS);
}

#define STUBBORN "trap '' TERM; (trap '' TERM; sleep 1000) & echo $! $$; wait; sleep 1000"

/* Betaflight's scheduler, which sleeps for 50 us, falls out of step when that takes 250. */
TEST(its_sleeps_are_not_rounded_up)
{
        char words[200];

        ck_assert_msg(start((char *[]){ "cat", "/proc/self/timerslack_ns", NULL }), "%s",
                      why);
        child_await(&child, 60 * NS_PER_S);
        child_last_words(log_path, words, sizeof words);
        ck_assert_str_eq(words, "1");
}

/* An ordinary user's cannot anyway. */
TEST(it_cannot_set_the_hosts_clock)
{
        unsigned long long may = 0;
        char line[200];
        FILE *f;

        ck_assert(start((char *[]){ "cat", "/proc/self/status", NULL }));
        ck_assert(child_await(&child, 60 * NS_PER_S));
        f = fopen(log_path, "r");
        ck_assert_ptr_nonnull(f);
        while (fgets(line, sizeof line, f) != NULL)
                sscanf(line, "CapEff: %llx", &may);
        fclose(f);
        ck_assert(geteuid() != 0 || may != 0);
        ck_assert_uint_eq(may >> CAP_SYS_TIME & 1, 0);
}

TEST(its_whole_group_ends_with_it_whatever_it_ignores)
{
        int pid[2];

        ck_assert_msg(start_shell(STUBBORN), "%s", why);
        read_numbers(pid, 2);
        child_ask_to_end(&child, SIGTERM);
        ck_assert(!child_await(&child, 50 * NS_PER_MS));
        child_end(&child);
        ck_assert(child.ended);
        await_end(pid[0]);
        ck_assert(has_ended(pid[1]));
}

TEST(a_signal_that_it_obeys_is_enough)
{
        char text[100];
        int pid[1];

        ck_assert_msg(
                start_shell("trap 'exit 3' INT; echo $$; while :; do sleep 0.01; done"),
                "%s", why);
        read_numbers(pid, 1);
        child_ask_to_end(&child, SIGINT);
        ck_assert(child_await(&child, 100 * NS_PER_S));
        child_end(&child);
        child_describe_end(&child, text, sizeof text);
        ck_assert_str_eq(text, "exited with status 3");
}

TEST(the_group_ends_when_the_rig_is_killed)
{
        int pid[2];
        pid_t rig = fork();

        if (rig == 0) {
                _exit(start_shell(STUBBORN) && pause() ? 1 : 2);
        }
        read_numbers(pid, 2);
        kill(rig, SIGKILL);
        waitpid(rig, NULL, 0);
        await_end(pid[0]);
        await_end(pid[1]);
}
