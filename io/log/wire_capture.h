/* Every byte in both directions, with its time: a classic pcap file with nanosecond stamps and link
 * type USER0 (147). A record's first four bytes say where it was seen: direction (0 rig -> FC, 1 FC
 * -> rig), vehicle, channel, 0; the bytes of the wire follow. Wireshark and tshark open it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes kept per record; the original length is also recorded. */
#define WIRE_CAPTURE_MAX 65535

enum wire_direction { WIRE_TO_FC, WIRE_FROM_FC };

struct wire_capture {
        FILE *file;
        size_t pending; /* bytes handed to the stream since the last flush, whole records
                         */
        bool failed;
};

void wire_capture_begin(struct wire_capture *w, FILE *file);
/* t_ns: since the start of the run. */
void wire_capture_add(struct wire_capture *w, int64_t t_ns, enum wire_direction direction,
                      int vehicle, int channel, const void *bytes, size_t len);
bool wire_capture_flush(struct wire_capture *w);

/* How many of the first len bytes of a capture, or of a piece of one that starts at a
 * record, are whole records. */
size_t wire_capture_whole(const void *bytes, size_t len);
