/* What the rig says to INAV: who are you until that is answered, then sensor frames, and after each
 * of them a poll of the motors. At most one frame and one poll are under way, so that a board whose
 * serial task runs at 100 Hz is not drowned. */
#include <assert.h>
#include <stdio.h>

#include "io/codec/inav/inav.h"
#include "io/le.h"

#define ASK_AGAIN_NS 250000000
/* So many times longer than answers take, and it is lost. */
#define PATIENCE_RATIO    8
#define PATIENCE_LEAST_NS 20000000
#define PATIENCE_MOST_NS  100000000
/* Then the board is not well, or has restarted. */
#define SILENCE_NS 300000000
/* Motors asked for in the same write as a frame are those of the frame before and make the loop ring
 * (seen: at 4 Hz): this long after it. The rig polls just before each of its ticks. */
#define MOTORS_AFTER_NS 2300000
#define STATUS_NS       250000000
#define UPTIME_NS       1000000000
/* Then it goes before the motors. */
#define OVERDUE_NS 1000000000
/* It forgets channels after 200 ms (rx/msp.c, DELAY_5_HZ). */
#define RC_NS 40000000
/* So often only the switch is lowered, every 20 ms; then the simulation's end is told so often; and again from the
 * beginning. */
#define GOODBYES_BY_SWITCH 30
#define GOODBYES_BY_END    10
/* A way-point, while there is something to set or to read; and where it flies to. */
#define MISSION_NS 20000000
#define FOLLOW_NS  200000000
#define POLL_BYTES 32 /* the longest question's */

/* In the order of the greeting; then its settings, and at last how long it has been on. */
static const enum inav_command greeting[] = {
        INAV_API_VERSION, INAV_FC_VARIANT, INAV_FC_VERSION,
        INAV_BOARD_INFO,  INAV_BOXIDS,     INAV_STATUS,
};

#define GREETING ((int)(sizeof greeting / sizeof greeting[0]))
#define UPTIME   (GREETING + INAV_SETTINGS)
#define IN_VAIN  3 /* times that it is asked for a setting */

bool codec_inav_ready(const struct codec_inav *i)
{
        return i->step > UPTIME;
}

int codec_inav_question_setting(const struct codec_inav *i)
{
        return i->step >= GREETING && i->step < UPTIME ? i->step - GREETING : -1;
}

void codec_inav_pass_setting(struct codec_inav *i)
{
        i->step++;
        i->unanswered = 0;
        i->asked = false;
}

enum inav_command codec_inav_question(const struct codec_inav *i)
{
        int setting = codec_inav_question_setting(i);
        const char *name;

        if (setting >= 0)
                return codec_inav_setting(setting, &name);
        if (codec_inav_ready(i))
                return INAV_NOTHING;
        return i->step < GREETING ? greeting[i->step] : INAV_MISC2;
}

static void say(struct codec_inav *i, enum inav_command command, const uint8_t *payload,
                size_t len, struct packets *out)
{
        struct packet *p = &out->packet[out->count++];

        assert(out->count <= CODEC_PACKETS_MAX);
        p->channel = 0;
        p->len = (uint16_t)msp_request((uint16_t)command, payload, len, p->bytes);
        i->codec.counts.frames_encoded++;
}

void codec_inav_lose(struct codec_inav *i, struct inav_request *r, int64_t t_ns)
{
        if (r->command == INAV_MOTOR && !i->motors_due) {
                i->motors_due = true;
                i->motors_due_ns = t_ns;
                i->motors_frame = i->polled_frame;
        }
        r->command = INAV_NOTHING;
        i->codec.counts.lost += codec_inav_ready(i);
}

static void give_up(struct codec_inav *i, struct inav_request *r, int64_t t_ns)
{
        int64_t patience_ns = PATIENCE_RATIO * i->answer_ns;

        if (patience_ns < PATIENCE_LEAST_NS)
                patience_ns = PATIENCE_LEAST_NS;
        if (patience_ns > PATIENCE_MOST_NS || !codec_inav_ready(i))
                patience_ns = PATIENCE_MOST_NS;
        if (r->command == INAV_NOTHING || t_ns - r->sent_ns < patience_ns)
                return;
        codec_inav_lose(i, r, t_ns);
        if (codec_inav_question_setting(i) >= 0 && ++i->unanswered == IN_VAIN)
                codec_inav_pass_setting(i);
        if (codec_inav_ready(i) && t_ns - i->heard_ns >= SILENCE_NS)
                i->silent = true;
}

static enum inav_command next_extra(const struct codec_inav *i, int64_t t_ns,
                                    int64_t late_ns)
{
        if (i->v2 && t_ns - i->rc_ns >= RC_NS + late_ns)
                return INAV_SET_RAW_RC;
        if (t_ns - i->status_ns >= STATUS_NS + late_ns)
                return INAV_STATUS;
        if (t_ns - i->asked_ns >= UPTIME_NS + late_ns)
                return INAV_MISC2;
        if (i->mission.step != INAV_MISSION_OVER &&
            t_ns - i->mission_ns >= MISSION_NS + late_ns)
                return INAV_SET_WP;
        if (codec_inav_flies_mission(i) && t_ns - i->follow_ns >= FOLLOW_NS + late_ns)
                return INAV_NAV_STATUS;
        return INAV_NOTHING;
}

static enum inav_command next_poll(const struct codec_inav *i, int64_t t_ns)
{
        enum inav_command overdue;

