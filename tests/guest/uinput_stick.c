/* A joystick of the kernel's own, through uinput:
 *
 *   uinput_stick FILE
 *
 * plays a file of a joystick (io/joystick/file.c) in its seconds: makes the device, "Guest stick", with its axes and
 * buttons, moves them, takes it away where it was lost, and at the end. */
#include <errno.h>
#include <libevdev/libevdev-uinput.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"

struct stick {
        struct libevdev *device;
        struct libevdev_uinput *plugged; /* NULL: taken away */
        int64_t begun_ns;
};

static void check(bool ok, const char *what)
{
        if (ok)
                return;
        fprintf(stderr, "uinput_stick: %s: %s\n", what, strerror(errno));
        exit(1);
}

static unsigned type_of(const char *name)
{
        return strncmp(name, "ABS_", 4) == 0 ? EV_ABS : EV_KEY;
}

static unsigned code_of(const char *name)
{
        int code = libevdev_event_code_from_name(type_of(name), name);

        check(code >= 0, name);
        return (unsigned)code;
}

static void add(struct stick *s, const char *name, int least, int most, int now)
{
        const struct input_absinfo range = { .value = now,
                                             .minimum = least,
                                             .maximum = most };

        check(libevdev_enable_event_code(s->device, type_of(name), code_of(name),
                                         type_of(name) == EV_ABS ? &range : NULL) == 0,
              name);
}

static void plug(struct stick *s)
{
        check(libevdev_uinput_create_from_device(s->device, LIBEVDEV_UINPUT_OPEN_MANAGED,
                                                 &s->plugged) == 0,
              "/dev/uinput");
}

static void pull(struct stick *s)
{
        libevdev_uinput_destroy(s->plugged);
        s->plugged = NULL;
}

static void wait_until(const struct stick *s, double t_s)
{
        clock_sleep_until(s->begun_ns + (int64_t)(t_s * 1e9));
}

static void move(struct stick *s, const char *name, int value)
{
        if (s->plugged == NULL)
                return;
        check(libevdev_uinput_write_event(s->plugged, type_of(name), code_of(name),
                                          value) == 0 &&
                      libevdev_uinput_write_event(s->plugged, EV_SYN, SYN_REPORT, 0) == 0,
              name);
}

static void play_line(struct stick *s, const char *line)
{
        char name[32];
        int least, most, now, value;
        double t_s;

        if (sscanf(line, "axis %31s %d %d %d", name, &least, &most, &now) == 4) {
                add(s, name, least, most, now);
                return;
        }
        if (sscanf(line, "%lf %31s %d", &t_s, name, &value) < 2)
                return;
        if (s->begun_ns == 0) {
                plug(s);
                s->begun_ns = clock_now_ns();
        }
        wait_until(s, t_s);
        if (strcmp(name, "lost") == 0)
                pull(s);
        else if (strcmp(name, "back") == 0)
                plug(s);
        else
                move(s, name, value);
}

int main(int argc, char **argv)
{
        struct stick s = { .device = libevdev_new() };
        FILE *file = argc == 2 ? fopen(argv[1], "re") : NULL;
        char line[200];

        check(file != NULL && s.device != NULL, "a file of a joystick");
        libevdev_set_name(s.device, "Guest stick");
        libevdev_set_id_vendor(s.device, 0x1209);
        libevdev_set_id_product(s.device, 0x4711);
        while (fgets(line, sizeof line, file) != NULL)
                play_line(&s, line);
        if (s.plugged != NULL)
                pull(&s);
        libevdev_free(s.device);
        fclose(file);
        return 0;
}
