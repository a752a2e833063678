/* MAVLink: the table of messages against its own checksums, and frames found again after damage. */
#include <string.h>

#include "io/codec/mavlink_messages.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

#define ALL_MESSAGES(m)                                                                  \
        for (const struct mavlink_message *m = mavlink_message_all(); m->name != NULL;   \
             m++)

/* A struct of any message. */
union values {
        uint8_t bytes[512];
        uint64_t aligned;
};

static size_t field_bytes(const struct mavlink_field *f)
{
        return mavlink_type_size(f->type) * (f->count > 0 ? f->count : 1);
}

static uint16_t add_word(uint16_t crc, const char *word)
{
        return mavlink_crc(mavlink_crc(crc, word, strlen(word)), " ", 1);
}

/* The developer guide, "CRC_EXTRA Calculation". */
static uint8_t crc_extra(const struct mavlink_message *m)
{
        static const char *const types[] = {
                [MAVLINK_CHAR] = "char",   [MAVLINK_U8] = "uint8_t",
                [MAVLINK_I8] = "int8_t",   [MAVLINK_U16] = "uint16_t",
                [MAVLINK_I16] = "int16_t", [MAVLINK_U32] = "uint32_t",
                [MAVLINK_I32] = "int32_t", [MAVLINK_U64] = "uint64_t",
                [MAVLINK_I64] = "int64_t", [MAVLINK_FLOAT] = "float",
        };
        uint16_t crc = add_word(MAVLINK_CRC_START, m->name);
        size_t len = 0;

        for (const struct mavlink_field *f = m->fields; len < m->len_v1; f++) {
                crc = add_word(add_word(crc, types[f->type]), f->name);
                if (f->count > 0)
                        crc = mavlink_crc(crc, &f->count, 1);
                len += field_bytes(f);
        }
        return (uint8_t)(crc ^ crc >> 8);
}

TEST(every_crc_extra_follows_from_names_and_types)
{
        ALL_MESSAGES(m)
        ck_assert_msg(crc_extra(m) == m->crc_extra, "%s: %d, the table has %d", m->name,
                      crc_extra(m), m->crc_extra);
}

TEST(every_length_is_the_sum_of_the_fields)
{
        ALL_MESSAGES(m)
        {
                size_t len = 0, previous = 8;
                bool ends_with_a_field = false;

                for (int i = 0; i < m->field_count; i++) {
                        size_t size = mavlink_type_size(m->fields[i].type);

                        /* What version 1 has is sorted by size. */
                        ck_assert_msg(len >= m->len_v1 || size <= previous, "%s.%s",
                                      m->name, m->fields[i].name);
                        previous = size;
                        len += field_bytes(&m->fields[i]);
                        ends_with_a_field |= len == m->len_v1;
                }
                ck_assert_msg(len == m->len && ends_with_a_field, "%s", m->name);
                ck_assert_uint_le(m->size, sizeof(union values));
        }
}

TEST(every_message_is_found_by_its_id_and_no_other)
{
        uint32_t next = 0;

        ALL_MESSAGES(m)
        {
                for (; next < m->id; next++)
                        ck_assert_ptr_null(mavlink_message_find(next));
                ck_assert_ptr_eq(mavlink_message_find(next++), m);
        }
        for (; next < 70000; next++)
                ck_assert_ptr_null(mavlink_message_find(next));
}

/* CRC-16/MCRF4XX, catalogue of parametrised CRC algorithms. */
TEST(crc_has_its_check_value)
{
        ck_assert_uint_eq(mavlink_crc(MAVLINK_CRC_START, "123456789", 9), 0x6F91);
}

/* Random bytes in the fields, and zeros between them. */
static void random_values(struct dice *d, const struct mavlink_message *m,
                          union values *v)
{
        memset(v, 0, sizeof *v);
        for (int i = 0; i < m->field_count; i++)
                for (size_t n = 0; n < field_bytes(&m->fields[i]); n++)
                        v->bytes[m->fields[i].offset + n] = dice_u8(d);
}

static size_t send_values(const struct mavlink_message *m, const union values *v,
                          int version, uint8_t *out)
{
        struct mavlink_sender s = { version, 7, 42, 250 };

        return mavlink_send(&s, m->id, v, out);
}

static size_t find(const uint8_t *bytes, size_t len, struct mavlink_frame *f,
                   enum mavlink_found expected)
{
        enum mavlink_found found;
        size_t n = mavlink_find(bytes, len, f, &found);

