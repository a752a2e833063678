/* Where installed files are looked for: below the prefix of the program, and only by a name that leaves it open. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "hil/text/installed.h"

#include "tests/suites.h"

static char path[PATH_MAX];

static bool find(const char *program, const char *name)
{
        return installed_path_beside(program, name, path, sizeof path);
}

TEST(files_lie_below_the_prefix_of_the_program)
{
        ck_assert(find("/usr/bin/hilrig", "rig_configs/default.json"));
        ck_assert_str_eq(path, "/usr/share/hilrig/rig_configs/default.json");
        ck_assert(find("/home/a b/opt/bin/hilrig", "my.json"));
        ck_assert_str_eq(path, "/home/a b/opt/share/hilrig/my.json");
        ck_assert(find("/bin/hilrig", "my.json"));
        ck_assert_str_eq(path, "/share/hilrig/my.json");
        /* As in "...config", which is a name like others. */
        ck_assert(find("/usr/bin/hilrig", "..a/b"));
        ck_assert_str_eq(path, "/usr/share/hilrig/..a/b");
}

TEST(a_name_that_says_where_its_file_is_is_not_looked_for)
{
        ck_assert(!find("/usr/bin/hilrig", "/etc/a.json"));
        ck_assert(!find("/usr/bin/hilrig", "./a.json"));
        ck_assert(!find("/usr/bin/hilrig", "../a.json"));
        ck_assert(!find("/usr/bin/hilrig", ""));
}

TEST(a_program_without_a_prefix_and_a_path_that_is_too_long_are_refused)
{
        char name[PATH_MAX];

        ck_assert(!find("/hilrig", "a.json"));
        ck_assert(!find("hilrig", "a.json"));
        ck_assert(!find("", "a.json"));
        memset(name, 'a', sizeof name - 1);
        name[sizeof name - 1] = '\0';
        ck_assert(!find("/usr/bin/hilrig", name));
        ck_assert(installed_path_beside("/b/p", "a", path, sizeof "/share/hilrig/a"));
        ck_assert(!installed_path_beside("/b/p", "a", path, sizeof "/share/hilrig/"));
}

TEST(beside_a_build_folder_nothing_is_installed)
{
        ck_assert(!installed_path("rig_configs/default.json", path, sizeof path));
}
