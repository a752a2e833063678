/* Farm files: the boards of a bench or a farm, what they are connected to, and how each is powered, flashed and asked. */
#pragma once

#include "hil/config/rig/suite.h"

#define FARM_BOARDS_MAX 256
#define FARM_WORDS_MAX  24
#define FARM_LINK_MAX   160

struct farm_words {
        int count; /* 0: none */
        char word[FARM_WORDS_MAX][SUITE_PATH_MAX];
};

enum farm_power_by { POWER_UHUBCTL, POWER_USBRELAY, POWER_SISPMCTL, POWER_COMMAND };
enum farm_flash_by {
        FLASH_DFU_UTIL,
        FLASH_OPENOCD,
        FLASH_ST_FLASH,
        FLASH_PYOCD,
        FLASH_UPLOADER,
        FLASH_COMMAND
};
enum farm_identify_by { IDENTIFY_CONFORM, IDENTIFY_COMMAND };

struct farm_power {
        bool used;
        int by;
        char place
                [SUITE_PATH_MAX]; /* of uhubctl: the hub's; of sispmctl: its serial number; "": the only one */
        char outlet[NAME_MAX_LEN]; /* port, relay or outlet, as the tool calls it */
        struct farm_words on, off; /* of POWER_COMMAND */
        struct farm_words
                measure; /* status 0: the board is without power; none: nobody can tell */
        int64_t off_ns; /* that it stays without */
        int64_t timeout_ns; /* for its devices to go, and to come back */
};

struct farm_flash {
        bool used;
        int by;
        char id[SUITE_PATH_MAX]; /* of the probe or of the board in its boot loader; "": the only one */
        char address[NAME_MAX_LEN]; /* at which an image without its own begins */
        struct farm_words
                config; /* of openocd: its files; of pyocd: the target; of the uploader: the program */
        struct farm_words command; /* of FLASH_COMMAND */
        int64_t timeout_ns;
};

struct farm_identify {
        bool used;
        int by;
        struct farm_words command;
        int64_t timeout_ns;
};

/* A program that asks the board something and prints the answer. */
struct farm_question {
        bool used;
        struct farm_words command;
        int64_t timeout_ns;
};

struct farm_board {
        char name[NAME_MAX_LEN], family[NAME_MAX_LEN];
        char host
                [NAME_MAX_LEN]; /* the computer that it is plugged into; "": whichever reads the file */
        char usb[NAME_MAX_LEN]; /* "1-4.2": bus path; "1209:5741", "1209:5741:SERIAL"; "": not on USB */
        int links, ports;
        char link[CODEC_CHANNELS_MAX][FARM_LINK_MAX]; /* of its flight controller */
        char port[PORTS_MAX]
                 [FARM_LINK_MAX]; /* of its further ports, in the rig's order */
        char analyzer[FARM_LINK_MAX]; /* on its motor pads; "": none */
        struct suite_sets set;
        struct farm_power power;
        struct farm_flash flash;
        struct farm_identify identify;
        struct farm_question parameters, storage;
};

struct farm_file {
        char name[NAME_MAX_LEN];
        char locks
                [SUITE_PATH_MAX]; /* folder of the locks, the same for everybody who uses the boards */
        int boards;
        struct farm_board *board; /* owned */
};

extern const struct config_table config_farm_table;

/* False with the reason; freed by the caller on any result. */
bool config_read_farm(struct farm_file *farm, const char *path, struct config_error *why);
void config_farm_free(struct farm_file *farm);
