/* Which of the kernel's input devices are joysticks. */
#include <errno.h>
#include <fcntl.h>
#include <libevdev-1.0/libevdev/libevdev.h>
#include <unistd.h>

#include "io/joystick/joystick.h"

/* As a joystick or a gamepad has them; a tablet's or a touch pad's are others. */
static bool is_joystick(const struct libevdev *device)
{
        if (!libevdev_has_event_code(device, EV_ABS, ABS_X))
                return false;
        for (unsigned code = BTN_JOYSTICK; code < BTN_DIGI; code++)
                if (libevdev_has_event_code(device, EV_KEY, code))
                        return true;
        return libevdev_has_event_code(device, EV_KEY, BTN_TRIGGER_HAPPY1) ||
               libevdev_has_event_code(device, EV_ABS, ABS_THROTTLE) ||
               libevdev_has_event_code(device, EV_ABS, ABS_RUDDER);
}

static bool look_at_node(struct joystick_found *f, bool *denied)
{
        int fd = open(f->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        struct libevdev *device = NULL;
        bool is = false;

        *denied |= fd < 0 && errno == EACCES;
        if (fd >= 0 && libevdev_new_from_fd(fd, &device) == 0) {
                is = is_joystick(device);
                snprintf(f->name, sizeof f->name, "%s", libevdev_get_name(device));
                f->vendor = (uint16_t)libevdev_get_id_vendor(device);
                f->product = (uint16_t)libevdev_get_id_product(device);
                libevdev_free(device);
        }
        if (fd >= 0)
                close(fd);
        return is;
}

int joystick_list(struct joystick_found *out, int max, bool *denied)
{
        int count = 0;

        *denied = false;
        for (int i = 0; i < JOYSTICK_NODES_MAX && count < max; i++) {
                snprintf(out[count].path, sizeof out[count].path, "/dev/input/event%d",
                         i);
                if (access(out[count].path, F_OK) == 0)
                        count += look_at_node(&out[count], denied);
        }
        return count;
}
