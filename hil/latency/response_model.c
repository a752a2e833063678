/* What a flight controller's own filter does to a stimulus that is held between its samples. */
#include "hil/latency/response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const filter_names[FILTER_COUNT] = { "none", "lag", "pt1", "pt2",
                                                        "biquad" };

bool response_model_parse(struct response_model *m, const char *text)
{
        size_t len = strcspn(text, ":");
        char *end;

        for (int i = 0; i < FILTER_COUNT; i++) {
                if (strlen(filter_names[i]) != len ||
                    strncmp(filter_names[i], text, len) != 0)
                        continue;
                m->filter = (enum response_filter)i;
                m->corner_hz = 0.0;
                if (i == FILTER_NONE)
                        return text[len] == '\0';
                if (text[len] == '\0')
                        return false;
                m->corner_hz = strtod(text + len + 1, &end);
                return end != text + len + 1 && *end == '\0' && m->corner_hz > 0.0 &&
                       isfinite(m->corner_hz);
        }
        return false;
}

/* The input is held, delayed by whole samples and a rest, and passed through exp(-t / tau); at a sample
 * the last (period - rest) of it belong to the newer of two inputs (Astroem and Wittenmark, Computer
 * Controlled Systems, 2.6). */
static double complex lag_at(const struct response_model *m, double delay_s, double hz)
{
        double whole = floor(delay_s / m->period_s);
        double rest_s = delay_s - whole * m->period_s;
        double rate = 2.0 * M_PI * m->corner_hz;
        double keep = exp(-rate * m->period_s);
        double newer = -expm1(-rate * (m->period_s - rest_s));
        double older = 1.0 - keep - newer;
        double angle = 2.0 * M_PI * hz * m->period_s;
        double complex back = cexp(-I * angle);

        return cexp(-I * angle * (1.0 + whole)) * (newer + older * back) /
               (1.0 - keep * back);
}

static double complex pt1_at(const struct response_model *m, double hz)
{
        double keep = exp(-2.0 * M_PI * m->corner_hz * m->period_s);

        return (1.0 - keep) / (1.0 - keep * cexp(-I * 2.0 * M_PI * hz * m->period_s));
}

/* s = tan(pi f / fs) / tan(pi corner / fs) of the prototype 1 / (1 + sqrt(2) s + s^2). */
static double complex biquad_at(const struct response_model *m, double hz)
{
        double half = M_PI * m->period_s;
        double complex s = I * tan(half * hz) / tan(half * m->corner_hz);

        return 1.0 / (1.0 + M_SQRT2 * s + s * s);
}

double complex response_model_at(const struct response_model *m, double delay_s,
                                 double hz)
{
        double complex way = cexp(-I * 2.0 * M_PI * hz * m->transport_s);
        double complex delay = cexp(-I * 2.0 * M_PI * hz * delay_s);
        double complex one;

        switch (m->filter) {
        case FILTER_LAG:
                return way * lag_at(m, delay_s - m->transport_s, hz);
        case FILTER_PT1:
                return delay * pt1_at(m, hz);
        case FILTER_PT2:
                one = pt1_at(m, hz);
                return delay * one * one;
        case FILTER_BIQUAD:
                return delay * biquad_at(m, hz);
        case FILTER_NONE:
        case FILTER_COUNT:
                break;
        }
        return delay;
}
