/* What boards ask of the u-blox receiver before they believe it: the steps of Betaflight, INAV, ArduPilot
 * and PX4 as their drivers send them, speeds, and settings read back. */
#include "tests/io/device/gps_bench.h"
#include "tests/suites.h"

static struct bench bench;
static struct bench *const b = &bench;

static const char *const models[] = { "ublox_m8", "ublox_m10" };

enum { M8, M10 };

static int cfg(uint8_t id, const void *payload, size_t len)
{
        return bench_ask(b, 0x06, id, payload, len);
}

static int rate_of(uint8_t cls, uint8_t id, uint8_t every)
{
        const uint8_t payload[] = { cls, id, every };

        return cfg(0x01, payload, 3);
}

static void begin(int model, uint32_t baud)
{
        bench_begin(b, models[model], baud);
        bench_run(b, 700 * MS);
}

/* One value set in RAM. */
static int valset(uint32_t key, uint64_t value, size_t size)
{
        uint8_t p[16] = { 0, 1 };

        le_put_u32(p + 4, key);
        le_put_u64(p + 8, value);
        return cfg(0x8A, p, 8 + size);
}

/* The value that comes back, UINT64_MAX: refused. */
static uint64_t valget(uint32_t key, uint8_t layer, size_t size)
{
        uint8_t p[8] = { 0, layer };
        uint64_t v = 0;
        const struct heard *h;

        le_put_u32(p + 4, key);
        if (cfg(0x8B, p, 8) != 1)
                return UINT64_MAX;
        h = bench_last(b, 0x06, 0x8B);
        ck_assert_ptr_nonnull(h);
        ck_assert_uint_eq(h->payload[0], 1);
        ck_assert_uint_eq(h->payload[1], layer);
        ck_assert_uint_eq(h->len, 8 + size);
        ck_assert_uint_eq(le_get_u32(h->payload + 4), key);
        for (size_t i = 0; i < size; i++)
                v |= (uint64_t)h->payload[8 + i] << 8 * i;
        return v;
}

#define BAUD     0x40520001
#define MEAS     0x30210001
#define DYNMODEL 0x20110021

TEST_EACH(the_speed_changes_by_pubx, 2)
{
        begin(_i, 9600);
        bench_say(b, "$PUBX,41,1,0003,0001,57600,0*2D\r\n");
        ck_assert_uint_eq(b->device->ops->speed(b->device), 57600);
        /* Another port's is no matter; a wrong checksum, and a speed that there is not, neither. */
        bench_say(b, "$PUBX,41,3,0003,0001,115200,0*1C\r\n");
        bench_say(b, "$PUBX,41,1,0003,0001,115200,0*1F\r\n");
        bench_say(b, "$PUBX,41,1,0003,0001,115201,0*1F\r\n");
        ck_assert_uint_eq(b->device->ops->speed(b->device), 57600);
        /* Its protocols out were UBX alone. */
        bench_run(b, S);
        bench_forget(b);
        bench_run(b, 3 * S);
        ck_assert_int_eq(b->count, 0);
        bench_say(b, "$PUBX,41,1,0003,0003,115200,0*1C\r\n");
        bench_run(b, 3 * S);
        ck_assert_uint_eq(b->device->ops->speed(b->device), 115200);
        ck_assert_int_gt(bench_count(b, 0xF0, 0), 20);
        bench_end(b);
}

TEST_EACH(the_speed_changes_by_cfg_prt, 2)
{
        /* PX4: two ports in one message, UART1 and USB. */
        uint8_t p[40] = { 1, 0, 0, 0, 0xD0, 8, 0, 0 };
        const struct heard *h;

        begin(_i, 38400);
        ck_assert_int_eq(cfg(0x00, NULL, 0), 1);
        h = bench_last(b, 0x06, 0x00);
        ck_assert_uint_eq(h->len, 20);
        ck_assert_uint_eq(h->payload[0], 1);
        ck_assert_uint_eq(le_get_u32(h->payload + 8), 38400);
        ck_assert_uint_eq(le_get_u16(h->payload + 12), 3);

        le_put_u32(p + 8, 115200);
        p[12] = p[14] = 1;
        memcpy(p + 20, p, 20);
        p[20] = 3;
        ck_assert_int_eq(cfg(0x00, p, 40), 1);
        ck_assert_uint_eq(b->device->ops->speed(b->device), 115200);
        /* Seven bits, a speed that there is not, a port that there is not, half a block. */
        p[4] = 0x80;
        ck_assert_int_eq(cfg(0x00, p, 40), 0);
        p[4] = 0xD0;
        le_put_u32(p + 8, 12345);
        ck_assert_int_eq(cfg(0x00, p, 20), 0);
        le_put_u32(p + 8, 9600);
        p[0] = 9;
        ck_assert_int_eq(cfg(0x00, p, 20), 0);
        ck_assert_int_eq(cfg(0x00, p, 19), 0);
        ck_assert_uint_eq(b->device->ops->speed(b->device), 115200);
        bench_end(b);
}

