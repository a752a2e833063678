/* The links to one flight controller (FC), one for each channel of its codec: bytes out and in, what a link has
 * not taken yet, which optional ones are silent, and the record of every byte. A link that the FC cannot do
 * without and that breaks makes all of them broken. Blocks nowhere after fc_links_open(). */
#pragma once

#include <poll.h>

#include "hil/config/config.h"
#include "hil/record/record.h"
#include "hil/port/fc_faults.h"
#include "io/codec/codec.h"
#include "io/link/link.h"

/* Bytes of the last call's packets that a full link has not taken yet. While there are any, no further
 * frame is sent: the FC never sees half of one, and none that waited behind others. */
#define FC_OUTBOX_BYTES 4096

struct fc_outbox {
        size_t len;
        uint8_t bytes[FC_OUTBOX_BYTES];
};

struct fc_links {
        const struct fc_config *config;
        const struct codec_ops *ops;
        int vehicle;
        struct link *link
                [CODEC_CHANNELS_MAX]; /* with faults each a link_faulty around the real one */
        struct fc_faults faults;
        struct fc_outbox outbox[CODEC_CHANNELS_MAX];
        bool broken;
        bool silent
                [CODEC_CHANNELS_MAX]; /* an optional one that broke: left alone until reopened */
        uint32_t fell_silent; /* 1 << channel, until the loop has said so */
        struct link_strangers strangers[CODEC_CHANNELS_MAX]; /* of the whole run */
        bool heard[CODEC_CHANNELS_MAX]; /* a valid message, ever */
        /* 1 << channel: the loop has said so */
        uint32_t unheard_told, strangers_told;
        int64_t retried_ns; /* host time of the last try to open those that are not there */
        struct recorder
                *recorder; /* of every byte, as its receiver gets it; NULL: none */
        int64_t start_ns; /* host time at which the record's time began */
        uint64_t bytes_sent, bytes_received;
        uint64_t bytes_tapped; /* that the FC's ends of faulty wires have got */
};

/* `patient`: waits for who starts late, as there is time for before the run. False: why says which was
 * not there; those before it stay open. */
bool fc_links_open(struct fc_links *l, bool patient, struct link_error *why);
/* What has not been taken is lost. Faulty wires stay, without the links that they were around. */
void fc_links_hang_up(struct fc_links *l);
/* Closes everything. */
void fc_links_close(struct fc_links *l);
/* Optional channels that are not there are tried again, now and then. */
void fc_links_retry(struct fc_links *l, int64_t now_ns);
/* Puts a faulty wire around each, for so many different faults; once. False: no memory. */
bool fc_links_make_faulty(struct fc_links *l, int faults, bool lockstep);

static inline bool fc_links_optional(const struct fc_links *l, int channel)
{
        return l->ops->channel[channel].optional;
}

/* True when every packet is on its way, or let go: what an optional channel cannot take, or has nowhere to go. */
bool fc_links_put(struct fc_links *l, int64_t now_ns, const struct packets *out);
/* Some packet is for a channel that is not optional. */
bool fc_links_carry_frame(const struct fc_links *l, const struct packets *out);
/* To an FC that is gone: each packet whole or not at all. */
void fc_links_call_after(struct fc_links *l, int64_t now_ns, const struct packets *out);
/* Hands over what the links had not taken. True: nothing is left. */
bool fc_links_flush(struct fc_links *l, int64_t now_ns);
/* Bytes wait for a link that is not optional. */
bool fc_links_waiting(const struct fc_links *l);

/* Up to cap bytes of a channel; 0: none, or the link is gone, and then broken or silent. */
size_t fc_links_read(struct fc_links *l, int64_t now_ns, int channel, void *buf,
                     size_t cap);

/* Writes what poll() is to wait for: a channel that is not silent, optional ones only when `beside`. Returns how
 * many; there must be room for CODEC_CHANNELS_MAX. */
nfds_t fc_links_poll(const struct fc_links *l, bool beside, struct pollfd *fds);

/* What was read of it last held a valid message: see link_confirm(). */
void fc_links_confirm(struct fc_links *l, int channel);

/* Faulty wires: hands on what is due and was not taken. False: a link is gone. */
bool fc_links_push(struct fc_links *l, int64_t now_ns);
bool fc_links_pushed(const struct fc_links *l);
/* Bytes are due that a read would give without asking the real link. */
bool fc_links_readable(const struct fc_links *l, int channel);
