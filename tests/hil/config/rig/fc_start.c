/* The firmware that a rig starts, as rig files give it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/config/rig/rig.h"

#include "tests/suites.h"

static struct rig_config rig;
static char *resolved;
static struct config_error why;

static void forget(void)
{
        free(resolved);
        resolved = NULL;
        config_free(&rig);
}

FIXTURE(NULL, forget)

static bool read_fc(const char *fc)
{
        struct config_overrides o = { .sets = 1 };
        char set[700];

        snprintf(set, sizeof set, "vehicles.0.fc={\"codec\": \"hilp\", %s}", fc);
        o.set[0] = set;
        forget();
        return config_read(&rig, "rig_configs/default.json", &o, &resolved, &why);
}

static const struct fc_config *expect_fc(const char *fc)
{
        ck_assert_msg(read_fc(fc), "%s", why.text);
        return &rig.vehicle[0].fc;
}

#define LINK "\"link\": \"tcp:127.0.0.1:5760\""

TEST(a_command_is_words_or_one_string_that_is_cut)
{
        const struct fc_command *c =
                &expect_fc(LINK ", \"start\": {\"command\": [\"fc\", \"-x\", \"a b\"]}")
                         ->start.command;

        ck_assert_int_eq(c->words, 3);
        ck_assert_str_eq(c->word[2], "a b");
        c = &expect_fc(LINK ", \"start\": {\"command\": \"  fc -x 'a b' c\\\"d e\\\"\"}")
                     ->start.command;
        ck_assert_int_eq(c->words, 4);
        ck_assert_str_eq(c->word[0], "fc");
        ck_assert_str_eq(c->word[2], "a b");
        ck_assert_str_eq(c->word[3], "cd e");
}

TEST(names_of_files_become_whole_ones)
{
        const struct fc_start_config *s;
        char cwd[400], expected[600];

        ck_assert_ptr_nonnull(getcwd(cwd, sizeof cwd));
        s = &expect_fc(LINK
                       ", \"start\": {\"command\": [\"./bin/fc\", \"--p={here}/p\"], "
                       "\"folder\": \"work\", \"restore\": [\"image\", \"${E}/x\"], "
                       "\"environment\": {\"A\": \"{here}\"}}")
                     ->start;
        snprintf(expected, sizeof expected, "%s/bin/fc", cwd);
        ck_assert_str_eq(s->command.word[0], expected);
        snprintf(expected, sizeof expected, "--p=%s/p", cwd);
        ck_assert_str_eq(s->command.word[1], expected);
        snprintf(expected, sizeof expected, "%s/work", cwd);
        ck_assert_str_eq(s->folder, expected);
        snprintf(expected, sizeof expected, "%s/image", cwd);
        ck_assert_str_eq(s->restore[0], expected);
        ck_assert_str_eq(s->restore[1], "${E}/x");
        ck_assert_str_eq(s->variable[0].value, cwd);
}

TEST(what_lies_beside_the_folder_is_named_without_the_way_back)
{
        const struct fc_start_config *s;
        char above[400], expected[600];

        ck_assert_ptr_nonnull(getcwd(above, sizeof above));
        *strrchr(above, '/') = '\0';
        s = &expect_fc(LINK ", \"start\": {\"command\": [\"fc\", "
                            "\"{here}/../a.parm,{here}/../b/../c\", "
                            "\"{here}/../../../../../../../../../../../../d\"]}")
                     ->start;
        snprintf(expected, sizeof expected, "%s/a.parm,%s/b/../c", above, above);
        ck_assert_str_eq(s->command.word[1], expected);
        ck_assert_str_eq(s->command.word[2], "/d");
}

/* Wherever config.json is read from. */
TEST(the_resolved_text_starts_the_same)
{
        static struct rig_config again;

        expect_fc(LINK
                  ", \"start\": {\"command\": \"./fc {here}\", \"folder\": \"work\", "
                  "\"restore\": \"image\", \"environment\": {\"A\": \"{here}\"}}, "
                  "\"stop\": {\"command\": \"./stop now\"}");
        ck_assert_msg(config_read_text(&again, "/elsewhere/config.json", resolved,
                                       strlen(resolved), NULL, NULL, &why),
                      "%s", why.text);
        ck_assert_int_eq(memcmp(&again.vehicle[0].fc.start, &rig.vehicle[0].fc.start,
                                sizeof again.vehicle[0].fc.start),
                         0);
        ck_assert_int_eq(memcmp(&again.vehicle[0].fc.stop, &rig.vehicle[0].fc.stop,
                                sizeof again.vehicle[0].fc.stop),
                         0);
        config_free(&again);
}

