/* Vehicle faults and payloads as scenario files have them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/scenario/scenario.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

static struct vehicle_fault fault;
static struct config_error why;

static struct json *parse(const char *text)
{
        struct json_error error;
        struct json *node = json_parse(text, strlen(text), "scenario.json", &error);

        ck_assert_msg(node != NULL, "%s", error.text);
        return node;
}

static struct vehicle_params powered(void)
{
        struct vehicle_params p = md4_200();

        p.battery = (struct battery_params){ .capacity_c = 8280.0,
                                             .charge_ratio = 1.0,
                                             .resistance_ohm = 0.02,
                                             .points = 2,
                                             .curve_ratio = { 0.0, 1.0 },
                                             .curve_v = { 13.0, 16.8 },
                                             .reference_v = 15.5 };
        return p;
}

/* The object "vehicle_fault" of a step. */
static bool read_for(const char *text, const struct vehicle_params *vehicle)
{
        struct json *node = parse(text);
        bool ok;

        fault = (struct vehicle_fault){ 0 };
        config_error_clear(&why);
        ok = config_table_read(&config_vehicle_fault_table, node, &fault, NULL, &why) &&
             config_check_vehicle_fault(&fault, vehicle, node, &why);

        json_free(node);
        return ok;
}

static void expect_read(const char *text, const char *described)
{
        struct vehicle_params p = powered();
        char said[200];

        ck_assert_msg(read_for(text, &p), "%s", why.text);
        vehicle_fault_describe(&fault, said, sizeof said);
        ck_assert_str_eq(said, described);
}

static void expect_refused(const char *text, const char *message)
{
        struct vehicle_params p = powered();

        ck_assert_msg(!read_for(text, &p), "was read: %s", text);
        ck_assert_msg(strstr(why.text, message) != NULL, "%s", why.text);
        ck_assert_msg(strncmp(why.text, "scenario.json: ", 15) == 0, "%s", why.text);
}

static const struct scenario_step all = { .vehicle = -1 }, only_second = { .vehicle = 1 };

TEST(each_kind_takes_its_keys)
{
        expect_read("{\"does\": \"motor_dead\", \"rotor\": 1}", "rotor 1 dead");
        ck_assert_int_eq(fault.kind, MOTOR_DEAD);
        ck_assert_int_eq(fault.rotor, 1);
        expect_read("{\"does\": \"motor_slow\", \"rotor\": 0,"
                    " \"time_constant_ratio\": 2.5}",
                    "rotor 0 slow, time constant times 2.5");
        ck_assert_double_eq(fault.time_constant_ratio, 2.5);
        expect_read("{\"does\": \"motor_stuck\", \"rotor\": 3}",
                    "rotor 3 stuck at its command");
        expect_read("{\"does\": \"motor_weak\", \"rotor\": 2, \"loss_ratio\": 0.3}",
                    "rotor 2 weak, 30 % lost");
        ck_assert_double_eq(fault.loss_ratio, 0.3);
        expect_read("{\"does\": \"propeller_chipped\", \"rotor\": 2,"
                    " \"loss_ratio\": 0.1, \"unbalance_g_mm\": 20}",
                    "rotor 2 chipped, 20 g mm, 10 % lost");
        ck_assert_double_eq_tol(fault.unbalance_kgm, 20e-6, 1e-18);
        expect_read("{\"does\": \"battery_sag\", \"resistance_ratio\": 4}",
                    "battery sags, resistance times 4");
        ck_assert_double_eq(fault.charge_loss_ratio, 0.0);
        expect_read("{\"does\": \"battery_sag\", \"charge_loss_ratio\": 0.2}",
                    "battery sags, 20 % of its charge lost");
        ck_assert_double_eq(fault.resistance_ratio, 1.0);
        expect_read("{\"does\": \"brown_out\", \"voltage_v\": 9.5}",
                    "battery down to 9.5 V");
        expect_read("{\"does\": \"com_shift\", \"shift_m\": { \"forward\": 0.02, "
                    "\"right\": -0.01 }}",
                    "centre of mass moved by 0.02, -0.01, 0 m");
        ck_assert_double_eq(fault.shift_m.y, -0.01);
        expect_read("{\"does\": \"added_mass\", \"mass_kg\": 0.2,"
                    " \"at_m\": { \"forward\": 0.1, \"down\": 0.05 }, \"size_m\": [0.1, "
                    "0.1, 0.02]}",
                    "0.2 kg more at 0.1, 0, 0.05 m");
        ck_assert_double_eq(fault.load.size_m.z, 0.02);
        expect_read("{\"does\": \"added_mass\", \"mass_kg\": 0.2, \"at_m\": { "
                    "\"forward\": 0 }}",
                    "0.2 kg more at 0, 0, 0 m");
        ck_assert_double_eq(vec3_norm(fault.load.size_m), 0.0);
}

