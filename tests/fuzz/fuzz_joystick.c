/* Any file as a joystick that is played: what is taken is written, and plays the same again. */
#include <assert.h>
#include <sys/mman.h>

#include "io/joystick/joystick.h"
#include "tests/fuzz/fuzz.h"

static struct joystick *play(const void *bytes, size_t len)
{
        int fd = memfd_create("joystick", 0);
        struct joystick *j;
        char source[40], why[300];

        assert(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
        snprintf(source, sizeof source, "played:/proc/self/fd/%d", fd);
        j = joystick_open(source, why, sizeof why);
        close(fd);
        return j;
}

static char *write_out(const struct joystick *j, size_t *len)
{
        char *text = NULL;
        FILE *out = open_memstream(&text, len);

        assert(joystick_write(j, out));
        fclose(out);
        return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct joystick *j = play(data, size), *again;
        struct joystick_event event[64];
        int64_t before_ns = 0;
        char *text, *twice;
        size_t len, len_twice;
        int count;

        if (j == NULL)
                return 0;
        text = write_out(j, &len);
        again = play(text, len);
        assert(again != NULL);
        twice = write_out(again, &len_twice);
        /* But for the name in the first line. */
        assert(strcmp(strchr(text, '\n'), strchr(twice, '\n')) == 0);
        while ((count = joystick_read(j, INT64_MAX, 0, event, 64)) > 0)
                for (int i = 0; i < count; i++) {
                        assert(event[i].t_ns >= before_ns);
                        before_ns = event[i].t_ns;
                }
        free(text);
        free(twice);
        joystick_close(j);
        joystick_close(again);
        return 0;
}
