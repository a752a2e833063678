#include "hil/reference/peer_bytes.h"

#include <math.h>
#include <string.h>

#include "models/fc/peers.h"

#define NS_PER_MS   1000000LL
#define E7_PER_RAD  (1e7 * 180.0 / M_PI)
#define PLACE_BYTES 22
#define STATE_BYTES (2 + PLACE_BYTES + 1)
#define RANGE_BYTES 8
#define RANGES_HEAD (1 + PLACE_BYTES + 3)

_Static_assert(RANGES_HEAD + PEER_RANGES_MAX * RANGE_BYTES == PEER_BYTES_LONGEST,
               "room for the longest word");

static void put_bits(uint8_t **at, uint64_t bits, int bytes)
{
        for (int i = 0; i < bytes; i++)
                *(*at)++ = (uint8_t)(bits >> (8 * i));
}

static uint64_t take_bits(const uint8_t **at, int bytes)
{
        uint64_t bits = 0;

        for (int i = 0; i < bytes; i++)
                bits |= (uint64_t) * (*at)++ << (8 * i);
        return bits;
}

static void put_unsigned(uint8_t **at, double value, int bytes)
{
        put_bits(at, (uint64_t)llrint(fmin(fmax(value, 0.0), ldexp(1.0, 8 * bytes) - 1)),
                 bytes);
}

static void put_number(uint8_t **at, double value, int bytes)
{
        double most = ldexp(1.0, 8 * bytes - 1) - 1.0;

        put_bits(at, (uint64_t)llrint(fmin(fmax(value, -most), most)), bytes);
}

/* Two's complement. */
static double take_number(const uint8_t **at, int bytes)
{
        uint64_t bits = take_bits(at, bytes);

        return bits >> (8 * bytes - 1) & 1 ? (double)bits - ldexp(1.0, 8 * bytes)
                                           : (double)bits;
}

static void put_vector(uint8_t **at, struct vec3 v, double scale)
{
        put_number(at, scale * v.x, 2);
        put_number(at, scale * v.y, 2);
        put_number(at, scale * v.z, 2);
}

static struct vec3 take_vector(const uint8_t **at, double scale)
{
        struct vec3 v;

        v.x = scale * take_number(at, 2);
        v.y = scale * take_number(at, 2);
        v.z = scale * take_number(at, 2);
        return v;
}

static void put_place(uint8_t **at, const struct peer_place *p)
{
        put_bits(at, (uint64_t)(p->t_ns / NS_PER_MS), 4);
        put_number(at, p->at.lat_rad * E7_PER_RAD, 4);
        put_number(at, p->at.lon_rad * E7_PER_RAD, 4);
        put_number(at, p->at.height_m * 1e3, 4);
        put_vector(at, p->vel_ned_mps, 100.0);
}

static bool take_place(const uint8_t **at, struct peer_place *p)
{
        p->t_ns = (int64_t)take_bits(at, 4) * NS_PER_MS;
        p->at.lat_rad = take_number(at, 4) / E7_PER_RAD;
        p->at.lon_rad = take_number(at, 4) / E7_PER_RAD;
        p->at.height_m = 1e-3 * take_number(at, 4);
        p->vel_ned_mps = take_vector(at, 0.01);
        return fabs(p->at.lat_rad) <= M_PI_2 && fabs(p->at.lon_rad) <= M_PI;
}

static void put_state(uint8_t **at, const struct peer_state *s)
{
        *(*at)++ = s->flying;
        put_place(at, &s->place);
        *(*at)++ = (uint8_t)s->obstacles;
        for (int i = 0; i < s->obstacles; i++)
                put_vector(at, s->obstacle_ned_m[i], 100.0);
}

