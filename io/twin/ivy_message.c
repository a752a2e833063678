/* ROTORCRAFT_FP: east north up, their velocities, phi theta psi, the set-point, thrust, flight_time: integers of 2^-8 m,
 * 2^-19 m/s, 2^-12 rad; thrust of 9600. ATTITUDE: phi psi theta, rad. Source: Paparazzi's messages.xml. */
#include "io/twin/ivy_message.h"

#include <stdio.h>
#include <stdlib.h>

#define PER_M      256.0
#define PER_MPS    524288.0
#define PER_RAD    4096.0
#define FULL       9600.0 /* thrust */
#define RANGE_MOST 10.0 /* m; further than that: nothing */

enum { FP_FIELDS = 15, ATTITUDE_FIELDS = 3 };

/* Exactly count numbers up to the end of the group. */
static bool read_numbers(const char *text, int count, double most, double *number)
{
        for (int i = 0; i < count; i++) {
                char *end;

                number[i] = strtod(text, &end);
                /* Written so that NaN fails. */
                if (end == text || !(fabs(number[i]) <= most))
                        return false;
                text = end;
                if (i < count - 1 && *text != ' ' && *text != ',')
                        return false;
                text += *text == ' ' || *text == ',';
        }
        return *text == '\x03';
}

static enum ivy_message_found read_fp(const char *fields, struct twin_word *word)
{
        double n[FP_FIELDS];

        if (!read_numbers(fields, FP_FIELDS, 2147483648.0, n))
                return IVY_MESSAGE_MALFORMED;
        *word = (struct twin_word){
                .said = TWIN_POSITION | TWIN_VELOCITY | TWIN_ATTITUDE | TWIN_THROTTLE,
                .pos_ned_m = { n[1] / PER_M, n[0] / PER_M, -n[2] / PER_M },
                .vel_ned_mps = { n[4] / PER_MPS, n[3] / PER_MPS, -n[5] / PER_MPS },
                .q_body_to_ned =
                        quat_from_euler(n[6] / PER_RAD, n[7] / PER_RAD, n[8] / PER_RAD),
                .throttle_ratio = fmax(0.0, fmin(n[13] / FULL, 1.0)),
        };
        return IVY_MESSAGE_WORD;
}

static enum ivy_message_found read_attitude(const char *fields, struct twin_word *word)
{
        double n[ATTITUDE_FIELDS];

        if (!read_numbers(fields, ATTITUDE_FIELDS, 100.0, n))
                return IVY_MESSAGE_MALFORMED;
        *word = (struct twin_word){ .said = TWIN_ATTITUDE,
                                    .q_body_to_ned = quat_from_euler(n[0], n[2], n[1]) };
        return IVY_MESSAGE_WORD;
}

enum ivy_message_found ivy_message_read(const char *groups, int aircraft,
                                        struct twin_word *word)
{
        char *name, *fields;
        long id = strtol(groups, &name, 10);
        size_t len;

        if (name == groups || *name != '\x03')
                return IVY_MESSAGE_MALFORMED;
        fields = strchr(++name, '\x03');
        if (fields == NULL)
                return IVY_MESSAGE_MALFORMED;
        len = (size_t)(fields++ - name);
        if (id != aircraft)
                return IVY_MESSAGE_OVERHEARD;
        if (len == 13 && memcmp(name, "ROTORCRAFT_FP", len) == 0)
                return read_fp(fields, word);
        if (len == 8 && memcmp(name, "ATTITUDE", len) == 0)
                return read_attitude(fields, word);
        return IVY_MESSAGE_OVERHEARD;
}

void ivy_message_write_ranges(char *text, size_t cap, int aircraft,
                              const struct twin_told *told)
{
        int at = snprintf(text, cap, "hilrig FINKEN_SONAR %d", aircraft);

        /* fmin() takes NaN for nothing. */
        for (int i = 0; i < told->sonars && i < SONARS_MAX; i++)
                at += snprintf(text + at, cap - (size_t)at, " %.3f",
                               fmin(told->range_m[i], RANGE_MOST));
}

/* As an int32. */
static long to_fixed(double value, double per_unit)
{
        return lrint(fmax(-2147483648.0, fmin(value * per_unit, 2147483647.0)));
}

void ivy_message_write_vehicle(char *text, size_t cap, int id, int64_t t_ns,
                               const struct twin_other *other)
{
        struct vec3 pos = other->pose.pos_ned_m, vel = other->vel_ned_mps;
        struct vec3 euler = quat_to_euler(other->pose.q_body_to_ned);
        long east = to_fixed(pos.y, PER_M), north = to_fixed(pos.x, PER_M);
        long up = to_fixed(-pos.z, PER_M), psi = to_fixed(euler.z, PER_RAD);

        snprintf(text, cap,
                 "%d ROTORCRAFT_FP %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld 0 "
                 "%d",
                 id, east, north, up, to_fixed(vel.y, PER_MPS), to_fixed(vel.x, PER_MPS),
                 to_fixed(-vel.z, PER_MPS), to_fixed(euler.x, PER_RAD),
                 to_fixed(euler.y, PER_RAD), psi, east, north, up, psi,
                 (int)(t_ns / 1000000000 % 65536));
}
