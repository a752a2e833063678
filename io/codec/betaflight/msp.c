/* Betaflight's MSP port: who it is, why it will not arm, whether it is armed, its attitude. The rig flies
 * without it too, and knows less. Source: src/main/msp/msp.c of 4.5.6, 2025.12.5 and 2026.6.2. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/betaflight/betaflight.h"
#include "io/le.h"

#define HUNG_NS         1000000000 /* a control loop that has not run by then never will */
#define RAD_PER_DECIDEG 1.7453292519943296e-3
#define AGAIN_NS        500000000 /* for an answer */
#define STATUS_NS       100000000
#define ATTITUDE_NS     100000000
#define SILENT_NS       1500000000
#define IN_VAIN         3 /* times that it is asked for a setting */
/* Grace ends 5 s after its start, or never (seen once in twelve starts). */
#define GRACE_NS 10000000000

/* In the order of the greeting. */
static const enum betaflight_command greeting[] = {
        BETAFLIGHT_API_VERSION, BETAFLIGHT_FC_VARIANT, BETAFLIGHT_FC_VERSION,
        BETAFLIGHT_BOARD_INFO,  BETAFLIGHT_BOXIDS,     BETAFLIGHT_STATUS_EX,
};

#define GREETING ((int)(sizeof greeting / sizeof greeting[0]))

bool codec_betaflight_knows_who(const struct codec_betaflight *b)
{
        return b->step == GREETING + codec_betaflight_settings();
}

/* It was or will be asked for the setting of that index; below 0: it is being greeted. */
static int setting_of(const struct codec_betaflight *b)
{
        return b->step - GREETING;
}

static void pass_setting(struct codec_betaflight *b)
{
        b->step++;
        b->unanswered = 0;
}

bool codec_betaflight_msp_answers(const struct codec_betaflight *b, int64_t t_ns)
{
        return b->msp_heard && t_ns - b->msp_heard_ns < SILENT_NS;
}

static void ask(struct codec_betaflight *b, enum betaflight_command command,
                struct packets *out)
{
        struct packet *p = &out->packet[out->count++];

        assert(out->count <= CODEC_PACKETS_MAX);
        p->channel = BETAFLIGHT_MSP;
        p->len = (uint16_t)msp_request((uint16_t)command, NULL, 0, p->bytes);
        b->codec.counts.frames_encoded++;
}

void codec_betaflight_ask_status(struct codec_betaflight *b, struct packets *out)
{
        ask(b, BETAFLIGHT_STATUS_EX, out);
}

static enum betaflight_command next_question(const struct codec_betaflight *b,
                                             int64_t t_ns)
{
        if (b->step < GREETING)
                return greeting[b->step];
        if (!codec_betaflight_knows_who(b))
                return codec_betaflight_setting(setting_of(b));
        if (t_ns - b->status_ns >= STATUS_NS)
                return BETAFLIGHT_STATUS_EX;
        if (b->phase == BETAFLIGHT_READY && t_ns - b->attitude_ns >= ATTITUDE_NS)
                return BETAFLIGHT_ATTITUDE;
        return BETAFLIGHT_NOTHING;
}

/* One question at a time. */
void codec_betaflight_ask(struct codec_betaflight *b, int64_t t_ns, struct packets *out)
{
        enum betaflight_command next;

        if (b->asked != BETAFLIGHT_NOTHING && t_ns - b->asked_ns < AGAIN_NS)
                return;
        if (b->asked != BETAFLIGHT_NOTHING && b->msp_heard)
                b->codec.counts.lost++;
        if (b->asked != BETAFLIGHT_NOTHING && setting_of(b) >= 0 &&
            !codec_betaflight_knows_who(b) && ++b->unanswered == IN_VAIN)
                pass_setting(b);
        b->asked = BETAFLIGHT_NOTHING;
        next = next_question(b, t_ns);
        if (next == BETAFLIGHT_NOTHING || t_ns < b->ask_after_ns)
                return;
        ask(b, next, out);
        b->asked = next;
        b->asked_ns = t_ns;
        if (next == BETAFLIGHT_STATUS_EX)
                b->status_ns = t_ns;
        if (next == BETAFLIGHT_ATTITUDE)
                b->attitude_ns = t_ns;
}

static uint32_t malformed(struct codec_betaflight *b)
{
        b->codec.counts.malformed++;
        return 0;
}

static uint32_t take_variant(struct codec_betaflight *b, const struct msp_frame *m)
{
        char variant[8];

        codec_copy_words(variant, sizeof variant, m->payload, m->len);
        b->refusal[0] = '\0';
        if (strcmp(variant, "BTFL") != 0)
                snprintf(b->refusal, sizeof b->refusal,
                         "the firmware is %s, not Betaflight", variant);
        else
                b->step++;
        return 0;
}

