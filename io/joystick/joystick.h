/* A joystick, a gamepad or a radio in joystick mode: what its axes and buttons read. From the kernel through libevdev,
 * played from a text file of the same events, or moved on a page; none blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* "ABS_X", "BTN_TRIGGER": as the kernel's headers and evtest name them. */
#define JOYSTICK_CODE_MAX 32
/* /dev/input/event0 to event63 are looked at. */
#define JOYSTICK_NODES_MAX 64
/* Kept or played: over an hour of two sticks that are read 50 times a second and never still. */
#define JOYSTICK_EVENTS_MAX 200000

struct joystick_code {
        uint16_t type, code;
};

/* False: there is no axis or button of that name. */
bool joystick_code_from_name(const char *name, struct joystick_code *out);

struct joystick_event {
        int64_t t_ns; /* simulated time at which it was taken */
        struct joystick_code of;
        int32_t value;
};

struct joystick_range {
        int32_t least, most, now;
};

enum joystick_state { JOYSTICK_THERE, JOYSTICK_LOST };

struct joystick;

/* source: "/dev/input/event3", "046d:c216", "name:Its name", "played:FILE", or "page". NULL: why says what and what to do. */
struct joystick *joystick_open(const char *source, char *why, size_t cap);
void joystick_close(struct joystick *j);
/* What it is called. */
const char *joystick_name(const struct joystick *j);
/* False: it has no such axis or button. */
bool joystick_range(const struct joystick *j, struct joystick_code of,
                    struct joystick_range *out);
/* The events up to t_ns of simulated time, at most cap; the last of each input is kept for joystick_write(). A device that
 * was unplugged is looked for again about once a second of host time, now_ns. */
int joystick_read(struct joystick *j, int64_t t_ns, int64_t now_ns,
                  struct joystick_event *out, int cap);
enum joystick_state joystick_state(const struct joystick *j);
/* One of source "page" has ABS_X, ABS_Y, ABS_RX and ABS_RY, -1000 to 1000; ABS_THROTTLE, 0 to 1000; and BTN_TRIGGER,
 * BTN_THUMB, BTN_THUMB2 and BTN_TOP. Somebody holds it so at host time now_ns; it is lost when nobody has for two seconds. False: it has
 * no such input, or not that far. */
bool joystick_feed(struct joystick *j, const char *input, double value, int64_t now_ns);
/* One that is plugged in. */
struct joystick_found {
        char path[32], name[128]; /* the name as the device gives it, so any bytes */
        uint16_t vendor, product;
};

/* Those among the kernel's input devices, at most max; denied says whether there are devices that may not be read. */
int joystick_list(struct joystick_found *out, int max, bool *denied);
/* All that was kept, as a file that can be played. False: it cannot be written. */
bool joystick_write(const struct joystick *j, FILE *out);
/* There was more than JOYSTICK_EVENTS_MAX: what came later is missing. */
bool joystick_overrun(const struct joystick *j);
