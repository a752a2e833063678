/* What the rig hears from INAV. Each take returns the news that it put into the report. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/inav/inav.h"
#include "io/le.h"

#define RAD_PER_DECIDEG 1.7453292519943296e-3
#define START_UP_S      6 /* frames before that leave its calibration unfinished (seen) */
#define STATE_EVERY     5
#define MOTORS          8
/* Its microseconds are 32 bits, so that it is on for 0 s again after 4294 s. */
#define UPTIME_WRAP_S 4290

static uint32_t malformed(struct codec_inav *i)
{
        i->codec.counts.malformed++;
        return 0;
}

/* The words are said when they are new. */
static uint32_t tell(struct codec_inav *i, const char *words, struct fc_report *report)
{
        if (words[0] == '\0' || strcmp(words, i->words) == 0)
                return 0;
        snprintf(i->words, sizeof i->words, "%s", words);
        snprintf(report->text, sizeof report->text, "%s", words);
        return FC_TEXT;
}

static uint32_t take_restart(struct codec_inav *i, const char *how,
                             struct fc_report *report)
{
        codec_inav_start_over(i);
        report->armed = false;
        report->can_arm = false;
        snprintf(report->text, sizeof report->text, "flight controller %s", how);
        return FC_TEXT;
}

static void take_armed(struct codec_inav *i, bool armed, struct fc_report *report)
{
        i->armed = armed;
        report->armed = armed;
        report->fresh |= FC_ARMING;
        report->can_arm = armed || codec_inav_can_arm(i);
        report->failsafe = codec_inav_box(i, INAV_BOX_FAILSAFE);
        report->mode = !armed                                    ? MODE_DISARMED
                       : codec_inav_box(i, INAV_BOX_RETURN)      ? MODE_RETURN
                       : report->failsafe                        ? MODE_LAND
                       : i->input.setpoint.mode == MODE_DISARMED ? MODE_ARMED
                                                                 : i->input.setpoint.mode;
}

/* Its own attitude: pitch is nose down, the angles in 0.1 degrees. */
static uint32_t take_simulator(struct codec_inav *i, const struct msp_frame *m,
                               struct fc_report *report)
{
        int16_t decideg[3];

        if (m->len < 19)
                return malformed(i);
        i->frame.command = INAV_NOTHING;
        i->frame_answered = true;
        take_armed(i, (m->payload[8] & 0x40) != 0, report);
        if (i->frames_to_state-- > 0)
                return 0;
        i->frames_to_state = STATE_EVERY - 1;
        for (int axis = 0; axis < 3; axis++)
                decideg[axis] = (int16_t)le_get_u16(m->payload + 13 + 2 * axis);
        /* Position and velocity are not told. */
        report->estimate = (struct fc_estimate){
                .pos_ned_m = { NAN, NAN, NAN },
                .vel_ned_mps = { NAN, NAN, NAN },
                .q_body_to_ned = quat_from_euler(RAD_PER_DECIDEG * decideg[0],
                                                 -RAD_PER_DECIDEG * decideg[1],
                                                 RAD_PER_DECIDEG * decideg[2]),
        };
        return FC_STATE;
}

static uint32_t take_motors(struct codec_inav *i, const struct msp_frame *m,
                            struct fc_report *report)
{
        if (m->len != 2 * MOTORS)
                return malformed(i);
        if (!i->frame_answered)
                return 0;
        memset(&report->motors, 0, sizeof report->motors);
        for (int rotor = 0; rotor < i->setup.rotors; rotor++) {
                int us = le_get_u16(m->payload + 2 * i->setup.motor_order[rotor]);

                report->motors.duty[rotor] = us <= 1000   ? 0.0
                                             : us >= 2000 ? 1.0
                                                          : (us - 1000) / 1000.0;
        }
        report->answers_frame = true;
        report->answered_frame = i->polled_frame;
        return FC_MOTORS;
}

/* Why it does not do as it is asked, or how it flies. */
static uint32_t tell_status(struct codec_inav *i, uint64_t boxes_before,
                            struct fc_report *report)
{
        bool wanted = codec_inav_wanted(i);
        char words[sizeof i->words];

        if (wanted && i->was_armed && !i->armed)
                return tell(i, "it disarmed by itself", report);
        if (wanted && !i->armed && !codec_inav_can_arm(i)) {
                codec_inav_blockers(i->arming_flags, words, sizeof words);
                return tell(i, words, report);
        }
        if (i->box_flags == boxes_before)
                return 0;
        codec_inav_modes(i, words, sizeof words);
        return tell(i, words, report);
}

static uint32_t take_status(struct codec_inav *i, const struct msp_frame *m,
                            struct fc_report *report)
{
        uint32_t flags, before = i->arming_flags;
        uint64_t boxes_before = i->box_flags;

