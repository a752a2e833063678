/* Any bytes from a node of the bus, and as its announcement: every bound holds, its expressions end in time, and words are finite. */
#include <assert.h>

#include "io/twin/ivy_message.h"
#include "io/twin/ivy_peer.h"
#include "tests/fuzz/fuzz.h"

static void read_groups(const char *groups, const struct ivy_layouts *layouts)
{
        struct twin_word word;

        if (ivy_message_read(groups, 147, layouts, &word) != IVY_MESSAGE_WORD)
                return;
        assert(isfinite(vec3_norm(word.pos_ned_m)));
        assert(isfinite(vec3_norm(word.vel_ned_mps)));
        assert(isfinite(word.q_body_to_ned.w));
        assert(word.throttle_ratio >= 0.0 && word.throttle_ratio <= 1.0);
}

static void read_announcement(const uint8_t *data, size_t size)
{
        char text[256], id[IVY_ID_MAX];
        uint16_t port = 0;

        snprintf(text, sizeof text, "%.*s", (int)(size < 255 ? size : 255),
                 (const char *)data);
        if (!ivy_announcement_read(text, &port, id))
                return;
        assert(port > 0 && strlen(id) < sizeof id && strpbrk(id, " \n\t") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct ivy_peer *peer = calloc(1, sizeof *peer);
        struct ivy_counts counts = { 0 };
        struct ivy_layouts layouts;

        if (peer == NULL)
                return 0;
        ivy_layouts_init(&layouts);
        read_announcement(data, size);
        while (size > 0 && !peer->over) {
                const char *groups;
                size_t used =
                        ivy_peer_take(peer, &counts, (const char *)data, size, &groups);

                assert(used > 0 && used <= size);
                assert(peer->regexps <= IVY_REGEXPS_MAX);
                if (groups != NULL)
                        read_groups(groups, &layouts);
                data += used;
                size -= used;
        }
        ivy_peer_offer(peer, &counts,
                       "147 ROTORCRAFT_FP 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
        ivy_peer_offer(peer, &counts, "hilrig FINKEN_SONAR 147 1.250 10.000 2.000 0.500");
        ivy_peer_clear(peer);
        free(peer);
        return 0;
}
