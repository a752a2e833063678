/* Tables and arithmetic of the fx2lafw firmware. */
#include "io/capture/fx2lafw.h"

#include <math.h>
#include <stddef.h>

const struct fx2lafw_kind fx2lafw_kinds[FX2LAFW_KINDS] = {
        { { 0x0925, 0x3881 }, "fx2lafw-saleae-logic.fw" },
        { { 0x08a9, 0x0014 }, "fx2lafw-cwav-usbeeax.fw" },
        { { 0x04b4, 0x8613 }, "fx2lafw-cypress-fx2.fw" },
        { { 0x1d50, 0x608c }, "fx2lafw-sigrok-fx2-8ch.fw" },
};

const struct fx2lafw_kind *fx2lafw_kind_find(struct usb_id id)
{
        for (int i = 0; i < FX2LAFW_KINDS; i++)
                if (fx2lafw_kinds[i].id.vid == id.vid &&
                    fx2lafw_kinds[i].id.pid == id.pid)
                        return &fx2lafw_kinds[i];
        return NULL;
}

struct rate {
        uint8_t clock; /* flag */
        int divider;
        double hz;
};

/* The nearest rate that this clock can give. */
static struct rate nearest(uint8_t flag, double clock_hz, double rate_hz)
{
        double least = fmax(FX2LAFW_DIVIDER_MIN, ceil(clock_hz / FX2LAFW_RATE_MAX_HZ));
        double low = fmin(fmax(floor(clock_hz / rate_hz), least), FX2LAFW_DIVIDER_MAX);
        double high = fmin(low + 1.0, FX2LAFW_DIVIDER_MAX);
        double divider = fabs(clock_hz / low - rate_hz) <= fabs(clock_hz / high - rate_hz)
                                 ? low
                                 : high;

        return (struct rate){ flag, (int)divider, clock_hz / divider };
}

bool fx2lafw_start_encode(uint8_t command[3], double rate_hz, double *nearest_hz)
{
        bool sane = rate_hz > 0.0 && rate_hz < 1e12; /* NaN is not */
        double wanted_hz = sane ? rate_hz : FX2LAFW_RATE_MAX_HZ;
        struct rate best = nearest(0x40, 48e6, wanted_hz);
        struct rate slow = nearest(0x00, 30e6, wanted_hz);

        if (fabs(slow.hz - wanted_hz) < fabs(best.hz - wanted_hz))
                best = slow;
        command[0] = best.clock;
        command[1] = (uint8_t)((best.divider - 1) >> 8);
        command[2] = (uint8_t)(best.divider - 1);
        *nearest_hz = best.hz;
        return sane && fabs(best.hz - rate_hz) <= 1e-9 * rate_hz;
}

int fx2lafw_transfer_bytes(double rate_hz)
{
        double packets = floor(rate_hz * 171e-6 / FX2LAFW_PACKET);

        return FX2LAFW_PACKET * (int)fmin(fmax(packets, 1.0), 8.0);
}
