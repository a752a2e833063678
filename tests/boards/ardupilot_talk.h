/* ArduPilot's end of a conversation, as far as tests need it: its requests, and its parser as SIM_JSON.cpp
 * describes it (look-up by substring), written anew. */
#pragma once

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/codec/codec.h"
#include "io/le.h"
#include "io/codec/mavlink_messages.h"

#define MS     1000000LL
#define SECOND (1000 * MS)

static const struct codec_setup setup_plain = {
        .period_ns = 1 * MS,
        .rotors = 4,
        .motor_order = { 0, 3, 1, 2 },
};

/* The rig's codec, and what it said last. */
struct talk {
        struct codec *rig;
        struct packets out;
        struct fc_report report;
        struct sensor_frame frame;
        struct pilot_input input;
        int64_t t_ns; /* host time */
        uint32_t number;
        uint32_t count; /* of the firmware's next request */
        uint16_t pulse_us[32];
        int console; /* its channel */
        struct mavlink_sender firmware;
};

static inline void talk_begin(struct talk *t, const struct codec_setup *setup)
{
        memset(t, 0, sizeof *t);
        t->rig = codec_create("ardupilot", setup);
        ck_assert_ptr_nonnull(t->rig);
        t->console =
                setup->dialect == NULL || !codec_is_shipped(t->rig->ops, setup->dialect);
        t->t_ns = 77 * SECOND;
        t->frame.pose.q_body_to_ned.w = 1.0;
        t->firmware =
                (struct mavlink_sender){ .version = 2, .system = 1, .component = 1 };
        for (int i = 0; i < 32; i++)
                t->pulse_us[i] = 1000;
}

static inline void talk_end(struct talk *t)
{
        t->rig->ops->destroy(t->rig);
}

/* Bytes to the rig; returns all the news that were in them. */
static inline uint32_t to_rig(struct talk *t, int channel, const uint8_t *bytes,
                              size_t len)
{
        size_t used = 0;

        t->report.fresh = 0;
        while (used < len) {
                size_t n = t->rig->ops->decode(t->rig, channel, t->t_ns, bytes + used,
                                               len - used, &t->report);

                ck_assert_uint_gt(n, 0);
                used += n;
        }
        return t->report.fresh;
}

static inline size_t request_bytes(const struct talk *t, uint32_t count, int channels,
                                   uint8_t *to)
{
        le_put_u16(to, channels == 16 ? 18458 : 29569);
        le_put_u16(to + 2, 1000);
        le_put_u32(to + 4, count);
        for (int i = 0; i < channels; i++)
                le_put_u16(to + 8 + 2 * i, t->pulse_us[i]);
        return 8 + 2 * (size_t)channels;
}

static inline uint32_t request(struct talk *t, uint32_t count)
{
        uint8_t bytes[72];

        return to_rig(t, 0, bytes, request_bytes(t, count, 16, bytes));
}

/* One tick: how many packets the rig gives out, and the frame's text, or NULL. */
static inline const char *tick(struct talk *t, const struct pilot_input *input)
{
        const char *text = NULL;

        t->frame.t_ns += 1 * MS;
        t->rig->ops->encode(t->rig, t->number, t->t_ns, &t->frame, input, &t->out);
        for (int i = 0; i < t->out.count; i++) {
                struct packet *p = &t->out.packet[i];

                ck_assert_uint_gt(p->len, 0);
                ck_assert_uint_le(p->len, PACKET_MAX);
                if (p->channel == t->console)
                        continue;
                ck_assert_msg(text == NULL, "two frames at one tick");
                ck_assert_uint_lt(p->len, PACKET_MAX);
                p->bytes[p->len] = '\0';
                text = (const char *)p->bytes;
        }
        t->number += text != NULL;
        return text;
}

/* It has asked, and its start is over. */
static inline void talk_ready(struct talk *t, const struct codec_setup *setup)
{
        talk_begin(t, setup);
        request(t, t->count);
        ck_assert_int_eq(t->rig->ops->frame_every(t->rig), 1);
}

/* A tick and the firmware's next request. */
static inline const char *exchange(struct talk *t, const struct pilot_input *input)
{
        static char text[PACKET_MAX + 1];
        const char *said;

        t->t_ns += 1 * MS;
        said = tick(t, input);
        ck_assert_ptr_nonnull(said);
        strcpy(text, said);
        request(t, ++t->count);
        return text;
}

static inline uint32_t message_to_rig(struct talk *t, uint32_t id, const void *values)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];

        return to_rig(t, t->console, bytes,
                      mavlink_send(&t->firmware, id, values, bytes));
}

/* The i-th message for the console in the last tick's packets: false, there are not so many. */
static inline bool message_said(const struct talk *t, int i, struct mavlink_frame *frame)
{
        enum mavlink_found found;

        for (int k = 0; k < t->out.count; k++) {
                const struct packet *p = &t->out.packet[k];

                if (p->channel != t->console || i-- > 0)
                        continue;
                ck_assert_uint_eq(mavlink_find(p->bytes, p->len, frame, &found), p->len);
                ck_assert_int_eq(found, MAVLINK_FRAME);
                return true;
        }
        return false;
}

/* The value behind a key, as the firmware finds it: the section anywhere, then the key anywhere behind it,
 * then two characters on. */
static inline const char *firmware_finds(const char *text, const char *section,
                                         const char *key)
{
        const char *p = strstr(text, section);

        if (p == NULL)
                return NULL;
        p = strstr(p + strlen(section) + 1, key);
        return p == NULL ? NULL : p + strlen(key) + 2;
}

static inline bool firmware_reads(const char *text, const char *section, const char *key,
                                  int count, double *value)
{
        const char *p = firmware_finds(text, section, key);

        if (p == NULL)
                return false;
        for (int i = 0; i < count; i++) {
                while (*p != '\0' && *p != '-' && (*p < '0' || *p > '9'))
                        p++;
                if (*p == '\0')
                        return false;
                value[i] = strtod(p, NULL);
                while (*p != '\0' && *p != ',' && *p != ']')
                        p++;
                if (i < count - 1 && *p != ',')
                        return false;
        }
        return true;
}
