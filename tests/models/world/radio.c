/* The radio between vehicles: how far, when, what two packets at once do, and that what is drawn is nobody else's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/world/radio.h"

#include "tests/suites.h"

#define MS    INT64_C(1000000)
#define NODES 4

/* 1 Mbit/s, heard for some 150 m, nothing random: 100 bytes on the air take 0.8 ms. */
static const struct radio_params plain = {
        .rate_bps = 1e6,
        .overhead_bytes = 20,
        .bytes_max = 100,
        .latency_s = 0.005,
        .power_dbm = 0.0,
        .sensitivity_dbm = -83.5,
        .frequency_hz = 2.4e9,
        .path_loss_exponent = 2.0,
        .wall_db = 5.0,
        .capture_db = 6.0,
        .queue = 4,
};

static const struct world empty = { .ground_down_m = 0.0 };

struct stage {
        struct radio *radio;
        struct radio_antenna antenna[NODES];
        const struct world *world;
        int64_t t_ns;
};

static struct stage stage_open(const struct radio_params *p)
{
        struct stage s = { .world = &empty };
        void *memory = calloc(1, radio_size(NODES));

        ck_assert_ptr_nonnull(memory);
        s.radio = radio_init(memory, p, NODES, 1);
        for (int i = 0; i < NODES; i++)
                s.antenna[i] = (struct radio_antenna){
                        .pos_ned_m = { 10.0 * i, 0.0, -5.0 },
                        .noise_dbm = -(double)INFINITY,
                };
        return s;
}

static struct peer_packet packet_of(uint16_t to, int len, uint8_t fill)
{
        struct peer_packet p = { .peer = to, .len = (uint8_t)len };

        memset(p.bytes, fill, (size_t)len);
        return p;
}

static void offer(struct stage *s, int from, uint16_t to, int len)
{
        struct peer_packet p = packet_of(to, len, (uint8_t)(from + 1));

        radio_offer(s->radio, from, &p, s->t_ns);
}

/* In ticks of 1 ms. */
static void run(struct stage *s, int64_t ms)
{
        for (int64_t i = 0; i < ms; i++) {
                s->t_ns += MS;
                radio_step(s->radio, s->world, s->antenna, s->t_ns);
        }
}

static int take_all(struct stage *s, int to)
{
        struct peer_packet p;
        int count = 0;

        while (radio_take(s->radio, to, s->t_ns, &p))
                count++;
        return count;
}

TEST(power_falls_with_the_square_in_free_space)
{
        /* Friis: 20 log10(4 pi 100 m 2.4 GHz / c) = 80.04 dB. */
        ck_assert_double_eq_tol(radio_power_dbm(&plain, 100.0, 0), -80.04, 0.02);
        ck_assert_double_eq_tol(radio_power_dbm(&plain, 100.0, 0) -
                                        radio_power_dbm(&plain, 200.0, 1),
                                20.0 * log10(2.0) + plain.wall_db, 1e-9);
        ck_assert_double_eq_tol(radio_power_dbm(&plain, radio_range_m(&plain), 0),
                                plain.sensitivity_dbm, 1e-9);
}

TEST(a_packet_comes_after_its_time_on_the_air_and_the_latency)
{
        struct stage s = stage_open(&plain);
        struct peer_packet p;

        ck_assert_int_eq(radio_airtime_ns(&plain, 80), 800000);
        offer(&s, 0, 1, 80);
        run(&s, 5);
        ck_assert(!radio_take(s.radio, 1, s.t_ns, &p)); /* 5 ms < 0.8 ms + 5 ms */
        run(&s, 1);
        ck_assert(radio_take(s.radio, 1, s.t_ns, &p));
        ck_assert_uint_eq(p.peer, 0);
        ck_assert_uint_eq(p.len, 80);
        ck_assert_uint_eq(p.bytes[79], 1);
        ck_assert_int_eq(p.power_dbm, lrint(radio_power_dbm(&plain, 10.0, 0)));
        ck_assert(!radio_take(s.radio, 1, s.t_ns, &p));
        free(s.radio);
}

TEST(all_who_are_near_hear_a_broadcast_and_one_a_unicast)
{
        struct stage s = stage_open(&plain);

        s.antenna[3].pos_ned_m.x = 1.01 * radio_range_m(&plain);
        offer(&s, 0, PEER_ALL, 10);
        offer(&s, 0, 2, 10);
        run(&s, 10);
        ck_assert_int_eq(take_all(&s, 0), 0);
        ck_assert_int_eq(take_all(&s, 1), 1);
        ck_assert_int_eq(take_all(&s, 2), 2);
        ck_assert_int_eq(take_all(&s, 3), 0);
        ck_assert_uint_eq(radio_counts(s.radio, 3)->faint, 1);
        ck_assert_uint_eq(radio_counts(s.radio, 0)->sent, 2);
        free(s.radio);
}

