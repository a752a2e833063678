/* The battery: state of charge, open-circuit voltage, internal resistance. The motors' load makes
 * its voltage sag, and the voltage limits the speed that they reach. */
#pragma once

#include <stdbool.h>

#define BATTERY_CURVE_MAX 16

/* Speed controllers filter the voltage: rotors that spin up make it sag without the battery being
 * empty. An estimate. */
#define BATTERY_CUTOFF_S 0.5

struct battery_params {
        double capacity_c; /* A s; 0: no battery, the supply is ideal */
        double charge_ratio; /* at the start, 0 to 1 */
        double resistance_ohm; /* of all cells and wires */
        int points; /* of the open-circuit voltage over the state of charge, at least 2, rising */
        double curve_ratio[BATTERY_CURVE_MAX], curve_v[BATTERY_CURVE_MAX];
        double cutoff_v; /* under load; below it for BATTERY_CUTOFF_S, the ESCs stop for good */
        double idle_w; /* avionics */
        double efficiency; /* of ESC and motor together, electrical to shaft, (0, 1] */
        double reference_v; /* at which speed_full_radps and speed_limit_radps were measured */
};

struct battery {
        double charge_used_c;
        double voltage_v, current_a; /* at the terminals */
        double low_s; /* for how long the voltage has been below the cut-off */
        int empty; /* below the cut-off for long enough, or used up; stays set */
};

void battery_init(struct battery *b, const struct battery_params *p);

/* A period in which the rotors take shaft_w. The current solves P = V I, V = E - R I; a demand
 * beyond what the battery can give, E^2/(4R), gets that much. */
void battery_step(struct battery *b, const struct battery_params *p, double shaft_w,
                  double dt_s);

static inline bool battery_fitted(const struct battery_params *p)
{
        return p->capacity_c > 0.0;
}

/* Whether the voltage falls by more than this share of itself for so many W more at the shafts, as steeply
 * as it falls beside what it gives now: by R/(efficiency (V - R I)) for each. */
static inline bool battery_falls_by(const struct battery *b,
                                    const struct battery_params *p, double more_w,
                                    double share)
{
        double slope = b->voltage_v - p->resistance_ohm * b->current_a;

        return !(slope > 0.0) ||
               more_w * p->resistance_ohm > share * b->voltage_v * p->efficiency * slope;
}

/* The voltage at the terminals under shaft_w. */
double battery_voltage_v(const struct battery *b, const struct battery_params *p,
                         double shaft_w);

/* The factor by which the voltage scales the speed that the motors reach: voltage over reference, 0
 * when empty, 1 without a battery. */
static inline double battery_speed_ratio(const struct battery *b,
                                         const struct battery_params *p)
{
        if (!battery_fitted(p))
                return 1.0;
        return b->empty ? 0.0 : b->voltage_v / p->reference_v;
}

/* Open-circuit voltage at a state of charge, linear between the points. */
double battery_open_circuit_v(const struct battery_params *p, double charge_ratio);
