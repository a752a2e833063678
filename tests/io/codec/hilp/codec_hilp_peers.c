/* What a conversation in HILP says of the radio, and what boards send by it. */
#include "tests/boards/hilp_pair.h"
#include "tests/suites.h"

static struct codec_setup setup_radio(void)
{
        struct codec_setup setup = setup_plain;

        setup.radio_address = 2;
        setup.radios = 8;
        setup.radio_bytes_max = 100;
        return setup;
}

TEST(a_board_learns_its_address_and_one_without_a_radio_nothing)
{
        struct codec_setup setup = setup_radio();
        struct pair p;

        pair_ready(&p, &setup);
        tick(&p, 0, NULL);
        ck_assert_uint_eq(p.board.radio.address, 2);
        ck_assert_uint_eq(p.board.radio.radios, 8);
        ck_assert_uint_eq(p.board.radio.bytes_max, 100);
        pair_end(&p);
        pair_ready(&p, &setup_plain);
        tick(&p, 0, NULL);
        ck_assert_uint_eq(p.board.radio.radios, 0);
        pair_end(&p);
}

TEST(a_boards_bytes_reach_the_rig_as_they_are)
{
        struct codec_setup setup = setup_radio();
        uint8_t frame[HILP_FRAME_MAX], bytes[101] = { 0, 255, 3 };
        struct pair p;

        pair_ready(&p, &setup);
        tick(&p, 0, NULL);
        ck_assert_uint_eq(
                to_rig(&p, frame,
                       hilp_board_peer_send(&p.board, HILP_PEER_ALL, bytes, 100, frame)),
                FC_PEER);
        ck_assert_uint_eq(p.report.peer.peer, PEER_ALL);
        ck_assert_uint_eq(p.report.peer.len, 100);
        ck_assert_mem_eq(p.report.peer.bytes, bytes, 100);
        /* Longer than it was told. */
        ck_assert_uint_eq(hilp_board_peer_send(&p.board, 0, bytes, 101, frame), 0);
        /* To an address that there is not. */
        ck_assert_uint_eq(
                to_rig(&p, frame, hilp_board_peer_send(&p.board, 8, bytes, 1, frame)), 0);
        ck_assert_uint_eq(p.rig->counts.malformed, 1);
        pair_end(&p);
}

TEST(what_was_heard_reaches_the_board_in_its_order_however_much_it_is)
{
        struct codec_setup setup = setup_radio();
        struct peer_packet heard[40];
        struct pair p;
        int said = 0, got = 0;

        for (int i = 0; i < 40; i++) {
                heard[i] = (struct peer_packet){ .peer = (uint16_t)(i % 8),
                                                 .power_dbm = -60,
                                                 .len = 100 };
                memset(heard[i].bytes, i, 100);
        }
        pair_ready(&p, &setup);
        tick(&p, 0, NULL);
        while (said < 40) {
                int n = p.rig->ops->hear_peers(p.rig, heard + said, 40 - said, &p.out);

                ck_assert_int_gt(n, 0);
                said += n;
                for (int i = 0; i < p.out.count; i++)
                        for (size_t at = 0; at < p.out.packet[i].len;) {
                                struct hilp_board_news news;

                                at += hilp_board_receive(
                                        &p.board, p.out.packet[i].bytes + at,
                                        p.out.packet[i].len - at, 1, &news);
                                if (news.event != HILP_BOARD_PEER)
                                        continue;
                                ck_assert_int_eq(news.peer.peer, got % 8);
                                ck_assert_int_eq(news.peer.bytes[99], got);
                                ck_assert_int_eq(news.peer.power_dbm, -60);
                                got++;
                        }
        }
        ck_assert_int_eq(got, 40);
        pair_end(&p);
}