        if (m->len < 13 + 8)
                return malformed(i);
        flags = le_get_u32(m->payload + 9);
        /* They are forgotten by nothing but a restart, and the end of the simulation. */
        if (i->status_known && !i->stopped &&
            before & ~flags & (INAV_WAS_EVER_ARMED | INAV_HITL))
                return take_restart(i, "restarted: it forgot what it did", report);
        report->flown =
                report->flown || (!i->status_ever && (flags & INAV_WAS_EVER_ARMED) != 0);
        i->status_ever = true;
        i->arming_flags = flags;
        i->status_known = true;
        i->box_flags = le_get_u64(m->payload + 13);
        take_armed(i, (flags & INAV_ARMED) != 0, report);
        return codec_inav_ready(i) ? tell_status(i, boxes_before, report) : 0;
}

/* Of the greeting the last question, again until it has been on for long enough. */
static uint32_t take_uptime(struct codec_inav *i, const struct msp_frame *m,
                            struct fc_report *report)
{
        uint32_t before_s = i->uptime_s;
        bool known = i->uptime_known;

        if (m->len < 4)
                return malformed(i);
        i->uptime_s = le_get_u32(m->payload);
        i->uptime_known = true;
        i->silent = false;
        if (known && i->uptime_s < before_s && before_s < UPTIME_WRAP_S)
                return take_restart(i, "restarted: its uptime went back", report);
        if (codec_inav_question(i) == INAV_MISC2 && i->uptime_s >= START_UP_S)
                i->step++;
        return 0;
}

static uint32_t take_variant(struct codec_inav *i, const struct msp_frame *m)
{
        codec_copy_words(i->variant, sizeof i->variant, m->payload, m->len);
        i->refusal[0] = '\0';
        if (strcmp(i->variant, "INAV") != 0)
                snprintf(i->refusal, sizeof i->refusal,
                         "the board's firmware is %s, not INAV", i->variant);
        else
                i->step++;
        return 0;
}

/* "INAV 9.1.0, SITL, MSP 2.5": the target's name if it is told, else the board's four letters. */
static uint32_t take_board(struct codec_inav *i, const struct msp_frame *m,
                           struct fc_report *report)
{
        char board[32];

        if (m->len < 4)
                return malformed(i);
        codec_copy_words(board, sizeof board, m->payload, 4);
        if (m->len > 9 && 9 + m->payload[8] <= m->len && m->payload[8] > 0)
                codec_copy_words(board, sizeof board, m->payload + 9, m->payload[8]);
        snprintf(report->name, sizeof report->name, "INAV %d.%d.%d, %s, MSP %d.%d",
                 i->version[0], i->version[1], i->version[2], board, i->api[0],
                 i->api[1]);
        i->step++;
        return FC_HELLO;
}

static uint32_t take_boxids(struct codec_inav *i, const struct msp_frame *m)
{
        i->boxes = m->len < INAV_BOXES_MAX ? m->len : INAV_BOXES_MAX;
        memcpy(i->box_id, m->payload, (size_t)i->boxes);
        i->step++;
        return 0;
}

bool codec_inav_has_v3(const struct codec_inav *i)
{
        return i->version[0] > 9 || (i->version[0] == 9 && i->version[1] >= 1);
}

/* What has MSP_SIMULATOR version 3 still takes version 2. */
static uint32_t take_firmware_version(struct codec_inav *i, const struct msp_frame *m)
{
        if (m->len < 3)
                return malformed(i);
        memcpy(i->version, m->payload, sizeof i->version);
        i->refusal[0] = '\0';
        if (!i->v2 && !codec_inav_has_v3(i))
                snprintf(i->refusal, sizeof i->refusal,
                         "INAV %d.%d.%d has MSP_SIMULATOR version 2 alone: set "
                         "fc.dialect to \"v2\"",
                         i->version[0], i->version[1], i->version[2]);
        else
                i->step++;
        return 0;
}

/* The answer to the greeting's question. */
static uint32_t take_greeting(struct codec_inav *i, const struct msp_frame *m,
                              struct fc_report *report)
{
        uint32_t news;

        switch (m->command) {
        case INAV_API_VERSION:
                if (m->len < 3)
                        return malformed(i);
                memcpy(i->api, m->payload + 1, sizeof i->api);
                i->greeted_ns = i->heard_ns;
                i->step++;
                return 0;
        case INAV_FC_VARIANT:
                return take_variant(i, m);
        case INAV_FC_VERSION:
                return take_firmware_version(i, m);
        case INAV_BOARD_INFO:
                return take_board(i, m, report);
        case INAV_BOXIDS:
                return take_boxids(i, m);
        case INAV_STATUS:
                news = take_status(i, m, report);
                i->step += i->status_known;
                return news;
        case INAV_MISC2:
                return take_uptime(i, m, report);
        default:
                i->refusal[0] = '\0';
                codec_inav_judge_setting(i, codec_inav_question_setting(i), m);
                if (i->refusal[0] == '\0')
                        codec_inav_pass_setting(i);
                return 0;
        }
}

