/* Recordings of sigrok's in a folder of their own. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/log/sr_file.h"
#include "tests/scratch.h"

static char folder[200], path[256], part[264];
static struct link_error why;

static inline void setup(void)
{
        const char *tmp = getenv("TMPDIR");

        snprintf(folder, sizeof folder, "%s/hilrig-sr-XXXXXX", tmp ? tmp : "/tmp");
        scratch_make(folder);
        snprintf(path, sizeof path, "%s/a.sr", folder);
        snprintf(part, sizeof part, "%s.part", path);
        why.text[0] = '\0';
}

static inline void teardown(void)
{
        scratch_remove(folder);
}

static inline bool have_sigrok(void)
{
        return system("command -v sigrok-cli >/dev/null 2>&1") == 0;
}

/* What a command prints. */
static inline char *said_by(const char *format, const char *file)
{
        static char text[20000];
        char command[1000];
        FILE *p;
        size_t n;

        snprintf(command, sizeof command, format, file);
        p = popen(command, "r");
        n = fread(text, 1, sizeof text - 1, p);
        text[n] = '\0';
        ck_assert_msg(pclose(p) == 0, "%s: %s", command, text);
        return text;
}

static inline uint8_t sample_at(uint64_t i)
{
        return (uint8_t)(i / 7 ^ i / 1000);
}

static const struct sr_info four = { .rate_hz = 24e6,
                                     .pads = 4,
                                     .pad_name = { "M1", "M2", "", "a \\ b" } };

static inline struct sr_writer *begin(const struct sr_info *info)
{
        struct sr_writer *w = sr_create(path, info, &why);

        ck_assert_msg(w != NULL, "%s", why.text);
        return w;
}

/* `count` samples in pieces of an odd length. */
static inline void put(struct sr_writer *w, uint64_t count)
{
        static uint8_t piece[10007];
        uint64_t at = 0;

        while (at < count) {
                size_t n =
                        count - at < sizeof piece ? (size_t)(count - at) : sizeof piece;

                for (size_t i = 0; i < n; i++)
                        piece[i] = sample_at(at + i);
                ck_assert_msg(sr_write(w, piece, n, &why), "%s", why.text);
                at += n;
        }
}

static inline void record(const struct sr_info *info, uint64_t count)
{
        struct sr_writer *w = begin(info);

        put(w, count);
        ck_assert_msg(sr_finish(w, &why), "%s", why.text);
}

static inline struct sr_reader *open_it(const char *name)
{
        struct sr_reader *r = sr_open(name, &why);

        ck_assert_msg(r != NULL, "%s", why.text);
        return r;
}

/* Reads to the end: how many samples, each as written. */
static inline uint64_t read_all(struct sr_reader *r, uint8_t mask)
{
        static uint8_t samples[5001];
        uint64_t at = 0, wrong = 0;
        long n;

        /* Check takes a note of every assertion. */
        while ((n = sr_read(r, samples, sizeof samples, &why)) > 0)
                for (long i = 0; i < n; i++, at++)
                        wrong += samples[i] != (sample_at(at) & mask);
        ck_assert_uint_eq(wrong, 0);
        ck_assert_msg(n == 0, "%s", why.text);
        return at;
}
