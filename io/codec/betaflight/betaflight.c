/* Betaflight as its own process (SITL): sensors, sticks and motors in packets over UDP, and its MSP port
 * beside them for words. docs/firmware_betaflight.md says how to set it up. */
#include "io/codec/betaflight/betaflight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Below 300 motor packets a second, with about seven of them for ten of ours, it takes itself for a
 * runaway (seen). */
#define FRAME_NS      1000000
#define FRAME_MOST_NS 2000000

void codec_betaflight_start_over(struct codec_betaflight *b)
{
        b->phase = BETAFLIGHT_LOOKING;
        b->phase_begun = false;
        b->motors_heard = 0;
        b->under_way = 0;
        b->servos = 0;
        b->turning = false;
        b->sent = false;
        b->placed = false;
        b->raw_differ_told = false;
        b->step = 0;
        b->unanswered = 0;
        b->deaf = false;
        b->asked = BETAFLIGHT_NOTHING;
        b->ask_after_ns = 0;
        b->msp_heard = false;
        b->status_known = false;
        b->stuck = false;
        b->arming_flags = 0;
        b->arming_flags_count = 0;
        b->boxes = 0;
        b->box_flags = 0;
        b->refusal[0] = '\0';
        b->words[0] = '\0';
        b->armed = false;
        b->was_armed = false;
        b->switch_on = false;
}

static uint32_t take_msp_bytes(struct codec_betaflight *b, int64_t t_ns,
                               const uint8_t *bytes, size_t len, size_t *used,
                               struct fc_report *report)
{
        uint64_t bad_crc = b->stream.bad_crc, noise = b->stream.noise_bytes;
        uint32_t news = 0;

        while (*used < len && news == 0) {
                struct msp_frame m;
                bool got;

                *used +=
                        msp_stream_take(&b->stream, bytes + *used, len - *used, &m, &got);
                if (got)
                        news = codec_betaflight_take_msp(b, t_ns, &m, report);
        }
        b->codec.counts.crc_errors += b->stream.bad_crc - bad_crc;
        b->codec.counts.bytes_skipped += b->stream.noise_bytes - noise;
        return news;
}

static size_t betaflight_decode(struct codec *c, int channel, int64_t t_ns,
                                const uint8_t *bytes, size_t len,
                                struct fc_report *report)
{
        struct codec_betaflight *b = codec_betaflight_self(c);
        size_t used = len;

        switch (channel) {
        case BETAFLIGHT_MOTORS:
                report->fresh |= codec_betaflight_take_servo(b, t_ns, bytes, len, report);
                break;
        case BETAFLIGHT_MOTORS_RAW:
                report->fresh |= codec_betaflight_take_raw(b, bytes, len, report);
                break;
        case BETAFLIGHT_MSP:
                used = 0;
                report->fresh |= take_msp_bytes(b, t_ns, bytes, len, &used, report);
                break;
        default:
                c->counts.bytes_skipped += len; /* nobody answers there */
        }
        return used;
}

static int betaflight_frame_every(const struct codec *c)
{
        const struct codec_betaflight *b = (const struct codec_betaflight *)c;

        return b->phase == BETAFLIGHT_READY && b->refusal[0] == '\0' ? b->every : 0;
}

static void betaflight_restart(struct codec *c)
{
        struct codec_betaflight *b = codec_betaflight_self(c);

        codec_betaflight_start_over(b);
        b->stream.len = 0;
        b->echo_heard = false;
}

static bool has_four_motors(const struct codec_betaflight *b)
{
        for (int rotor = 0; rotor < b->setup.rotors; rotor++)
                if (b->setup.motor_order[rotor] >= BETAFLIGHT_OUTPUTS)
                        return false;
        return true;
}

static const char *flying_complaint(const struct codec_betaflight *b)
{
        if (b->stuck)
                return "Betaflight's start-up never ends (boot grace): its scheduler "
                       "hangs; end it and start it again";
        return codec_betaflight_wanted(b) && !b->armed ? b->words : "";
}

