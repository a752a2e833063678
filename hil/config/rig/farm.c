/* Farm files: the tables. */
#include "hil/config/rig/farm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"

#define WORDS(type, member)                                                              \
        .size = SUITE_PATH_MAX, .stride = sizeof((struct farm_words *)NULL)->word,       \
        AT(type, member.word), .count = offsetof(struct type, member.count)

static const char *const power_names[] = { "uhubctl", "usbrelay", "sispmctl", "command",
                                           NULL };

static const struct config_field power_fields[] = {
        { "by", CONFIG_CHOICE, "With which tool.", .names = power_names,
          AT(farm_power, by) },
        { "place", CONFIG_TEXT,
          "uhubctl: where the hub is, as it lists it (1-1.4); sispmctl: the serial "
          "number. "
          "Left out: there is only one.",
          .size = SUITE_PATH_MAX, .optional = true, AT(farm_power, place) },
        { "outlet", CONFIG_TEXT,
          "uhubctl: the port (2); usbrelay: the relay (BITFT_1); sispmctl: the outlet "
          "(1).",
          .size = NAME_MAX_LEN, .optional = true, AT(farm_power, outlet) },
        { "on", CONFIG_TEXTS, "The command that gives it power: program and arguments.",
          .least = 1, .optional = true, WORDS(farm_power, on) },
        { "off", CONFIG_TEXTS, "The command that takes it away.", .least = 1,
          .optional = true, WORDS(farm_power, off) },
        { "measure", CONFIG_TEXTS,
          "A command that ends with status 0 when the board is without power. Many hubs "
          "cut "
          "the data and not the power, which nothing else can tell.",
          .least = 1, .optional = true, WORDS(farm_power, measure) },
        { "off_s", CONFIG_TIME, "How long it stays off before it is switched on again.",
          BETWEEN(0, 3600), .scale = S_TO_NS, .preset = "2", AT(farm_power, off_ns) },
        { "timeout_s", CONFIG_TIME,
          "How long its devices may take to disappear, and to return.", ABOVE(0),
          AT_MOST(3600), .scale = S_TO_NS, .preset = "15", AT(farm_power, timeout_ns) },
        { NULL },
};

static const struct config_rule power_rules[] = {
        { { "on", "off" },
          { "by" },
          .must = CONFIG_IS(POWER_COMMAND),
          .may = CONFIG_IS(POWER_COMMAND) },
        { { "outlet" },
          { "by" },
          .must = CONFIG_IS(POWER_UHUBCTL) | CONFIG_IS(POWER_USBRELAY) |
                  CONFIG_IS(POWER_SISPMCTL),
          .may = CONFIG_IS(POWER_UHUBCTL) | CONFIG_IS(POWER_USBRELAY) |
                 CONFIG_IS(POWER_SISPMCTL) },
        { { "place" },
          { "by" },
          .may = CONFIG_IS(POWER_UHUBCTL) | CONFIG_IS(POWER_SISPMCTL) },
        { { NULL } },
};

static const struct config_table power_table = {
        .name = "farm_power",
        .about = "How a board gets its power, and loses it.",
        .field = power_fields,
        .rule = power_rules,
};

static const char *const flash_names[] = { "dfu-util", "openocd", "st-flash", "pyocd",
                                           "uploader", "command", NULL };

static const struct config_field flash_fields[] = {
        { "by", CONFIG_CHOICE,
          "With which tool; uploader: a Python program such as ArduPilot's or PX4's.",
          .names = flash_names, AT(farm_flash, by) },
        { "id", CONFIG_TEXT,
          "dfu-util: vendor and product (0483:df11), or a serial number; openocd, "
          "st-flash, "
          "pyocd: the probe's serial number; uploader: the serial port. Left out: there "
          "is "
          "only one.",
          .size = SUITE_PATH_MAX, .optional = true, AT(farm_flash, id) },
        { "address", CONFIG_TEXT, "Where a plain image begins.", .size = NAME_MAX_LEN,
          .preset = "\"0x08000000\"", AT(farm_flash, address) },
        { "config", CONFIG_TEXTS,
          "openocd: its configuration files; pyocd: the target; uploader: the program.",
          .least = 1, .optional = true, WORDS(farm_flash, config) },
        { "command", CONFIG_TEXTS, "Program and arguments, {image} among them: the file.",
          .least = 1, .optional = true, WORDS(farm_flash, command) },
        { "timeout_s", CONFIG_TIME, "How long it may take.", ABOVE(0), AT_MOST(86400),
          .scale = S_TO_NS, .preset = "180", AT(farm_flash, timeout_ns) },
        { NULL },
};

