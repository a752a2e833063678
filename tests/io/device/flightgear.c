/* FlightGear's packets: when they come. tests/node/ground_station.mjs reads what is in them. */
#include <math.h>
#include <string.h>

#include "io/device/device.h"

#include "tests/suites.h"

#define MS 1000000LL

static const struct device_setup setup = {
        .period_ns = MS,
        .origin = { .north_m_per_rad = 6.37e6, .east_m_per_rad = 4.33e6 },
        .rotors = 4,
};

struct stage {
        struct device *device;
        struct sensor_frame frame;
        struct pilot_input input;
        struct fc_report report;
        struct motor_command command;
        struct packets out;
};

static void setup_stage(struct stage *s, const struct device_setup *with)
{
        memset(s, 0, sizeof *s);
        s->device = device_create("flightgear", with);
        ck_assert_ptr_nonnull(s->device);
        s->frame.pose.q_body_to_ned.w = 1.0;
}

/* How many packets a tick gives. */
static int tick(struct stage *s, int64_t t_ns)
{
        struct device_feed feed = { t_ns, &s->frame, &s->input, &s->report, &s->command };

        s->out.count = 0;
        s->device->ops->feed(s->device, &feed, &s->out);
        for (int i = 0; i < s->out.count; i++)
                ck_assert_uint_eq(s->out.packet[i].len, 408);
        return s->out.count;
}

static uint32_t word(const struct stage *s, int at)
{
        const uint8_t *p = s->out.packet[0].bytes + at;

        return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static float number(const struct stage *s, int at)
{
        uint32_t bits = word(s, at);
        float v;

        memcpy(&v, &bits, sizeof v);
        return v;
}

TEST(sixty_come_in_a_second_whatever_the_period)
{
        static const int64_t period_ns[] = { MS, 2 * MS, 4 * MS, 1234567 };

        for (size_t i = 0; i < sizeof period_ns / sizeof period_ns[0]; i++) {
                struct stage s;
                int packets = 0;

                setup_stage(&s, &setup);
                for (int64_t t_ns = 0; t_ns < 10000 * MS; t_ns += period_ns[i])
                        packets += tick(&s, t_ns);
                ck_assert_int_ge(packets, 599);
                ck_assert_int_le(packets, 601);
                ck_assert_uint_eq(s.device->counts.messages_out, (unsigned)packets);
                s.device->ops->destroy(s.device);
        }
}

TEST(a_slow_rig_sends_at_every_tick)
{
        struct stage s;

        setup_stage(&s, &setup);
        for (int i = 0; i < 100; i++)
                ck_assert_int_eq(tick(&s, i * 20 * MS), 1);
        s.device->ops->destroy(s.device);
}

TEST(a_yaw_through_south_turns_the_shorter_way)
{
        struct stage s;

        setup_stage(&s, &setup);
        s.frame.pose.q_body_to_ned = quat_from_euler(0.0, 0.0, M_PI - 0.01);
        ck_assert_int_eq(tick(&s, 0), 1);
        ck_assert(number(&s, 64) == 0.0f); /* psidot: there was none before */
        s.frame.pose.q_body_to_ned = quat_from_euler(0.0, 0.0, -M_PI + 0.01);
        ck_assert_int_eq(tick(&s, 20 * MS), 1);
        ck_assert_double_eq_tol((double)number(&s, 64), 1.0, 1e-4);
        s.device->ops->destroy(s.device);
}

TEST(no_more_engines_than_the_packet_holds)
{
        struct device_setup eight = setup, two = setup;
        struct stage s;

        eight.rotors = 8;
        setup_stage(&s, &eight);
        tick(&s, 0);
        ck_assert_uint_eq(word(&s, 120), 4);
        s.device->ops->destroy(s.device);

        two.rotors = 2;
        setup_stage(&s, &two);
        s.command.duty[0] = s.command.duty[1] = s.command.duty[2] = 1.0;
        tick(&s, 0);
        ck_assert_uint_eq(word(&s, 120), 2);
        ck_assert(word(&s, 128) == 2 && word(&s, 132) == 0);
        s.device->ops->destroy(s.device);
}

TEST(a_full_outbox_costs_no_packet)
{
        struct device_feed feed;
        struct stage s;

        setup_stage(&s, &setup);
        feed = (struct device_feed){ 0, &s.frame, &s.input, &s.report, &s.command };
        s.out.count = CODEC_PACKETS_MAX;
        s.device->ops->feed(s.device, &feed, &s.out);
        ck_assert_int_eq(s.out.count, CODEC_PACKETS_MAX);
        ck_assert_int_eq(tick(&s, MS), 1);
        s.device->ops->destroy(s.device);
}
