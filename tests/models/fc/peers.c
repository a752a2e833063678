/* What flight controllers know of each other: in turn, in their own coordinates, and never more than came. */
#include <math.h>

#include "models/fc/peers.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static const struct flock_params params = { .radius_m = 100.0,
                                            .silent_s = 1.0,
                                            .period_s = 0.1 };

/* Its own origin, a little off the other's. */
static struct fc_estimator at(double north_m, struct vec3 pos_ned_m)
{
        struct earth_origin world = { 0.9, 0.2, 100.0 };
        struct earth_position origin =
                earth_from_ned(&world, (struct vec3){ north_m, 0.0, 0.0 });
        struct fc_estimator e = { .origin_known = true,
                                  .pos_ned_m = pos_ned_m,
                                  .vel_ned_mps = { 1.0, -2.0, 0.5 } };

        e.origin =
                (struct earth_origin){ origin.lat_rad, origin.lon_rad, origin.height_m };
        return e;
}

static struct peers radio_of(int address, int radios)
{
        struct peers k;

        peers_init(&k);
        k.radio = true;
        k.address = address;
        k.radios = radios;
        return k;
}

static bool say(struct peers *k, const struct fc_estimator *e, int64_t t_ns,
                struct peer_word *out)
{
        struct flock_view seen = { .sonars = 1,
                                   .sonar_ned = { { 0.0, 1.0, 0.0 } },
                                   .sonar_m = { 2.5 } };

        return peers_say(k, e, &params, &seen, true, t_ns, out);
}

TEST(a_state_arrives_in_the_listeners_own_coordinates)
{
        struct peers one = radio_of(0, 2), other = radio_of(1, 2);
        struct fc_estimator speaks = at(10.0, (struct vec3){ 3.0, 4.0, -5.0 });
        struct fc_estimator hears = at(0.0, (struct vec3){ 0.0, 0.0, -5.0 });
        struct flock_view v = { .pos_ned_m = hears.pos_ned_m };
        struct peer_word word;

        ck_assert(say(&one, &speaks, 1000 * MS, &word));
        ck_assert_int_eq(word.says, PEER_SAYS_STATE);
        peers_hear(&other, &hears, 0, &word);
        peers_view(&other, &params, 1010 * MS, &v);
        ck_assert_int_eq(v.others, 1);
        ck_assert_double_eq_tol(v.other[0].pos_ned_m.x, 13.0, 1e-4);
        ck_assert_double_eq_tol(v.other[0].pos_ned_m.y, 4.0, 1e-4);
        ck_assert_double_eq_tol(v.other[0].pos_ned_m.z, -5.0, 1e-4);
        ck_assert_double_eq_tol(v.other[0].vel_ned_mps.y, -2.0, 1e-12);
        ck_assert_int_eq(v.obstacles, 1);
        ck_assert_double_eq_tol(v.obstacle_ned_m[0].y, 6.5, 1e-4);
}

TEST(each_speaks_once_a_period_and_in_its_turn)
{
        struct fc_estimator e = at(0.0, (struct vec3){ 0.0, 0.0, 0.0 });
        struct peer_word word;

        for (int address = 0; address < 4; address++) {
                struct peers k = radio_of(address, 4);
                int said = 0;

                for (int64_t t = 0; t < 1000; t++)
                        if (say(&k, &e, t * MS, &word)) {
                                ck_assert_int_eq(t % 100, 25 * address);
                                said++;
                        }
                ck_assert_int_eq(said, 10);
        }
}

TEST(who_is_silent_is_forgotten_and_who_does_not_know_where_it_is_says_nothing)
{
        struct peers one = radio_of(0, 2), other = radio_of(1, 2);
        struct fc_estimator e = at(0.0, (struct vec3){ 0.0, 0.0, 0.0 }), lost = e;
        struct flock_view v = { .others = 0 };
        struct peer_word word;

        ck_assert(say(&one, &e, 0, &word));
        peers_hear(&other, &e, 0, &word);
        peers_view(&other, &params, 999 * MS, &v);
        ck_assert_int_eq(v.others, 1);
        peers_view(&other, &params, 1001 * MS, &v);
        ck_assert_int_eq(v.others, 0);
        ck_assert_int_eq(other.count, 0);
        lost.origin_known = false;
        one.said_ns = -1;
        peers_hear(&other, &lost, 0, &word);
        ck_assert(!say(&one, &lost, 0, &word));
        ck_assert_int_eq(other.count, 0);
}

