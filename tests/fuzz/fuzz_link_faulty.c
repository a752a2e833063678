/* Any bytes both ways over a faulty wire, with faults that the input chooses: nothing is written that the
 * other end has no room for, what the wire says of itself stays sane, and without faults nothing changes. */
#include <assert.h>

#include "io/wire/link_faulty.h"
#include "tests/fuzz/fuzz.h"

enum step { TO_FC, FROM_FC, BEGIN, END, TICK, GREETING, CLEAR, PLUG };

struct rig {
        struct wire_faults *faults;
        struct link *wire, *far_end;
        uint8_t bytes[8192];
};

static void begin(struct rig *r, const uint8_t *b, size_t len)
{
        uint8_t v[8] = { 0 };
        struct wire_fault f = { .probability = 1.0, .frame = -1, .channel = -1 };

        memcpy(v, b, len < sizeof v ? len : sizeof v);
        f.kind = (enum wire_fault_kind)(v[0] % WIRE_UNPLUG);
        f.directions = 1U + v[1] % WIRE_BOTH;
        f.probability = (1.0 + v[2]) / 256.0;
        f.count = v[3] % 5;
        f.frame = v[4] % 16 < 12 ? v[4] % 16 : -1;
        f.ticks = 1 + v[5] % 9;
        f.bytes = 1 + v[6];
        f.bits = v[7] % 4;
        f.error_ratio = 0.01 + 0.001 * v[7];
        f.clock_error = (v[7] - 128) / 640.0;
        wire_faults_begin(r->faults, &f, v[0] / 16, 1, INT64_MAX);
}

static void end(struct rig *r, int which)
{
        if (r->faults->in_force == 0)
                return;
        which %= r->faults->in_force;
        link_faulty_let_go(r->wire, which);
        wire_faults_end(r->faults, which);
}

static void drain(struct rig *r)
{
        int n;

        while ((n = link_read(r->far_end, r->bytes, sizeof r->bytes)) > 0)
                assert((size_t)n <= sizeof r->bytes);
        while ((n = link_read(r->wire, r->bytes, 100)) > 0)
                assert(n <= 100);
        assert(!link_faulty_readable(r->wire) || n == LINK_GONE);
}

static void plug(struct rig *r)
{
        struct link *near_end;

        link_close(r->far_end);
        if (!link_pair_open(&near_end, &r->far_end, 512))
                abort();
        link_faulty_plug(r->wire, near_end);
}

static void take_step(struct rig *r, enum step step, const uint8_t *b, size_t len)
{
        switch (step) {
        case TO_FC:
                assert(link_write(r->wire, b, len) <= (int)len);
                break;
        case FROM_FC:
                link_write(r->far_end, b, len);
                break;
        case BEGIN:
                begin(r, b, len);
                break;
        case END:
                end(r, len > 0 ? b[0] : 0);
                break;
        case TICK:
                r->faults->tick += 1 + (int64_t)len % 4;
                link_faulty_push(r->wire);
                break;
        case GREETING:
                r->faults->greeting = !r->faults->greeting;
                break;
        case CLEAR:
                link_faulty_clear(r->wire);
                break;
        case PLUG:
                plug(r);
                break;
        }
        drain(r);
}

/* The rest of the input as a plain stream over a wire that has no faults left. */
static void check_transparent(struct rig *r, const uint8_t *b, size_t len)
{
        plug(r);
        while (r->faults->in_force > 0)
                end(r, 0);
        r->faults->lockstep = false;
        while (len > 0) {
                size_t n = len < 500 ? len : 500;

                assert(link_write(r->wire, b, n) == (int)n);
                assert(link_read(r->far_end, r->bytes, sizeof r->bytes) == (int)n);
                assert(memcmp(r->bytes, b, n) == 0);
                assert(link_write(r->far_end, b, n) == (int)n);
                assert(link_read(r->wire, r->bytes, sizeof r->bytes) == (int)n);
                assert(memcmp(r->bytes, b, n) == 0);
                b += n;
                len -= n;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        const struct codec_setup setup = { .rotors = 4, .period_ns = 1000000 };
        struct rig r;
        struct codec *codec = codec_create("hilp", &setup);
        struct link *near_end;
        size_t at = 1;
        bool framed;

        if (size == 0) {
                codec->ops->destroy(codec);
                return 0;
        }
        framed = (data[0] & 2) == 0;
        r.faults = wire_faults_create(16, 0, framed && (data[0] & 1) != 0);
        if (codec == NULL || r.faults == NULL ||
            !link_pair_open(&near_end, &r.far_end, 512))
                abort();
        r.wire = link_faulty_open(near_end, framed ? codec->ops : NULL, r.faults, 0);
        if (r.wire == NULL)
                abort();
        /* A step: what, how many bytes, the bytes. */
        while (at + 2 <= size) {
                size_t len = data[at + 1];

                if (len > size - at - 2)
                        len = size - at - 2;
                take_step(&r, (enum step)(data[at] % (PLUG + 1)), data + at + 2, len);
                at += 2 + len;
        }
        check_transparent(&r, data, size);
        link_close(r.wire);
        link_close(r.far_end);
        free(r.faults);
        codec->ops->destroy(codec);
        return 0;
}
