/* Frequency response between two signals of a run, from a stimulus that is known: Fourier lines of
 * whole repetitions, cross spectra with the stimulus, coherence, delay, loop gain and its margins.
 * Arithmetic only; docs/latency.md says what each figure means. */
#pragma once

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#define RESPONSE_LINES_MAX 512

/* |z|^2. */
static inline double complex_square(double complex z)
{
        return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/* A signal that is held between its edges: value[i] from time_s[i] until time_s[i + 1], the last one
 * for ever. Times do not go backwards. */
struct wave {
        double *time_s, *value;
        int count, capacity;
};

/* An edge that does not change the value is left out. False: no memory. */
bool wave_add(struct wave *w, double time_s, double value);
void wave_free(struct wave *w);

enum response_window {
        RESPONSE_WHOLE, /* a segment is one period of the stimulus: exact lines, no leakage */
        RESPONSE_HANN /* for anything else, with overlapping segments (Welch) */
};

/* Lines 1 to `lines` of every segment: multiples of 1 / segment_s. */
struct response {
        int lines, segments, capacity;
        double segment_s;
        enum response_window window;
        double complex *r, *u, *y; /* [segment * lines + line - 1] */
        double *power; /* sum of |y| squared of a segment's lines */
};

/* False: no memory, or no lines. */
bool response_begin(struct response *s, int lines, double segment_s,
                    enum response_window window);
/* One segment, from from_s on: the stimulus r, the signal u that it was added to, the answer y.
 * False: no memory. */
bool response_add(struct response *s, const struct wave *r, const struct wave *u,
                  const struct wave *y, double from_s);
void response_free(struct response *s);

/* What one line says. */
struct response_line {
        double hz;
        /* From u to y as S_yr / S_ur: the stimulus comes from outside the loop, so that noise which goes
         * round it does not bias the quotient (Soederstroem and Stoica, instrumental variables). */
        double complex gain;
        double variance; /* E |gain - its estimate|^2, from the scatter of the segments */
        double coherence; /* of y with the stimulus, 0 to 1 */
        double complex loop; /* S_rr / S_ur - 1: the loop that u closes, sign included */
        double loop_variance;
};

struct response_estimate {
        int lines, segments;
        struct response_line line[RESPONSE_LINES_MAX];
};

/* All segments but those with first <= index < last; false: fewer than two are left, or the stimulus
 * is not in u. */
bool response_estimate(const struct response *s, int first, int last,
                       struct response_estimate *out);

/* The jackknife: the estimates without one of the groups of segments after the other, and the standard
 * error that their distances from the whole give. 0 groups: too few segments. */
#define RESPONSE_GROUPS 20

struct response_spread {
        int count;
        double sum, squares;
};

int response_groups(const struct response *s);
bool response_estimate_without(const struct response *s, int group, int groups,
                               struct response_estimate *out);
void response_spread_add(struct response_spread *s, double off);
double response_spread_error(const struct response_spread *s);

/* Phase of z, as near as it can be to where the line before lies. */
double response_unwrap(double before_rad, double complex z);

/* Variance that every line's is taken to have at least: no line is better known than to a ten-thousandth of
 * the largest gain. */
double response_floor(const struct response_estimate *e);

/* What the flight controller's own filter is known to do. */
enum response_filter {
        FILTER_NONE,
        FILTER_LAG, /* first-order lag in continuous time on the held input, seen at the samples */
        FILTER_PT1, /* y += a (u - y) at each sample */
        FILTER_PT2, /* two of these in a row, each with that corner */
        FILTER_BIQUAD, /* second-order Butterworth, bilinear, as firmware has it */
        FILTER_COUNT
};

struct response_model {
        enum response_filter filter;
        double corner_hz;
        double period_s; /* of the samples */
        /* Share of the delay that lies between the samples' times and the edges of the answer: what
         * the way there and back took. Nothing in lockstep. */
        double transport_s;
};

/* Response of the filter and a delay, transport included, at a frequency; 1 at 0 Hz. */
double complex response_model_at(const struct response_model *m, double delay_s,
                                 double hz);
/* "none", "lag:80", "pt1:80", "pt2:80", "biquad:80". False: none of these, or no frequency above 0. */
bool response_model_parse(struct response_model *m, const char *text);

struct response_delay {
        bool found;
        double s;
        double se_s; /* standard error; 0: not known */
        double gain; /* of the model that fits, its sign included */
        double misfit; /* rms of what it leaves, per line's own standard error */
};

/* Weighted least squares of gain * model * delay on the lines. The delay is sought up to most_s, and from two
 * samples before 0, so that a filter that is not what was said can show. */
bool response_fit(const struct response_estimate *e, const struct response_model *m,
                  double most_s, struct response_delay *out);
/* The same with its standard error, by leaving out a twentieth of the segments after the other. */
bool response_fit_jackknife(const struct response *s, const struct response_model *m,
                            double most_s, struct response_delay *out);
/* Time of the largest value, either sign, of the cross-correlation of answer and stimulus, with the
 * stimulus's own taken out: between the samples, too. */
bool response_peak(const struct response_estimate *e, double most_s,
                   struct response_delay *out);
/* Slope of the phase over frequency, weighted by the coherence: the delay with all filters in it. near_s: what
 * response_peak() found; the phase is unwrapped about it. */
bool response_slope(const struct response_estimate *e, double near_s,
                    struct response_delay *out);

struct response_margins {
        bool crosses; /* the loop gain falls through 1 */
        double crossover_hz, phase_margin_deg, phase_margin_se_deg;
        double delay_margin_s, delay_margin_se_s; /* what the loop could bear more of */
        bool turns; /* its phase falls through -180 degrees */
        double turn_hz, gain_margin_db, gain_margin_se_db;
};

/* Of the crossing with the least margin, from the lines with a coherence of u with the stimulus that
 * makes the loop gain known to a third of itself. */
bool response_margins(const struct response_estimate *e, struct response_margins *out);
bool response_margins_jackknife(const struct response *s, struct response_margins *out);

/* How much later than the average a single segment's answer came: the shift that fits it best, within
 * +-most_s, and its standard error from what it leaves. False: it has no answer in it. */
bool response_shift(const struct response *s, const struct response_estimate *e,
                    int segment, double most_s, double *shift_s, double *se_s);
