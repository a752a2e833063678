/* Run folders: never a run over another, never half a file. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/text/files.h"

#include "tests/suites.h"

static char scratch[] = "/tmp/test_run_folder-XXXXXX";
static char path[512], why[600];

static void enter(void)
{
        ck_assert(mkdtemp(scratch) != NULL);
        ck_assert_int_eq(chdir(scratch), 0);
        why[0] = '\0';
}

static void leave(void)
{
        char command[100];

        ck_assert_int_eq(chdir("/"), 0);
        snprintf(command, sizeof command, "rm -rf %s", scratch);
        ck_assert_int_eq(system(command), 0);
}

static bool make(const char *wanted)
{
        return run_folder_make(wanted, "rig", path, sizeof path, why, sizeof why);
}

START_TEST(a_folder_that_is_there_is_taken_unless_it_holds_a_run)
{
        ck_assert(make("out"));
        ck_assert_str_eq(path, "out");
        ck_assert(run_folder_write(path, "notes.txt", "mine", why, sizeof why));
        ck_assert(make("out"));
        ck_assert(run_folder_write(path, "summary.json", "{}", why, sizeof why));
        ck_assert(!make("out"));
        ck_assert(strstr(why, "holds a run already") != NULL);
}
END_TEST

START_TEST(two_runs_at_once_get_two_folders)
{
        char first[sizeof path];
        struct stat st;

        ck_assert(make(NULL));
        memcpy(first, path, sizeof first);
        ck_assert(strncmp(first, "runs/20", 7) == 0 && strstr(first, "Z-rig") != NULL);
        ck_assert(make(NULL));
        ck_assert_str_ne(path, first);
        ck_assert(stat(first, &st) == 0 && S_ISDIR(st.st_mode));
        ck_assert(stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}
END_TEST

START_TEST(folders_above_are_made_and_one_that_cannot_be_is_named)
{
        ck_assert_msg(make("no/such/parent"), "%s", why);
        ck_assert_str_eq(path, "no/such/parent");
        ck_assert(run_folder_write(path, "notes.txt", "mine", why, sizeof why));
        ck_assert(!make("no/such/parent/notes.txt/run"));
        ck_assert_str_eq(why, "no/such/parent/notes.txt: is no folder");
}
END_TEST

START_TEST(a_path_that_is_too_long_is_refused_and_not_cut)
{
        char longer[sizeof path + 1];

        memset(longer, '.', sizeof longer - 1);
        for (size_t i = 1; i < sizeof longer; i += 2)
                longer[i] = '/';
        longer[sizeof longer - 1] = '\0';
        ck_assert(!make(longer));
        ck_assert(strstr(why, "shorter than 512") != NULL);
}
END_TEST

START_TEST(what_cannot_be_written_whole_is_not_there)
{
        ck_assert(make("out"));
        ck_assert(!run_folder_write("nowhere", "a.txt", "text", why, sizeof why));
        ck_assert(strstr(why, "nowhere/a.txt") != NULL);
        /* A full disk: the text passes through the buffer and is refused at the close. */
        ck_assert_int_eq(symlink("/dev/full", "out/full.txt"), 0);
        ck_assert(!run_folder_write("out", "full.txt", "text", why, sizeof why));
        ck_assert(strstr(why, "No space left") != NULL);
        ck_assert_int_ne(access("out/full.txt", F_OK), 0);
}
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *suite = suite_create("run_folder");
        TCase *t = tcase_create("folders");

        tcase_add_checked_fixture(t, enter, leave);
        tcase_add_test(t, a_folder_that_is_there_is_taken_unless_it_holds_a_run);
        tcase_add_test(t, two_runs_at_once_get_two_folders);
        tcase_add_test(t, folders_above_are_made_and_one_that_cannot_be_is_named);
        tcase_add_test(t, a_path_that_is_too_long_is_refused_and_not_cut);
        tcase_add_test(t, what_cannot_be_written_whole_is_not_there);
        suite_add_tcase(suite, t);
        suites_add(__FILE__, suite);
}
