/* Between the rig's SI structs and HILP's counts, both directions side by side: what a
 * sensor quantised to whole nano units crosses exactly. Out of range saturates; NaN
 * becomes the invalid count and comes back as NaN. No state, no bytes. */
#pragma once

#include "io/codec/hilp/hilp.h"
#include "models/signals.h"

/* The unit of each quantity is its LSB, in whole nano SI, at least the finest with which
 * the counts still span the quantity; a fixed one where the LSB is 0 (not rounded). */
void hilp_si_units(struct hilp_units *units, const double sensor_lsb[SENSOR_COUNT],
                   double gyro_lsb_radps);

/* Times of samples cross in whole us; an IMU sample is at most 65.5 ms old, others 4,294
 * s. The sonars' samples cross apart: hilp_si_to_sonars(). */
void hilp_si_to_sensors(struct hilp_sensors *wire, const struct hilp_units *units,
                        uint32_t number, const struct sensor_frame *frame);
/* Samples that are not fresh are left as they stand in *frame, and so are the sonars', of which
 * none is fresh afterwards. */
void hilp_si_from_sensors(struct sensor_frame *frame, const struct hilp_units *units,
                          const struct hilp_sensors *wire);

/* Every sonar of frame->fresh_sonars; at least one. */
void hilp_si_to_sonars(struct hilp_sonars *wire, const struct hilp_units *units,
                       uint32_t number, const struct sensor_frame *frame);
/* Writes the samples, and nothing else, into *frame; returns a bit for each sonar. */
uint32_t hilp_si_from_sonars(struct sensor_frame *frame, const struct hilp_units *units,
                             const struct hilp_sonars *wire);

void hilp_si_to_input(struct hilp_input *wire, const struct pilot_input *input);
void hilp_si_from_input(struct pilot_input *input, const struct hilp_input *wire);

/* The estimate's quaternion comes back with unit length. */
void hilp_si_to_state(struct hilp_state *wire, const struct fc_estimate *estimate);
void hilp_si_from_state(struct fc_estimate *estimate, const struct hilp_state *wire);

/* INFINITY: nothing seen, and so is NaN and less than 0. */
void hilp_si_to_real_ranges(struct hilp_real_ranges *wire,
                            const double range_m[SONARS_MAX]);
void hilp_si_from_real_ranges(double range_m[SONARS_MAX],
                              const struct hilp_real_ranges *wire);

/* Duty 0..1 as 0..65535; NaN is 0: a motor that nobody commands stands still. */
uint16_t hilp_si_to_duty(double duty);
double hilp_si_from_duty(uint16_t duty);