static const char *betaflight_complaint(const struct codec *c)
{
        const struct codec_betaflight *b = (const struct codec_betaflight *)c;

        if (!has_four_motors(b))
                return "Betaflight's motor packet has motors 0 to 3: fc.motor_order "
                       "names another one";
        if (b->every == 0)
                return "Betaflight needs 500 frames a second: period_us must be 2000 or "
                       "less";
        if (b->refusal[0] != '\0')
                return b->refusal;
        switch (b->phase) {
        case BETAFLIGHT_LOOKING:
                if (b->echo_heard)
                        return "the rig hears itself at the MSP port";
                return "no answer from Betaflight yet: is it started, and with this "
                       "machine's address?";
        case BETAFLIGHT_STARTING:
                return "Betaflight is starting: the first packet goes out 3 s after its "
                       "start";
        case BETAFLIGHT_TRYING:
                return "Betaflight gets packets, and has sent no motors yet";
        case BETAFLIGHT_HUNG:
                if (b->servos == 0)
                        return "no motors came from Betaflight, not even the first that "
                               "it sends at once: the ports of fc.link, or the address "
                               "that it was started with?";
                return "Betaflight gets packets, but sends no motors: its scheduler "
                       "hangs, as in some starts; end it and start it again";
        case BETAFLIGHT_READY:
                break;
        }
        return flying_complaint(b);
}

static void betaflight_destroy(struct codec *c)
{
        free(c);
}

static const struct codec_channel channels[] = {
        [BETAFLIGHT_SENSORS] = { .name = "sensors" },
        [BETAFLIGHT_STICKS] = { .name = "sticks" },
        [BETAFLIGHT_MOTORS] = { .name = "motors" },
        [BETAFLIGHT_MSP] = { .name = "msp",
                             .optional = true,
                             .answers_at_once = true,
                             .without =
                                     "nothing says who it is and why it does not arm" },
        [BETAFLIGHT_MOTORS_RAW] = { .name = "motors_raw",
                                    .optional = true,
                                    .without = "motors are not cross-checked" },
};

const char *const codec_betaflight_dialects[] = {
        [BETAFLIGHT_4_5] = "4.5",
        [BETAFLIGHT_2025_12] = "2025.12",
        [BETAFLIGHT_2026_6] = "2026.6",
        [BETAFLIGHT_2026_6 + 1] = NULL,
};

static const struct codec_carries carries_4_5 = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GYRO] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,
        },
        .rc = BETAFLIGHT_RC_CHANNELS,
};

static const struct codec_carries carries_2025_12 = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GYRO] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,
        },
        .rc = BETAFLIGHT_RC_CHANNELS,
};

static const struct codec_carries carries_2026_6 = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GYRO] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_NAN | CARRIES_FIX,
                [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,
        },
        .rc = BETAFLIGHT_RC_CHANNELS,
};

const struct codec_ops codec_betaflight_ops = {
        .name = "betaflight",
        .new_each_flight = true,
        .channels = sizeof channels / sizeof channels[0],
        .channel = channels,
        .dialects = codec_betaflight_dialects,
        .carries = { &carries_4_5, &carries_2025_12, &carries_2026_6 },
        .realtime_only = true,
        .period_max_ns = FRAME_MOST_NS,
        .frame_names = codec_betaflight_frame_names,
        .frame_find = codec_betaflight_frame_find,
        .frame_every = betaflight_frame_every,
        .poll = codec_betaflight_poll,
        .encode = codec_betaflight_encode,
        .decode = betaflight_decode,
        .goodbye = codec_betaflight_goodbye,
        .restart = betaflight_restart,
        .complaint = betaflight_complaint,
        .destroy = betaflight_destroy,
};

/* Frames every millisecond, or as near below as ticks allow. */
static int frame_every(int64_t period_ns)
{
        if (period_ns <= 0 || period_ns > FRAME_MOST_NS)
                return 0;
        return period_ns >= FRAME_NS ? 1 : (int)(FRAME_NS / period_ns);
}

struct codec *codec_betaflight_create(const struct codec_setup *setup)
{
        struct codec_betaflight *b = calloc(1, sizeof *b);

        if (b == NULL)
                return NULL;
        assert(setup->rotors >= 1 && setup->rotors <= ROTORS_MAX);
        b->codec.ops = &codec_betaflight_ops;
        b->setup = *setup;
        b->pressure_pa = BETAFLIGHT_SEA_LEVEL_PA;
        for (int i = 0; setup->dialect != NULL && codec_betaflight_dialects[i] != NULL;
             i++)
                if (strcmp(setup->dialect, codec_betaflight_dialects[i]) == 0)
                        b->dialect = (enum betaflight_dialect)i;
        b->every = has_four_motors(b) ? frame_every(setup->period_ns) : 0;
        codec_betaflight_start_over(b);
        return &b->codec;
}