        ck_assert_int_eq(found, expected);
        return n;
}

/* Up to which of the struct's bytes version 1 carries them: the extensions are not there. */
static void drop_extensions(const struct mavlink_message *m, union values *v)
{
        size_t len = 0;

        for (int i = 0; i < m->field_count; i++) {
                if (len >= m->len_v1)
                        memset(v->bytes + m->fields[i].offset, 0,
                               field_bytes(&m->fields[i]));
                len += field_bytes(&m->fields[i]);
        }
}

TEST(every_message_comes_back_in_both_versions)
{
        struct dice d = { 1 };

        for (int round = 0; round < 200; round++)
                ALL_MESSAGES(m)
                {
                        uint8_t bytes[MAVLINK_FRAME_MAX];
                        struct mavlink_frame f;
                        union values sent, came;
                        int version = m->id > UINT8_MAX ? 2 : 1 + round % 2;
                        size_t len;

                        random_values(&d, m, &sent);
                        len = send_values(m, &sent, version, bytes);
                        ck_assert_uint_eq(find(bytes, len, &f, MAVLINK_FRAME), len);
                        ck_assert(f.version == version && f.id == m->id);
                        ck_assert(f.system == 7 && f.component == 42 &&
                                  f.sequence == 250);

                        memset(&came, 0, sizeof came);
                        ck_assert(mavlink_unpack(&f, m, &came));
                        if (version == 1)
                                drop_extensions(m, &sent);
                        ck_assert_mem_eq(&came, &sent, m->size);
                }
}

TEST(every_missing_byte_is_waited_for)
{
        struct mavlink_attitude a = { .roll = 1.0f, .yawspeed = 2.0f };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_sender s = { .version = 2 };

        for (s.version = 1; s.version <= 2; s.version++) {
                size_t len = mavlink_send(&s, MAVLINK_ATTITUDE, &a, bytes);
                struct mavlink_frame f;

                for (size_t n = 0; n < len; n++)
                        ck_assert_uint_eq(find(bytes, n, &f, MAVLINK_INCOMPLETE), 0);
        }
}

TEST(version_2_cuts_trailing_zeros_down_to_one_byte)
{
        struct mavlink_attitude a = { .time_boot_ms = 0x0201 };
        struct mavlink_sender s = { .version = 2 };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_frame f;

        ck_assert_uint_eq(mavlink_send(&s, MAVLINK_ATTITUDE, &a, bytes), 10 + 2 + 2);
        find(bytes, 14, &f, MAVLINK_FRAME);
        ck_assert_uint_eq(f.len, 2);
        ck_assert(mavlink_unpack(&f, mavlink_message_find(MAVLINK_ATTITUDE), &a));
        ck_assert_uint_eq(a.time_boot_ms, 0x0201);
        ck_assert(a.yawspeed == 0.0f);

        a.time_boot_ms = 0;
        ck_assert_uint_eq(mavlink_send(&s, MAVLINK_ATTITUDE, &a, bytes), 10 + 1 + 2);
        ck_assert_uint_eq(s.sequence, 2);
}

/* Puts the checksum of a frame of version 2 that was written by hand. */
static size_t seal(uint8_t *bytes, uint8_t extra)
{
        size_t len = (size_t)10 + bytes[1];
        uint16_t crc = mavlink_crc(MAVLINK_CRC_START, bytes + 1, len - 1);

        crc = mavlink_crc(crc, &extra, 1);
        bytes[len] = (uint8_t)crc;
        bytes[len + 1] = (uint8_t)(crc >> 8);
        return len + 2;
}

static size_t heartbeat(uint8_t *bytes, int version)
{
        struct mavlink_heartbeat h = { .custom_mode = 0x01020304,
                                       .type = 2,
                                       .autopilot = 3,
                                       .base_mode = 81,
                                       .system_status = 4,
                                       .mavlink_version = 3 };
        struct mavlink_sender s = { .version = version, .system = 1, .component = 1 };

        return mavlink_send(&s, MAVLINK_HEARTBEAT, &h, bytes);
}