/* 4.5.6, or 25.12.5 for 2025.12.5. What is newer than the dialects is taken for the last one. */
static enum betaflight_dialect dialect_of(int major, int minor)
{
        if (major <= 4)
                return BETAFLIGHT_4_5;
        return major < 26 || (major == 26 && minor < 6) ? BETAFLIGHT_2025_12
                                                        : BETAFLIGHT_2026_6;
}

static uint32_t take_version(struct codec_betaflight *b, const struct msp_frame *m)
{
        enum betaflight_dialect fits;
        int major, minor;

        if (m->len < 3)
                return malformed(b);
        memcpy(b->version, m->payload, sizeof b->version);
        major = b->version[0];
        minor = b->version[1];
        fits = dialect_of(major, minor);
        b->refusal[0] = '\0';
        if (major < 4 || (major == 4 && minor < 5))
                snprintf(
                        b->refusal, sizeof b->refusal,
                        "Betaflight %d.%d.%d takes other packets: 4.5 or later is needed",
                        major, minor, b->version[2]);
        else if (fits != b->dialect)
                snprintf(b->refusal, sizeof b->refusal,
                         "the firmware is Betaflight %d.%d.%d: fc.dialect must be \"%s\"",
                         major + (major > 4 ? 2000 : 0), minor, b->version[2],
                         codec_betaflight_dialects[fits]);
        else
                b->step++;
        return 0;
}

/* "Betaflight 4.5.6, SITL, MSP 1.46": the target's name if it is told, else the board's four letters. */
static uint32_t take_board(struct codec_betaflight *b, const struct msp_frame *m,
                           struct fc_report *report)
{
        char board[32];

        if (m->len < 4)
                return malformed(b);
        codec_copy_words(board, sizeof board, m->payload, 4);
        if (m->len > 9 && 9 + m->payload[8] <= m->len && m->payload[8] > 0)
                codec_copy_words(board, sizeof board, m->payload + 9, m->payload[8]);
        snprintf(report->name, sizeof report->name, "Betaflight %d.%d.%d, %s, MSP %d.%d",
                 b->version[0] + (b->version[0] > 4 ? 2000 : 0), b->version[1],
                 b->version[2], board, b->api[0], b->api[1]);
        b->step++;
        return FC_HELLO;
}

/* Why it does not do as it is asked, or how it flies. */
static uint32_t tell_status(struct codec_betaflight *b, bool was, uint64_t boxes_before,
                            struct fc_report *report)
{
        char words[sizeof b->words];

        if (b->stuck)
                return codec_betaflight_tell(
                        b,
                        "its start-up never ends (boot grace): its scheduler hangs; end "
                        "it and start it again",
                        report);
        if (was && !b->armed && codec_betaflight_wanted(b))
                return codec_betaflight_tell(b, "it disarmed by itself", report);
        if (codec_betaflight_wanted(b) && !b->armed && codec_betaflight_blocks(b) != 0) {
                codec_betaflight_blockers(b, words, sizeof words);
                return codec_betaflight_tell(b, words, report);
        }
        if (b->box_flags == boxes_before)
                return 0;
        codec_betaflight_modes(b, words, sizeof words);
        return codec_betaflight_tell(b, words, report);
}

/* Bytes 6 to 9 and so many more as byte 15 says. */
static uint64_t box_flags(const struct msp_frame *m, int more)
{
        uint64_t flags = le_get_u32(m->payload + 6);

        for (int i = 0; i < more && i < 4; i++)
                flags |= (uint64_t)m->payload[16 + i] << (32 + 8 * i);
        return flags;
}

/* It tells how long its last control loop took: 0 of one that has never run, and will not (seen: its scheduler waits for
 * a window that it passed by between its first two looks). */
static void refuse_hung(struct codec_betaflight *b, int64_t t_ns, uint16_t loop_us)
{
        bool starts = b->phase == BETAFLIGHT_STARTING && t_ns - b->since_ns > HUNG_NS;

        if (loop_us == 0 && (starts || b->phase == BETAFLIGHT_HUNG))
                snprintf(
                        b->refusal, sizeof b->refusal,
                        "Betaflight's control loop never ran: its scheduler hangs, as in "
                        "some starts; end it and start it again");
}

