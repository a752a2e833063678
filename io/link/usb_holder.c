/* Which program has a USB device open, as far as /proc shows: for the message that it is busy. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/link/usb_device.h"

static bool has_open(const char *process, const char *node)
{
        char path[300], target[64];
        struct dirent *entry;
        bool found = false;
        DIR *fds;

        snprintf(path, sizeof path, "/proc/%s/fd", process);
        fds = opendir(path);
        if (fds == NULL)
                return false;
        while (!found && (entry = readdir(fds)) != NULL) {
                ssize_t len =
                        readlinkat(dirfd(fds), entry->d_name, target, sizeof target - 1);

                target[len > 0 ? len : 0] = '\0';
                found = strcmp(target, node) == 0;
        }
        closedir(fds);
        return found;
}

static void describe(char holder[64], const char *process)
{
        char path[300], name[20] = "a program";
        FILE *f;

        snprintf(path, sizeof path, "/proc/%s/comm", process);
        f = fopen(path, "r");
        if (f != NULL) {
                if (fgets(name, sizeof name, f) != NULL)
                        name[strcspn(name, "\n")] = '\0';
                fclose(f);
        }
        snprintf(holder, 64, "%s, process %.12s", name, process);
}

void usb_holder_find(char holder[64], unsigned bus, unsigned address)
{
        DIR *processes = opendir("/proc");
        struct dirent *entry;
        char node[40], self[16];

        snprintf(node, sizeof node, "/dev/bus/usb/%03u/%03u", bus, address);
        snprintf(self, sizeof self, "%d", (int)getpid());
        snprintf(holder, 64, "another program");
        while (processes != NULL && (entry = readdir(processes)) != NULL)
                if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
                    strcmp(entry->d_name, self) != 0 && has_open(entry->d_name, node)) {
                        describe(holder, entry->d_name);
                        break;
                }
        if (processes != NULL)
                closedir(processes);
}
