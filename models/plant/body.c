#include "models/plant/body.h"

/* Sylvester's criterion on the leading minors. */
static bool positive_definite(const double m[3][3], double det)
{
        return m[0][0] > 0.0 && m[0][0] * m[1][1] - m[0][1] * m[1][0] > 0.0 && det > 0.0;
}

static bool symmetric(const double m[3][3])
{
        return m[0][1] == m[1][0] && m[0][2] == m[2][0] && m[1][2] == m[2][1];
}

static double determinant(const double m[3][3])
{
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* No principal moment exceeds the sum of the others exactly when tr(J)/2 E - J, the
 * second moment of the mass distribution, has no negative eigenvalue. A flat plate's is
 * 0: allow rounding. */
static bool triangle_holds(const double m[3][3])
{
        double trace = m[0][0] + m[1][1] + m[2][2];
        double s[3][3];

        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        s[i][j] = (i == j ? (0.5 + 1e-9) * trace : 0.0) - m[i][j];
        return positive_definite(s, determinant(s));
}

bool body_params_prepare(struct body_params *p)
{
        const double(*m)[3] = p->inertia_kgm2;
        double det = determinant(m);

        if (!(p->mass_kg > 0.0) || !symmetric(m) || !positive_definite(m, det) ||
            !(p->as_identified || triangle_holds(m)))
                return false;
        p->per_mass = 1.0 / p->mass_kg;
        p->principal = m[0][1] == 0.0 && m[0][2] == 0.0 && m[1][2] == 0.0;
        p->coupling = (struct vec3){ (m[1][1] - m[2][2]) / m[0][0],
                                     (m[2][2] - m[0][0]) / m[1][1],
                                     (m[0][0] - m[1][1]) / m[2][2] };
        for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                        int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3,
                            d = (i + 2) % 3;

                        p->inverse_kgm2[i][j] =
                                (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / det;
                }
        }
        return true;
}