static bool has_text(const struct heard *h, const char *text)
{
        return memmem(h->payload, h->len, text, strlen(text)) != NULL;
}

TEST_EACH(it_says_who_it_is, 2)
{
        const struct heard *h;

        begin(_i, 115200);
        bench_send(b, 0x0A, 0x04, NULL, 0);
        bench_send(b, 0x0A, 0x28, NULL, 0);
        bench_run(b, 200 * MS);
        h = bench_last(b, 0x0A, 0x04);
        ck_assert_str_eq((const char *)h->payload + 30,
                         _i == M8 ? "00080000" : "000A0000");
        ck_assert(has_text(h, _i == M8 ? "PROTVER=18.00" : "PROTVER=34.10"));
        ck_assert(has_text(h, _i == M8 ? "MOD=NEO-M8N" : "MOD=MAX-M10S"));
        ck_assert(has_text(h, "FWVER=SPG "));
        h = bench_last(b, 0x0A, 0x28);
        ck_assert_uint_eq(h->payload[0], 0);
        ck_assert_uint_eq(h->payload[2], h->payload[3]); /* enabled: the default */
        ck_assert_uint_gt(h->payload[4], 0);
        bench_end(b);
}

/* INAV 9, gps_ublox.c: every step waits for its acknowledgement, CFG-SBAS excepted. */
TEST(inav_configures_an_m8)
{
        static const uint8_t off[][2] = { { 0xF0, 0 }, { 0xF0, 1 }, { 0xF0, 2 },
                                          { 0xF0, 3 }, { 0xF0, 4 }, { 0xF0, 5 },
                                          { 1, 2 },    { 1, 3 },    { 1, 6 },
                                          { 1, 0x12 }, { 1, 0x21 }, { 1, 0x30 } };
        static const uint8_t nav5[36] = { 0xFF, 0xFF, 7,   3, 0,    0, 0,   0,
                                          0x10, 0x27, 0,   0, 5,    0, 250, 0,
                                          250,  0,    100, 0, 0x2C, 1 };
        static const uint8_t rate[] = { 100, 0, 1, 0, 1, 0 };
        static const uint8_t sbas[] = { 2, 3, 3, 0, 0, 0, 0, 0 };
        /* SBAS, Galileo, BeiDou, GLONASS, the second to the fourth off (seen). */
        static const uint8_t gnss[] = { 0, 0, 0xFF, 4, 1, 0, 3, 0, 0, 0, 1, 0,
                                        2, 0, 8,    0, 0, 0, 1, 0, 3, 0, 8, 0,
                                        0, 0, 1,    0, 6, 0, 8, 0, 0, 0, 1, 0 };

        begin(M8, 9600);
        bench_say(b, "$PUBX,41,1,0003,0001,115200,0*1E\r\n");
        ck_assert_int_eq(cfg(0x24, nav5, 36), 1);
        for (size_t i = 0; i < sizeof off / 2; i++)
                ck_assert_int_eq(rate_of(off[i][0], off[i][1], 0), 1);
        ck_assert_int_eq(rate_of(1, 7, 1), 1);
        ck_assert_int_eq(rate_of(1, 0x35, 1), 1);
        ck_assert_int_eq(cfg(0x08, rate, 6), 1);
        ck_assert_int_eq(cfg(0x16, sbas, 8), 1);
        ck_assert_int_eq(cfg(0x3E, gnss, sizeof gnss), 1);
        bench_run(b, S);
        bench_forget(b);
        bench_run(b, 10 * S);
        ck_assert_int_eq(bench_count(b, 1, 7), 100);
        ck_assert_int_eq(bench_count(b, 1, 0x35), 100);
        ck_assert_int_eq(b->count, 200);
        ck_assert_uint_eq(bench_last(b, 1, 7)->payload[20], 3);
        bench_end(b);
}

