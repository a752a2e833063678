/* Conformance: the loop of sensor frames and motors, by numbers and content, without a motor that turns. */
#include "hil/conform/step.h"

#include <stdio.h>
#include <string.h>

#define SECTION_DROP "When something goes wrong"
#define FIRST_FRAMES 30 /* which tell how long an answer takes */
#define LATE_S       0.005

/* Said where it makes the steps long. */
static const char *how_late(const struct conform_talk *t, char *text, size_t cap)
{
        double answer_s = conform_talk_answer_s(t);

        text[0] = '\0';
        if (answer_s > LATE_S)
                snprintf(text, cap, ", after %.3g ms on average", 1e3 * answer_s);
        return text;
}

enum conform_is conform_answers(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        char duties[100], late[60];
        uint32_t others;

        if (!conform_begin(c, false) || !conform_fly(c, FIRST_FRAMES) ||
            !conform_fly(c, 300 - FIRST_FRAMES) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (t->heard.few > 0)
                return conform_failed(
                        c, "MOTORS (4)",
                        "count is %u (%s): it must be at least the %d outputs that the "
                        "vehicle needs, and no more than the %u of HELLO_ACK",
                        t->heard.few_motors.count,
                        conform_duties(&t->heard.few_motors, duties, sizeof duties),
                        t->rotors, t->board.rotors);
        others = t->heard.messages - t->heard.motors;
        return conform_passed(
                c, "300 frames, one answer each%s; %u message%s of its own beside",
                how_late(t, late, sizeof late), others, others == 1 ? "" : "s");
}

/* A frame of that number. */
static bool one(struct conform *c, uint32_t number)
{
        c->talk.next_number = number;
        return conform_fly(c, 1);
}

enum conform_is conform_numbers(struct conform *c)
{
        static const uint32_t numbers[] = { 4294967000U, 4294967001U, 4294967008U,
                                            4294967294U, 4294967295U, 0,
                                            1,           500,         100000 };

        if (!conform_begin(c, false))
                return CONFORM_FAILED;
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
                if (one(c, numbers[i]))
                        continue;
                return conform_failed(
                        c, SECTION_DROP,
                        "did not answer frame %u after frame %u: newer and "
                        "older go by the number modulo 2^32, and frames that "
                        "the rig skips leave gaps",
                        numbers[i], i > 0 ? numbers[i - 1] : 0);
        }
        if (!conform_answers_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "from 4294967000 over 0 to 100000, with gaps");
}

/* The same bytes twice, and an older frame: neither is answered. */
static bool drops_old(struct conform *c)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m;
        uint8_t frame[HILP_FRAME_MAX];
        size_t len;

        conform_talk_sensors(t, &m);
        conform_talk_expect(t, m.u.sensors.number);
        m.sequence = t->sequence++;
        len = hilp_write(&m, frame);
        conform_talk_bytes(t, frame, len);
        conform_talk_bytes(t, frame, len);
        if (!conform_talk_settle(t)) {
                conform_failed(c, "MOTORS (4)",
                               "did not answer a frame that was repeated");
                return false;
        }
        if (!conform_answers_fit(c))
                return false;
        m.u.sensors.number -= 5;
        conform_talk_say(t, &m);
        conform_talk_quiet(t);
        if (t->heard.twice == 0 && t->heard.strange == 0)
                return true;
        conform_failed(
                c, SECTION_DROP,
                "answered a SENSORS that was not newer than the newest: it must be "
                "dropped");
        return false;
}

enum conform_is conform_losses(struct conform *c)
{
        struct conform_talk *t = &c->talk;

        if (!conform_begin(c, false) || !conform_fly(c, 10))
                return CONFORM_FAILED;
        for (int gap = 1; gap <= 256; gap *= 4) {
                struct hilp_message lost;

                for (int i = 0; i < gap; i++) {
                        conform_talk_sensors(t, &lost);
                        t->sequence++;
                }
                t->batched = 0;
                if (!conform_fly(c, 3))
                        return CONFORM_FAILED;
        }
        if (!drops_old(c) || !conform_fly(c, 10) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "gaps of 1 to 256 frames; a repeated and an older frame "
                                 "dropped");
}

/* What a board with every sensor would be sent at rest. */
static void fill(struct hilp_sensors *s)
{
        s->gps.lat_1e7deg = 480000000;
        s->gps.lon_1e7deg = 110000000;
        s->gps.height_mm = 500000;
        s->gps.h_acc_cm = s->gps.v_acc_cm = 100;
        s->gps.fix = 3;
        s->gps.satellites = 12;
        s->baro.pressure = 9546000;
        s->baro.temperature_cdegc = 1500;
        s->mag.field[0] = 144;
        s->mag.field[2] = 290;
        s->imu.accel[2] = -2047;
        s->flow.interval_us = 20000;
        s->flow.quality = 200;
        s->power.voltage_uv = 15200000;
        s->power.current_ua = 500000;
        s->ins.pos_ned_mm[2] = -120;
}

