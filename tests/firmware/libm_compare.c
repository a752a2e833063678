/* libm_compare ULPS: what libm_probe says, on standard input, against this C library: a line for each
 * function, and exit status 1 where they are further apart than ULPS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/firmware/libm_cases.h"

/* How many doubles lie between the two. */
static uint64_t ulps(double a, double b)
{
        int64_t i, k;

        memcpy(&i, &a, sizeof i);
        memcpy(&k, &b, sizeof k);
        if ((i < 0) != (k < 0))
                return a == b ? 0 : UINT64_MAX;
        return (uint64_t)(i > k ? i - k : k - i);
}

/* The most ulps between two results; UINT64_MAX: its end came too early. */
static uint64_t compare(const struct libm_case *c, uint64_t *state)
{
        uint64_t most = 0;
        int differ = 0;

        for (int i = 0; i < LIBM_CASE_INPUTS; i++) {
                double here = libm_case_result(c, state), there;
                uint64_t apart;

                if (fread(&there, sizeof there, 1, stdin) != 1) {
                        printf("%s: the probe ended after %d results\n", c->name, i);
                        return UINT64_MAX;
                }
                apart = ulps(here, there);
                differ += apart > 0;
                if (apart > most)
                        most = apart;
        }
        printf("%-9s %5d of %d differ, %llu ulp at most\n", c->name, differ,
               LIBM_CASE_INPUTS, (unsigned long long)most);
        return most;
}

int main(int argc, char **argv)
{
        uint64_t allowed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, state = 1;
        int status = 0;

        for (int c = 0; c < LIBM_CASES; c++)
                if (compare(&libm_cases[c], &state) > allowed)
                        status = 1;
        return status;
}
