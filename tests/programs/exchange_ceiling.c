/* How near the rig comes to the fastest that could stand in its place: a program that does nothing but answer each of the
 * firmware's packets with the same bytes, but for the time in them. Both are asked by the same firmware, which speaks as
 * ArduPilot's model "JSON" does, in alternating blocks: one JSON object for each.
 *
 *   exchange_ceiling HILRIG        a made-up one, which works for a given time between an answer and its next packet, for
 *                                  each of three times: for `make bench`
 *   exchange_ceiling HILRIG RIG    the one that the rig file starts, ArduPilot itself: its first 10 s, on the ground
 */
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
#include "hil/config/config.h"
#include "hil/config/load.h"
#include "hil/rig/spawn.h"
#include "hil/text/json.h"
#include "hil/text/tree.h"
#include "hil/time/clock.h"
#include "io/codec/codec.h"
#include "io/codec/decimal.h"
#include "io/le.h"

#define BLOCKS   5
#define BLOCK_NS (400 * NS_PER_MS)
#define RIG      "rig_configs/rigs/ardupilot_sitl.json"
#define SECONDS  "10"
#define COUNT    10000 /* exchanges in them */
/* A firmware that says nothing for so long is none. */
#define SILENT_NS (20 * NS_PER_S)

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

/* Port 0: any. */
static int udp_socket(unsigned *port)
{
        struct sockaddr_in at = { .sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)*port),
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
        unsigned port = 0;

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

struct firmware {
        int64_t work_ns; /* between an answer and the next packet, made up; or */
        const struct rig_config *real; /* what starts it; NULL: made up */
        struct child child;
        pid_t made_up;
};

/* It calls at the port; its own files go to the folder. */
static bool start_firmware(struct firmware *f, unsigned port, const char *folder)
{
        char why[600];

        if (f->real != NULL) {
                f->child = (struct child){ 0 };
                if (rig_start(&f->child, f->real, folder, why, sizeof why))
                        return true;
                fprintf(stderr, "exchange_ceiling: %s\n", why);
                return false;
        }
        f->made_up = fork();
        if (f->made_up == 0)
                be_firmware(port, f->work_ns);
        return f->made_up > 0;
}

static void end_firmware(struct firmware *f)
{
        if (f->real != NULL) {
                child_end(&f->child);
                return;
        }
        kill(f->made_up, SIGKILL);
        waitpid(f->made_up, NULL, 0);
}

/* What the rig says to it, standing level on the ground; the time in it is of constant length. */
struct constant_answer {
        char text[PACKET_MAX + 40];
        size_t len;
        char *time;
        uint64_t stamp_ps;
};

/* A period later. What the ten picoseconds are for: io/codec/ardupilot. */
static void go_on(struct constant_answer *a)
{
        a->stamp_ps += 1000000010;
        decimal_put_digits(a->time, a->stamp_ps / 1000000000000U, 6);
        decimal_put_digits(a->time + 7, a->stamp_ps % 1000000000000U, 12);
}

static void make_answer(struct constant_answer *a)
{
        const struct codec_setup setup = { .lockstep = true,
                                           .period_ns = NS_PER_MS,
                                           .rotors = 4,
                                           .motor_order = { 0, 3, 1, 2 } };
        struct sensor_frame frame = { .t_ns = NS_PER_MS,
                                      .imu.accel_body_mps2.z = -9.80665,
                                      .pose.q_body_to_ned.w = 1.0 };
        struct codec *c = codec_create("ardupilot", &setup);
        struct fc_report report = { 0 };
        uint8_t bytes[PACKET_BYTES];
        struct packets out = { 0 };
        const char *text, *number, *rest;

        *a = (struct constant_answer){ .len = 0 };
        c->ops->decode(c, 0, 0, bytes, packet_of(1, bytes), &report);
        c->ops->encode(c, 0, 0, &frame, NULL, &out);
        text = (const char *)out.packet[0].bytes;
        number = memchr(text, ':', out.packet[0].len) + 1;
        rest = memchr(number, ',', out.packet[0].len - (size_t)(number - text));
        a->len = (size_t)snprintf(a->text, sizeof a->text, "%.*s000000.000000000000%.*s",
                                  (int)(number - text), text,
                                  (int)(out.packet[0].len - (size_t)(rest - text)), rest);
        a->time = a->text + (number - text);
        c->ops->destroy(c);
}

