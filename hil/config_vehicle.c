/* Vehicle files: mass, motors, rotors, drag, gear. Sensors are config_sensors.c's. */
#include "hil/config_kinds.h"

static const struct config_field inertia_fields[] = {
        { "xx", CONFIG_NUMBER, "Moment about the forward axis.", ABOVE(0), AT_MOST(1e4),
          AT(vehicle_file, inertia_kgm2.xx) },
        { "yy", CONFIG_NUMBER, "Moment about the right axis.", ABOVE(0), AT_MOST(1e4),
          AT(vehicle_file, inertia_kgm2.yy) },
        { "zz", CONFIG_NUMBER, "Moment about the down axis.", ABOVE(0), AT_MOST(1e4),
          AT(vehicle_file, inertia_kgm2.zz) },
        { "xy", CONFIG_NUMBER,
          "Element of the inertia matrix: minus the integral of x y dm.",
          BETWEEN(-1e4, 1e4), .preset = "0", AT(vehicle_file, inertia_kgm2.xy) },
        { "xz", CONFIG_NUMBER,
          "Element of the inertia matrix: minus the integral of x z dm.",
          BETWEEN(-1e4, 1e4), .preset = "0", AT(vehicle_file, inertia_kgm2.xz) },
        { "yz", CONFIG_NUMBER,
          "Element of the inertia matrix: minus the integral of y z dm.",
          BETWEEN(-1e4, 1e4), .preset = "0", AT(vehicle_file, inertia_kgm2.yz) },
        { "as_identified", CONFIG_BOOL,
          "The moments are what a fit to flights gave: take them although no rigid body "
          "has them.",
          .preset = "false", AT(vehicle_file, inertia_kgm2.as_identified) },
        { NULL },
};

static const struct config_table inertia_table = {
        .name = "inertia",
        .about = "Inertia matrix in body axes, about the centre of mass.",
        .field = inertia_fields,
};

static const struct config_field motor_fields[] = {
        { "tau_s", CONFIG_NUMBER, "Time constant from the command to the rotor's speed.",
          ABOVE(0), AT_MOST(10), AT(vehicle_file, motor.tau_s) },
        { "speed_full_rpm", CONFIG_NUMBER,
          "Steady speed that the full command asks for. Where a transfer function is "
          "known on "
          "scales of its own, multiply: a gain of 1.08 on a scale that ends at 4250 rpm "
          "(Gruber 4.14) is 4590.",
          ABOVE(0), AT_MOST(200000), .scale = RADPS_PER_RPM,
          AT(vehicle_file, motor.speed_full_radps) },
        { "speed_limit_rpm", CONFIG_NUMBER,
          "What the motor can reach; a command beyond it saturates.", ABOVE(0),
          AT_MOST(200000), .scale = RADPS_PER_RPM,
          AT(vehicle_file, motor.speed_limit_radps) },
        { NULL },
};

static const struct config_table motor_table = {
        .name = "motor",
        .about = "Motor with its speed controller, the same for every rotor.",
        .field = motor_fields,
};

static const struct config_field rotors_fields[] = {
        ROTOR_LAYOUT_FIELDS(vehicle_file, layout),
        { "thrust_n_per_radps2", CONFIG_NUMBER, "Thrust over the square of the speed.",
          ABOVE(0), AT_MOST(1), AT(vehicle_file, rotor.thrust_n_per_radps2) },
        { "torque_nm_per_radps2", CONFIG_NUMBER,
          "Drag torque over the square of the speed.", AT_LEAST(0), AT_MOST(1),
          AT(vehicle_file, rotor.torque_nm_per_radps2) },
        { "inertia_kgm2", CONFIG_NUMBER,
          "Of one rotor about its axis, with what turns of the motor.", AT_LEAST(0),
          AT_MOST(10), .preset = "0", AT(vehicle_file, rotor.inertia_kgm2) },
        { "air_density_ref_kgpm3", CONFIG_NUMBER,
          "Air density at which thrust and torque were measured.", ABOVE(0), AT_MOST(10),
          .preset = "1.225", AT(vehicle_file, rotor.air_density_ref_kgpm3) },
        { NULL },
};

static const struct config_table rotors_table = {
        .name = "rotors",
        .about = "Rotors: places, and what they have in common.",
        .field = rotors_fields,
};

