/* Fleets in lockstep: what a vehicle and period cost with more and more vehicles, beside the bare ping-pong of as many
 * sockets with as many processes. */
#include "hil/bench/bench.h"
#include "hil/bench/plant.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/rig/rig.h"

#define FLEET_MAX 128
#define FLIGHT    "stop_after_s=2"
#define PERIODS   2000
#define MESSAGE   64

struct echoes {
        int count;
        int fd[FLEET_MAX];
        pid_t child[FLEET_MAX];
};

static void echo(int fd)
{
        char bytes[MESSAGE];
        ssize_t n;

        while ((n = read(fd, bytes, sizeof bytes)) > 0)
                if (write(fd, bytes, (size_t)n) != n)
                        break;
        _exit(0);
}

static bool start_echo(struct echoes *e)
{
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
                return false;
        e->child[e->count] = fork();
        if (e->child[e->count] == 0) {
                for (int i = 0; i < e->count; i++)
                        close(e->fd[i]);
                close(pair[0]);
                echo(pair[1]);
        }
        close(pair[1]);
        e->fd[e->count] = pair[0];
        return e->child[e->count++] > 0;
}

static void end_echoes(struct echoes *e)
{
        for (int i = 0; i < e->count; i++)
                close(e->fd[i]);
        for (int i = 0; i < e->count; i++)
                if (e->child[i] > 0)
                        waitpid(e->child[i], NULL, 0);
}

static bool exchange(const struct echoes *e)
{
        char bytes[MESSAGE] = { 1 };

        for (int i = 0; i < e->count; i++)
                if (write(e->fd[i], bytes, sizeof bytes) != MESSAGE)
                        return false;
        for (int i = 0; i < e->count; i++)
                if (recv(e->fd[i], bytes, sizeof bytes, MSG_WAITALL) != MESSAGE)
                        return false;
        return true;
}

/* ns for a link and round; 0: not measured. */
static double measure_bare(int links)
{
        struct echoes e = { 0 };
        int64_t begin_ns;
        double ns = 0.0;
        bool ok = true;

        while (ok && e.count < links)
                ok = start_echo(&e);
        ok = ok && exchange(&e);
        begin_ns = clock_now_ns();
        for (int i = 0; ok && i < PERIODS; i++)
                ok = exchange(&e);
        if (ok)
                ns = (double)(clock_now_ns() - begin_ns) / PERIODS / links;
        end_echoes(&e);
        return ns;
}

static bool bench_size(FILE *out, const char *config_path, int vehicles, int threads,
                       struct rig *rig, struct rig_config *config)
{
        char set[FLEET_MAX][80];
        struct config_overrides overrides = { .sets = 2,
                                              .set = { "pace=lockstep", FLIGHT } };
        double bare_ns = measure_bare(vehicles), wall_ns, turns;
        char copies[60], hands[40];

        snprintf(hands, sizeof hands, "realtime.threads=%d", threads);
        overrides.set[overrides.sets++] = hands;
        snprintf(copies, sizeof copies, "vehicles.0.copies={\"count\": %d}", vehicles);
        overrides.set[overrides.sets++] = copies;
        for (int i = 0; i < vehicles; i++) {
                snprintf(set[i], sizeof set[i],
                         "vehicles.%d.fc.link=unix-listen:/tmp/hilrig-bench-%d-%d", i,
                         (int)getpid(), i);
                overrides.set[overrides.sets++] = set[i];
        }
        if (!bench_fly(rig, config, config_path, &overrides))
                return false;
        wall_ns = (double)(rig->end_ns - rig->start_ns);
        turns = (double)rig->tick * vehicles;
        fprintf(out,
                "{\"bench\": \"fleet\", \"vehicles\": %d, \"threads\": %d, "
                "\"ns_per_vehicle_period\": %.0f, \"times_real_time\": %.2f, "
                "\"processor_ns_per_vehicle_period\": %.0f, "
                "\"ping_pong_ns_per_link\": %.0f, \"ratio\": %.2f}\n",
                vehicles, threads, wall_ns / turns,
                (double)(rig->tick * config->period_ns) / wall_ns,
                (double)(rig->end_cpu_ns - rig->met_cpu_ns) / turns, bare_ns,
                bare_ns > 0.0 ? wall_ns / turns / bare_ns : 0.0);
        fflush(out);
        bench_land(rig, config);
        return true;
}

int bench_fleet(FILE *out, const char *config_path)
{
        struct rig_config *config = malloc(sizeof *config);
        struct rig *rig = malloc(sizeof *rig);
        /* What a fleet's plants cost without its flight controllers. */
        bool ok = config != NULL && rig != NULL && bench_batch(out, config_path) == 0;

        for (int n = 1; ok && n <= FLEET_MAX; n *= 2)
                for (int threads = 1; ok && threads <= 2 && threads <= n; threads++)
                        ok = bench_size(out, config_path, n, threads, rig, config);
        free(config);
        free(rig);
        return ok ? 0 : -1;
}
