/* How range errors become position errors for a set of satellites: least squares on the lines of
 * sight. */
#include "models/world/satellites.h"

/* Below this share of the diagonal a pivot is rounding: the satellites lie on a cone. */
#define SINGULAR 1e-9

/* a = l l^T for the first n rows; false: not positive definite. */
static bool cholesky(const double a[4][4], double l[4][4], int n)
{
        for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++) {
                        double rest = a[i][j];

                        for (int k = 0; k < j; k++)
                                rest -= l[i][k] * l[j][k];
                        if (i != j)
                                l[i][j] = rest / l[j][j];
                        else if (rest > SINGULAR * a[i][i])
                                l[i][i] = sqrt(rest);
                        else
                                return false;
                }
        return true;
}

/* out = (l l^T)^-1, column by column: forwards, then backwards. */
static void invert(const double l[4][4], double out[4][4], int n)
{
        for (int column = 0; column < n; column++) {
                double x[4] = { 0.0 };

                for (int i = 0; i < n; i++) {
                        x[i] = i == column ? 1.0 : 0.0;
                        for (int k = 0; k < i; k++)
                                x[i] -= l[i][k] * x[k];
                        x[i] /= l[i][i];
                }
                for (int i = n - 1; i >= 0; i--) {
                        for (int k = i + 1; k < n; k++)
                                x[i] -= l[k][i] * x[k];
                        x[i] /= l[i][i];
                }
                for (int i = 0; i < n; i++)
                        out[i][column] = x[i];
        }
}

/* G's row for a satellite: how its range changes with each unknown. With a known height the three
 * unknowns are north, east, clock. */
static void design_row(const struct sky_satellite *s, int unknowns, double row[4])
{
        row[0] = -s->towards_ned.x;
        row[1] = -s->towards_ned.y;
        row[2] = unknowns == 4 ? -s->towards_ned.z : 1.0;
        row[3] = 1.0;
}

/* (G^T G)^-1, and with three unknowns the effect of a wrong height: the ranges do not change, so G
 * (north, east, clock) = (down parts of the lines of sight) down. */
static bool solve(struct sky *sky, int n, double inverse[4][4])
{
        double normal[4][4] = { { 0.0 } }, l[4][4] = { { 0.0 } }, pull[4] = { 0.0 };

        for (int s = 0; s < sky->count; s++) {
                double row[4];

                design_row(&sky->satellite[s], n, row);
                for (int i = 0; i < n; i++) {
                        pull[i] += row[i] * sky->satellite[s].towards_ned.z;
                        for (int j = 0; j < n; j++)
                                normal[i][j] += row[i] * row[j];
                }
        }
        if (!cholesky(normal, l, n))
                return false;
        invert(l, inverse, n);
        for (int i = 0; i < 2 && n == 3; i++)
                for (int j = 0; j < n; j++)
                        sky->hold[i] += inverse[i][j] * pull[j];
        return true;
}

/* Stores the Cholesky factor of the inverse, the covariance, at the places of the unknowns. */
static void spread_of(struct sky *sky, const double inverse[4][4], int n)
{
        static const int place[2][4] = { { 0, 1, 3, -1 }, { 0, 1, 2, 3 } };
        const int *at = place[n == 4];
        double l[4][4] = { { 0.0 } };

        if (!cholesky(inverse, l, n))
                return;
        for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++)
                        sky->spread[at[i]][at[j]] = l[i][j];
}

void satellites_geometry(struct sky *sky)
{
        int n = sky->count >= 4 ? 4 : 3;
        double inverse[4][4], north, east, down, clock;

        sky->gdop = sky->pdop = sky->hdop = sky->vdop = sky->tdop = 0.0;
        sky->hold[0] = sky->hold[1] = 0.0;
        for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                        sky->spread[i][j] = 0.0;
        if (sky->count < 3 || !solve(sky, n, inverse))
                return;
        north = inverse[0][0];
        east = inverse[1][1];
        down = n == 4 ? inverse[2][2] : 0.0;
        clock = inverse[n - 1][n - 1];
        sky->hdop = sqrt(north + east);
        sky->vdop = sqrt(down);
        sky->pdop = sqrt(north + east + down);
        sky->tdop = sqrt(clock);
        sky->gdop = sqrt(north + east + down + clock);
        spread_of(sky, inverse, n);
}
