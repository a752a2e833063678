/* What the programs that print a device's ticks have in common: vectors and packets as members of a JSON object. */
#pragma once

#include <stdio.h>

#include "io/codec/codec.h"

static inline void print_xyz(const char *name, struct vec3 v)
{
        printf("\"%s\": [%.17g, %.17g, %.17g], ", name, v.x, v.y, v.z);
}

/* In hex; the object's last member. */
static inline void print_packets(const char *name, const struct packets *out)
{
        printf("\"%s\": [", name);
        for (int i = 0; i < out->count; i++) {
                printf("%s\"", i > 0 ? ", " : "");
                for (int n = 0; n < out->packet[i].len; n++)
                        printf("%02x", out->packet[i].bytes[n]);
                putchar('"');
        }
        printf("]}\n");
}
