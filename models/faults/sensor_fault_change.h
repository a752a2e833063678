/* What a fault makes of a sample that comes. Belongs to sensor_fault.c alone. */
#pragma once

#include "models/faults/sensor_fault.h"

/* One fresh sample, since_s after the fault began; unit: which sonar, 0 of others. s->held is what was
 * said before it. */
void sensor_fault_change(struct sensor_fault_state *s, const struct sensor_fault *p,
                         const struct sensors_params *sensors, int unit, double since_s,
                         struct sensor_frame *f);

/* What is faulty about a GPS sample: position, velocity, fix and accuracies go together. One
 * fresh sample, since_s after the fault began; s->held is the sample before it. */
void sensor_fault_gps(struct sensor_fault_state *s, const struct sensor_fault *p,
                      const struct gps_params *receiver, double since_s,
                      struct gps_sample *now);