static const struct config_rule flash_rules[] = {
        { { "command" },
          { "by" },
          .must = CONFIG_IS(FLASH_COMMAND),
          .may = CONFIG_IS(FLASH_COMMAND) },
        { { "config" },
          { "by" },
          .must = CONFIG_IS(FLASH_OPENOCD) | CONFIG_IS(FLASH_PYOCD) |
                  CONFIG_IS(FLASH_UPLOADER),
          .may = CONFIG_IS(FLASH_OPENOCD) | CONFIG_IS(FLASH_PYOCD) |
                 CONFIG_IS(FLASH_UPLOADER) },
        { { NULL } },
};

static const struct config_table flash_table = {
        .name = "farm_flash",
        .about = "How a board gets its firmware.",
        .field = flash_fields,
        .rule = flash_rules,
};

static const char *const identify_names[] = { "conform", "command", NULL };

static const struct config_field identify_fields[] = {
        { "by", CONFIG_CHOICE,
          "conform: by its hello in the rig's own protocol, on its first link.",
          .names = identify_names, AT(farm_identify, by) },
        { "command", CONFIG_TEXTS, "Program and arguments; what it prints is the answer.",
          .least = 1, .optional = true, WORDS(farm_identify, command) },
        { "timeout_s", CONFIG_TIME, "How long it may take.", ABOVE(0), AT_MOST(3600),
          .scale = S_TO_NS, .preset = "20", AT(farm_identify, timeout_ns) },
        { NULL },
};

static const struct config_rule identify_rules[] = {
        { { "command" },
          { "by" },
          .must = CONFIG_IS(IDENTIFY_COMMAND),
          .may = CONFIG_IS(IDENTIFY_COMMAND) },
        { { NULL } },
};

static const struct config_table identify_table = {
        .name = "farm_identify",
        .about = "How a board is asked who it is.",
        .field = identify_fields,
        .rule = identify_rules,
};

static const struct config_field question_fields[] = {
        { "command", CONFIG_TEXTS,
          "Program and arguments, {board}, {link} and {usb} among them; what it prints "
          "is the answer.",
          .least = 1, WORDS(farm_question, command) },
        { "timeout_s", CONFIG_TIME, "How long it may take.", ABOVE(0), AT_MOST(3600),
          .scale = S_TO_NS, .preset = "60", AT(farm_question, timeout_ns) },
        { NULL },
};

static const struct config_table question_table = {
        .name = "farm_question",
        .about = "A command that asks a board something.",
        .field = question_fields,
};

