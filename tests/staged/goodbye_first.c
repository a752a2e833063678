/* What the end of a run does first. The program's own munlockall() stands before the library's, and looks what
 * the board was when the rig came to it: unlocking memory took seconds on a busy host. */
#include <stdlib.h>
#include <sys/mman.h>

#include "hil/rig/rig.h"
#include "hil/rig/spawn.h"
#include "tests/suites.h"

static struct rig_config config;
static struct child child;
static struct rig rig;
static int unlocked; /* how often, and while the board was armed */
static int unlocked_armed;

int munlockall(void)
{
        unlocked++;
        unlocked_armed += rig.vehicle[0].port.talk.arming.armed;
        return 0;
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

        ck_assert_msg(config_read(&config, "rig_configs/default.json", &overrides,
                                  &resolved, &error),
                      "%s", error.text);
        free(resolved);
        ck_assert_msg(rig_open(&rig, &config, &child, why, sizeof why), "%s", why);
        ck_assert_msg(rig_spawn(&rig, why, sizeof why), "%s", why);
        rig_run(&rig);
        /* At the beginning, too, where this user may not lock any. */
        ck_assert_int_ge(unlocked, 1);
        ck_assert_msg(unlocked_armed == 0, "armed still: %s", rig.end_reason);
        ck_assert(!rig.observed[0].truth->contact.touching);
        ck_assert_uint_gt(rig.vehicle[0].port.talk.arming.words, 1000);
        ck_assert_int_eq(rig.vehicle[0].left, LEFT_SAFE);
        rig_close(&rig);
        rig_reap(&child, &config);
        config_free(&config);
}
