#include "models/fc/peers.h"

#include <math.h>
#include <string.h>

enum { SAYS_STATE = 1, SAYS_HUB = 2 };

#define STATE_BYTES 25
#define NS_PER_MS   1000000LL
#define E7_PER_RAD  (1e7 * 180.0 / M_PI)

void peers_init(struct peers *k)
{
        *k = (struct peers){ .said_ns = -1, .behaviours = FLOCK_BEHAVIOURS };
}

static void put_number(uint8_t **at, double value, int bytes)
{
        double most = ldexp(1.0, 8 * bytes - 1) - 1.0;
        int64_t n = llrint(fmin(fmax(value, -most), most));

        for (int i = 0; i < bytes; i++)
                *(*at)++ = (uint8_t)((uint64_t)n >> (8 * i));
}

/* Two's complement. */
static double take_number(const uint8_t **at, int bytes)
{
        uint64_t bits = 0;

        for (int i = 0; i < bytes; i++)
                bits |= (uint64_t) * (*at)++ << (8 * i);
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

/* Where it stands in the list, or would. */
static int place_of(const struct peers *k, int address)
{
        int i = 0;

        while (i < k->count && k->at[i].address < address)
                i++;
        return i;
}

static double distance_m(const struct fc_estimator *e, const struct peer *p)
{
        return vec3_norm(vec3_sub(p->pos_ned_m, e->pos_ned_m));
}

static void forget(struct peers *k, int i)
{
        k->count--;
        memmove(&k->at[i], &k->at[i + 1], (size_t)(k->count - i) * sizeof k->at[0]);
}

/* For one more. False: it is farther than all that are known. */
static bool make_room(struct peers *k, const struct fc_estimator *e,
                      const struct peer *incoming)
{
        int farthest = 0;

        if (k->count < FLOCK_OTHERS_MAX)
                return true;
        for (int i = 1; i < k->count; i++)
                if (distance_m(e, &k->at[i]) > distance_m(e, &k->at[farthest]))
                        farthest = i;
        if (distance_m(e, incoming) >= distance_m(e, &k->at[farthest]))
                return false;
        forget(k, farthest);
        return true;
}

static void keep(struct peers *k, const struct fc_estimator *e, const struct peer *heard)
{
        int i = place_of(k, heard->address);
        bool known = i < k->count && k->at[i].address == heard->address;

        if (known && heard->t_ns < k->at[i].t_ns)
                return; /* overtaken on its way */
        if (!known) {
                if (!make_room(k, e, heard))
                        return;
                i = place_of(k, heard->address);
                memmove(&k->at[i + 1], &k->at[i],
                        (size_t)(k->count - i) * sizeof k->at[0]);
                k->count++;
        }
        k->at[i] = *heard;
}

bool peers_is_state(const uint8_t *bytes, size_t len)
{
        return len >= STATE_BYTES && bytes[0] == SAYS_STATE &&
               bytes[24] <= PEER_OBSTACLES_MAX && len == STATE_BYTES + 6U * bytes[24];
}

size_t peers_hub_word(bool go, uint32_t behaviours, const uint16_t *address, int count,
                      uint8_t out[PEERS_HUB_MAX])
{
        size_t len = 3;

        memset(out, 0, PEERS_HUB_MAX);
        out[0] = SAYS_HUB;
        out[1] = go;
        out[2] = (uint8_t)behaviours;
        for (int i = 0; i < count; i++) {
                size_t at = 3U + address[i] / 8U;

                out[at] |= (uint8_t)(1U << address[i] % 8U);
                len = at >= len ? at + 1 : len;
        }
        return len;
}

static bool is_addressed(const struct peers *k, const uint8_t *bytes, size_t len)
{
        size_t at = 3U + (size_t)k->address / 8U;

        return len == 3 || (at < len && bytes[at] >> k->address % 8 & 1);
}

static void hear_hub(struct peers *k, const uint8_t *bytes, size_t len)
{
        if (len < 3 || bytes[2] > FLOCK_BEHAVIOURS || !is_addressed(k, bytes, len))
                return;
        k->paused = !(bytes[1] & 1);
        k->behaviours = bytes[2];
}

static void hear_state(struct peers *k, const struct fc_estimator *e, int from,
                       const uint8_t *bytes, size_t len)
{
        const uint8_t *at = bytes + 2;
        struct peer heard = { .address = from };
        struct earth_position there;

        if (!e->origin_known || !peers_is_state(bytes, len))
                return;
        heard.flying = bytes[1] & 1;
        heard.t_ns = (int64_t)(uint32_t)(int64_t)take_number(&at, 4) * NS_PER_MS;
        there.lat_rad = take_number(&at, 4) / E7_PER_RAD;
        there.lon_rad = take_number(&at, 4) / E7_PER_RAD;
        there.height_m = 1e-3 * take_number(&at, 4);
        if (fabs(there.lat_rad) > M_PI_2 || fabs(there.lon_rad) > M_PI)
                return;
        heard.pos_ned_m = earth_to_ned(&e->origin, there);
        heard.vel_ned_mps = take_vector(&at, 0.01);
        heard.obstacles = *at++;
        for (int i = 0; i < heard.obstacles; i++)
                heard.obstacle_ned_m[i] =
                        vec3_add(heard.pos_ned_m, take_vector(&at, 0.01));
        keep(k, e, &heard);
}

void peers_hear(struct peers *k, const struct fc_estimator *e, int from,
                const uint8_t *bytes, size_t len)
{
        if (len == 0 || from == k->address)
                return;
        if (bytes[0] == SAYS_STATE)
                hear_state(k, e, from, bytes, len);
        if (bytes[0] == SAYS_HUB)
                hear_hub(k, bytes, len);
}

/* Its turn in the period: as far into it as its address is among all. */
static bool is_due(const struct peers *k, const struct flock_params *p, int64_t t_ns)
{
        int64_t period_ns = llrint(p->period_s * 1e9);
        int64_t turn_ns = period_ns * k->address / k->radios;

        return t_ns >= turn_ns &&
               (k->said_ns < turn_ns ||
                (t_ns - turn_ns) / period_ns > (k->said_ns - turn_ns) / period_ns);
}

/* The nearest that it sees itself. */
static int put_obstacles(uint8_t *at, const struct flock_view *seen)
{
        int count = 0;

        for (int i = 0; i < seen->sonars && count < PEER_OBSTACLES_MAX; i++) {
                if (!(seen->sonar_m[i] < 300.0))
                        continue;
                put_vector(&at, vec3_scale(seen->sonar_m[i], seen->sonar_ned[i]), 100.0);
                count++;
        }
        return count;
}

size_t peers_say(struct peers *k, const struct fc_estimator *e,
                 const struct flock_params *p, const struct flock_view *seen, bool flying,
                 int64_t t_ns, uint8_t out[PEERS_SAID_MAX])
{
        struct earth_position here;
        uint8_t *at = out + 2;

        if (!k->radio || !e->origin_known || !is_due(k, p, t_ns))
                return 0;
        k->said_ns = t_ns;
        here = earth_from_ned(&e->origin, e->pos_ned_m);
        out[0] = SAYS_STATE;
        out[1] = flying;
        for (int i = 0; i < 4; i++)
                *at++ = (uint8_t)((uint64_t)(t_ns / NS_PER_MS) >> (8 * i));
        put_number(&at, here.lat_rad * E7_PER_RAD, 4);
        put_number(&at, here.lon_rad * E7_PER_RAD, 4);
        put_number(&at, here.height_m * 1e3, 4);
        put_vector(&at, e->vel_ned_mps, 100.0);
        *at = (uint8_t)put_obstacles(at + 1, seen);
        return STATE_BYTES + 6U * *at;
}

static void add_obstacle(struct flock_view *v, struct vec3 pos_ned_m)
{
        if (v->obstacles < FLOCK_OBSTACLES_MAX)
                v->obstacle_ned_m[v->obstacles++] = pos_ned_m;
}

void peers_view(struct peers *k, const struct flock_params *p, int64_t t_ns,
                struct flock_view *v)
{
        v->address = k->address;
        v->behaviours = k->behaviours;
        v->others = v->obstacles = 0;
        for (int i = k->count - 1; i >= 0; i--)
                if (t_ns - k->at[i].t_ns > llrint(p->silent_s * 1e9))
                        forget(k, i);
        for (int i = 0; i < k->count; i++) {
                const struct peer *o = &k->at[i];

                if (!o->flying ||
                    vec3_norm(vec3_sub(o->pos_ned_m, v->pos_ned_m)) >= p->radius_m)
                        continue;
                v->other[v->others++] =
                        (struct flock_other){ o->address, o->pos_ned_m, o->vel_ned_mps };
                for (int n = 0; n < o->obstacles; n++)
                        add_obstacle(v, o->obstacle_ned_m[n]);
        }
        for (int i = 0; i < v->sonars; i++)
                if (isfinite(v->sonar_m[i]))
                        add_obstacle(v, vec3_axpy(v->pos_ned_m, v->sonar_m[i],
                                                  v->sonar_ned[i]));
}
