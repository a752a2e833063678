/* The two halves of an fx2lafw analyzer: opening it (capture_fx2.c) and its stream (fx2_stream.c). */
#pragma once

#include "io/capture/capture.h"
#include "io/link/usb_stream.h"

enum fx2_state {
        FX2_RUNNING,
        FX2_EMPTYING, /* stopped: queued transfers are being cancelled */
        FX2_STARTING /* the start command is on its way */
};

struct fx2 {
        struct capture capture; /* first: a capture is cast to it */
        struct usb_device usb;
        struct usb_stream in;
        enum fx2_state state;
        bool halted; /* the endpoint halted and must be cleared before the restart */
        bool held; /* the stream's oldest piece belongs to the caller until the next read */
        bool gap; /* before the next block */
        bool simulated;
        int64_t tick; /* of the next sample */
        double ns_per_tick;
        /* Host time of tick 0, according to the least delayed arrival so far. */
        double origin_ns;
        int64_t arrived_ns; /* of the newest block */
        int64_t looked_ns, quiet_ns; /* last check of the stream; silence until then */
        int64_t quiet_max_ns;
        int dry_for; /* blocks since no transfer was queued */
        uint8_t command[8 + 3]; /* the start command: set-up, data */
        struct libusb_transfer *start; /* of the command */
        bool start_queued, start_ended;
        int64_t start_sent_ns, start_ended_ns;
};

/* Sends the start command. False: the device rejected it. */
bool fx2_stream_start(struct fx2 *f);
/* The command was acknowledged: sampling runs. */
void fx2_stream_started(struct fx2 *f);
/* Of the command's transfer. */
void fx2_stream_start_ended(struct libusb_transfer *t);
/* As capture_ops.restart: in simulated time only the waiting caller knows that it has stopped. */
void fx2_stream_restart(struct capture *c);
/* As capture_read(). */
int fx2_stream_read(struct capture *c, int64_t timeout_ns, struct capture_block *out);
