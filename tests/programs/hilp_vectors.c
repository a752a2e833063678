/* Prints random HILP messages, one a line, for an implementation in another language to
 * compare:
 *
 *   frame HEX JSON     a whole frame on the wire and its fields
 *   payload HEX JSON   a damaged payload, without frame, and what it still says; or null
 *
 * Usage: hilp_vectors [messages] [seed] */
#include <stdio.h>
#include <stdlib.h>

#include "tests/io/codec/hilp/hilp_json.h"
#include "tests/io/codec/hilp/hilp_random.h"

static void print_hex(const char *word, const uint8_t *bytes, size_t len)
{
        printf("%s ", word);
        for (size_t i = 0; i < len; i++)
                printf("%02x", bytes[i]);
        putchar(' ');
}

/* Another byte, another length, or a small number where one may matter. */
static size_t damage(struct dice *d, uint8_t *payload, size_t len)
{
        switch (dice_below(d, 4)) {
        case 0:
                return dice_below(d, (uint32_t)len + 1);
        case 1:
                if (len < HILP_PAYLOAD_MAX)
                        payload[len++] = dice_u8(d);
                return len;
        case 2:
                payload[dice_below(d, (uint32_t)len)] = (uint8_t)dice_below(d, 12);
                return len;
        default:
                payload[dice_below(d, (uint32_t)len)] ^=
                        (uint8_t)(1U << dice_below(d, 8));
                return len;
        }
}

int main(int argc, char **argv)
{
        long messages = argc > 1 ? strtol(argv[1], NULL, 10) : 5000;
        struct dice d = { argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 20180611 };

        for (long i = 0; i < messages; i++) {
                uint8_t payload[HILP_PAYLOAD_MAX] = { 0 }, frame[HILP_FRAME_MAX] = { 0 };
                struct hilp_message m;
                size_t len;

                random_message(&d, &m);
                print_hex("frame", frame, hilp_write(&m, frame));
                json_message(stdout, &m);
                putchar('\n');

                len = damage(&d, payload, hilp_encode(&m, payload));
                print_hex("payload", payload, len);
                if (hilp_decode(&m, payload, len))
                        json_message(stdout, &m);
                else
                        fputs("null", stdout);
                putchar('\n');
        }
        return 0;
}
