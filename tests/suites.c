/* Runs the suites that the sources of this program offered.
 *
 *   PROGRAM           all of them
 *   PROGRAM --list    their names, a line each: "models/plant/motor"
 *   PROGRAM NAME...   those alone
 */
#include "tests/suites.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFFERED_MAX 300

static struct {
        char name[100];
        Suite *suite;
} offered[OFFERED_MAX];
static int count;

void suites_add(const char *file, Suite *suite)
{
        const char *below = strncmp(file, "tests/", 6) == 0 ? file + 6 : file;

        if (count == OFFERED_MAX)
                abort();
        snprintf(offered[count].name, sizeof offered[count].name, "%.*s",
                 (int)strcspn(below, "."), below);
        offered[count++].suite = suite;
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
                if (i == 0 || strcmp(offered[i].name, offered[i - 1].name) != 0)
                        puts(offered[i].name);
}

int main(int argc, char **argv)
{
        SRunner *runner = srunner_create(NULL);
        int chosen = 0, failed;

        if (argc == 2 && strcmp(argv[1], "--list") == 0) {
                list();
                srunner_free(runner);
                return 0;
        }
        for (int i = 0; i < count; i++)
                if (is_wanted(offered[i].name, argc - 1, argv + 1)) {
                        srunner_add_suite(runner, offered[i].suite);
                        chosen++;
                }
        srunner_run_all(runner, CK_NORMAL);
        failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        if (chosen == 0)
                fprintf(stderr, "%s: no such suite; --list has those that there are\n",
                        argv[0]);
        return failed != 0 || chosen == 0;
}
