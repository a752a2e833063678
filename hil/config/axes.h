/* What the files of several sensors have in common: rate and delay, the errors of three axes or of
 * one quantity, the mounting. Every LSB becomes a whole number of nano SI units, since the wire
 * counts in them, and every limit a whole number of LSBs. */
#ifndef HIL_CONFIG_AXES_H
#define HIL_CONFIG_AXES_H

#include "hil/config/table.h"

/* One set of errors of a sensor's axes. */
struct axes_file {
        double scale[3];
        struct {
                double xy, xz, yx, yz, zx, zy;
        } cross;
        double bias[3], sigma[3];
        double lsb, range;
        bool range_given;
};

struct mounting_file {
        double roll_rad, pitch_rad, yaw_rad;
};

/* One quantity without axes. */
struct scalar_file {
        double bias, sigma, lsb, min, max;
};

extern const struct config_table config_cross_table;
extern const struct config_table config_mounting_table;

void config_build_axes(struct error_params *p, const struct axes_file *file);
/* Limits become whole LSBs, inwards; never more than the wire holds. */
void config_build_scalar(struct error_params *p, const struct scalar_file *file);
/* The Euler angles turn the body's axes into the sensor's; vectors go the other way. */
struct quat config_build_mounting(const struct mounting_file *m);

/* Phase and delay fit the period; node holds the sensor at the key `sensor`. */
bool config_check_schedule(const struct schedule_params *s, const char *sensor,
                           const struct json *node, struct config_error *why);
/* The same for the sensor's own object. */
bool config_check_schedule_at(const struct schedule_params *s, const struct json *at,
                              struct config_error *why);

/* clang-format off */
#define CONFIG_RATE_AND_PHASE(type)                                                                      \
        { "rate_hz", CONFIG_RATE, "Samples a second; the period is rounded to 1 ns.",   \
          BETWEEN(0.01, 20000), AT(type, schedule.period_ns) },                         \
        { "phase_us", CONFIG_TIME, "Time of the first sample; less than a period.",     \
          BETWEEN(0, 1e8), .scale = NS_PER_US, .preset = "0",                           \
          AT(type, schedule.phase_ns) }

#define CONFIG_DELAY(type, most)                                                               \
        { "delay_us", CONFIG_TIME,                                                      \
          "From measurement to delivery; less than 64 periods.", BETWEEN(0, most),      \
          .scale = NS_PER_US, .preset = "0", AT(type, schedule.delay_ns) }

#define CONFIG_SCALE_AND_CROSS                                                                 \
        { "scale", CONFIG_VECTOR, "Scale factors of x, y, z.", BETWEEN(-10, 10),        \
          .size = 3, .preset = "[1, 1, 1]", AT(axes_file, scale) },                     \
        { "cross_axis", CONFIG_OBJECT, "Misalignment of the axes.",                     \
          .table = &config_cross_table, .preset = "{}" }

#define CONFIG_RANGE_ABOUT                                                                     \
        "Largest reading. Where it is a power of two of LSBs, n, readings end at -n "   \
        "and n - 1 as a two's complement register does, else at -n and n. Left out: "   \
        "2^31 LSBs."
/* clang-format on */

#endif
