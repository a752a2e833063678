/* Folders: those above are made, and what is in the way is named. Run folders: never a run over another, never half
 * a file. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/text/files.h"

#include "tests/suites.h"

PROCESS_EACH

static char scratch[] = "/tmp/test_files-XXXXXX";
static char run_path[512], why[600];

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

FIXTURE(enter, leave)

static bool is_folder(const char *path)
{
        struct stat st;

        return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void made(const char *path)
{
        ck_assert_msg(folder_make(path, why, sizeof why), "%s: %s", path, why);
        ck_assert_msg(is_folder(path), "%s", path);
}

static void refused(const char *path, const char *said)
{
        ck_assert_msg(!folder_make(path, why, sizeof why), "%s was made", path);
        ck_assert_str_eq(why, said);
}

TEST(folders_above_are_made_and_one_that_is_there_is_as_good)
{
        char longer[300];

        made("a");
        made("a");
        made("b/c/d");
        made("b/c/d");
        made("e//f/");
        made("./g/../h");
        snprintf(longer, sizeof longer, "%s/i/j", scratch);
        made(longer);
        ck_assert_int_eq(symlink("a", "to_a"), 0);
        made("to_a");
        made("to_a/k");
        ck_assert(is_folder("a/k"));
}

TEST(what_is_in_the_way_is_named_and_not_what_would_be_below_it)
{
        FILE *f = fopen("file", "w");

        ck_assert_ptr_nonnull(f);
        fclose(f);
        refused("file", "file: is no folder");
        refused("file/b", "file: is no folder");
        refused("file/b/c", "file: is no folder");
        refused("/proc/nowhere/run",
                "/proc/nowhere: cannot be made (No such file or directory)");
        refused("", "a folder must have a name");
        ck_assert_int_eq(symlink("gone", "dangling"), 0);
        ck_assert(!folder_make("dangling", why, sizeof why));
        ck_assert_int_eq(access("gone", F_OK), -1);
}

TEST(a_path_that_nobody_can_have_is_refused)
{
        char longer[6000];

        memset(longer, 'x', sizeof longer - 1);
        longer[sizeof longer - 1] = '\0';
        ck_assert(!folder_make(longer, why, sizeof why));
        for (size_t i = 1; i < sizeof longer - 1; i += 2)
                longer[i] = '/';
        ck_assert(!folder_make(longer, why, sizeof why));
        ck_assert_int_eq(access("x", F_OK), -1);
}

static bool make_run(const char *wanted)
{
        return run_folder_make(wanted, "rig", run_path, sizeof run_path, why, sizeof why);
}

TEST(a_folder_that_is_there_is_taken_unless_it_holds_a_run)
{
        ck_assert(make_run("out"));
        ck_assert_str_eq(run_path, "out");
        ck_assert(run_folder_write(run_path, "notes.txt", "mine", why, sizeof why));
        ck_assert(make_run("out"));
        ck_assert(run_folder_write(run_path, "summary.json", "{}", why, sizeof why));
        ck_assert(!make_run("out"));
        ck_assert(strstr(why, "holds a run already") != NULL);
}

TEST(two_runs_at_once_get_two_folders)
{
        char first[sizeof run_path];
        struct stat st;

        ck_assert(make_run(NULL));
        memcpy(first, run_path, sizeof first);
        ck_assert(strncmp(first, "runs/20", 7) == 0 && strstr(first, "Z-rig") != NULL);
        ck_assert(make_run(NULL));
        ck_assert_str_ne(run_path, first);
        ck_assert(stat(first, &st) == 0 && S_ISDIR(st.st_mode));
        ck_assert(stat(run_path, &st) == 0 && S_ISDIR(st.st_mode));
}

TEST(folders_above_are_made_and_one_that_cannot_be_is_named)
{
        ck_assert_msg(make_run("no/such/parent"), "%s", why);
        ck_assert_str_eq(run_path, "no/such/parent");
        ck_assert(run_folder_write(run_path, "notes.txt", "mine", why, sizeof why));
        ck_assert(!make_run("no/such/parent/notes.txt/run"));
        ck_assert_str_eq(why, "no/such/parent/notes.txt: is no folder");
}

TEST(a_path_that_is_too_long_is_refused_and_not_cut)
{
        char longer[sizeof run_path + 1];

        memset(longer, '.', sizeof longer - 1);
        for (size_t i = 1; i < sizeof longer; i += 2)
                longer[i] = '/';
        longer[sizeof longer - 1] = '\0';
        ck_assert(!make_run(longer));
        ck_assert(strstr(why, "shorter than 512") != NULL);
}

TEST(what_cannot_be_written_whole_is_not_there)
{
        const struct rlimit two_bytes = { 2, RLIM_INFINITY };

        ck_assert(make_run("out"));
        ck_assert(!run_folder_write("nowhere", "a.txt", "text", why, sizeof why));
        ck_assert(strstr(why, "nowhere/a.txt") != NULL);
        /* As on a full disk: the text passes through the buffer and is refused at the close. */
        signal(SIGXFSZ, SIG_IGN);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &two_bytes), 0);
        ck_assert(!run_folder_write("out", "full.txt", "text", why, sizeof why));
        ck_assert(strstr(why, "File too large") != NULL);
        ck_assert_int_ne(access("out/full.txt", F_OK), 0);
        ck_assert(!text_file_write("/dev/full", "text", why, sizeof why));
        ck_assert_str_eq(why,
                         "/dev/full: could not be written (No space left on device)");
}

