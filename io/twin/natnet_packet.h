/* Packets of NatNet, the protocol of NaturalPoint's Motive: bit-stream versions 3.0 to 4.x, from any bytes. From 4.1 on
 * sections say their size, and what is not needed is skipped by it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NATNET_HEAD        4 /* message and length of what follows, 16 bits each */
#define NATNET_PACKET_MAX  65507
#define NATNET_CONNECT_LEN 270

enum natnet_message {
        NATNET_CONNECT = 0,
        NATNET_SERVER_INFO = 1,
        NATNET_REQUEST_MODELS = 4,
        NATNET_MODELS = 5,
        NATNET_FRAME = 7,
        NATNET_KEEP_ALIVE = 10
};

struct natnet_version {
        int major, minor;
};

struct natnet_server {
        char name[64]; /* printable */
        struct natnet_version version; /* of the bit stream */
        uint64_t clock_hz; /* of its time stamps; 0: not said */
};

struct natnet_frame {
        int32_t number;
        bool found, tracked; /* the body that was asked for */
        double position[3], orientation[4]; /* x, y, z, w */
        bool timed;
        uint64_t exposure_ticks; /* middle of the cameras' exposure; 0: not said */
        double software_s;
        int bodies;
};

enum natnet_search { NATNET_MALFORMED, NATNET_ABSENT, NATNET_FOUND };

/* Bodies of packets, without their heads. False: malformed. */
bool natnet_read_server(const uint8_t *body, size_t len, struct natnet_server *server);
bool natnet_read_frame(const uint8_t *body, size_t len, struct natnet_version version,
                       int32_t id, struct natnet_frame *frame);
/* Which number the rigid body of that name has. */
enum natnet_search natnet_find_body(const uint8_t *body, size_t len,
                                    struct natnet_version version, const char *name,
                                    int32_t *id);
/* Head and body of what a client says first. */
void natnet_write_connect(uint8_t packet[NATNET_HEAD + NATNET_CONNECT_LEN]);
