/* A mesh file that its reader does not come to an end with, whichever files the library at hand does so for: its reader
 * stands before libassimp's. */
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <check.h>
#include <unistd.h>

#include "hil/config/world/mesh_file.h"

#include "tests/suites.h"

static volatile bool sleeps;

const struct aiScene *aiImportFileExWithProperties(const char *file, unsigned flags,
                                                   struct aiFileIO *io,
                                                   const struct aiPropertyStore *props)
{
        (void)file;
        (void)flags;
        (void)io;
        (void)props;
        for (;;)
                if (sleeps)
                        pause();
}

/* Of its processor's time first, then of the clock's. */
START_TEST(a_file_that_keeps_its_reader_busy_is_given_up)
{
        struct mesh mesh;
        char why[400];

        sleeps = _i == 1;
        ck_assert(!mesh_file_read_bytes(&mesh, "a.ply", "ply\n", 4, why, sizeof why));
        ck_assert_str_eq(why,
                         "a.ply: cannot be read: its reader was still busy after 2 s, "
                         "the limit for 4 bytes");
        ck_assert_ptr_null(mesh.triangle);
}
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *suite = suite_create("mesh_reader_busy");
        TCase *t = tcase_create("mesh_reader_busy");

        tcase_set_timeout(t, 120);
        tcase_add_loop_test(t, a_file_that_keeps_its_reader_busy_is_given_up, 0, 2);
        suite_add_tcase(suite, t);

        suites_add(__FILE__, suite);
}
