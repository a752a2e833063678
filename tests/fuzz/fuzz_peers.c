/* Any packets by radio into what the reference flight controller knows of others: the list stays in order and within its
 * room, whatever is said is a number, and its own word is one that another understands. The first byte of each
 * is its sender, the second its length. */
#include <assert.h>
#include <math.h>

#include "models/fc/peers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct fc_estimator e = { .origin_known = true, .origin = { 0.9, 0.2, 100.0 } };
        struct peers k, other;
        struct flock_view v = { .others = 0 };
        uint8_t said[PEERS_SAID_MAX];
        size_t len;

        peers_init(&k);
        k.radio = true;
        k.address = 255;
        k.radios = 256;
        while (size >= 2) {
                len = data[1] < size - 2 ? data[1] : size - 2;
                peers_hear(&k, &e, data[0], data + 2, len);
                check_list(&k);
                data += 2 + len;
                size -= 2 + len;
        }
        peers_view(&k, &params, 1000000000, &v);
        assert(v.others <= k.count && v.obstacles <= FLOCK_OBSTACLES_MAX);
        peers_init(&other);
        len = peers_say(&k, &e, &params, &v, true, 1000000000, said);
        assert(len > 0 && len <= sizeof said);
        peers_hear(&other, &e, 255, said, len);
        assert(other.count == 1);
        return 0;
}
