/* Any bytes as messages.xml and as conf.xml: refused with a reason, or layouts and aircraft within their bounds. */
#include <assert.h>
#include <sys/mman.h>

#include "io/twin/ivy_message.h"
#include "tests/fuzz/fuzz.h"

static void read_with(const struct ivy_layouts *layouts)
{
        char groups[1000];
        struct twin_word word;

        for (int i = 0; i < IVY_LAYOUTS; i++) {
                int at = snprintf(groups, sizeof groups, "1\x03%s\x03",
                                  layouts->of[i].name);

                assert(layouts->of[i].fields <= IVY_FIELDS_MAX);
                for (int k = 0; k < layouts->of[i].fields; k++)
                        at += snprintf(groups + at, sizeof groups - (size_t)at, "%s%d",
                                       k ? " " : "", 1000 - 7 * k);
                snprintf(groups + at, sizeof groups - (size_t)at, "\x03");
                if (ivy_message_read(groups, 1, layouts, &word) == IVY_MESSAGE_WORD)
                        assert(isfinite(vec3_norm(word.pos_ned_m)) && word.said != 0);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static struct ivy_fleet fleet;
        struct ivy_layouts layouts;
        struct link_error why = { .text = "" };
        char path[40];
        int fd = memfd_create("xml", MFD_CLOEXEC);

        if (fd < 0 || write(fd, data, size) != (ssize_t)size)
                abort();
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ivy_layouts_init(&layouts);
        if (ivy_layouts_read(&layouts, path, &why))
                read_with(&layouts);
        else
                assert(why.text[0] != '\0');
        why.text[0] = '\0';
        if (ivy_fleet_read(&fleet, path, &why))
                assert(fleet.count > 0 && fleet.count <= IVY_AIRCRAFT_MAX);
        else
                assert(why.text[0] != '\0');
        close(fd);
        return 0;
}
