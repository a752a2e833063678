/* From a word of a twin's telemetry to the ranges of its virtual sonars that were worked out with it, beside the bare echo
 * of a datagram between two threads, in alternating blocks at the same priority and pace. A word counts from its sending;
 * the ranges are the first whose tick begins after that. */
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hil/bench/bench.h"
#include "hil/rig/rig.h"
#include "hil/time/clock.h"
#include "io/codec/mavlink_messages.h"

#define RIG      "rig_configs/rigs/twin_delay.json"
#define BLOCKS   5
#define WORDS    20000 /* a block */
#define FLIGHT_S "68" /* longer than a block's words */
#define LEAST_NS                                                                         \
        (2 *                                                                             \
         NS_PER_MS) /* from word to word, and up to a period more, so that it falls everywhere in one */
#define MOST_NS (100 * NS_PER_MS) /* without an answer: it is lost */
/* The fractional part of the golden ratio: its multiples fill a period evenly. */
#define SPREAD 0.6180339887498949

struct talk {
        int fd;
        struct sockaddr_in to; /* of the rig or the echo */
        struct mavlink_sender sender;
        struct mavlink_stream stream;
        const struct rig *rig; /* NULL: the echo */
        const struct realtime_config *realtime;
        atomic_bool stop;
        struct histogram delay;
        uint64_t lost;
};

static int open_socket(struct sockaddr_in *at)
{
        socklen_t len = sizeof *at;
        int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        *at = (struct sockaddr_in){ .sin_family = AF_INET };
        at->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (fd >= 0 && bind(fd, (struct sockaddr *)at, sizeof *at) == 0 &&
            getsockname(fd, (struct sockaddr *)at, &len) == 0)
                return fd;
        fprintf(stderr, "hilrig bench: twin: no socket on 127.0.0.1\n");
        return -1;
}

/* A datagram by until_ns, with who sent it; 0: none. */
static ssize_t hear(struct talk *t, uint8_t *bytes, size_t cap, int64_t until_ns)
{
        struct timespec left = clock_timespec(until_ns - clock_now_ns());
        struct pollfd fd = { .fd = t->fd, .events = POLLIN };
        socklen_t len = sizeof t->to;
        ssize_t n;

        if (until_ns <= clock_now_ns() || ppoll(&fd, 1, &left, NULL) != 1)
                return 0;
        n = recvfrom(t->fd, bytes, cap, 0, (struct sockaddr *)&t->to, &len);
        return n > 0 ? n : 0;
}

/* Ranges of a tick that began at or after sent_ns. */
static bool is_answer(struct talk *t, const uint8_t *bytes, size_t len, int64_t sent_ns)
{
        for (size_t at = 0; at < len;) {
                struct mavlink_distance_sensor ranges;
                struct mavlink_frame frame;
                bool got;

                at += mavlink_stream_take(&t->stream, bytes + at, len - at, &frame, &got);
                if (!got || frame.id != MAVLINK_DISTANCE_SENSOR ||
                    !mavlink_unpack(&frame, mavlink_message_find(frame.id), &ranges))
                        continue;
                if (ranges.time_boot_ms * NS_PER_MS >= sent_ns - t->rig->start_ns)
                        return true;
        }
        return false;
}

static void say(struct talk *t, int n)
{
        struct mavlink_local_position_ned m = { .time_boot_ms = (uint32_t)n };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        size_t len = mavlink_send(&t->sender, MAVLINK_LOCAL_POSITION_NED, &m, bytes);

        if (sendto(t->fd, bytes, len, 0, (struct sockaddr *)&t->to, sizeof t->to) < 0)
                t->lost++;
}

static void exchange(struct talk *t, int n)
{
        int64_t sent_ns = clock_now_ns();
        uint8_t bytes[MAVLINK_FRAME_MAX];
        ssize_t len;

        say(t, n);
        while ((len = hear(t, bytes, sizeof bytes, sent_ns + MOST_NS)) > 0) {
                if (t->rig != NULL && !is_answer(t, bytes, (size_t)len, sent_ns))
                        continue;
                histogram_add(&t->delay, clock_now_ns() - sent_ns);
                return;
        }
        t->lost++;
}

/* What came meanwhile is of no word. */
static void pass_over(struct talk *t, int64_t until_ns)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];

        while (hear(t, bytes, sizeof bytes, until_ns) > 0)
                if (clock_now_ns() >= until_ns)
                        return;
}

static void *converse(void *arg)
{
        struct talk *t = arg;
        struct realtime rt;
        double phase = 0.0;

        realtime_enter(&rt, t->realtime);
        /* The rig speaks first. */
        if (t->rig != NULL)
                pass_over(t, clock_now_ns() + NS_PER_S);
        for (int i = 0; i < WORDS && !atomic_load(&t->stop); i++) {
                phase += SPREAD;
                phase -= phase >= 1.0;
                pass_over(t, clock_now_ns() + LEAST_NS +
                                     (int64_t)(phase * (double)NS_PER_MS));
                exchange(t, i);
        }
        realtime_leave(&rt);
        return NULL;
}

