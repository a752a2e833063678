/* Random MSP frames for an implementation that is not ours to compare:
 *
 *   msp_vectors write [frames] [seed]   a line each: the frame in hexadecimal, then JSON
 *   msp_vectors read                    frames from stdin in hexadecimal, a line of JSON for each */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/codec/msp.h"
#include "tests/io/codec/hilp/hilp_random.h"

#define LINE_MAX_BYTES (4 * MSP_FRAME_MAX)

static void print_hex(const uint8_t *bytes, size_t len)
{
        for (size_t i = 0; i < len; i++)
                printf("%02x", bytes[i]);
}

static void print_json(const struct msp_frame *f)
{
        printf("{\"version\": %d, \"kind\": \"%c\", \"flag\": %u, \"command\": %u, "
               "\"payload\": \"",
               f->version, f->kind, f->flag, f->command);
        print_hex(f->payload, f->len);
        printf("\"}\n");
}

static void random_frame(struct dice *d, struct msp_frame *f)
{
        static const enum msp_kind kinds[] = { MSP_REQUEST, MSP_REPLY, MSP_ERROR };
        static const uint16_t lengths[] = { 0, 1, 254, 255, 256, MSP_PAYLOAD_MAX };

        f->version = (enum msp_version)dice_below(d, 3);
        f->kind = kinds[dice_below(d, 3)];
        f->flag = f->version == MSP_V1 ? 0 : dice_u8(d);
        f->command = f->version == MSP_V1 ? (uint16_t)dice_below(d, 255) : dice_u16(d);
        f->len = dice_below(d, 8) == 0 ? lengths[dice_below(d, 6)]
                                       : (uint16_t)dice_below(d, MSP_PAYLOAD_MAX + 1);
        for (int i = 0; i < f->len; i++)
                f->payload[i] = dice_below(d, 16) == 0 ? '$' : dice_u8(d);
}

static int write_frames(long frames, uint64_t seed)
{
        struct dice d = { seed };

        for (long n = 0; n < frames; n++) {
                uint8_t bytes[MSP_FRAME_MAX];
                struct msp_frame f;
                size_t len;

                random_frame(&d, &f);
                len = msp_encode(&f, bytes);
                if (len == 0)
                        return 1;
                print_hex(bytes, len);
                putchar(' ');
                print_json(&f);
        }
        return 0;
}

static size_t from_hex(const char *text, uint8_t *bytes, size_t cap)
{
        size_t n = 0;
        unsigned int byte;

        for (; n < cap && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
                bytes[n] = (uint8_t)byte;
        return n;
}

static int read_frames(void)
{
        struct msp_stream stream = { .len = 0 };
        char line[LINE_MAX_BYTES];

        while (fgets(line, sizeof line, stdin) != NULL) {
                uint8_t bytes[2 * MSP_FRAME_MAX];
                size_t len = from_hex(line, bytes, sizeof bytes);
                struct msp_frame f;
                bool got;

                if (msp_stream_take(&stream, bytes, len, &f, &got) != len || !got)
                        printf("null\n");
                else
                        print_json(&f);
        }
        return 0;
}

int main(int argc, char **argv)
{
        if (argc >= 2 && strcmp(argv[1], "read") == 0)
                return read_frames();
        if (argc >= 2 && strcmp(argv[1], "write") == 0)
                return write_frames(argc > 2 ? atol(argv[2]) : 1000,
                                    argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
        fprintf(stderr, "usage: msp_vectors write [frames] [seed] | read\n");
        return 2;
}
