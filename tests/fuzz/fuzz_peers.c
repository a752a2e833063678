/* Any packets by radio into what the reference flight controller knows of others: what is understood is packed to as many bytes
 * again, the list stays in order and within its room, whatever is said is a number, and its own word is one that another understands. The first byte of each
 * is its sender, the second its length. */
#include <assert.h>
#include <math.h>

#include "hil/reference/peer_bytes.h"
#include "models/fc/collective.h"
#include "tests/fuzz/fuzz.h"

static const struct flock_params params = { .radius_m = 1e9,
                                            .silent_s = 5.0,
                                            .period_s = 0.1 };

static void check_list(const struct peers *k)
{
        assert(k->count >= 0 && k->count <= FLOCK_OTHERS_MAX);
        assert(k->behaviours <= FLOCK_BEHAVIOURS);
        for (int i = 0; i < k->count; i++) {
                assert(i == 0 || k->at[i].address > k->at[i - 1].address);
                assert(isfinite(vec3_norm(k->at[i].pos_ned_m)));
                assert(isfinite(vec3_norm(k->at[i].vel_ned_mps)));
        }
}

static const struct collective_params collective_params = {
        .start_m = 0.05, .drift_mps2 = 0.02, .range_m = 0.1, .gate = 4.0
};

/* One who stands at its origin. */
static void begin(struct peers *k, struct collective *c, struct fc_estimator *e)
{
        const struct sensor_frame frame = { .t_ns = 1000000000 };

        peers_init(k);
        k->radio = true;
        k->address = 255;
        k->radios = 256;
        collective_init(c);
        *e = (struct fc_estimator){ .aligned = true,
                                    .origin_known = true,
                                    .origin = { 0.9, 0.2, 100.0 } };
        collective_step(c, &collective_params, k, &frame, true, 0.001, e);
}

static void hear(struct peers *k, struct collective *c, const struct fc_estimator *e,
                 int from, const uint8_t *bytes, size_t len)
{
        uint8_t again[PEER_BYTES_LONGEST];
        struct peer_word word;

        if (!peer_bytes_unpack(&word, bytes, len))
                return;
        assert(peer_bytes_pack(&word, again) == len);
        if (word.says == PEER_SAYS_RANGES)
                collective_hear(c, &collective_params, e, from, &word.ranges);
        else
                peers_hear(k, e, from, &word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static struct collective c;
        struct fc_estimator e;
        struct peers k, other;
        struct flock_view v = { .others = 0 };
        struct peer_word said;
        size_t len;

        begin(&k, &c, &e);
        while (size >= 2) {
                len = data[1] < size - 2 ? data[1] : size - 2;
                hear(&k, &c, &e, data[0], data + 2, len);
                check_list(&k);
                assert(c.members >= 1 && c.members <= COLLECTIVE_MAX);
                data += 2 + len;
                size -= 2 + len;
        }
        for (int i = 0; i < COLLECTIVE_ERRORS; i++)
                assert(isfinite(c.error[i]) && c.covariance[i * (i + 1) / 2 + i] >= 0.0);
        peers_view(&k, &params, 1000000000, &v);
        assert(v.others <= k.count && v.obstacles <= FLOCK_OBSTACLES_MAX);
        peers_init(&other);
        assert(peers_say(&k, &e, &params, &v, true, 1000000000, &said));
        peers_hear(&other, &e, 255, &said);
        assert(other.count == 1);
        return 0;
}
