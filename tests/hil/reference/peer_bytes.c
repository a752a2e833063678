/* Words by radio as bytes: back to the resolution of their fields, and nothing else is a word. */
#include <string.h>

#include "hil/reference/peer_bytes.h"
#include "models/fc/flock/flock.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct peer_place place_of(double lat_rad)
{
        return (struct peer_place){ 1234567 * MS,
                                    { lat_rad, -2.1, 512.345 },
                                    { 1.23, -4.56, 0.07 } };
}

static struct peer_word state(int obstacles)
{
        struct peer_word w = { .says = PEER_SAYS_STATE,
                               .state = { .place = place_of(0.9),
                                          .flying = true,
                                          .obstacles = obstacles } };

        for (int i = 0; i < obstacles; i++)
                w.state.obstacle_ned_m[i] = (struct vec3){ 0.5 * i, -2.0, 0.25 };
        return w;
}

static struct peer_word ranges(int count)
{
        struct peer_word w = { .says = PEER_SAYS_RANGES,
                               .ranges = { .reckoned = place_of(-0.9),
                                           .reckoned_s = 12.3,
                                           .count = count } };

        for (int i = 0; i < count; i++)
                w.ranges.range[i] =
                        (struct peer_range){ 300 + i, 1234567 * MS - i * MS, 4.321 + i };
        return w;
}

static struct peer_word back(const struct peer_word *w, size_t len)
{
        uint8_t bytes[PEER_BYTES_LONGEST];
        struct peer_word out;

        ck_assert_uint_eq(peer_bytes_pack(w, bytes), len);
        ck_assert(peer_bytes_unpack(&out, bytes, len));
        ck_assert_int_eq(out.says, w->says);
        return out;
}

/* 1e-7 degrees are 1.75e-9 rad, 11 mm to the north. */
static void assert_place(const struct peer_place *a, const struct peer_place *b)
{
        ck_assert_int_eq(a->t_ns, b->t_ns);
        ck_assert_double_eq_tol(a->at.lat_rad, b->at.lat_rad, 0.9e-9);
        ck_assert_double_eq_tol(a->at.lon_rad, b->at.lon_rad, 0.9e-9);
        ck_assert_double_eq_tol(a->at.height_m, b->at.height_m, 0.5e-3);
        ck_assert_double_eq_tol(a->vel_ned_mps.y, b->vel_ned_mps.y, 0.005);
}

TEST(every_word_comes_back)
{
        for (int n = 0; n <= PEER_OBSTACLES_MAX; n++) {
                struct peer_word w = state(n), got = back(&w, 25 + 6 * (size_t)n);

                assert_place(&got.state.place, &w.state.place);
                ck_assert(got.state.flying);
                ck_assert_int_eq(got.state.obstacles, n);
                if (n > 0)
                        ck_assert_double_eq_tol(got.state.obstacle_ned_m[n - 1].x,
                                                0.5 * (n - 1), 0.005);
        }
        for (int n = 0; n <= PEER_RANGES_MAX; n++) {
                struct peer_word w = ranges(n), got = back(&w, 26 + 8 * (size_t)n);

                assert_place(&got.ranges.reckoned, &w.ranges.reckoned);
                ck_assert_double_eq_tol(got.ranges.reckoned_s, 12.3, 0.05);
                ck_assert_int_eq(got.ranges.count, n);
                for (int i = 0; i < n; i++) {
                        ck_assert_int_eq(got.ranges.range[i].address, 300 + i);
                        ck_assert_int_eq(got.ranges.range[i].t_ns,
                                         w.ranges.range[i].t_ns);
                        ck_assert_double_eq_tol(got.ranges.range[i].range_m, 4.321 + i,
                                                0.5e-3);
                }
        }
        {
                struct peer_word w = {
                        .says = PEER_SAYS_HUB,
                        .hub = { .go = true, .all = true, .behaviours = FLOCK_ALIGNMENT }
                };
                struct peer_word got = back(&w, 3);

                ck_assert(got.hub.go && got.hub.all &&
                          got.hub.behaviours == FLOCK_ALIGNMENT);
                w.hub.all = false;
                w.hub.named[1] = 5;
                got = back(&w, 5);
                ck_assert(!got.hub.all);
                ck_assert_mem_eq(got.hub.named, w.hub.named, sizeof w.hub.named);
        }
}

TEST(nothing_else_is_a_word)
{
        const struct peer_word whole[] = { state(2), ranges(3) };
        uint8_t bytes[PEER_BYTES_LONGEST + 1] = { 0 };
        struct peer_word out;

        for (int k = 0; k < 2; k++) {
                size_t len = peer_bytes_pack(&whole[k], bytes);

                for (size_t n = 0; n <= sizeof bytes; n++)
                        ck_assert(peer_bytes_unpack(&out, bytes, n) == (n == len));
                memset(bytes + (k == 0 ? 6 : 5), 0x7F, 8); /* 214 degrees north */
                ck_assert(!peer_bytes_unpack(&out, bytes, len));
        }
        ck_assert(!peer_bytes_unpack(&out, (const uint8_t[]){ 2, 1, 0xFF }, 3));
        ck_assert(!peer_bytes_unpack(&out, (const uint8_t[]){ 2, 1 }, 2));
        ck_assert(!peer_bytes_unpack(&out, (const uint8_t[]){ 2, 0, 0, 1, 0 }, 5));
        ck_assert(!peer_bytes_unpack(&out, (const uint8_t[]){ 9, 1, 0 }, 3));
}
