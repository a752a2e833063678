/* What the rig says to Betaflight's SITL: nothing before it has been on for some seconds, then packets of a
 * vehicle at rest until motors come back, then a packet and the sticks for each frame. */
#include <assert.h>

#include "io/codec/betaflight/betaflight.h"

/* A packet is dropped, and answered with the motors, when 500 ms went by since the one before
 * (updateState()): so one can ask whether it is there without telling it anything. */
#define GAP_NS   500000000
#define PROBE_NS 1000000000
/* Its MSP port, which it may have, answers at once. */
#define MSP_FIRST_NS 600000000
/* Packets that came sooner after its start hung its scheduler in half the starts (seen). */
#define START_UP_NS 3000000000
#define REST_NS     1000000 /* from packet to packet of a vehicle at rest */
#define ENOUGH      20 /* motor packets, and it runs */
#define NONE_NS     2000000000 /* without so many: it does not */
#define AGAIN_NS    4000000000 /* then it is tried once more */
#define RC_NS       20000000
#define RC_LEAST_NS 4000000

static struct packet *add(struct codec_betaflight *b, struct packets *out, int channel,
                          size_t len)
{
        struct packet *p = &out->packet[out->count++];

        assert(out->count <= CODEC_PACKETS_MAX);
        p->channel = (uint8_t)channel;
        p->len = (uint16_t)len;
        b->codec.counts.frames_encoded++;
        return p;
}

static void put_rc(struct codec_betaflight *b, int64_t t_ns, struct packets *out)
{
        uint16_t rc_us[BETAFLIGHT_RC_CHANNELS];

        codec_betaflight_rc(b, t_ns, rc_us);
        codec_betaflight_rc_packet(
                rc_us, add(b, out, BETAFLIGHT_STICKS, BETAFLIGHT_RC_BYTES)->bytes);
        b->rc_ns = t_ns;
}

static void note_sent(struct codec_betaflight *b, int64_t t_ns)
{
        b->untaken = !b->sent || t_ns - b->sent_ns > GAP_NS;
        b->sent = true;
        b->sent_ns = t_ns;
}

static void put_rest(struct codec_betaflight *b, int64_t t_ns, struct packets *out)
{
        codec_betaflight_fdm_at_rest(
                b, add(b, out, BETAFLIGHT_SENSORS, BETAFLIGHT_FDM_BYTES)->bytes);
        note_sent(b, t_ns);
}

static void codec_betaflight_enter(struct codec_betaflight *b,
                                   enum betaflight_phase phase, int64_t t_ns)
{
        b->phase = phase;
        b->since_ns = t_ns;
        b->phase_begun = true;
        b->motors_heard = 0;
        b->under_way = 0;
}

/* Its own account of grace ends the wait. */
static bool has_started(const struct codec_betaflight *b, int64_t t_ns)
{
        if (codec_betaflight_msp_answers(b, t_ns)) {
                if (!codec_betaflight_knows_who(b))
                        return false;
                if ((b->arming_flags & BETAFLIGHT_BOOTGRACE) == 0)
                        return true;
        }
        return t_ns - b->since_ns >= START_UP_NS;
}

static void look(struct codec_betaflight *b, int64_t t_ns, struct packets *out)
{
        if (b->msp_heard || b->motors_heard > 0) {
                codec_betaflight_enter(b, BETAFLIGHT_STARTING, t_ns);
                return;
        }
        if (t_ns - b->since_ns < MSP_FIRST_NS ||
            (b->sent && t_ns - b->probe_ns < PROBE_NS))
                return;
        put_rest(b, t_ns, out);
        b->probe_ns = t_ns;
}

static void try_packets(struct codec_betaflight *b, int64_t t_ns, struct packets *out)
{
        if (b->motors_heard >= ENOUGH) {
                codec_betaflight_enter(b, BETAFLIGHT_READY, t_ns);
                return;
        }
        if (t_ns - b->since_ns > NONE_NS) {
                codec_betaflight_enter(b, BETAFLIGHT_HUNG, t_ns);
                return;
        }
        if (t_ns - b->rc_ns >= RC_NS)
                put_rc(b, t_ns, out);
        if (t_ns - b->sent_ns >= REST_NS)
                put_rest(b, t_ns, out);
}

void codec_betaflight_poll(struct codec *c, int64_t t_ns, struct packets *out)
{
        struct codec_betaflight *b = codec_betaflight_self(c);

        out->count = 0;
        if (!b->phase_begun)
                codec_betaflight_enter(b, BETAFLIGHT_LOOKING, t_ns);
        codec_betaflight_ask(b, t_ns, out);
        if (b->refusal[0] != '\0')
                return;
        switch (b->phase) {
        case BETAFLIGHT_LOOKING:
                look(b, t_ns, out);
                break;
        case BETAFLIGHT_STARTING:
                if (has_started(b, t_ns))
                        codec_betaflight_enter(b, BETAFLIGHT_TRYING, t_ns);
                break;
        case BETAFLIGHT_TRYING:
                try_packets(b, t_ns, out);
                break;
        case BETAFLIGHT_READY:
                break;
        case BETAFLIGHT_HUNG:
                if (t_ns - b->since_ns > AGAIN_NS)
                        codec_betaflight_enter(b, BETAFLIGHT_TRYING, t_ns);
                break;
        }
}

/* The sticks go before the sensors, so that this frame's motors may have followed them. */
void codec_betaflight_encode(struct codec *c, uint32_t number, int64_t t_ns,
                             const struct sensor_frame *frame,
                             const struct pilot_input *input, struct packets *out)
{
        struct codec_betaflight *b = codec_betaflight_self(c);
        int64_t rc_age_ns = t_ns - b->rc_ns;

        out->count = 0;
        if (input != NULL)
                codec_betaflight_take_input(b, input);
        if (b->phase != BETAFLIGHT_READY)
                return;
        if (rc_age_ns >= RC_NS || (input != NULL && rc_age_ns >= RC_LEAST_NS))
                put_rc(b, t_ns, out);
        codec_betaflight_fdm(
                b, frame, add(b, out, BETAFLIGHT_SENSORS, BETAFLIGHT_FDM_BYTES)->bytes);
        note_sent(b, t_ns);
        b->newest = number;
        b->under_way++;
}

/* The arm switch down: it disarms in flight, too, and keeps to these sticks for ever. With the question
 * whether it has disarmed. */
void codec_betaflight_goodbye(struct codec *c, struct packets *out)
{
        struct codec_betaflight *b = codec_betaflight_self(c);
        uint16_t rc_us[BETAFLIGHT_RC_CHANNELS];

        out->count = 0;
        b->input.setpoint.mode = MODE_DISARMED;
        b->input.rc_us[BETAFLIGHT_ARM] = b->input.rc_us[BETAFLIGHT_THROTTLE] = 0;
        b->was_armed = false;
        codec_betaflight_rc(b, b->rc_ns, rc_us);
        for (int times = 0; times < 2; times++)
                codec_betaflight_rc_packet(
                        rc_us,
                        add(b, out, BETAFLIGHT_STICKS, BETAFLIGHT_RC_BYTES)->bytes);
        if (b->phase == BETAFLIGHT_READY)
                codec_betaflight_ask_status(b, out);
}
