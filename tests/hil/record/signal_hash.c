/* The signal hash: SHA-256 against published digests, the canonical form against bytes built here
 * by hand, and what must and must not change it. */
#include <stdlib.h>
#include <string.h>

#include "hil/record/signal_hash.h"

#include "tests/suites.h"

#define ROTORS 3

static void hash_one(const struct tick_record *tick, char hex[65])
{
        struct signal_hash *h = signal_hash_create(ROTORS);

        ck_assert_ptr_nonnull(h);
        signal_hash_add(h, tick);
        signal_hash_finish(h, hex);
}

TEST(sha256_gives_the_published_digests)
{
        /* NIST, SHA-256 example values (FIPS 180): one block, two blocks, nothing. */
        static const struct {
                const char *text, *digest;
        } vectors[] = {
                { "abc",
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
                { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
                { "",
                  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        };
        char hex[65];

        for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
                sha256_hex(vectors[i].text, strlen(vectors[i].text), hex);
                ck_assert_str_eq(hex, vectors[i].digest);
        }
}

/* Appends a hexadecimal dump to bytes. */
static size_t append(uint8_t *bytes, size_t len, const char *dump)
{
        unsigned byte;

        for (; sscanf(dump, "%2x", &byte) == 1; dump += 3)
                bytes[len++] = (uint8_t)byte;
        return len;
}

TEST(tick_without_a_frame_is_vehicle_command_and_a_zero)
{
        struct tick_record tick = { .vehicle = 2,
                                    .command.duty = { 0.0, 0.5, -0.0, 9.0 } };
        char expected[65], hex[65];
        uint8_t bytes[64];
        size_t len;

        len = append(bytes, 0, "02 00 00 00 ");
        len = append(bytes, len, "00 00 00 00 00 00 00 00 ");
        len = append(bytes, len, "00 00 00 00 00 00 e0 3f ");
        len = append(bytes, len, "00 00 00 00 00 00 00 80 ");
        len = append(bytes, len, "00 ");
        sha256_hex(bytes, len, expected);
        hash_one(&tick, hex);
        ck_assert_str_eq(hex, expected);
}

/* 1.0 and 2.0 as the bytes of a double. */
#define ONE "00 00 00 00 00 00 f0 3f "
#define TWO "00 00 00 00 00 00 00 40 "

TEST(frame_follows_sensor_by_sensor)
{
        struct vec3 v = { 1.0, 2.0, 1.0 };
        struct tick_record tick = { .frame_sent = true,
                                    .command.duty = { 1.0, 1.0, 1.0 } };
        struct sensor_frame *f = &tick.frame;
        char expected[65], hex[65];
        uint8_t bytes[512];
        size_t len;

        f->t_ns = 0x0102030405060708;
        f->fresh = 511;
        f->fresh_sonars = 0x8002;
        f->imu = (struct imu_sample){ 1, v, { 2.0, 2.0, 1.0 } };
        f->gps = (struct gps_sample){ 2, 1.0, 2.0, 1.0, v, 2.0, 1.0, 2.0, 9, GPS_FIX_3D };
        f->baro = (struct baro_sample){ 3, 1.0, 2.0, 7, -1 };
        f->mag = (struct mag_sample){ 4, v };
        f->sonar[1] = (struct sonar_sample){ 5, 2.0, true };
        f->sonar[2].range_m = 1.0; /* not fresh */
        f->sonar[15] = (struct sonar_sample){ 6, 1.0, false };
        f->flow = (struct flow_sample){ 7, 8, 1.0, 2.0, 2.0, 1.0, 255 };
        f->power = (struct power_sample){ 9, 1.0, 2.0, 1.0 };
        f->ins = (struct ins_sample){ 10, v, { 2.0, 2.0, 1.0 } };
        f->relative = (struct relative_sample){ 11, 1.0, 2.0, 2.0, 3, true, false };

        len = append(bytes, 0, "00 00 00 00 " ONE ONE ONE "01 ");
        len = append(bytes, len, "08 07 06 05 04 03 02 01 ff 01 00 00 ");
        len = append(bytes, len, "01 00 00 00 00 00 00 00 " ONE TWO ONE TWO TWO ONE);
        len = append(bytes, len, "02 00 00 00 00 00 00 00 " ONE TWO ONE ONE TWO ONE);
        len = append(bytes, len, TWO ONE TWO "09 00 00 00 03 00 00 00 ");
        len = append(bytes, len, "03 00 00 00 00 00 00 00 " ONE TWO);
        len = append(bytes, len, "07 00 00 00 ff ff ff ff ");
        len = append(bytes, len, "04 00 00 00 00 00 00 00 " ONE TWO ONE);
        len = append(bytes, len, "02 80 00 00 ");
        len = append(bytes, len, "05 00 00 00 00 00 00 00 " TWO "01 ");
        len = append(bytes, len, "06 00 00 00 00 00 00 00 " ONE "00 ");
        len = append(bytes, len, "07 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 ");
        len = append(bytes, len, ONE TWO TWO ONE "ff 00 00 00 ");
        len = append(bytes, len, "09 00 00 00 00 00 00 00 " ONE TWO ONE);
        len = append(bytes, len, "0a 00 00 00 00 00 00 00 " ONE TWO ONE TWO TWO ONE);
        len = append(bytes, len, "0b 00 00 00 00 00 00 00 " ONE TWO TWO);
        len = append(bytes, len, "03 00 00 00 01 00 ");
        sha256_hex(bytes, len, expected);
        hash_one(&tick, hex);
        ck_assert_str_eq(hex, expected);
}

TEST(host_time_and_truth_do_not_change_the_hash)
{
        struct tick_record tick = { .frame_sent = true };
        char before[65], after[65];

        hash_one(&tick, before);
        tick.lateness_ns = tick.compute_ns = tick.loop_ns = 12345;
        tick.truth.pos_ned_m.x = 1.0;
        tick.rotor_speed_radps[0] = 5.0;
        tick.command.duty[ROTORS] = 1.0; /* a rotor that no vehicle has */
        tick.wind_ned_mps.x = tick.battery_v = tick.height_m = tick.impact_mps = 1.0;
        tick.frame.gps.lat_rad = 1.0; /* not fresh */
        tick.frame.sonar[1].range_m = tick.frame.ins.pos_ned_m.x = 1.0;
        hash_one(&tick, after);
        ck_assert_str_eq(before, after);
}

TEST(every_part_of_the_signal_changes_the_hash)
{
        struct tick_record base = { .frame_sent = true,
                                    .frame = { .fresh = 511, .fresh_sonars = 0x8001 } };
        struct tick_record changed[40];
        char before[65], after[65];
        int n = 0;

        for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++)
                changed[i] = base;
        changed[n++].command.duty[ROTORS - 1] = -0.0;
        changed[n++].vehicle = 1;
        changed[n++].frame_sent = false;
        changed[n++].frame.t_ns = 1;
        changed[n++].frame.fresh = 15;
        changed[n++].frame.imu.accel_body_mps2.z = 5e-324;
        changed[n++].frame.imu.gyro_body_radps.z = -0.0;
        changed[n++].frame.gps.satellites = 1;
        changed[n++].frame.gps.fix = GPS_FIX_2D;
        changed[n++].frame.gps.s_acc_mps = 1.0;
        changed[n++].frame.baro.temperature_k = 1.0;
        changed[n++].frame.mag.field_body_t.z = 1e-9;
        changed[n++].frame.baro.raw_temperature = 1;
        changed[n++].frame.baro.raw_pressure = 1;
        changed[n++].frame.fresh_sonars = 0x8002; /* another one, with the same sample */
        changed[n++].frame.sonar[15].t_ns = 1;
        changed[n++].frame.sonar[15].range_m = -0.0;
        changed[n++].frame.sonar[0].echo = true;
        changed[n++].frame.flow.interval_ns = 1;
        changed[n++].frame.flow.flow_y_rad = 1.0;
        changed[n++].frame.flow.gyro_y_rad = 1.0;
        changed[n++].frame.flow.quality = 1;
        changed[n++].frame.power.voltage_v = 1.0;
        changed[n++].frame.power.current_a = 1.0;
        changed[n++].frame.power.charge_used_c = 1.0;
        changed[n++].frame.ins.pos_ned_m.z = 1.0;
        changed[n++].frame.ins.euler_rad.z = 1.0;
        hash_one(&base, before);
        for (int i = 0; i < n; i++) {
                hash_one(&changed[i], after);
                ck_assert_msg(strcmp(before, after) != 0, "change %d", i);
        }
}

TEST(order_of_the_ticks_is_part_of_the_hash)
{
        struct tick_record a = { .command.duty = { 0.1 } },
                           b = { .command.duty = { 0.2 } };
        struct signal_hash *ab = signal_hash_create(ROTORS);
        struct signal_hash *ba = signal_hash_create(ROTORS);
        char first[65], second[65];

        signal_hash_add(ab, &a);
        signal_hash_add(ab, &b);
        signal_hash_add(ba, &b);
        signal_hash_add(ba, &a);
        signal_hash_finish(ab, first);
        signal_hash_finish(ba, second);
        ck_assert_str_ne(first, second);
        ck_assert_uint_eq(strlen(first), 64);
}
