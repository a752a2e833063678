/* What the rig hears from Betaflight's motors: a packet of four for at most each sensor packet, and beside
 * it the same once more as pulses. Source: sitl.c, pwmCompleteMotorUpdate(). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/betaflight/betaflight.h"
#include "io/le.h"

/* Motors that stand still for so long are disarmed: armed ones idle. */
#define STOOD_NS 200000000
/* It is asked over MSP ten times a second, and would have said that it disarmed. */
#define CLOSED_NS 500000000
/* In pulses' share of 1000 us: those are cut to whole ones. */
#define RAW_MARGIN 0.0015f

uint32_t codec_betaflight_tell(struct codec_betaflight *b, const char *words,
                               struct fc_report *report)
{
        if (words[0] == '\0' || strcmp(words, b->words) == 0)
                return 0;
        snprintf(b->words, sizeof b->words, "%s", words);
        snprintf(report->text, sizeof report->text, "%s", words);
        return FC_TEXT;
}

void codec_betaflight_take_armed(struct codec_betaflight *b, int64_t t_ns, bool armed,
                                 struct fc_report *report)
{
        b->armed = armed;
        report->armed = armed;
        report->fresh |= FC_ARMING;
        report->can_arm = armed || codec_betaflight_can_arm(b, t_ns);
        report->mode = !armed                                    ? MODE_DISARMED
                       : report->failsafe                        ? MODE_LAND
                       : b->input.setpoint.mode == MODE_DISARMED ? MODE_ARMED
                                                                 : b->input.setpoint.mode;
}

/* Its MSP port does not answer any more, but something answers packets, with motors that stand still. */
static uint32_t take_restart(struct codec_betaflight *b, struct fc_report *report)
{
        codec_betaflight_start_over(b);
        b->armed = b->was_armed = false;
        report->armed = report->can_arm = false;
        report->mode = MODE_DISARMED;
        snprintf(report->text, sizeof report->text,
                 "flight controller restarted: its motors stopped and its MSP port has "
                 "closed");
        return FC_TEXT;
}

/* Armed or not, by the motors. */
static uint32_t judge_motors(struct codec_betaflight *b, int64_t t_ns,
                             struct fc_report *report)
{
        bool stand = !b->turning && t_ns - b->stood_ns >= STOOD_NS;
        bool was = b->armed;

        if (b->msp_heard && b->armed && stand && t_ns - b->msp_heard_ns > CLOSED_NS)
                return take_restart(b, report);
        if (codec_betaflight_msp_answers(b, t_ns))
                return 0;
        codec_betaflight_take_armed(b, t_ns, b->turning || (b->armed && !stand), report);
        if (was && !b->armed && codec_betaflight_wanted(b))
                return codec_betaflight_tell(
                        b, "its motors stopped: it disarmed by itself, or was restarted",
                        report);
        return 0;
}

static void note_turning(struct codec_betaflight *b, int64_t t_ns,
                         const struct fc_report *report)
{
        bool turning = false;

        for (int rotor = 0; rotor < b->setup.rotors; rotor++)
                turning |= report->motors.duty[rotor] > 0.0;
        if (b->turning && !turning)
                b->stood_ns = t_ns;
        b->turning = turning;
}

static bool is_servo(const float value[BETAFLIGHT_OUTPUTS])
{
        for (int i = 0; i < BETAFLIGHT_OUTPUTS; i++)
                if (!(fabsf(value[i]) <= 2.0f))
                        return false;
        return true;
}

/* It sends at most one for each sensor packet. Which one it answers is known only while a single one
 * is under way. */
static void note_answer(struct codec_betaflight *b, struct fc_report *report)
{
        report->answers_frame = b->under_way == 1 && !b->untaken;
        report->answered_frame = b->newest;
        b->under_way = 0;
}

uint32_t codec_betaflight_take_servo(struct codec_betaflight *b, int64_t t_ns,
                                     const uint8_t *bytes, size_t len,
                                     struct fc_report *report)
{
        float *value = b->servo[b->servos % BETAFLIGHT_RECENT];
        /* Whatever the packet's order, the rig has motors 2, 3, 4, 1. */
        int first = b->dialect == BETAFLIGHT_2026_6 ? 1 : 0;

        if (len != BETAFLIGHT_SERVO_BYTES) {
                b->codec.counts.malformed++;
                return 0;
        }
        for (int i = 0; i < BETAFLIGHT_OUTPUTS; i++)
                value[i] = le_get_f32(bytes + 4 * ((i + first) % BETAFLIGHT_OUTPUTS));
        if (!is_servo(value)) {
                b->codec.counts.malformed++;
                return 0;
        }
        b->codec.counts.frames_decoded++;
        b->servos = b->servos == INT32_MAX ? BETAFLIGHT_RECENT : b->servos + 1;
        b->motors_heard = b->motors_heard == INT32_MAX ? 1 : b->motors_heard + 1;
        if (b->phase != BETAFLIGHT_READY || b->every == 0)
                return 0;
        memset(&report->motors, 0, sizeof report->motors);
        for (int rotor = 0; rotor < b->setup.rotors; rotor++)
                report->motors.duty[rotor] =
                        fmin(fmax(value[b->setup.motor_order[rotor]], 0.0), 1.0);
        note_answer(b, report);
        note_turning(b, t_ns, report);
        return FC_MOTORS | judge_motors(b, t_ns, report);
}

/* A raw packet has motors 1 to 4. */
static bool agree(const uint8_t *raw, const float servo[BETAFLIGHT_OUTPUTS])
{
        for (int i = 0; i < BETAFLIGHT_OUTPUTS; i++) {
                float us = le_get_f32(raw + 4 + 4 * ((i + 1) % BETAFLIGHT_OUTPUTS));

                if (!(fabsf(0.001f * (us - 1000.0f) - servo[i]) <= RAW_MARGIN))
                        return false;
        }
        return true;
}

/* Goes out with the other one; over another socket, so that either may come first or be lost. */
uint32_t codec_betaflight_take_raw(struct codec_betaflight *b, const uint8_t *bytes,
                                   size_t len, struct fc_report *report)
{
        int recent = b->servos < BETAFLIGHT_RECENT ? b->servos : BETAFLIGHT_RECENT;

        if (len != BETAFLIGHT_RAW_BYTES) {
                b->codec.counts.malformed++;
                return 0;
        }
        b->codec.counts.frames_decoded++;
        for (int i = 0; i < recent; i++)
                if (agree(bytes, b->servo[i]))
                        return 0;
        b->codec.counts.malformed++;
        if (b->raw_differ_told || b->phase != BETAFLIGHT_READY)
                return 0;
        b->raw_differ_told = true;
        return codec_betaflight_tell(
                b, "motors on its port 9001 are not those on port 9002", report);
}
