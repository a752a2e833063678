/* A message's fields are read as its layout has them; ROTORCRAFT_FP is written as Paparazzi's messages.xml defines it. */
#include "io/twin/ivy_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_M      256.0
#define PER_MPS    524288.0
#define PER_RAD    4096.0
#define RANGE_MOST 10.0 /* m; further than that: nothing */
#define MOST       1e7 /* m, m/s, rad */

/* As many numbers as the layout has fields, up to the end of the group. */
static bool read_fields(const char *text, const struct ivy_layout *l, double *quantity)
{
        for (int i = 0; i < l->fields; i++) {
                const struct ivy_field *f = &l->field[i];
                char *end;

                quantity[f->is] = f->scale * strtod(text, &end);
                /* Written so that NaN fails. */
                if (end == text ||
                    (f->is != IVY_OTHER && !(fabs(quantity[f->is]) <= MOST)))
                        return false;
                text = end;
                if (i < l->fields - 1 && *text != ' ' && *text != ',')
                        return false;
                text += *text == ' ' || *text == ',';
        }
        return *text == '\x03';
}

static enum ivy_message_found read_word(const char *fields, const struct ivy_layout *l,
                                        struct twin_word *word)
{
        double q[IVY_QUANTITIES + 1] = { 0.0 };

        if (!read_fields(fields, l, q))
                return IVY_MESSAGE_MALFORMED;
        *word = (struct twin_word){
                .said = ivy_layout_says(l),
                .pos_ned_m = { q[IVY_NORTH], q[IVY_EAST], -q[IVY_UP] },
                .vel_ned_mps = { q[IVY_NORTH_SPEED], q[IVY_EAST_SPEED],
                                 -q[IVY_UP_SPEED] },
                .q_body_to_ned = quat_from_euler(q[IVY_ROLL], q[IVY_PITCH], q[IVY_YAW]),
                .throttle_ratio = fmax(0.0, fmin(q[IVY_THRUST], 1.0)),
                .height_m = q[IVY_HEIGHT],
        };
        return IVY_MESSAGE_WORD;
}

enum ivy_message_found ivy_message_read(const char *groups, int aircraft,
                                        const struct ivy_layouts *layouts,
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
        for (int i = 0; id == aircraft && i < IVY_LAYOUTS; i++) {
                const struct ivy_layout *l = &layouts->of[i];

                if (l->fields > 0 && strlen(l->name) == len &&
                    memcmp(l->name, name, len) == 0)
                        return read_word(fields, l, word);
        }
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