/* INAV 9 again; the bytes are those that it sent (seen). */
TEST(inav_configures_an_m10)
{
        static const uint8_t model[] = { 1,    1, 0,    0, 0x21, 0,    0x11,
                                         0x20, 7, 0x11, 0, 0x11, 0x20, 3 };
        static const uint8_t nmea[] = { 1, 1,    0,    0, 0xBB, 0, 0x91, 0x20, 0, 0xCA,
                                        0, 0x91, 0x20, 0, 0xC0, 0, 0x91, 0x20, 0, 0xAC,
                                        0, 0x91, 0x20, 0, 0xB1, 0, 0x91, 0x20, 0 };
        static const uint8_t messages[] = {
                1,    1,    0, 0,    0x2A, 0,    0x91, 0x20, 0,    0x1B, 0,    0x91, 0x20,
                0,    0x43, 0, 0x91, 0x20, 0,    0x5C, 0,    0x91, 0x20, 0,    7,    0,
                0x91, 0x20, 1, 0x46, 3,    0x91, 0x20, 1,    0x16, 0,    0x91, 0x20, 0
        };
        static const uint8_t rate[] = { 1,   1, 0, 0, 1,    0,    0x21, 0x30,
                                        100, 0, 2, 0, 0x21, 0x30, 1,    0 };
        static const uint8_t sbas[8] = { 2, 3, 3 };
        static const uint32_t signals[] = { 0x10310020, 0x10310005, 0x10310021,
                                            0x10310007, 0x10310022, 0x1031000d,
                                            0x1031000f, 0x10310024, 0x10310012,
                                            0x10310014, 0x10310025, 0x10310018 };
        uint8_t gnss[4 + 5 * 12] = { 1, 1 };

        begin(M10, 9600);
        bench_say(b, "$PUBX,41,1,0003,0001,115200,0*1E\r\n");
        ck_assert_int_eq(cfg(0x8A, model, sizeof model), 1);
        ck_assert_int_eq(cfg(0x8A, nmea, sizeof nmea), 1);
        ck_assert_int_eq(cfg(0x8A, messages, sizeof messages), 1);
        ck_assert_int_eq(cfg(0x8A, rate, sizeof rate), 1);
        ck_assert_int_eq(cfg(0x16, sbas, 8), 0);
        for (int i = 0; i < 12; i++) {
                le_put_u32(gnss + 4 + 5 * i, signals[i]);
                gnss[8 + 5 * i] = i < 2 || (i > 6 && i < 10);
        }
        ck_assert_int_eq(cfg(0x8A, gnss, sizeof gnss), 1);
        bench_run(b, S);
        bench_forget(b);
        bench_run(b, 10 * S);
        ck_assert_int_eq(bench_count(b, 1, 7), 100);
        ck_assert_int_eq(bench_count(b, 1, 0x43), 100);
        ck_assert_int_eq(b->count, 200);
        ck_assert_uint_eq(valget(DYNMODEL, 0, 1), 7);
        bench_end(b);
}

/* Betaflight 2025.12, gps.c: polls CFG-GNSS and sends it back changed. */
TEST(betaflight_sends_cfg_gnss_back)
{
        uint8_t gnss[4 + 8 * 7];
        const struct heard *h;

        begin(M8, 57600);
        ck_assert_int_eq(cfg(0x3E, NULL, 0), 1);
        h = bench_last(b, 6, 0x3E);
        ck_assert_uint_eq(h->len, sizeof gnss);
        memcpy(gnss, h->payload, sizeof gnss);
        ck_assert_uint_eq(gnss[3], 7);
        for (int i = 0; i < 7; i++)
                if (gnss[4 + 8 * i] == 2)
                        gnss[8 + 8 * i] |= 1; /* Galileo on */
        ck_assert_int_eq(cfg(0x3E, gnss, sizeof gnss), 1);
        ck_assert_int_eq(cfg(0x3E, NULL, 0), 1);
        ck_assert_mem_eq(bench_last(b, 6, 0x3E)->payload, gnss, sizeof gnss);
        /* BeiDou and GLONASS beside GPS: there are not so many front ends. */
        for (int i = 0; i < 7; i++)
                gnss[8 + 8 * i] |= 1;
        ck_assert_int_eq(cfg(0x3E, gnss, sizeof gnss), 0);
        ck_assert_int_eq(cfg(0x86, "\0\0\0\0\0\0\0", 8), 1); /* power: full */
        /* An M10 has neither. */
        bench_end(b);
        begin(M10, 57600);
        ck_assert_int_eq(cfg(0x3E, NULL, 0), 0);
        ck_assert_int_eq(cfg(0x86, "\0\0\0\0\0\0\0", 8), 0);
        bench_end(b);
}