static uint32_t take_status(struct codec_betaflight *b, int64_t t_ns,
                            const struct msp_frame *m, struct fc_report *report)
{
        int more = m->len > 15 ? m->payload[15] & 0x0F : 0;
        uint64_t boxes_before = b->box_flags;
        bool was = b->armed;

        if (m->len < 21 + more)
                return malformed(b);
        b->box_flags = box_flags(m, more);
        b->arming_flags_count = m->payload[16 + more];
        b->arming_flags = le_get_u32(m->payload + 17 + more);
        b->status_known = true;
        refuse_hung(b, t_ns, le_get_u16(m->payload));
        b->stuck = b->phase == BETAFLIGHT_READY && t_ns - b->since_ns > GRACE_NS &&
                   (b->arming_flags & BETAFLIGHT_BOOTGRACE) != 0;
        report->failsafe = codec_betaflight_box(b, BETAFLIGHT_BOX_FAILSAFE);
        codec_betaflight_take_armed(b, t_ns, codec_betaflight_box(b, BETAFLIGHT_BOX_ARM),
                                    report);
        if (b->step < GREETING) {
                b->step++;
                return 0;
        }
        return b->phase == BETAFLIGHT_READY ? tell_status(b, was, boxes_before, report)
                                            : 0;
}

/* Pitch is nose down; 0.1 degrees, of yaw whole degrees. */
static uint32_t take_attitude(struct codec_betaflight *b, const struct msp_frame *m,
                              struct fc_report *report)
{
        int16_t value[3];

        if (m->len < 6)
                return malformed(b);
        for (int axis = 0; axis < 3; axis++)
                value[axis] = (int16_t)le_get_u16(m->payload + 2 * axis);
        /* Position and velocity are not told. */
        report->estimate = (struct fc_estimate){
                .pos_ned_m = { NAN, NAN, NAN },
                .vel_ned_mps = { NAN, NAN, NAN },
                .q_body_to_ned = quat_from_euler(RAD_PER_DECIDEG * value[0],
                                                 -RAD_PER_DECIDEG * value[1],
                                                 10.0 * RAD_PER_DECIDEG * value[2]),
        };
        return FC_STATE;
}

static uint32_t take_answer(struct codec_betaflight *b, int64_t t_ns,
                            const struct msp_frame *m, struct fc_report *report)
{
        switch (m->command) {
        case BETAFLIGHT_API_VERSION:
                if (m->len < 3)
                        return malformed(b);
                memcpy(b->api, m->payload + 1, sizeof b->api);
                b->step++;
                return 0;
        case BETAFLIGHT_FC_VARIANT:
                return take_variant(b, m);
        case BETAFLIGHT_FC_VERSION:
                return take_version(b, m);
        case BETAFLIGHT_BOARD_INFO:
                return take_board(b, m, report);
        case BETAFLIGHT_BOXIDS:
                b->boxes = m->len < BETAFLIGHT_BOXES_MAX ? m->len : BETAFLIGHT_BOXES_MAX;
                memcpy(b->box_id, m->payload, (size_t)b->boxes);
                b->step++;
                return 0;
        case BETAFLIGHT_STATUS_EX:
                return take_status(b, t_ns, m, report);
        case BETAFLIGHT_ATTITUDE:
                return take_attitude(b, m, report);
        default:
                codec_betaflight_judge_setting(b, setting_of(b), m);
                pass_setting(b);
                return 0;
        }
}

uint32_t codec_betaflight_take_msp(struct codec_betaflight *b, int64_t t_ns,
                                   const struct msp_frame *m, struct fc_report *report)
{
        int step = b->step;
        bool answers = m->command == b->asked && b->asked != BETAFLIGHT_NOTHING;
        uint32_t news;

        if (m->kind == MSP_REQUEST) {
                b->echo_heard = true; /* the rig's own, come back */
                return malformed(b);
        }
        b->codec.counts.frames_decoded++;
        b->msp_heard = true;
        b->msp_heard_ns = t_ns;
        if (answers)
                b->asked = BETAFLIGHT_NOTHING;
        if (m->kind == MSP_ERROR) {
                if (answers && setting_of(b) >= 0 && !codec_betaflight_knows_who(b))
                        pass_setting(b);
                return 0;
        }
        /* The one after goodbye is not waited for, and is told as well. */
        if (!answers && !(m->command == BETAFLIGHT_STATUS_EX && b->status_known))
                return 0;
        news = take_answer(b, t_ns, m, report);
        report->refused = b->refusal[0] != '\0';
        if (report->refused)
                news |= codec_betaflight_tell(b, b->refusal, report);
        if (answers && !codec_betaflight_knows_who(b) && b->step == step) {
                /* Not what it should be: asked again, but not at once. */
                b->ask_after_ns = t_ns + AGAIN_NS;
        }
        return news;
}
