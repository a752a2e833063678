/* Paparazzi's messages as texts of an Ivy bus. Pure functions. */
#pragma once

#include "io/twin/ivy_layout.h"
#include "io/twin/source.h"

enum ivy_message_found {
        IVY_MESSAGE_WORD,
        IVY_MESSAGE_OVERHEARD, /* of another aircraft, or another message */
        IVY_MESSAGE_MALFORMED
};

/* groups: number, name, fields, each ended by \x03. word is written with IVY_MESSAGE_WORD alone. */
enum ivy_message_found ivy_message_read(const char *groups, int aircraft,
                                        const struct ivy_layouts *layouts,
                                        struct twin_word *word);
/* "hilrig FINKEN_SONAR <aircraft> <range>..." in m, in the order of the vehicle's sonars, 10 at most. */
void ivy_message_write_ranges(char *text, size_t cap, int aircraft,
                              const struct twin_told *told);
/* "<id> ROTORCRAFT_FP ...", with the set-point where the vehicle is. */
void ivy_message_write_vehicle(char *text, size_t cap, int id, int64_t t_ns,
                               const struct twin_other *other);
