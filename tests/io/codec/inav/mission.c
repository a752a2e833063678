/* A mission as INAV's way-points, given to a board that keeps them as INAV 9.1.0 does. The expected bytes are worked
 * out by hand from its documents. */
#include <math.h>

#include "tests/boards/inav_pair.h"
#include "io/codec/inav/inav.h"
#include "tests/suites.h"

#define NONE ((double)NAN)

struct given {
        struct mission_plan plan;
        struct mission_item item[130];
        struct codec_setup setup;
};

static struct mission_item *give(struct given *g, unsigned command, double north_deg,
                                 double altitude_m, double p1, double p2)
{
        struct mission_list *l = &g->plan.list[MISSION_LIST_ITEMS];

        g->item[l->count] =
                (struct mission_item){ .command = (uint16_t)command,
                                       .frame = MISSION_FRAME_RELATIVE,
                                       .param = { p1, p2, 0.0, NONE },
                                       .lat_deg =
                                               isnan(north_deg) ? NONE : 47.0 + north_deg,
                                       .lon_deg = isnan(north_deg) ? NONE : 15.0,
                                       .altitude_m = altitude_m };
        return &g->item[l->count++];
}

static void begin(struct given *g)
{
        memset(g, 0, sizeof *g);
        g->plan.list[MISSION_LIST_ITEMS].item = g->item;
        g->setup = setup_quad;
        g->setup.origin = (struct codec_origin){ .lat_rad = 47.0 * M_PI / 180.0,
                                                 .lon_rad = 15.0 * M_PI / 180.0,
                                                 .north_m_per_rad = 6.36e6,
                                                 .east_m_per_rad = 4.36e6 };
        g->setup.mission = &g->plan;
}

static void give_all(struct given *g)
{
        give(g, MISSION_TAKEOFF, NONE, 5.0, 0.0, 0.0);
        give(g, MISSION_SPEED, NONE, NONE, 1.0, 1.5);
        give(g, MISSION_WAYPOINT, 0.0001, 5.0, 0.0, 0.0);
        give(g, MISSION_WAYPOINT, 0.0002, 6.5, 2.0, 0.0)->param[3] = -90.0;
        give(g, MISSION_WAYPOINT, 0.0003, 400.0, 0.0, 0.0)->frame = MISSION_FRAME_GLOBAL;
        give(g, MISSION_DELAY, NONE, NONE, 3.0, 0.0);
        give(g, MISSION_JUMP, NONE, NONE, 3.0, 2.0);
        give(g, MISSION_LAND, 0.0, 0.0, 0.0, 0.0);
        give(g, MISSION_RETURN, NONE, NONE, 0.0, 0.0);
}

/* action, lat, altitude, p1, p2, p3, flag */
static const int all[][7] = {
        { 1, 470000000, 500, 0, 0, 0, 0 },
        { 1, 470001000, 500, 150, 0, 0, 0 },
        { 7, 0, 0, 270, 0, 0, 0 },
        { 3, 470002000, 650, 2, 150, 0, 0 },
        { 7, 0, 0, -1, 0, 0, 0 },
        { 1, 470003000, 40000, 150, 0, 1, 0 },
        { 3, 470003000, 40000, 3, 150, 1, 0 },
        { 6, 0, 0, 2, 2, 0, 0 },
        { 8, 470000000, 40000, 150, 0, 1, 0 },
        { 4, 0, 0, 1, 0, 0, 0xA5 },
};
#define ALL ((int)(sizeof all / sizeof all[0]))

static void expect_held(const struct pair *p)
{
        ck_assert_int_eq(p->rig->ops->mission(p->rig)->transfer, MISSION_HELD);
        ck_assert_int_eq(p->board.waypoints, ALL);
        ck_assert(p->board.mission_valid);
        for (int i = 0; i < ALL; i++) {
                const uint8_t *w = p->board.waypoint[i];

                ck_assert_int_eq(w[0], i + 1);
                ck_assert_int_eq(w[1], all[i][0]);
                ck_assert_int_eq((int32_t)le_get_u32(w + 2), all[i][1]);
                ck_assert_int_eq((int32_t)le_get_u32(w + 6),
                                 all[i][1] == 0 ? 0 : 150000000);
                ck_assert_int_eq((int32_t)le_get_u32(w + 10), all[i][2]);
                ck_assert_int_eq((int16_t)le_get_u16(w + 14), all[i][3]);
                ck_assert_int_eq((int16_t)le_get_u16(w + 16), all[i][4]);
                ck_assert_int_eq((int16_t)le_get_u16(w + 18), all[i][5]);
                ck_assert_int_eq(w[20], all[i][6]);
        }
}

