/* Findings about USB devices that sleep, or keep bytes. */
#include <stdio.h>
#include <string.h>

#include "hil/host/finding.h"

#define LATENCY_MS 1 /* what the rig sets when it opens such a port */

/* The folder of a path, and a file of it. */
static void beside(const char *path, int levels, const char *file,
                   char other[HOST_PATH_MAX])
{
        size_t len = strlen(path);

        for (; levels > 0 && len > 0; levels--)
                while (len > 0 && path[--len] != '/')
                        ;
        snprintf(other, HOST_PATH_MAX, "%.*s/%s", (int)len, path, file);
}

static bool is_hub(const struct host *h, const char *control)
{
        char path[HOST_PATH_MAX], class[8];

        beside(control, 2, "bDeviceClass", path);
        return system_file_read(h->root, path, class, sizeof class) &&
               strcmp(class, "09") == 0;
}

static void name_device(const struct host *h, const char *control, char *name, size_t cap)
{
        char path[HOST_PATH_MAX], vendor[8] = "", product[8] = "";

        beside(control, 2, "idVendor", path);
        system_file_read(h->root, path, vendor, sizeof vendor);
        beside(control, 2, "idProduct", path);
        system_file_read(h->root, path, product, sizeof product);
        snprintf(name, cap, "%s:%s", vendor, product);
}

void check_usb_suspend(const struct host *h, struct host_finding *f)
{
        glob_t found = system_file_find(h->root, "/sys/bus/usb/devices/*/power/control");
        int devices = 0, asleep = 0;
        char name[40] = "", control[20], path[HOST_PATH_MAX];
        long long delay_ms = 0;

        for (size_t i = 0; i < found.gl_pathc; i++) {
                const char *at = found.gl_pathv[i];

                if (is_hub(h, at) ||
                    !system_file_read(h->root, at, control, sizeof control))
                        continue;
                devices++;
                if (strcmp(control, "auto") != 0)
                        continue;
                if (asleep++ == 0) {
                        name_device(h, at, name, sizeof name);
                        beside(at, 1, "autosuspend_delay_ms", path);
                        system_file_number(h->root, path, &delay_ms);
                }
                finding_plan(f, at, control, "on");
        }
        globfree(&found);
        if (devices == 0) {
                finding_not_judged(f, "there is no USB device");
                return;
        }
        if (asleep == 0) {
                finding_ok(f, "none of %d", devices);
                return;
        }
        finding_change(f, "%d of %d may; %s after %lld ms", asleep, devices, name,
                       delay_ms);
        finding_advise(f, "usbcore.autosuspend=-1 on the kernel's command line");
}

void check_serial_latency(const struct host *h, struct host_finding *f)
{
        glob_t found =
                system_file_find(h->root, "/sys/bus/usb-serial/devices/*/latency_timer");
        size_t adapters = found.gl_pathc;
        long long ms, most_ms = 0;
        int slow = 0;

        for (size_t i = 0; i < adapters; i++) {
                char was[24];

                if (!system_file_number(h->root, found.gl_pathv[i], &ms) ||
                    ms <= LATENCY_MS)
                        continue;
                slow++;
                most_ms = ms > most_ms ? ms : most_ms;
                snprintf(was, sizeof was, "%lld", ms);
                finding_plan(f, found.gl_pathv[i], was, "1");
        }
        globfree(&found);
        if (adapters == 0) {
                finding_not_judged(f, "there is no such adapter");
        } else if (slow == 0) {
                finding_ok(f, "%d ms on all %d", LATENCY_MS, (int)adapters);
        } else {
                finding_change(f, "up to %lld ms on %d of %d", most_ms, slow,
                               (int)adapters);
                finding_advise(f, "a run sets it where it may; else a rule of udev "
                                  "(docs/realtime.md)");
        }
}
