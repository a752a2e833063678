/* PX4 1.15.4's own words: tests/captures/px4.cap is 2.25 s of a flight of px4_sitl.json, cut out of its
 * wire.cap: the first 0.15 s, 0.1 s around its name, and 2 s in which it arms and takes off. The codec
 * says what it said then, and hears what PX4 answered. */
#include <stdio.h>

#include "tests/io/cap_file.h"
#include "tests/boards/px4_pair.h"
#include "tests/suites.h"

struct replay {
        struct px4_pair p;
        int frames, motors, matched, estimates, names;
        uint64_t armed_us; /* of the first frame whose answer said so */
        uint64_t frame_us;
        char words[4][128];
        int words_count;
        double duty_max;
};

static void note_news(struct replay *r)
{
        struct fc_report *report = &r->p.report;

        if (report->fresh & FC_MOTORS) {
                r->motors++;
                r->matched += report->answered_frame == r->p.number - 1;
                if (report->armed && r->armed_us == 0)
                        r->armed_us = r->frame_us;
                for (int i = 0; i < 4; i++)
                        r->duty_max = fmax(r->duty_max, report->motors.duty[i]);
        }
        r->estimates += (report->fresh & FC_STATE) != 0;
        r->names += (report->fresh & FC_HELLO) != 0;
        if ((report->fresh & FC_TEXT) && r->words_count < 4)
                memcpy(r->words[r->words_count++], report->text, sizeof report->text);
        report->fresh = 0;
}

/* The rig's frame of that time once more. */
static void say_again(struct replay *r, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        while (used < len) {
                struct mavlink_frame frame;
                struct mavlink_hil_sensor sensor;
                enum mavlink_found found;
                size_t n = mavlink_find(bytes + used, len - used, &frame, &found);

                ck_assert_uint_gt(n, 0);
                ck_assert_int_eq(found, MAVLINK_FRAME);
                used += n;
                if (frame.id != MAVLINK_HIL_SENSOR)
                        continue;
                mavlink_unpack(&frame, mavlink_message_find(frame.id), &sensor);
                r->frames++;
                r->frame_us = sensor.time_usec;
                r->p.frame.t_ns = (int64_t)sensor.time_usec * 1000 - 4 * MS;
                pair_frame(&r->p, NULL);
                r->p.heard_count = 0;
        }
}

static void hear_again(struct replay *r, int channel, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        while (used < len) {
                used += r->p.rig->ops->decode(r->p.rig, channel, r->p.host_ns,
                                              bytes + used, len - used, &r->p.report);
                note_news(r);
        }
}

static void replay(struct replay *r)
{
        struct cap_file c;
        struct cap_record rec;

        pair_begin(&r->p, &setup_sitl);
        cap_open(&c, "tests/captures/px4.cap");
        while (cap_next(&c, &rec))
                if (rec.from_fc)
                        hear_again(r, rec.channel, rec.bytes, rec.len);
                else if (rec.channel == 0)
                        say_again(r, rec.bytes, rec.len);
        cap_close(&c);
}

TEST(every_answer_is_for_the_frame_that_was_sent)
{
        struct replay r = { .frames = 0 };

        replay(&r);
        ck_assert_int_gt(r.frames, 550);
        /* PX4's threads are not up for the first eight. */
        ck_assert_int_ge(r.motors, r.frames - 8);
        ck_assert_int_eq(r.matched, r.motors);
        ck_assert_uint_eq(r.p.rig->counts.crc_errors + r.p.rig->counts.malformed +
                                  r.p.rig->counts.bytes_skipped,
                          0);
        pair_end(&r.p);
}

TEST(who_it_is_and_that_it_can_arm_is_understood)
{
        struct replay r = { .frames = 0 };

        replay(&r);
        ck_assert_str_eq(r.p.report.name, "PX4 1.15.4 dev (99c40407)");
        ck_assert_int_eq(r.names, 2);
        ck_assert(r.p.report.can_arm);
        ck_assert_int_ge(r.estimates, 8); /* in lockstep four a second */
        ck_assert_double_lt(fabs(r.p.report.estimate.pos_ned_m.z), 3.0);
        pair_end(&r.p);
}

TEST(it_arms_and_spins_up)
{
        struct replay r = { .frames = 0 };

        replay(&r);
        ck_assert(r.p.report.armed);
        /* The command went out after the frame of 24.004 s. */
        ck_assert_uint_gt(r.armed_us, 24004000);
        ck_assert_uint_lt(r.armed_us, 24030000);
        ck_assert_int_ge(r.words_count, 1);
        ck_assert_str_eq(r.words[0], "Armed by external command");
        ck_assert_double_gt(r.duty_max, 0.04);
        ck_assert_double_lt(r.duty_max, 0.8);
        pair_end(&r.p);
}

TEST(cut_anywhere_it_does_no_harm)
{
        struct cap_file c;
        struct cap_record rec;

        cap_open(&c, "tests/captures/px4.cap");
        for (size_t cut = 1; cut < 40; cut++) {
                struct cap_file again = c;
                struct px4_pair p;

                pair_begin(&p, &setup_sitl);
                while (cap_next(&again, &rec))
                        if (rec.from_fc && rec.len > cut)
                                pair_bytes(&p, rec.channel, rec.bytes, rec.len - cut);
                ck_assert_uint_gt(p.rig->counts.crc_errors + p.rig->counts.bytes_skipped,
                                  0);
                pair_end(&p);
        }
        cap_close(&c);
}
