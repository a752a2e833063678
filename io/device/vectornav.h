/* Internals of the VectorNav units: their state, and the functions of each file. Frames of the part:
 * body forward, right, down; NED. Sources: the drivers of ArduPilot (AP_ExternalAHRS_VectorNav.cpp) and
 * PX4 (src/drivers/ins/vectornav with VectorNav's libvnc), and the maker's user manuals. */
#pragma once

#include "io/device/inertial.h"

#define VECTORNAV_BAUD       921600
#define VECTORNAV_OUTPUTS    3 /* registers 75 to 77 */
#define VECTORNAV_GROUPS     7
#define VECTORNAV_PACKET_MAX 256 /* bytes that the drivers' buffers hold */
#define VECTORNAV_LINE_MAX   160 /* characters of a command */
#define VECTORNAV_WORDS_MAX  40 /* of a register that is only kept */
#define VECTORNAV_QUEUE      16 /* messages that wait for the wire */

/* $VNERR,hh */
enum vectornav_error {
        VECTORNAV_DONE = 0,
        VECTORNAV_BAD_CHECKSUM = 3,
        VECTORNAV_BAD_COMMAND = 4,
        VECTORNAV_TOO_FEW = 5,
        VECTORNAV_TOO_MANY = 6,
        VECTORNAV_BAD_PARAMETER = 7,
        VECTORNAV_BAD_REGISTER = 8,
        VECTORNAV_READ_ONLY = 9,
        VECTORNAV_TOO_SLOW = 12 /* the baud rate, for these outputs */
};

struct vectornav_model {
        const char *number, *revision, *serial, *firmware; /* registers 1 to 4 */
        bool gnss;
};

/* A binary output: what it holds, how often. */
struct vectornav_output {
        int ports; /* 0: none, 1 or 2, 3: both; the board's is whichever it asks for */
        int divisor; /* of its IMU's rate; 0: never */
        uint8_t groups;
        uint16_t mask[VECTORNAV_GROUPS]; /* of groups in `groups`, else 0 */
};

/* What a board can set, save and restore. */
struct vectornav_settings {
        uint32_t baud;
        struct vectornav_output output[VECTORNAV_OUTPUTS];
        char tag[VECTORNAV_WORDS_MAX]; /* register 0 */
        char heading[VECTORNAV_WORDS_MAX]; /* register 35; kept, of no effect */
};

/* What waits for the wire, whole messages. */
struct vectornav_queue {
        int count;
        uint16_t len[VECTORNAV_QUEUE];
        uint8_t bytes[VECTORNAV_QUEUE][VECTORNAV_PACKET_MAX];
        int64_t free_ns; /* the wire has carried everything that was given out */
        uint64_t dropped;
};

struct vectornav {
        struct device device;
        const struct vectornav_model *model;
        struct vectornav_settings now, saved, factory;
        uint32_t line_baud; /* follows now.baud once the answer is out */
        bool paused; /* VNASY,0 */
        bool asked; /* the board has said something that was understood */
        int64_t now_ns;

        bool in_line, in_noise;
        size_t len;
        char line[VECTORNAV_LINE_MAX + 1];

        struct inertial samples;
        int64_t startup_ns; /* when it was switched on, or reset */
        struct inertial_sum sum[VECTORNAV_OUTPUTS];
        int64_t due_ns[VECTORNAV_OUTPUTS];
        uint64_t packets[VECTORNAV_OUTPUTS];
        struct vectornav_queue queue;
};

/* Messages (vectornav.c). */
void vectornav_say(struct vectornav *v, const char *body);
/* As after a start: settings as saved, time from 0. */
void vectornav_restart(struct vectornav *v);

/* One command, without $ and checksum (vectornav_registers.c). */
enum vectornav_error vectornav_obey(struct vectornav *v, const char *body);
void vectornav_settings_init(struct vectornav_settings *s, uint32_t baud);

/* Binary packets (vectornav_packet.c). CRC-16/XMODEM over them from the group byte to the end is 0. */
uint16_t vectornav_crc(const uint8_t *bytes, size_t len);
/* Bytes of a packet; 0: it has a field that is not known here, or is too long. */
size_t vectornav_packet_size(const struct vectornav_output *o);
/* Writes as many bytes, at most VECTORNAV_PACKET_MAX. */
size_t vectornav_packet_write(const struct vectornav_output *o, const struct inertial *s,
                              int64_t startup_ns, const struct inertial_sum *sum,
                              uint8_t *out);
