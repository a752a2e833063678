/* Reads a wire.cap (docs/run-folder.md) record by record: what a real firmware and the rig said to each other once, for
 * the tests that say it again. */
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/le.h"

struct cap_record {
        int64_t t_ns; /* since the start of the run */
        bool from_fc;
        int channel;
        const uint8_t *bytes; /* as long as the file is open */
        size_t len;
};

struct cap_file {
        uint8_t *bytes;
        size_t len, at;
};

/* From its first record on. */
static inline void cap_open(struct cap_file *c, const char *path)
{
        FILE *file = fopen(path, "rb");
        long len;

        ck_assert_msg(file != NULL && fseek(file, 0, SEEK_END) == 0, "%s", path);
        len = ftell(file);
        ck_assert_int_gt(len, 24);
        rewind(file);
        *c = (struct cap_file){ malloc((size_t)len), (size_t)len, 24 };
        ck_assert_ptr_nonnull(c->bytes);
        ck_assert_uint_eq(fread(c->bytes, 1, c->len, file), c->len);
        fclose(file);
}

/* False: that was the last, and the file ends with it. */
static inline bool cap_next(struct cap_file *c, struct cap_record *r)
{
        const uint8_t *p = c->bytes + c->at;

        if (c->at == c->len)
                return false;
        ck_assert_uint_le(c->at + 20, c->len);
        r->t_ns = le_get_u32(p) * 1000000000LL + le_get_u32(p + 4);
        r->from_fc = p[16] == 1;
        r->channel = p[18];
        r->bytes = p + 20;
        r->len = le_get_u32(p + 8) - 4;
        c->at += 20 + r->len;
        ck_assert_uint_le(c->at, c->len);
        return true;
}

static inline void cap_close(struct cap_file *c)
{
        free(c->bytes);
}
