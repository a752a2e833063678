/* What is faulty about a GPS sample: position, velocity, fix and accuracies go together. Belongs to
 * sensor_fault.c alone. */
#ifndef MODELS_FAULTS_SENSOR_FAULT_GPS_H
#define MODELS_FAULTS_SENSOR_FAULT_GPS_H

#include "models/faults/sensor_fault.h"

/* One fresh sample, since_s after the fault began. s->held is the sample before it. */
void sensor_fault_gps(struct sensor_fault_state *s, const struct sensor_fault *p,
                      const struct gps_params *receiver, double since_s,
                      struct gps_sample *now);

#endif