TEST(what_is_no_regular_file_is_neither_written_nor_read)
{
        static const char refused[] = "out/a: could not be written (not a regular file)";
        const char *unread = NULL;
        size_t len;

        ck_assert(make_run("out"));
        ck_assert_int_eq(mkfifo("out/a", 0666), 0);
        ck_assert(!run_folder_write("out", "a", "text", why, sizeof why));
        ck_assert_str_eq(why, refused);
        ck_assert_ptr_null(mapped_file_open("out/a", &len, &unread));
        ck_assert_str_eq(unread, "is not a regular file");
        /* Nor with somebody at its other end, who would read it. */
        ck_assert_int_ge(open("out/a", O_RDONLY | O_NONBLOCK), 0);
        ck_assert(!run_folder_write("out", "a", "text", why, sizeof why));
        ck_assert_str_eq(why, refused);
        ck_assert_int_eq(access("out/a", F_OK), 0);
        ck_assert_ptr_null(mapped_file_open("out/b", &len, &unread));
        ck_assert_str_eq(unread, "is missing");
        ck_assert(run_folder_write("out", "b", "", why, sizeof why));
        ck_assert_ptr_null(mapped_file_open("out/b", &len, &unread));
        ck_assert_str_eq(unread, "is empty");
}

TEST(a_folder_that_is_taken_is_free_again_when_its_owner_is_gone)
{
        int mine, status;
        pid_t child;

        ck_assert(make_run("out"));
        mine = run_folder_take("out", why, sizeof why);
        ck_assert_int_ge(mine, 0);
        ck_assert_int_lt(folder_take("out", why, sizeof why), 0);
        ck_assert_str_eq(why, "out: another hilrig is writing there; give another "
                              "folder, or wait for it");
        close(mine);
        child = fork();
        if (child == 0)
                _exit(run_folder_take("out", why, sizeof why) >= 0 ? 0 : 1);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        mine = run_folder_take("out", why, sizeof why);
        ck_assert_int_ge(mine, 0);
        close(mine);
        /* What its owner left there is looked for when it is taken, not before. */
        ck_assert(run_folder_write("out", "summary.json", "{}", why, sizeof why));
        ck_assert_int_lt(run_folder_take("out", why, sizeof why), 0);
        ck_assert_str_eq(why, "out: holds a run already; give another folder");
        ck_assert_int_lt(folder_take("nowhere", why, sizeof why), 0);
}
