/* How near the rig comes to the fastest that could stand in its place: a program that does nothing but answer each of the
 * firmware's packets with the same bytes. Both are asked by the same made-up firmware, which speaks as ArduPilot's model
 * "JSON" does and works for a given time between an answer and its next packet; in alternating blocks, one JSON object for
 * each amount of work, for `make bench`. It is no real firmware. */
#include <arpa/inet.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/bench/bench.h"
#include "hil/bench/plant.h"
#include "hil/bench/program.h"
#include "hil/config/load.h"
#include "hil/text/json.h"
#include "hil/text/tree.h"
#include "hil/time/clock.h"
#include "io/codec/codec.h"
#include "io/le.h"

#define BLOCKS   5
#define BLOCK_NS (400 * NS_PER_MS)
#define RIG      "rig_configs/rigs/ardupilot_sitl.json"

#define PACKET_BYTES 40

/* Pulses of motors that stand. */
static size_t packet_of(uint32_t count, uint8_t *to)
{
        le_put_u16(to, 18458);
        le_put_u16(to + 2, 1000);
        le_put_u32(to + 4, count);
        for (int i = 0; i < 16; i++)
                le_put_u16(to + 8 + 2 * i, 1000);
        return PACKET_BYTES;
}

static int udp_socket(unsigned *port)
{
        struct sockaddr_in at = { .sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        socklen_t size = sizeof at;

        if (bind(fd, (const struct sockaddr *)&at, sizeof at) != 0)
                abort();
        getsockname(fd, (struct sockaddr *)&at, &size);
        *port = ntohs(at.sin_port);
        return fd;
}

static unsigned free_port(void)
{
        unsigned port;

        close(udp_socket(&port));
        return port;
}

/* So long of its own processor. */
static void work(int64_t ns)
{
        struct timespec t;
        int64_t end_ns;

        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        end_ns = t.tv_sec * NS_PER_S + t.tv_nsec + ns;
        while (ns > 0 && t.tv_sec * NS_PER_S + t.tv_nsec < end_ns)
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
}

static _Noreturn void be_firmware(unsigned port, int64_t work_ns)
{
        const struct sockaddr_in to = { .sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        const struct timeval patience = { .tv_usec = 1000 };
        int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        uint8_t bytes[PACKET_BYTES];
        char answer[PACKET_MAX];

        prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
        if (connect(fd, (const struct sockaddr *)&to, sizeof to) != 0)
                _exit(1);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        for (uint32_t count = 1;; count++) {
                size_t len = packet_of(count, bytes);

                /* Before the rig is there nobody answers. */
                for (int tries = 0;; tries++) {
                        if (tries % 500 == 0 || count == 1)
                                send(fd, bytes, len, 0);
                        if (recv(fd, answer, sizeof answer, 0) > 0)
                                break;
                        if (count == 1)
                                usleep(1000);
                }
                work(work_ns);
        }
}

static pid_t start_firmware(unsigned port, int64_t work_ns)
{
        pid_t child = fork();

        if (child == 0)
                be_firmware(port, work_ns);
        return child;
}

static void end_firmware(pid_t child)
{
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
}

/* What the rig says to it: the same bytes each time. */
static size_t constant_answer(char *text)
{
        const struct codec_setup setup = { .lockstep = true,
                                           .period_ns = NS_PER_MS,
                                           .rotors = 4,
                                           .motor_order = { 0, 3, 1, 2 } };
        struct sensor_frame frame = { .t_ns = 12345 * NS_PER_MS,
                                      .pose.q_body_to_ned.w = 1.0 };
        struct codec *c = codec_create("ardupilot", &setup);
        struct fc_report report = { 0 };
        uint8_t bytes[PACKET_BYTES];
        struct packets out = { 0 };
        size_t len = 0;

        c->ops->decode(c, 0, 0, bytes, packet_of(1, bytes), &report);
        c->ops->encode(c, 0, 0, &frame, NULL, &out);
        for (int i = 0; i < out.count && len == 0; i++)
                if (out.packet[i].channel == 0) {
                        len = out.packet[i].len;
                        memcpy(text, out.packet[i].bytes, len);
                }
        c->ops->destroy(c);
        return len;
}

/* Exchanges a second, and its own processor time an exchange, of one that answers and does nothing else: asleep between,
 * or always looking. */
struct bare {
        double rate, cpu_us;
};

static struct bare answer_bare(int64_t work_ns, bool asleep)
{
        struct sockaddr_in from;
        unsigned port;
        int fd = udp_socket(&port);
        pid_t firmware = start_firmware(port, work_ns);
        char answer[PACKET_MAX + 1], bytes[100];
        size_t len = constant_answer(answer);
        int64_t begin_ns = 0, now_ns = 0;
        double begin_cpu_s = 0.0, count = 0.0;

        for (; count == 0.0 || now_ns - begin_ns < BLOCK_NS; now_ns = clock_now_ns()) {
                socklen_t size = sizeof from;

                if (recvfrom(fd, bytes, sizeof bytes, asleep ? 0 : MSG_DONTWAIT,
                             (struct sockaddr *)&from, &size) > 0) {
                        sendto(fd, answer, len, 0, (const struct sockaddr *)&from, size);
                        if (count++ > 0.0)
                                continue;
                        begin_ns = clock_now_ns();
                        begin_cpu_s = bench_cpu_s();
                } else {
                        sched_yield();
                }
        }
        begin_cpu_s = bench_cpu_s() - begin_cpu_s;
        end_firmware(firmware);
        close(fd);
        count -= 1.0;
        return (struct bare){ count * 1e9 / (double)(now_ns - begin_ns),
                              1e6 * begin_cpu_s / count };
}

struct flown {
        double rate, cpu_us, looked_us, looked;
};

static bool read_summary(const char *file, struct flown *f)
{
        struct config_error why;
        struct json_error error;
        size_t len;
        char *text = config_load_text(file, &len, &why);
        struct json *root = text != NULL ? json_parse(text, len, file, &error) : NULL;
        double ticks = json_number(root, "ticks");

        f->rate = ticks / json_number(root, "wall_time_s");
        f->cpu_us = 1e6 * json_number(root, "processor_time_s") / ticks;
        f->looked_us = json_number(root, "waiting.looked_at_most_us");
        f->looked = json_number(root, "waiting.looked") / ticks;
        json_free(root);
        free(text);
        return f->rate > 0.0;
}

static bool fly(char *hilrig, int64_t work_ns, struct flown *f)
{
        char folder[] = "/tmp/hilrig-bench-XXXXXX", out[60], file[60], links[120];
        unsigned port = free_port();
        char *argv[] = { hilrig,  "run",
                         RIG,     "--seconds",
                         "10",    "--json",
                         "--out", out,
                         "--set", links,
                         "--set", "vehicles.0.fc.start=null",
                         "--set", "vehicles.0.fc.disarm_timeout_ms=1",
                         NULL };
        struct program_cost cost;
        pid_t firmware;
        bool ok;

        if (mkdtemp(folder) == NULL)
                return false;
        snprintf(out, sizeof out, "%s/run", folder);
        snprintf(file, sizeof file, "%s/out.json", folder);
        snprintf(links, sizeof links,
                 "vehicles.0.fc.link=[\"udp-listen:127.0.0.1:%u\", "
                 "\"udp-listen:127.0.0.1:%u\"]",
                 port, free_port());
        firmware = start_firmware(port, work_ns);
        ok = program_run(argv, file, &cost) && read_summary(file, f);
        end_firmware(firmware);
        tree_remove(folder);
        if (!ok)
                fprintf(stderr, "exchange_ceiling: the rig did not fly (status %d)\n",
                        cost.status);
        return ok;
}

static bool measure(char *hilrig, int64_t work_ns)
{
        double rate[BLOCKS], looking[BLOCKS], asleep[BLOCKS], ratio[BLOCKS], cpu[BLOCKS],
                looking_cpu[BLOCKS], asleep_cpu[BLOCKS];
        struct flown f = { 0 };

        for (int i = 0; i < BLOCKS; i++) {
                struct bare busy = answer_bare(work_ns, false), calm;

                if (!fly(hilrig, work_ns, &f))
                        return false;
                calm = answer_bare(work_ns, true);
                looking[i] = busy.rate;
                looking_cpu[i] = busy.cpu_us;
                asleep[i] = calm.rate;
                asleep_cpu[i] = calm.cpu_us;
                rate[i] = f.rate;
                cpu[i] = f.cpu_us;
                ratio[i] = f.rate / fmax(looking[i], asleep[i]);
        }
        printf("{\"bench\": \"ceiling\", \"firmware\": \"made up, as ArduPilot's JSON\", "
               "\"work_us\": %.0f, \"exchanges_per_s\": %.0f, \"bare_looking_per_s\": "
               "%.0f, \"bare_asleep_per_s\": %.0f, \"ratio\": %.3f, \"rig_cpu_us\": "
               "%.1f, \"bare_looking_cpu_us\": %.1f, \"bare_asleep_cpu_us\": %.1f, "
               "\"looked_at_most_us\": %.1f, \"looked\": %.3f, \"blocks\": %d}\n",
               (double)work_ns * 1e-3, bench_median(rate, BLOCKS),
               bench_median(looking, BLOCKS), bench_median(asleep, BLOCKS),
               bench_median(ratio, BLOCKS), bench_median(cpu, BLOCKS),
               bench_median(looking_cpu, BLOCKS), bench_median(asleep_cpu, BLOCKS),
               f.looked_us, f.looked, BLOCKS);
        fflush(stdout);
        return true;
}

int main(int argc, char **argv)
{
        static const int64_t works_ns[] = { 0, 20 * NS_PER_US, 270 * NS_PER_US };

        if (argc != 2) {
                fprintf(stderr, "usage: exchange_ceiling HILRIG\n");
                return 2;
        }
        for (size_t i = 0; i < sizeof works_ns / sizeof works_ns[0]; i++)
                if (!measure(argv[1], works_ns[i]))
                        return 1;
        return 0;
}
