#include "models/plant/inertia.h"

static struct vec3 of_cuboid(double mass_kg, const double size_m[3])
{
        double x2 = size_m[0] * size_m[0], y2 = size_m[1] * size_m[1];
        double z2 = size_m[2] * size_m[2];

        return vec3_scale(mass_kg / 12.0, (struct vec3){ y2 + z2, x2 + z2, x2 + y2 });
}

/* m (R^2/4 + H^2/12) across, m R^2/2 along, with the square of a hole's radius added to R^2
 * (Gruber 4.1, erratum: docs/errata.md). */
static struct vec3 of_tube(double mass_kg, double radius_m, double hole_m,
                           double length_m)
{
        double square = radius_m * radius_m + hole_m * hole_m;
        double across = mass_kg * (square / 4.0 + length_m * length_m / 12.0);

        return (struct vec3){ across, across, mass_kg * square / 2.0 };
}

/* Density ~ 1/r, normalised to the mass (Gruber 4.1, erratum: docs/errata.md); across by the
 * theorem of perpendicular axes. */
static struct vec3 of_propeller(double mass_kg, double radius_m)
{
        double along = mass_kg * radius_m * radius_m / 3.0;

        return (struct vec3){ 0.5 * along, 0.5 * along, along };
}

struct vec3 inertia_of_part(const struct inertia_part *part)
{
        const double *size = part->size_m, m = part->mass_kg;
        double ball;

        switch (part->shape) {
        case INERTIA_POINT:
                break;
        case INERTIA_CUBOID:
                return of_cuboid(m, size);
        case INERTIA_CYLINDER:
                return of_tube(m, size[0], 0.0, size[1]);
        case INERTIA_TUBE:
                return of_tube(m, size[0], size[1], size[2]);
        case INERTIA_SPHERE:
                ball = 0.4 * m * size[0] * size[0];
                return (struct vec3){ ball, ball, ball };
        case INERTIA_PROPELLER:
                return of_propeller(m, size[0]);
        }
        return (struct vec3){ 0.0, 0.0, 0.0 };
}

/* m (|r|^2 E - r r^T): a point mass at r. */
static double of_point(double mass_kg, const double r[3], int i, int j)
{
        double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];

        return mass_kg * ((i == j ? square : 0.0) - r[i] * r[j]);
}

/* Exactly symmetric, whatever the rounding. */
static void mirror(double m[3][3])
{
        m[1][0] = m[0][1];
        m[2][0] = m[0][2];
        m[2][1] = m[1][2];
}

void inertia_add(struct inertia_sum *sum, const struct inertia_part *part)
{
        const struct vec3 own = inertia_of_part(part), pos = part->pos_m;
        const struct mat3 m = quat_to_mat3(part->q_part_to_body);
        const double turn[3][3] = { { m.x.x, m.x.y, m.x.z },
                                    { m.y.x, m.y.y, m.y.z },
                                    { m.z.x, m.z.y, m.z.z } };
        const double r[3] = { pos.x, pos.y, pos.z };

        sum->mass_kg += part->mass_kg;
        /* Mass times place until inertia_finish(). */
        sum->centre_m = vec3_axpy(sum->centre_m, part->mass_kg, pos);
        for (int i = 0; i < 3; i++)
                for (int j = i; j < 3; j++)
                        sum->about_origin_kgm2[i][j] += turn[i][0] * own.x * turn[j][0] +
                                                        turn[i][1] * own.y * turn[j][1] +
                                                        turn[i][2] * own.z * turn[j][2] +
                                                        of_point(part->mass_kg, r, i, j);
        mirror(sum->about_origin_kgm2);
}

void inertia_finish(struct inertia_sum *sum)
{
        double c[3];

        sum->centre_m = vec3_scale(1.0 / sum->mass_kg, sum->centre_m);
        c[0] = sum->centre_m.x;
        c[1] = sum->centre_m.y;
        c[2] = sum->centre_m.z;
        for (int i = 0; i < 3; i++)
                for (int j = i; j < 3; j++)
                        sum->about_centre_kgm2[i][j] = sum->about_origin_kgm2[i][j] -
                                                       of_point(sum->mass_kg, c, i, j);
        mirror(sum->about_centre_kgm2);
}