TEST(items_become_way_points_and_are_held_before_it_can_be_armed)
{
        struct given g;
        struct pair p;
        int before = 0;

        begin(&g);
        give_all(&g);
        g.plan.list[MISSION_LIST_FENCE].count = 1;
        pair_ready(&p, &g.setup);
        while (p.rig->ops->mission(p.rig)->transfer != MISSION_HELD && before++ < 2000) {
                ck_assert(!p.report.can_arm);
                ck_assert_str_eq(p.rig->ops->complaint(p.rig),
                                 "it has not been given the whole mission yet");
                pair_tick(&p, NULL);
        }
        expect_held(&p);
        ck_assert_str_eq(p.text,
                         "holds the mission's 9 items as 10 way-points; its fence "
                         "and rally points are not given to it");
        pair_ticks(&p, 10);
        ck_assert(p.report.can_arm);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}

TEST(what_is_lost_is_said_again_and_what_is_spoilt_sent_again)
{
        for (int every = 2; every <= 11; every++) {
                struct given g;
                struct pair p;

                begin(&g);
                give_all(&g);
                pair_ready(&p, &g.setup);
                p.board.lost_every = every;
                p.board.spoils = every > 6;
                pair_ticks(&p, 8000);
                expect_held(&p);
                pair_end(&p);
        }
}

/* Until it has refused it; returns the words. */
static const char *expect_failure(struct pair *p)
{
        pair_ticks(p, 8000);
        ck_assert_int_eq(p->rig->ops->mission(p->rig)->transfer, MISSION_FAILED);
        ck_assert(p->report.refused);
        ck_assert(!p->report.can_arm);
        return p->rig->ops->complaint(p->rig);
}

TEST(transfer_that_cannot_succeed_ends_with_its_reason)
{
        struct given g;
        struct pair p;

        begin(&g);
        give_all(&g);
        pair_ready(&p, &g.setup);
        p.board.spoils = 1000;
        ck_assert_str_eq(expect_failure(&p),
                         "way-point 1 comes back from INAV as another one");
        pair_end(&p);
        pair_ready(&p, &g.setup);
        p.board.room = 9;
        ck_assert_str_eq(expect_failure(&p),
                         "INAV has room for 9 way-points, the mission needs 10");
        pair_end(&p);
        pair_ready(&p, &g.setup);
        p.board.lost_every = 1;
        ck_assert_str_eq(expect_failure(&p),
                         "INAV does not answer what it is asked about its mission");
        pair_end(&p);
}

static void expect_impossible(struct given *g, const char *words)
{
        struct pair p;

        pair_begin(&p, &g->setup);
        ck_assert_str_eq(p.rig->ops->mission(p.rig)->why, words);
        ck_assert_str_eq(expect_failure(&p), words);
        ck_assert_int_eq(p.board.about_mission, 0);
        pair_end(&p);
}

