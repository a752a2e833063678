/* The GPS receiver, and the part that it is. */
#include "hil/config/vehicle/sensors.h"

static const char *const earth_names[] = { "wgs84", "flat", NULL };
static const char *const model_names[] = { "white", "gruber", "satellites", NULL };

enum { START_TRACKING, START_HOT, START_COLD };
static const char *const start_names[] = { "tracking", "hot", "cold", NULL };

static const struct config_field part_fields[] = {
        { "range_error_m", CONFIG_NUMBER,
          "Slow part of the error of one range, 1 sigma; times the dilution of precision "
          "it is that of the position.",
          BETWEEN(0, 1000), .preset = "0", AT(gps_file, params.errors.range_m) },
        { "range_error_tau_s", CONFIG_NUMBER,
          "Time in which its autocorrelation falls to 1/e.", ABOVE(0), AT_MOST(1e6),
          .preset = "1100", AT(gps_file, params.errors.range_tau_s) },
        { "range_jitter_m", CONFIG_NUMBER, "White part, 1 sigma.", BETWEEN(0, 1000),
          .preset = "0", AT(gps_file, params.errors.range_jitter_m) },
        { "range_rate_error_mps", CONFIG_NUMBER, "Error of one range's rate, 1 sigma.",
          BETWEEN(0, 100), .preset = "0", AT(gps_file, params.errors.rate_mps) },
        { "range_rate_tau_s", CONFIG_NUMBER,
          "Time in which its autocorrelation falls to 1/e. 0: white.", BETWEEN(0, 1e6),
          .preset = "0", AT(gps_file, params.errors.rate_tau_s) },
        { "clock_white_m_rts", CONFIG_NUMBER,
          "Random walk of the clock's bias, in metres of light after one second.",
          BETWEEN(0, 1e6), .preset = "0", AT(gps_file, params.errors.clock_white_m_rts) },
        { "clock_walk_mps_rts", CONFIG_NUMBER,
          "Random walk of the clock's drift, in m/s after one second.", BETWEEN(0, 1e6),
          .preset = "0", AT(gps_file, params.errors.clock_walk_mps_rts) },
        { "channels", CONFIG_INTEGER, "Largest number of GPS satellites used at a time.",
          BETWEEN(4, SATELLITES_MAX), .preset = "32", AT(gps_file, channels) },
        { "cold_start_s", CONFIG_NUMBER, "Time to first fix from a cold start.",
          BETWEEN(0, 3600), .preset = "0", AT(gps_file, cold_start_s) },
        { "hot_start_s", CONFIG_NUMBER, "Time to first fix from a hot start.",
          BETWEEN(0, 3600), .preset = "0", AT(gps_file, hot_start_s) },
        { "reacquire_s", CONFIG_NUMBER,
          "From a satellite's coming into sight to its use.", BETWEEN(0, 3600),
          .preset = "0", AT(gps_file, reacquire_s) },
        { "rate_max_hz", CONFIG_NUMBER,
          "Largest number of fixes a second. Left out: no limit.", BETWEEN(0.1, 1000),
          .optional = true, AT(gps_file, rate_max_hz) },
        { NULL },
};

const struct config_table config_gps_part_table = {
        .name = "gps_part",
        .kind = "gps_part",
        .about = "A GPS receiver as its data sheet describes it.",
        .field = part_fields,
};