/* Exchanges a second, and its own processor time an exchange, of one that answers and does nothing else: asleep between,
 * or always looking. */
struct bare {
        double rate, cpu_us;
};

static bool is_over(const struct firmware *f, double count, int64_t since_ns)
{
        return f->real != NULL ? count > COUNT : count > 0.0 && since_ns >= BLOCK_NS;
}

/* False: it has fallen silent. */
static bool answer_calls(const struct firmware *f, int fd, bool asleep, struct bare *out)
{
        const struct timeval patience = { .tv_sec = SILENT_NS / NS_PER_S };
        struct sockaddr_in from;
        struct constant_answer answer;
        char bytes[100];
        int64_t begin_ns = 0, now_ns = clock_now_ns(), heard_ns = now_ns;
        double begin_cpu_s = 0.0, count = 0.0;

        make_answer(&answer);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        for (; !is_over(f, count, now_ns - begin_ns); now_ns = clock_now_ns()) {
                socklen_t size = sizeof from;

                if (recvfrom(fd, bytes, sizeof bytes, asleep ? 0 : MSG_DONTWAIT,
                             (struct sockaddr *)&from, &size) <= 0) {
                        if (clock_now_ns() - heard_ns >= SILENT_NS)
                                return false;
                        sched_yield();
                        continue;
                }
                heard_ns = now_ns;
                go_on(&answer);
                sendto(fd, answer.text, answer.len, 0, (const struct sockaddr *)&from,
                       size);
                if (count++ > 0.0)
                        continue;
                begin_ns = clock_now_ns();
                begin_cpu_s = bench_cpu_s();
        }
        count -= 1.0;
        out->rate = count * 1e9 / (double)(now_ns - begin_ns);
        out->cpu_us = 1e6 * (bench_cpu_s() - begin_cpu_s) / count;
        return true;
}