static bool only(struct conform *c, uint16_t fresh)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m, sonars = { .type = HILP_SONARS };

        conform_talk_sensors(t, &m);
        t->batched = 0;
        fill(&m.u.sensors);
        m.u.sensors.fresh = fresh;
        if (fresh & HILP_SONAR) {
                sonars.u.sonars =
                        (struct hilp_sonars){ .number = m.u.sensors.number,
                                              .time_us = m.u.sensors.time_us,
                                              .count = 1,
                                              .sonar = { { 0, 1000, 120, 1 } } };
                conform_talk_batch(t, &sonars);
        }
        conform_talk_expect(t, m.u.sensors.number);
        conform_talk_say(t, &m);
        return conform_talk_settle(t);
}

enum conform_is conform_blocks(struct conform *c)
{
        static const char *const names[HILP_SENSOR_COUNT] = {
                "IMU",  "GPS",   "barometer", "magnetometer", "SONARS",
                "flow", "power", "INS",       "relative"
        };
        int known;

        if (!conform_begin(c, false))
                return CONFORM_FAILED;
        known = hilp_sensor_count(c->talk.board.version);
        if (!only(c, 0))
                return conform_failed(c, "SENSORS (15)",
                                      "did not answer a SENSORS without any block: each "
                                      "one is answered, whatever is in it");
        for (int i = 0; i < known; i++)
                if (!only(c, (uint16_t)(1 << i)))
                        return conform_failed(
                                c, "SENSORS (15)",
                                "did not answer a SENSORS with %s alone: a "
                                "block that it does not use is skipped, not "
                                "refused",
                                names[i]);
        for (int fresh = 0; fresh < 1 << known; fresh += 5)
                if (!only(c, (uint16_t)fresh))
                        return conform_failed(c, "SENSORS (15)",
                                              "did not answer a SENSORS with fresh = "
                                              "0x%02x: the blocks stand in the order of "
                                              "the bits, without gaps",
                                              (unsigned)fresh);
        if (!conform_fly(c, 5) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        return conform_passed(c, "none, each alone, 52 sets, all of them the last");
}

/* One sample of everything at the edges of its type. */
static bool extreme(struct conform *c, int32_t wide, int16_t narrow, uint32_t age)
{
        struct conform_talk *t = &c->talk;
        struct hilp_message m;
        struct hilp_sensors *s = &m.u.sensors;

        conform_talk_sensors(t, &m);
        t->batched = 0;
        s->fresh = 0xFF & ~HILP_SONAR;
        s->imu.age_us = (uint16_t)age;
        s->gps.age_us = s->baro.age_us = s->mag.age_us = s->flow.age_us = age;
        for (int i = 0; i < 3; i++) {
                s->imu.accel[i] = s->imu.gyro[i] = s->mag.field[i] = wide;
                s->gps.vel_ned_mmps[i] = s->ins.pos_ned_mm[i] = wide;
                s->ins.euler_urad[i] = wide;
        }
        s->gps.lat_1e7deg = s->gps.lon_1e7deg = s->gps.height_mm = wide;
        s->gps.fix = 3;
        s->baro.pressure = s->baro.raw_pressure = s->baro.raw_temperature = wide;
        s->baro.temperature_cdegc = narrow;
        s->flow.interval_us = age;
        s->flow.flow_10nrad[0] = s->flow.gyro_10nrad[1] = wide;
        s->power.voltage_uv = s->power.current_ua = s->power.charge_used_mc = wide;
        conform_talk_expect(t, s->number);
        conform_talk_say(t, &m);
        return conform_talk_settle(t);
}

enum conform_is conform_extremes(struct conform *c)
{
        static const struct {
                const char *what;
                int32_t wide;
                int16_t narrow;
                uint32_t age;
        } edges[] = { { "invalid (the most negative value)", HILP_INVALID_I32,
                        HILP_INVALID_I16, 0 },
                      { "the largest", INT32_MAX, INT16_MAX, UINT32_MAX },
                      { "the smallest", -INT32_MAX, -INT16_MAX, 0 },
                      { "zero", 0, 0, 0 } };
        struct conform_talk *t = &c->talk;

        if (!conform_begin(c, false) || !conform_fly(c, 50))
                return CONFORM_FAILED;
        for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
                for (int n = 0; n < 5; n++)
                        if (!extreme(c, edges[i].wide, edges[i].narrow, edges[i].age))
                                return conform_failed(c, "Messages",
                                                      "did not answer a SENSORS whose "
                                                      "counts are all %s: "
                                                      "such a message is possible",
                                                      edges[i].what);
        if (!conform_fly(c, 500) || !conform_answers_fit(c))
                return CONFORM_FAILED;
        if (t->heard.turning > 0)
                return conform_failed(c, "MOTORS (4)",
                                      "a motor was given a duty while disarmed, with "
                                      "counts at their edges");
        if (t->heard.acks > 0)
                return conform_failed(c, "Conversation",
                                      "it restarted on counts at their edges");
        return conform_passed(c, "all counts invalid, largest, smallest, zero; then 500 "
                                 "frames as before");
}
