/* A faulty wire around one end of a link pair, and the flight controller's end of it. What arrives is
 * written as words: a frame's number, "i" for pilot input, "t" for text, "x" for bytes that are none. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/codec/hilp/hilp.h"
#include "io/wire/link_faulty.h"
#include "tests/suites.h"

#define FOR_EVER  INT64_MAX
#define SENSORS   (HILP_SENSORS_V2 - 1) /* of any version */
#define MOTORS    (HILP_MOTORS - 1)
#define TEXT_SIZE 65536

static struct codec *codec;
static struct wire_faults *faults;
static struct link *wire, *far_end;
static char words[TEXT_SIZE];

static inline void stage_open_on(struct link *near_end, struct link *other, bool lockstep)
{
        const struct codec_setup setup = { .rotors = 4, .period_ns = 1000000 };

        codec = codec_create("hilp", &setup);
        faults = wire_faults_create(64, 0, lockstep);
        ck_assert_ptr_nonnull(codec);
        ck_assert_ptr_nonnull(faults);
        wire = link_faulty_open(near_end, codec->ops, faults, 0);
        ck_assert_ptr_nonnull(wire);
        far_end = other;
}

static inline void stage_open_capacity(size_t capacity, bool lockstep)
{
        struct link *a, *b;

        ck_assert(link_pair_open(&a, &b, capacity));
        stage_open_on(a, b, lockstep);
}

static inline void stage_open(void)
{
        stage_open_capacity(1 << 20, false);
}

static inline void stage_close(void)
{
        if (far_end != NULL)
                link_close(far_end);
        link_close(wire);
        free(faults);
        codec->ops->destroy(codec);
}

static inline void tick(int64_t at)
{
        faults->tick = at;
        link_faulty_push(wire);
}

/* Acts on every frame, both ways, on any channel. */
static inline struct wire_fault fault_of(enum wire_fault_kind kind)
{
        return (struct wire_fault){ .kind = kind,
                                    .directions = WIRE_BOTH,
                                    .probability = 1.0,
                                    .frame = -1,
                                    .channel = -1 };
}

static inline void begin_seeded(const struct wire_fault *fault, int id, uint64_t seed)
{
        ck_assert_ptr_nonnull(wire_faults_begin(faults, fault, id, seed, FOR_EVER));
}

static inline void begin(const struct wire_fault *fault, int id)
{
        begin_seeded(fault, id, 1);
}

static inline void end(int id)
{
        int place = wire_faults_place(faults, id);

        ck_assert_int_ge(place, 0);
        link_faulty_let_go(wire, place);
        wire_faults_end(faults, place);
        link_faulty_push(wire);
}

static inline size_t frame_bytes(enum hilp_type type, uint32_t number, uint8_t *out)
{
        struct hilp_message m = { .type = (uint8_t)type, .sequence = (uint8_t)number };
        size_t len;

        switch (type) {
        case HILP_SENSORS:
                m.u.sensors.number = number;
                m.u.sensors.time_us = number * 1000ULL;
                m.u.sensors.fresh = HILP_IMU;
                break;
        case HILP_MOTORS:
                m.u.motors.answers = number;
                m.u.motors.count = 4;
                break;
        case HILP_TEXT:
                snprintf(m.u.text.text, sizeof m.u.text.text, "words %u", number);
                break;
        default:
                break;
        }
        len = hilp_write(&m, out);
        ck_assert_uint_gt(len, 0);
        return len;
}

static inline void say(struct link *l, enum hilp_type type, uint32_t number)
{
        uint8_t bytes[HILP_FRAME_MAX];
        size_t len = frame_bytes(type, number, bytes);

        ck_assert_int_eq(link_write(l, bytes, len), (int)len);
}

/* From the rig, and from the flight controller. */
static inline void ask(uint32_t number)
{
        say(wire, HILP_SENSORS, number);
}

static inline void answer(uint32_t number)
{
        say(far_end, HILP_MOTORS, number);
}

static inline void add_word(const struct codec_frame *f)
{
        size_t used = strlen(words);

        if (used > 0 && used + 1 < sizeof words)
                words[used++] = ' ';
        if (f->asks || f->answers)
                snprintf(words + used, sizeof words - used, "%u", f->number);
        else
                snprintf(words + used, sizeof words - used, "%c",
                         f->type < 0                 ? 'x'
                         : f->type == HILP_INPUT - 1 ? 'i'
                         : f->type == HILP_TEXT - 1  ? 't'
                                                     : '?');
}

static inline size_t read_everything(struct link *l, uint8_t *bytes, size_t cap)
{
        size_t len = 0;
        int n;

        while ((n = link_read(l, bytes + len, cap - len)) > 0)
                len += (size_t)n;
        return len;
}

static inline const char *words_at(struct link *l)
{
        static uint8_t bytes[1 << 20];
        size_t len = read_everything(l, bytes, sizeof bytes), n;
        struct codec_frame f;

        words[0] = '\0';
        for (size_t at = 0; at < len; at += n) {
                n = codec->ops->frame_find(bytes + at, len - at, &f);
                if (n == 0)
                        n = len - at;
                add_word(&f);
        }
        return words;
}

/* What the flight controller gets, and what the rig gets. */
static inline const char *arrives(void)
{
        return words_at(far_end);
}

static inline const char *comes_back(void)
{
        return words_at(wire);
}

static inline struct wire_fault_counts counts(int id)
{
        return wire_faults_counts(faults, id);
}