static bool answer_bare(struct firmware *f, bool asleep, struct bare *out)
{
        char folder[] = "/tmp/hilrig-bench-XXXXXX";
        unsigned port =
                f->real != NULL ? (unsigned)f->real->vehicle[0].fc.link[0].port : 0;
        int fd = udp_socket(&port);
        bool ok = mkdtemp(folder) != NULL && start_firmware(f, port, folder);

        if (ok) {
                ok = answer_calls(f, fd, asleep, out);
                if (!ok)
                        fprintf(stderr,
                                "exchange_ceiling: the firmware is silent on port %u\n",
                                port);
                end_firmware(f);
        }
        close(fd);
        tree_remove(folder);
        return ok;
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

/* With the made-up firmware on ports of its own; it never says that it is disarmed. */
static bool fly(char *hilrig, char *rig, struct firmware *f, struct flown *flown)
{
        char folder[] = "/tmp/hilrig-bench-XXXXXX", out[60], file[60], links[120];
        unsigned port = free_port();
        char *argv[16] = { hilrig,  "run",
                           rig,     "--out",
                           out,     "--seconds",
                           SECONDS, "--json",
                           "--set", "vehicles.0.fc.disarm_timeout_ms=1" };
        char *const made_up[] = { "--set", links, "--set", "vehicles.0.fc.start=null" };
        struct program_cost cost = { .status = -1 };
        bool ok;

        if (mkdtemp(folder) == NULL)
                return false;
        snprintf(out, sizeof out, "%s/run", folder);
        snprintf(file, sizeof file, "%s/out.json", folder);
        snprintf(links, sizeof links,
                 "vehicles.0.fc.link=[\"udp-listen:127.0.0.1:%u\", "
                 "\"udp-listen:127.0.0.1:%u\"]",
                 port, free_port());
        /* A real one the rig starts itself. */
        if (f->real == NULL)
                memcpy(&argv[10], made_up, sizeof made_up);
        ok = (f->real != NULL || start_firmware(f, port, folder)) &&
             program_run(argv, file, &cost) && read_summary(file, flown);
        if (f->real == NULL)
                end_firmware(f);
        tree_remove(folder);
        if (!ok)
                fprintf(stderr, "exchange_ceiling: the rig did not fly (status %d)\n",
                        cost.status);
        return ok;
}

static bool measure(char *hilrig, char *rig, struct firmware *firmware)
{
        double rate[BLOCKS], looking[BLOCKS], asleep[BLOCKS], ratio[BLOCKS], cpu[BLOCKS],
                looking_cpu[BLOCKS], asleep_cpu[BLOCKS];
        struct flown f = { 0 };

        for (int i = 0; i < BLOCKS; i++) {
                struct bare busy, calm;

                if (!answer_bare(firmware, false, &busy) ||
                    !fly(hilrig, rig, firmware, &f) ||
                    !answer_bare(firmware, true, &calm))
                        return false;
                looking[i] = busy.rate;
                looking_cpu[i] = busy.cpu_us;
                asleep[i] = calm.rate;
                asleep_cpu[i] = calm.cpu_us;
                rate[i] = f.rate;
                cpu[i] = f.cpu_us;
                ratio[i] = f.rate / fmax(looking[i], asleep[i]);
        }
        if (firmware->real != NULL)
                printf("{\"bench\": \"ceiling\", \"firmware\": \"%s\", ",
                       firmware->real->name);
        else
                printf("{\"bench\": \"ceiling\", \"firmware\": \"made up, as "
                       "ArduPilot's JSON\", \"work_us\": %.0f, ",
                       (double)firmware->work_ns * 1e-3);
        printf("\"exchanges_per_s\": %.0f, \"bare_looking_per_s\": "
               "%.0f, \"bare_asleep_per_s\": %.0f, \"ratio\": %.3f, \"rig_cpu_us\": "
               "%.1f, \"bare_looking_cpu_us\": %.1f, \"bare_asleep_cpu_us\": %.1f, "
               "\"looked_at_most_us\": %.1f, \"looked\": %.3f, \"blocks\": %d}\n",
               bench_median(rate, BLOCKS), bench_median(looking, BLOCKS),
               bench_median(asleep, BLOCKS), bench_median(ratio, BLOCKS),
               bench_median(cpu, BLOCKS), bench_median(looking_cpu, BLOCKS),
               bench_median(asleep_cpu, BLOCKS), f.looked_us, f.looked, BLOCKS);
        fflush(stdout);
        return true;
}

static int measure_real(char *hilrig, char *rig)
{
        const struct config_overrides none = { 0 };
        static struct rig_config config;
        struct firmware firmware = { .real = &config };
        struct config_error error;
        char *resolved;

        if (!config_read(&config, rig, &none, &resolved, &error)) {
                fprintf(stderr, "exchange_ceiling: %s\n", error.text);
                return 2;
        }
        free(resolved);
        if (strcmp(config.vehicle[0].fc.codec, "ardupilot") != 0 ||
            config.vehicle[0].fc.link[0].kind != LINK_UDP_LISTEN ||
            !rig_starts_firmware(&config)) {
                fprintf(stderr,
                        "exchange_ceiling: %s: must start a firmware of codec ardupilot "
                        "at a link udp-listen\n",
                        rig);
                return 2;
        }
        return measure(hilrig, rig, &firmware) ? 0 : 1;
}

int main(int argc, char **argv)
{
        static const int64_t works_ns[] = { 0, 20 * NS_PER_US, 270 * NS_PER_US };

        if (argc != 2 && argc != 3) {
                fprintf(stderr, "usage: exchange_ceiling HILRIG [RIG]\n");
                return 2;
        }
        if (argc == 3)
                return measure_real(argv[1], argv[2]);
        for (size_t i = 0; i < sizeof works_ns / sizeof works_ns[0]; i++) {
                struct firmware firmware = { .work_ns = works_ns[i] };

                if (!measure(argv[1], RIG, &firmware))
                        return 1;
        }
        return 0;
}
