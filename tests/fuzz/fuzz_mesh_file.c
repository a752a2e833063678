/* The first byte chooses the format; the rest is the file. */
#include <math.h>

#include "hil/config/world/mesh_file.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        static const char *const path[] = { "fuzz.stl", "fuzz.obj", "fuzz.ply" };
        struct mesh mesh;
        char why[400];

        if (len < 2)
                return 0;
        if (!mesh_file_read_bytes(&mesh, path[data[0] % 3], (const char *)data + 1,
                                  len - 1, why, sizeof why)) {
                if (mesh.triangles != 0 || mesh.triangle != NULL)
                        abort();
                return 0;
        }
        for (int i = 0; i < mesh.triangles; i++)
                for (int k = 0; k < 3; k++)
                        if (!isfinite(mesh.triangle[i].corner[k].x))
                                abort();
        mesh_free(&mesh);
        return 0;
}
