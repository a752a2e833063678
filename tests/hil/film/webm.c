/* What a player finds in a WebM file: every element ends where its parent says, frames as they were put in, and an index that
 * leads to the clusters. */
#include <stdlib.h>
#include <string.h>

#include "hil/film/webm.h"

#include "tests/suites.h"

enum { SEGMENT = 0x18538067, CLUSTER = 0x1F43B675, CUES = 0x1C53BB6B };
enum { BLOCK = 0xA3, TIMESTAMP = 0xE7, CUE_POSITION = 0xF1, SEEK_POSITION = 0x53AC };

struct found {
        const uint8_t *file, *segment;
        int blocks, keys, clusters, cues;
        uint64_t cluster_ms, t_ms[100], cue[100], cluster[100], seek, index;
};

static uint64_t number(const uint8_t *at, size_t len)
{
        uint64_t n = 0;

        while (len-- > 0)
                n = n << 8 | *at++;
        return n;
}

static bool has_children(uint64_t id)
{
        static const uint64_t parents[] = { 0x1A45DFA3, SEGMENT,    0x114D9B74, 0x4DBB,
                                            0x1549A966, 0x1654AE6B, 0xAE,       0xE0,
                                            CLUSTER,    CUES,       0xBB,       0xB7 };

        for (size_t i = 0; i < sizeof parents / sizeof parents[0]; i++)
                if (parents[i] == id)
                        return true;
        return false;
}

static void note(struct found *f, uint64_t id, const uint8_t *begin, const uint8_t *body,
                 size_t len)
{
        if (id == SEGMENT)
                f->segment = body;
        else if (id == CLUSTER)
                f->cluster[f->clusters++] = (uint64_t)(begin - f->segment);
        else if (id == CUES)
                f->index = (uint64_t)(begin - f->segment);
        else if (id == SEEK_POSITION)
                f->seek = number(body, len);
        else if (id == TIMESTAMP)
                f->cluster_ms = number(body, len);
        else if (id == CUE_POSITION)
                f->cue[f->cues++] = number(body, len);
        else if (id == BLOCK) {
                f->t_ms[f->blocks] = f->cluster_ms + number(body + 1, 2);
                f->keys += body[3] == 0x80;
                /* What was put in is its number. */
                ck_assert_uint_eq(len, 4 + 10 + (size_t)f->blocks);
                ck_assert_uint_eq(body[4], (size_t)f->blocks);
                f->blocks++;
        }
}

static void walk(struct found *f, const uint8_t *at, const uint8_t *end)
{
        while (at < end) {
                int bytes = __builtin_clz((unsigned int)*at << 24) + 1;
                const uint8_t *body = at + bytes + 8;
                uint64_t id = number(at, (size_t)bytes), len = number(at + bytes + 1, 7);

                ck_assert_uint_eq(at[bytes], 1);
                ck_assert_uint_le(len, (uint64_t)(end - body));
                note(f, id, at, body, len);
                if (has_children(id))
                        walk(f, body, body + len);
                at = body + len;
        }
        ck_assert_ptr_eq(at, end);
}

/* frames of so many ms, every key_every-th a key frame. */
static struct found make(int frames, int ms, int key_every)
{
        static uint8_t bytes[20000];
        uint8_t frame[200];
        struct found f = { .file = bytes };
        FILE *file = tmpfile();
        struct webm *w = webm_begin(file, 1280, 720, (double)(frames * ms));
        size_t len;

        for (int i = 0; i < frames; i++) {
                memset(frame, i, sizeof frame);
                ck_assert(webm_add(w, (int64_t)i * ms, i % key_every == 0, frame,
                                   10 + (size_t)i));
        }
        ck_assert(webm_end(w));
        rewind(file);
        len = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        walk(&f, bytes, bytes + len);
        return f;
}

TEST(frames_stand_at_their_times_in_clusters_that_the_index_has)
{
        struct found f = make(90, 40, 50);

        ck_assert_int_eq(f.blocks, 90);
        ck_assert_int_eq(f.keys, 2);
        ck_assert_int_eq(f.clusters, 2);
        ck_assert_int_eq(f.cues, 2);
        ck_assert_uint_eq(f.seek, f.index);
        for (int i = 0; i < 90; i++)
                ck_assert_uint_eq(f.t_ms[i], 40U * (unsigned int)i);
        for (int i = 0; i < 2; i++)
                ck_assert_uint_eq(f.cue[i], f.cluster[i]);
}
