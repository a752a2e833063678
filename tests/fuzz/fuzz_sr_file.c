/* Any bytes as a .sr file: as they are, or as the metadata (up to the first zero) and the samples of
 * an archive that is whole. Reading ends, within the samples that a file of its size can hold. */
#include <assert.h>
#include <sys/mman.h>

#include "io/log/sr_file.h"
#include "io/log/zip_file.h"
#include "tests/fuzz/fuzz.h"

static void read_all(const char *path, size_t size)
{
        static uint8_t samples[4099];
        uint64_t total = 0;
        struct link_error why = { "" };
        struct sr_reader *r = sr_open(path, &why);
        long n;

        if (r == NULL) {
                assert(strncmp(why.text, path, strlen(path)) == 0);
                return;
        }
        assert(sr_info(r)->rate_hz > 0.0 && sr_info(r)->unit_bytes > 0);
        assert(sr_info(r)->pads >= 0 && sr_info(r)->pads <= MOTOR_PADS_MAX);
        while ((n = sr_read(r, samples, sizeof samples, &why)) > 0) {
                assert((size_t)n <= sizeof samples);
                total += (uint64_t)n;
        }
        assert(n == 0 || strncmp(why.text, path, strlen(path)) == 0);
        assert(total <= ((uint64_t)size + 65536) * 1100);
        sr_close(r);
}

static void make(const char *path, const uint8_t *data, size_t size)
{
        const uint8_t *zero = memchr(data, 0, size);
        size_t text = zero != NULL ? (size_t)(zero - data) : size;
        struct link_error why;
        struct zip_writer *z = zip_create(path, &why);

        assert(z != NULL);
        assert(zip_add(z, "metadata", data, text, &why));
        assert(zip_add(z, "logic-1-1", data + text, (size - text) / 2, &why));
        assert(zip_add(z, "logic-1-2", data + text, size - text, &why));
        assert(zip_finish(z, &why));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        int fd = memfd_create("sr", MFD_CLOEXEC);
        char path[40];

        assert(fd >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (size > 0 && data[0] == 'P') {
                assert(write(fd, data, size) == (ssize_t)size);
                read_all(path, size);
        } else if (size > 0) {
                make(path, data, size);
                read_all(path, size + 1000);
        }
        close(fd);
        return 0;
}