/* One that does not tell how long it has been on is taken for started when it first answered. */
static void do_without_uptime(struct codec_inav *i)
{
        i->silent = false;
        if (codec_inav_question(i) == INAV_MISC2 &&
            i->heard_ns - i->greeted_ns >= START_UP_S * 1000000000LL)
                i->step++;
}

static uint32_t take_refusal(struct codec_inav *i, const struct msp_frame *m,
                             struct fc_report *report)
{
        bool told = i->refused;

        if (m->command == INAV_MISC2)
                do_without_uptime(i);
        else if (codec_inav_question_setting(i) >= 0)
                codec_inav_pass_setting(i);
        else if (m->command != INAV_SIMULATOR && !codec_inav_ready(i))
                snprintf(i->refusal, sizeof i->refusal,
                         "the board does not know MSP command %d: is it INAV?",
                         m->command);
        if (m->command != INAV_SIMULATOR)
                return 0;
        codec_inav_start_over(i);
        i->refused = true;
        snprintf(i->refusal, sizeof i->refusal,
                 "INAV %d.%d.%d refuses MSP_SIMULATOR version %d: set fc.dialect to "
                 "\"%s\", or use a build that has it",
                 i->version[0], i->version[1], i->version[2], i->v2 ? 2 : 3,
                 i->v2 ? "v3" : "v2");
        if (told)
                return 0;
        snprintf(report->text, sizeof report->text, "%s", i->refusal);
        return FC_TEXT;
}

/* Its fence and its rally points stay with the rig: INAV takes none over these messages. */
static uint32_t take_mission(struct codec_inav *i, const struct msp_frame *m,
                             struct fc_report *report)
{
        const struct mission_plan *plan = i->setup.mission;
        bool whole = plan->list[MISSION_LIST_FENCE].count == 0 &&
                     plan->list[MISSION_LIST_RALLY].count == 0;

        inav_mission_take(&i->mission, m);
        if (i->mission.progress.transfer != MISSION_HELD)
                return 0;
        snprintf(report->text, sizeof report->text,
                 "holds the mission's %d items as %d way-points%s",
                 i->mission.progress.total, i->mission.count,
                 whole ? "" : "; its fence and rally points are not given to it");
        return FC_TEXT;
}

static uint32_t follow_mission(struct codec_inav *i, const struct msp_frame *m,
                               struct fc_report *report)
{
        if (!inav_mission_follow(&i->mission, m))
                return 0;
        mission_name_reached(&i->mission.progress, report->text, sizeof report->text);
        return FC_TEXT;
}

static uint32_t take_answer(struct codec_inav *i, const struct msp_frame *m,
                            struct fc_report *report)
{
        i->poll.command = INAV_NOTHING;
        if (i->mission.step != INAV_MISSION_OVER && codec_inav_ready(i) &&
            (m->command == INAV_WP_GETINFO || m->command == INAV_SET_WP ||
             m->command == INAV_WP))
                return take_mission(i, m, report);
        if (m->kind == MSP_ERROR)
                return take_refusal(i, m, report);
        if (!codec_inav_ready(i)) {
                /* The next question at once, but for one that is repeated. */
                int step = i->step;
                uint32_t news = take_greeting(i, m, report);

                if (i->step != step)
                        i->asked = false;
                return news;
        }
        switch (m->command) {
        case INAV_MOTOR:
                return take_motors(i, m, report);
        case INAV_STATUS:
                return take_status(i, m, report);
        case INAV_MISC2:
                return take_uptime(i, m, report);
        case INAV_NAV_STATUS:
                return follow_mission(i, m, report);
        default:
                return 0;
        }
}

/* How long it took; and since it answers in order: of what was asked before, the answer is lost. */
static void note_answer(struct codec_inav *i, struct inav_request *other,
                        const struct inav_request *answered, int64_t t_ns)
{
        i->answer_ns += (t_ns - answered->sent_ns - i->answer_ns) / 16;
        if (other->command != INAV_NOTHING && other->sent_ns < answered->sent_ns)
                codec_inav_lose(i, other, t_ns);
}

uint32_t codec_inav_take(struct codec_inav *i, int64_t t_ns, const struct msp_frame *m,
                         struct fc_report *report)
{
        if (m->kind == MSP_REQUEST) {
                /* The rig's own, come back. */
                i->echo_heard = true;
                return malformed(i);
        }
        i->message_heard = true;
        i->heard_ns = t_ns;
        i->codec.counts.frames_decoded++;
        if (m->command == INAV_SIMULATOR) {
                if (i->frame.command == INAV_NOTHING)
                        return 0; /* given up, or the answer to goodbye */
                note_answer(i, &i->poll, &i->frame, t_ns);
                /* Of a version that it does not have: nothing comes back (9.0.1). */
                if (m->kind == MSP_ERROR || m->len == 0)
                        return take_refusal(i, m, report);
                return take_simulator(i, m, report);
        }
        if (i->poll.command == INAV_NOTHING || m->command != i->poll.command)
                return 0; /* given up, or from a conversation before */
        note_answer(i, &i->frame, &i->poll, t_ns);
        return take_answer(i, m, report);
}
