/* HILP frames seen from outside the conversation: where one ends and what it is. */
#include <string.h>

#include "io/codec/hilp/codec_hilp.h"

/* By codec_type(). */
const char *const codec_hilp_frame_names[] = {
        [HILP_HELLO - 1] = "hello",        [HILP_HELLO_ACK - 1] = "hello_ack",
        [HILP_SENSORS_V2 - 1] = "sensors", [HILP_MOTORS - 1] = "motors",
        [HILP_INPUT - 1] = "input",        [HILP_TIME_SYNC - 1] = "time_sync",
        [HILP_STATE - 1] = "state",        [HILP_TEXT - 1] = "text",
        [HILP_GOODBYE - 1] = "goodbye",    [HILP_PARTS - 1] = "parts",
        [HILP_SONARS - 1] = "sonars",      [HILP_REAL_RANGES - 1] = "real_ranges",
        [HILP_OPTION - 1] = "option",      [HILP_OPTION_ACK - 1] = "option_ack",
        [HILP_RADIO - 2] = "radio",        [HILP_PEER_SEND - 2] = "peer_send",
        [HILP_PEER - 2] = "peer",          [HILP_TYPE_MAX - 1] = NULL,
};

_Static_assert(sizeof codec_hilp_frame_names / sizeof codec_hilp_frame_names[0] ==
                       HILP_TYPE_MAX,
               "every type has a name");
_Static_assert(HILP_TYPE_MAX - 1 <= CODEC_FRAME_TYPES_MAX, "types fit");

/* Less 1, and the same for SENSORS of any version, whose newer number is left out. */
static int codec_type(uint8_t type)
{
        return type == HILP_SENSORS ? HILP_SENSORS_V2 - 1
                                    : type - (type < HILP_SENSORS ? 1 : 2);
}

static bool is_unpaced(uint8_t type)
{
        return type == HILP_HELLO || type == HILP_HELLO_ACK || type == HILP_TIME_SYNC ||
               type == HILP_TEXT || type == HILP_GOODBYE;
}

size_t codec_hilp_frame_find(const uint8_t *bytes, size_t len, struct codec_frame *frame)
{
        const uint8_t *end = len > 0 ? memchr(bytes, 0, len) : NULL;
        struct hilp_receiver fresh = { .len = 0 };
        uint8_t payload[HILP_PAYLOAD_MAX];
        struct hilp_message m;
        size_t n;

        *frame = (struct codec_frame){ .type = -1 };
        if (end == NULL)
                return 0;
        len = (size_t)(end - bytes) + 1;
        hilp_receive(&fresh, bytes, len, payload, &n);
        if (n == 0 || !hilp_decode(&m, payload, n))
                return len;
        frame->type = codec_type(m.type);
        frame->unpaced = is_unpaced(m.type);
        frame->asks = m.type == HILP_SENSORS || m.type == HILP_SENSORS_V2;
        frame->answers = m.type == HILP_MOTORS;
        if (frame->asks)
                frame->number = m.u.sensors.number;
        if (frame->answers)
                frame->number = m.u.motors.answers;
        return len;
}
