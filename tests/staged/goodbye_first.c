/* What the end of a run does first. The program's own munlockall() stands before the library's, and looks what
 * the board was when the rig came to it: unlocking memory took seconds on a busy host. As on such a host, the board
 * hears the goodbye no sooner than the rig looks whether it has ended, and it has: its own write(), read() and waitpid()
 * see to that. */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/rig/rig.h"
#include "hil/rig/spawn.h"
#include "tests/suites.h"

static struct rig_config config;
static struct child child;
static struct rig rig;
static pid_t rig_pid;
/* The board's process sees it, too. */
static struct {
        atomic_bool told,
                looked; /* the run is over; the rig looks whether the board has ended */
} * at;
static int unlocked; /* how often, and while the board was armed */
static int unlocked_armed;

int munlockall(void)
{
        unlocked++;
        unlocked_armed += rig.vehicle[0].port.talk.arming.armed;
        return 0;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
        if (getpid() == rig_pid && rig.vehicle != NULL && rig.vehicle[0].farewell.awaited)
                at->told = true;
        return syscall(SYS_write, fd, bytes, len);
}

ssize_t read(int fd, void *bytes, size_t cap)
{
        while (getpid() != rig_pid && at != NULL && at->told && !at->looked)
                sched_yield();
        return syscall(SYS_read, fd, bytes, cap);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
        bool told = at != NULL && at->told;

        if (told)
                at->looked = true;
        return wait4(pid, status, told ? 0 : options, NULL);
}

TEST(a_board_in_the_air_is_disarmed_before_memory_is_unlocked)
{
        const struct config_overrides overrides = {
                .sets = 4,
                /* However busy the host is. */
                .set = { "pace=realtime", "stop_after_s=5.5",
                         "vehicles.0.fc.timeout_ms=60000",
                         "vehicles.0.fc.disarm_timeout_ms=60000" },
        };
        struct config_error error;
        char *resolved, why[300];

        rig_pid = getpid();
        at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                  -1, 0);
        ck_assert_ptr_ne(at, MAP_FAILED);
        ck_assert_msg(config_read(&config, "rig_configs/default.json", &overrides,
                                  &resolved, &error),
                      "%s", error.text);
        free(resolved);
        ck_assert_msg(rig_open(&rig, &config, &child, why, sizeof why), "%s", why);
        ck_assert_msg(rig_spawn(&rig, why, sizeof why), "%s", why);
        rig_run(&rig);
        /* At the beginning, too, where this user may not lock any. */
        ck_assert_int_ge(unlocked, 1);
        ck_assert(at->told && at->looked);
        ck_assert_msg(unlocked_armed == 0, "armed still: %s", rig.end_reason);
        ck_assert(!rig.observed[0].truth->contact.touching);
        ck_assert_uint_gt(rig.vehicle[0].port.talk.arming.words, 1000);
        ck_assert_int_eq(rig.vehicle[0].left, LEFT_SAFE);
        rig_close(&rig);
        rig_reap(&child, &config);
        config_free(&config);
}