static const struct config_field airframe_fields[] = {
        { "linear_drag_n_per_mps", CONFIG_VECTOR,
          "Force over airspeed along forward, right, down.", BETWEEN(0, 1e4), .size = 3,
          .preset = "[0, 0, 0]", AT(vehicle_file, airframe.linear_n_per_mps) },
        { "drag_area_m2", CONFIG_VECTOR,
          "Drag coefficient times area, seen along forward, right, down.",
          BETWEEN(0, 100), .size = 3, .preset = "[0, 0, 0]",
          AT(vehicle_file, airframe.quadratic_area_m2) },
        { "angular_damping_nm_per_radps", CONFIG_VECTOR,
          "Torque over rate about forward, right, down.", BETWEEN(0, 1e4), .size = 3,
          .preset = "[0, 0, 0]", AT(vehicle_file, airframe.angular_nm_per_radps) },
        { "angular_quadratic_nm_per_radps2", CONFIG_VECTOR,
          "Torque over the square of the rate about forward, right, down.",
          BETWEEN(0, 1e4), .size = 3, .preset = "[0, 0, 0]",
          AT(vehicle_file, airframe.angular_quadratic_nm_per_radps2) },
        { NULL },
};

static const struct config_table airframe_table = {
        .name = "airframe",
        .about = "Drag against the motion relative to the air.",
        .field = airframe_fields,
};

static const struct config_field vehicle_fields[] = {
        { "name", CONFIG_NAME, "What the vehicle is called.", .size = NAME_MAX_LEN,
          AT(vehicle_file, name) },
        { "mass_kg", CONFIG_NUMBER, "Take-off mass.", ABOVE(0), AT_MOST(1000),
          AT(vehicle_file, mass_kg) },
        { "inertia_kgm2", CONFIG_OBJECT, "Inertia matrix.", .table = &inertia_table },
        { "motor", CONFIG_OBJECT, "Motors.", .table = &motor_table },
        { "rotors", CONFIG_OBJECT, "Rotors.", .table = &rotors_table },
        { "airframe", CONFIG_OBJECT, "Drag of the airframe.", .table = &airframe_table,
          .preset = "{}" },
        { "gear_m", CONFIG_POINTS,
          "Points that touch the ground, from the centre of mass: forward, right, down.",
          BETWEEN(-10, 10), .least = 3, .size = CONTACT_POINTS_MAX,
          AT(vehicle_file, contact.point_body_m),
          .count = offsetof(struct vehicle_file, contact.points) },
        { "sensors", CONFIG_OBJECT, "Sensors.", .table = &config_sensors_table },
        { NULL },
};

const struct config_table config_vehicle_table = {
        .name = "vehicle",
        .kind = "vehicle",
        .about = "A vehicle and its sensors.",
        .field = vehicle_fields,
};

static void build_inertia(struct body_params *p, const struct vehicle_file *file)
{
        double xx = file->inertia_kgm2.xx, yy = file->inertia_kgm2.yy;
        double zz = file->inertia_kgm2.zz, xy = file->inertia_kgm2.xy;
        double xz = file->inertia_kgm2.xz, yz = file->inertia_kgm2.yz;
        const double m[3][3] = { { xx, xy, xz }, { xy, yy, yz }, { xz, yz, zz } };

        p->mass_kg = file->mass_kg;
        p->as_identified = file->inertia_kgm2.as_identified;
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        p->inertia_kgm2[i][j] = m[i][j];
}

static bool check_inertia(const struct body_params *p, const struct json *node,
                          struct config_error *why)
{
        struct body_params trial = *p;

        if (body_params_prepare(&trial))
                return true;
        return config_refuse_at(
                why, node, "inertia_kgm2",
                "cannot belong to a body: it must be positive definite, and no "
                "principal moment may exceed the sum of the other two");
}

bool config_build_vehicle(struct vehicle_params *p, const struct vehicle_file *file,
                          const struct json *node, struct config_error *why)
{
        struct rotor_places places;

        build_inertia(&p->body, file);
        if (!check_inertia(&p->body, node, why) ||
            !config_build_layout(&places, &file->layout, json_member(node, "rotors"),
                                 why))
                return false;
        p->rotors = places.rotors;
        for (int i = 0; i < places.rotors; i++) {
                p->motor[i] = file->motor;
                p->rotor[i] = file->rotor;
                p->rotor[i].pos_body_m = places.pos_body_m[i];
                p->rotor[i].spin = places.spin[i];
        }
        p->airframe = file->airframe;
        p->contact = file->contact;
        return config_build_sensors(&p->sensors, &file->sensors,
                                    json_member(node, "sensors"), why);
}
