/* Mission files: what is read, what is refused and how, and what a conversion keeps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/mission/route.h"

#include "tests/suites.h"

static bool read_text(struct mission_plan *p, const char *text, struct mission_error *why)
{
        why->text[0] = '\0';
        return mission_read(p, "m", text, strlen(text), why);
}

static void expect_refused(const char *text, const char *expected)
{
        struct mission_plan p;
        struct mission_error why;

        ck_assert(!read_text(&p, text, &why));
        ck_assert_msg(strstr(why.text, expected) != NULL, "%s", why.text);
        mission_plan_free(&p);
}

#define HOME "0\t1\t0\t16\t0\t0\t0\t0\t47.5\t15.5\t353\t1\n"

/* Text to plan, to text in another format, back, and again: the second and the first text are the same. */
static void expect_round_trip(const struct mission_plan *p, enum mission_format format,
                              int losses)
{
        struct mission_losses lost = { 0 }, again = { 0 };
        char *first = mission_write(p, format, &lost), *second;
        struct mission_plan back;
        struct mission_error why;

        ck_assert_int_eq(lost.count, losses);
        ck_assert_msg(read_text(&back, first, &why), "%s", why.text);
        second = mission_write(&back, format, &again);
        ck_assert_str_eq(first, second);
        ck_assert_int_eq(back.list[0].count, p->list[0].count);
        free(first);
        free(second);
        mission_plan_free(&back);
}

TEST(wpl_keeps_its_columns)
{
        struct mission_plan p;
        struct mission_error why;

        ck_assert_msg(read_text(&p,
                                "QGC WPL 110\r\n" HOME
                                "1\t0\t3\t22\t0\t0\t0\t0\t0\t0\t5\t1\r\n"
                                "2\t0\t3\t16\t2.5\t1\t0\t90\t47.6\t15.6\t7\t0\n",
                                &why),
                      "%s", why.text);
        ck_assert(p.has_home);
        ck_assert_double_eq(p.home_altitude_m, 353.0);
        ck_assert_int_eq(p.list[0].count, 2);
        ck_assert_int_eq(p.list[0].item[1].command, MISSION_WAYPOINT);
        ck_assert_double_eq(p.list[0].item[1].param[0], 2.5);
        ck_assert_double_eq(p.list[0].item[1].lon_deg, 15.6);
        ck_assert(!p.list[0].item[1].autocontinue);
        ck_assert(!mission_place_given(&p.list[0].item[0]));
        expect_round_trip(&p, MISSION_WPL, 0);
        expect_round_trip(&p, MISSION_PLAN, 0);
        mission_plan_free(&p);
}

TEST(wpl_names_line_and_column)
{
        expect_refused("QGC WPL 120\n", "line 1: must be \"QGC WPL 110\"");
        expect_refused("QGC WPL 110\n" HOME, "there is none");
        expect_refused("QGC WPL 110\n" HOME "1\t0\t3\t16\t0\n",
                       "line 3: must have 12 columns, has 5");
        expect_refused("QGC WPL 110\n" HOME "2\t0\t3\t16\t0\t0\t0\t0\t1\t1\t1\t1\n",
                       "line 3: index: must be 1, is 2");
        expect_refused("QGC WPL 110\n" HOME "1\t0\t3\t16\t0\t0\t0\t0\t91\t1\t1\t1\n",
                       "latitude: must be -90 to 90, is 91");
        expect_refused("QGC WPL 110\n" HOME "1\t0\t3\t16\t0\t0\t0\t0\tx\t1\t1\t1\n",
                       "latitude: must be a number, is \"x\"");
        expect_refused("QGC WPL 110\n" HOME "1\t0\t3\t16\t0\t0\t0\t0\tnan\t1\t1\t1\n",
                       "latitude");
        expect_refused("hello", "must begin with");
}

