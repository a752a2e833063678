/* Sonars: single units, rings of them, and the parts that they are. */
#include "hil/config/vehicle/sensors.h"

#define TURN_RAD 6.28318530717958648

/* A part's own numbers have defaults; what stands beside a part replaces its numbers. */
#define PART(x) .preset = (x)
#define OVER(x) .optional = true

/* clang-format off */
#define PLACE_FIELDS                                                                    \
        CONFIG_RATE_AND_PHASE(sonar_file, params.schedule),                             \
        CONFIG_DELAY(sonar_file, params.schedule, 1000000),                             \
        { "at_m", CONFIG_OBJECT,                                                        \
          "Where it is, from the centre of mass; of a ring its centre.",                \
          .was = "lever_arm_m", .table = &config_body_place_table, .preset = "{}",      \
          AT(sonar_file, params.lever_arm_body_m) },                                    \
        { "axis", CONFIG_VECTOR,                                                        \
          "Direction of the beam in body axes, of any length but 0. A ring's point "    \
          "outwards instead.", BETWEEN(-1, 1), .size = 3, .preset = "[0, 0, 1]",        \
          AT(sonar_file, params.axis_body) },                                           \
        { "crosstalk", CONFIG_BOOL,                                                     \
          "Mistakes pings of other units that have it too, on any vehicle, for its "    \
          "own. Left out: only in a ring.", .optional = true,                           \
          AT(sonar_file, params.crosstalk) },                                           \
        { "part", CONFIG_OBJECT, "Which part it is, or the name of its file.",          \
          .table = &config_sonar_part_table, .preset = "{}" }

#define SOUND_FIELDS(OR)                                                                \
        { "opening_deg", CONFIG_NUMBER,                                                 \
          "Full angle of the cone, between the directions of half the power. 0: a "     \
          "single ray along the axis.", AT_LEAST(0), AT_MOST(170),                      \
          .scale = RAD_PER_DEG, OR("0"), AT(sonar_file, params.opening_rad) },          \
        { "rays", CONFIG_INTEGER, "How many rays sample the cone.",                     \
          BETWEEN(1, SONAR_RAYS_MAX), OR("25"), AT(sonar_file, params.rays) },          \
        { "beam_max_m", CONFIG_NUMBER,                                                  \
          "Nothing echoes from farther away. Required here or in the part.", ABOVE(0),  \
          AT_MOST(1000), .optional = true, AT(sonar_file, params.beam_max_m) },         \
        { "reported_min_m", CONFIG_NUMBER, "Smallest reading.", BETWEEN(0, 1000),       \
          OR("0"), AT(sonar_file, range.min) },                                         \
        { "reported_max_m", CONFIG_NUMBER,                                              \
          "Largest reading, and what it says when nothing echoes. Required here or in " \
          "the part.", ABOVE(0), AT_MOST(1000), .optional = true,                       \
          AT(sonar_file, range.max) },                                                  \
        { "bias_m", CONFIG_NUMBER, "Constant offset.", BETWEEN(-100, 100), OR("0"),     \
          AT(sonar_file, range.bias) },                                                 \
        { "sigma_m", CONFIG_NUMBER, "Standard deviation of one sample.",                \
          BETWEEN(0, 100), OR("0"), AT(sonar_file, range.sigma) },                      \
        { "lsb_m", CONFIG_NUMBER, "Step of the output, rounded to 1 nm.",               \
          AT_LEAST(1e-6), AT_MOST(4), OR("0.001"), AT(sonar_file, range.lsb) },         \
        { "frequency_khz", CONFIG_NUMBER,                                               \
          "Of its sound: units of one frequency mistake each other\'s pings for their " \
          "own, where they have crosstalk.", BETWEEN(1, 1000), .scale = 1e3, OR("40"),  \
          AT(sonar_file, params.frequency_hz) },                                        \
        { "incidence_max_deg", CONFIG_NUMBER,                                           \
          "No echo from a surface hit at a larger angle to its normal.", ABOVE(0),      \
          AT_MOST(90), .scale = RAD_PER_DEG, OR("30"),                                  \
          AT(sonar_file, params.incidence_max_rad) },                                   \
        { "echo_margin_db", CONFIG_NUMBER,                                              \
          "How far the echo of a flat, hard wall 1 m ahead is above what is just "      \
          "heard; with distance, absorption, angle and a softer surface it fades. "     \
          "Left out: every echo is heard.", ABOVE(0), AT_MOST(200), .optional = true,   \
          AT(sonar_file, params.margin_db) },                                           \
        { "absorption_db_per_m", CONFIG_NUMBER,                                         \
          "Attenuation by a metre of air, for echo_margin_db.",                         \
          BETWEEN(0, 20), OR("1.3"), AT(sonar_file, params.absorption_dbpm) },          \
        { "speed_of_sound_mps", CONFIG_NUMBER,                                          \
          "With which the part turns a time into a distance. Left out: the true "       \
          "one, which depends on the temperature.", BETWEEN(300, 400),                  \
          .optional = true, AT(sonar_file, params.assumed_mps) }
/* clang-format on */

static const struct config_field part_fields[] = {
        SOUND_FIELDS(PART),
        { NULL },
};

