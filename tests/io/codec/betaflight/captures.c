/* Betaflight 4.5.5's own words: tests/captures/betaflight.cap is cut out of a flight of betaflight_sitl.json
 * with its SITL (our capture, November 2026): from the greeting to the first frames, and from before it was
 * armed into the take-off; in between only sticks and MSP. It is played to the codec as the firmware, at the
 * times at which it was heard, and what was sent to it is what the codec sends again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/codec.h"
#include "io/le.h"
#include "tests/io/cap_file.h"
#include "tests/suites.h"

enum { SENSORS, STICKS, MOTORS, MSP, MOTORS_RAW };

static const struct codec_setup setup = {
        .period_ns = 1000000,
        .sensor_period_ns = { 1000000, 100000000, 20000000, 10000000 },
        .start_ned_m = { 0, 0, -0.06 },
        .rotors = 4,
        .motor_order = { 0, 3, 1, 2 },
};

struct replay {
        struct cap_file capture;
        struct codec *codec;
        struct fc_report report;
        struct pilot_input input;
        bool input_new;
        struct packets out; /* what the codec sent and the capture has not shown yet */
        uint32_t number;
        int frames, rests, questions, sticks;
        int news[8]; /* by bit of enum fc_news */
        int attributed;
        double duty_least, duty_most;
        char texts[400];
};

static struct vec3 vec3_at(const uint8_t *p)
{
        return (struct vec3){ le_get_f64(p), le_get_f64(p + 8), le_get_f64(p + 16) };
}

/* The samples that were sent, back from the packet. */
static struct sensor_frame samples_of(const uint8_t *p)
{
        struct sensor_frame f = { .fresh = SENSOR_BIT(SENSOR_BARO),
                                  .imu.gyro_body_radps = vec3_at(p + 8),
                                  .imu.accel_body_mps2 = vec3_at(p + 32),
                                  .pose.vel_ned_mps = vec3_at(p + 88),
                                  .pose.pos_ned_m = vec3_at(p + 112),
                                  .baro.pressure_pa = le_get_f64(p + 136) };

        f.imu.accel_body_mps2.x = -f.imu.accel_body_mps2.x;
        f.pose.q_body_to_ned = (struct quat){ le_get_f64(p + 56), le_get_f64(p + 64),
                                              le_get_f64(p + 72), le_get_f64(p + 80) };
        return f;
}

static struct packet *sent_on(struct replay *r, int channel)
{
        for (int i = 0; i < r->out.count; i++)
                if (r->out.packet[i].channel == channel)
                        return &r->out.packet[i];
        return NULL;
}

/* The codec's next packet on that channel is the one of the capture. */
static void expect_same(struct replay *r, const struct cap_record *rec)
{
        struct packet *p = sent_on(r, rec->channel);

        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq(p->len, rec->len);
        ck_assert_mem_eq(p->bytes, rec->bytes, rec->len);
        p->channel = UINT8_MAX;
}

static bool flies(const struct replay *r)
{
        return r->codec->ops->frame_every(r->codec) > 0;
}

static void take_sticks(struct replay *r, const struct cap_record *rec)
{
        for (int i = 0; i < 16; i++)
                r->input.rc_us[i] = le_get_u16(rec->bytes + 8 + 2 * i);
        r->input.setpoint.mode = r->input.rc_us[4] > 1500 ? MODE_GOTO : MODE_DISARMED;
        r->input_new = true;
        r->sticks++;
}

static void play_frame(struct replay *r, const struct cap_record *rec)
{
        struct sensor_frame f = samples_of(rec->bytes);

        r->codec->ops->encode(r->codec, r->number++, rec->t_ns, &f,
                              r->input_new ? &r->input : NULL, &r->out);
        r->input_new = false;
        expect_same(r, rec);
        r->out.count = 0;
        r->frames++;
}

/* A poll may do no more than take the next step of the start-up. */
static void poll_until_sent(struct replay *r, const struct cap_record *rec)
{
        for (int i = 0; i < 4 && sent_on(r, rec->channel) == NULL; i++) {
                if (rec->channel != MSP && flies(r))
                        return;
                r->codec->ops->poll(r->codec, rec->t_ns, &r->out);
        }
}

static void play_sent(struct replay *r, const struct cap_record *rec)
{
        poll_until_sent(r, rec);
        if (sent_on(r, rec->channel) != NULL) {
                expect_same(r, rec);
                r->questions += rec->channel == MSP;
                r->rests += rec->channel == SENSORS;
        } else if (rec->channel == STICKS) {
                take_sticks(r, rec);
        } else {
                play_frame(r, rec);
        }
}

static void note(struct replay *r)
{
        size_t len = strlen(r->texts);

        for (int bit = 0; bit < 8; bit++)
                r->news[bit] += (r->report.fresh & 1U << bit) != 0U;
        if (r->report.fresh & FC_TEXT)
                snprintf(r->texts + len, sizeof r->texts - len, "%s; ", r->report.text);
        if (r->report.fresh & FC_MOTORS) {
                r->attributed += r->report.answers_frame;
                r->duty_most = fmax(r->duty_most, r->report.motors.duty[0]);
                r->duty_least = fmin(r->duty_least, r->report.motors.duty[0]);
        }
}

static void play_heard(struct replay *r, const struct cap_record *rec)
{
        for (size_t used = 0; used < rec->len;) {
                r->report.fresh = 0;
                used += r->codec->ops->decode(r->codec, rec->channel, rec->t_ns,
                                              rec->bytes + used, rec->len - used,
                                              &r->report);
                note(r);
        }
}

TEST(betaflight_4_5_5_is_understood_and_told_the_same_again)
{
        struct replay r = { .duty_least = 1.0 };
        struct cap_record rec;

        cap_open(&r.capture, "tests/captures/betaflight.cap");
        r.codec = codec_create("betaflight", &setup);
        while (cap_next(&r.capture, &rec)) {
                if (rec.from_fc)
                        play_heard(&r, &rec);
                else
                        play_sent(&r, &rec);
        }
        ck_assert_str_eq(r.report.name, "Betaflight 4.5.5, SITL, MSP 1.46");
        ck_assert_int_gt(r.frames, 500);
        ck_assert_int_gt(r.rests, 15);
        ck_assert_int_gt(r.questions, 30);
        ck_assert_int_gt(r.sticks, 40);
        /* Motors for nine frames of ten, most of them while one frame was under way. */
        ck_assert_int_gt(10 * r.news[0], 8 * r.frames);
        ck_assert_int_le(r.news[0], r.frames + 1);
        ck_assert_int_gt(2 * r.attributed, r.frames);
        ck_assert_uint_eq(r.codec->counts.crc_errors + r.codec->counts.malformed, 0);
        ck_assert_uint_eq(r.codec->counts.bytes_skipped, 0);
        ck_assert_uint_eq(r.codec->counts.lost, 0);
        /* It could arm, was armed and left the ground: at rest 0, then idle, then more than hover. */
        ck_assert(r.report.can_arm && r.report.armed && !r.report.failsafe);
        ck_assert_double_eq(r.duty_least, 0.0);
        ck_assert_double_gt(r.duty_most, 0.5);
        ck_assert_str_eq(r.texts, "flight modes: ANGLE; ");
        ck_assert_str_eq(r.codec->ops->complaint(r.codec), "");
        r.codec->ops->destroy(r.codec);
        cap_close(&r.capture);
}
