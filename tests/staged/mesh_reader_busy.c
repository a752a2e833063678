/* A mesh file that its reader does not come to an end with, whichever files the library at hand does so for: its reader
 * stands before libassimp's. */
#include <assimp/cimport.h>
#include <assimp/scene.h>
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
TEST_EACH(a_file_that_keeps_its_reader_busy_is_given_up, 2)
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
