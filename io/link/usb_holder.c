/* Which program has a USB device open: for the message that it is busy. */
#include <stdio.h>
#include <string.h>

#include "io/link/holder.h"
#include "io/link/usb_device.h"

void usb_holder_find(char holder[64], unsigned bus, unsigned address)
{
        char path[40], name[20] = "a program";
        pid_t pid;
        FILE *f;

        snprintf(path, sizeof path, "/dev/bus/usb/%03u/%03u", bus, address);
        pid = holder_find(path);
        snprintf(holder, 64, "another program");
        if (pid == 0)
                return;
        snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
        f = fopen(path, "re");
        if (f != NULL) {
                if (fgets(name, sizeof name, f) != NULL)
                        name[strcspn(name, "\n")] = '\0';
                fclose(f);
        }
        snprintf(holder, 64, "%s, process %d", name, (int)pid);
}
