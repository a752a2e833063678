/* What DroneCAN's messages say, in the rig's units: each writer fills a transfer's type and payload, each
 * reader tells false of a payload that is too short. Layouts: dronecan/DSDL, uavcan/. */
#pragma once

#include "io/can/dronecan.h"
#include "models/signals.h"

#define DRONECAN_ESC_MAX      20
#define DRONECAN_DUTY_FULL    8191 /* of RawCommand's 14 bits; below 0: reversed */
#define DRONECAN_UNIQUE_BYTES 16

struct dronecan_node {
        uint32_t uptime_s;
        uint8_t unique_id[DRONECAN_UNIQUE_BYTES];
        const char *name; /* at most 80 characters */
};

void dronecan_write_status(struct dronecan_transfer *t, uint32_t uptime_s);
void dronecan_write_info(struct dronecan_transfer *t, const struct dronecan_node *node);
/* The newest values alone: gyroscope and accelerometer as they are, the integrals of both are 0 over an
 * interval of 0, which says that there are none. utc_us: 0 if not known, as with the others. */
void dronecan_write_imu(struct dronecan_transfer *t, const struct imu_sample *s,
                        uint64_t utc_us);
void dronecan_write_mag(struct dronecan_transfer *t, const struct mag_sample *s,
                        uint8_t sensor);
void dronecan_write_pressure(struct dronecan_transfer *t, const struct baro_sample *s);
void dronecan_write_temperature(struct dronecan_transfer *t, const struct baro_sample *s);
void dronecan_write_fix2(struct dronecan_transfer *t, const struct gps_sample *s,
                         uint64_t utc_us);
void dronecan_write_auxiliary(struct dronecan_transfer *t, const struct gps_sample *s);
/* Looks downwards. */
void dronecan_write_range(struct dronecan_transfer *t, const struct sonar_sample *s,
                          uint8_t sensor);
void dronecan_write_battery(struct dronecan_transfer *t, const struct power_sample *s);

struct dronecan_esc {
        int index; /* as in RawCommand */
        double voltage_v;
        double speed_radps;
        double duty; /* 0 to 1, as it was commanded */
};
/* Its current and temperature are not known: NaN; it has no errors. */
void dronecan_write_esc(struct dronecan_transfer *t, const struct dronecan_esc *esc);

/* duty: 0 to 1, of so many ESCs as it commands, which is what is returned; -1: not whole. */
int dronecan_read_raw_command(const struct dronecan_transfer *t,
                              double duty[DRONECAN_ESC_MAX]);
bool dronecan_read_arming(const struct dronecan_transfer *t, bool *armed);