static const struct config_field gps_fields[] = {
        CONFIG_RATE_AND_PHASE(gps_file, params.schedule),
        CONFIG_DELAY(gps_file, params.schedule, 5000000),
        { "at_m", CONFIG_OBJECT, "Its antenna, from the centre of mass.",
          .was = "lever_arm_m", .table = &config_body_place_table, .preset = "{}",
          AT(gps_file, params.lever_arm_body_m) },
        { "model", CONFIG_CHOICE,
          "white: white noise of the sigmas below. gruber: white noise by the number of "
          "satellites in sight (Gruber 5.2.7.2). satellites: wandering errors of the "
          "ranges, spread by the satellites' geometry.",
          .names = model_names, .preset = "\"white\"", AT(gps_file, params.model) },
        { "part", CONFIG_OBJECT, "The receiver, for satellites: a file, or its keys.",
          .table = &config_gps_part_table, .preset = "{}" },
        { "start", CONFIG_CHOICE,
          "For satellites. tracking: had its fix before the run. hot, cold: switched on "
          "when the run begins.",
          .names = start_names, .preset = "\"tracking\"", AT(gps_file, start) },
        { "mask_deg", CONFIG_NUMBER,
          "For gruber and satellites: lower satellites are not used.", BETWEEN(0, 90),
          .scale = RAD_PER_DEG, .preset = "5", AT(gps_file, params.tracking.mask_rad) },
        { "antenna_mask_deg", CONFIG_NUMBER,
          "For satellites: those lower than this above the antenna's own plane are not "
          "received, so that tilt matters. -90: receives all around.",
          BETWEEN(-90, 90), .scale = RAD_PER_DEG, .preset = "-90",
          AT(gps_file, antenna_mask_rad) },
        { "max_noise_m", CONFIG_NUMBER,
          "For gruber: three standard deviations with 4 satellites.", BETWEEN(0, 1000),
          .preset = "5", AT(gps_file, max_noise_m) },
        { "min_noise_m", CONFIG_NUMBER,
          "For gruber: three standard deviations with 12 satellites and more.",
          BETWEEN(0, 1000), .preset = "1", AT(gps_file, min_noise_m) },
        { "earth", CONFIG_CHOICE,
          "wgs84, or flat: 111200 m a degree north and 71670 m a degree east (Gruber "
          "5.2.7.2).",
          .names = earth_names, .preset = "\"wgs84\"", AT(gps_file, earth) },
        { "sigma_horizontal_m", CONFIG_NUMBER,
          "For white: standard deviation of north and of east. Left out: what the part "
          "has "
          "under an open sky; 0 without one.",
          BETWEEN(0, 1000), .optional = true, .absent = "-1",
          AT(gps_file, sigma_horizontal_m) },
        { "sigma_vertical_m", CONFIG_NUMBER,
          "For white: standard deviation of the height. Left out: likewise.",
          BETWEEN(0, 1000), .optional = true, .absent = "-1",
          AT(gps_file, sigma_vertical_m) },
        { "sigma_velocity_mps", CONFIG_NUMBER,
          "For white and gruber: standard deviation of each component of the velocity. "
          "Left out: likewise.",
          BETWEEN(0, 100), .optional = true, .absent = "-1",
          AT(gps_file, sigma_velocity_mps) },
        { "bias_m", CONFIG_VECTOR, "Constant offset north, east, down.",
          BETWEEN(-10000, 10000), .size = 3, .preset = "[0, 0, 0]",
          AT(gps_file, bias_m) },
        { "bias_velocity_mps", CONFIG_VECTOR, "Constant offset north, east, down.",
          BETWEEN(-100, 100), .size = 3, .preset = "[0, 0, 0]",
          AT(gps_file, bias_velocity_mps) },
        { "satellites", CONFIG_INTEGER,
          "For white: what it reports; fewer than 4: no fix.", BETWEEN(0, 99),
          .preset = "12", AT(gps_file, params.satellites) },
        { NULL },
};

const struct config_table config_gps_table = {
        .name = "gps",
        .about = "GPS receiver.",
        .field = gps_fields,
};

/* Mean dilutions of precision of the shipped almanac under an open sky, at 47 degrees north. */
#define OPEN_SKY_HDOP 0.88
#define OPEN_SKY_VDOP 1.29

static double given_or(double given, double of_part)
{
        return given >= 0.0 ? given : of_part;
}

/* White noise of the sigmas that are given, else of the size that the part's errors have. */
static void build_white(struct gps_params *p, const struct gps_file *file)
{
        const struct gps_errors_params *part = &file->params.errors;
        double range_m = hypot(part->range_m, part->range_jitter_m);
        double pdop = hypot(OPEN_SKY_HDOP, OPEN_SKY_VDOP);

        error_params_ideal(&p->position);
        error_params_ideal(&p->velocity);
        for (int i = 0; i < 3; i++) {
                p->position.bias[i] = file->bias_m[i];
                p->velocity.bias[i] = file->bias_velocity_mps[i];
                p->velocity.sigma[i] = given_or(file->sigma_velocity_mps,
                                                pdop / sqrt(3.0) * part->rate_mps);
        }
        p->position.sigma[0] = p->position.sigma[1] =
                given_or(file->sigma_horizontal_m, OPEN_SKY_HDOP / sqrt(2.0) * range_m);
        p->position.sigma[2] = given_or(file->sigma_vertical_m, OPEN_SKY_VDOP * range_m);
}

static int64_t to_ns(double s)
{
        return llround(s * S_TO_NS);
}

static void build_tracking(struct gps_tracking_params *p, const struct gps_file *file)
{
        p->antenna_mask_sin = -1.0;
        p->channels = SATELLITES_MAX;
        if (file->params.model != GPS_SATELLITES)
                return;
        p->antenna_mask_sin = sin(file->antenna_mask_rad);
        p->channels = file->channels;
        p->reacquire_ns = to_ns(file->reacquire_s);
        if (file->start != START_TRACKING)
                p->first_fix_ns = to_ns(file->start == START_HOT ? file->hot_start_s
                                                                 : file->cold_start_s);
}

bool config_build_gps(struct gps_params *p, const struct gps_file *file,
                      const struct json *node, struct config_error *why)
{
        double rate_hz = S_TO_NS / (double)file->params.schedule.period_ns;

        if (file->rate_max_hz > 0.0 && rate_hz > file->rate_max_hz * 1.000001)
                return config_refuse_at(why, node, "gps.rate_hz",
                                        "must be at most the part's rate_max_hz of %.15g",
                                        file->rate_max_hz);
        *p = file->params;
        p->flat_earth = file->earth == 1;
        build_white(p, file);
        /* Gruber 5.2.7.2: the values are triples of the standard deviations. */
        p->sigma_four_m = file->max_noise_m / 3.0;
        p->sigma_twelve_m = file->min_noise_m / 3.0;
        build_tracking(&p->tracking, file);
        gps_params_prepare(p);
        return true;
}
