/* HILP on one CPU: encode a whole sensor frame, decode a motor message. */
#include <stdint.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "hil/time/clock.h"
#include "io/codec/codec.h"
#include "io/codec/hilp/hilp_board.h"

#define REPEATS  7
#define MESSAGES 100000

static const struct codec_setup setup = {
        .lockstep = true,
        .period_ns = NS_PER_MS,
        .sensor_period_ns = { NS_PER_MS, 250 * NS_PER_MS, 20 * NS_PER_MS, 10 * NS_PER_MS,
                              50 * NS_PER_MS },
        .sensor_lsb = { 1e-3, 0.0, 0.01, 1e-7, 1e-3 },
        .gyro_lsb_radps = 1e-3,
        .rotors = 4,
        .motor_order = { 0, 1, 2, 3 },
};

/* Board and codec through their hello, without a link. */
static bool introduce(struct codec *codec, struct hilp_board *board)
{
        struct hilp_board_news news;
        struct fc_report report = { 0 };
        struct packets out = { 0 };

        hilp_board_init(board, "bench", 4, 1, 1);
        codec->ops->poll(codec, 0, &out);
        if (out.count == 0)
                return false;
        hilp_board_receive(board, out.packet[0].bytes, out.packet[0].len, 0, &news);
        codec->ops->decode(codec, 0, 0, news.out, news.out_len, &report);
        return codec->ops->frame_every(codec) == 1;
}

static double exchange(struct codec *codec, struct hilp_board *board, uint32_t *number,
                       uint64_t *bytes)
{
        struct sensor_frame frame = { .fresh = SENSOR_BIT(SENSOR_IMU) |
                                               SENSOR_BIT(SENSOR_MAG) };
        const struct motor_command command = { { 0.1, 0.2, 0.3, 0.4 } };
        int64_t begin_ns = clock_now_ns();

        for (int i = 0; i < MESSAGES; i++) {
                struct hilp_board_news news;
                struct fc_report report;
                struct packets out;
                uint8_t answer[HILP_FRAME_MAX];
                size_t len;

                out.count = 0;
                report.fresh = 0;
                frame.t_ns = (int64_t)*number * NS_PER_MS;
                frame.imu.gyro_body_radps.x = 1e-3 * (double)(*number % 1000);
                codec->ops->encode(codec, *number, 0, &frame, NULL, &out);
                hilp_board_receive(board, out.packet[0].bytes, out.packet[0].len, 0,
                                   &news);
                len = hilp_board_motors(board, &command, 4, true, false, MODE_GOTO,
                                        answer);
                codec->ops->decode(codec, 0, 0, answer, len, &report);
                *bytes += out.packet[0].len + len;
                ++*number;
        }
        return MESSAGES * 1e9 / (double)(clock_now_ns() - begin_ns);
}

int bench_decode(FILE *out)
{
        struct codec *codec = codec_create("hilp", &setup);
        struct hilp_board board;
        double rate[REPEATS];
        uint64_t bytes = 0;
        uint32_t number = 0;

        if (codec == NULL || !introduce(codec, &board)) {
                fprintf(stderr, "hilrig bench: decode: no conversation\n");
                return -1;
        }
        for (int i = 0; i < REPEATS; i++)
                rate[i] = exchange(codec, &board, &number, &bytes);
        fprintf(out,
                "{\"bench\": \"decode\", \"exchanges_per_s\": %.0f, "
                "\"bytes_per_exchange\": %.1f, "
                "\"repeats\": %d, \"wrong\": %llu}\n",
                bench_median(rate, REPEATS), (double)bytes / (double)number, REPEATS,
                (unsigned long long)(codec->counts.crc_errors + codec->counts.malformed));
        codec->ops->destroy(codec);
        return 0;
}
