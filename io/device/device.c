/* Every device by its name, as rig files give it. */
#include "io/device/device.h"

#include <stdio.h>
#include <string.h>

/* A device is one line in each table, at the same index. */
/* clang-format off */

static const struct device_ops *const all_ops[] = {
        &device_flightgear_ops,
        &device_telemetry_ops,
        &device_ublox_m8_ops,
        &device_ublox_m10_ops,
        &device_nmea_ops,
        &device_crsf_ops,
        &device_sbus_ops,
        &device_ibus_ops,
        &device_tfmini_ops,
        &device_maxsonar_ops,
        &device_maxsonar_xl_ops,
        &device_msp_sensors_ops,
        &device_vectornav_vn100_ops,
        &device_vectornav_vn300_ops,
        &device_inertiallabs_ops,
        &device_dronecan_slcan_ops,
        &device_dronecan_mcast_ops,
        &device_dronecan_socketcan_ops,
        &device_radio_ops,
        &device_mexo_ops,
        NULL,
};

static struct device *(*const makers[])(const struct device_setup *setup) = {
        device_flightgear_create,
        device_telemetry_create,
        device_ublox_m8_create,
        device_ublox_m10_create,
        device_nmea_create,
        device_crsf_create,
        device_sbus_create,
        device_ibus_create,
        device_tfmini_create,
        device_maxsonar_create,
        device_maxsonar_xl_create,
        device_msp_sensors_create,
        device_vectornav_vn100_create,
        device_vectornav_vn300_create,
        device_inertiallabs_create,
        device_dronecan_slcan_create,
        device_dronecan_mcast_create,
        device_dronecan_socketcan_create,
        device_radio_create,
        device_mexo_create,
        NULL,
};
/* clang-format on */

_Static_assert(sizeof all_ops / sizeof all_ops[0] == sizeof makers / sizeof makers[0],
               "every device has operations and a maker");

struct device *device_create(const char *name, const struct device_setup *setup)
{
        for (int i = 0; all_ops[i] != NULL; i++)
                if (strcmp(name, all_ops[i]->name) == 0)
                        return makers[i](setup);
        return NULL;
}

const struct device_ops *const *device_all(void)
{
        return all_ops;
}

void device_refuse(struct device *d, const char *why, const char *message)
{
        snprintf(d->refused, sizeof d->refused, "%s%s%s%s", why,
                 message[0] != '\0' ? ": \"" : "", message,
                 message[0] != '\0' ? "\"" : "");
}
