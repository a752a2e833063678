/* A board in the same program, at the other end of a wire whose clock the test moves: the reference flight
 * controller, whole or with one mistake of the kind that a firmware's author makes. */
#pragma once

#include "tests/boards/conform_say.h"

static inline void spoil_duties(struct conform_board *b, struct hilp_motors *m)
{
        double mean = 0.0;

        for (int i = 0; i < m->count; i++)
                mean += m->duty[i] / (double)m->count;
        for (int i = 0; i < m->count && m->flags & HILP_ARMED; i++) {
                if (b->mistake == FLAT)
                        m->duty[i] = 3000;
                if (b->mistake == BLIND)
                        m->duty[i] = (uint16_t)mean;
                if (b->mistake == STAYS_POISONED && b->poisoned)
                        m->duty[i] = 20000;
                if (b->mistake == UNSEEDED) {
                        b->noise = b->noise * 1664525U + 1013904223U;
                        m->duty[i] = (uint16_t)(m->duty[i] ^ b->noise >> 31);
                }
        }
        if (b->mistake == ONE_AXIS && m->flags & HILP_ARMED)
                m->duty[1] = m->duty[3] = (uint16_t)mean;
        if (b->mistake == IDLES_DISARMED && !(m->flags & HILP_ARMED))
                m->duty[2] = 3000;
        if (b->mistake == TWITCHES && b->poisoned)
                m->duty[0] = 500;
}

static inline void board_motors(struct conform_board *b, const struct motor_command *c)
{
        struct hilp_message m = { .type = HILP_MOTORS };
        struct hilp_motors *motors = &m.u.motors;
        bool armed = fc_armed(&b->fc) || b->armed_for_good;

        if (b->mistake == ARMS_ALONE)
                armed = true;
        motors->answers = b->board.newest_frame + (b->mistake == ANSWERS_NEXT);
        motors->flags =
                (uint8_t)((armed ? HILP_ARMED : 0) |
                          (b->fc.failsafe && b->mistake != FAILSAFE_MUTE ? HILP_FAILSAFE
                                                                         : 0));
        motors->mode =
                (uint8_t)(armed && fc_mode(&b->fc) == MODE_DISARMED ? MODE_ARMED
                                                                    : fc_mode(&b->fc));
        if (b->mistake == MODE_STUCK)
                motors->mode = HILP_MODE_DISARMED;
        motors->count = 4;
        for (int i = 0; i < 4; i++)
                motors->duty[i] = (uint16_t)(c->duty[i] * 65535.0 + 0.5);
        spoil_duties(b, motors);
        if (b->mistake == COUNT_SHORT)
                motors->count = 3;
        board_say(b, &m);
        if (b->mistake == ANSWERS_TWICE)
                board_say(b, &m);
        if (b->mistake == STATE_SWAPPED) {
                m = (struct hilp_message){ .type = HILP_STATE };
                m.u.state.q_1e4[0] = 10000;
                board_say(b, &m);
        }
}

/* ---- In */

static inline void board_start(struct conform_board *b)
{
        bool keeps = (b->mistake == HELLO_KEEPS_ARMED && fc_armed(&b->fc)) ||
                     (b->mistake == AIR_KEEPS_HELLO && fc_mode(&b->fc) == MODE_GOTO);
        struct motor_command none = { { 0.0 } };

        b->armed_for_good = keeps;
        b->asked_to_arm = b->poisoned = false;
        b->frame_ns = 0;
        fc_init(&b->fc, &b->params);
        if (b->mistake == REMEMBERS_NUMBERS) {
                b->board.frame_seen = b->newest > 0;
                b->board.newest_frame = b->newest;
        }
        if (b->mistake == SPEAKS_FIRST)
                board_motors(b, &none);
}

