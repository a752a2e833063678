/* Whole folders: copied with what is in them, and removed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/text/tree.h"

#include "tests/suites.h"

static char folder[40], why[200];

static void make_scratch(void)
{
        snprintf(folder, sizeof folder, "/tmp/hilrig_tree_XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
        ck_assert_int_eq(chdir(folder), 0);
        ck_assert_int_eq(
                system("mkdir -p from/deep to; echo 1 >from/a; echo 2 >from/deep/b; "
                       "chmod 755 from/a; ln -s a from/link; mkfifo from/pipe"),
                0);
}

static void remove_scratch(void)
{
        ck_assert_int_eq(chdir("/"), 0);
        ck_assert(tree_remove(folder));
        ck_assert_int_ne(access(folder, F_OK), 0);
        ck_assert(tree_remove(folder));
}

FIXTURE(make_scratch, remove_scratch)

TEST(of_a_folder_everything_in_it_is_copied)
{
        ck_assert_int_eq(system("echo old >to/a; ln to/a kept"), 0);
        ck_assert_msg(tree_copy_into("to", "from", why, sizeof why), "%s", why);
        ck_assert_int_eq(
                system("cmp -s from/a to/a && test -x to/a && "
                       "cmp -s from/deep/b to/deep/b && "
                       "test \"$(readlink to/link)\" = a && test ! -e to/pipe && "
                       "test \"$(cat kept)\" = old"),
                0);
}

TEST(a_file_keeps_its_name)
{
        ck_assert_msg(tree_copy_into("to", "from/deep/b", why, sizeof why), "%s", why);
        ck_assert_int_eq(system("cmp -s from/deep/b to/b"), 0);
        /* Onto itself it stays what it is. */
        ck_assert_msg(tree_copy_into("from/deep", "from/deep/b", why, sizeof why), "%s",
                      why);
        ck_assert_int_eq(system("test \"$(cat from/deep/b)\" = 2"), 0);
}

TEST(what_cannot_be_copied_is_named)
{
        ck_assert(!tree_copy_into("to", "from/no", why, sizeof why));
        ck_assert_str_eq(why, "from/no: cannot be copied (No such file or directory)");
        ck_assert(!tree_copy_into("to", "from/pipe", why, sizeof why));
        ck_assert(!tree_copy_into("nowhere", "from/a", why, sizeof why));
}

TEST(what_a_link_points_to_is_not_removed_with_it)
{
        ck_assert_int_eq(system("mkdir safe; echo x >safe/x; ln -s ../safe from/safe"),
                         0);
        ck_assert(tree_remove("from"));
        ck_assert_int_eq(access("safe/x", F_OK), 0);
}