TEST(exactly_the_needed_keys_are_taken)
{
        expect_refused("{\"rotor\": 1}", "does: is required");
        expect_refused("{\"does\": \"motor_dead\"}",
                       "rotor: is required, and missing, with \"does\": \"motor_dead\"");
        expect_refused("{\"does\": \"motor_dead\", \"rotor\": 1, \"loss_ratio\": 0.1}",
                       "loss_ratio: means nothing with \"does\": \"motor_dead\"");
        expect_refused("{\"does\": \"motor_weak\", \"rotor\": 1}",
                       "loss_ratio: is required");
        expect_refused("{\"does\": \"propeller_chipped\", \"rotor\": 1,"
                       " \"loss_ratio\": 0.1}",
                       "unbalance_g_mm: is required");
        expect_refused(
                "{\"does\": \"battery_sag\"}",
                "resistance_ratio: is required, and missing, without charge_loss_ratio");
        expect_refused("{\"does\": \"battery_sag\", \"rotor\": 0}",
                       "rotor: means nothing");
        expect_refused("{\"does\": \"com_shift\", \"shift_m\": [0, 0]}", "shift_m");
        expect_refused("{\"does\": \"added_mass\", \"mass_kg\": 0.2}",
                       "at_m: is required");
        expect_refused("{\"does\": \"brown_out\", \"voltage\": 9}", "voltage_v");
        expect_refused("{\"does\": \"payload_drop\"}", "does");
}

TEST(what_cannot_be_is_refused)
{
        struct vehicle_params p = md4_200();

        expect_refused(
                "{\"does\": \"motor_dead\", \"rotor\": 4}",
                "rotor: must be less than 4, the vehicle's number of rotors, is 4");
        expect_refused("{\"does\": \"motor_weak\", \"rotor\": 1, \"loss_ratio\": 1}",
                       "loss_ratio: must be");
        expect_refused("{\"does\": \"motor_slow\", \"rotor\": 1,"
                       " \"time_constant_ratio\": 0}",
                       "time_constant_ratio: must be");
        expect_refused("{\"does\": \"brown_out\", \"voltage_v\": 17}",
                       "voltage_v: must be less than the battery's voltage at the start, "
                       "which is 16.8, is 17");
        expect_refused("{\"does\": \"added_mass\", \"mass_kg\": -0.2, \"at_m\": { "
                       "\"forward\": 0 }}",
                       "mass_kg: must be");
        ck_assert(!read_for("{\"does\": \"brown_out\", \"voltage_v\": 9}", &p));
        ck_assert_msg(strstr(why.text, "does: is \"brown_out\", and the vehicle has no "
                                       "battery") != NULL,
                      "%s", why.text);
}

TEST(a_description_is_cut_where_the_room_ends)
{
        char said[8];

        expect_read("{\"does\": \"motor_dead\", \"rotor\": 1}", "rotor 1 dead");
        vehicle_fault_describe(&fault, said, sizeof said);
        ck_assert_str_eq(said, "rotor 1");
}

/* A list of payloads, as the scenario's table reads it. */
#define PAYLOADS_MAX 8

static struct payload_file payload[PAYLOADS_MAX];
static struct json *list;

static int read_payloads(const char *text)
{
        int count = 0;

        memset(payload, 0, sizeof payload);
        json_free(list);
        list = parse(text);
        for (; json_item(list, count) != NULL; count++)
                if (!config_table_read(&config_payload_table, json_item(list, count),
                                       &payload[count], NULL, &why))
                        return -1;
        return count;
}

static const char two[] =
        "[{\"name\": \"parcel\", \"mass_kg\": 0.25, \"at_m\": { \"down\": 0.06 },"
        " \"size_m\": [0.1, 0.1, 0.05]},"
        " {\"name\": \"camera\", \"vehicle\": 1, \"mass_kg\": 0.1, \"at_m\": { "
        "\"forward\": 0.1 }}]";