/* 1 and 2 shout at the same time; 0 and 3 stand at their ends. */
TEST(two_at_once_are_heard_by_nobody_but_who_is_much_nearer_to_one)
{
        struct stage s = stage_open(&plain);

        s.antenna[0].pos_ned_m.x = 5.0;
        s.antenna[1].pos_ned_m.x = 0.0;
        s.antenna[2].pos_ned_m.x = 10.0;
        s.antenna[3].pos_ned_m.x = 100.0;
        offer(&s, 1, PEER_ALL, 80);
        offer(&s, 2, PEER_ALL, 80);
        run(&s, 10);
        ck_assert_int_eq(take_all(&s, 0), 0);
        ck_assert_int_eq(take_all(&s, 3), 0); /* 100 m against 90: 0.9 dB */
        ck_assert_uint_eq(radio_counts(s.radio, 0)->collided, 2);
        /* Who sends hears nothing. */
        ck_assert_uint_eq(radio_counts(s.radio, 1)->collided, 1);
        ck_assert_uint_eq(radio_counts(s.radio, 2)->collided, 1);

        s.antenna[0].pos_ned_m.x = 1.0; /* 9 times nearer: 19 dB */
        offer(&s, 1, PEER_ALL, 80);
        offer(&s, 2, PEER_ALL, 80);
        run(&s, 10);
        ck_assert_int_eq(take_all(&s, 0), 1);
        free(s.radio);
}

TEST(who_listens_first_waits_and_all_hear_both)
{
        struct radio_params polite = plain;
        struct stage s;

        polite.carrier_sense = true;
        polite.slot_s = 0.0001;
        polite.backoff_slots = 64;
        s = stage_open(&polite);
        offer(&s, 1, PEER_ALL, 80);
        offer(&s, 2, PEER_ALL, 80);
        run(&s, 40);
        ck_assert_int_eq(take_all(&s, 0), 2);
        ck_assert_int_eq(take_all(&s, 3), 2);
        ck_assert_uint_eq(radio_counts(s.radio, 0)->collided, 0);
        free(s.radio);
}

/* Both hear 0 in the middle and not each other: what listening first cannot know. */
TEST(hidden_senders_collide_all_the_same)
{
        struct radio_params polite = plain;
        struct stage s;

        polite.carrier_sense = true;
        s = stage_open(&polite);
        s.antenna[0].pos_ned_m.x = 0.0;
        s.antenna[1].pos_ned_m.x = -0.8 * radio_range_m(&plain);
        s.antenna[2].pos_ned_m.x = 0.8 * radio_range_m(&plain);
        offer(&s, 1, PEER_ALL, 80);
        offer(&s, 2, PEER_ALL, 80);
        run(&s, 10);
        ck_assert_int_eq(take_all(&s, 0), 0);
        ck_assert_uint_eq(radio_counts(s.radio, 0)->collided, 2);
        free(s.radio);
}

TEST(slotted_aloha_carries_what_abramson_says)
{
        /* 4 radios, 8 slots of one packet each, each sends in one of them at random: a packet is alone with
         * probability (7/8)^3 = 0.670. */
        struct radio_params aloha = plain;
        struct stage s;
        uint64_t heard = 0, missed = 0;

        aloha.slot_s = 0.001;
        aloha.backoff_slots = 8;
        aloha.capture_db = 200.0;
        aloha.latency_s = 0.0;
        s = stage_open(&aloha);
        for (int round = 0; round < 2000; round++) {
                for (int i = 0; i < NODES; i++)
                        offer(&s, i, PEER_ALL, 100);
                run(&s, 10);
                for (int i = 0; i < NODES; i++)
                        take_all(&s, i);
        }
        for (int i = 0; i < NODES; i++) {
                heard += radio_counts(s.radio, i)->heard;
                missed += radio_counts(s.radio, i)->collided;
        }
        ck_assert_uint_eq(heard + missed, 2000 * NODES * (NODES - 1));
        ck_assert_double_eq_tol((double)heard / (double)(heard + missed),
                                pow(7.0 / 8.0, 3.0), 0.015);
        free(s.radio);
}

TEST(losses_come_at_their_ratio)
{
        struct radio_params lossy = plain;
        struct stage s;

        lossy.loss_ratio = 0.3;
        s = stage_open(&lossy);
        for (int i = 0; i < 3000; i++) {
                offer(&s, 0, 1, 10);
                run(&s, 8);
                take_all(&s, 1);
        }
        /* 3 sigma of 3000 throws: 75. */
        ck_assert_uint_ge(radio_counts(s.radio, 1)->lost, 825);
        ck_assert_uint_le(radio_counts(s.radio, 1)->lost, 975);
        free(s.radio);
}

TEST(what_is_lost_does_not_depend_on_what_others_send)
{
        struct radio_params lossy = plain;
        struct stage alone, among;

        lossy.loss_ratio = 0.5;
        lossy.shadowing_db = 4.0;
        alone = stage_open(&lossy);
        among = stage_open(&lossy);
        for (int i = 0; i < 200; i++) {
                offer(&alone, 0, 1, 10);
                offer(&among, 0, 1, 10);
                run(&alone, 2);
                run(&among, 2);
                offer(&among, 2, 3, 10); /* when 0 has ended */
                run(&alone, 8);
                run(&among, 8);
                ck_assert_int_eq(take_all(&alone, 1), take_all(&among, 1));
                take_all(&among, 3);
        }
        free(alone.radio);
        free(among.radio);
}