static bool take_state(const uint8_t *at, size_t len, struct peer_state *s)
{
        if (len < STATE_BYTES || at[STATE_BYTES - 1] > PEER_OBSTACLES_MAX ||
            len != STATE_BYTES + 6U * at[STATE_BYTES - 1])
                return false;
        s->flying = at[1] & 1;
        at += 2;
        if (!take_place(&at, &s->place))
                return false;
        s->obstacles = *at++;
        for (int i = 0; i < s->obstacles; i++)
                s->obstacle_ned_m[i] = take_vector(&at, 0.01);
        return true;
}

static void put_hub(uint8_t **at, const struct peer_hub *h)
{
        size_t names = h->all ? 0 : sizeof h->named;

        *(*at)++ = h->go;
        *(*at)++ = (uint8_t)h->behaviours;
        while (names > 1 && h->named[names - 1] == 0)
                names--;
        for (size_t i = 0; i < names; i++)
                *(*at)++ = h->named[i];
}

static bool take_hub(const uint8_t *at, size_t len, struct peer_hub *h)
{
        if (len < 3 || len > 3 + sizeof h->named || at[2] > FLOCK_BEHAVIOURS ||
            (len > 4 && at[len - 1] == 0))
                return false;
        h->go = at[1] & 1;
        h->behaviours = at[2];
        h->all = len == 3;
        memcpy(h->named, at + 3, len - 3);
        return true;
}

static void put_ranges(uint8_t **at, const struct peer_ranges *r)
{
        put_place(at, &r->reckoned);
        put_unsigned(at, 10.0 * r->reckoned_s, 2);
        *(*at)++ = (uint8_t)r->count;
        for (int i = 0; i < r->count; i++) {
                double age_ms = (double)(r->reckoned.t_ns - r->range[i].t_ns) / NS_PER_MS;

                put_unsigned(at, r->range[i].address, 2);
                put_unsigned(at, age_ms, 2);
                put_unsigned(at, 1e3 * r->range[i].range_m, 4);
        }
}

static bool take_ranges(const uint8_t *at, size_t len, struct peer_ranges *r)
{
        if (len < RANGES_HEAD || at[RANGES_HEAD - 1] > PEER_RANGES_MAX ||
            len != RANGES_HEAD + (size_t)RANGE_BYTES * at[RANGES_HEAD - 1])
                return false;
        at++;
        if (!take_place(&at, &r->reckoned))
                return false;
        r->reckoned_s = 0.1 * (double)take_bits(&at, 2);
        r->count = *at++;
        for (int i = 0; i < r->count; i++) {
                r->range[i].address = (int)take_bits(&at, 2);
                r->range[i].t_ns =
                        r->reckoned.t_ns - (int64_t)take_bits(&at, 2) * NS_PER_MS;
                r->range[i].range_m = 1e-3 * (double)take_bits(&at, 4);
        }
        return true;
}

size_t peer_bytes_pack(const struct peer_word *w, uint8_t out[PEER_BYTES_LONGEST])
{
        uint8_t *at = out;

        *at++ = (uint8_t)w->says;
        switch (w->says) {
        case PEER_SAYS_NOTHING:
                return 0;
        case PEER_SAYS_STATE:
                put_state(&at, &w->state);
                break;
        case PEER_SAYS_HUB:
                put_hub(&at, &w->hub);
                break;
        case PEER_SAYS_RANGES:
                put_ranges(&at, &w->ranges);
                break;
        }
        return (size_t)(at - out);
}

bool peer_bytes_unpack(struct peer_word *w, const uint8_t *bytes, size_t len)
{
        *w = (struct peer_word){ .says = len > 0 ? (enum peer_says)bytes[0]
                                                 : PEER_SAYS_NOTHING };
        switch (w->says) {
        case PEER_SAYS_STATE:
                return take_state(bytes, len, &w->state);
        case PEER_SAYS_HUB:
                return take_hub(bytes, len, &w->hub);
        case PEER_SAYS_RANGES:
                return take_ranges(bytes, len, &w->ranges);
        case PEER_SAYS_NOTHING:
        default:
                return false;
        }
}