TEST(a_word_that_was_overtaken_changes_nothing)
{
        struct peers one = radio_of(0, 2), other = radio_of(1, 2);
        struct fc_estimator old = at(0.0, (struct vec3){ 1.0, 0.0, 0.0 });
        struct fc_estimator new = at(0.0, (struct vec3){ 9.0, 0.0, 0.0 });
        struct peer_word first, second;

        ck_assert(say(&one, &old, 0, &first));
        ck_assert(say(&one, &new, 100 * MS, &second));
        peers_hear(&other, &old, 0, &second);
        peers_hear(&other, &old, 0, &first);
        ck_assert_double_eq_tol(other.at[0].pos_ned_m.x, 9.0, 1e-4);
}

TEST(the_farthest_gives_way_where_there_is_no_room)
{
        struct peers other = radio_of(200, 201);
        struct fc_estimator hears = at(0.0, (struct vec3){ 0.0, 0.0, 0.0 });
        struct peer_word word;

        for (int i = 0; i <= FLOCK_OTHERS_MAX; i++) {
                struct peers k = radio_of(0, 1);
                struct fc_estimator e = at(0.0, (struct vec3){ 100.0 - i, 0.0, 0.0 });

                ck_assert(say(&k, &e, 0, &word));
                peers_hear(&other, &hears, i, &word);
        }
        ck_assert_int_eq(other.count, FLOCK_OTHERS_MAX);
        ck_assert_int_eq(other.at[0].address, 1); /* the first was the farthest */
        for (int i = 1; i < other.count; i++)
                ck_assert_int_lt(other.at[i - 1].address, other.at[i].address);
}

TEST(a_hub_pauses_and_chooses_behaviours)
{
        struct peers k = radio_of(0, 2);
        struct fc_estimator e = at(0.0, (struct vec3){ 0.0, 0.0, 0.0 });
        struct peer_word word = { .says = PEER_SAYS_HUB,
                                  .hub = { .all = true, .behaviours = FLOCK_COHESION } };

        peers_hear(&k, &e, 1, &word);
        ck_assert(k.paused);
        ck_assert_uint_eq(k.behaviours, FLOCK_COHESION);
        word.hub = (struct peer_hub){ .go = true,
                                      .all = true,
                                      .behaviours = FLOCK_BEHAVIOURS };
        peers_hear(&k, &e, 1, &word);
        ck_assert(!k.paused);
}

TEST(a_hubs_word_is_for_those_whom_it_names)
{
        struct fc_estimator e = at(0.0, (struct vec3){ 0.0, 0.0, 0.0 });
        struct peer_word word = { .says = PEER_SAYS_HUB,
                                  .hub = { .behaviours = FLOCK_AVOID } };

        word.hub.named[0] = 1 << 3;
        word.hub.named[1] = 1 << 1;
        word.hub.named[31] = 1 << 7;
        for (int i = 0; i < 256; i++) {
                bool named = i == 3 || i == 9 || i == 255;
                struct peers k = radio_of(i, 257);

                peers_hear(&k, &e, 256, &word);
                ck_assert(k.paused == named);
                ck_assert(k.behaviours == (named ? FLOCK_AVOID : FLOCK_BEHAVIOURS));
        }
}

TEST(its_own_word_tells_it_nothing)
{
        struct peers k = radio_of(1, 2);
        struct fc_estimator e = at(0.0, (struct vec3){ 0.0, 0.0, 0.0 });
        struct peer_word word;

        ck_assert(say(&k, &e, 50 * MS, &word));
        peers_hear(&k, &e, 1, &word);
        ck_assert_int_eq(k.count, 0);
}