#define PLAN(items)                                                                      \
        "{\"fileType\":\"Plan\",\"version\":1,\"mission\":{\"items\":[" items            \
        "],\"plannedHomePosition\":[47.5,15.5,353]},\"geoFence\":{\"circles\":["         \
        "{\"circle\":{\"center\":[47.5,15.5],\"radius\":50},\"inclusion\":true}],"       \
        "\"polygons\":[{\"inclusion\":false,\"polygon\":[[47,15],[47,16],[48,15.5]]}]}," \
        "\"rallyPoints\":{\"points\":[[47.5,15.5,10]]}}"
#define SIMPLE                                                                           \
        "{\"type\":\"SimpleItem\",\"command\":16,\"frame\":3,\"autoContinue\":true,"     \
        "\"params\":[0,0,0,null,47.5,15.5,5]}"

TEST(plan_has_complex_items_fence_and_rally_points)
{
        struct mission_plan p;
        struct mission_error why;

        ck_assert_msg(
                read_text(&p,
                          PLAN("{\"type\":\"ComplexItem\",\"complexItemType\":\"survey\","
                               "\"TransectStyleComplexItem\":{\"Items\":[" SIMPLE
                               "," SIMPLE "]}}," SIMPLE),
                          &why),
                "%s", why.text);
        ck_assert_int_eq(p.list[MISSION_LIST_ITEMS].count, 3);
        ck_assert(isnan(p.list[MISSION_LIST_ITEMS].item[0].param[3]));
        ck_assert_int_eq(p.list[MISSION_LIST_FENCE].count, 4);
        ck_assert_int_eq(p.list[MISSION_LIST_RALLY].count, 1);
        expect_round_trip(&p, MISSION_PLAN, 0);
        /* Yaws, fence and rally points. */
        expect_round_trip(&p, MISSION_WPL, 3);
        mission_plan_free(&p);
}

TEST(plan_names_key_and_value)
{
        expect_refused("{}", "fileType: must be \"Plan\", is missing");
        expect_refused("{\"fileType\":\"Plan\",\"version\":2}",
                       "version: must be 1, is 2");
        expect_refused(
                PLAN("{\"type\":\"ComplexItem\",\"complexItemType\":\"survey\"}"),
                "complexItemType: must be one with TransectStyleComplexItem.Items, "
                "which has what is to be flown, is \"survey\"");
        expect_refused(PLAN("{\"type\":\"SimpleItem\",\"command\":16,\"frame\":3,"
                            "\"params\":[0,0,0,0,95,15,5]}"),
                       "mission.items.0.params.4");
        expect_refused(PLAN("{\"type\":\"SimpleItem\",\"command\":-1,\"frame\":3}"),
                       "command: must be a whole number up to 65535, is -1");
        expect_refused(
                "{\"fileType\":\"Plan\",\"version\":1,\"mission\":{\"items\":[" SIMPLE
                "]},\"geoFence\":{\"circles\":7}}",
                "geoFence.circles: must be a list, is 7");
        expect_refused(
                "{\"fileType\":\"Plan\",\"version\":1,\"mission\":{\"items\":[" SIMPLE
                "]},\"geoFence\":{\"circles\":[{\"circle\":{\"radius\":-5}}]}}",
                "geoFence.circles.0.circle.radius: must be above 0, at most 1e6 m, is "
                "-5");
        expect_refused(
                "{\"fileType\":\"Plan\",\"version\":1,\"mission\":{\"items\":[" SIMPLE
                "]},\"geoFence\":{\"circles\":[{\"circle\":{\"radius\":5}}]}}",
                "geoFence.circles.0.circle.center: must be [latitude, longitude], is "
                "missing");
        expect_refused(
                "{\"fileType\":\"Plan\",\"version\":1,\"mission\":{\"items\":[" SIMPLE
                "]},\"geoFence\":{\"circles\":[{}]}}",
                "geoFence.circles.0.circle: must be a centre and a radius, is missing");
        expect_refused(PLAN("{\"type\":\"SimpleItem\",\"command\":177,\"frame\":2,"
                            "\"doJumpId\":4,\"params\":[9,1,0,0,0,0,0]}"),
                       "item 1 jumps to doJumpId 9, which no item has");
}