TEST(a_signature_is_skipped)
{
        uint8_t bytes[2 * MAVLINK_FRAME_MAX] = { 0 };
        struct mavlink_frame f;
        size_t len;

        heartbeat(bytes, 2);
        bytes[2] = 1;
        len = seal(bytes, 50);
        memset(bytes + len, 0xFD, 13);
        find(bytes, len + 12, &f, MAVLINK_INCOMPLETE);
        ck_assert_uint_eq(find(bytes, len + 13, &f, MAVLINK_FRAME), len + 13);
        ck_assert_uint_eq(f.id, MAVLINK_HEARTBEAT);
        ck_assert_uint_eq(find(bytes, sizeof bytes, &f, MAVLINK_FRAME), len + 13);
}

TEST(a_flag_that_nobody_knows_makes_the_frame_unreadable)
{
        for (int flag = 2; flag < 256; flag *= 2) {
                uint8_t bytes[MAVLINK_FRAME_MAX];
                struct mavlink_frame f;
                size_t len;

                heartbeat(bytes, 2);
                bytes[2] = (uint8_t)flag;
                len = seal(bytes, 50);
                ck_assert_uint_eq(find(bytes, len, &f, MAVLINK_BAD_CRC), 1);
        }
}

TEST(compatibility_flags_change_nothing)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_frame f;
        size_t len;

        heartbeat(bytes, 2);
        bytes[3] = 0xFF;
        len = seal(bytes, 50);
        ck_assert_uint_eq(find(bytes, len, &f, MAVLINK_FRAME), len);
}

TEST(an_unknown_message_is_skipped_whole)
{
        uint8_t bytes[2 * MAVLINK_FRAME_MAX] = { 0xFD, 40, 0, 0, 9, 1, 1, 0x10, 0x27, 0 };
        struct mavlink_stream s = { 0 };
        struct mavlink_frame f;
        bool got;
        size_t len, inner;

        /* A whole heartbeat in its payload is not taken for one. */
        inner = heartbeat(bytes + 10, 2);
        ck_assert_uint_le(inner, 40);
        len = seal(bytes, 77);
        ck_assert_uint_eq(find(bytes, len, &f, MAVLINK_UNKNOWN), len);
        ck_assert_uint_eq(f.id, 10000);

        inner = heartbeat(bytes + len, 1);
        ck_assert_uint_eq(mavlink_stream_take(&s, bytes, len + inner, &f, &got),
                          len + inner);
        ck_assert(got && f.version == 1);
        ck_assert_uint_eq(s.unknown, 1);
        ck_assert_uint_eq(s.bad_crc + s.noise_bytes, 0);
}

TEST(of_all_checksums_one_for_each_extra_fits_an_unknown_message)
{
        uint8_t bytes[MAVLINK_FRAME_MAX] = { 0xFD, 3, 0, 0, 9, 1, 1, 0x10, 0x27, 0 };
        bool fits[65536] = { false };
        size_t len = 0;

        for (int extra = 0; extra < 256; extra++) {
                len = seal(bytes, (uint8_t)extra);
                fits[bytes[len - 2] | bytes[len - 1] << 8] = true;
        }
        for (int checksum = 0; checksum < 65536; checksum++) {
                struct mavlink_frame f;
                enum mavlink_found found;

                bytes[len - 2] = (uint8_t)checksum;
                bytes[len - 1] = (uint8_t)(checksum >> 8);
                mavlink_find(bytes, len, &f, &found);
                ck_assert_int_eq(found,
                                 fits[checksum] ? MAVLINK_UNKNOWN : MAVLINK_BAD_CRC);
        }
}

TEST(what_a_newer_sender_adds_is_ignored)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_heartbeat h;
        struct mavlink_frame f;
        size_t len;

        heartbeat(bytes, 2);
        bytes[1] = 14;
        memset(bytes + 10 + 9, 0xAA, 5);
        len = seal(bytes, 50);
        ck_assert_uint_eq(find(bytes, len, &f, MAVLINK_FRAME), len);
        ck_assert(mavlink_unpack(&f, mavlink_message_find(MAVLINK_HEARTBEAT), &h));
        ck_assert_uint_eq(h.custom_mode, 0x01020304);
        ck_assert_uint_eq(h.mavlink_version, 3);
}

