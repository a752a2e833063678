/* Relates a device's ticks to host time. What arrives has happened some time before, never after:
 * the least delayed arrivals of each stretch of time are the ones to trust, and a straight line
 * through them gives the device's rate, and the time of any tick but for the least delay there is. */
#ifndef IO_DEVICE_CLOCK_H
#define IO_DEVICE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define DEVICE_CLOCK_POINTS 64 /* the least delayed arrival of each stretch */

struct device_clock {
        double nominal_hz;
        int64_t stretch_ns; /* 100 ms */
        struct {
                int64_t tick, host_ns;
        } point[DEVICE_CLOCK_POINTS];
        int count, newest;
        double ns_per_tick,
                offset_ns; /* host_ns = base_host_ns + offset_ns + (tick - base_tick) * ns_per_tick */
        int64_t base_tick, base_host_ns;
        double residual_ns; /* rms of the points about the line */
};

void device_clock_init(struct device_clock *c, double nominal_hz);
/* What happened at `tick` had arrived at host_ns. */
void device_clock_arrival(struct device_clock *c, int64_t tick, int64_t host_ns);
/* After a gap of unknown length, or a restart. */
void device_clock_restart(struct device_clock *c);
/* False before the first arrival. */
bool device_clock_known(const struct device_clock *c);
int64_t device_clock_host_ns(const struct device_clock *c, int64_t tick);
/* Device faster than its nominal rate: positive. 0 while not known. */
double device_clock_ppm(const struct device_clock *c);

#endif
