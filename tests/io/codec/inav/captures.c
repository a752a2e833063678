/* INAV 9.1.0's own words: tests/captures/inav.cap is the first 8 s of a flight of inav_sitl.json with its
 * SITL (our capture, November 2026), from the greeting into the take-off. It is played to the codec as the
 * board, at the times at which it was heard, and what was sent to it is what the codec sends again. */
#include <stdio.h>
#include <stdlib.h>

#include "io/codec/codec.h"
#include "io/le.h"
#include "io/codec/msp.h"
#include "tests/io/cap_file.h"
#include "tests/suites.h"

#define DEG 0.017453292519943295

static const struct codec_setup setup = {
        .period_ns = 1000000,
        .sensor_period_ns = { 1000000, 100000000, 20000000, 10000000, 0, 0, 100000000 },
        .rotors = 4,
        .motor_order = { 1, 0, 2, 3 },
};

struct replay {
        struct cap_file capture;
        struct codec *codec;
        struct fc_report report;
        struct sensor_frame frame;
        uint32_t number;
        int asked[4], frames, polls, same;
        int news[8]; /* by bit of enum fc_news */
        double duty_least, duty_most;
};

static int16_t i16(const uint8_t *p)
{
        return (int16_t)le_get_u16(p);
}

static int32_t i32(const uint8_t *p)
{
        return (int32_t)le_get_u32(p);
}

/* The samples that were sent, back from version 3's offsets. */
static void samples_of(const uint8_t *p, struct sensor_frame *f)
{
        f->fresh = p[1] & 1 << 4 ? SENSOR_BIT(SENSOR_GPS) : 0;
        f->gps.fix = p[3] == 2 ? GPS_FIX_3D : p[3] == 1 ? GPS_FIX_2D : GPS_NO_FIX;
        f->gps.satellites = p[4];
        f->gps.lat_rad = i32(p + 5) * 1e-7 * DEG;
        f->gps.lon_rad = i32(p + 9) * 1e-7 * DEG;
        f->gps.height_m = i32(p + 13) * 0.01;
        f->gps.vel_ned_mps = (struct vec3){ i16(p + 21) * 0.01, i16(p + 23) * 0.01,
                                            i16(p + 25) * 0.01 };
        f->imu.accel_body_mps2 =
                (struct vec3){ i16(p + 33) * 9.80665e-3, -i16(p + 35) * 9.80665e-3,
                               -i16(p + 37) * 9.80665e-3 };
        f->imu.gyro_body_radps =
                (struct vec3){ i16(p + 39) * DEG / 16, -i16(p + 41) * DEG / 16,
                               -i16(p + 43) * DEG / 16 };
        f->baro.pressure_pa = i32(p + 45);
        f->mag.field_body_t = (struct vec3){ i16(p + 49), -i16(p + 51), -i16(p + 53) };
        f->power.voltage_v = p[55] * 0.1;
        f->power.current_a = le_get_u16(p + 60) * 0.1;
}

/* Of the same samples the same bytes, but for course and ground speed, which were rounded before, and
 * the sticks, which the pilot gave. */
static void expect_same_frame(struct replay *r, const uint8_t *sent, const uint8_t *again)
{
        ck_assert_mem_eq(sent, again, 17);
        ck_assert_mem_eq(sent + 21, again + 21, 49 - 21);
        for (int axis = 0; axis < 3; axis++)
                ck_assert_int_le(
                        abs(i16(sent + 49 + 2 * axis) - i16(again + 49 + 2 * axis)), 2);
        ck_assert_mem_eq(sent + 55, again + 55, 62 - 55);
        r->same++;
}

static void play_request(struct replay *r, const struct cap_record *rec)
{
        uint16_t command = le_get_u16(rec->bytes + 4);
        struct packets out = { 0 };

        if (command == 0x201F) {
                samples_of(rec->bytes + 8, &r->frame);
                r->frame.t_ns = rec->t_ns;
                r->codec->ops->encode(r->codec, r->number++, rec->t_ns, &r->frame, NULL,
                                      &out);
                r->frames++;
        } else {
                r->codec->ops->poll(r->codec, rec->t_ns, &out);
                r->polls++;
        }
        ck_assert_int_eq(out.count, 1);
        ck_assert_uint_eq(le_get_u16(out.packet[0].bytes + 4), command);
        ck_assert_uint_eq(out.packet[0].len, rec->len);
        if (command == 0x201F)
                expect_same_frame(r, rec->bytes + 8, out.packet[0].bytes + 8);
        else
                ck_assert_mem_eq(out.packet[0].bytes, rec->bytes, rec->len);
}

static void play_answer(struct replay *r, const struct cap_record *rec)
{
        for (size_t used = 0; used < rec->len;) {
                r->report.fresh = 0;
                used += r->codec->ops->decode(r->codec, 0, rec->t_ns, rec->bytes + used,
                                              rec->len - used, &r->report);
                for (int bit = 0; bit < 8; bit++)
                        r->news[bit] += (r->report.fresh & 1U << bit) != 0U;
                if (r->report.fresh & FC_MOTORS) {
                        r->duty_most = fmax(r->duty_most, r->report.motors.duty[0]);
                        r->duty_least = fmin(r->duty_least, r->report.motors.duty[0]);
                }
        }
}

TEST(inav_9_1_is_understood_and_asked_the_same_again)
{
        struct replay r = { .duty_least = 1.0 };
        struct cap_record rec;
        struct vec3 euler;

        cap_open(&r.capture, "tests/captures/inav.cap");
        r.codec = codec_create("inav", &setup);
        while (cap_next(&r.capture, &rec)) {
                if (rec.from_fc)
                        play_answer(&r, &rec);
                else
                        play_request(&r, &rec);
        }
        ck_assert_str_eq(r.report.name, "INAV 9.1.0, SITL, MSP 2.5");
        ck_assert_int_gt(r.frames, 1000);
        ck_assert_int_eq(r.same, r.frames);
        /* Each frame's motors, but where the machine was late. */
        ck_assert_int_ge(r.news[0], r.frames - 4);
        ck_assert_int_gt(r.news[2], 200);
        ck_assert_uint_eq(r.codec->counts.crc_errors + r.codec->counts.malformed, 0);
        ck_assert_uint_eq(r.codec->counts.bytes_skipped, 0);
        ck_assert_uint_eq(r.codec->counts.frames_decoded, (uint64_t)(r.frames + r.polls));
        /* It could arm, was armed and left the ground: at rest 0, then idle, then more than hover. */
        ck_assert(r.report.can_arm && r.report.armed && !r.report.failsafe);
        ck_assert_double_eq(r.duty_least, 0.0);
        ck_assert_double_gt(r.duty_most, 0.5);
        ck_assert_str_eq(r.codec->ops->complaint(r.codec), "");
        euler = quat_to_euler(r.report.estimate.q_body_to_ned);
        ck_assert_double_lt(fabs(euler.x) + fabs(euler.y), 10 * DEG);
        r.codec->ops->destroy(r.codec);
        cap_close(&r.capture);
}
