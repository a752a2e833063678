/* Barometer: the static pressure where its port is, and what flight adds to it: dynamic
 * pressure of the air that meets the housing, the rotors' wash, drift, self-heating. A
 * BMP180 answers with its raw words. */
#pragma once

#include "models/sensors/bmp180.h"
#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

struct baro_params {
        struct schedule_params schedule;
        struct vec3 lever_arm_body_m;
        /* Error over 1/2 rho v |v| of the airspeed along forward, right, down. */
        struct vec3 wind_ratio;
        /* Error over the disk loading: everywhere, and over disk loading times
         * exposure.ground_effect. */
        double wash_ratio, wash_ground_ratio;
        double drift_sigma_pa, drift_tau_s; /* first-order Gauss-Markov; 0: none */
        double drift_pa_per_k, drift_reference_k; /* with the part's own temperature */
        double heating_k, heating_tau_s; /* of the part by itself, from t = 0 on */
        struct error_params pressure; /* Pa */
        struct error_params temperature; /* K */
        bool is_bmp180; /* then the driver's arithmetic does the rounding, not `lsb` */
        struct bmp180_params bmp180;
};

struct baro {
        struct rng rng[3];
        double drift_pa, drift_kept, drift_kick_pa; /* now; over one period */
        double heat_k, heat_reached;
};

void baro_init(struct baro *baro, const struct baro_params *p, uint64_t seed,
               uint32_t vehicle);
/* One sample. out->t_ns is the caller's. */
void baro_step(struct baro *baro, const struct baro_params *p, const struct exposure *e,
               struct baro_sample *out);
