/* Vehicle files: mass, motors, drag, gear, hull. Rotors, parts, battery and sensors have files of
 * their own. */
#include "hil/config/vehicle/vehicle.h"

#include "models/plant/ground_effect.h"

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
          "The moments come from a fit to flights: accept them although no rigid body "
          "could have them.",
          .preset = "false", AT(vehicle_file, params.body.as_identified) },
        { NULL },
};

static const struct config_table inertia_table = {
        .name = "inertia",
        .about = "Inertia matrix in body axes, about the centre of mass.",
        .field = inertia_fields,
};

static const struct config_field motor_fields[] = {
        { "tau_s", CONFIG_NUMBER, "Time constant from the command to the rotor's speed.",
          ABOVE(0), AT_MOST(10), AT(vehicle_file, params.motor[0].tau_s) },
        { "tau_down_s", CONFIG_NUMBER,
          "The same where the rotor slows down. Left out: tau_s.", ABOVE(0), AT_MOST(10),
          .optional = true, AT(vehicle_file, params.motor[0].tau_down_s) },
        { "speed_full_rpm", CONFIG_NUMBER,
          "Steady speed that the full command asks for. Where a transfer function is "
          "known on "
          "scales of its own, multiply: a gain of 1.08 on a scale that ends at 4250 rpm "
          "(Gruber 4.14) is 4590.",
          ABOVE(0), AT_MOST(200000), .scale = RADPS_PER_RPM,
          AT(vehicle_file, params.motor[0].speed_full_radps) },
        { "speed_limit_rpm", CONFIG_NUMBER,
          "What the motor can reach; a command beyond it saturates.", ABOVE(0),
          AT_MOST(200000), .scale = RADPS_PER_RPM,
          AT(vehicle_file, params.motor[0].speed_limit_radps) },
        { "thrust_expo", CONFIG_NUMBER,
          "f, where thrust over the full one is f u^2 + (1 - f) u of the command u: "
          "ArduPilot's MOT_THST_EXPO, PX4's THR_MDL_FAC. 1: the speed goes with the "
          "command.",
          BETWEEN(-1, 1.5), .preset = "1", AT(vehicle_file, thrust_expo) },
        { "dead_band_percent", CONFIG_NUMBER,
          "Share of the full command below which the motor stands still.", BETWEEN(0, 50),
          .scale = 0.01, .preset = "0", AT(vehicle_file, params.motor[0].dead_band) },
        { "steps", CONFIG_WHOLE,
          "How many steps the speed controller divides the full command into: 255 with 8 "
          "bits. 0: not quantised.",
          BETWEEN(0, 1e6), .preset = "0", AT(vehicle_file, params.motor[0].steps) },
        { NULL },
};

static const struct config_table motor_table = {
        .name = "motor",
        .about = "Motor with its speed controller, the same for every rotor.",
        .field = motor_fields,
};

static const struct config_field airframe_fields[] = {
        { "linear_drag_n_per_mps", CONFIG_VECTOR,
          "Force over airspeed along forward, right, down.", BETWEEN(0, 1e4), .size = 3,
          .preset = "[0, 0, 0]", AT(vehicle_file, params.airframe.linear_n_per_mps) },
        { "drag_area_m2", CONFIG_VECTOR,
          "Drag coefficient times area, seen along forward, right, down.",
          BETWEEN(0, 100), .size = 3, .preset = "[0, 0, 0]",
          AT(vehicle_file, params.airframe.quadratic_area_m2) },
        { "angular_damping_nm_per_radps", CONFIG_VECTOR,
          "Torque over rate about forward, right, down.", BETWEEN(0, 1e4), .size = 3,
          .preset = "[0, 0, 0]", AT(vehicle_file, params.airframe.angular_nm_per_radps) },
        { "angular_quadratic_nm_per_radps2", CONFIG_VECTOR,
          "Torque over the square of the rate about forward, right, down.",
          BETWEEN(0, 1e4), .size = 3, .preset = "[0, 0, 0]",
          AT(vehicle_file, params.airframe.angular_quadratic_nm_per_radps2) },
        { NULL },
};

static const struct config_table airframe_table = {
        .name = "airframe",
        .about = "Drag against the motion relative to the air.",
        .field = airframe_fields,
};

static const struct config_field hull_fields[] = {
        { "at_m", CONFIG_OBJECT, "Its centre, from the centre of mass.",
          .table = &config_body_place_table, AT(hull_file, at_m) },
        { "radius_m", CONFIG_NUMBER, "Its radius.", ABOVE(0), AT_MOST(10),
          AT(hull_file, radius_m) },
        { NULL },
};

static const struct config_table hull_table = {
        .name = "hull_sphere",
        .about = "A sphere of the hull.",
        .field = hull_fields,
};

