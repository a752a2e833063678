/* What of the rig's samples reaches a firmware: what its codec's frames have a field for, and what the devices at its ports
 * say. A fault of anything else would pass unnoticed. */
#pragma once

#include "hil/config/config.h"
#include "io/device/device.h"

struct reach {
        enum codec_sample sample;
        unsigned needs; /* enum codec_carry; CARRIES_DIRECTION: more than the direction */
        int sonar; /* of SAMPLE_SONAR; -1: any */
};

/* By its name in a rig file; NULL: there is none. */
const struct device_ops *reach_device(const char *name);
/* By its codec or a port. */
bool reach_firmware(const struct vehicle_config *v, const struct reach *r);
/* How many channels of the sticks do, by its codec or a radio at a port. */
int reach_channels(const struct vehicle_config *v);
/* One of the devices at its ports carries sticks: it is a radio's receiver. */
bool reach_has_receiver(const struct vehicle_config *v);
/* SENSOR_BIT(...) of IMU, barometer and compass, as far as devices at its ports carry them. */
uint32_t reach_external(const struct vehicle_config *v);
/* What would do: "fc.dialect v3, ublox_m8"; "" for nothing. */
void reach_alternatives(const struct fc_config *fc, const struct reach *r, char *text,
                        size_t cap);
/* "accel, gyro, gps (fix, time)" */
void reach_describe(const struct codec_carries *c, char *text, size_t cap);
