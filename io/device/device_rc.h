/* What the emulated radio receivers share: a pilot who may or may not be at the sticks, and frames
 * that leave at a fixed rate, each as a whole. A receiver's frame has no gaps, and flight
 * controllers take a gap for its end. So the frame is given out when its first byte is due, and the
 * port's own UART spreads it. */
#pragma once

#include "io/device/device.h"
#include "io/device/rc_frames.h"

struct rc_beat {
        int64_t period_ns, due_ns;
};

/* As often as requested, but no more often than the wire carries frames of this many bits. */
struct rc_beat rc_beat_of(int64_t period_ns, int bits, uint32_t baud);
/* Whether a frame is due at t_ns; the next one is due a period after this one was. */
bool rc_beat_is_due(struct rc_beat *beat, int64_t t_ns);

/* Whether the radio link is up: some channel is sent. */
bool rc_is_heard(const struct pilot_input *input);
/* us of a channel; centred if it is not sent. */
uint16_t rc_channel_us(const struct pilot_input *input, int channel);

/* Gives the frame out; false: no room in this tick. */
bool rc_give(struct device *d, const uint8_t *frame, size_t len, struct packets *out);
