/* MEXO command lines: what Gruber's appendix B prints is read, anything else is refused by its number, and the flat earth
 * is there and back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/codec/mexo.h"
#include "tests/suites.h"

static struct mexo_command read_line(const char *line)
{
        struct mexo_refusal why = { 0 };
        struct mexo_command c;

        ck_assert_msg(mexo_parse(line, strlen(line), &c, &why), "%s: %d %s", line,
                      (int)why.code, why.text);
        return c;
}

TEST(every_command_of_the_print_is_read)
{
        static const struct {
                const char *line;
                enum mexo_verb verb;
        } cases[] = {
                { "POWER", MEXO_POWER },
                { "STARTENGINE", MEXO_STARTENGINE },
                { "STOPENGINE {TimeStamp 20}", MEXO_STOPENGINE },
                { "SHUTDOWN", MEXO_SHUTDOWN },
                { "CLEAR", MEXO_CLEAR },
                { "TAKEOFF{TimeStamp 1000}{DestinationHeight 470.5}", MEXO_TAKEOFF },
                { "LAND {timestamp 5}", MEXO_LAND },
                { "GOTOWAYPOINT {Pose 46.6, 14.3 ,470,359.5}", MEXO_GOTOWAYPOINT },
                { "hold {TIMESTAMP 9000}", MEXO_HOLD },
                { "TAKEPICTURE {TimeStamp 1} {Tilt 45}", MEXO_TAKEPICTURE },
                { "EXECUTETASKS ", MEXO_EXECUTETASKS },
                { "FORMATION", MEXO_FORMATION },
        };

        ck_assert_uint_eq(sizeof cases / sizeof cases[0], MEXO_VERBS);
        for (size_t i = 0; i < MEXO_VERBS; i++)
                ck_assert_int_eq(read_line(cases[i].line).verb, cases[i].verb);
        ck_assert_double_eq(read_line(cases[5].line).height_m, 470.5);
        ck_assert_double_eq(read_line(cases[8].line).time_stamp_ms, 9000.0);
        ck_assert_double_eq(read_line("TAKEPICTURE").tilt_deg, 90.0);
        ck_assert_str_eq(read_line("POWER").name, "Drone1");
}

TEST(power_has_the_longitude_first_and_gotowaypoint_the_latitude)
{
        struct mexo_command power =
                read_line("POWER {RobotName R2} {StartingPose 14.3,46.6,460,10,20,-30} "
                          "{USARSimServer 127.0.0.1} {USARSimPort 3000}");
        struct mexo_command go = read_line("GOTOWAYPOINT {Pose 46.6,-14.3,470,90}");

        ck_assert_str_eq(power.name, "R2");
        ck_assert_double_eq(power.place.lon_deg, 14.3);
        ck_assert_double_eq(power.place.lat_deg, 46.6);
        ck_assert_double_eq(power.yaw_deg, 10.0);
        ck_assert_double_eq(power.pitch_deg, 20.0);
        ck_assert_double_eq(power.roll_deg, -30.0);
        ck_assert_double_eq(go.place.lat_deg, 46.6);
        ck_assert_double_eq(go.place.lon_deg, -14.3);
        ck_assert_double_eq(go.place.altitude_m, 470.0);
        ck_assert_double_eq(go.yaw_deg, 90.0);
}

TEST(wrong_lines_are_refused_by_number)
{
        static const struct {
                const char *line;
                enum mexo_error code;
        } cases[] = {
                { "", MEXO_UNREADABLE },
                { "{Pose 1,2,3,4}", MEXO_UNREADABLE },
                { "TAKEOFF", MEXO_TOO_FEW },
                { "GOTOWAYPOINT {TimeStamp 5}", MEXO_TOO_FEW },
                { "GOTOWAYPOINT {Pose 46,14,470}", MEXO_TOO_FEW },
                { "GOTOWAYPOINT {Pose 46,14,470,90,5}", MEXO_BAD_VALUE },
                { "GOTOWAYPOINT {Pose 91,14,470,90}", MEXO_BAD_VALUE },
                { "GOTOWAYPOINT {Pose 46,181,470,90}", MEXO_BAD_VALUE },
                { "GOTOWAYPOINT {Pose 46,14,470,361}", MEXO_BAD_VALUE },
                { "GOTOWAYPOINT {Pose nan,14,470,90}", MEXO_BAD_VALUE },
                { "GOTOWAYPOINT {Pose 46,inf,470,90}", MEXO_BAD_VALUE },
                { "GOTOWAYPOINT {Pose 46,1e999,470,90}", MEXO_BAD_VALUE },
                { "GOTOWAYPOINT {Pose 46,14,470,90", MEXO_UNREADABLE },
                { "GOTOWAYPOINT {Pose 46,,470,90}", MEXO_UNREADABLE },
                { "GOTOWAYPOINT Pose 46,14,470,90", MEXO_UNREADABLE },
                { "GOTOWAYPOINT {Pose 1,2,3,4,5,6,7}", MEXO_UNREADABLE },
                { "TAKEOFF {DestinationHeight 5} {DestinationHeight 6}", MEXO_BAD_VALUE },
                { "TAKEOFF {DestinationHeight 0x10}", MEXO_BAD_VALUE },
                { "TAKEOFF {Height 5}", MEXO_BAD_VALUE },
                { "LAND {Pose 1,2,3,4}", MEXO_BAD_VALUE },
                { "LAND {TimeStamp -1}", MEXO_BAD_VALUE },
                { "PAUSE Delay 10", MEXO_BAD_VALUE },
                { "TRACE {On true} {Interval 0.5} {Color 0}", MEXO_BAD_VALUE },
                { "POWER {RobotName abcdefghijabcdefghijabcdefghij12}", MEXO_BAD_VALUE },
        };
        char longest[MEXO_LINE_MAX + 1];
        struct mexo_refusal why;
        struct mexo_command c;

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                why = (struct mexo_refusal){ 0 };
                ck_assert_msg(!mexo_parse(cases[i].line, strlen(cases[i].line), &c, &why),
                              "taken: %s", cases[i].line);
                ck_assert_msg(why.code == cases[i].code, "%s: %d %s", cases[i].line,
                              (int)why.code, why.text);
                ck_assert_uint_gt(strlen(why.text), 0);
        }
        memset(longest, 'A', sizeof longest);
        ck_assert(!mexo_parse(longest, sizeof longest, &c, &why));
        ck_assert_int_eq(why.code, MEXO_UNREADABLE);
}

TEST(what_is_printed_is_read_back)
{
        static const char power[] =
                "POWER {RobotName Drone1} {StartingPose "
                "-14.34166666,46.64305555,460.000,1.000,2.000,3.000}\r\n";
        static const char *const lines[] = {
                power,
                "TAKEOFF {TimeStamp 1000} {DestinationHeight 470.500}\r\n",
                "GOTOWAYPOINT {Pose 46.64305555,-14.34166666,470.000,90.000}\r\n",
                "TAKEPICTURE {Tilt 45.000}\r\n",
                "LAND\r\n",
        };
        char text[200];

        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
                struct mexo_refusal why;
                struct mexo_command c;

                ck_assert(mexo_parse(lines[i], strlen(lines[i]) - 2, &c, &why));
                ck_assert_uint_eq(mexo_print(&c, text, sizeof text), strlen(lines[i]));
                ck_assert_str_eq(text, lines[i]);
                ck_assert_uint_eq(mexo_print(&c, text, 4), 0);
        }
}

TEST(the_flat_earth_of_the_print_is_there_and_back)
{
        /* 5.5: the reference point of the thesis; (A.1) to (A.3) with it added. */
        static const struct mexo_earth earth = { { 46.64305555, 14.34166666, 460.0 },
                                                 { 772.789, 597.415, 0.0 },
                                                 111200.0,
                                                 71670.0 };
        struct mexo_place north = earth.reference;
        struct vec3 at = mexo_to_ned(&earth, &earth.reference);

        ck_assert_double_eq_tol(at.x, 772.789, 1e-9);
        ck_assert_double_eq_tol(at.y, 597.415, 1e-9);
        north.lat_deg += 0.001;
        north.lon_deg -= 0.001;
        north.altitude_m += 5.0;
        at = mexo_to_ned(&earth, &north);
        ck_assert_double_eq_tol(at.x, 772.789 + 111.2, 1e-6);
        ck_assert_double_eq_tol(at.y, 597.415 - 71.67, 1e-6);
        ck_assert_double_eq_tol(at.z, -5.0, 1e-9);
        ck_assert_double_eq_tol(mexo_from_ned(&earth, at).lat_deg, north.lat_deg, 1e-12);
        ck_assert_double_eq_tol(mexo_from_ned(&earth, at).lon_deg, north.lon_deg, 1e-12);
        ck_assert_double_eq_tol(mexo_from_ned(&earth, at).altitude_m, 465.0, 1e-9);
}
