/* capture_bytes SOURCE COUNT: that many samples to standard output, for scripts that compare them. What was
 * counted goes to standard error. */
#include <stdio.h>
#include <stdlib.h>

#include "io/capture/capture.h"

static int refuse(const struct link_error *why)
{
        fprintf(stderr, "%s\n", why->text);
        return 2;
}

int main(int argc, char **argv)
{
        size_t left = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
        struct capture_block b;
        struct capture_spec spec;
        struct link_error why;
        struct capture *c;

        if (argc != 3 || !capture_spec_parse(&spec, argv[1], &why) ||
            (c = capture_open(&spec, &why)) == NULL)
                return argc == 3 ? refuse(&why) : 2;
        fprintf(stderr, "%s, %.0f samples a second, %s\n", c->name, c->tick_hz,
                c->note[0] != '\0' ? c->note : "nothing to note");
        while (left > 0 && capture_read(c, 1000000000, &b) == 1) {
                size_t n = b.samples == NULL ? 0 : b.count < left ? b.count : left;

                if (b.gap || fwrite(b.samples, 1, n, stdout) != n)
                        break;
                left -= n;
        }
        fprintf(stderr, "%llu blocks, %llu restarts\n",
                (unsigned long long)c->counts.blocks,
                (unsigned long long)c->counts.restarts);
        capture_close(c);
        return left == 0 ? 0 : 1;
}
