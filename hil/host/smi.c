#include "hil/host/smi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/host/system_file.h"

/* MSR_SMI_COUNT (Intel SDM, volume 4); the offset in the device is the register's number. */
#define MSR_SMI_COUNT 0x34

static bool is_intel(const char *root)
{
        char *text = system_file_read_whole(root, "/proc/cpuinfo");
        bool intel = text != NULL && strstr(text, "GenuineIntel") != NULL;

        free(text);
        return intel;
}

static int read_register(const char *root, int cpu, uint64_t *value)
{
        char path[40], real[HOST_PATH_MAX];
        int fd, error = 0;
        ssize_t n;

        snprintf(path, sizeof path, "/dev/cpu/%d/msr", cpu);
        system_file_path(root, path, real);
        fd = open(real, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return errno;
        n = pread(fd, value, sizeof *value, MSR_SMI_COUNT);
        if (n != sizeof *value)
                error = n < 0 ? errno : EIO;
        close(fd);
        return error;
}

bool smi_count(const char *root, const struct cpu_list *cpus, uint64_t *count, char *why,
               size_t cap)
{
        *count = 0;
        if (!is_intel(root)) {
                snprintf(why, cap, "only Intel's processors count them in a register");
                return false;
        }
        for (int i = 0; i < HOST_CPUS_MAX; i++) {
                uint64_t value = 0;
                int error = cpus->has[i] ? read_register(root, i, &value) : 0;

                if (error != 0) {
                        snprintf(why, cap,
                                 "/dev/cpu/%d/msr: %s (as root, after `modprobe msr`)", i,
                                 strerrordesc_np(error));
                        return false;
                }
                *count = value > *count ? value : *count;
        }
        return true;
}