        if (i->refused)
                return INAV_NOTHING;
        if (!codec_inav_ready(i) || i->silent) {
                if (i->asked && t_ns - i->asked_ns < ASK_AGAIN_NS)
                        return INAV_NOTHING;
                return i->silent ? INAV_MISC2 : codec_inav_question(i);
        }
        overdue = next_extra(i, t_ns, i->v2 ? RC_NS : OVERDUE_NS);
        if (overdue != INAV_NOTHING)
                return overdue;
        if (i->motors_due && t_ns >= i->motors_due_ns)
                return INAV_MOTOR;
        /* A board that has not taken the frame yet has enough to do. */
        return i->frame.command == INAV_NOTHING ? next_extra(i, t_ns, 0) : INAV_NOTHING;
}

static size_t poll_payload(struct codec_inav *i, enum inav_command command, int64_t t_ns,
                           uint8_t *payload)
{
        uint16_t rc_us[INAV_RC_CHANNELS];
        const char *name;

        if (command == INAV_SETTING_INFO) {
                codec_inav_setting(codec_inav_question_setting(i), &name);
                return (size_t)snprintf((char *)payload, POLL_BYTES, "%s", name) + 1;
        }
        if (command != INAV_SET_RAW_RC)
                return 0;
        codec_inav_rc(i, t_ns, rc_us);
        for (int channel = 0; channel < INAV_RC_CHANNELS; channel++)
                le_put_u16(payload + 2 * channel, rc_us[channel]);
        return sizeof rc_us;
}

static bool is_about_mission(enum inav_command command)
{
        return command == INAV_WP_GETINFO || command == INAV_SET_WP || command == INAV_WP;
}

static void note_poll(struct codec_inav *i, enum inav_command command, int64_t t_ns)
{
        i->poll = (struct inav_request){ command, t_ns };
        if (command == INAV_STATUS)
                i->status_ns = t_ns;
        if (is_about_mission(command))
                i->mission_ns = t_ns;
        if (command == INAV_NAV_STATUS)
                i->follow_ns = t_ns;
        if (command == INAV_SET_RAW_RC)
                i->rc_ns = t_ns;
        if (command == INAV_MISC2 || !codec_inav_ready(i)) {
                i->asked_ns = t_ns;
                i->asked = true;
        }
        if (command == INAV_MOTOR) {
                i->motors_due = false;
                i->polled_frame = i->motors_frame;
        }
}

void codec_inav_poll(struct codec *c, int64_t t_ns, struct packets *out)
{
        struct codec_inav *i = codec_inav_self(c);
        uint8_t payload[POLL_BYTES] = { 0 };
        enum inav_command command;
        size_t len;

        out->count = 0;
        give_up(i, &i->frame, t_ns);
        give_up(i, &i->poll, t_ns);
        if (i->poll.command != INAV_NOTHING)
                return;
        command = next_poll(i, t_ns);
        if (command == INAV_SET_WP)
                command = inav_mission_ask(&i->mission, payload, &len);
        else
                len = poll_payload(i, command, t_ns, payload);
        if (command == INAV_NOTHING)
                return;
        say(i, command, payload, len, out);
        note_poll(i, command, t_ns);
}

void codec_inav_encode(struct codec *c, uint32_t number, int64_t t_ns,
                       const struct sensor_frame *frame, const struct pilot_input *input,
                       struct packets *out)
{
        struct codec_inav *i = codec_inav_self(c);
        uint8_t payload[INAV_FRAME_BYTES];
        uint16_t rc_us[INAV_RC_CHANNELS];

        out->count = 0;
        if (input != NULL)
                i->input = *input;
        if (!codec_inav_ready(i) || i->silent || i->stopped ||
            i->frame.command != INAV_NOTHING)
                return;
        codec_inav_rc(i, t_ns, rc_us);
        say(i, INAV_SIMULATOR, payload, codec_inav_frame(i, frame, rc_us, payload), out);
        i->frame = (struct inav_request){ INAV_SIMULATOR, t_ns };
        i->newest = number;
        if (!i->motors_due) {
                i->motors_due = true;
                i->motors_due_ns = t_ns + MOTORS_AFTER_NS;
                i->motors_frame = number;
        }
}

/* Frames begin the simulation anew. */
static void begin_again(struct codec_inav *i)
{
        if (!i->stopped)
                return;
        i->stopped = false;
        i->arming_flags &= ~INAV_HITL;
        i->frame.command = INAV_NOTHING;
}

/* The end of the simulation disarms, in flight too, and one whose arm switch is still up arms again at once:
 * so the switch goes down first, and has time until it counts (switch_disarm_delay_ms, 250). One in a
 * fail-safe does not heed it; and one that was silent meanwhile has not seen it, so that it gets frames again when it
 * still says that it is armed. */
void codec_inav_goodbye(struct codec *c, struct packets *out)
{
        struct codec_inav *i = codec_inav_self(c);
        bool listens = codec_inav_ready(i) && !i->silent;
        bool armed = i->armed || (i->switch_on && !i->stopped);
        uint8_t payload[INAV_FRAME_BYTES];
        size_t len;

        out->count = 0;
        if (listens && armed &&
            i->goodbyes++ % (GOODBYES_BY_SWITCH + GOODBYES_BY_END) < GOODBYES_BY_SWITCH) {
                begin_again(i);
                return;
        }
        len = codec_inav_stop(i, payload);
        for (int times = 0; times < 2; times++)
                say(i, INAV_SIMULATOR, payload, len, out);
        i->frame = (struct inav_request){ INAV_SIMULATOR, i->heard_ns };
        i->stopped = true;
}
