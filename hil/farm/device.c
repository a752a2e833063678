/* Whether a board shows itself to the host. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hil/farm/equip.h"
#include "hil/time/clock.h"

#define LOOK_NS (10 * NS_PER_MS)

#define USB_DEVICES "/sys/bus/usb/devices"

/* A line of a file of the kernel's; "": there is none. */
static void read_line(const char *device, const char *file, char *line, size_t cap)
{
        char path[500];
        FILE *f;

        line[0] = '\0';
        snprintf(path, sizeof path, USB_DEVICES "/%.200s/%s", device, file);
        f = fopen(path, "re");
        if (f != NULL && fgets(line, (int)cap, f) == NULL)
                line[0] = '\0';
        line[strcspn(line, "\n")] = '\0';
        if (f != NULL)
                fclose(f);
}

/* False: no device of this name has ids. */
static bool read_usb(const char *device, struct farm_usb *usb)
{
        char vendor[20], product[20], serial[200];

        read_line(device, "idVendor", vendor, sizeof vendor);
        read_line(device, "idProduct", product, sizeof product);
        read_line(device, "serial", serial, sizeof serial);
        snprintf(usb->path, sizeof usb->path, "%s", device);
        snprintf(usb->ids, sizeof usb->ids, "%s:%s:%s", vendor, product, serial);
        return vendor[0] != '\0';
}

/* "1209:5741" or "1209:5741:SERIAL" */
static bool has_ids(const struct farm_usb *usb, const char *wanted)
{
        size_t len = strlen(wanted);

        if (strncasecmp(usb->ids, wanted, len) != 0)
                return false;
        return usb->ids[len] == '\0' ||
               (usb->ids[len] == ':' && strchr(wanted, ':') == strrchr(wanted, ':'));
}

/* By its ids, wherever it is plugged in. */
static bool find_usb(const char *wanted, struct farm_usb *usb)
{
        DIR *devices = opendir(USB_DEVICES);
        const struct dirent *d;
        bool there = false;

        while (devices != NULL && !there && (d = readdir(devices)) != NULL)
                there = d->d_name[0] != '.' && read_usb(d->d_name, usb) &&
                        has_ids(usb, wanted);
        if (devices != NULL)
                closedir(devices);
        return there;
}

bool farm_usb_look(const struct farm_board *board, struct farm_usb *usb)
{
        *usb = (struct farm_usb){ { 0 } };
        if (board->usb[0] == '\0')
                return false;
        return strchr(board->usb, ':') != NULL ? find_usb(board->usb, usb)
                                               : read_usb(board->usb, usb);
}

static bool usb_is_there(const char *wanted)
{
        struct farm_usb usb;
        char path[300];

        if (strchr(wanted, ':') != NULL)
                return find_usb(wanted, &usb);
        snprintf(path, sizeof path, USB_DEVICES "/%s", wanted);
        return access(path, F_OK) == 0;
}

/* The device file of a link, as of "uart:/dev/ttyACM0@921600"; false: it has none. */
static bool file_of(const char *link, char *file, size_t cap)
{
        if (strncmp(link, "uart:/", 6) == 0)
                snprintf(file, cap, "%.*s", (int)strcspn(link + 5, "@"), link + 5);
        else if (strncmp(link, "pty:/", 5) == 0)
                snprintf(file, cap, "%s", link + 4);
        else
                return false;
        return true;
}

enum farm_device farm_device(const struct farm_board *board)
{
        char file[FARM_LINK_MAX];

        if (board->usb[0] != '\0')
                return usb_is_there(board->usb) ? DEVICE_THERE : DEVICE_GONE;
        if (file_of(board->link[0], file, sizeof file))
                return access(file, F_OK) == 0 ? DEVICE_THERE : DEVICE_GONE;
        return DEVICE_UNKNOWN;
}

bool farm_device_await(const struct farm_board *board, enum farm_device wanted,
                       int64_t timeout_ns)
{
        int64_t until_ns = clock_now_ns() + timeout_ns;

        while (farm_device(board) != wanted) {
                if (clock_now_ns() >= until_ns)
                        return false;
                clock_sleep_until(clock_now_ns() + LOOK_NS);
        }
        return true;
}

void farm_device_name(const struct farm_board *board, char *name, size_t cap)
{
        char file[FARM_LINK_MAX];

        name[0] = '\0';
        if (board->usb[0] != '\0')
                snprintf(name, cap, "USB device %s", board->usb);
        else if (file_of(board->link[0], file, sizeof file))
                snprintf(name, cap, "%s", file);
}
