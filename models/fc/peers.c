#include "models/fc/peers.h"

#include <math.h>
#include <string.h>

void peers_init(struct peers *k)
{
        *k = (struct peers){ .said_ns = -1, .behaviours = FLOCK_BEHAVIOURS };
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

static void hear_state(struct peers *k, const struct fc_estimator *e, int from,
                       const struct peer_state *state)
{
        struct peer heard = { .address = from,
                              .flying = state->flying,
                              .t_ns = state->place.t_ns,
                              .vel_ned_mps = state->place.vel_ned_mps,
                              .obstacles = state->obstacles };

        if (!e->origin_known)
                return;
        heard.pos_ned_m = earth_to_ned(&e->origin, state->place.at);
        for (int i = 0; i < heard.obstacles; i++)
                heard.obstacle_ned_m[i] =
                        vec3_add(heard.pos_ned_m, state->obstacle_ned_m[i]);
        keep(k, e, &heard);
}

static bool is_named(const struct peers *k, const struct peer_hub *h)
{
        return h->all || (k->address < PEER_NAMED_MAX &&
                          (h->named[k->address / 8] >> k->address % 8 & 1));
}

void peers_hear(struct peers *k, const struct fc_estimator *e, int from,
                const struct peer_word *word)
{
        if (from == k->address)
                return;
        if (word->says == PEER_SAYS_STATE)
                hear_state(k, e, from, &word->state);
        if (word->says == PEER_SAYS_HUB && is_named(k, &word->hub)) {
                k->paused = !word->hub.go;
                k->behaviours = word->hub.behaviours;
        }
}

bool peers_in_turn(const struct peers *k, double period_s, double late, int64_t said_ns,
                   int64_t t_ns)
{
        int64_t period_ns = llrint(period_s * 1e9);
        int64_t turn_ns =
                period_ns * k->address / k->radios + llrint(late * period_s * 1e9);

        return t_ns >= turn_ns &&
               (said_ns < turn_ns ||
                (t_ns - turn_ns) / period_ns > (said_ns - turn_ns) / period_ns);
}

/* The nearest that it sees itself. */
static void say_obstacles(struct peer_state *state, const struct flock_view *seen)
{
        for (int i = 0; i < seen->sonars && state->obstacles < PEER_OBSTACLES_MAX; i++)
                if (seen->sonar_m[i] < 300.0)
                        state->obstacle_ned_m[state->obstacles++] =
                                vec3_scale(seen->sonar_m[i], seen->sonar_ned[i]);
}

bool peers_say(struct peers *k, const struct fc_estimator *e,
               const struct flock_params *p, const struct flock_view *seen, bool flying,
               int64_t t_ns, struct peer_word *out)
{
        if (!k->radio || !e->origin_known ||
            !peers_in_turn(k, p->period_s, 0.0, k->said_ns, t_ns))
                return false;
        k->said_ns = t_ns;
        *out = (struct peer_word){
                .says = PEER_SAYS_STATE,
                .state = { .place = { t_ns, earth_from_ned(&e->origin, e->pos_ned_m),
                                      e->vel_ned_mps },
                           .flying = flying }
        };
        say_obstacles(&out->state, seen);
        return true;
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
