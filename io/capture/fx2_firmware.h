/* Loads the fx2lafw firmware into an analyzer that has none: from the file that the distribution's
 * package sigrok-firmware-fx2lafw installs, which is not part of this project. */
#pragma once

#include "io/capture/fx2lafw.h"

/* Whether the device says that it runs the firmware ("sigrok", "fx2lafw"). */
bool fx2_firmware_runs(struct usb_device *d);

/* Loads it; the device then leaves the bus and comes back as another. The file is searched for in
 * $SIGROK_FIRMWARE_DIR, where sigrok also looks first, or in /usr/local/share/sigrok-firmware and
 * /usr/share/sigrok-firmware. False with a reason. */
bool fx2_firmware_load(struct usb_device *d, const struct fx2lafw_kind *kind,
                       struct link_error *why);