TEST(plan_numbers_what_jumps_name)
{
        struct mission_plan p;
        struct mission_error why;

        /* As a ground station numbers items behind one that it has settings of. */
        ck_assert_msg(
                read_text(&p,
                          PLAN("{\"type\":\"SimpleItem\",\"command\":93,\"frame\":2,"
                               "\"doJumpId\":2,\"params\":[1,0,0,0,0,0,0]},"
                               "{\"type\":\"SimpleItem\",\"command\":93,\"frame\":2,"
                               "\"doJumpId\":3,\"params\":[1,0,0,0,0,0,0]},"
                               "{\"type\":\"SimpleItem\",\"command\":177,\"frame\":2,"
                               "\"doJumpId\":4,\"params\":[3,1,0,0,0,0,0]}"),
                          &why),
                "%s", why.text);
        ck_assert_double_eq(p.list[0].item[2].param[0], 2.0);
        mission_plan_free(&p);
}

static const struct route_setup setup = { .origin = { 0.829, 0.27, 353.0 },
                                          .radius_m = 2.0,
                                          .speed_mps = 2.0,
                                          .climb_mps = 1.0 };

static struct mission_item *add(struct mission_plan *p, int command, double a, double b)
{
        struct mission_item *item = mission_add(p, MISSION_LIST_ITEMS);

        *item = (struct mission_item){ .command = (uint16_t)command,
                                       .frame = MISSION_FRAME_RELATIVE,
                                       .param = { a, b, NAN, NAN },
                                       .lat_deg = NAN,
                                       .lon_deg = NAN,
                                       .altitude_m = 5.0 };
        return item;
}

TEST(jumps_are_written_out_and_must_end)
{
        struct mission_plan p = { 0 };
        struct route r;
        char why[200];

        add(&p, MISSION_TAKEOFF, 0, 0);
        add(&p, MISSION_DELAY, 3, 0);
        add(&p, MISSION_JUMP, 2, 2);
        add(&p, MISSION_RETURN, 0, 0);
        ck_assert(route_make(&r, &p, &setup, why, sizeof why));
        ck_assert_int_eq(r.stops, 5);
        ck_assert_int_eq(r.stop[3].item, 1);
        ck_assert_int_eq(r.stop[4].item, 3);
        ck_assert_double_eq(r.stop[0].needs_s, 5.0);
        route_free(&r);
        p.list[0].item[2].param[1] = -1.0;
        ck_assert(!route_make(&r, &p, &setup, why, sizeof why));
        ck_assert_str_eq(why, "item 3 (jump): has no end");
        route_free(&r);
        p.list[0].item[2].command = 205;
        ck_assert(!route_make(&r, &p, &setup, why, sizeof why));
        ck_assert_str_eq(why, "item 3 (command 205): cannot be flown from set-points");
        route_free(&r);
        mission_plan_free(&p);
}

TEST(the_speed_of_climb_is_not_that_of_the_way)
{
        struct mission_plan p = { 0 };
        struct mission_item *item;
        struct route r;
        char why[200];

        add(&p, MISSION_SPEED, 0, 3.0);
        add(&p, MISSION_SPEED, 2, 7.0);
        item = add(&p, MISSION_LOITER_TURNS, 1, 0);
        item->param[2] = -5.0;
        ck_assert(route_make(&r, &p, &setup, why, sizeof why));
        ck_assert_double_eq(r.stop[2].speed_mps, 3.0);
        ck_assert_double_eq(r.stop[2].circle_m, 5.0);
        ck_assert(r.stop[2].anticlockwise);
        route_free(&r);
        mission_plan_free(&p);
}

#define POWER "POWER {StartingPose 15.5,47.5,353,0,0,0}\r\n"

