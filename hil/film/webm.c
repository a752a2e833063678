#include "hil/film/webm.h"

#include <stdlib.h>
#include <string.h>

/* Elements of Matroska, by the numbers of RFC 9559. */
enum {
        EBML = 0x1A45DFA3,
        EBML_READ_VERSION = 0x42F7,
        DOC_TYPE = 0x4282,
        DOC_TYPE_VERSION = 0x4287,
        DOC_TYPE_READ_VERSION = 0x4285,
        SEGMENT = 0x18538067,
        SEEK_HEAD = 0x114D9B74,
        SEEK = 0x4DBB,
        SEEK_ID = 0x53AB,
        SEEK_POSITION = 0x53AC,
        INFO = 0x1549A966,
        TIMESTAMP_SCALE = 0x2AD7B1,
        DURATION = 0x4489,
        MUXING_APP = 0x4D80,
        WRITING_APP = 0x5741,
        TRACKS = 0x1654AE6B,
        TRACK_ENTRY = 0xAE,
        TRACK_NUMBER = 0xD7,
        TRACK_UID = 0x73C5,
        TRACK_TYPE = 0x83,
        FLAG_LACING = 0x9C,
        CODEC_ID = 0x86,
        VIDEO = 0xE0,
        PIXEL_WIDTH = 0xB0,
        PIXEL_HEIGHT = 0xBA,
        CLUSTER = 0x1F43B675,
        TIMESTAMP = 0xE7,
        SIMPLE_BLOCK = 0xA3,
        CUES = 0x1C53BB6B,
        CUE_POINT = 0xBB,
        CUE_TIME = 0xB3,
        CUE_TRACK_POSITIONS = 0xB7,
        CUE_TRACK = 0xF7,
        CUE_CLUSTER_POSITION = 0xF1
};

struct cue {
        int64_t t_ms;
        long at; /* of its cluster, from the segment's beginning */
};

struct webm {
        FILE *file;
        long segment, seek_position; /* where their sizes and values are */
        long cluster; /* of the open one; 0: none */
        int64_t cluster_ms;
        struct cue *cue;
        size_t cues, room;
};

static void put_bytes(FILE *f, uint64_t value, int bytes)
{
        while (bytes-- > 0)
                putc((int)(value >> (8 * bytes) & 0xff), f);
}

static void put_id(FILE *f, uint32_t id)
{
        int bytes = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;

        put_bytes(f, id, bytes);
}

/* Always eight bytes long: one that is not known yet is put in later. */
static void put_size(FILE *f, uint64_t size)
{
        put_bytes(f, 1ULL << 56 | size, 8);
}

static long open_element(FILE *f, uint32_t id)
{
        put_id(f, id);
        put_size(f, 0);
        return ftell(f);
}

static void close_element(FILE *f, long begun)
{
        long end = ftell(f);

        fseek(f, begun - 8, SEEK_SET);
        put_size(f, (uint64_t)(end - begun));
        fseek(f, end, SEEK_SET);
}

static void put_number(FILE *f, uint32_t id, uint64_t value)
{
        put_id(f, id);
        put_size(f, 8);
        put_bytes(f, value, 8);
}

static void put_text(FILE *f, uint32_t id, const char *text)
{
        put_id(f, id);
        put_size(f, strlen(text));
        fputs(text, f);
}

static void put_head(FILE *f)
{
        long head = open_element(f, EBML);

        put_number(f, EBML_READ_VERSION, 1);
        put_text(f, DOC_TYPE, "webm");
        put_number(f, DOC_TYPE_VERSION, 2);
        put_number(f, DOC_TYPE_READ_VERSION, 2);
        close_element(f, head);
}

/* Where the index will be is not known yet. */
static void put_seek_head(struct webm *w)
{
        FILE *f = w->file;
        long head = open_element(f, SEEK_HEAD), seek = open_element(f, SEEK);

        put_id(f, SEEK_ID);
        put_size(f, 4);
        put_bytes(f, CUES, 4);
        put_number(f, SEEK_POSITION, 0);
        w->seek_position = ftell(f) - 8;
        close_element(f, seek);
        close_element(f, head);
}

