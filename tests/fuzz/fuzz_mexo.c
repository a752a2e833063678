/* A mission executor that sends anything in pieces of any length, at any time: every line that comes back is an answer or
 * a message, what is asked of the flight controller is a number, and whatever was parsed prints and parses again. */
#include <assert.h>
#include <math.h>

#include "io/device/device.h"
#include "tests/fuzz/fuzz.h"

static void check_line(const char *line, size_t len)
{
        char printed[MEXO_LINE_MAX + 200];
        struct mexo_refusal why = { 0 };
        struct mexo_command c, again;
        size_t cut;

        if (!mexo_parse(line, len, &c, &why)) {
                assert(why.code != 0 && why.text[0] != '\0');
                return;
        }
        cut = mexo_print(&c, printed, sizeof printed);
        assert(cut > 2 && mexo_parse(printed, cut - 2, &again, &why) &&
               again.verb == c.verb);
}

static void check_wishes(struct device *d)
{
        struct device_wish wish;

        while (d->ops->ask(d, &wish)) {
                assert(strnlen(wish.what, sizeof wish.what) < sizeof wish.what);
                assert(!wish.flies || (isfinite(vec3_norm(wish.setpoint.pos_ned_m)) &&
                                       isfinite(wish.setpoint.yaw_rad)));
        }
}

static void feed_device(struct device *d, struct sensor_frame *frame, int64_t t_ns)
{
        static const struct pilot_input input;
        static const struct fc_report report;
        static const struct motor_command command;
        struct device_feed feed = { .t_ns = t_ns,
                                    .frame = frame,
                                    .input = &input,
                                    .report = &report,
                                    .command = &command };
        struct packets out = { 0 };

        frame->t_ns = t_ns;
        d->ops->feed(d, &feed, &out);
        check_wishes(d);
        if (d->ops->hangs_up(d))
                d->ops->peer_left(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static const struct mexo_settings settings = { .sample_ns = 1000000,
                                                       .reached_m = 1.0,
                                                       .reached_rad = 0.1 };
        struct device_setup setup = { .period_ns = 1000000,
                                      .origin = { .north_m_per_rad = 6.4e6,
                                                  .east_m_per_rad = 4e6 },
                                      .vehicle_name = "Drone1",
                                      .mexo = &settings };
        struct device *d = device_create("mexo", &setup);
        struct sensor_frame frame = { .pose.q_body_to_ned = { 1, 0, 0, 0 } };
        struct packets out = { 0 };
        int64_t t_ns = 0;

        check_line((const char *)data, size);
        d->ops->take(d, (const uint8_t *)"POWER\nSTARTENGINE\n", 18, &out);
        while (size > 0) {
                size_t len = data[0] < size ? data[0] : size;

                d->ops->take(d, data, len, &out);
                data += len > 0 ? len : 1;
                size -= len > 0 ? len : 1;
                for (int i = 0; i < 3; i++)
                        feed_device(d, &frame, t_ns += 1000000);
                frame.pose.pos_ned_m.z -= 1.0;
        }
        d->ops->destroy(d);
        return 0;
}