TEST(payloads_go_onto_the_vehicles_that_carry_them)
{
        struct vehicle_params first = md4_200(), second = md4_200();

        ck_assert_int_eq(read_payloads(two), 2);
        ck_assert(config_check_payloads(payload, 2, 2, list, &why));
        ck_assert(config_load_payloads(&first, payload, 2, 0, list, &why));
        ck_assert(config_load_payloads(&second, payload, 2, 1, list, &why));
        ck_assert_double_eq_tol(first.body.mass_kg, MD4_MASS_KG + 0.25, 1e-15);
        ck_assert_double_eq_tol(second.body.mass_kg, MD4_MASS_KG + 0.35, 1e-15);
        ck_assert_double_eq(first.centre_body_m.x, 0.0);
        ck_assert_double_eq_tol(second.centre_body_m.x, 0.1 * 0.1 / (MD4_MASS_KG + 0.35),
                                1e-16);
        ck_assert_double_eq_tol(second.centre_body_m.z,
                                0.25 * 0.06 / (MD4_MASS_KG + 0.35), 1e-16);
}

TEST(a_drop_takes_off_what_was_put_on)
{
        struct vehicle_params p = md4_200(), loaded = md4_200();
        const struct vehicle_fault *dropped = &fault;
        struct json *step = parse("{\"drop\": \"parcel\"}");
        static struct vehicle_params params;
        struct world world = calm_world();
        static struct vehicle v;
        char said[100];

        ck_assert_int_eq(read_payloads(two), 2);
        ck_assert(config_load_payloads(&loaded, payload, 2, 0, list, &why));
        ck_assert(config_build_drop(&fault, "parcel", payload, 2, &all, step, &why));
        vehicle_fault_describe(&fault, said, sizeof said);
        ck_assert_str_eq(said, "payload parcel dropped, 0.25 kg");
        ck_assert(vehicle_fault_possible(&fault, &loaded));
        put(&v, &loaded, &world, 1000000, 10.0, 100.0);
        params = loaded;
        ck_assert(vehicle_faults_recompute(&params, &v, &loaded, &dropped, 1));
        ck_assert_double_eq_tol(params.body.mass_kg, p.body.mass_kg, 1e-15);
        ck_assert_double_eq_tol(params.body.inertia_kgm2[0][0], MD4_J_XX, 1e-16);
        json_free(step);
}

TEST(payloads_that_cannot_be_are_refused)
{
        ck_assert_int_eq(read_payloads("[{\"name\": \"a\", \"mass_kg\": 1}]"), -1);
        ck_assert_msg(strstr(why.text, "at_m: is required") != NULL, "%s", why.text);
        ck_assert_int_eq(read_payloads("[{\"name\": \"a\", \"mass_kg\": 0,"
                                       " \"at_m\": { \"forward\": 0 }}]"),
                         -1);
        ck_assert_msg(strstr(why.text, "mass_kg: must be") != NULL, "%s", why.text);
        ck_assert_int_eq(read_payloads(two), 2);
        ck_assert(!config_check_payloads(payload, 2, 1, list, &why));
        ck_assert_msg(strstr(why.text, "1.vehicle: must be less than 1, the number of "
                                       "vehicles, is 1") != NULL,
                      "%s", why.text);
        memcpy(payload[1].load.name, payload[0].load.name, sizeof payload[0].load.name);
        ck_assert(!config_check_payloads(payload, 2, 2, list, &why));
        ck_assert_msg(strstr(why.text, "1.name: is the name of an earlier payload too") !=
                              NULL,
                      "%s", why.text);
}

TEST(only_what_is_carried_can_be_dropped)
{
        struct json *step = parse("{\"drop\": \"camera\"}");

        ck_assert_int_eq(read_payloads(two), 2);
        ck_assert(!config_build_drop(&fault, "parcle", payload, 2, &all, step, &why));
        ck_assert_msg(strstr(why.text, "drop: must be the name of one of the scenario's "
                                       "payloads, is \"parcle\"") != NULL,
                      "%s", why.text);
        ck_assert(!config_build_drop(&fault, "camera", payload, 2, &all, step, &why));
        ck_assert_msg(strstr(why.text, "which vehicle 1 alone carries") != NULL, "%s",
                      why.text);
        ck_assert(config_build_drop(&fault, "camera", payload, 2, &only_second, step,
                                    &why));
        ck_assert_double_eq(fault.load.mass_kg, 0.1);
        json_free(step);
        json_free(list);
        list = NULL;
}
