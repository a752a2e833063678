#include "io/wire/wire_split.h"

#include <assert.h>
#include <string.h>

void wire_split_add(struct wire_split *s, const uint8_t *bytes, size_t len)
{
        assert(len <= wire_split_room(s));
        if (len > 0)
                memcpy(s->bytes + s->len, bytes, len);
        s->len += len;
}

static void clear(struct wire_unit *unit)
{
        unit->types = 0;
        unit->type = -1;
        unit->asks = unit->answers = false;
        unit->unpaced = false;
        unit->number = 0;
        unit->passed = 0;
}

static void note(struct wire_unit *unit, const struct codec_frame *f)
{
        bool leads = f->asks || f->answers;

        if (f->type < 0)
                return;
        unit->unpaced = (unit->types == 0 || unit->unpaced) && f->unpaced;
        unit->types |= UINT32_C(1) << f->type;
        if (unit->type < 0 || leads)
                unit->type = f->type;
        if (leads)
                unit->number = f->number;
        unit->asks |= f->asks;
        unit->answers |= f->answers;
}

static void take(struct wire_split *s, struct wire_unit *unit, size_t len)
{
        size_t passed = s->passed < len ? s->passed : len;

        unit->len = (uint16_t)len;
        unit->passed = (uint16_t)passed;
        memcpy(unit->bytes, s->bytes, len);
        s->len -= len;
        s->passed -= passed;
        memmove(s->bytes, s->bytes + len, s->len);
}

bool wire_split_next(struct wire_split *s, const struct codec_ops *codec,
                     struct wire_unit *unit)
{
        struct codec_frame f;
        size_t len = codec->frame_find(s->bytes, s->len, &f);

        clear(unit);
        if (len == 0 && s->len <= WIRE_UNIT_MAX)
                return false;
        if (len == 0 || len > WIRE_UNIT_MAX) {
                s->broken = true;
                take(s, unit, WIRE_UNIT_MAX);
                return true;
        }
        if (!s->broken)
                note(unit, &f);
        s->broken = false;
        take(s, unit, len);
        return true;
}

void wire_unit_datagram(struct wire_unit *unit, const struct codec_ops *codec,
                        const uint8_t *bytes, size_t len)
{
        struct codec_frame f;
        size_t n;

        assert(len <= WIRE_UNIT_MAX);
        clear(unit);
        unit->len = (uint16_t)len;
        memcpy(unit->bytes, bytes, len);
        for (size_t at = 0; at < len; at += n) {
                n = codec->frame_find(bytes + at, len - at, &f);
                if (n == 0)
                        return;
                note(unit, &f);
        }
}
