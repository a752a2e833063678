/* Vectors that agree to a tolerance along each axis. */
#pragma once

#include <check.h>

#include "models/vec.h"

static inline void assert_near(struct vec3 a, struct vec3 b, double tol)
{
        ck_assert_double_eq_tol(a.x, b.x, tol);
        ck_assert_double_eq_tol(a.y, b.y, tol);
        ck_assert_double_eq_tol(a.z, b.z, tol);
}
