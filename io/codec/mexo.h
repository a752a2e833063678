/* The MEXO protocol's command lines (Gruber, appendix B), as its server and mission files read them. Pure functions on
 * text: bounded, and nothing that is not understood passes silently. Keys and values count in any case. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/vec.h"

/* Of a line without its end; the server drops more. */
#define MEXO_LINE_MAX 512
#define MEXO_NAME_MAX 32

enum mexo_verb {
        MEXO_POWER,
        MEXO_STARTENGINE,
        MEXO_STOPENGINE,
        MEXO_SHUTDOWN,
        MEXO_CLEAR,
        MEXO_TAKEOFF,
        MEXO_LAND,
        MEXO_GOTOWAYPOINT,
        MEXO_HOLD,
        MEXO_TAKEPICTURE,
        MEXO_EXECUTETASKS,
        MEXO_FORMATION,
        MEXO_VERBS
};

/* Table B.1, and of LabVIEW's own codes those that the printed text leaves to it. */
enum mexo_error {
        MEXO_BAD_VALUE = 1, /* LabVIEW: an input parameter is invalid */
        MEXO_FULL = 2, /* LabVIEW: memory is full */
        MEXO_UNREADABLE = 85, /* LabVIEW: scan failed */
        MEXO_NAME_EXISTS = 5001,
        MEXO_NO_NFO = 5002,
        MEXO_TOO_FEW = 5003,
        MEXO_BROKE = 5004,
        MEXO_ZERO_SAMPLE_TIME = 5005
};

/* Degrees and metres above sea level; the two commands that carry a place print it in different orders. */
struct mexo_place {
        double lat_deg, lon_deg, altitude_m;
};

struct mexo_command {
        enum mexo_verb verb;
        double time_stamp_ms; /* after STARTENGINE, at the earliest; 0 where not given */
        bool has_place; /* POWER: StartingPose was given; GOTOWAYPOINT: always */
        struct mexo_place
                place; /* Pose latitude,longitude,... but StartingPose longitude,latitude,... */
        double yaw_deg, pitch_deg,
                roll_deg; /* of POWER; GOTOWAYPOINT: heading in yaw, 0 to 360 */
        double height_m; /* of TAKEOFF, above sea level */
        double tilt_deg; /* of TAKEPICTURE, 90: straight down, which is the default */
        char name[MEXO_NAME_MAX]; /* of POWER, "Drone1" where not given */
};

struct mexo_refusal {
        enum mexo_error code;
        char text
                [96]; /* an ErrorMessage of the grammar: letters, digits, spaces, commas, dots */
};

/* A line without its end. False: why says which error. USARSimServer and USARSimPort are read and left out: there is
 * no USARSim behind it. */
bool mexo_parse(const char *line, size_t len, struct mexo_command *out,
                struct mexo_refusal *why);
/* "GOTOWAYPOINT". */
const char *mexo_verb_name(enum mexo_verb verb);
/* Writes the line as it would be sent, its end (CR LF) included; returns the length, 0 where cap is too small. */
size_t mexo_print(const struct mexo_command *c, char *out, size_t cap);

/* The flat earth of A.1 to A.3 with their reference point: metres north, east and down of a place. The print subtracts
 * the reference's own n, e, d, with which the reference would not lie on itself; here they are added. */
struct mexo_earth {
        struct mexo_place reference;
        struct vec3 reference_ned_m;
        double north_m_per_deg,
                east_m_per_deg; /* the print has 111200 and 71670 everywhere */
};

struct vec3 mexo_to_ned(const struct mexo_earth *earth, const struct mexo_place *place);
struct mexo_place mexo_from_ned(const struct mexo_earth *earth, struct vec3 pos_ned_m);
