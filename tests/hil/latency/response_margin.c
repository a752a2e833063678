/* Gain, phase margin and gain margin of loops whose margins are known. */
#include "tests/hil/latency/response_bench.h"

/* L = gain exp(-s delay) / (s (1 + s lag)), the plant's input held for a sample, sampled. */
struct loop {
        double gain, lag_s;
        int delay; /* samples */
        double line[64], fast, slow;
        int at;
};

static double loop_output(const struct loop *l)
{
        return l->slow;
}

/* Exact for a held input: the lag, then the integral of what it gives. */
static void loop_step(struct loop *l, double input)
{
        double in = l->line[l->at];
        double reached = -expm1(-PERIOD_S / l->lag_s);

        l->line[l->at] = l->gain * input;
        l->at = (l->at + 1) % l->delay;
        l->slow += in * PERIOD_S + (l->fast - in) * l->lag_s * reached;
        l->fast += reached * (in - l->fast);
}

static double complex loop_at(const struct loop *l, double hz)
{
        double complex s = I * 2.0 * M_PI * hz;
        double half = M_PI * hz * PERIOD_S;

        /* The hold: sin(x)/x and half a sample; what it mirrors from beyond 1 kHz is nothing here. */
        return l->gain * cexp(-s * (l->delay * PERIOD_S)) / (s * (1.0 + s * l->lag_s)) *
               (sin(half) / half) * cexp(-I * half);
}

static double bisect(const struct loop *l, bool phase, double low, double high)
{
        for (int i = 0; i < 60; i++) {
                double hz = 0.5 * (low + high);
                double complex at = loop_at(l, hz);
                bool above = phase ? carg(-at) < M_PI && carg(-at) > 0.0 : cabs(at) > 1.0;

                *(above ? &low : &high) = hz;
        }
        return 0.5 * (low + high);
}

/* Closes the loop over `output`, disturbed from outside, with the stimulus added to what is fed back. */
static void fly(struct bench *b, struct loop *l, double disturbance, int repeats)
{
        struct chips chips = { .state = 1, .bits = 9, .tap = 5 };
        double r = 0.0, hum = 0.0;
        uint64_t seed = 3;
        int period = 511 * 10;

        memset(b, 0, sizeof *b);
        for (int n = 0; n < period * (repeats + 1); n++) {
                double u;

                if (n % 10 == 0)
                        r = next_chip(&chips);
                hum += 0.05 * (disturbance * noise(&seed) - hum);
                u = r + hum - loop_output(l);
                ck_assert(wave_add(&b->r, n * PERIOD_S, r) &&
                          wave_add(&b->u, n * PERIOD_S, u) &&
                          wave_add(&b->y, n * PERIOD_S, loop_output(l) - hum));
                loop_step(l, u);
        }
        ck_assert(response_begin(&b->response, 255, period * PERIOD_S, RESPONSE_WHOLE));
        for (int i = 1; i <= repeats; i++)
                ck_assert(response_add(&b->response, &b->r, &b->u, &b->y,
                                       i * period * PERIOD_S));
}

static const struct loop loops[] = {
        { .gain = 12.0, .lag_s = 0.02, .delay = 8 },
        { .gain = 25.0, .lag_s = 0.01, .delay = 4 },
        { .gain = 6.0, .lag_s = 0.05, .delay = 20 },
};

TEST_EACH(margins_of_a_known_loop_are_found, 3)
{
        struct loop l = loops[_i];
        double crossover_hz = bisect(&l, false, 0.01, 50.0);
        double turn_hz = bisect(&l, true, crossover_hz, 8.0 * crossover_hz);
        double margin_deg = 180.0 / M_PI * carg(-loop_at(&l, crossover_hz));
        struct response_margins m;
        struct bench b;

        fly(&b, &l, 0.1, 20);
        ck_assert(response_margins_jackknife(&b.response, &m));
        ck_assert(m.crosses && m.turns);
        ck_assert_double_eq_tol(m.crossover_hz, crossover_hz, 0.02 * crossover_hz);
        ck_assert_double_eq_tol(m.phase_margin_deg, margin_deg, 1.0);
        ck_assert_double_eq_tol(m.turn_hz, turn_hz, 0.03 * turn_hz);
        ck_assert_double_eq_tol(m.gain_margin_db,
                                -20.0 * log10(cabs(loop_at(&l, turn_hz))), 0.4);
        ck_assert_double_eq_tol(m.delay_margin_s, margin_deg / 360.0 / crossover_hz,
                                0.05 * m.delay_margin_s);
        ck_assert_double_le(m.phase_margin_se_deg, 1.0);
        /* The crossover scatters less than the phase does. */
        ck_assert_double_eq_tol(m.delay_margin_se_s,
                                m.phase_margin_se_deg / 360.0 / crossover_hz,
                                0.5 * m.delay_margin_se_s);
        bench_end(&b);
}

/* With ten times the disturbance the plain quotient S_yu / S_uu goes towards the inverse of the feedback, -1; the one with the
 * stimulus stays at the loop. */
TEST(noise_in_the_loop_does_not_bias_its_gain)
{
        struct loop l = loops[0];
        struct response_estimate e;
        double worst = 0.0, plain = 0.0;
        struct bench b;

        fly(&b, &l, 12.0, 60);
        ck_assert(response_estimate(&b.response, 0, 0, &e));
        for (int k = 2; k < 40; k++) {
                const struct response_line *line = &e.line[k];
                double complex yu = 0.0, wanted = loop_at(&l, line->hz);
                double uu = 0.0;

                for (int i = 0; i < b.response.segments; i++) {
                        size_t at = (size_t)(i * b.response.lines + k);

                        yu += b.response.y[at] * conj(b.response.u[at]);
                        uu += creal(b.response.u[at] * conj(b.response.u[at]));
                }
                worst += cabs(line->loop - wanted) / sqrt(line->loop_variance) / 38;
                plain += cabs(yu / uu - wanted) / sqrt(line->loop_variance) / 38;
                ck_assert_double_le(cabs(line->gain - line->loop), 1e-6);
        }
        /* Mean of a Rayleigh deviate with E z^2 = 1: sqrt(pi) / 2. */
        ck_assert_double_eq_tol(worst, 0.886, 0.25);
        ck_assert_double_ge(plain, 1.8);
        bench_end(&b);
}