/* ArduPilot, AP_GPS_UBLOX.cpp: writes, and reads everything back, on both. */
TEST_EACH(ardupilot_reads_its_settings_back, 2)
{
        static const uint8_t messages[][3] = { { 1, 7, 1 },    { 1, 0x20, 5 },
                                               { 1, 2, 0 },    { 1, 3, 0 },
                                               { 1, 0x12, 0 }, { 1, 4, 1 },
                                               { 0x0A, 9, 5 }, { 0x0A, 0x0B, 5 } };
        static const uint8_t rate[] = { 200, 0, 1, 0, 0, 0 };
        uint8_t nav5[36];

        begin(_i, 230400);
        for (size_t i = 0; i < sizeof messages / 3; i++) {
                ck_assert_int_eq(cfg(0x01, messages[i], 3), 1);
                ck_assert_int_eq(cfg(0x01, messages[i], 2), 1);
                ck_assert_uint_eq(bench_last(b, 6, 1)->len, 8);
                ck_assert_mem_eq(bench_last(b, 6, 1)->payload, messages[i], 2);
                ck_assert_uint_eq(bench_last(b, 6, 1)->payload[2 + 1], messages[i][2]);
        }
        ck_assert_int_eq(cfg(0x08, rate, 6), 1);
        ck_assert_int_eq(cfg(0x08, NULL, 0), 1);
        ck_assert_mem_eq(bench_last(b, 6, 8)->payload, rate, 6);

        ck_assert_int_eq(cfg(0x24, NULL, 0), 1);
        memcpy(nav5, bench_last(b, 6, 0x24)->payload, 36);
        nav5[0] = 1; /* only the dynamic model */
        nav5[1] = 0;
        nav5[2] = 8;
        nav5[12] = 77;
        ck_assert_int_eq(cfg(0x24, nav5, 36), 1);
        ck_assert_int_eq(cfg(0x24, NULL, 0), 1);
        ck_assert_uint_eq(bench_last(b, 6, 0x24)->payload[2], 8);
        ck_assert_uint_eq(bench_last(b, 6, 0x24)->payload[12], 5);
        nav5[2] = 1; /* no such model */
        ck_assert_int_eq(cfg(0x24, nav5, 36), 0);
        bench_end(b);
}

/* PX4, ubx.cpp: an acknowledged VALSET within 2 s makes it a new one, behind NMEA at 9600 too. */
TEST_EACH(px4_finds_out_what_it_is, 2)
{
        static const uint32_t keys[] = { 0x20520002, 0x20520003, 0x20520004, 0x10730001,
                                         0x10730002, 0x10740001, 0x10740002 };
        static const uint8_t values[] = { 1, 0, 0, 1, 0, 1, 0 };
        uint8_t p[4 + 5 * 7] = { 0, 1 };
        int64_t t_ns;
        int done = -1;

        for (int i = 0; i < 7; i++) {
                le_put_u32(p + 4 + 5 * i, keys[i]);
                p[8 + 5 * i] = values[i];
        }
        begin(_i, 9600);
        bench_run(b, 3 * S);
        t_ns = b->t_ns;
        for (int i = 0; i < 4 && done < 0; i++)
                done = cfg(0x8A, p, sizeof p);
        ck_assert_int_eq(done, _i == M10);
        ck_assert_int_le(b->t_ns - t_ns, 2 * S);
        /* Then its message rates: UART1 is the key after I2C's. */
        if (_i == M10) {
                ck_assert_int_eq(valset(BAUD, 115200, 4), 1);
                ck_assert_uint_eq(b->device->ops->speed(b->device), 115200);
                ck_assert_int_eq(valset(0x20910359 + 1, 1, 1), 1);
                ck_assert_int_eq(valset(0x20910006 + 1, 1, 1), 1);
                ck_assert_int_eq(valset(MEAS, 125, 2), 1);
                ck_assert_int_eq(valset(0x20140011, 3, 1),
                                 0); /* only on receivers with RTK */
                bench_forget(b);
                bench_run(b, 10 * S);
                ck_assert_int_ge(bench_count(b, 1, 7), 79);
                ck_assert_int_ge(bench_count(b, 0x0A, 0x38), 79);
                ck_assert_int_eq(bench_count(b, 0xF0, 0), 0);
        }
        bench_end(b);
}

