/* The log of a flight that somebody else recorded, whatever wrote it, as samples of what this rig knows: ULog (PX4's
 * or the rig's own), ArduPilot's DataFlash (.bin), Betaflight's blackbox (.bbl), CSV with a header. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/signals.h"

/* What a sample may have; the rest of it is zero. */
enum flight_log_has {
        FLIGHT_LOG_POSITION = 1 << 0, /* NED, from where the log has its origin */
        FLIGHT_LOG_VELOCITY = 1 << 1,
        FLIGHT_LOG_ATTITUDE = 1 << 2,
        FLIGHT_LOG_RATE = 1 << 3,
        FLIGHT_LOG_ACCEL = 1 << 4, /* specific force */
        /* 0 to 1 of each ESC's whole input, in the firmware's own order of its motors; of this rig's own runs in that of
         * the rotors (flight_log_is_own()). Valid from the sample's time on. */
        FLIGHT_LOG_MOTORS = 1 << 5,
        FLIGHT_LOG_VOLTAGE = 1 << 6,
        FLIGHT_LOG_CURRENT = 1 << 7,
        FLIGHT_LOG_RC = 1 << 8,
        FLIGHT_LOG_ARMED = 1 << 9,
        /* What the sensors themselves said; only with flight_log_open_sensors(). */
        FLIGHT_LOG_PRESSURE = 1 << 10,
        FLIGHT_LOG_FIX = 1 << 11, /* of three dimensions */
        FLIGHT_LOG_FIX_VELOCITY = 1 << 12,
        FLIGHT_LOG_THRUST = 1 << 13, /* of a thrust stand, as the next two */
        FLIGHT_LOG_TORQUE = 1 << 14,
        FLIGHT_LOG_SPEED = 1 << 15
};

/* One record: what it says, at one moment. Records of different kinds are samples of their own. */
struct flight_log_sample {
        uint32_t has; /* enum flight_log_has */
        int64_t t_ns; /* in the log's own time */
        struct vec3 pos_ned_m, vel_ned_mps;
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps, accel_body_mps2;
        int motors;
        double motor_ratio[ROTORS_MAX];
        double voltage_v, current_a;
        uint16_t rc_us[RC_CHANNELS_MAX];
        bool armed;
        double pressure_pa;
        double fix_lat_deg, fix_lon_deg, fix_height_m;
        struct vec3 fix_vel_ned_mps;
        double thrust_n, torque_nm, speed_radps;
};

struct flight_log;

/* "PATH#2@12.5": the second log of the file, or its second vehicle; from 12.5 s of it on. */
struct flight_log_place {
        char path[512];
        int number; /* from 1 */
        double from_s; /* after its first sample */
};
/* False: `why` says what it must be. */
bool flight_log_place_parse(struct flight_log_place *place, const char *text, char *why,
                            size_t cap);

/* Over a whole file in memory, any bytes at all, which must outlive it. `number` as in struct flight_log_place. NULL:
 * `why` says which formats were tried and what is wrong. */
struct flight_log *flight_log_open(const uint8_t *bytes, size_t len, const char *name,
                                   int number, char *why, size_t cap);
/* The same; of a run of this rig instead of the truth what a flight controller could know: the IMU's samples, and the
 * estimate that it sent back, if it did. */
struct flight_log *flight_log_open_measured(const uint8_t *bytes, size_t len,
                                            const char *name, int number, char *why,
                                            size_t cap);
/* The same as that, with what barometer and GPS receiver said, and rates and specific force before the firmware's filters
 * and its estimate of their biases, where the log has them so. */
struct flight_log *flight_log_open_sensors(const uint8_t *bytes, size_t len,
                                           const char *name, int number, char *why,
                                           size_t cap);
/* The next sample in the order of the file; false: it is over. */
bool flight_log_next(struct flight_log *log, struct flight_log_sample *sample);
/* "ArduPilot DataFlash". */
const char *flight_log_format(const struct flight_log *log);
/* Firmware and version as the log names them, "" where it does not. */
const char *flight_log_firmware(const struct flight_log *log);
/* A run of this rig: it has the truth, and motors in the order of the rotors. */
bool flight_log_is_own(const struct flight_log *log);
/* Records that were malformed, and skipped. */
uint64_t flight_log_skipped(const struct flight_log *log);
void flight_log_close(struct flight_log *log);
