/* Messages that an autopilot is asked to send at a rate (MAV_CMD_SET_MESSAGE_INTERVAL), each until it comes after that. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/codec/mavlink_messages.h"

#define MAVLINK_RATES_MAX 8

struct mavlink_rate {
        uint32_t id;
        int32_t period_us;
};

/* All zero: none is asked for. */
struct mavlink_rates {
        bool asked[MAVLINK_RATES_MAX], heard[MAVLINK_RATES_MAX]; /* since it was asked */
};

/* Such a message came. */
void mavlink_rates_note(struct mavlink_rates *r, const struct mavlink_rate *rate,
                        int count, uint32_t id);
/* The command that asks for this one, without whom it is for. False: it comes. */
bool mavlink_rates_ask(struct mavlink_rates *r, const struct mavlink_rate *rate,
                       int which, struct mavlink_command_long *command);