TEST(values_are_read_back_from_their_layers)
{
        uint8_t p[16] = { 0, 2 };

        begin(M10, 115200);
        ck_assert_uint_eq(valget(MEAS, 0, 2), 1000);
        ck_assert_int_eq(valset(MEAS, 250, 2), 1);
        ck_assert_uint_eq(valget(MEAS, 0, 2), 250);
        ck_assert_uint_eq(valget(MEAS, 7, 2), 1000);
        ck_assert_uint_eq(valget(MEAS, 1, 2), UINT64_MAX);
        /* Only saved: nothing changes before a restart. */
        le_put_u32(p + 4, DYNMODEL);
        p[8] = 8;
        ck_assert_int_eq(cfg(0x8A, p, 9), 1);
        ck_assert_uint_eq(valget(DYNMODEL, 0, 1), 0);
        ck_assert_uint_eq(valget(DYNMODEL, 1, 1), 8);
        bench_send(b, 0x06, 0x04, "\0\0\0\0", 4);
        bench_run(b, 100 * MS);
        ck_assert_uint_eq(valget(DYNMODEL, 0, 1), 8);
        ck_assert_uint_eq(valget(MEAS, 0, 2), 1000);
        ck_assert_int_eq(cfg(0x8C, p, 8), 1);
        ck_assert_uint_eq(valget(DYNMODEL, 1, 1), UINT64_MAX);
        ck_assert_uint_eq(valget(0x50360006, 7, 8), 0x3ab88);
        /* Flash there is none, nor a layer 3. */
        p[1] = 4;
        ck_assert_int_eq(cfg(0x8A, p, 9), 0);
        ck_assert_uint_eq(valget(MEAS, 2, 2), UINT64_MAX);
        ck_assert_uint_eq(valget(MEAS, 3, 2), UINT64_MAX);
        bench_end(b);
}

TEST(groups_are_asked_for_as_one)
{
        uint8_t p[8] = { 0, 0, 0, 0, 0xFF, 0xFF, 0x21, 0x30 };
        const struct heard *h;

        begin(M10, 115200);
        ck_assert_int_eq(cfg(0x8B, p, 8), 1);
        h = bench_last(b, 6, 0x8B);
        /* Rate: two of two bytes, one of one. */
        ck_assert_uint_eq(h->len, 4 + 6 + 6 + 5);
        /* Everything comes in parts of 64. */
        p[6] = 0xFF;
        p[7] = 0x0F;
        for (int at = 0, items = 0;; at += 64) {
                int n = 0;

                le_put_u16(p + 2, (uint16_t)at);
                ck_assert_int_eq(cfg(0x8B, p, 8), 1);
                h = bench_last(b, 6, 0x8B);
                for (size_t k = 4; k < h->len; n++)
                        k += 4 + (size_t[]){ 0, 1, 1, 2, 4, 8 }[h->payload[k + 3] >> 4];
                items += n;
                if (n < 64) {
                        ck_assert_int_gt(items, 150);
                        break;
                }
        }
        bench_end(b);
}

/* One bad pair, and nothing of the message is taken. */
TEST(an_impossible_message_changes_nothing)
{
        uint8_t p[] = { 0, 1, 0, 0, 1, 0, 0x21, 0x30, 250, 0, 0x21, 0, 0x11, 0x20, 1 };
        uint64_t errors;

        begin(M10, 115200);
        errors = b->device->counts.errors;
        ck_assert_int_eq(cfg(0x8A, p, sizeof p), 0);
        ck_assert_uint_eq(valget(MEAS, 0, 2), 1000);
        ck_assert_int_eq(valset(0x20999999, 1, 1), 0); /* no such key */
        ck_assert_int_eq(valset(MEAS, 10, 2), 0); /* 100 Hz */
        ck_assert_int_eq(cfg(0x8A, p, 13), 0); /* cut off */
        ck_assert_int_eq(cfg(0x8A, p, 3), 0);
        p[0] = 1;
        p[2] = 1; /* a transaction */
        p[14] = 7;
        ck_assert_int_eq(cfg(0x8A, p, sizeof p), 0);
        p[2] = 0;
        ck_assert_int_eq(cfg(0x8A, p, sizeof p), 1);
        ck_assert_uint_eq(valget(MEAS, 0, 2), 250);
        /* GLONASS beside BeiDou's B1I, and all systems off. */
        ck_assert_int_eq(valset(0x10310025, 1, 1), 0);
        ck_assert_uint_eq(b->device->counts.errors - errors, 7);
        bench_end(b);
}

