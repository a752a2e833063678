/* HILP's time sync: what the rig's codec measures of a line and a board's clock. */
#include "tests/boards/hilp_pair.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

TEST(time_sync_measures_planted_delays)
{
        struct dice d = { 1 };
        struct pair p;

        pair_ready(&p, &setup_plain);
        for (int i = 0; i < 1000; i++) {
                int64_t there = dice_below(&d, 5000) * 1000,
                        held = dice_below(&d, 900) * 1000;
                int64_t ahead = ((int64_t)dice_u32(&d) - INT32_MAX) * 1000;
                int64_t start = (p.t_ns += 100 * MS);
                struct hilp_message m;
                struct hilp_receiver r = { .len = 0 };
                uint8_t payload[HILP_PAYLOAD_MAX];
                size_t n;

                if (start + ahead < 0)
                        ahead = -ahead;
                p.rig->ops->poll(p.rig, start, &p.out);
                ck_assert_int_eq(p.out.count, 1);
                hilp_receive(&r, p.out.packet[0].bytes, p.out.packet[0].len, payload, &n);
                ck_assert_int_eq(hilp_decode(&m, payload, n), 1);
                ck_assert_uint_eq(m.type, HILP_TIME_SYNC);

                /* The same time there and back. */
                m.u.time_sync.reply = 1;
                m.u.time_sync.board_receive_us = (uint64_t)(start + ahead + there) / 1000;
                m.u.time_sync.board_transmit_us =
                        m.u.time_sync.board_receive_us + (uint64_t)held / 1000;
                p.t_ns = start + 2 * there + held;
                ck_assert_uint_eq(message_to_rig(&p, &m), FC_TIME_SYNC);
                ck_assert_int_eq(p.report.sync_round_trip_ns, 2 * there);
                ck_assert_int_eq(p.report.sync_offset_ns, ahead);

                /* The same answer again says nothing. */
                ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        }
        ck_assert_uint_eq(p.rig->counts.malformed, 0);
        pair_end(&p);
}

TEST(time_sync_runs_every_100_ms_but_not_in_lockstep)
{
        struct codec_setup lockstep = setup_plain;
        struct pair p;
        int syncs = 0;

        pair_ready(&p, &setup_plain);
        for (int ms = 0; ms < 1000; ms++, p.t_ns += MS)
                syncs += poll_once(&p) == FC_TIME_SYNC;
        ck_assert_int_eq(syncs, 9);
        ck_assert_int_eq(p.report.sync_round_trip_ns, 0);
        pair_end(&p);

        lockstep.lockstep = true;
        pair_ready(&p, &lockstep);
        for (int ms = 0; ms < 1000; ms++, p.t_ns += MS)
                ck_assert_uint_eq(poll_once(&p), 0);
        pair_end(&p);
}

TEST(an_impossible_time_sync_is_malformed)
{
        struct hilp_message m = { .type = HILP_TIME_SYNC, .u.time_sync = { .reply = 1 } };
        struct pair p;

        pair_ready(&p, &setup_plain);
        p.t_ns += 200 * MS;
        p.rig->ops->poll(p.rig, p.t_ns, &p.out);
        m.u.time_sync.id = 1;
        m.u.time_sync.rig_transmit_us = (uint64_t)p.t_ns / 1000;
        m.u.time_sync.board_receive_us = HILP_TIME_MAX_US - 5000;
        m.u.time_sync.board_transmit_us = HILP_TIME_MAX_US;
        ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        ck_assert_uint_eq(p.rig->counts.malformed, 1);
        pair_end(&p);
}
