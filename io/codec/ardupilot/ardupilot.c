/* ArduPilot's firmware as a process, with its simulator's model "JSON": the exchange of servo pulses and
 * sensor text, in which each packet of the firmware is answered once and never twice. A second answer
 * would wait in its socket and make every later one a frame late, for ever. */
#include "io/codec/ardupilot/ardupilot.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"

/* It says its packet again after a second of its silence. Earlier after an answer, the two have
 * crossed. */
#define REPEAT_NS 500000000

/* No output that drives a motor says more; 0 is said by one that is not set up yet. */
#define PULSE_MAX_US 3000
#define OUTPUTS_MAX  32 /* of one packet */

static void start_over(struct codec_ardupilot *a)
{
        a->heard = false;
        a->asked = false;
        a->replied = false;
        a->turning = false;
        memset(&a->pilot, 0, sizeof a->pilot);
        memset(&a->status, 0, sizeof a->status);
        memset(&a->mission, 0, sizeof a->mission);
}

/* Motor outputs are pulses of MOT_PWM_MIN to MOT_PWM_MAX, by default 1000 to 2000 us (AP_Motors). */
static double duty(uint16_t pulse_us)
{
        if (pulse_us <= 1000)
                return 0.0;
        return pulse_us >= 2000 ? 1.0 : (pulse_us - 1000) * 1e-3;
}

bool codec_ardupilot_sound(struct codec_ardupilot *a, const uint16_t *pulse_us,
                           int outputs)
{
        bool sound = a->outputs <= outputs;

        for (int i = 0; i < a->setup.rotors && sound; i++)
                sound = pulse_us[a->setup.motor_order[i]] <= PULSE_MAX_US;
        a->codec.counts.malformed += !sound;
        return sound;
}

void codec_ardupilot_take_pulses(struct codec_ardupilot *a, const uint16_t *pulse_us,
                                 struct fc_report *report)
{
        memset(&report->motors, 0, sizeof report->motors);
        a->turning = false;
        for (int i = 0; i < a->setup.rotors; i++) {
                report->motors.duty[i] = duty(pulse_us[a->setup.motor_order[i]]);
                a->turning |= report->motors.duty[i] > 0.0;
        }
        codec_ardupilot_tell(a, report);
}

/* The same packet again: it has no answer, or has one that it had not seen yet. In lockstep the tick's
 * answer counts as given, so that the next tick makes up for it. */
static uint32_t take_repeat(struct codec_ardupilot *a, int64_t t_ns,
                            struct fc_report *report)
{
        if (!a->replied || t_ns - a->reply_ns < REPEAT_NS)
                return 0;
        a->asked = true;
        a->replied = false;
        if (!a->setup.lockstep)
                return 0;
        report->answers_frame = true;
        report->answered_frame = a->reply_number;
        return FC_MOTORS;
}

uint32_t codec_ardupilot_begin_anew(struct codec_ardupilot *a, struct fc_report *report)
{
        start_over(a);
        a->restarted = true;
        a->based = false;
        codec_ardupilot_tell(a, report);
        snprintf(report->text, sizeof report->text, "flight controller restarted");
        return FC_TEXT;
}

/* Its frames count those that were answered since its start. */
#define FLOWN_FRAMES 1000

static uint32_t take_servos(struct codec_ardupilot *a, int64_t t_ns, uint32_t count,
                            const uint16_t *pulse_us, struct fc_report *report)
{
        uint32_t news = FC_MOTORS;

        if (!a->status.heard)
                news |= FC_ARMING; /* by its motors */
        if (a->heard && count == a->count)
                return take_repeat(a, t_ns, report);
        if (a->heard && (int32_t)(count - a->count) < 0) {
                news = codec_ardupilot_begin_anew(a, report);
                a->heard = a->asked = true;
                a->count = count;
                return news;
        }
        if (a->heard)
                codec_count_gap(&a->codec.counts, count - a->count - 1);
        else
                a->restarted = false;
        report->flown = report->flown || (!a->ever_heard && count > FLOWN_FRAMES);
        a->ever_heard = true;
        if (!a->heard && report->name[0] == '\0') {
                snprintf(report->name, sizeof report->name, "ArduPilot SITL");
                news |= FC_HELLO;
        }
        codec_ardupilot_take_pulses(a, pulse_us, report);
        report->answers_frame = a->replied;
        report->answered_frame = a->reply_number;
        a->heard = a->asked = true;
        a->replied = false;
        a->count = count;
        return news;
}