static inline void board_input(struct conform_board *b, struct pilot_input *input)
{
        bool arms = input->setpoint.mode != MODE_DISARMED;

        if (b->mistake == NEVER_ARMS)
                return;
        if (!arms)
                b->armed_for_good = false;
        if (b->mistake == REARMS)
                b->fc.mission.must_disarm = false;
        if (b->mistake == LATCHED_FOR_GOOD && b->fc.mission.must_disarm)
                return;
        if (b->mistake == STAYS_ARMED && !arms && fc_armed(&b->fc))
                return;
        if (b->mistake == AIR_KEEPS_MODE && !arms && fc_mode(&b->fc) == MODE_GOTO)
                return;
        if (b->mistake == TOGGLES && arms) {
                b->asked_to_arm = !b->asked_to_arm || !fc_armed(&b->fc);
                if (!b->asked_to_arm)
                        input->setpoint.mode = MODE_DISARMED;
        }
        fc_input(&b->fc, input);
}

static inline void exchange(double *a, double *b)
{
        double held = *a;

        *a = *b;
        *b = held;
}

/* An IMU or a magnetometer that is mounted in another way. */
static inline void board_feel(const struct conform_board *b, struct sensor_frame *f)
{
        if (b->mistake == GYRO_X_FLIPPED)
                f->imu.gyro_body_radps.x *= -1.0;
        if (b->mistake == GYRO_Z_FLIPPED)
                f->imu.gyro_body_radps.z *= -1.0;
        if (b->mistake == ACCEL_Y_FLIPPED)
                f->imu.accel_body_mps2.y *= -1.0;
        if (b->mistake == HEADING_FLIPPED)
                f->mag.field_body_t.y *= -1.0;
        if (b->mistake == AXES_EXCHANGED) {
                exchange(&f->imu.gyro_body_radps.x, &f->imu.gyro_body_radps.y);
                exchange(&f->imu.accel_body_mps2.x, &f->imu.accel_body_mps2.y);
                f->imu.accel_body_mps2.x *= -1.0;
                f->imu.accel_body_mps2.y *= -1.0;
        }
}

/* Motors that are plugged in elsewhere. */
static inline void board_wire(const struct conform_board *b, struct motor_command *c)
{
        if (b->mistake == OUTPUTS_EXCHANGED)
                exchange(&c->duty[0], &c->duty[1]);
        if (b->mistake == OUTPUTS_TURNED) {
                exchange(&c->duty[0], &c->duty[2]);
                exchange(&c->duty[1], &c->duty[3]);
        }
}

static inline void board_sensors(struct conform_board *b, const struct sensor_frame *f)
{
        struct motor_command command = { { 0.0 } };
        struct sensor_frame seen = *f;
        bool invalid =
                (f->fresh & SENSOR_BIT(SENSOR_IMU)) && isnan(f->imu.accel_body_mps2.x);

        if (b->mistake == IMU_ALONE && !(f->fresh & SENSOR_BIT(SENSOR_IMU)))
                return;
        b->busy_ns = b->now_ns + (b->mistake == LATE ? 300000000 : 3300000);
        b->poisoned |= invalid;
        b->newest = b->board.newest_frame;
        b->frame_ns = b->silent_ns = b->now_ns;
        if (b->mistake == SUMS_AXES) {
                seen.imu.gyro_body_radps.x += f->imu.gyro_body_radps.y;
                seen.imu.accel_body_mps2.y -= f->imu.accel_body_mps2.x;
                seen.imu.gyro_body_radps.y = seen.imu.accel_body_mps2.x = 0.0;
        }
        board_feel(b, &seen);
        fc_step(&b->fc, &b->params, &seen, &command);
        board_wire(b, &command);
        board_motors(b, &command);
}

static inline void board_news(struct conform_board *b, const struct hilp_board_news *news)
{
        struct hilp_message m = { .type = HILP_OPTION_ACK };
        struct pilot_input input = news->input;

        if (news->out_len > 0)
                board_relay(b, news->out, news->out_len);
        switch (news->event) {
        case HILP_BOARD_HELLO:
                board_start(b);
                break;
        case HILP_BOARD_INPUT:
                board_input(b, &input);
                break;
        case HILP_BOARD_SENSORS:
                board_sensors(b, &news->sensors);
                break;
        case HILP_BOARD_GOODBYE:
                if (b->mistake != IGNORES_GOODBYE &&
                    (b->mistake != AIR_KEEPS_GOODBYE || fc_mode(&b->fc) != MODE_GOTO))
                        fc_init(&b->fc, &b->params);
                break;
        case HILP_BOARD_OPTION:
                memcpy(m.u.option_ack.key, news->option.key, sizeof m.u.option_ack.key);
                if (b->mistake == OPTION_OTHER_KEY)
                        m.u.option_ack.key[0] = 'x';
                m.u.option_ack.accepted = b->mistake == OPTION_ALWAYS;
                board_say(b, &m);
                break;
        default:
                break;
        }
}

