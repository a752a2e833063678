/* What a run's log says of a capture that is lost, is back, or is another one: each once. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/rig/loop.h"

#include "tests/suites.h"

PROCESS_EACH

static struct rig_config config;
static struct vehicle_config vehicle_config;
static struct rig_vehicle vehicle;
static struct pads pads;
static struct rig rig;
static char folder[] = "/tmp/loop_pads_XXXXXX", file[64];

static void setup(void)
{
        struct recorder_setup record = { .folder = folder,
                                         .config_sha256 = "",
                                         .version = "test",
                                         .rotors = 4,
                                         .vehicles = 1,
                                         .period_ns = NS_PER_MS,
                                         .truth_period_ns = NS_PER_MS,
                                         .wait = true };
        char why[300];

        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(file, sizeof file, "%s/run.ulg", folder);
        config = (struct rig_config){ .period_ns = NS_PER_MS, .vehicles = 1 };
        snprintf(vehicle_config.name, sizeof vehicle_config.name, "quad");
        vehicle_config.pads = (struct pads_config){ .drives = true,
                                                    .rotors = 4,
                                                    .pad_of_rotor = { 0, 1, 2, 5 },
                                                    .source_text = "board:uart:/dev/x" };
        vehicle_config.fc.reconnect = true;
        vehicle.config = &vehicle_config;
        vehicle.pads = &pads;
        pads.config = &vehicle_config.pads;
        pads.decode.params.tick_hz = 84e6;
        rig.config = &config;
        rig.vehicle = &vehicle;
        rig.recorder = recorder_open(&record, why, sizeof why);
        ck_assert_msg(rig.recorder != NULL, "%s", why);
}

static void teardown(void)
{
        unlink(file);
        rmdir(folder);
}

FIXTURE(setup, teardown)

static void notice_at(int64_t tick)
{
        rig.tick = tick;
        loop_notice_pads(&rig, &vehicle);
}

/* How often the log says this. */
static int said(const char *what)
{
        static char log[65536];
        struct record_totals totals;
        size_t len;
        FILE *f;
        int n = 0;

        if (rig.recorder != NULL)
                recorder_close(rig.recorder, &totals);
        rig.recorder = NULL;
        f = fopen(file, "r");
        ck_assert_ptr_nonnull(f);
        len = fread(log, 1, sizeof log, f);
        fclose(f);
        for (const char *at = log;
             (at = memmem(at, len - (size_t)(at - log), what, strlen(what))) != NULL;
             at++)
                n++;
        return n;
}

static void be_lost(void)
{
        atomic_store(&pads.losses, atomic_load(&pads.losses) + 1);
        atomic_store(&pads.state, PADS_GONE);
}

static void be_another(int64_t hz, int inputs)
{
        atomic_store(&pads.other_hz, hz);
        atomic_store(&pads.other_pads, inputs);
        atomic_store(&pads.misfits, atomic_load(&pads.misfits) + 1);
}

TEST(a_loss_and_a_return_are_said_once)
{
        be_lost();
        for (int i = 0; i < 5; i++)
                notice_at(3000 + i);
        atomic_store(&pads.state, PADS_LIVE);
        for (int i = 0; i < 5; i++)
                notice_at(4000 + i);
        ck_assert_int_eq(said("quad: board:uart:/dev/x gone at 3.000 s"), 1);
        ck_assert_int_eq(said(" gone at "), 1);
        ck_assert_int_eq(said("quad: board:uart:/dev/x back at 4.000 s"), 1);
        ck_assert_int_eq(said(" back at "), 1);
        ck_assert(loop_running(&rig));
}

TEST(another_rate_is_said_once_with_both)
{
        be_lost();
        notice_at(3000);
        be_another(42000000, 8);
        for (int i = 0; i < 5; i++)
                notice_at(3250 + i);
        ck_assert_int_eq(
                said("quad: board:uart:/dev/x back at 3.250 s with 42 MHz, before "
                     "84 MHz: another device, not taken"),
                1);
        ck_assert_int_eq(said("another device"), 1);
}

TEST(too_few_inputs_are_said_with_the_rotor_that_has_none)
{
        be_lost();
        notice_at(3000);
        be_another(84000000, 4);
        notice_at(3250);
        ck_assert_int_eq(said("back at 3.250 s with 4 inputs, and rotor 3 is on input 5: "
                              "another device, not taken"),
                         1);
}

TEST(each_other_one_is_said)
{
        be_lost();
        notice_at(3000);
        be_another(42000000, 8);
        notice_at(3250);
        be_another(168000000, 8);
        notice_at(3500);
        atomic_store(&pads.state, PADS_LIVE);
        notice_at(4000);
        ck_assert_int_eq(said("with 42 MHz"), 1);
        ck_assert_int_eq(said("with 168 MHz"), 1);
        ck_assert_int_eq(said("back at 4.000 s"), 1);
}

TEST(why_it_cannot_be_opened_is_said_once)
{
        be_lost();
        notice_at(3000);
        snprintf(pads.refusal, sizeof pads.refusal, "link: /dev/x: permission denied");
        atomic_store(&pads.refused, true);
        for (int i = 0; i < 5; i++)
                notice_at(5000 + i);
        ck_assert(!atomic_load(&pads.refused));
        ck_assert_int_eq(said("quad: board:uart:/dev/x still gone at 5.000 s: link: "
                              "/dev/x: permission denied"),
                         1);
        ck_assert_int_eq(said("still gone"), 1);
}