TEST(a_wall_weakens_and_two_weaken_twice)
{
        struct solid wall[2] = {
                { .shape = SOLID_BOX,
                  .pos_ned_m = { 4, 0, -5 },
                  .size_m = { 0.1, 5, 5 } },
                { .shape = SOLID_BOX,
                  .name = 1,
                  .pos_ned_m = { 14, 0, -5 },
                  .size_m = { 0.1, 5, 5 } },
        };
        struct surface surface = { .friction = 0.5 };
        struct scene_node node[SCENE_NODES(2)];
        struct scene scene;
        struct world walled = empty;
        struct stage s = stage_open(&plain);
        struct peer_packet p;

        for (int i = 0; i < 2; i++)
                wall[i].axes_to_ned = quat_to_mat3((struct quat){ 1.0, 0.0, 0.0, 0.0 });
        ck_assert(scene_build(&scene, wall, 2, node, &surface, 1));
        walled.scene = &scene;
        s.world = &walled;
        offer(&s, 0, PEER_ALL, 10);
        run(&s, 10);
        ck_assert(radio_take(s.radio, 1, s.t_ns, &p));
        ck_assert_int_eq(p.power_dbm, lrint(radio_power_dbm(&plain, 10.0, 1)));
        ck_assert(radio_take(s.radio, 2, s.t_ns, &p));
        ck_assert_int_eq(p.power_dbm, lrint(radio_power_dbm(&plain, 20.0, 2)));
        free(s.radio);
}

TEST(more_than_the_queue_holds_is_dropped_and_counted)
{
        struct stage s = stage_open(&plain);
        const struct radio_counts *c = radio_counts(s.radio, 0);

        for (int i = 0; i < 6; i++)
                offer(&s, 0, 1, 80);
        offer(&s, 0, 1, 101); /* longer than a packet may be */
        run(&s, 20);
        ck_assert_int_eq(take_all(&s, 1), plain.queue);
        ck_assert_uint_eq(c->offered, 7);
        ck_assert_uint_eq(c->dropped, 3);
        ck_assert_uint_eq(c->sent, 4);
        free(s.radio);
}

TEST(a_mute_radio_neither_sends_nor_hears)
{
        struct stage s = stage_open(&plain);

        s.antenna[1].mute = true;
        offer(&s, 0, PEER_ALL, 10);
        offer(&s, 1, PEER_ALL, 10);
        run(&s, 10);
        ck_assert_int_eq(take_all(&s, 1), 0);
        ck_assert_int_eq(take_all(&s, 2), 1);
        ck_assert_uint_eq(radio_counts(s.radio, 1)->sent, 0);
        free(s.radio);
}

/* 10 m away is heard at some -60 dBm. */
TEST(noise_hides_what_is_not_louder_by_the_capture_ratio)
{
        double heard_dbm = radio_power_dbm(&plain, 10.0, 0);

        for (int louder = 0; louder < 2; louder++) {
                struct stage s = stage_open(&plain);

                s.antenna[1].noise_dbm =
                        heard_dbm - plain.capture_db + (louder ? -0.1 : 0.1);
                offer(&s, 0, PEER_ALL, 10);
                run(&s, 10);
                ck_assert_int_eq(take_all(&s, 1), louder);
                ck_assert_uint_eq(radio_counts(s.radio, 1)->jammed, !louder);
                ck_assert_int_eq(take_all(&s, 2), 1); /* it is at the other one alone */
                free(s.radio);
        }
}

TEST(who_listens_first_sends_when_the_noise_is_over)
{
        struct radio_params p = plain;
        struct stage s;

        for (int senses = 0; senses < 2; senses++) {
                p.carrier_sense = senses;
                s = stage_open(&p);
                s.antenna[0].noise_dbm = p.sensitivity_dbm;
                offer(&s, 0, PEER_ALL, 10);
                run(&s, 50);
                ck_assert_int_eq(take_all(&s, 1), !senses);
                s.antenna[0].noise_dbm = -(double)INFINITY;
                run(&s, 10);
                ck_assert_int_eq(take_all(&s, 1), senses);
                free(s.radio);
        }
}

/* Packets that nobody takes for a long time must not hold up the others for ever. */
TEST(room_that_was_used_is_used_again)
{
        struct stage s = stage_open(&plain);

        for (int i = 0; i < 10000; i++) {
                for (int k = 0; k < NODES; k++)
                        offer(&s, k, PEER_ALL, 20);
                run(&s, 1);
                if (i % 100 == 99)
                        for (int k = 0; k < NODES; k++)
                                take_all(&s, k);
        }
        run(&s, 10);
        for (int k = 0; k < NODES; k++)
                take_all(&s, k);
        offer(&s, 0, 1, 20);
        run(&s, 10);
        ck_assert_int_eq(take_all(&s, 1), 1);
        free(s.radio);
}