TEST_EACH(saved_settings_survive_a_restart, 2)
{
        static const uint8_t rate[] = { 200, 0, 1, 0, 0, 0 };
        static const uint8_t save[12] = { 0, 0, 0, 0, 0xFF, 0xFF };
        static const uint8_t clear_and_load[13] = { 0xFF, 0xFF, 0,    0, 0, 0, 0,
                                                    0,    0xFF, 0xFF, 0, 0, 7 };

        begin(_i, 38400);
        ck_assert_int_eq(cfg(0x08, rate, 6), 1);
        ck_assert_int_eq(cfg(0x09, save, 12), 1);
        ck_assert_int_eq(cfg(0x08, "\x64\0\1\0\0", 6), 1);
        bench_send(b, 0x06, 0x04, "\0\0\0\0", 4);
        ck_assert_int_eq(cfg(0x08, NULL, 0), 1);
        ck_assert_mem_eq(bench_last(b, 6, 8)->payload, rate, 6);
        ck_assert_int_eq(cfg(0x09, clear_and_load, 13), 1);
        ck_assert_int_eq(cfg(0x08, NULL, 0), 1);
        ck_assert_uint_eq(le_get_u16(bench_last(b, 6, 8)->payload), 1000);
        bench_end(b);
}

/* A hot start has satellites after a second, a cold one after 26; it is not acknowledged. */
TEST_EACH(a_restart_looks_for_satellites_first, 2)
{
        static const struct {
                uint8_t payload[4];
                int blind_s;
        } starts[] = { { { 0, 0, 2, 0 }, 1 }, { { 0xFF, 0xFF, 2, 0 }, 26 } };

        begin(_i, 115200);
        ck_assert_int_eq(rate_of(1, 7, 1), 1);
        ck_assert_int_eq(cfg(0x08, "\xC8\0\1\0\0", 6), 1);
        for (int i = 0; i < 2; i++) {
                bench_run(b, 3 * S);
                ck_assert_uint_eq(bench_last(b, 1, 7)->payload[20], 3);
                ck_assert_int_eq(cfg(0x04, starts[i].payload, 4), -1);
                bench_run(b, (starts[i].blind_s - 1) * S + 300 * MS);
                ck_assert_uint_eq(bench_last(b, 1, 7)->payload[20], 0);
                bench_run(b, 2 * S);
                ck_assert_uint_eq(bench_last(b, 1, 7)->payload[20], 3);
        }
        /* Stopped, it says nothing more. */
        bench_send(b, 6, 4, "\0\0\x08", 4);
        bench_run(b, S);
        bench_forget(b);
        bench_run(b, 5 * S);
        ck_assert_int_eq(b->count, 0);
        bench_send(b, 6, 4, "\0\0\x09", 4);
        bench_run(b, 3 * S);
        ck_assert_int_ge(bench_count(b, 1, 7), 2);
        bench_end(b);
}

TEST_EACH(half_a_frame_does_not_deafen_it, 2)
{
        begin(_i, 115200);
        bench_write(b, "\xB5\x62\x06\x01\xFF\x02", 6);
        ck_assert_int_eq(bench_ask(b, 6, 8, NULL, 0), 1);
        ck_assert_uint_eq(b->device->counts.errors, 1);
        bench_end(b);
}

TEST_EACH(sentences_are_chosen_by_pubx_40, 2)
{
        begin(_i, 9600);
        bench_say(b, "$PUBX,40,GSV,0,0,0,0,0,0*59\r\n");
        bench_say(b, "$PUBX,40,GLL,0,0,0,0,0,0*5C\r\n");
        bench_run(b, 2 * S);
        bench_forget(b);
        bench_run(b, 10 * S);
        ck_assert_int_ge(b->count, 38);
        ck_assert_int_le(b->count, 42);
        for (int i = 0; i < b->count; i++)
                ck_assert(memcmp(b->heard[i].payload + 3, "GSV", 3) != 0 &&
                          memcmp(b->heard[i].payload + 3, "GLL", 3) != 0);
        bench_end(b);
}
