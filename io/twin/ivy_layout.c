/* Source of names, units and coefficients: Paparazzi's message_definitions/v1.0/messages.xml. */
#include "io/twin/ivy_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAD_PER_DEG   (M_PI / 180.0)
#define FULL_THRUST   9600.0 /* MAX_PPRZ */
#define FRACTION_BITS 32 /* of fixed-point numbers, at most */

enum dimension { LENGTH, SPEED, ANGLE, RATIO };

static const struct unit {
        const char *name;
        enum dimension of;
        double scale; /* to m, m/s, rad, 1 */
} units[] = {
        { "m", LENGTH, 1.0 },
        { "cm", LENGTH, 0.01 },
        { "mm", LENGTH, 0.001 },
        { "m/s", SPEED, 1.0 },
        { "cm/s", SPEED, 0.01 },
        { "mm/s", SPEED, 0.001 },
        { "rad", ANGLE, 1.0 },
        { "deg", ANGLE, RAD_PER_DEG },
        { "decideg", ANGLE, 0.1 * RAD_PER_DEG },
        { "%", RATIO, 0.01 },
};

static const char *const unit_names[] = {
        [LENGTH] = "m, cm or mm",
        [SPEED] = "m/s, cm/s or mm/s",
        [ANGLE] = "rad, deg or decideg",
        [RATIO] = "% or none",
};

static const struct quantity {
        enum ivy_quantity is;
        enum dimension of;
        const char *name[3];
} quantities[] = {
        { IVY_EAST, LENGTH, { "east" } },
        { IVY_NORTH, LENGTH, { "north" } },
        { IVY_UP, LENGTH, { "up" } },
        { IVY_EAST_SPEED, SPEED, { "veast" } },
        { IVY_NORTH_SPEED, SPEED, { "vnorth" } },
        { IVY_UP_SPEED, SPEED, { "vup" } },
        { IVY_ROLL, ANGLE, { "phi", "roll" } },
        { IVY_PITCH, ANGLE, { "theta", "pitch" } },
        { IVY_YAW, ANGLE, { "psi", "yaw" } },
        { IVY_THRUST, RATIO, { "thrust", "throttle" } },
        { IVY_HEIGHT, LENGTH, { "height" } },
};

static const struct quantity *find_quantity(const char *name)
{
        for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++)
                for (int k = 0; k < 3 && quantities[i].name[k] != NULL; k++)
                        if (strcmp(quantities[i].name[k], name) == 0)
                                return &quantities[i];
        return NULL;
}

static const struct unit *find_unit(const char *name, enum dimension of)
{
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
                if (units[i].of == of && strcmp(units[i].name, name) == 0)
                        return &units[i];
        return NULL;
}

/* Its digits from the first that is not 0. */
static int significant(const char *digits)
{
        const char *first = digits + strspn(digits, "0.");

        return (int)strspn(first, "0123456789.") - (strchr(first, '.') != NULL);
}

/* The coefficient of a fixed-point number is a power of two, written with few digits: 0.0000019 for 2^-19 is off by 0.4 %.
 * Where rounding the power gives these digits, the power is meant. */
static double unround(const char *digits, double unit)
{
        const char *point = strchr(digits, '.');
        int decimals = point ? (int)strspn(point + 1, "0123456789") : 0;
        double value = strtod(digits, NULL), most = 0.5000001 * pow(10.0, -decimals);

        for (int bits = 1; significant(digits) > 1 && bits <= FRACTION_BITS; bits++) {
                double exact = ldexp(1.0, -bits) / unit;

                if (fabs(exact - value) <= most)
                        return exact;
        }
        return value;
}

bool ivy_field_make(struct ivy_field *f, const struct ivy_field_text *text,
                    const char **expected)
{
        const struct quantity *q = find_quantity(text->name);
        bool scaled = text->alt_unit != NULL && text->alt_unit_coef != NULL;
        const char *unit = scaled ? text->alt_unit : text->unit;
        const struct unit *in;
        char *end;

        *f = (struct ivy_field){ IVY_OTHER, 1.0 };
        if (q == NULL)
                return true;
        *expected = unit_names[q->of];
        f->is = q->is;
        f->scale = 1.0 / FULL_THRUST;
        if (q->of == RATIO && unit == NULL)
                return true;
        in = find_unit(unit ? unit : "", q->of);
        if (in == NULL)
                return false;
        f->scale = in->scale;
        if (!scaled)
                return true;
        *expected = "with an alt_unit_coef above 0";
        if (!(strtod(text->alt_unit_coef, &end) > 0.0) || *end != '\0')
                return false;
        f->scale *= text->type != NULL && strstr(text->type, "int") != NULL
                            ? unround(text->alt_unit_coef, in->scale)
                            : strtod(text->alt_unit_coef, NULL);
        return isfinite(f->scale);
}

uint32_t ivy_layout_says(const struct ivy_layout *l)
{
        static const struct {
                uint32_t said;
                enum ivy_quantity first, last;
        } wholes[] = { { TWIN_POSITION, IVY_EAST, IVY_UP },
                       { TWIN_VELOCITY, IVY_EAST_SPEED, IVY_UP_SPEED },
                       { TWIN_ATTITUDE, IVY_ROLL, IVY_YAW },
                       { TWIN_THROTTLE, IVY_THRUST, IVY_THRUST },
                       { TWIN_HEIGHT, IVY_HEIGHT, IVY_HEIGHT } };
        uint32_t has = 0, said = 0;

        for (int i = 0; i < l->fields; i++)
                has |= 1u << l->field[i].is;
        for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
                uint32_t all = (2u << wholes[i].last) - (1u << wholes[i].first);

                said |= (has & all) == all ? wholes[i].said : 0;
        }
        return said;
}

void ivy_layouts_init(struct ivy_layouts *l)
{
        static const double per_m = 0x1p-8, per_mps = 0x1p-19, per_rad = 0x1p-12;

        *l = (struct ivy_layouts){
                .of = { { "ROTORCRAFT_FP",
                          15,
                          { { IVY_EAST, per_m },
                            { IVY_NORTH, per_m },
                            { IVY_UP, per_m },
                            { IVY_EAST_SPEED, per_mps },
                            { IVY_NORTH_SPEED, per_mps },
                            { IVY_UP_SPEED, per_mps },
                            { IVY_ROLL, per_rad },
                            { IVY_PITCH, per_rad },
                            { IVY_YAW, per_rad },
                            { IVY_OTHER, 1.0 },
                            { IVY_OTHER, 1.0 },
                            { IVY_OTHER, 1.0 },
                            { IVY_OTHER, 1.0 },
                            { IVY_THRUST, 1.0 / FULL_THRUST },
                            { IVY_OTHER, 1.0 } } },
                        { "ATTITUDE",
                          3,
                          { { IVY_ROLL, 1.0 }, { IVY_YAW, 1.0 }, { IVY_PITCH, 1.0 } } },
                        { "FINKEN_ROTORCRAFT_FP", 0, { { IVY_OTHER, 0.0 } } } }
        };
}

int ivy_fleet_find(const struct ivy_fleet *f, const char *name)
{
        for (int i = 0; i < f->count; i++)
                if (strcmp(f->aircraft[i].name, name) == 0)
                        return f->aircraft[i].id;
        return 0;
}

bool ivy_fleet_has(const struct ivy_fleet *f, int id)
{
        for (int i = 0; i < f->count; i++)
                if (f->aircraft[i].id == id)
                        return true;
        return false;
}