TEST(what_it_cannot_fly_is_refused_by_its_number)
{
        struct given g;

        begin(&g);
        give(&g, MISSION_TAKEOFF, NONE, 5.0, 0.0, 0.0);
        give(&g, MISSION_LOITER_TURNS, 0.0, 5.0, 1.0, 0.0);
        expect_impossible(&g, "item 2: INAV has no way-point for command 18");
        begin(&g);
        give(&g, MISSION_SPEED, NONE, NONE, 1.0, 0.2);
        expect_impossible(&g,
                          "item 1: INAV flies its way-points at 0.5 to 20 m/s, not 0.2");
        begin(&g);
        give(&g, MISSION_TAKEOFF, NONE, 5.0, 0.0, 0.0);
        give(&g, MISSION_WAYPOINT, 0.0, 5.0, 0.0, 0.0);
        give(&g, MISSION_JUMP, NONE, NONE, 2.0, 1.0);
        expect_impossible(
                &g, "item 3: INAV jumps back by two way-points or more, not to item 2");
        begin(&g);
        give(&g, MISSION_WAYPOINT, 0.0, 3e4, 0.0, 0.0);
        expect_impossible(&g, "item 1: an altitude of 30000 m is out of reach");
        begin(&g);
        give(&g, MISSION_WAYPOINT, 0.0, 5.0, 4e4, 0.0);
        expect_impossible(&g, "item 1: INAV holds at most 32767 s, not 40000");
        begin(&g);
        for (int i = 0; i < 121; i++)
                give(&g, MISSION_WAYPOINT, 0.0, 5.0, 0.0, 0.0);
        expect_impossible(&g,
                          "item 1: INAV holds 120 way-points, the mission has 121 items");
        begin(&g);
        for (int i = 0; i < 61; i++)
                give(&g, MISSION_WAYPOINT, 0.0, 5.0, 0.0, 0.0)->param[3] = i;
        expect_impossible(
                &g, "item 61: INAV holds 120 way-points, and the mission needs more");
        begin(&g);
        give(&g, MISSION_SPEED, NONE, NONE, 1.0, 1.0);
        expect_impossible(&g, "item 1: nothing in this mission is a way-point to INAV");
}

TEST(its_switch_goes_up_once_it_is_armed_and_its_progress_is_followed)
{
        struct pilot_input fly = { .setpoint.mode = MODE_MISSION,
                                   .rc_us = { [2] = 1300 } };
        struct given g;
        struct pair p;

        begin(&g);
        give_all(&g);
        pair_ready(&p, &g.setup);
        pair_ticks(&p, 3000);
        ck_assert_int_eq(p.board.rc_us[6], 1000);
        pair_tick(&p, &fly);
        for (int ms = 0; ms < 2000 && !p.report.armed; ms++) {
                ck_assert_int_eq(p.board.rc_us[6], 1000);
                pair_tick(&p, &fly);
        }
        ck_assert(p.report.armed);
        p.board.flies_to = 1;
        pair_ticks(&p, 500);
        /* In the middle of its range; no stick of anybody's. */
        ck_assert_int_eq(p.board.rc_us[6], 900 + 25 * 40);
        ck_assert_int_eq(p.board.rc_us[2], 1500);
        ck_assert_int_eq(p.rig->ops->mission(p.rig)->current, 0);
        ck_assert_int_eq(p.rig->ops->mission(p.rig)->reached, -1);
        p.board.flies_to = 2;
        pair_ticks(&p, 500);
        ck_assert_int_eq(p.rig->ops->mission(p.rig)->current, 2);
        ck_assert_int_eq(p.rig->ops->mission(p.rig)->reached, 0);
        ck_assert_str_eq(p.text, "reached item 1 of 9 of its mission");
        p.board.flies_to = 200;
        pair_ticks(&p, 500);
        ck_assert_int_eq(p.rig->ops->mission(p.rig)->current, 2);
        pair_end(&p);
}

TEST(board_that_starts_anew_is_given_it_again)
{
        struct given g;
        struct pair p;

        begin(&g);
        give_all(&g);
        pair_ready(&p, &g.setup);
        pair_ticks(&p, 3000);
        expect_held(&p);
        p.rig->ops->restart(p.rig);
        board_begin(&p.board);
        ck_assert_int_eq(p.rig->ops->mission(p.rig)->transfer, MISSION_SENDING);
        pair_ticks(&p, 5000);
        expect_held(&p);
        pair_end(&p);
}

TEST(lack_of_its_switch_is_refused_with_what_to_type)
{
        struct given g;
        struct pair p;

        begin(&g);
        give_all(&g);
        pair_begin(&p, &g.setup);
        p.board.no_mission_switch = true;
        pair_ticks(&p, 3000);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig),
                         "no switch flies its mission: type \"aux 4 28 3 1700 2100\" and "
                         "\"save\"");
        pair_end(&p);
        /* Without a mission nobody needs it. */
        pair_begin(&p, &setup_quad);
        p.board.no_mission_switch = true;
        pair_ticks(&p, 3000);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}
