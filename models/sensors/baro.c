#include "models/sensors/baro.h"

/* Streams. */
enum { PRESSURE, TEMPERATURE, DRIFT, STREAMS };

#define ZERO_CELSIUS_K 273.15

/* What is left of a first-order lag after one period. */
static double kept_after_period(const struct schedule_params *s, double tau_s)
{
        return tau_s > 0.0 ? exp(-1e-9 * (double)s->period_ns / tau_s) : 0.0;
}

void baro_init(struct baro *baro, const struct baro_params *p, uint64_t seed,
               uint32_t vehicle)
{
        *baro = (struct baro){ 0 };
        for (uint32_t i = 0; i < STREAMS; i++)
                rng_init(&baro->rng[i], seed, vehicle, SENSOR_BARO, i);
        baro->heat_reached = 1.0 - kept_after_period(&p->schedule, p->heating_tau_s);
        /* The exact discretisation of a Gauss-Markov process, which starts as it goes on:
         * its variance is the same at every time and rate. */
        baro->drift_kept = kept_after_period(&p->schedule, p->drift_tau_s);
        baro->drift_kick_pa =
                p->drift_sigma_pa * sqrt(1.0 - baro->drift_kept * baro->drift_kept);
        if (p->drift_sigma_pa != 0.0)
                baro->drift_pa = p->drift_sigma_pa * rng_normal(&baro->rng[DRIFT]);
}

static double altitude_m(const struct baro_params *p, const struct exposure *e)
{
        struct vec3 arm_ned_m = quat_rotate(e->body->q_body_to_ned, p->lever_arm_body_m);

        return world_altitude_m(e->world, vec3_add(e->body->pos_ned_m, arm_ned_m));
}

/* The dynamic pressure that the housing turns into static pressure, axis by axis. */
static double wind_error_pa(const struct baro_params *p, const struct exposure *e,
                            double static_pa, double air_k)
{
        struct vec3 v = e->airspeed_body_mps, c = p->wind_ratio;

        return 0.5 * atmosphere_gas_density_kgpm3(static_pa, air_k) *
               (c.x * v.x * fabs(v.x) + c.y * v.y * fabs(v.y) + c.z * v.z * fabs(v.z));
}

static double wash_error_pa(const struct baro_params *p, const struct exposure *e)
{
        return e->disk_loading_pa *
               (p->wash_ratio + p->wash_ground_ratio * e->ground_effect);
}

static double drift_error_pa(struct baro *baro, const struct baro_params *p,
                             double part_k)
{
        double drift_pa = baro->drift_pa;

        baro->drift_pa *= baro->drift_kept;
        if (p->drift_sigma_pa != 0.0)
                baro->drift_pa += baro->drift_kick_pa * rng_normal(&baro->rng[DRIFT]);
        return drift_pa + p->drift_pa_per_k * (part_k - p->drift_reference_k);
}

static double warm_up(struct baro *baro, const struct baro_params *p)
{
        double heat_k = baro->heat_k;

        baro->heat_k += baro->heat_reached * (p->heating_k - baro->heat_k);
        return heat_k;
}

/* The part answers with words; what counts is what a driver makes of them. */
static void convert_to_words(const struct bmp180_params *p, struct baro_sample *out)
{
        struct bmp180_words words;
        struct bmp180_reading reading;

        words = bmp180_convert(p, out->pressure_pa, out->temperature_k - ZERO_CELSIUS_K);
        reading = bmp180_compensate(p, words);
        out->raw_temperature = words.ut;
        out->raw_pressure = words.up;
        out->pressure_pa = reading.pressure_pa;
        out->temperature_k = ZERO_CELSIUS_K + 0.1 * reading.temperature_dc;
}

void baro_step(struct baro *baro, const struct baro_params *p, const struct exposure *e,
               struct baro_sample *out)
{
        double height_m = altitude_m(p, e);
        double static_pa = atmosphere_pressure_pa(&e->world->atmosphere, height_m);
        double air_k = atmosphere_temperature_k(&e->world->atmosphere, height_m);
        struct error_params pressure = p->pressure;

        out->raw_temperature = out->raw_pressure = 0;
        out->temperature_k = air_k + warm_up(baro, p);
        out->pressure_pa = static_pa + wind_error_pa(p, e, static_pa, air_k) +
                           wash_error_pa(p, e) +
                           drift_error_pa(baro, p, out->temperature_k);
        if (p->is_bmp180)
                pressure.lsb = 0.0;
        error_apply(&pressure, &baro->rng[PRESSURE], 1, &out->pressure_pa);
        error_apply(&p->temperature, &baro->rng[TEMPERATURE], 1, &out->temperature_k);
        /* No word stands for the NaN of a plant that has blown up: it stays. */
        if (p->is_bmp180 && isfinite(out->pressure_pa) && isfinite(out->temperature_k))
                convert_to_words(&p->bmp180, out);
}
