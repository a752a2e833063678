/* A recording of sigrok's format as a capture: its samples as fast as they are read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/capture/capture.h"
#include "io/log/sr_file.h"

#define BLOCK 65536 /* samples */

struct recording {
        struct capture c;
        struct sr_reader *reader;
        int64_t tick;
        uint8_t samples[BLOCK];
};

/* Damage ends the capture, with the reason as the note. */
static int recording_read(struct capture *c, int64_t timeout_ns,
                          struct capture_block *out)
{
        struct recording *r = (struct recording *)c;
        struct link_error why;
        long n = sr_read(r->reader, r->samples, sizeof r->samples, &why);

        (void)timeout_ns;
        if (n < 0) {
                snprintf(c->note, sizeof c->note, "%.199s", why.text);
                c->counts.failed++;
                return CAPTURE_GONE;
        }
        if (n == 0)
                return CAPTURE_END;
        *out = (struct capture_block){ .first_tick = r->tick,
                                       .samples = r->samples,
                                       .count = (size_t)n,
                                       .until_tick = r->tick + n };
        r->tick += n;
        c->counts.blocks++;
        c->counts.bytes += (uint64_t)n;
        return 1;
}

static void recording_close(struct capture *c)
{
        struct recording *r = (struct recording *)c;

        sr_close(r->reader);
        free(r);
}

static const struct capture_ops ops = { .read = recording_read,
                                        .close = recording_close };

struct capture *capture_sr_open(const struct capture_spec *spec, struct link_error *why)
{
        struct recording *r = calloc(1, sizeof *r);

        if (r == NULL) {
                snprintf(why->text, sizeof why->text, "%s: out of memory", spec->path);
                return NULL;
        }
        r->reader = sr_open(spec->path, why);
        if (r->reader == NULL) {
                free(r);
                return NULL;
        }
        r->c.ops = &ops;
        r->c.tick_hz = sr_info(r->reader)->rate_hz;
        r->c.pads = sr_info(r->reader)->pads;
        snprintf(r->c.name, sizeof r->c.name, "%.127s", spec->path);
        r->c.unfinished = !sr_info(r->reader)->finished;
        if (r->c.unfinished)
                snprintf(r->c.note, sizeof r->c.note,
                         "the recording was not finished: it is read as far as it goes");
        else if (sr_info(r->reader)->more_pads > 0)
                snprintf(r->c.note, sizeof r->c.note,
                         "its first 8 channels are read, %d more are left out",
                         sr_info(r->reader)->more_pads);
        return &r->c;
}
