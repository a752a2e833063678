/* Errors of sensors out of logs of a vehicle that stands still. What a log is too short for is not told. */
#pragma once

#include <stdio.h>

#include "hil/rest/markov.h"
#include "hil/rest/noise.h"
#include "hil/retrace/track.h"
#include "hil/text/json.h"

enum rest_half { REST_ACCEL, REST_GYRO, REST_HALVES };

/* One axis of the IMU: m/s^2, rad/s. */
struct rest_axis {
        double mean, sigma; /* of the samples of all logs */
        struct rest_value bias, white, instability, walk; /* `white`: one-sided density */
        double lsb; /* 0: none is seen */
        /* Of the longest log, for a picture. */
        struct allan allan;
        struct noise noise;
        double freedom[ALLAN_TAUS_MAX];
};

enum rest_fix { REST_HORIZONTAL, REST_VERTICAL, REST_VELOCITY, REST_FIXES };

struct rest_result {
        double length_s; /* of all logs */
        bool has_imu, has_baro, has_fix[REST_FIXES];
        struct rest_axis axis[REST_HALVES][3];
        double gravity_mps2, gravity_half_mps2;
        struct markov baro, fix[REST_FIXES];
        double baro_lsb_pa, baro_sigma_pa, fix_sigma[REST_FIXES]; /* of the samples */
};

/* What is known besides the logs. */
struct rest_known {
        double level_deg; /* the vehicle stood upright to that; below 0: nobody knows */
};

/* Cuts a log off there, after its first sample. */
void rest_cut(struct track *t, double until_s);
/* False: it moves or its motors turn, and `why` says when. */
bool rest_is_still(const struct track *t, char *why, size_t cap);
/* Of one axis, by what its values have in common; 0: none is seen. */
double rest_step(const struct track_samples *s, int axis);
/* Of NOISE_RECORDS logs at most. False: `why`. */
bool rest_find(const struct track *tracks, int logs, const struct rest_known *known,
               struct rest_result *r, char *why, size_t cap);

/* Its parts: whether a log's samples of the IMU can be used, and what the IMU's errors are. */
bool rest_imu_check(const struct track *t, enum track_kind kind, char *why, size_t cap);
bool rest_imu_find(const struct track *tracks, int logs, const struct rest_known *known,
                   struct rest_result *r);
#define REST_STEP_HIDES 0.4 /* sigma over step below which rounding is no noise */
/* A standard deviation without that variance. */
double rest_less(double sigma, double square);

/* How it is told. */
void rest_print(FILE *out, const struct rest_result *r);
struct json *rest_json(const struct rest_result *r);
/* A vehicle file that includes `start`, whose whole vehicle is `resolved`, with what the logs told of its sensors. */
struct json *rest_vehicle_file(const struct rest_result *r, const char *start,
                               const struct json *resolved);