static uint32_t take_packet(struct codec_ardupilot *a, int64_t t_ns, const uint8_t *bytes,
                            int outputs, struct fc_report *report)
{
        uint16_t pulse_us[OUTPUTS_MAX];

        for (int i = 0; i < outputs; i++)
                pulse_us[i] = le_get_u16(bytes + 8 + 2 * i);
        return codec_ardupilot_sound(a, pulse_us, outputs)
                       ? take_servos(a, t_ns, le_get_u32(bytes + 4), pulse_us, report)
                       : 0;
}

static size_t whole_length(const uint8_t *bytes, size_t len)
{
        if (len < 2)
                return 0;
        if (le_get_u16(bytes) == ARDUPILOT_MAGIC_16)
                return ARDUPILOT_BYTES_16;
        return le_get_u16(bytes) == ARDUPILOT_MAGIC_32 ? ARDUPILOT_BYTES_32 : 0;
}

/* A datagram is a packet; whatever is not one is skipped. */
static size_t take_datagram(struct codec_ardupilot *a, int64_t t_ns, const uint8_t *bytes,
                            size_t len, struct fc_report *report)
{
        uint32_t news = 0;
        size_t used = 0;

        while (used < len && news == 0) {
                size_t whole = whole_length(bytes + used, len - used);

                if (whole == 0 || whole > len - used) {
                        a->codec.counts.malformed += whole != 0;
                        a->codec.counts.bytes_skipped++;
                        used++;
                        continue;
                }
                a->codec.counts.frames_decoded++;
                news = take_packet(a, t_ns, bytes + used,
                                   whole == ARDUPILOT_BYTES_16 ? 16 : OUTPUTS_MAX,
                                   report);
                used += whole;
        }
        report->fresh |= news;
        return used;
}

static size_t decode(struct codec *c, int channel, int64_t t_ns, const uint8_t *bytes,
                     size_t len, struct fc_report *report)
{
        struct codec_ardupilot *a = codec_ardupilot_self(c);

        if (a->shipped || channel == ARDUPILOT_CONSOLE)
                return codec_ardupilot_listen(a, bytes, len, report);
        return take_datagram(a, t_ns, bytes, len, report);
}

static void poll(struct codec *c, int64_t t_ns, struct packets *out)
{
        (void)t_ns;
        out->count = 0;
        codec_ardupilot_self(c)->restarted = false;
}

/* The firmware's clock counts whole microseconds and goes on by the difference of two stamps, rounded down
 * (recv_fdm: time_now_us += deltat * 1.0e6). The ten picoseconds more in each period keep a difference
 * that is exact from being a microsecond less. */
static void stamp(struct codec_ardupilot *a, int64_t t_ns)
{
        int64_t period_ns = a->setup.period_ns;

        if (!a->based || t_ns <= a->base_ns) {
                a->based = true;
                a->base_ns = t_ns - period_ns;
        }
        t_ns -= a->base_ns;
        a->stamp_ps = (uint64_t)t_ns * 1000 + (uint64_t)(t_ns / period_ns) * 10;
}

static void put_frame(struct codec_ardupilot *a, uint32_t number, struct packets *out)
{
        struct packet *p = &out->packet[out->count++];

        p->channel = ARDUPILOT_SENSORS;
        p->len = (uint16_t)codec_ardupilot_text(a, number, &a->last, (char *)p->bytes);
        assert(p->len <= PACKET_MAX);
        a->codec.counts.frames_encoded++;
}

static int frame_every(const struct codec *c)
{
        const struct codec_ardupilot *a = (const struct codec_ardupilot *)c;
        bool heard = a->shipped ? a->status.heard : a->heard;

        return heard && !a->restarted ? 1 : 0;
}

/* What it is told on the console comes before the answer: it waits for that, so it finds both at the same
 * tick, whatever the host does. */
static void encode(struct codec *c, uint32_t number, int64_t t_ns,
                   const struct sensor_frame *frame, const struct pilot_input *input,
                   struct packets *out)
{
        struct codec_ardupilot *a = codec_ardupilot_self(c);

        out->count = 0;
        if (input != NULL) {
                a->input = *input;
                a->have_input = true;
        }
        if (frame_every(c) == 0 || (!a->shipped && !a->setup.lockstep && !a->asked))
                return;
        a->last = *frame;
        stamp(a, frame->t_ns);
        codec_ardupilot_fly(a, frame->t_ns, out);
        if (a->shipped)
                return;
        put_frame(a, a->count + 1, out);
        a->asked = false;
        a->replied = true;
        a->reply_ns = t_ns;
        a->reply_number = number;
}

static const struct mission_progress *mission(const struct codec *c)
{
        return &((const struct codec_ardupilot *)c)->mission.progress;
}

static void goodbye(struct codec *c, struct packets *out)
{
        struct codec_ardupilot *a = codec_ardupilot_self(c);

        out->count = 0;
        if (a->status.heard)
                codec_ardupilot_disarm(a, out);
}