static void put_info(FILE *f, double duration_ms)
{
        long info = open_element(f, INFO);
        uint64_t bits;

        memcpy(&bits, &duration_ms, sizeof bits);
        put_number(f, TIMESTAMP_SCALE, 1000000);
        put_number(f, DURATION, bits);
        put_text(f, MUXING_APP, "hilrig");
        put_text(f, WRITING_APP, "hilrig");
        close_element(f, info);
}

static void put_track(FILE *f, int wide, int high)
{
        long tracks = open_element(f, TRACKS), track = open_element(f, TRACK_ENTRY);
        long video;

        put_number(f, TRACK_NUMBER, 1);
        put_number(f, TRACK_UID, 1);
        put_number(f, TRACK_TYPE, 1);
        put_number(f, FLAG_LACING, 0);
        put_text(f, CODEC_ID, "V_VP8");
        video = open_element(f, VIDEO);
        put_number(f, PIXEL_WIDTH, (uint64_t)wide);
        put_number(f, PIXEL_HEIGHT, (uint64_t)high);
        close_element(f, video);
        close_element(f, track);
        close_element(f, tracks);
}

struct webm *webm_begin(FILE *file, int wide, int high, double duration_ms)
{
        struct webm *w = calloc(1, sizeof *w);

        if (w == NULL)
                return NULL;
        w->file = file;
        put_head(file);
        w->segment = open_element(file, SEGMENT);
        put_seek_head(w);
        put_info(file, duration_ms);
        put_track(file, wide, high);
        return w;
}

static bool begin_cluster(struct webm *w, int64_t t_ms)
{
        if (w->cues == w->room) {
                size_t room = w->room > 0 ? 2 * w->room : 64;
                struct cue *more = realloc(w->cue, room * sizeof *more);

                if (more == NULL)
                        return false;
                w->cue = more;
                w->room = room;
        }
        if (w->cluster > 0)
                close_element(w->file, w->cluster);
        w->cue[w->cues++] = (struct cue){ t_ms, ftell(w->file) - w->segment };
        w->cluster = open_element(w->file, CLUSTER);
        w->cluster_ms = t_ms;
        put_number(w->file, TIMESTAMP, (uint64_t)t_ms);
        return true;
}

bool webm_add(struct webm *w, int64_t t_ms, bool key, const void *frame, size_t len)
{
        if (key && !begin_cluster(w, t_ms))
                return false;
        put_id(w->file, SIMPLE_BLOCK);
        put_size(w->file, len + 4);
        put_bytes(w->file, 0x81, 1); /* the track */
        put_bytes(w->file, (uint64_t)(t_ms - w->cluster_ms), 2);
        put_bytes(w->file, key ? 0x80 : 0x00, 1);
        return fwrite(frame, 1, len, w->file) == len;
}

static void put_cues(struct webm *w)
{
        FILE *f = w->file;
        long begun = ftell(f), cues = open_element(f, CUES), end;

        for (size_t i = 0; i < w->cues; i++) {
                long point = open_element(f, CUE_POINT), positions;

                put_number(f, CUE_TIME, (uint64_t)w->cue[i].t_ms);
                positions = open_element(f, CUE_TRACK_POSITIONS);
                put_number(f, CUE_TRACK, 1);
                put_number(f, CUE_CLUSTER_POSITION, (uint64_t)w->cue[i].at);
                close_element(f, positions);
                close_element(f, point);
        }
        close_element(f, cues);
        end = ftell(f);
        fseek(f, w->seek_position, SEEK_SET);
        put_bytes(f, (uint64_t)(begun - w->segment), 8);
        fseek(f, end, SEEK_SET);
}

bool webm_end(struct webm *w)
{
        bool ok;

        if (w->cluster > 0)
                close_element(w->file, w->cluster);
        put_cues(w);
        close_element(w->file, w->segment);
        ok = fflush(w->file) == 0 && !ferror(w->file);
        free(w->cue);
        free(w);
        return ok;
}
