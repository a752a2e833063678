/* The rig's side of HILP as a codec. docs/protocol.md is what it promises; hilp_board.h is the
 * other side. */
#include "io/codec/hilp/codec_hilp.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/codec/hilp/hilp_si.h"

void codec_hilp_start_over(struct codec_hilp *h)
{
        h->ready = false;
        h->hello_sent = false;
        h->frame_sent = false;
        h->motors_heard = false;
        h->sync_open = false;
        h->frames_to_input = 0;
        h->frames_to_parts = 0;
        h->refusal[0] = '\0';
        codec_hilp_options_forget(h);
        memset(&h->board, 0, sizeof h->board);
        memset(&h->heard, 0, sizeof h->heard);
}

static size_t hilp_decode_bytes(struct codec *c, int channel, int64_t t_ns,
                                const uint8_t *bytes, size_t len,
                                struct fc_report *report)
{
        struct codec_hilp *h = codec_hilp_self(c);
        uint32_t news = 0;
        size_t used = 0;

        (void)channel;
        h->bytes_heard |= len > 0;
        while (used < len && news == 0) {
                uint8_t payload[HILP_PAYLOAD_MAX];
                uint32_t errors = h->receiver.crc_errors, skipped = h->receiver.skipped;
                size_t n;

                used += hilp_receive(&h->receiver, bytes + used, len - used, payload, &n);
                c->counts.crc_errors += h->receiver.crc_errors - errors;
                c->counts.bytes_skipped += h->receiver.skipped - skipped;
                if (n > 0)
                        news = codec_hilp_hear(h, t_ns, payload, n, report);
        }
        report->refused = h->refusal[0] != '\0';
        report->fresh |= news;
        return used;
}

static int hilp_frame_every(const struct codec *c)
{
        const struct codec_hilp *h = (const struct codec_hilp *)c;

        return h->ready && h->options_told ? h->board.frame_every : 0;
}

static void hilp_restart(struct codec *c)
{
        struct codec_hilp *h = codec_hilp_self(c);

        codec_hilp_start_over(h);
        memset(&h->receiver, 0, sizeof h->receiver);
        h->bytes_heard = false;
        h->message_heard = false;
        h->echo_heard = false;
}

static const char *hilp_complaint(const struct codec *c)
{
        const struct codec_hilp *h = (const struct codec_hilp *)c;

        if (h->ready)
                return h->options_told ? ""
                                       : "the board has not answered its options yet";
        if (h->refusal[0] != '\0')
                return h->refusal;
        if (h->echo_heard)
                return "no hello from the board yet: the rig hears itself (TX wired to "
                       "RX?)";
        if (h->message_heard)
                return "no hello from the board yet: it speaks, but does not answer";
        if (h->bytes_heard)
                return "no hello from the board yet: it sends bytes that are no HILP "
                       "messages";
        return "no hello from the board yet: it sends nothing";
}

static void hilp_destroy(struct codec *c)
{
        free(c);
}

static const struct codec_channel channels[] = { { .name = "fc" } };

static const struct codec_carries carries = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GYRO] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_NAN | CARRIES_FIX | CARRIES_TIME,
                [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_MAG] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_SONAR] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_FLOW] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_VOLTAGE] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_CURRENT] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_INS] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_RELATIVE] = CARRIES_VALUE | CARRIES_NAN,
        },
        .sonars = SONARS_MAX,
        .rc = RC_CHANNELS_MAX,
};

const struct codec_ops codec_hilp_ops = {
        .name = "hilp",
        .carries = { &carries },
        .channels = 1,
        .channel = channels,
        .hello_disarms = true,
        .frame_names = codec_hilp_frame_names,
        .frame_find = codec_hilp_frame_find,
        .frame_every = hilp_frame_every,
        .poll = codec_hilp_poll,
        .encode = codec_hilp_encode,
        .decode = hilp_decode_bytes,
        .option = codec_hilp_option,
        .option_unheard = codec_hilp_option_unheard,
        .hear_peers = codec_hilp_hear_peers,
        .goodbye = codec_hilp_goodbye,
        .restart = hilp_restart,
        .complaint = hilp_complaint,
        .destroy = hilp_destroy,
};

struct codec *codec_hilp_create(const struct codec_setup *setup)
{
        struct codec_hilp *h = calloc(1, sizeof *h);

        if (h == NULL)
                return NULL;
        assert(setup->rotors >= 0 && setup->rotors <= ROTORS_MAX);
        assert(setup->sonars >= 0 && setup->sonars <= SONARS_MAX);
        assert(setup->bmp180.oversampling >= 0 &&
               setup->bmp180.oversampling <= HILP_BARO_OVERSAMPLING_MAX);
        h->codec.ops = &codec_hilp_ops;
        h->setup = *setup;
        codec_hilp_options_forget(h);
        hilp_si_units(&h->units, setup->sensor_lsb, setup->gyro_lsb_radps);
        for (int i = 0; i < SENSOR_COUNT; i++)
                if (setup->sensor_period_ns[i] > 0)
                        h->fitted |= SENSOR_BIT(i);
        for (int i = 0; i < setup->rotors; i++) {
                assert(setup->motor_order[i] < HILP_ROTORS_MAX);
                if (h->outputs <= setup->motor_order[i])
                        h->outputs = setup->motor_order[i] + 1;
        }
        return &h->codec;
}