static void restart(struct codec *c)
{
        struct codec_ardupilot *a = codec_ardupilot_self(c);

        start_over(a);
        a->restarted = false;
        memset(&a->stream, 0, sizeof a->stream);
}

static const char *complaint(const struct codec *c)
{
        const struct codec_ardupilot *a = (const struct codec_ardupilot *)c;
        const struct ardupilot_status *s = &a->status;

        if (a->shipped && !s->heard)
                return a->codec.counts.frames_decoded > 0
                               ? "MAVLink is heard, but no heartbeat of ArduPilot"
                               : "no heartbeat of ArduPilot is heard: is this its "
                                 "MAVLink (SERIALn_PROTOCOL 2), and has it the sensors "
                                 "that it waits for?";
        if (!a->shipped && !a->heard)
                return "ArduPilot has not asked for a sensor frame yet: is it running "
                       "with "
                       "--model JSON:127.0.0.1, and does its first port wait for its "
                       "console (5760)?";
        if (s->wrong[0] != '\0')
                return s->wrong;
        if (a->mission.progress.transfer == MISSION_FAILED)
                return a->mission.progress.why;
        if (!s->heard || s->armed)
                return "";
        if (s->ekf_words[0] != '\0')
                return s->ekf_words;
        if (a->setup.mission != NULL && a->mission.progress.transfer != MISSION_HELD)
                return "it has not been given the whole mission yet";
        if (s->health_heard && !s->health_ready)
                return s->refusal[0] != '\0' ? s->refusal
                                             : "its checks before arming have not passed";
        return "";
}

static void destroy(struct codec *c)
{
        free(c);
}

static const char *const dialects[] = { "guided", "sticks", "shipped", "shipped_sticks",
                                        NULL };
static const char *const commanded[] = { "guided", NULL };
static const char *const shipped[] = { "shipped", "shipped_sticks", NULL };

static const struct codec_channel channels[] = {
        { .name = "sensors" },
        { .name = "console",
          .optional = true,
          .without = "it is flown by RC alone, and what it says is not heard",
          .needed_by = commanded },
};

static const char *const repeats_when[] = {
        "LOG_BACKEND_TYPE 0 and --speedup 100 (the rig reads both and tells)",
        "an empty working folder, or the same eeprom.bin, for each flight",
        "--start-time, so that its GPS time does not depend on the day",
        NULL,
};

static const struct codec_carries carries = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE,
                [SAMPLE_GYRO] = CARRIES_VALUE,
                [SAMPLE_SONAR] = CARRIES_VALUE,
                [SAMPLE_VOLTAGE] = CARRIES_VALUE,
                [SAMPLE_CURRENT] = CARRIES_VALUE,
        },
        .sonars = ARDUPILOT_SONARS_MAX,
        .rc = ARDUPILOT_RC_MAX,
};

/* What is shipped takes its sensors from ports. */
static const struct codec_carries nothing = { .rc = 0 };

const struct codec_ops codec_ardupilot_ops = {
        .name = "ardupilot",
        .new_each_flight = true,
        .channels = sizeof channels / sizeof channels[0],
        .channel = channels,
        .dialects = dialects,
        .realtime_dialects = shipped,
        .shipped_dialects = shipped,
        .carries = { &carries, NULL, &nothing },
        .frame_names = codec_ardupilot_frame_names,
        .frame_find = codec_ardupilot_frame_find,
        .frame_every = frame_every,
        .poll = poll,
        .repeats_when = repeats_when,
        .period_max_ns = 1000000000 / 720, /* 1.8 times its main loop */
        .encode = encode,
        .decode = decode,
        .mission = mission,
        .goodbye = goodbye,
        .restart = restart,
        .complaint = complaint,
        .destroy = destroy,
};

struct codec *codec_ardupilot_create(const struct codec_setup *setup)
{
        struct codec_ardupilot *a = calloc(1, sizeof *a);

        if (a == NULL)
                return NULL;
        assert(setup->rotors >= 1 && setup->rotors <= ROTORS_MAX);
        assert(setup->period_ns > 0);
        a->codec.ops = &codec_ardupilot_ops;
        a->setup = *setup;
        if (setup->dialect != NULL) {
                a->shipped = codec_is_shipped(&codec_ardupilot_ops, setup->dialect);
                a->sticks = strstr(setup->dialect, "sticks") != NULL;
        }
        a->rc_max = codec_ardupilot_rc_room(setup);
        /* A ground station as others are: GCS_MAVLINK takes commands from any. */
        a->sender =
                (struct mavlink_sender){ .version = 2, .system = 255, .component = 190 };
        for (int i = 0; i < setup->rotors; i++)
                if (a->outputs <= setup->motor_order[i])
                        a->outputs = setup->motor_order[i] + 1;
        return &a->codec;
}
