/* Rotor layouts: from "plus" or "x" and an arm, or from a list, to places and spins. */
#include "hil/config_kinds.h"

const char *const config_layout_names[] = { "plus", "x", "list", NULL };
const char *const config_spin_names[] = { "cw", "ccw", NULL };

static const struct config_field listed_fields[] = {
        { "position_m", CONFIG_VECTOR,
          "Hub from the centre of mass: forward, right, down.", BETWEEN(-10, 10),
          .size = 3, .offset = 0 },
        { "spin", CONFIG_CHOICE, "Sense seen from above.", .names = config_spin_names,
          .offset = offsetof(struct rotor_layout_file, list[0].spin) -
                    offsetof(struct rotor_layout_file, list[0]) },
        { NULL },
};

const struct config_table config_rotor_listed_table = {
        .name = "rotor_listed",
        .about = "One rotor.",
        .field = listed_fields,
};

static double spin_of(int spin)
{
        return spin == SPIN_CW ? 1.0 : -1.0;
}

static bool build_list(struct rotor_places *places, const struct rotor_layout_file *file,
                       const struct json *node, struct config_error *why)
{
        const char *shadowed = file->arm_given          ? "arm_m"
                               : file->up_given         ? "up_m"
                               : file->first_spin_given ? "first_spin"
                                                        : NULL;

        if (!file->list_given)
                return config_refuse(
                        why, node, "list",
                        "is required, and missing, with \"layout\": \"list\"");
        if (shadowed)
                return config_refuse_at(why, node, shadowed,
                                        "means nothing with \"layout\": \"list\"");
        places->rotors = file->listed;
        for (int i = 0; i < file->listed; i++) {
                places->pos_body_m[i] = file->list[i].position_m;
                places->spin[i] = spin_of(file->list[i].spin);
        }
        return true;
}

/* Directions in units of the arm. */
static const double plus[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
static const double diagonal[4][2] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };

bool config_build_layout(struct rotor_places *places,
                         const struct rotor_layout_file *file, const struct json *node,
                         struct config_error *why)
{
        bool is_plus = file->layout == LAYOUT_PLUS;
        /* Gruber 3.9: front and back turn about +z, which is down. */
        double first = is_plus ? 1.0 : -1.0;
        double arm_m = is_plus ? file->arm_m : file->arm_m / sqrt(2.0);

        if (file->layout == LAYOUT_LIST)
                return build_list(places, file, node, why);
        if (file->list_given)
                return config_refuse(why, json_member(node, "list"), NULL,
                                     "means nothing without \"layout\": \"list\"");
        if (!file->arm_given)
                return config_refuse(why, node, "arm_m",
                                     "is required, and missing, with this layout");
        if (file->first_spin_given)
                first = spin_of(file->first_spin);
        places->rotors = 4;
        for (int i = 0; i < 4; i++) {
                const double *way = is_plus ? plus[i] : diagonal[i];

                places->pos_body_m[i] =
                        (struct vec3){ way[0] * arm_m, way[1] * arm_m, 0.0 - file->up_m };
                places->spin[i] = i % 2 ? -first : first;
        }
        return true;
}
