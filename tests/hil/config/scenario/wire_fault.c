/* Wire faults of a scenario file: which keys go with which kind, and what is said about the others. */
#include <string.h>

#include "hil/config/scenario/scenario.h"
#include "io/codec/hilp/hilp.h"

#include "tests/suites.h"

static struct wire_fault fault;
static struct config_error why;

static bool read_fault(const char *text)
{
        struct wire_fault_file file = { .direction = 0 };
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        bool ok = root != NULL;

        config_error_clear(&why);
        ok = ok && config_table_read(&config_wire_fault_table, root, &file, NULL, &why) &&
             config_build_wire_fault(&fault, &file, "hilp", root, &why);
        json_free(root);
        return ok;
}

static void refused(const char *text, const char *key, const char *reason)
{
        ck_assert_msg(!read_fault(text), "%s was taken", text);
        ck_assert_msg(strncmp(why.text, "x: ", 3) == 0 &&
                              strncmp(why.text + 3, key, strlen(key)) == 0 &&
                              strstr(why.text, reason) != NULL,
                      "%s: said \"%s\"", text, why.text);
}

TEST(what_is_left_out_means_every_frame_both_ways)
{
        ck_assert_msg(read_fault("{\"does\":\"drop\"}"), "%s", why.text);
        ck_assert_int_eq(fault.kind, WIRE_DROP);
        ck_assert_uint_eq(fault.directions, WIRE_BOTH);
        ck_assert_double_eq(fault.probability, 1.0);
        ck_assert_int_eq(fault.count, 0);
        ck_assert_int_eq(fault.frame, -1);
        ck_assert_int_eq(fault.channel, -1);
}

TEST(every_key_arrives)
{
        ck_assert_msg(read_fault("{\"does\":\"delay\",\"direction\":\"from_fc\","
                                 "\"probability\":0.25,\"count\":5,\"frame\":\"motors\","
                                 "\"channel\":0,\"ticks\":3}"),
                      "%s", why.text);
        ck_assert_int_eq(fault.kind, WIRE_DELAY);
        ck_assert_uint_eq(fault.directions, WIRE_BIT(WIRE_FROM_FC));
        ck_assert_double_eq(fault.probability, 0.25);
        ck_assert_int_eq(fault.count, 5);
        ck_assert_int_eq(fault.frame, HILP_MOTORS - 1);
        ck_assert_str_eq(fault.frame_name, "motors");
        ck_assert_int_eq(fault.channel, 0);
        ck_assert_int_eq(fault.ticks, 3);
        ck_assert(read_fault("{\"does\":\"truncate\",\"bytes\":0}"));
        ck_assert_int_eq(fault.bytes, 0);
        ck_assert(read_fault("{\"does\":\"bit_flips\",\"error_ratio\":1e-4}"));
        ck_assert_double_eq(fault.error_ratio, 1e-4);
        ck_assert(read_fault("{\"does\":\"bit_flips\",\"bits\":2}"));
        ck_assert_int_eq(fault.bits, 2);
        ck_assert(read_fault("{\"does\":\"baud_drift\",\"clock_error_percent\":-3}"));
        ck_assert_double_eq_tol(fault.clock_error, -0.03, 1e-15);
}

TEST(every_kind_can_be_asked_for)
{
        static const char *const texts[WIRE_FAULT_KINDS] = {
                [WIRE_DROP] = "{\"does\":\"drop\"}",
                [WIRE_DUPLICATE] = "{\"does\":\"duplicate\"}",
                [WIRE_REORDER] = "{\"does\":\"reorder\"}",
                [WIRE_DELAY] = "{\"does\":\"delay\",\"ticks\":1}",
                [WIRE_JITTER] = "{\"does\":\"jitter\",\"ticks\":1}",
                [WIRE_TRUNCATE] = "{\"does\":\"truncate\",\"bytes\":1}",
                [WIRE_BIT_FLIPS] = "{\"does\":\"bit_flips\",\"bits\":1}",
                [WIRE_GARBAGE] = "{\"does\":\"garbage\",\"bytes\":1}",
                [WIRE_BAUD_DRIFT] = "{\"does\":\"baud_drift\",\"clock_error_percent\":1}",
                [WIRE_SILENCE] = "{\"does\":\"silence\"}",
                [WIRE_UNPLUG] = "{\"does\":\"unplug\"}",
        };

        for (int kind = 0; kind < WIRE_FAULT_KINDS; kind++) {
                ck_assert_msg(read_fault(texts[kind]), "%s: %s", texts[kind], why.text);
                ck_assert_int_eq((int)fault.kind, kind);
        }
}

