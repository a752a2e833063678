/* What one side of a recorded conversation said, with its times: out of a capture of tcpdump's (pcap; IPv4, UDP or TCP) or
 * out of a log of Paparazzi's (.data: "1.234 147 ROTORCRAFT_FP ..." a line). What is missing in it is counted. */
#pragma once

#include "io/link/link.h"

enum recording_kind { RECORDING_NONE, RECORDING_CAPTURE, RECORDING_TEXTS };

struct recording_end {
        uint32_t host;
        uint16_t port;
};

struct recording {
        enum recording_kind kind;
        const uint8_t *bytes; /* of the caller, who keeps them */
        size_t len, at;
        bool swapped; /* a capture by a host of the other byte order */
        int64_t fraction_ns; /* the unit of what is less than a second */
        size_t frame_head; /* bytes before IP's */
        bool packets; /* UDP: a message is a packet; TCP: a piece of a stream */
        bool met;
        struct recording_end server, client;
        bool in_order; /* next_sequence is known */
        uint32_t next_sequence;
        uint64_t skipped; /* packets or lines that are cut, in fragments, or none */
        bool broken; /* a piece of the stream is missing: nothing follows */
};

struct recording_said {
        int64_t t_ns; /* by the recording's own clock */
        const uint8_t *bytes; /* within the recording */
        size_t len; /* at least 1 */
};

/* By its first bytes. */
enum recording_kind recording_kind(const uint8_t *bytes, size_t len);
/* caller_serves: over UDP the side that spoke first is the one to be played; otherwise it is the one that was spoken
 * to. False with a reason behind name. */
bool recording_open(struct recording *r, const uint8_t *bytes, size_t len,
                    bool caller_serves, const char *name, struct link_error *why);
bool recording_next(struct recording *r, struct recording_said *said);
