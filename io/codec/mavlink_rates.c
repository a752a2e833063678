#include "io/codec/mavlink_rates.h"

#include "io/codec/mavlink_values.h"

void mavlink_rates_note(struct mavlink_rates *r, const struct mavlink_rate *rate,
                        int count, uint32_t id)
{
        for (int i = 0; i < count; i++)
                r->heard[i] |= rate[i].id == id && r->asked[i];
}

bool mavlink_rates_ask(struct mavlink_rates *r, const struct mavlink_rate *rate,
                       int which, struct mavlink_command_long *command)
{
        r->asked[which] = true;
        *command = (struct mavlink_command_long){
                .command = MAV_CMD_SET_MESSAGE_INTERVAL,
                .param1 = (float)rate[which].id,
                .param2 = (float)rate[which].period_us,
        };
        return !r->heard[which];
}