/* By a clock of 1 m/s and 0.5 m/s of climb: 5 m up from 1 s on are over at 11 s, and a thousandth of a degree is 111 m. */
TEST(mexo_waits_become_delays_by_its_clock)
{
        static const unsigned command[] = { MISSION_DELAY,    MISSION_TAKEOFF,
                                            MISSION_WAYPOINT, MISSION_PICTURE,
                                            MISSION_DELAY,    MISSION_LAND };
        struct mission_plan p;
        struct mission_error why;
        const struct mission_item *item;

        ck_assert_msg(read_text(&p,
                                POWER
                                "STARTENGINE\nTAKEOFF {TimeStamp 1000} "
                                "{DestinationHeight 358}\n\rEXECUTETASKS\n\n"
                                "GOTOWAYPOINT {Pose 47.501,15.5,358,270}\rTAKEPICTURE\n"
                                "HOLD {TimeStamp 100000}\r\nHOLD {TimeStamp 200000}\n"
                                "LAND\nSTOPENGINE {TimeStamp 999999}\nSHUTDOWN",
                                &why),
                      "%s", why.text);
        ck_assert_int_eq(p.list[0].count, 6);
        for (int i = 0; i < 6; i++)
                ck_assert_uint_eq(p.list[0].item[i].command, command[i]);
        item = p.list[0].item;
        ck_assert_double_eq(p.home_lat_deg, 47.5);
        ck_assert_double_eq(p.home_lon_deg, 15.5);
        ck_assert_double_eq(item[0].param[0], 1.0);
        ck_assert_double_eq(item[1].altitude_m, 358.0);
        ck_assert_int_eq(item[1].frame, MISSION_FRAME_GLOBAL);
        ck_assert_double_eq(item[2].lat_deg, 47.501);
        ck_assert_double_eq(item[2].param[3], 270.0);
        /* 200 s less 11 s and a meridian's 111.18 m; the first stamp has gone by. */
        ck_assert_double_eq_tol(item[4].param[0], 200.0 - 11.0 - 111.18, 0.02);
        expect_round_trip(&p, MISSION_MEXO, 0);
        mission_plan_free(&p);
}

TEST(mexo_names_line_and_reason)
{
        expect_refused(POWER "TAKEOFF\n", "m: line 2: Not enough Parameters");
        expect_refused(POWER "FLY\n", "m: line 2: Unknown command FLY");
        expect_refused(POWER "\nGOTOWAYPOINT {Pose 91,0,0,0}\n", "m: line 3: ");
        expect_refused(POWER "CLEAR\n", "m: line 2: CLEAR empties");
        expect_refused(POWER "FORMATION\n", "m: line 2: FORMATION is not defined");
        expect_refused(POWER "LAND\nSTOPENGINE\nLAND\n",
                       "m: line 4: comes after the end of the flight");
        expect_refused(POWER "STARTENGINE\n", "nothing here flies");
}

TEST(mexo_says_what_it_cannot_hold)
{
        struct mission_losses losses = { 0 };
        struct mission_plan p;
        struct mission_error why;
        char *text;

        ck_assert_msg(read_text(&p,
                                "QGC WPL 110\n" HOME
                                "1\t0\t3\t22\t0\t0\t0\t0\t0\t0\t5\t1\n"
                                "2\t0\t2\t178\t1\t2\t0\t0\t0\t0\t0\t1\n"
                                "3\t0\t3\t18\t1\t0\t5\t0\t47.5\t15.5\t5\t1\n"
                                "4\t0\t3\t20\t0\t0\t0\t0\t0\t0\t0\t1\n",
                                &why),
                      "%s", why.text);
        text = mission_write(&p, MISSION_MEXO, &losses);
        ck_assert_int_eq(losses.count, 2);
        ck_assert_int_eq(losses.grave, 1);
        ck_assert_str_eq(losses.text[0], "item 2, speed");
        ck_assert_str_eq(losses.text[1], "item 3, command 18, loiter turns");
        ck_assert_str_eq(text,
                         "POWER {RobotName Drone1} {StartingPose "
                         "15.50000000,47.50000000,353.000,0.000,0.000,0.000}\r\n"
                         "STARTENGINE\r\nTAKEOFF {DestinationHeight 358.000}\r\n"
                         "GOTOWAYPOINT {Pose 47.50000000,15.50000000,358.000,0.000}\r\n"
                         "LAND\r\nSTOPENGINE\r\nSHUTDOWN\r\n");
        free(text);
        mission_plan_free(&p);
}