const struct config_table config_sonar_part_table = {
        .name = "sonar_part",
        .kind = "sonar_part",
        .about = "A sonar range finder as its data sheet describes it.",
        .field = part_fields,
};

static const struct config_field ring_fields[] = {
        { "count", CONFIG_INTEGER,
          "Units, evenly spread: the first half a step to the right of forward.",
          BETWEEN(1, SONARS_MAX), AT(sonar_file, ring.count) },
        { "radius_m", CONFIG_NUMBER, "Radius of the circle on which they stand.",
          BETWEEN(0, 10), .preset = "0", AT(sonar_file, ring.radius_m) },
        { "stagger", CONFIG_BOOL,
          "They ping one after the other, evenly over the period, not all at once.",
          .preset = "true", AT(sonar_file, ring.stagger) },
        { NULL },
};

static const struct config_table ring_table = {
        .name = "sonar_ring",
        .about = "Several of the same kind in a circle, pointing outwards.",
        .field = ring_fields,
};

/* The part comes before what is different from it. */
static const struct config_field sonar_fields[] = {
        PLACE_FIELDS,
        SOUND_FIELDS(OVER),
        { NULL },
};

const struct config_table config_sonar_table = {
        .name = "sonar",
        .about = "Sonar range finder.",
        .field = sonar_fields,
};

static const struct config_field listed_fields[] = {
        PLACE_FIELDS,
        SOUND_FIELDS(OVER),
        { "ring", CONFIG_OBJECT, "Several units in a circle. Left out: a single one.",
          .table = &ring_table, .optional = true },
        { NULL },
};

const struct config_table config_sonar_listed_table = {
        .name = "sonar_listed",
        .about = "A sonar range finder, or a ring of them.",
        .field = listed_fields,
};

static bool check_given(double value, const char *key, const struct json *at,
                        struct config_error *why)
{
        return value > 0.0 ||
               config_refuse(why, at, key,
                             "is required, and missing, here and in the part");
}

static bool check_sonar(const struct sonar_file *file, const struct json *at,
                        struct config_error *why)
{
        if (!check_given(file->params.beam_max_m, "beam_max_m", at, why) ||
            !check_given(file->range.max, "reported_max_m", at, why))
                return false;
        if (!config_check_schedule_at(&file->params.schedule, at, why))
                return false;
        if (!(vec3_norm(file->params.axis_body) > 1e-3))
                return config_refuse_at(why, at, "axis", "must have a direction");
        if (!(file->range.min < file->range.max))
                return config_refuse_at(
                        why, at, "reported_min_m",
                        "must be less than reported_max_m, which is %.15g",
                        file->range.max);
        return true;
}

static void build_unit(struct sonar_unit_params *u, const struct sonar_file *file,
                       const struct json *item)
{
        double length = vec3_norm(file->params.axis_body);

        *u = file->params;
        u->axis_body.x /= length;
        u->axis_body.y /= length;
        u->axis_body.z /= length;
        if (!config_member(item, "crosstalk"))
                u->crosstalk = file->ring.count > 0;
        config_build_scalar(&u->range, &file->range);
}

/* psi = 2 pi i / c + 2 pi / (2 c), clockwise from forward (Micklisch 34). */
static void build_in_ring(struct sonar_unit_params *u, const struct sonar_file *file,
                          int i, const struct json *item)
{
        int64_t period_ns = file->params.schedule.period_ns;
        double psi_rad = TURN_RAD * (i + 0.5) / file->ring.count;
        struct vec3 outwards = { cos(psi_rad), sin(psi_rad), 0.0 };

        build_unit(u, file, item);
        u->axis_body = outwards;
        u->lever_arm_body_m =
                vec3_axpy(file->params.lever_arm_body_m, file->ring.radius_m, outwards);
        if (file->ring.stagger)
                u->schedule.phase_ns = (file->params.schedule.phase_ns +
                                        period_ns * i / file->ring.count) %
                                       period_ns;
}

static bool build_listed(struct sonar_params *p, const struct sonar_file *file,
                         const struct json *item, struct config_error *why)
{
        int units = file->ring.count > 0 ? file->ring.count : 1;

        if (!check_sonar(file, item, why))
                return false;
        if (p->count + units > SONARS_MAX)
                return config_refuse(why, item, NULL,
                                     "must leave at most %d sonars, with it there are %d",
                                     SONARS_MAX, p->count + units);
        if (file->ring.count == 0)
                build_unit(&p->unit[p->count], file, item);
        for (int i = 0; i < file->ring.count; i++)
                build_in_ring(&p->unit[p->count + i], file, i, item);
        p->count += units;
        return true;
}

bool config_build_sonars(struct sonar_params *p, const struct sonars_file *file,
                         const struct json *node, struct config_error *why)
{
        const struct json *list = json_member(node, "sonars");

        bool ok = true;

        p->count = 0;
        if (file->first.params.schedule.period_ns > 0)
                ok = build_listed(p, &file->first, json_member(node, "sonar"), why);
        for (int i = 0; i < file->listed; i++)
                ok = build_listed(p, &file->list[i], json_item(list, i), why) && ok;
        return ok;
}
