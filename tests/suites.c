/* Runs the suites that the sources of this program offered.
 *
 *   PROGRAM           all of them
 *   PROGRAM --list    their names, a line each: "models/plant/motor"
 *   PROGRAM NAME...   those alone
 *
 * CK_FORK=yes: a process for each test, under AddressSanitizer too: which of them hangs is told then.
 */
#include "tests/suites.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
enum { ADDRESSES_CHECKED = 1 };
#else
enum { ADDRESSES_CHECKED = 0 };
#endif

#define SUITES_MAX 300
/* For a test that hangs. Less than what scripts/run_tests.sh gives a suite, so that it is named. */
#define TIMEOUT_S 500

static struct offer {
        const char *file;
        char name[100];
        Suite *suite;
        TCase *tests;
        bool processes; /* one for each test */
} offered[SUITES_MAX];
static int count;

static void begin_tests(struct offer *o)
{
        o->tests = tcase_create(o->name);
        tcase_set_timeout(o->tests, TIMEOUT_S);
        suite_add_tcase(o->suite, o->tests);
}

/* One file's tests come before the next one's. */
static struct offer *offer_of(const char *file)
{
        const char *below = strncmp(file, "tests/", 6) == 0 ? file + 6 : file;
        struct offer *o = &offered[count];

        if (count > 0 && strcmp(o[-1].file, file) == 0)
                return o - 1;
        if (count++ == SUITES_MAX)
                abort();
        o->file = file;
        snprintf(o->name, sizeof o->name, "%.*s", (int)strcspn(below, "."), below);
        o->suite = suite_create(o->name);
        begin_tests(o);
        return o;
}

void suites_add_test(const TTest *test, int times)
{
        tcase_add_loop_test(offer_of(test->file)->tests, test, 0, times);
}

void suites_add_fixture(const char *file, SFun before, SFun after)
{
        struct offer *o = offer_of(file);

        begin_tests(o);
        tcase_add_checked_fixture(o->tests, before, after);
}

void suites_need_processes(const char *file)
{
        offer_of(file)->processes = true;
}

void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);

/* Check writes where each assertion held into a file, for the message of a crash. In loops of a million that is most of
 * the time: behind the first few thousand of a test one in a thousand is written. */
void __wrap__mark_point(const char *file, int line)
{
        static unsigned marks;

        if (++marks < 4000 || marks % 1000 == 0)
                __real__mark_point(file, line);
}

static bool is_wanted(const char *name, int names, char **wanted)
{
        for (int i = 0; i < names; i++)
                if (strcmp(wanted[i], name) == 0)
                        return true;
        return names == 0;
}

static void list(void)
{
        for (int i = 0; i < count; i++)
                puts(offered[i].name);
}

int main(int argc, char **argv)
{
        SRunner *runner = srunner_create(NULL);
        int chosen = 0, failed;
        bool processes = !ADDRESSES_CHECKED || getenv("CK_FORK") != NULL;

        if (argc == 2 && strcmp(argv[1], "--list") == 0) {
                list();
                srunner_free(runner);
                return 0;
        }
        for (int i = 0; i < count; i++)
                if (is_wanted(offered[i].name, argc - 1, argv + 1)) {
                        srunner_add_suite(runner, offered[i].suite);
                        processes = processes || offered[i].processes;
                        chosen++;
                }
        if (!processes)
                srunner_set_fork_status(runner, CK_NOFORK);
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        if (chosen == 0)
                fprintf(stderr, "%s: no such suite; --list has those that there are\n",
                        argv[0]);
        return failed != 0 || chosen == 0;
}
