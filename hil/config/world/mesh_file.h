/* Triangles out of STL, OBJ and PLY files, bounded and checked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "models/vec.h"

#define MESH_BYTES_MAX     (256 << 20)
#define MESH_TRIANGLES_MAX 1000000

struct mesh_triangle {
        struct vec3 corner[3]; /* in the file's axes and unit, single precision */
};

/* The memory is the mesh's own until mesh_free(). */
struct mesh {
        int triangles;
        struct mesh_triangle *triangle;
};

/* Points and lines are left out, polygons become triangles. A child process of bounded
 * memory reads the file, in 2 s of the processor's time and 1 s more for each MiB: what a bad one does to the
 * library ends there. Before any thread is
 * started. False with a reason that names the file; the mesh is empty then. */
bool mesh_file_read(struct mesh *m, const char *path, char *why, size_t cap);

/* The same from memory; the format is that of path's ending. */
bool mesh_file_read_bytes(struct mesh *m, const char *path, const char *data, size_t len,
                          char *why, size_t cap);

/* Loads the library, before the child, whose time and memory are for the file. */
bool mesh_file_prepare(char *why, size_t cap);

/* The library's part, in this process: for the child. */
bool mesh_file_parse(struct mesh *m, const char *path, const char *data, size_t len,
                     char *why, size_t cap);

void mesh_free(struct mesh *m);
