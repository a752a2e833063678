/* Rotors: what they have in common, and where they are: from "plus" or "x" and an arm, or from a list, to places and spins. */
#include "hil/config/vehicle/vehicle.h"

const char *const config_layout_names[] = { "plus", "x", "list", NULL };
const char *const config_spin_names[] = { "cw", "ccw", NULL };

static const struct config_field listed_fields[] = {
        { "at_m", CONFIG_OBJECT, "Its hub, from the centre of mass.", .was = "position_m",
          .table = &config_body_place_table, .offset = 0 },
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

static const struct config_field blades_fields[] = {
        { "count", CONFIG_INTEGER, "Blades of one rotor.", BETWEEN(1, 16),
          AT(vehicle_file, params.blades.blades) },
        { "chord_m", CONFIG_NUMBER, "Mean chord.", ABOVE(0), AT_MOST(1),
          AT(vehicle_file, params.blades.chord_m) },
        { "pitch_deg", CONFIG_NUMBER,
          "Pitch at the axis, where the blade's straight line ends; the mean pitch where "
          "no "
          "twist is known.",
          BETWEEN(-45, 60), .scale = RAD_PER_DEG,
          AT(vehicle_file, params.blades.pitch_rad) },
        { "twist_deg", CONFIG_NUMBER, "By how much the pitch falls from axis to tip.",
          BETWEEN(-45, 60), .scale = RAD_PER_DEG, .preset = "0",
          AT(vehicle_file, params.blades.twist_rad) },
        { "lift_slope_per_rad", CONFIG_NUMBER, "Lift coefficient over angle of attack.",
          ABOVE(0), AT_MOST(10), .preset = "5.7",
          AT(vehicle_file, params.blades.lift_slope) },
        { "drag_coefficient", CONFIG_NUMBER, "Of the blades' profile, a mean.",
          AT_LEAST(0), AT_MOST(1), .preset = "0.012",
          AT(vehicle_file, params.blades.drag_coefficient) },
        { "thrust_factor", CONFIG_NUMBER,
          "Fit to a bench test: multiplies the blades' lift, and with it thrust, induced "
          "torque and rolling moment.",
          ABOVE(0), AT_MOST(10), .preset = "1",
          AT(vehicle_file, params.blades.thrust_factor) },
        { "torque_factor", CONFIG_NUMBER,
          "Fit to a bench test: multiplies the blades' drag.", AT_LEAST(0), AT_MOST(100),
          .preset = "1", AT(vehicle_file, params.blades.torque_factor) },
        { NULL },
};

static const struct config_table blades_table = {
        .name = "blades",
        .about = "Rotor blades, from which blade elements and momentum theory find the "
                 "forces.",
        .field = blades_fields,
};

static const struct config_field vibration_fields[] = {
        { "order", CONFIG_WHOLE,
          "Multiple of the rotor's speed: 1 for an unbalance, the number of blades for "
          "their "
          "passing.",
          BETWEEN(1, 32), AT(vibration_harmonic, order) },
        { "force_n_per_radps2", CONFIG_VECTOR,
          "Amplitude at the hub over the square of the speed, along forward, right, "
          "down. An "
          "unbalance of m e (kg m) is m e, m e, 0.",
          BETWEEN(0, 1), .size = 3, AT(vibration_harmonic, force_n_per_radps2) },
        { "phase_deg", CONFIG_NUMBER, "Ahead of the first blade.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(vibration_harmonic, phase_rad) },
        { NULL },
};

static const struct config_table vibration_table = {
        .name = "vibration",
        .about = "One multiple of a rotor's speed at which it shakes the frame.",
        .field = vibration_fields,
};

static const struct config_field rotors_fields[] = {
        ROTOR_LAYOUT_FIELDS(vehicle_file, layout),
        { "thrust_n_per_radps2", CONFIG_NUMBER,
          "Thrust over the square of the speed, unless blades are given.", ABOVE(0),
          AT_MOST(1), .optional = true,
          AT(vehicle_file, params.rotor[0].thrust_n_per_radps2) },
        { "torque_nm_per_radps2", CONFIG_NUMBER,
          "Drag torque over the square of the speed, unless blades are given.",
          AT_LEAST(0), AT_MOST(1), .optional = true,
          AT(vehicle_file, params.rotor[0].torque_nm_per_radps2) },
        { "blades", CONFIG_OBJECT, "Instead of thrust and torque: the rotors' blades.",
          .table = &blades_table, .optional = true },
        { "radius_m", CONFIG_NUMBER,
          "Of one rotor. Left out: neither ground effect nor disk loading.", ABOVE(0),
          AT_MOST(10), .optional = true, AT(vehicle_file, params.rotor_radius_m) },
        { "inertia_kgm2", CONFIG_NUMBER,
          "Of one rotor about its axis, with what turns of the motor.", AT_LEAST(0),
          AT_MOST(10), .preset = "0", AT(vehicle_file, params.rotor[0].inertia_kgm2) },
        { "air_density_ref_kgpm3", CONFIG_NUMBER,
          "Air density at which thrust and torque were measured; blades need none.",
          ABOVE(0), AT_MOST(10), .preset = "1.225",
          AT(vehicle_file, params.rotor[0].air_density_ref_kgpm3) },
        { "vibration", CONFIG_OBJECTS,
          "How each rotor shakes the frame, as the IMU feels it.",
          .table = &vibration_table, .size = VIBRATION_HARMONICS_MAX,
          .stride = sizeof(struct vibration_harmonic), .preset = "[]",
          AT(vehicle_file, params.vibration.harmonic),
          .count = offsetof(struct vehicle_file, params.vibration.harmonics) },
        { NULL },
};

static const struct config_rule rotors_rules[] = {
        ROTOR_LAYOUT_RULES,
        { { "thrust_n_per_radps2", "torque_nm_per_radps2" },
          { "blades" },
          .must = CONFIG_ABSENT },
        { { "radius_m" }, { "blades" }, .must = CONFIG_THERE, .may = CONFIG_ABSENT },
        { { NULL } },
};

const struct config_table config_rotors_table = {
        .name = "rotors",
        .about = "Rotors: places, and what they have in common.",
        .field = rotors_fields,
        .rule = rotors_rules,
};

static double spin_of(int spin)
{
        return spin == SPIN_CW ? 1.0 : -1.0;
}

static void build_list(struct rotor_places *places, const struct rotor_layout_file *file)
{
        places->rotors = file->listed;
        for (int i = 0; i < file->listed; i++) {
                places->pos_body_m[i] = file->list[i].position_m;
                places->spin[i] = spin_of(file->list[i].spin);
        }
}

/* Directions in units of the arm. */
static const double plus[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
static const double diagonal[4][2] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };

void config_build_layout(struct rotor_places *places,
                         const struct rotor_layout_file *file)
{
        bool is_plus = file->layout == LAYOUT_PLUS;
        /* Gruber 3.9: front and back turn about +z, which is down. */
        double first = file->first_spin_given ? spin_of(file->first_spin)
                       : is_plus              ? 1.0
                                              : -1.0;
        double arm_m = is_plus ? file->arm_m : file->arm_m / sqrt(2.0);

        if (file->layout == LAYOUT_LIST) {
                build_list(places, file);
                return;
        }
        places->rotors = 4;
        for (int i = 0; i < 4; i++) {
                const double *way = is_plus ? plus[i] : diagonal[i];

                places->pos_body_m[i] =
                        (struct vec3){ way[0] * arm_m, way[1] * arm_m, 0.0 - file->up_m };
                places->spin[i] = i % 2 ? -first : first;
        }
}

void config_build_rotors(struct vehicle_params *p, const struct rotor_layout_file *file)
{
        struct rotor_places places;

        config_build_layout(&places, file);
        p->rotors = places.rotors;
        for (int i = 0; i < places.rotors; i++) {
                p->motor[i] = p->motor[0];
                p->rotor[i] = p->rotor[0];
                p->rotor[i].pos_body_m = places.pos_body_m[i];
                p->rotor[i].spin = places.spin[i];
        }
        if (p->blades.blades > 0)
                p->blades.radius_m = p->rotor_radius_m;
}
