/* The sensors of a vehicle file: what each holds, in SI units, and what becomes of it. */
#pragma once

#include "hil/config/place.h"
#include "hil/config/table.h"

/* What the files of several sensors have in common: rate and delay, the errors of three axes or of
 * one quantity, the mounting. Every LSB becomes a whole number of nano SI units, since the wire
 * counts in them, and every limit a whole number of LSBs. */

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

/* Of a struct schedule_params, at `member` of a struct. */
/* clang-format off */
#define CONFIG_RATE_AND_PHASE(type, member)                                             \
        { "rate_hz", CONFIG_RATE, "Samples a second; the period is rounded to 1 ns.",   \
          BETWEEN(0.01, 20000), AT(type, member.period_ns) },                         \
        { "phase_us", CONFIG_TIME, "Time of the first sample; less than a period.",     \
          BETWEEN(0, 1e8), .scale = US_TO_NS, .preset = "0",                           \
          AT(type, member.phase_ns) }

#define CONFIG_DELAY(type, member, most)                                                               \
        { "delay_us", CONFIG_TIME,                                                      \
          "From measurement to delivery; less than 64 periods.", BETWEEN(0, most),      \
          .scale = US_TO_NS, .preset = "0", AT(type, member.delay_ns) }

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

/* The IMU of a vehicle file, and the part that it is. */

/* Accelerometer or gyroscope. */
struct imu_axes_file {
        struct axes_file axes;
        struct imu_axes_params more;
};

struct imu_file {
        struct imu_params params;
        struct mounting_file mounting;
        /* Of the part, with what the vehicle file gives beside it. */
        struct imu_axes_file accel, gyro;
};

extern const struct config_table config_imu_table;
extern const struct config_table config_imu_part_table;

/* node is the object that holds the key "imu". */
bool config_build_imu(struct imu_params *p, const struct imu_file *file,
                      const struct json *node, struct config_error *why);

/* The GPS receiver of a vehicle file, and the part that it may be. */

struct gps_file {
        struct gps_params params;
        int earth, start;
        double sigma_horizontal_m, sigma_vertical_m,
                sigma_velocity_mps; /* < 0: as the part */
        double bias_m[3], bias_velocity_mps[3];
        double max_noise_m, min_noise_m;
        double antenna_mask_rad;
        /* Of the part. */
        int channels;
        double cold_start_s, hot_start_s, reacquire_s;
        double rate_max_hz; /* 0: any */
};

extern const struct config_table config_gps_table;
extern const struct config_table config_gps_part_table;

/* node is the object that holds "gps". */
bool config_build_gps(struct gps_params *p, const struct gps_file *file,
                      const struct json *node, struct config_error *why);

/* The barometer of a vehicle file, and the part that it is. */

#define BARO_MODES_MAX 12

struct baro_file {
        struct baro_params params;
        /* Of the part, with what the vehicle file gives beside it. */
        struct scalar_file pressure, temperature;
        int oversampling; /* -1: none is chosen */
        int modes;
        struct baro_mode_file {
                int oversampling;
                double sigma_pa;
        } mode[BARO_MODES_MAX];
        struct bmp180_file {
                int oversampling;
                int ac1, ac2, ac3, ac4, ac5, ac6, b1, b2, mb, mc, md;
        } bmp180;
};

extern const struct config_table config_baro_table;
extern const struct config_table config_baro_part_table;

/* node is the object that holds the key "baro". */
bool config_build_baro(struct baro_params *p, const struct baro_file *file,
                       const struct json *node, struct config_error *why);

/* The magnetometer of a vehicle file, and the part that it is. */

struct mag_file {
        struct mag_params params;
        struct mounting_file mounting;
        struct axes_file soft_iron; /* its matrix alone */
        /* Of the part, with what the vehicle file gives beside it. */
        struct axes_file field;
        double noise_t_rthz;
};

extern const struct config_table config_mag_table;
extern const struct config_table config_mag_part_table;

/* node is the object that holds the key "mag". */
void config_build_mag(struct mag_params *p, const struct mag_file *file,
                      const struct json *node);

/* The sonars of a vehicle file: one under the key "sonar", and a list under "sonars" whose entries are
 * single units or rings of them. */

struct sonar_file {
        struct sonar_unit_params params;
        struct scalar_file range;
        struct {
                int count; /* 0: a single unit */
                double radius_m;
                bool stagger;
        } ring;
};

struct sonars_file {
        struct sonar_file first; /* of the key "sonar" */
        int listed;
        struct sonar_file list[SONARS_MAX];
};

extern const struct config_table config_sonar_part_table;
extern const struct config_table config_sonar_table;
extern const struct config_table config_sonar_listed_table;

/* Units in the order of the files: "sonar", then the list. node is the object that holds both keys. */
bool config_build_sonars(struct sonar_params *p, const struct sonars_file *file,
                         const struct json *node, struct config_error *why);

/* The optical flow sensor of a vehicle file, and the part that it is. */

struct flow_file {
        struct flow_params params;
        struct mounting_file mounting;
        struct axes_file gyro;
};

extern const struct config_table config_flow_table;
extern const struct config_table config_flow_part_table;

/* node is the object that holds the key "flow". */
bool config_build_flow(struct flow_params *p, const struct flow_file *file,
                       const struct json *node, struct config_error *why);

/* The power module of a vehicle file. */

struct power_file {
        struct power_params params;
        double voltage_gain, current_gain;
        struct scalar_file voltage, current;
};

extern const struct config_table config_power_module_table;

/* node is the object that holds the key "power". */
bool config_build_power_module(struct power_params *p, const struct power_file *file,
                               const struct json *node, struct config_error *why);

/* The inertial navigation system of a vehicle file. */

/* Of a struct ins_params. */
extern const struct config_table config_ins_table;

/* What measures the other vehicles. */

struct relative_file {
        struct relative_params params;
        struct scalar_file range, bearing;
};

extern const struct config_table config_relative_table;
extern const struct config_table config_relative_part_table;

/* node is the object that holds the key "relative". */
bool config_build_relative(struct relative_params *p, const struct relative_file *file,
                           const struct json *node, struct config_error *why);

/* All of them: the object "sensors". */

struct sensors_file {
        struct imu_file imu;
        struct gps_file gps;
        struct baro_file baro;
        struct mag_file mag;
        struct sonars_file sonar;
        struct flow_file flow;
        struct power_file power;
        struct ins_params ins;
        struct relative_file relative;
};

extern const struct config_table config_sensors_table;

bool config_build_sensors(struct sensors_params *p, const struct sensors_file *file,
                          const struct json *node, struct config_error *why);
