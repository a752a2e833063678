/* Mesh files by libassimp, which sees the one file's bytes and can open no other. */
#include "hil/config/world/mesh_file.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/library.h"

/* Loaded with the first mesh. */
#ifndef ASSIMP_LIBRARY
#define ASSIMP_LIBRARY "libassimp.so"
#endif
/* clang-format off */
#define FUNCTIONS(F)                                                           \
        F(aiCreatePropertyStore) F(aiGetErrorString)                           \
        F(aiImportFileExWithProperties) F(aiReleaseImport)                     \
        F(aiReleasePropertyStore) F(aiSetImportPropertyInteger)
/* clang-format on */

static struct {
        FUNCTIONS(LIBRARY_FUNCTION)
} lib;

static const char *const names[] = { FUNCTIONS(LIBRARY_NAME) };

static bool refuse_mesh_file(char *why, size_t cap, const char *path, const char *text)
{
        snprintf(why, cap, "%s: %s", path, text);
        return false;
}

/* What the library is told that the file is called: its ending alone. */
static const char *alias_of(const char *path)
{
        static const char *const known[] = { "mesh.stl", "mesh.obj", "mesh.ply" };
        const char *dot = strrchr(path, '.');

        for (int i = 0; dot && i < 3; i++)
                if (strcasecmp(dot, strrchr(known[i], '.')) == 0)
                        return known[i];
        return NULL;
}

/* The file as the library sees it. */
struct view {
        const char *alias, *data;
        size_t len, at;
        struct aiFile file;
};

static struct view *view_of(struct aiFile *file)
{
        return (struct view *)(void *)file->UserData;
}

static size_t view_read(struct aiFile *file, char *into, size_t size, size_t count)
{
        struct view *v = view_of(file);
        size_t left = size ? (v->len - v->at) / size : 0;

        if (count > left)
                count = left;
        memcpy(into, v->data + v->at, size * count);
        v->at += size * count;
        return count;
}

static size_t view_write(struct aiFile *file, const char *from, size_t size, size_t count)
{
        (void)file;
        (void)from;
        (void)size;
        (void)count;
        return 0;
}

static size_t view_tell(struct aiFile *file)
{
        return view_of(file)->at;
}

static size_t view_size(struct aiFile *file)
{
        return view_of(file)->len;
}

static enum aiReturn view_seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
        struct view *v = view_of(file);
        size_t base = origin == aiOrigin_CUR   ? v->at
                      : origin == aiOrigin_END ? v->len
                                               : 0;

        if (base + offset > v->len || base + offset < base)
                return aiReturn_FAILURE;
        v->at = base + offset;
        return aiReturn_SUCCESS;
}

static void view_flush(struct aiFile *file)
{
        (void)file;
}

static struct aiFile *view_open(struct aiFileIO *io, const char *name, const char *mode)
{
        struct view *v = (struct view *)(void *)io->UserData;

        if (strcmp(name, v->alias) != 0 || mode[0] != 'r')
                return NULL;
        v->at = 0;
        return &v->file;
}

static void view_close(struct aiFileIO *io, struct aiFile *file)
{
        (void)io;
        (void)file;
}

static const struct aiScene *import(struct view *v)
{
        struct aiFileIO io = { .OpenProc = view_open,
                               .CloseProc = view_close,
                               .UserData = (aiUserData)(void *)v };
        struct aiPropertyStore *props = lib.aiCreatePropertyStore();
        const struct aiScene *scene = NULL;

        v->file = (struct aiFile){ .ReadProc = view_read,
                                   .WriteProc = view_write,
                                   .TellProc = view_tell,
                                   .FileSizeProc = view_size,
                                   .SeekProc = view_seek,
                                   .FlushProc = view_flush,
                                   .UserData = (aiUserData)(void *)v };
        if (!props)
                return NULL;
        /* Nothing but corners: it is less to hold and less to go wrong. */
        lib.aiSetImportPropertyInteger(
                props, AI_CONFIG_PP_RVC_FLAGS,
                aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                        aiComponent_COLORS | aiComponent_TEXCOORDS |
                        aiComponent_MATERIALS);
        scene = lib.aiImportFileExWithProperties(
                v->alias, aiProcess_RemoveComponent | aiProcess_Triangulate, &io, props);
        lib.aiReleasePropertyStore(props);
        return scene;
}

static bool take_triangle(struct mesh_triangle *t, const struct aiMesh *mesh,
                          const struct aiFace *face)
{
        for (int i = 0; i < 3; i++) {
                const struct aiVector3D *v;

                if (face->mIndices[i] >= mesh->mNumVertices)
                        return false;
                v = &mesh->mVertices[face->mIndices[i]];
                t->corner[i] = (struct vec3){ (double)v->x, (double)v->y, (double)v->z };
                if (!isfinite(t->corner[i].x) || !isfinite(t->corner[i].y) ||
                    !isfinite(t->corner[i].z))
                        return false;
        }
        return true;
}

static long count_triangles(const struct aiScene *scene)
{
        long count = 0;

        for (unsigned m = 0; m < scene->mNumMeshes; m++)
                for (unsigned f = 0; f < scene->mMeshes[m]->mNumFaces; f++)
                        count += scene->mMeshes[m]->mFaces[f].mNumIndices == 3;
        return count;
}

static bool take_scene(struct mesh *m, const struct aiScene *scene, const char *path,
                       char *why, size_t cap)
{
        long count = count_triangles(scene);

        if (count == 0)
                return refuse_mesh_file(why, cap, path, "holds no triangles");
        if (count > MESH_TRIANGLES_MAX)
                return refuse_mesh_file(why, cap, path,
                                        "holds more than 1000000 triangles");
        m->triangle = calloc((size_t)count, sizeof(*m->triangle));
        if (!m->triangle)
                return refuse_mesh_file(why, cap, path, "out of memory");
        for (unsigned k = 0; k < scene->mNumMeshes; k++) {
                const struct aiMesh *mesh = scene->mMeshes[k];

                for (unsigned f = 0; f < mesh->mNumFaces; f++) {
                        if (mesh->mFaces[f].mNumIndices != 3)
                                continue;
                        if (!take_triangle(&m->triangle[m->triangles++], mesh,
                                           &mesh->mFaces[f]))
                                return refuse_mesh_file(
                                        why, cap, path,
                                        "has a corner that is no finite place");
                }
        }
        return true;
}

bool mesh_file_prepare(char *why, size_t cap)
{
        return library_load(&lib, names, sizeof names / sizeof names[0], ASSIMP_LIBRARY,
                            why, cap);
}

bool mesh_file_parse(struct mesh *m, const char *path, const char *data, size_t len,
                     char *why, size_t cap)
{
        struct view view = { .alias = alias_of(path), .data = data, .len = len };
        const struct aiScene *scene;
        bool ok;

        *m = (struct mesh){ 0 };
        if (!view.alias)
                return refuse_mesh_file(why, cap, path,
                                        "is no mesh: .stl, .obj and .ply are read");
        if (!mesh_file_prepare(why, cap))
                return false;
        scene = import(&view);
        if (!scene) {
                snprintf(why, cap, "%s: cannot be read: %.200s", path,
                         lib.aiGetErrorString());
                return false;
        }
        ok = take_scene(m, scene, path, why, cap);
        lib.aiReleaseImport(scene);
        if (!ok)
                mesh_free(m);
        return ok;
}

void mesh_free(struct mesh *m)
{
        free(m->triangle);
        *m = (struct mesh){ 0 };
}