/* A payload as the board takes it: with a frame number that it thinks is newer, or of a length that it
 * does not look at. */
static inline void board_payload(struct conform_board *b, uint8_t *payload, size_t len)
{
        uint8_t frame[HILP_FRAME_MAX];
        struct hilp_board_news news;
        struct hilp_message m;
        bool fits = hilp_decode(&m, payload, len) != 0;
        size_t n, used = 0;

        if (b->mistake == ANY_LENGTH && !fits && payload[0] == HILP_SENSORS &&
            len >= 16) {
                payload[14] = payload[15] = 0;
                len = 16;
        }
        if (b->mistake == FALLS_OVER_UNKNOWN && payload[0] > HILP_TYPE_MAX)
                hilp_board_init(&b->board, "board", 4, 1, 78);
        if (b->mistake == READS_SWAPPED &&
            (payload[0] == HILP_SENSORS || payload[0] == HILP_SONARS))
                swap_bytes(payload + 2, 4, 1);
        if (b->mistake == NO_WRAP && fits && m.type == HILP_SENSORS &&
            b->board.frame_seen && m.u.sensors.number < b->board.newest_frame)
                return;
        if (b->mistake == ANSWERS_OLD && fits && m.type == HILP_SENSORS) {
                memset(&b->board.heard, 0, sizeof b->board.heard);
                b->board.frame_seen = false;
        }
        n = hilp_frame_encode(payload, len, frame);
        while (used < n) {
                used += hilp_board_receive(&b->board, frame + used, n - used,
                                           (uint64_t)b->now_ns / 1000, &news);
                board_news(b, &news);
        }
}

/* Undoes the stuffing of what stands between two zeros. Returns its length; 0: it cannot be undone. */
static inline size_t unstuff(const uint8_t *in, size_t len, uint8_t *out)
{
        size_t n = 0;

        for (size_t at = 0; at < len;) {
                size_t end = at + in[at];

                if (in[at] == 0 || end > len)
                        return 0;
                for (at++; at < end; at++)
                        out[n++] = in[at];
                if (end < len)
                        out[n++] = 0;
        }
        return n;
}

static inline void board_frame(struct conform_board *b)
{
        uint8_t body[2 * HILP_FRAME_MAX];
        size_t n = b->in_len < HILP_FRAME_MAX ? unstuff(b->in, b->in_len, body) : 0;

        if (b->mistake == LOSES_SYNC && b->in_len >= HILP_FRAME_MAX)
                b->lost_sync = true;
        b->in_len = 0;
        if (n < 3 || b->lost_sync)
                return;
        if (b->mistake != NO_CRC_CHECK &&
            crc_of(b->mistake, body, n - 2) != (body[n - 2] | body[n - 1] << 8))
                return;
        board_payload(b, body, n - 2);
}

/* Of SLOW: what it has time for. */
static inline void board_work(struct conform_board *b)
{
        size_t used = 0;

        while (used < b->waits && b->now_ns >= b->busy_ns) {
                uint8_t byte = b->waiting[used++];

                if (byte == 0)
                        board_frame(b);
                else if (b->in_len < sizeof b->in)
                        b->in[b->in_len++] = byte;
        }
        b->waits -= used;
        memmove(b->waiting, b->waiting + used, b->waits);
}

static inline void board_take(struct conform_board *b, const uint8_t *bytes, size_t len)
{
        if (b->mistake == ECHOES)
                board_put(b, bytes, len);
        if (b->mistake == BABBLES)
                board_put(b, (const uint8_t *)"hello, this is a shell\r\n", 24);
        if (b->mistake == HANGS_UP)
                b->wire.gone = true;
        if (b->mistake == ECHOES || b->mistake == BABBLES || b->mistake == SILENT)
                return;
        if (b->mistake == SLOW || b->mistake == LATE || b->mistake == LATE_HOST ||
            b->mistake == BUSY_HOST) {
                ck_assert_uint_le(b->waits + len, BOARD_QUEUE);
                memcpy(b->waiting + b->waits, bytes, len);
                b->waits += len;
                board_work(b);
                return;
        }
        for (size_t i = 0; i < len; i++) {
                if (bytes[i] == 0)
                        board_frame(b);
                else if (b->in_len < sizeof b->in)
                        b->in[b->in_len++] = bytes[i];
        }
}

