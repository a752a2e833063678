/* Settings of the reference flight controller by name. */
#include <string.h>

#include "models/fc/option.h"

#include "tests/suites.h"

static bool set_mass(struct fc *fc, struct fc_params *p, const struct fc_params *given,
                     const char *value)
{
        (void)fc;
        if (value[0] == '\0')
                p->mass_kg = given->mass_kg;
        else if (strcmp(value, "heavy") == 0)
                p->mass_kg = 9.0;
        else
                return false;
        return true;
}

static const char *const masses[] = { "heavy", NULL };
static const struct fc_option_row rows[] = { { "mass", masses, set_mass },
                                             { NULL, NULL, NULL } };

TEST(an_option_is_set_and_taken_back_by_its_name)
{
        const struct fc_params given = { .mass_kg = 1.5 };
        struct fc_params p = given;
        struct fc fc = { .failsafe = false };

        ck_assert(fc_option_set(rows, &fc, &p, &given, "mass", "heavy"));
        ck_assert_double_eq(p.mass_kg, 9.0);
        ck_assert(!fc_option_set(rows, &fc, &p, &given, "mass", "light"));
        ck_assert(!fc_option_set(rows, &fc, &p, &given, "mas", "heavy"));
        ck_assert(!fc_option_set(rows, &fc, &p, &given, "", ""));
        ck_assert_double_eq(p.mass_kg, 9.0);
        ck_assert(fc_option_set(rows, &fc, &p, &given, "mass", ""));
        ck_assert_double_eq(p.mass_kg, 1.5);
}

TEST(an_unknown_key_is_refused)
{
        const struct fc_params given = { .mass_kg = 1.5 };
        struct fc_params p = given;
        struct fc fc = { .failsafe = false };

        ck_assert(!fc_option(&fc, &p, &given, "colour", "red"));
        ck_assert(!fc_option(&fc, &p, &given, "colour", ""));
        ck_assert_mem_eq(&p, &given, sizeof p);
}