static const struct config_field box_fields[] = {
        { "at_m", CONFIG_OBJECT, "Its centre, from the centre of mass.",
          .was = "centre_m", .table = &config_body_place_table, .preset = "{}",
          AT(vehicle_file, box.centre_m) },
        { "size_m", CONFIG_VECTOR, "Length, width, height.", ABOVE(0), AT_MOST(20),
          .size = 3, AT(vehicle_file, box.size_m) },
        { NULL },
};

static const struct config_table box_table = {
        .name = "vehicle_box",
        .about = "A box along forward, right, down.",
        .field = box_fields,
};

/* Draws end at three standard deviations: factors stay positive. */
#define SCATTER(key, about, member)                                                      \
        {                                                                                \
                key, CONFIG_NUMBER, about, BETWEEN(0, 30),                               \
                        .scale = 0.01, .preset = "0",                                    \
                        AT(vehicle_file, params.tolerance.member)                        \
        }

static const struct config_field tolerance_fields[] = {
        SCATTER("speed_percent", "Of the speeds that motors reach.", speed_ratio),
        SCATTER("tau_percent", "Of their time constants.", tau_ratio),
        SCATTER("thrust_percent", "Of the rotors' thrust.", thrust_ratio),
        SCATTER("torque_percent", "Of their torque.", torque_ratio),
        { NULL },
};

static const struct config_table tolerance_table = {
        .name = "tolerance",
        .about = "Relative standard deviations, drawn once a run from its seed.",
        .field = tolerance_fields,
};

static const struct config_field vehicle_fields[] = {
        { "name", CONFIG_NAME, "What the vehicle is called.", .size = NAME_MAX_LEN,
          AT(vehicle_file, name) },
        { "mass_kg", CONFIG_NUMBER,
          "Take-off mass. With parts it may be left out and is their sum.", ABOVE(0),
          AT_MOST(1000), .optional = true, AT(vehicle_file, mass_kg) },
        { "inertia_kgm2", CONFIG_OBJECT, "Inertia matrix, unless parts are given.",
          .table = &inertia_table, .optional = true },
        { "parts", CONFIG_OBJECTS,
          "Instead of inertia_kgm2: the parts that the vehicle consists of; their centre "
          "of mass must lie within 1 mm of the origin.",
          .table = &config_part_table, .least = 1, .size = PARTS_MAX,
          .stride = sizeof(struct part_file), .optional = true,
          AT(vehicle_file, parts.part),
          .count = offsetof(struct vehicle_file, parts.count) },
        { "battery", CONFIG_OBJECT, "Battery. Left out: the supply is ideal.",
          .table = &config_battery_table, .optional = true, AT(vehicle_file, battery) },
        { "motor", CONFIG_OBJECT, "Motors.", .table = &motor_table },
        { "rotors", CONFIG_OBJECT, "Rotors.", .table = &config_rotors_table },
        { "airframe", CONFIG_OBJECT, "Drag of the airframe.", .table = &airframe_table,
          .preset = "{}" },
        { "gear_m", CONFIG_OBJECTS,
          "Points that touch the ground, relative to the centre of mass.",
          .table = &config_body_place_table, .least = 3, .size = CONTACT_POINTS_MAX,
          .stride = sizeof(struct vec3), AT(vehicle_file, params.contact.point_body_m),
          .count = offsetof(struct vehicle_file, params.contact.points) },
        { "hull", CONFIG_OBJECTS,
          "Spheres that touch like the points of gear_m; both together at most 16.",
          .table = &hull_table, .size = CONTACT_POINTS_MAX,
          .stride = sizeof(struct hull_file), .preset = "[]", AT(vehicle_file, sphere),
          .count = offsetof(struct vehicle_file, hull) },
        { "box", CONFIG_OBJECT,
          "The vehicle as a box, for regions of moving air and force. Left out: the "
          "smallest box around gear, hull and rotors.",
          .table = &box_table, .optional = true },
        { "tolerance", CONFIG_OBJECT,
          "How much motors and rotors scatter about their nominal values.",
          .table = &tolerance_table, .preset = "{}" },
        { "sensors", CONFIG_OBJECT, "Sensors.", .table = &config_sensors_table },
        { NULL },
};

static const struct config_rule vehicle_rules[] = {
        { { "inertia_kgm2" }, { "parts" }, .must = CONFIG_ABSENT },
        { { "mass_kg" }, { "parts" }, .must = CONFIG_ABSENT, .may = CONFIG_THERE },
        { { NULL } },
};

const struct config_table config_vehicle_table = {
        .name = "vehicle",
        .kind = "vehicle",
        .about = "A vehicle and its sensors.",
        .field = vehicle_fields,
        .rule = vehicle_rules,
};

