/* A mission given to ArduPilot on its console, and flown in AUTO. */
#include "tests/boards/ardupilot_talk.h"
#include "tests/boards/mission_autopilot.h"
#include "tests/suites.h"

static struct mission_item items[2] = {
        { .command = MISSION_TAKEOFF,
          .frame = MISSION_FRAME_RELATIVE,
          .lat_deg = 47.0,
          .lon_deg = 15.0,
          .altitude_m = 5 },
        { .command = MISSION_LAND,
          .frame = MISSION_FRAME_RELATIVE,
          .lat_deg = 47.0,
          .lon_deg = 15.0 },
};
static const struct mission_plan plan = { .list = { { 2, items } } };
static struct mission_autopilot autopilot;

/* One frame's exchange; what the rig says on the console reaches the firmware, and its answers the rig. True: it said
 * this command. */
static bool go_round(struct talk *t, uint16_t command)
{
        struct mavlink_stream stream = { 0 };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        bool said = false;

        to_rig(t, 0, bytes, request_bytes(t, t->count++, 16, bytes));
        t->t_ns += 100 * MS;
        t->frame.t_ns += 100 * MS;
        t->rig->ops->encode(t->rig, t->number++, t->t_ns, &t->frame, &t->input, &t->out);
        for (int i = 0; i < t->out.count; i++) {
                const struct packet *p = &t->out.packet[i];
                struct mavlink_command_long c;
                struct mavlink_frame f;
                bool got;

                if (p->channel != 1)
                        continue;
                mavlink_stream_take(&stream, p->bytes, p->len, &f, &got);
                if (got && f.id == MAVLINK_COMMAND_LONG)
                        said |= mavlink_unpack(&f, mavlink_message_find(f.id), &c) &&
                                c.command == command;
                else if (got)
                        autopilot_take(&autopilot, t->t_ns, &f);
        }
        autopilot_poll(&autopilot, t->t_ns);
        for (int i = 0; i < autopilot.out_count; i++)
                to_rig(t, 1, bytes, mavlink_encode(&autopilot.out[i], bytes));
        autopilot.out_count = 0;
        return said;
}

static void heartbeat(struct talk *t, bool armed, uint32_t mode)
{
        struct mavlink_heartbeat m = { .custom_mode = mode,
                                       .type = 2,
                                       .autopilot = 3,
                                       .base_mode = armed ? 128 : 0 };

        message_to_rig(t, MAVLINK_HEARTBEAT, &m);
}

static void begin(struct talk *t)
{
        struct codec_setup setup = setup_plain;
        struct mavlink_autopilot_version version = { 0 };
        struct mavlink_ekf_status_report ekf = { .flags = 0x33f };
        struct mavlink_sys_status health = { .onboard_control_sensors_health =
                                                     0x10000000U };

        setup.mission = &plan;
        setup.lockstep = true;
        memset(&autopilot, 0, sizeof autopilot);
        autopilot.sender = (struct mavlink_sender){ 2, 1, 1, 0 };
        autopilot.items_max = 10;
        talk_begin(t, &setup);
        t->count = 1;
        heartbeat(t, false, 0);
        message_to_rig(t, MAVLINK_AUTOPILOT_VERSION, &version);
        message_to_rig(t, MAVLINK_EKF_STATUS_REPORT, &ekf);
        message_to_rig(t, MAVLINK_SYS_STATUS, &health);
}

TEST(it_can_arm_when_it_holds_the_mission_and_flies_it_in_auto)
{
        struct mavlink_mission_item_reached reached = { 1 };
        struct talk t;

        begin(&t);
        go_round(&t, 0);
        ck_assert(!t.report.can_arm);
        for (int i = 0; i < 30; i++)
                go_round(&t, 0);
        ck_assert_int_eq(t.rig->ops->mission(t.rig)->transfer, MISSION_HELD);
        ck_assert_int_eq(autopilot.count[0], 3);
        ck_assert(t.report.can_arm);

        t.input.setpoint.mode = MODE_MISSION;
        heartbeat(&t, true, 4);
        ck_assert(go_round(&t, 300));
        heartbeat(&t, true, 3);
        ck_assert_int_eq(t.report.mode, MODE_MISSION);
        for (int i = 0; i < 30; i++)
                ck_assert(!go_round(&t, 300));
        message_to_rig(&t, MAVLINK_MISSION_ITEM_REACHED, &reached);
        ck_assert_str_eq(t.report.text, "reached item 1 of 2 of its mission");
        talk_end(&t);
}

TEST(one_that_refuses_the_mission_is_not_flown)
{
        struct talk t;

        begin(&t);
        autopilot.items_max = 1;
        for (int i = 0; i < 30; i++)
                go_round(&t, 0);
        ck_assert(t.report.refused);
        ck_assert(!t.report.can_arm);
        ck_assert_str_eq(t.rig->ops->complaint(t.rig), "mission: refused: no space");
        talk_end(&t);
}