TEST(unpack_refuses_another_message_and_a_short_one)
{
        struct mavlink_frame f = { .version = 1, .id = MAVLINK_PING, .len = 14 };
        const struct mavlink_message *ping = mavlink_message_find(MAVLINK_PING);
        struct mavlink_ping p;

        ck_assert(mavlink_unpack(&f, ping, &p));
        f.len = 13;
        ck_assert(!mavlink_unpack(&f, ping, &p));
        f.version = 2;
        ck_assert(mavlink_unpack(&f, ping, &p));
        f.id = MAVLINK_HEARTBEAT;
        ck_assert(!mavlink_unpack(&f, ping, &p));
}

/* A stream of both versions: each frame's time_boot_ms is its number. */
#define STREAM_FRAMES 24

struct stream {
        uint8_t bytes[STREAM_FRAMES * MAVLINK_FRAME_MAX];
        size_t len;
        size_t end[STREAM_FRAMES];
};

static void make_stream(struct stream *s)
{
        struct mavlink_sender sender = { .system = 1, .component = 1 };

        s->len = 0;
        for (int i = 0; i < STREAM_FRAMES; i++) {
                struct mavlink_attitude a = { .time_boot_ms = (uint32_t)i + 1,
                                              .roll = 0.1f * (float)i,
                                              .yawspeed = (float)i };

                sender.version = 1 + i % 2;
                s->len += mavlink_send(&sender, MAVLINK_ATTITUDE, &a, s->bytes + s->len);
                s->end[i] = s->len;
        }
}

/* Which frames come, as bits, from bytes in pieces of this size. */
static uint64_t receive(const uint8_t *bytes, size_t len, size_t piece)
{
        struct mavlink_stream s = { 0 };
        uint64_t came = 0;

        for (size_t at = 0; at < len;) {
                size_t n = len - at < piece ? len - at : piece;
                struct mavlink_attitude a;
                struct mavlink_frame f;
                bool got;
                size_t used = mavlink_stream_take(&s, bytes + at, n, &f, &got);

                ck_assert(used <= n && (got || used == n));
                at += used;
                if (!got)
                        continue;
                ck_assert(mavlink_unpack(&f, mavlink_message_find(MAVLINK_ATTITUDE), &a));
                ck_assert_uint_le(a.time_boot_ms, STREAM_FRAMES);
                came |= UINT64_C(1) << (a.time_boot_ms - 1);
        }
        return came;
}

#define ALL_FRAMES ((UINT64_C(1) << STREAM_FRAMES) - 1)

TEST(pieces_of_any_size_give_the_same_frames)
{
        struct stream s;

        make_stream(&s);
        for (size_t piece = 1; piece <= s.len; piece++)
                ck_assert_uint_eq(receive(s.bytes, s.len, piece), ALL_FRAMES);
}

/* The last frames are left out: there the receiver still waits for more bytes. */
#define DAMAGED_FRAMES 14

TEST(framing_resynchronises_after_a_lost_byte)
{
        struct stream s;

        make_stream(&s);
        for (size_t lost = 0; lost < s.end[DAMAGED_FRAMES - 1]; lost++) {
                uint8_t rest[sizeof s.bytes];
                int frame = 0;

                while (s.end[frame] <= lost)
                        frame++;
                memcpy(rest, s.bytes, lost);
                memcpy(rest + lost, s.bytes + lost + 1, s.len - lost - 1);
                ck_assert_uint_eq(receive(rest, s.len - 1, 50),
                                  ALL_FRAMES & ~(UINT64_C(1) << frame));
        }
}

TEST(a_changed_byte_costs_its_own_frame_alone)
{
        struct stream s;

        make_stream(&s);
        for (size_t at = 0; at < s.end[DAMAGED_FRAMES - 1]; at++) {
                uint64_t came;
                int frame = 0;

                while (s.end[frame] <= at)
                        frame++;
                s.bytes[at] ^= 0x40;
                came = receive(s.bytes, s.len, 1000);
                s.bytes[at] ^= 0x40;
                ck_assert_uint_eq(came, ALL_FRAMES & ~(UINT64_C(1) << frame));
        }
}

TEST(noise_is_counted_and_costs_no_frame)
{
        uint8_t bytes[600];
        struct mavlink_stream s = { 0 };
        struct mavlink_frame f;
        size_t len;
        bool got;

        memset(bytes, 0x55, 300);
        len = 300 + heartbeat(bytes + 300, 2);
        ck_assert_uint_eq(mavlink_stream_take(&s, bytes, len, &f, &got), len);
        ck_assert(got);
        ck_assert_uint_eq(s.noise_bytes, 300);
}