TEST(where_the_rig_connects_to_the_firmware_listens)
{
        const struct fc_config *fc = expect_fc(LINK ", \"start\": {\"command\": \"fc\"}");

        ck_assert_str_eq(fc->start.listens, "tcp:127.0.0.1:5760");
        ck_assert_int_eq(fc->stop.signal, SIGTERM);
        ck_assert_int_eq(fc->stop.wait_ns, 2000000000);
        fc = expect_fc(
                "\"link\": \"tcp:192.168.7.2:5760\", \"start\": {\"command\": \"fc\"}");
        ck_assert_str_eq(fc->start.listens, "");
        fc = expect_fc(
                "\"link\": \"udp:127.0.0.1:5760\", \"start\": {\"command\": \"fc\"}");
        ck_assert_str_eq(fc->start.listens, "");
        fc = expect_fc(
                "\"link\": \"udp:127.0.0.1:5760\", \"start\": {\"command\": \"fc\", "
                "\"ready\": {\"listens\": \"udp:127.0.0.1:5760\"}}, "
                "\"stop\": {\"signal\": \"INT\"}");
        ck_assert_int_eq(fc->start.listener.kind, LINK_UDP);
        ck_assert_int_eq(fc->stop.signal, SIGINT);
}

TEST(what_is_wrong_is_named)
{
        static const struct {
                const char *fc, *reason;
        } wrong[] = {
                { "\"start\": {\"command\": []}",
                  "fc.start.command: must have at least 1" },
                { "\"start\": {\"command\": \" \"}",
                  "fc.start.command: must name a program" },
                { "\"start\": {\"command\": \"fc 'x\"}",
                  "fc.start.command: has a quotation" },
                { "\"start\": {}", "fc.start.command: is required, and missing" },
                { "\"start\": {\"command\": \"fc\", \"ready\": {\"listens\": "
                  "\"tcp:10.0.0.1:5760\"}}",
                  "fc.start.ready.listens: must be tcp: or udp: with an address of "
                  "this" },
                { "\"start\": {\"command\": \"fc\", \"ready\": {\"listens\": \"there\"}}",
                  "fc.start.ready.listens: " },
                { "\"start\": {\"command\": \"fc\"}, \"spawn\": true, \"reference\": "
                  "\"rig_configs/flight_controllers/md4_200.json\"",
                  "start" },
                { "\"start\": {\"command\": \"fc\"}, \"stop\": {\"signal\": \"STOP\"}",
                  "fc.stop.signal: must be" },
        };
        char fc[400];

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                snprintf(fc, sizeof fc, LINK ", %s", wrong[i].fc);
                ck_assert_msg(!read_fc(fc), "%s", fc);
                ck_assert_msg(strstr(why.text, wrong[i].reason) != NULL, "%s", why.text);
        }
}

static bool must_be_renewed(const char *codec, const char *link)
{
        struct fc_config fc = { 0 };
        struct link_error error;

        snprintf(fc.codec, sizeof fc.codec, "%s", codec);
        ck_assert(link_spec_parse(&fc.link[0], link, &error));
        return config_fc_must_be_renewed(&fc);
}

TEST(firmware_beside_the_rig_must_be_renewed_and_boards_need_not)
{
        ck_assert(must_be_renewed("inav", "tcp:127.0.0.1:5760"));
        ck_assert(must_be_renewed("px4", "tcp-listen:127.0.0.1:4560"));
        ck_assert(must_be_renewed("ardupilot", "udp-listen:127.0.0.1:9002"));
        ck_assert(must_be_renewed("betaflight", "udp:127.0.0.1:9003"));
        ck_assert(!must_be_renewed("inav", "uart:/dev/ttyACM0@115200"));
        ck_assert(!must_be_renewed("px4", "uart:/dev/ttyACM0@921600"));
        ck_assert(!must_be_renewed("inav", "tcp:192.168.7.2:5760"));
        ck_assert(!must_be_renewed("hilp", "tcp:127.0.0.1:5760"));
}