static bool fly_block(struct talk *t, struct rig_config *config, struct rig *rig,
                      const char *path)
{
        struct config_overrides overrides = { .sets = 2 };
        struct sockaddr_in at;
        pthread_t thread;
        char where[80];
        bool ok;

        t->fd = open_socket(&at);
        if (t->fd < 0)
                return false;
        snprintf(where, sizeof where, "vehicles.0.twin.where=udp:127.0.0.1:%d",
                 ntohs(at.sin_port));
        overrides.set[0] = where;
        overrides.set[1] = "stop_after_s=" FLIGHT_S;
        t->rig = rig;
        atomic_store(&t->stop, false);
        ok = pthread_create(&thread, NULL, converse, t) == 0;
        if (!ok) {
                close(t->fd);
                return false;
        }
        ok = bench_fly(rig, config, path, &overrides);
        atomic_store(&t->stop, true);
        pthread_join(thread, NULL);
        if (ok)
                bench_land(rig, config);
        close(t->fd);
        return ok;
}

static void *echo(void *arg)
{
        struct talk *t = arg;
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct realtime rt;

        realtime_enter(&rt, t->realtime);
        while (!atomic_load(&t->stop)) {
                ssize_t n = hear(t, bytes, sizeof bytes, clock_now_ns() + MOST_NS);

                if (n > 0 && sendto(t->fd, bytes, (size_t)n, 0, (struct sockaddr *)&t->to,
                                    sizeof t->to) < 0)
                        t->lost++;
        }
        realtime_leave(&rt);
        return NULL;
}

static bool echo_block(struct talk *t)
{
        struct talk *other = calloc(1, sizeof *other);
        struct sockaddr_in at;
        pthread_t thread;
        bool ok = other != NULL && (t->fd = open_socket(&at)) >= 0;

        if (ok && (other->fd = open_socket(&t->to)) < 0) {
                close(t->fd);
                ok = false;
        }
        if (ok) {
                other->realtime = t->realtime;
                t->rig = NULL;
                ok = pthread_create(&thread, NULL, echo, other) == 0;
                if (ok) {
                        converse(t);
                        atomic_store(&other->stop, true);
                        pthread_join(thread, NULL);
                }
                close(t->fd);
                close(other->fd);
        }
        free(other);
        return ok;
}

static void print(FILE *out, const struct talk *rig, const struct talk *bare)
{
        static const double p[] = { 0.5, 0.99, 0.999 };
        static const char *const name[] = { "p50", "p99", "p99_9" };

        fprintf(out,
                "{\"bench\": \"twin\", \"words\": %llu, \"lost\": %llu, "
                "\"echoes\": %llu, \"echoes_lost\": %llu",
                (unsigned long long)rig->delay.count, (unsigned long long)rig->lost,
                (unsigned long long)bare->delay.count, (unsigned long long)bare->lost);
        for (int i = 0; i < 3; i++) {
                double ours = (double)histogram_quantile_ns(&rig->delay, p[i]) * 1e-3;
                double theirs = (double)histogram_quantile_ns(&bare->delay, p[i]) * 1e-3;

                fprintf(out,
                        ", \"delay_%s_us\": %.1f, \"echo_%s_us\": %.1f, "
                        "\"less_a_period_ratio_%s\": %.2f",
                        name[i], ours, name[i], theirs, name[i],
                        (ours - 1000.0) / theirs);
        }
        fprintf(out, "}\n");
        fflush(out);
}

int bench_twin(FILE *out, const char *config_path)
{
        struct rig_config *config = calloc(1, sizeof *config);
        struct rig *rig = calloc(1, sizeof *rig);
        struct talk *ours = calloc(1, sizeof *ours), *bare = calloc(1, sizeof *bare);
        const struct realtime_config realtime = { .priority = 80, .cpu = -1 };
        bool ok = config != NULL && rig != NULL && ours != NULL && bare != NULL;

        (void)config_path;
        if (ok) {
                ours->realtime = bare->realtime = &realtime;
                ours->sender = bare->sender = (struct mavlink_sender){ 2, 1, 1, 0 };
        }
        for (int i = 0; ok && i < BLOCKS; i++)
                ok = i % 2 == 0 ? fly_block(ours, config, rig, RIG) && echo_block(bare)
                                : echo_block(bare) && fly_block(ours, config, rig, RIG);
        if (ok)
                print(out, ours, bare);
        free(config);
        free(rig);
        free(ours);
        free(bare);
        return ok ? 0 : -1;
}
