/* What is done to a board, by the tools that its farm file names: its power, its firmware, who it is. Nothing is believed that
 * can be looked at: a board without power has no device, and one that was flashed is asked who it is. */
#pragma once

#include "hil/farm/farm.h"
#include "hil/farm/tool.h"

#define FARM_WHY_MAX 900

enum farm_outcome {
        FARM_DONE, /* and seen */
        FARM_NOT_DONE, /* what is seen says otherwise */
        FARM_COULD_NOT, /* the tool is not there, or failed */
        FARM_NOT_SEEN /* the tool says so, and nothing else can be looked at */
};

/* A program each, put together; without words: the board has none of the kind. */
void farm_power_tool(const struct farm_board *board, bool on, struct tool *t);
void farm_question_tool(const struct farm_board *board, const struct farm_question *q,
                        struct tool *t);
/* False with the tools of the board that are missing. */
bool farm_tools_are_there(const struct farm_board *board, char *why, size_t cap);

/* Whether its USB device, or else the device file of its first link, is there. */
enum farm_device { DEVICE_GONE, DEVICE_THERE, DEVICE_UNKNOWN };
enum farm_device farm_device(const struct farm_board *board);
/* Whether it is so before the time is over. */
bool farm_device_await(const struct farm_board *board, enum farm_device wanted,
                       int64_t timeout_ns);
/* What is looked at, in words: "USB device 1-4.2"; "": nothing can be. */
void farm_device_name(const struct farm_board *board, char *name, size_t cap);

/* Its USB device, as the kernel has it at the moment. */
struct farm_usb {
        char path[100]; /* "1-4.2" */
        char ids[300]; /* "1209:5741:SERIAL"; without one: "1209:5741:" */
};
/* False: it is not there, or has no USB device in the farm file. */
bool farm_usb_look(const struct farm_board *board, struct farm_usb *usb);

/* When a switch was told to do it, and when the board was seen so, a hundredth of a second late at most; 0: never. */
struct farm_times {
        int64_t told_ns, seen_ns;
};

/* `words` say what came of it. Whoever calls has the board's lock. */
enum farm_outcome farm_power(const struct farm_board *board, bool on,
                             char words[FARM_WHY_MAX]);
/* The same, with the times. */
enum farm_outcome farm_power_timed(const struct farm_board *board, bool on,
                                   struct farm_times *times, char words[FARM_WHY_MAX]);
/* Off, and on again after a while. */
enum farm_outcome farm_power_cycle(const struct farm_board *board,
                                   char words[FARM_WHY_MAX]);
/* FARM_DONE: the answer in words. */
enum farm_outcome farm_identify(const struct farm_board *board, char words[FARM_WHY_MAX]);
/* says: what the answer must have in it then; "": any other than nothing, which is not enough for FARM_DONE. */
enum farm_outcome farm_flash(const struct farm_board *board, const char *image,
                             const char *says, char words[FARM_WHY_MAX]);

/* Before a flight: a cycle of its power, if that is wanted, and the image, unless it is there by what the board says. Of a board
 * that cannot be asked, each time. */
struct farm_wish {
        bool cycle;
        const char *image, *says; /* "": none */
};
enum farm_outcome farm_prepare(const struct farm_board *board,
                               const struct farm_wish *wish, char words[FARM_WHY_MAX]);
