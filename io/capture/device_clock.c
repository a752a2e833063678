/* A line under the least delayed arrivals. Keeps the last 64 of them; reads no clock. */
#include "io/capture/device_clock.h"

#include <math.h>

#define NS_PER_S      1e9
#define HOST_NS_LIMIT 4e18 /* surely fits an int64_t */

void device_clock_init(struct device_clock *c, double nominal_hz)
{
        *c = (struct device_clock){ .nominal_hz = nominal_hz,
                                    .ns_per_tick = NS_PER_S / nominal_hz };
}

void device_clock_restart(struct device_clock *c)
{
        double ns_per_tick = c->ns_per_tick;

        device_clock_init(c, c->nominal_hz);
        c->ns_per_tick = ns_per_tick;
}

bool device_clock_known(const struct device_clock *c)
{
        return c->known;
}

double device_clock_ppm(const struct device_clock *c)
{
        return (NS_PER_S / c->nominal_hz / c->ns_per_tick - 1.0) * 1e6;
}

/* Relative to the base. */
static double line_ns(const struct device_clock *c, int64_t tick)
{
        return c->offset_ns + (double)(tick - c->base.tick) * c->ns_per_tick;
}

int64_t device_clock_host_ns(const struct device_clock *c, int64_t tick)
{
        double ns;

        if (!c->known)
                return 0;
        ns = line_ns(c, tick);
        if (!(fabs(ns) < HOST_NS_LIMIT))
                return c->base.host_ns;
        return c->base.host_ns + llrint(ns);
}

/* How long after its tick, according to the line, a point arrived; below 0: the line is too high. */
static double delay_ns(const struct device_clock *c, struct device_clock_point p)
{
        return (double)(p.host_ns - c->base.host_ns) - line_ns(c, p.tick);
}

static struct device_clock_point nth(const struct device_clock *c, int i)
{
        int oldest = c->newest - c->count + 1 + DEVICE_CLOCK_POINTS;

        return c->point[(oldest + i) % DEVICE_CLOCK_POINTS];
}

/* Whether b lies on or above the line from a to d: not a corner of the lower hull. */
static bool is_above(struct device_clock_point a, struct device_clock_point b,
                     struct device_clock_point d)
{
        return (double)(b.host_ns - a.host_ns) * (double)(d.tick - a.tick) >=
               (double)(d.host_ns - a.host_ns) * (double)(b.tick - a.tick);
}

/* The lower hull's corners, oldest first; returns their number. */
static int find_hull(const struct device_clock *c, struct device_clock_point *hull)
{
        int n = 0;

        for (int i = 0; i < c->count; i++) {
                struct device_clock_point p = nth(c, i);

                /* Time that stands still or goes backwards gives no line. */
                if (n > 0 && p.tick <= hull[n - 1].tick)
                        continue;
                while (n >= 2 && is_above(hull[n - 2], hull[n - 1], p))
                        n--;
                hull[n++] = p;
        }
        return n;
}

static double mean_tick(const struct device_clock *c)
{
        double sum = 0.0;

        for (int i = 0; i < c->count; i++)
                sum += (double)(nth(c, i).tick - c->base.tick);
        return sum / c->count;
}

static void find_rate(struct device_clock *c)
{
        struct device_clock_point hull[DEVICE_CLOCK_POINTS];
        double middle = mean_tick(c), nominal_ns = NS_PER_S / c->nominal_hz, rate;
        int n = find_hull(c, hull), at = 1;

        if (n < 2 || hull[n - 1].host_ns - hull[0].host_ns < DEVICE_CLOCK_SPAN_NS)
                return;
        while (at < n - 1 && (double)(hull[at].tick - c->base.tick) < middle)
                at++;
        rate = (double)(hull[at].host_ns - hull[at - 1].host_ns) /
               (double)(hull[at].tick - hull[at - 1].tick);
        if (fabs(rate / nominal_ns - 1.0) * 1e6 <= DEVICE_CLOCK_PPM_MAX)
                c->ns_per_tick = rate;
}

/* The newest point becomes the base, the least delayed one is on the line. */
static void find_offset(struct device_clock *c)
{
        double least = INFINITY, squares = 0.0;

        c->base = nth(c, c->count - 1);
        c->offset_ns = 0.0;
        for (int i = 0; i < c->count; i++)
                least = fmin(least, delay_ns(c, nth(c, i)));
        c->offset_ns = least;
        for (int i = 0; i < c->count; i++) {
                double d = delay_ns(c, nth(c, i));

                squares += d * d;
        }
        c->residual_ns = sqrt(squares / c->count);
}

static void end_stretch(struct device_clock *c)
{
        c->newest = (c->newest + 1) % DEVICE_CLOCK_POINTS;
        c->point[c->newest] = c->least;
        if (c->count < DEVICE_CLOCK_POINTS)
                c->count++;
        find_rate(c);
        find_offset(c);
}

void device_clock_arrival(struct device_clock *c, int64_t tick, int64_t host_ns)
{
        struct device_clock_point p = { tick, host_ns };
        double d;

        if (!c->known) {
                c->known = true;
                c->base = c->least = p;
                c->stretch_ends_ns = host_ns + DEVICE_CLOCK_STRETCH_NS;
                return;
        }
        if (host_ns >= c->stretch_ends_ns) {
                end_stretch(c);
                c->least = p;
                c->stretch_ends_ns = host_ns + DEVICE_CLOCK_STRETCH_NS;
        }
        d = delay_ns(c, p);
        if (d <= delay_ns(c, c->least))
                c->least = p;
        if (d < 0.0)
                c->offset_ns += d;
}
