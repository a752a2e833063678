/* Messages of VRPN, as a tracker's server sends them over TCP: from any bytes, in any pieces. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VRPN_COOKIE_LEN  24
#define VRPN_MESSAGE_MAX 64000 /* VRPN's own buffer */

enum vrpn_system { VRPN_SENDER = -1, VRPN_TYPE = -2 };

struct vrpn_stream {
        bool greeted; /* the cookie has come */
        size_t read; /* of bytes: messages that were given out */
        size_t len;
        uint8_t bytes[2 * VRPN_MESSAGE_MAX];
};

struct vrpn_message {
        int64_t t_ns; /* by the server's clock */
        int32_t sender, type; /* type below 0: enum vrpn_system and more of VRPN's own */
        const uint8_t *body; /* in the stream, until more is added */
        size_t len;
};

enum vrpn_found { VRPN_NOTHING, VRPN_MESSAGE, VRPN_BROKEN };

#define VRPN_PACKET_MAX 256 /* of those that are written here */

/* A sender's or type's name. The whole packet; its length. */
size_t vrpn_write_name(uint8_t *packet, int32_t type, int32_t number, const char *name);
/* Sensor 0 and doubles, at most 28: a pose or a velocity. */
size_t vrpn_write_doubles(uint8_t *packet, int64_t t_ns, int32_t sender, int32_t type,
                          const double *values, int count);
/* What either end says first. */
void vrpn_write_cookie(uint8_t cookie[VRPN_COOKIE_LEN]);
/* Where the next bytes go, and how many there is room for. */
uint8_t *vrpn_stream_room(struct vrpn_stream *s, size_t *room);
void vrpn_stream_add(struct vrpn_stream *s, size_t len);
/* VRPN_BROKEN: this is no VRPN of version 7, or has a message longer than any; nothing more can be read. */
enum vrpn_found vrpn_stream_next(struct vrpn_stream *s, struct vrpn_message *m);

/* The name that a sender or type has from now on; false: malformed. */
bool vrpn_read_name(const struct vrpn_message *m, char *name, size_t cap);
/* "vrpn_Tracker Pos_Quat": sensor, position, x y z w. */
bool vrpn_read_pose(const struct vrpn_message *m, int32_t *sensor, double position[3],
                    double orientation[4]);
/* "vrpn_Tracker Velocity": of the position alone. */
bool vrpn_read_velocity(const struct vrpn_message *m, int32_t *sensor,
                        double velocity[3]);
