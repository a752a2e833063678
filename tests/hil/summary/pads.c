/* What a run's end says of the motor pads, in words and as JSON. */
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"
#include "hil/summary/summary.h"

#include "tests/suites.h"

static struct vehicle_config vehicle_config;
static struct rig_vehicle vehicle;
static struct rig_config config;
static struct rig rig;
static struct pads pads;
static char text[16384];

/* Two rotors, on inputs 2 and 0, and nothing seen yet. */
static void setup(void)
{
        const struct pads_decode_params params = { .tick_hz = 24e6,
                                                   .mask = 5,
                                                   .range = { 1000, 2000, false },
                                                   .host_clock = true };

        snprintf(vehicle_config.name, sizeof vehicle_config.name, "quad");
        vehicle_config.pads = (struct pads_config){ .used = true,
                                                    .source_text = "fx2",
                                                    .drives = true,
                                                    .rotors = 2,
                                                    .pad_of_rotor = { 2, 0 } };
        vehicle.config = &vehicle_config;
        vehicle.pads = &pads;
        pads.config = &vehicle_config.pads;
        pads_decode_init(&pads.decode, &params);
        config.vehicles = 1;
        config.vehicle = &vehicle_config;
        rig.config = &config;
        rig.vehicle = &vehicle;
}

FIXTURE(setup, NULL)

static void print(void)
{
        FILE *out = fmemopen(text, sizeof text, "w");

        ck_assert_ptr_nonnull(out);
        summary_pads_print(out, &vehicle);
        fclose(out);
}

static bool says(const char *what)
{
        print();
        return strstr(text, what) != NULL;
}

static double number(const char *path)
{
        struct json *root = json_new_object();
        double value;

        summary_pads_json(root, &rig);
        value = json_number(root, path);
        json_free(root);
        return value;
}

TEST(a_pad_without_an_edge_is_asked_about)
{
        ck_assert_msg(says("  rotor 0 on input 2: nothing, not one edge: not connected, "
                           "or not driven?\n"),
                      "%s", text);
        ck_assert_double_eq(number("pads.0.rotors.0.edges"), 0.0);
}

TEST(edges_of_no_protocol_are_counted)
{
        pads.decode.words.pad[0].counts.edges = 4321;
        ck_assert_msg(says("  rotor 1 on input 0: no protocol in 4321 edges\n"), "%s",
                      text);
        vehicle_config.pads.protocol = MOTOR_DSHOT300;
        ck_assert_msg(says("  rotor 1 on input 0: no DSHOT300 in 4321 edges; hilrig "
                           "capture tells what they look like\n"),
                      "%s", text);
        ck_assert_double_eq(number("pads.0.rotors.1.edges"), 4321.0);
}

TEST(another_device_is_told_where_there_was_one)
{
        ck_assert(says("motor pads of quad by fx2: driving, 0 gaps, 0 losses\n"));
        atomic_store(&pads.misfits, 2);
        ck_assert_msg(says("0 losses, 2 other devices in its place, not taken\n"), "%s",
                      text);
        ck_assert_double_eq(number("pads.0.misfits"), 2.0);
}

TEST(what_the_latencies_are_of_stands_below_them)
{
        ck_assert(!says("us, edge to"));
        ck_assert(!says("overtaken"));
        histogram_add(&pads.latency.whole, NS_PER_MS);
        for (int i = 1; i <= 3; i++)
                histogram_add(&pads.latency.age, i * NS_PER_MS);
        pads.latency.overtaken = 7;
        ck_assert_msg(says("  device to whole: of the commands that a tick took (7 were "
                           "overtaken by a newer one first)\n"
                           "  age: at each tick, of the command in force, new or old\n"),
                      "%s", text);
        ck_assert(says("  whole            1    1000.0"));
        ck_assert(strstr(text, "  age              3    ") != NULL);
        ck_assert_double_eq(number("pads.0.overtaken"), 7.0);
        ck_assert_double_eq(number("pads.0.latency_us.age.count"), 3.0);
        ck_assert_double_eq(number("pads.0.latency_us.age.max"), 3000.0);
}
