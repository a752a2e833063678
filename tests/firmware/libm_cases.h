/* What the flight controller asks of the arithmetic, on inputs that firmware and host can both make up: for
 * a table of where two C libraries differ. */
#pragma once

#include <math.h>
#include <stdint.h>

#define LIBM_CASE_INPUTS 4000

struct libm_case {
        const char *name;
        double (*of)(double a, double b);
        double a_from, a_to, b_from, b_to;
};

static double libm_add(double a, double b)
{
        return a + b;
}

static double libm_multiply(double a, double b)
{
        return a * b;
}

static double libm_divide(double a, double b)
{
        return a / b;
}

static double libm_sqrt(double a, double b)
{
        (void)b;
        return sqrt(a);
}

static double libm_sin(double a, double b)
{
        (void)b;
        return sin(a);
}

static double libm_cos(double a, double b)
{
        (void)b;
        return cos(a);
}

static double libm_tan(double a, double b)
{
        (void)b;
        return tan(a);
}

static double libm_asin(double a, double b)
{
        (void)b;
        return asin(a);
}

static double libm_exp(double a, double b)
{
        (void)b;
        return exp(a);
}

static double libm_expm1(double a, double b)
{
        (void)b;
        return expm1(a);
}

static const struct libm_case libm_cases[] = {
        { "add", libm_add, -1e3, 1e3, -1.0, 1.0 },
        { "multiply", libm_multiply, -1e3, 1e3, -1.0, 1.0 },
        { "divide", libm_divide, -1e3, 1e3, -1.0, 1.0 },
        { "sqrt", libm_sqrt, 0.0, 1e5, 0.0, 0.0 },
        { "remainder", remainder, -1e3, 1e3, 0.1, 7.0 },
        { "hypot", hypot, -1e2, 1e2, -1e2, 1e2 },
        { "sin", libm_sin, -3.2, 3.2, 0.0, 0.0 },
        { "cos", libm_cos, -3.2, 3.2, 0.0, 0.0 },
        { "tan", libm_tan, -1.2, 1.2, 0.0, 0.0 },
        { "asin", libm_asin, -1.0, 1.0, 0.0, 0.0 },
        { "atan2", atan2, -10.0, 10.0, -10.0, 10.0 },
        { "exp", libm_exp, -5.0, 5.0, 0.0, 0.0 },
        { "expm1", libm_expm1, -1.0, 0.0, 0.0, 0.0 },
        { "pow", pow, 0.5, 1.5, 0.18, 0.2 },
};
#define LIBM_CASES (int)(sizeof libm_cases / sizeof *libm_cases)

/* Evenly spread, by D. E. Knuth's linear congruential generator (MMIX), upper 53 bits. */
static inline double libm_case_input(uint64_t *state, double from, double to)
{
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        return from + (to - from) * ((double)(*state >> 11) * 0x1p-53);
}

static inline double libm_case_result(const struct libm_case *c, uint64_t *state)
{
        double a = libm_case_input(state, c->a_from, c->a_to);
        double b = libm_case_input(state, c->b_from, c->b_to);

        return c->of(a, b);
}