static bool build_inertia(struct body_params *p, const struct vehicle_file *file,
                          const struct json *node, struct config_error *why)
{
        double xx = file->inertia_kgm2.xx, yy = file->inertia_kgm2.yy;
        double zz = file->inertia_kgm2.zz, xy = file->inertia_kgm2.xy;
        double xz = file->inertia_kgm2.xz, yz = file->inertia_kgm2.yz;
        const double m[3][3] = { { xx, xy, xz }, { xy, yy, yz }, { xz, yz, zz } };

        if (file->parts.count > 0)
                return config_build_parts(p, &file->parts, file->mass_kg, node, why);
        p->mass_kg = file->mass_kg;
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        p->inertia_kgm2[i][j] = m[i][j];
        return true;
}

static bool check_inertia(const struct body_params *p, const char *key,
                          const struct json *node, struct config_error *why)
{
        struct body_params trial = *p;

        if (body_params_prepare(&trial))
                return true;
        return config_refuse_at(
                why, node, key,
                "cannot belong to a body: it must be positive definite, and no "
                "principal moment may exceed the sum of the other two");
}

/* Points of the gear, then spheres of the hull. */
static bool build_contact(struct contact_params *p, const struct vehicle_file *file,
                          const struct json *node, struct config_error *why)
{
        if (p->points + file->hull > CONTACT_POINTS_MAX)
                return config_refuse_at(why, node, "hull",
                                        "must have at most %d entries beside those of "
                                        "gear_m, has %d",
                                        CONTACT_POINTS_MAX - p->points, file->hull);
        for (int i = 0; i < file->hull; i++) {
                p->point_body_m[p->points] = file->sphere[i].at_m;
                p->radius_m[p->points] = file->sphere[i].radius_m;
                p->points++;
        }
        return true;
}

struct extent {
        struct vec3 low, high;
};

static void stretch_extent(struct extent *e, struct vec3 at, double across, double up)
{
        e->low =
                (struct vec3){ fmin(e->low.x, at.x - across),
                               fmin(e->low.y, at.y - across), fmin(e->low.z, at.z - up) };
        e->high = (struct vec3){ fmax(e->high.x, at.x + across),
                                 fmax(e->high.y, at.y + across),
                                 fmax(e->high.z, at.z + up) };
}

/* Gear, hull and the rotors' disks; never flat, since regions ask for a share of its volume. */
static struct extent extent_of(const struct vehicle_params *p)
{
        const double least_m = 0.005;
        struct extent e = { { -least_m, -least_m, -least_m },
                            { least_m, least_m, least_m } };

        for (int i = 0; i < p->contact.points; i++)
                stretch_extent(&e, p->contact.point_body_m[i], p->contact.radius_m[i],
                               p->contact.radius_m[i]);
        for (int i = 0; i < p->rotors; i++)
                stretch_extent(&e, p->rotor[i].pos_body_m, p->rotor_radius_m, 0.0);
        return e;
}

static void build_surroundings(struct vehicle_params *p, const struct vehicle_file *file)
{
        struct surroundings_params *s = &p->surroundings;
        struct extent e = extent_of(p);
        double hub_m = 0.0;

        if (file->box.size_m.x > 0.0)
                e = (struct extent){
                        vec3_axpy(file->box.centre_m, -0.5, file->box.size_m),
                        vec3_axpy(file->box.centre_m, 0.5, file->box.size_m)
                };
        s->box_centre_body_m = vec3_scale(0.5, vec3_add(e.low, e.high));
        s->box_half_m = vec3_scale(0.5, vec3_sub(e.high, e.low));
        s->ground_effect_m = 0.0;
        /* However it is turned, a hub may be lower than the centre of mass by its distance. */
        for (int i = 0; i < p->rotors; i++)
                hub_m = fmax(hub_m, vec3_norm(p->rotor[i].pos_body_m));
        if (p->rotor_radius_m > 0.0)
                s->ground_effect_m = GROUND_EFFECT_RADII * p->rotor_radius_m + hub_m;
}

bool config_build_vehicle(struct vehicle_params *p, const struct vehicle_file *file,
                          const struct json *node, struct config_error *why)
{
        *p = file->params;
        p->motor[0].thrust_linear = 1.0 - file->thrust_expo;
        if (!build_inertia(&p->body, file, node, why) ||
            !check_inertia(&p->body, file->parts.count > 0 ? "parts" : "inertia_kgm2",
                           node, why))
                return false;
        config_build_rotors(p, &file->layout);
        if (!build_contact(&p->contact, file, node, why) ||
            !config_build_battery(&p->battery, &file->battery,
                                  json_member(node, "battery"), why))
                return false;
        build_surroundings(p, file);
        return config_build_sensors(&p->sensors, &file->sensors,
                                    json_member(node, "sensors"), why);
}