TEST(keys_without_a_meaning_are_refused)
{
        refused("{\"does\":\"drop\",\"ticks\":3}", "ticks",
                "means nothing with \"does\": \"drop\"");
        refused("{\"does\":\"delay\",\"ticks\":3,\"bytes\":1}", "bytes", "means nothing");
        refused("{\"does\":\"silence\",\"probability\":0.5}", "probability",
                "means nothing");
        refused("{\"does\":\"unplug\",\"direction\":\"to_fc\"}", "direction",
                "means nothing");
        refused("{\"does\":\"garbage\",\"bytes\":4,\"bits\":1}", "bits", "means nothing");
        refused("{\"does\":\"drop\",\"clock_error_percent\":1}", "clock_error_percent",
                "means nothing");
}

TEST(keys_that_are_needed_are_asked_for)
{
        refused("{\"does\":\"delay\"}", "ticks", "is required, and missing");
        refused("{\"does\":\"jitter\"}", "ticks", "is required, and missing");
        refused("{\"does\":\"truncate\"}", "bytes", "is required, and missing");
        refused("{\"does\":\"garbage\"}", "bytes", "is required, and missing");
        refused("{\"does\":\"baud_drift\"}", "clock_error_percent", "is required");
        refused("{\"does\":\"bit_flips\"}", "bits",
                "is required, and missing, without error_ratio");
        refused("{\"does\":\"bit_flips\",\"bits\":1,\"error_ratio\":0.1}", "error_ratio",
                "means nothing beside bits");
        refused("{}", "does", "is required");
}

TEST(amounts_are_bounded)
{
        refused("{\"does\":\"garbage\",\"bytes\":0}", "bytes", "at least 1");
        refused("{\"does\":\"delay\",\"ticks\":1001}", "ticks", "1000");
        refused("{\"does\":\"drop\",\"probability\":0}", "probability", "is 0");
        refused("{\"does\":\"baud_drift\",\"clock_error_percent\":0}",
                "clock_error_percent", "must not be 0");
        refused("{\"does\":\"baud_drift\",\"clock_error_percent\":21}",
                "clock_error_percent", "is 21");
        refused("{\"does\":\"drip\"}", "does", "\"drop\"");
        refused("{\"does\":\"drop\",\"frame\":\"sensor\"}", "frame",
                "no frame \"sensor\"; known: \"hello\", ");
}

TEST(the_links_must_be_able_to_have_the_fault)
{
        const char *text = "{\"does\":\"unplug\",\"channel\":1}";
        static struct vehicle_config v = { .fc = { .links = 1,
                                                   .link = { { .kind = LINK_PTY } } },
                                           .ports = 1,
                                           .port = { { .link = { .kind = LINK_PTY } } } };
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);

        ck_assert_ptr_nonnull(root);
        ck_assert(read_fault("{\"does\":\"unplug\"}"));
        ck_assert(!config_check_wire_fault(&fault, &v, root, &why));
        ck_assert_msg(strstr(why.text, "unix-listen") != NULL, "%s", why.text);
        v.fc.link[0].kind = LINK_UNIX_LISTEN;
        ck_assert(config_check_wire_fault(&fault, &v, root, &why));
        ck_assert(read_fault("{\"does\":\"drop\",\"channel\":1}"));
        ck_assert(!config_check_wire_fault(&fault, &v, root, &why));
        ck_assert_msg(strstr(why.text, "channel: must be less than 1") != NULL, "%s",
                      why.text);
        ck_assert(read_fault("{\"does\":\"unplug\",\"port\":0}"));
        ck_assert(!config_check_wire_fault(&fault, &v, root, &why));
        ck_assert_msg(strstr(why.text, "unix-listen") != NULL, "%s", why.text);
        v.port[0].link.kind = LINK_UNIX_LISTEN;
        ck_assert(config_check_wire_fault(&fault, &v, root, &why));
        ck_assert(read_fault("{\"does\":\"drop\",\"port\":1}"));
        ck_assert(!config_check_wire_fault(&fault, &v, root, &why));
        ck_assert_msg(strstr(why.text, "port: must be less than 1") != NULL, "%s",
                      why.text);
        json_free(root);
}

static const char *described(const char *text)
{
        static char words[160];

        ck_assert_msg(read_fault(text), "%s", why.text);
        wire_fault_describe(&fault, words, sizeof words);
        return words;
}

TEST(it_says_what_it_does)
{
        ck_assert_str_eq(described("{\"does\":\"drop\",\"direction\":\"to_fc\","
                                   "\"frame\":\"sensors\",\"probability\":0.1,"
                                   "\"count\":5}"),
                         "drops sensors to the FC, 10 % of them, at most 5");
        ck_assert_str_eq(described("{\"does\":\"jitter\",\"ticks\":4}"),
                         "jitters frames by up to 4 ticks");
        ck_assert_str_eq(described("{\"does\":\"unplug\"}"), "unplugs the wire");
        ck_assert_str_eq(described("{\"does\":\"silence\",\"direction\":\"from_fc\"}"),
                         "silences the wire from the FC");
        ck_assert_str_eq(
                described("{\"does\":\"baud_drift\",\"clock_error_percent\":5.5}"),
                "drifts the baud rate of frames, +5.5 %");
}
