/* What is said of a second link that stays silent, and of strangers. */
#include <stdio.h>
#include <string.h>

#include "hil/rig/loop.h"
#include "tests/suites.h"

static struct rig rig;
static struct rig_config config;
static struct vehicle_config vehicle_config;
static struct rig_vehicle vehicle;

static void open_px4(const char *dialect)
{
        memset(&rig, 0, sizeof rig);
        memset(&vehicle, 0, sizeof vehicle);
        config.period_ns = NS_PER_MS;
        rig.config = &config;
        strcpy(vehicle_config.name, "quad");
        vehicle_config.fc.links = 2;
        strcpy(vehicle_config.fc.link_text[0], "one");
        strcpy(vehicle_config.fc.link_text[1], "two");
        strcpy(vehicle_config.fc.dialect, dialect);
        vehicle.config = &vehicle_config;
        vehicle.port.state = FC_PORT_READY;
        vehicle.port.links.ops = codec_find("px4");
}

static void look_at(int64_t t_s)
{
        rig.tick = t_s * 1000;
        loop_notice_links(&rig, &vehicle);
}

TEST(a_silent_link_ends_a_run_that_needs_it_after_10_s)
{
        open_px4("sitl");
        look_at(9);
        ck_assert(loop_running(&rig));
        look_at(10);
        ck_assert_int_eq(rig.end, END_NO_HELLO);
        ck_assert_str_eq(
                rig.end_reason,
                "quad: two (telemetry) is silent, no valid message has come from "
                "there: a process (not a board) cannot be armed or flown");
}

TEST(a_link_that_is_not_there_ends_a_run_that_needs_it_at_once)
{
        open_px4("sitl");
        vehicle.port.links.silent[1] = true;
        look_at(0);
        ck_assert_int_eq(rig.end, END_NO_HELLO);
        ck_assert_ptr_nonnull(strstr(rig.end_reason, "two (telemetry) is not there"));
}

TEST(a_link_that_was_heard_or_is_not_needed_ends_nothing)
{
        open_px4("board");
        look_at(10);
        ck_assert(loop_running(&rig));
        ck_assert(loop_channel_unheard(&vehicle, 1, 10 * NS_PER_S));

        open_px4("sitl");
        vehicle.port.links.heard[1] = true;
        look_at(3600);
        ck_assert(loop_running(&rig));
        ck_assert(!loop_channel_unheard(&vehicle, 1, 3600 * NS_PER_S));
}

/* Betaflight's MSP port, which was silent in 3 starts of 75. */
TEST(a_silent_link_that_answers_at_once_is_told_at_once)
{
        open_px4("4.5");
        vehicle.port.links.ops = codec_find("betaflight");
        vehicle_config.fc.links = 4;
        ck_assert(loop_channel_unheard(&vehicle, 3, 0));
        vehicle.port.links.heard[3] = true;
        ck_assert(!loop_channel_unheard(&vehicle, 3, 3600 * NS_PER_S));
}
