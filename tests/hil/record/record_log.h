/* Reading back what the recorder of a test left in run.ulg. */
#pragma once

#include "tests/hil/record/record_folder.h"

static inline struct ulog_reader log_open(const struct folder *f)
{
        struct ulog_reader r;
        size_t len;
        uint8_t *bytes = folder_load(f, "run.ulg", &len);

        ck_assert_ptr_nonnull(bytes);
        ck_assert(ulog_open(&r, bytes, len));
        return r;
}

static inline void log_close(struct ulog_reader *r)
{
        ck_assert(!r->truncated);
        ck_assert_uint_eq(r->skipped, 0);
        free((void *)(uintptr_t)r->bytes);
}

/* The next D record of a topic and instance. */
static inline bool log_next(struct ulog_reader *r, const char *name, uint8_t instance,
                            struct ulog_record *rec)
{
        while (ulog_next(r, rec))
                if (rec->type == 'D' && rec->topic == ulog_topic(r, name, instance))
                        return true;
        return false;
}

static inline const uint8_t *log_field(const struct ulog_reader *r,
                                       const struct ulog_record *rec, const char *name,
                                       const char *type)
{
        size_t at;

        ck_assert_msg(ulog_field(r, rec->topic, name, type, &at), "%s %s", type, name);
        return rec->data + at;
}

static inline double log_f32(const struct ulog_reader *r, const struct ulog_record *rec,
                             const char *name)
{
        return (double)le_get_f32(log_field(r, rec, name, "float"));
}
