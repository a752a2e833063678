/* ProShot1000: edges -> frames of four nibbles, 4 us each, high for 1 us and n times 0.125 us. The
 * same 16 bits as DShot's, never inverted CRC. Decoded like DShot: the line through the beginnings
 * of the nibbles gives the scale, and widths are measured from it. */
#pragma once

#include "io/motor/burst.h"
#include "io/motor/signal.h"

#define MOTOR_PROSHOT_NIBBLE_S 4e-6
/* With fewer ticks per nibble, sixteen widths cannot be distinguished. */
#define MOTOR_PROSHOT_TICKS_MIN 64.0

struct motor_proshot {
        double nibble_ticks;
        bool inverted, three_d;
        struct motor_burst burst;
};

void motor_proshot_init(struct motor_proshot *p, double tick_hz, bool inverted,
                        bool three_d);
void motor_proshot_gap(struct motor_proshot *p);
/* As motor_dshot_edge() and motor_dshot_quiet(). */
enum motor_found motor_proshot_edge(struct motor_proshot *p, int64_t tick, bool level,
                                    struct motor_word *w);
enum motor_found motor_proshot_quiet(struct motor_proshot *p, int64_t tick,
                                     struct motor_word *w);
