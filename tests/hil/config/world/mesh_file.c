/* Mesh files: what comes out of good ones, and what is said about bad ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/config/world/mesh_file.h"

#include "tests/suites.h"

static struct mesh mesh;
static char why[400];

static bool read_text(const char *name, const char *text)
{
        return mesh_file_read_bytes(&mesh, name, text, strlen(text), why, sizeof why);
}

static void expect_refused(const char *name, const char *text, const char *expected)
{
        ck_assert(!read_text(name, text));
        ck_assert_int_eq(mesh.triangles, 0);
        ck_assert_ptr_null(mesh.triangle);
        ck_assert_msg(strstr(why, name) == why, "%s", why);
        ck_assert_msg(strstr(why, expected) != NULL, "%s", why);
}

static void expect_corner(struct vec3 c, double x, double y, double z)
{
        ck_assert_double_eq(c.x, x);
        ck_assert_double_eq(c.y, y);
        ck_assert_double_eq(c.z, z);
}

static const char obj[] = "o thing\nv 0 0 0\nv 2 0 0\nv 2 1 0.5\nv 0 1 0\nf 1 2 3\n";

TEST(a_triangle_of_an_obj_file_has_its_corners)
{
        ck_assert_msg(read_text("a.obj", obj), "%s", why);
        ck_assert_int_eq(mesh.triangles, 1);
        expect_corner(mesh.triangle[0].corner[0], 0.0, 0.0, 0.0);
        expect_corner(mesh.triangle[0].corner[1], 2.0, 0.0, 0.0);
        expect_corner(mesh.triangle[0].corner[2], 2.0, 1.0, 0.5);
        mesh_free(&mesh);
}

TEST(a_polygon_becomes_triangles)
{
        char text[200];

        snprintf(text, sizeof text, "%sf 1 2 3 4\n", obj);
        ck_assert_msg(read_text("a.OBJ", text), "%s", why);
        ck_assert_int_eq(mesh.triangles, 3);
        mesh_free(&mesh);
}

TEST(an_stl_file_is_read_as_text_and_as_bytes)
{
        const float one[12] = { 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0 };
        const uint32_t count = 1;
        char binary[134] = { 0 };

        ck_assert_msg(read_text("a.stl", "solid x\nfacet normal 0 0 1\nouter loop\n"
                                         "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                                         "endloop\nendfacet\nendsolid x\n"),
                      "%s", why);
        ck_assert_int_eq(mesh.triangles, 1);
        expect_corner(mesh.triangle[0].corner[2], 0.0, 1.0, 0.0);
        mesh_free(&mesh);
        memcpy(binary + 80, &count, 4);
        memcpy(binary + 84, one, sizeof one);
        ck_assert_msg(mesh_file_read_bytes(&mesh, "a.stl", binary, sizeof binary, why,
                                           sizeof why),
                      "%s", why);
        ck_assert_int_eq(mesh.triangles, 1);
        expect_corner(mesh.triangle[0].corner[1], 1.0, 0.0, 0.0);
        mesh_free(&mesh);
}

TEST(a_ply_file_is_read)
{
        ck_assert_msg(read_text("a.ply",
                                "ply\nformat ascii 1.0\nelement vertex 3\n"
                                "property float x\nproperty float y\nproperty float z\n"
                                "element face 1\n"
                                "property list uchar int vertex_indices\nend_header\n"
                                "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
                      "%s", why);
        ck_assert_int_eq(mesh.triangles, 1);
        mesh_free(&mesh);
}

TEST(the_shipped_hill_has_the_height_of_its_formula)
{
        double highest = 0.0;

        ck_assert_msg(
                mesh_file_read(&mesh, "rig_configs/worlds/hill.obj", why, sizeof why),
                "%s", why);
        ck_assert_int_eq(mesh.triangles, 512);
        for (int i = 0; i < mesh.triangles; i++) {
                for (int k = 0; k < 3; k++) {
                        struct vec3 c = mesh.triangle[i].corner[k];
                        double square = c.x * c.x + c.y * c.y;

                        highest = fmax(highest, c.z);
                        ck_assert_double_eq_tol(c.z, 3.0 * exp(-square / 18.0) - 0.02,
                                                1e-3);
                }
        }
        ck_assert_double_eq_tol(highest, 2.98, 1e-6);
        mesh_free(&mesh);
}

TEST(what_is_no_mesh_is_refused_by_name)
{
        expect_refused("a.json", "{}", ".stl, .obj and .ply");
        expect_refused("mesh", "v 0 0 0\n", ".stl, .obj and .ply");
        expect_refused("a.obj", "nothing of that kind, at some length\n", "a.obj");
        expect_refused("a.stl", "nothing of that kind\n", "a.stl");
        expect_refused("a.ply", "ply\nformat ascii 1.0\nend_header\n", "a.ply");
        expect_refused("a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\nv 0 1 0\nl 2 3\n", "a.obj");
}

TEST(corners_that_are_no_places_are_refused)
{
        expect_refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n", "a.obj");
        expect_refused("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "a.obj");
}

/* It says that it has more points than memory could hold. */
TEST(a_file_that_claims_too_much_is_refused)
{
        expect_refused("a.ply",
                       "ply\nformat binary_little_endian 1.0\n"
                       "element vertex 4000000000\nproperty float x\n"
                       "property float y\nproperty float z\nelement face 4000000000\n"
                       "property list uchar int vertex_indices\nend_header\n....",
                       "a.ply");
}

/* libassimp before 5.4 goes on reading points behind the end of these. */
TEST(a_file_that_ends_in_its_head_is_refused)
{
        expect_refused("a.ply",
                       "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n",
                       "a.ply: cannot be read: ");
        expect_refused("a.ply",
                       "ply\nformat binary_little_endian 1.0\nelement vertex 4\n"
                       "property float x\n",
                       "a.ply: cannot be read: ");
}

/* An .obj file may name others. */
TEST(a_file_opens_no_other)
{
        char text[300];

        ck_assert_int_eq(mkfifo("/tmp/mesh_file_test.fifo", 0600) == 0, 1);
        snprintf(text, sizeof text, "mtllib /tmp/mesh_file_test.fifo\n%s", obj);
        ck_assert_msg(read_text("a.obj", text), "%s", why);
        mesh_free(&mesh);
        unlink("/tmp/mesh_file_test.fifo");
}

TEST(what_is_no_file_is_refused)
{
        ck_assert(!mesh_file_read(&mesh, "nowhere/a.obj", why, sizeof why));
        ck_assert_str_eq(why, "nowhere/a.obj: no such file");
        ck_assert(!mesh_file_read(&mesh, "rig_configs", why, sizeof why));
        ck_assert_str_eq(why, "rig_configs: is not a regular file");
        ck_assert(!mesh_file_read(&mesh, "/dev/null", why, sizeof why));
        ck_assert_str_eq(why, "/dev/null: is not a regular file");
}
