/* A board without hardware, with a logic analyzer on its motor pads: the reference flight controller behind a link,
 * in simulated time, and what its pads do meanwhile is what the analyzer samples. One thing may go wrong, after so many
 * sensor frames. What the analyzer is plugged into is not its business. */
#pragma once

#include "io/link/link.h"
#include "tests/boards/pad_board.h"
#include "tests/usb/emulated_fx2.h"

#define PAD_ANALYZER_SAMPLES 262144 /* of one period, at most */

enum pad_fault {
        PAD_FAULT_NONE,
        PAD_FAULT_LOSE, /* two transfers, on the wire */
        PAD_FAULT_CUT, /* a transfer, to 512 bytes */
        PAD_FAULT_STALL,
        PAD_FAULT_OVERRUN,
        PAD_FAULT_UNPLUG, /* `pull` is set */
        PAD_FAULT_DEAD_PAD /* number 2 */
};

struct pad_analyzer {
        struct emulated_fx2 fx2;
        struct pad_board board;
        struct fc_params params;
        struct link_spec spec;
        struct link *link; /* NULL: not open */

        /* To be set before it is opened. */
        size_t firmware_len; /* more than 0: it is bare, and this must be loaded */
        uint8_t firmware[EMULATED_FX2_MEMORY];
        double rate_hz; /* of its samples, */
        enum motor_protocol protocol; /* and of the board's outputs */
        bool by_clock; /* its samples are pad_analyzer_sample()'s, not the frames' */
        enum pad_fault fault;
        uint64_t fault_at; /* frames */

        uint64_t frames; /* of sensors, so far */
        bool pull; /* to be unplugged now; for whoever plugged it in, who takes it back */
        uint8_t samples[PAD_ANALYZER_SAMPLES];
};

/* DShot600 at 24 MHz, nothing goes wrong. */
void pad_analyzer_init(struct pad_analyzer *a);

/* Takes an option of a command line: --link LINK, --params FILE, --firmware FILE (what must be loaded: with
 * anything else it does not come back), --mhz MHZ, --dshot 150|300|600, --at FRAMES,
 * --fault lose|cut|stall|overrun|unplug|dead-pad. False: none of these, or not so; a file's or a link's reason is said on
 * standard error. */
bool pad_analyzer_option(struct pad_analyzer *a, const char *name, const char *value);

/* Opens the link, if there are parameters and so a board, and is ready to be plugged in. False, with the reason on standard error. */
bool pad_analyzer_open(struct pad_analyzer *a);
void pad_analyzer_close(struct pad_analyzer *a);

/* Does what has come over the link: the rig's frames, their samples, their answers. A rig that hung up is waited
 * for anew. */
void pad_analyzer_fly(struct pad_analyzer *a);
/* Readable when there is something to do; -1: not open. */
int pad_analyzer_fd(const struct pad_analyzer *a);

/* What the pads are up to this sample. */
void pad_analyzer_sample(struct pad_analyzer *a, int64_t until);

/* A line on what the host did with it. plugged, broken: as whoever plugged it in has counted. */
void pad_analyzer_report(const struct pad_analyzer *a, uint64_t plugged, uint64_t broken);