static const struct config_field board_fields[] = {
        { "name", CONFIG_NAME,
          "What it is called; unique among all that share the folder of locks.",
          .size = NAME_MAX_LEN, AT(farm_board, name) },
        { "family", CONFIG_NAME, "Its kind: boards of one family are interchangeable.",
          .size = NAME_MAX_LEN, AT(farm_board, family) },
        { "host", CONFIG_NAME,
          "The computer that it is plugged into, as `hostname -s` or Slurm calls it; "
          "left out: whichever reads this.",
          .size = NAME_MAX_LEN, .optional = true, AT(farm_board, host) },
        { "usb", CONFIG_TEXT,
          "Its USB device: by bus path (1-4.2), which stays with the socket, or by "
          "vendor "
          "and product, with serial number or without.",
          .size = NAME_MAX_LEN, .optional = true, AT(farm_board, usb) },
        { "link", CONFIG_TEXTS,
          "Link of its flight controller, in place of the rig's: one, or one for each "
          "channel.",
          .least = 1, .size = FARM_LINK_MAX, AT(farm_board, link),
          .count = offsetof(struct farm_board, links) },
        { "ports", CONFIG_TEXTS,
          "Links of its further ports, in place of the rig's, in their order.",
          .size = FARM_LINK_MAX, .preset = "[]", .stride = PORTS_MAX * FARM_LINK_MAX,
          AT(farm_board, port), .count = offsetof(struct farm_board, ports) },
        { "analyzer", CONFIG_TEXT, "The source of its motor pads, in place of the rig's.",
          .size = FARM_LINK_MAX, .optional = true, AT(farm_board, analyzer) },
        { "set", CONFIG_TEXTS,
          "Further changes to the rig that flies on it, each as \"key.path=value\".",
          .size = SUITE_PATH_MAX, .preset = "[]", AT(farm_board, set.text),
          .count = offsetof(struct farm_board, set.count) },
        { "power", CONFIG_OBJECT, "Its power.", .table = &power_table, .optional = true,
          AT(farm_board, power), .given = offsetof(struct farm_board, power.used) },
        { "flash", CONFIG_OBJECT, "Its firmware.", .table = &flash_table,
          .optional = true, AT(farm_board, flash),
          .given = offsetof(struct farm_board, flash.used) },
        { "identify", CONFIG_OBJECT, "Who it is.", .table = &identify_table,
          .optional = true, AT(farm_board, identify),
          .given = offsetof(struct farm_board, identify.used) },
        { "parameters", CONFIG_OBJECT,
          "How to read its parameters, one a line, for `hilrig farm health`.",
          .table = &question_table, .optional = true, AT(farm_board, parameters),
          .given = offsetof(struct farm_board, parameters.used) },
        { "storage", CONFIG_OBJECT,
          "How to read its storage, for the same: lines \"free_bytes N\" and \"errors "
          "N\", or one of them.",
          .table = &question_table, .optional = true, AT(farm_board, storage),
          .given = offsetof(struct farm_board, storage.used) },
        { NULL },
};

static const struct config_table board_table = {
        .name = "farm_board",
        .about = "A board.",
        .field = board_fields,
};

static const struct config_field farm_fields[] = {
        { "name", CONFIG_NAME, "What the farm is called.", .size = NAME_MAX_LEN,
          AT(farm_file, name) },
        { "locks", CONFIG_TEXT,
          "The folder in which boards are locked: the same one for everybody who uses "
          "them.",
          .size = SUITE_PATH_MAX, .preset = "\"/run/lock\"", AT(farm_file, locks) },
        { "boards", CONFIG_OBJECTS, "The boards.", .table = &board_table, .least = 1,
          .size = FARM_BOARDS_MAX, .stride = sizeof(struct farm_board), .on_heap = true,
          AT(farm_file, board), .count = offsetof(struct farm_file, boards) },
        { NULL },
};

const struct config_table config_farm_table = {
        .name = "farm",
        .kind = "farm",
        .about = "The boards of a bench or a farm.",
        .field = farm_fields,
};

/* Two of one name would share their lock; two at one link of a computer would fly into each other. */
static bool check_boards(const struct farm_file *f, const struct json *root,
                         struct config_error *why)
{
        char path[40];

        for (int i = 0; i < f->boards; i++)
                for (int k = 0; k < i; k++) {
                        bool name = strcmp(f->board[i].name, f->board[k].name) == 0;

                        if (!name &&
                            (strcmp(f->board[i].host, f->board[k].host) != 0 ||
                             strcmp(f->board[i].link[0], f->board[k].link[0]) != 0))
                                continue;
                        snprintf(path, sizeof path, "boards.%d.%s", i,
                                 name ? "name" : "link");
                        return config_refuse_at(
                                why, root, path, "must be unique, is \"%s\" twice",
                                name ? f->board[i].name : f->board[i].link[0]);
                }
        return true;
}

bool config_read_farm(struct farm_file *farm, const char *path, struct config_error *why)
{
        struct config_document d = { 0 };
        bool ok;

        memset(farm, 0, sizeof *farm);
        config_error_clear(why);
        ok = config_document_open(&d, path, &config_farm_table, why) &&
             config_table_read(&config_farm_table, d.root, farm, NULL, why) &&
             check_boards(farm, d.root, why);
        config_document_free(&d);
        return ok;
}

void config_farm_free(struct farm_file *farm)
{
        config_table_free(&config_farm_table, farm);
        farm->boards = 0;
}