static inline void board_starve(struct conform_board *b)
{
        struct motor_command command;

        if (b->mistake == NO_FAILSAFE ||
            (b->mistake == FAILSAFE_ON_GROUND && fc_mode(&b->fc) == MODE_GOTO))
                return;
        if (b->mistake == FAILSAFE_FLAG) {
                b->fc.failsafe = fc_armed(&b->fc);
                command = b->fc.command;
        } else {
                fc_silence(&b->fc, &b->params, (double)(b->now_ns - b->silent_ns) * 1e-9,
                           &command);
        }
        if (b->fc.failsafe)
                board_motors(b, &command);
}

/* The board's own clock runs on when no frame comes; in lockstep it stands still, or should. */
static inline void board_idle(struct conform_board *b)
{
        bool stands = hilp_board_lockstep(&b->board) &&
                      b->mistake != LOCKSTEP_TIMES_OUT && b->mistake != LOCKSTEP_TALKS;
        struct motor_command none = { { 0.0 } };

        if (!b->board.ready || stands || b->frame_ns == 0 ||
            b->now_ns - b->silent_ns < 20000000)
                return;
        if (b->mistake == LOCKSTEP_TIMES_OUT && hilp_board_lockstep(&b->board))
                fc_silence(&b->fc, &b->params, (double)(b->now_ns - b->silent_ns) * 1e-9,
                           &none);
        else if (b->mistake != LOCKSTEP_TALKS || !hilp_board_lockstep(&b->board))
                board_starve(b);
        else if (fc_armed(&b->fc) && b->now_ns - b->frame_ns > 500000000)
                board_motors(b, &none);
        b->silent_ns = b->now_ns;
}

/* ---- The wire */

static inline int64_t board_now(struct conform_wire *w)
{
        return ((struct conform_board *)w)->now_ns;
}

static inline int64_t board_starved(struct conform_wire *w)
{
        struct conform_board *b = (struct conform_board *)w;

        return b->mistake == BUSY_HOST ? b->now_ns : 0;
}

/* A write takes 20 us. */
static inline bool board_write(struct conform_wire *w, const uint8_t *bytes, size_t len)
{
        struct conform_board *b = (struct conform_board *)w;

        b->now_ns += b->mistake == THIN_LINE ? (int64_t)len * 86806 : 20000;
        if (!w->gone)
                board_take(b, bytes, len);
        return !w->gone;
}

static inline size_t board_read(struct conform_wire *w, uint8_t *bytes, size_t cap,
                                int64_t until_ns)
{
        struct conform_board *b = (struct conform_board *)w;
        size_t n;

        while (b->out_at == b->out_len && b->now_ns < until_ns && !w->gone) {
                int64_t step_ns = until_ns - b->now_ns;

                b->now_ns += step_ns < 1000000 ? step_ns : 1000000;
                board_work(b);
                board_idle(b);
        }
        if (b->mistake == LATE_HOST && b->now_ns - b->woke_ns > 100000000)
                b->woke_ns = b->now_ns = b->now_ns + 60000000;
        n = b->out_len - b->out_at < cap ? b->out_len - b->out_at : cap;
        memcpy(bytes, b->out + b->out_at, n);
        b->out_at += n;
        return n;
}

static inline void board_open(struct conform_board *b, enum mistake mistake)
{
        static const struct conform_wire_ops ops = { board_now, board_write, board_read,
                                                     board_starved };
        struct config_error why;

        memset(b, 0, sizeof *b);
        b->wire.ops = &ops;
        b->mistake = mistake;
        b->now_ns = 1000000000;
        b->noise = 12345;
        ck_assert_msg(config_read_fc(&b->params,
                                     "rig_configs/flight_controllers/md4_200.json", &why),
                      "%s", why.text);
        hilp_board_init(&b->board, "board", 4, 1, 77);
        fc_init(&b->fc, &b->params);
}
