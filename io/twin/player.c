/* All players, and what a flight has said so far. */
#include "io/twin/player.h"

#include <stdio.h>

static const struct twin_player_ops *const players[] = {
        &twin_player_ivy, &twin_player_mavlink, &twin_player_natnet, &twin_player_vrpn
};
#define PLAYERS (sizeof players / sizeof players[0])

const struct twin_player_ops *twin_player_named(const char *name, struct link_error *why)
{
        char names[100] = "";
        size_t used = 0;

        for (size_t i = 0; i < PLAYERS; i++) {
                if (strcmp(players[i]->name, name) == 0)
                        return players[i];
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         i > 0 ? ", " : "", players[i]->name);
        }
        snprintf(why->text, sizeof why->text, "\"%.40s\" cannot be played; %s can", name,
                 names);
        return NULL;
}

struct twin_player *twin_player_open(const char *name, const char *where,
                                     const char *aircraft, struct link_error *why)
{
        const struct twin_player_ops *ops = twin_player_named(name, why);
        struct twin_player *p;

        if (ops == NULL)
                return NULL;
        p = ops->open(where != NULL ? where : ops->where,
                      aircraft != NULL ? aircraft : ops->aircraft, why);
        if (p != NULL) {
                p->ops = ops;
                p->so_far.q_body_to_ned = (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        }
        return p;
}

void twin_player_say(struct twin_player *p, const struct twin_word *word)
{
        struct twin_word *s = &p->so_far;

        if (word->said & TWIN_POSITION)
                s->pos_ned_m = word->pos_ned_m;
        if (word->said & TWIN_VELOCITY)
                s->vel_ned_mps = word->vel_ned_mps;
        if (word->said & TWIN_ATTITUDE)
                s->q_body_to_ned = word->q_body_to_ned;
        if (word->said & TWIN_RATE)
                s->rate_body_radps = word->rate_body_radps;
        if (word->said & TWIN_THROTTLE)
                s->throttle_ratio = word->throttle_ratio;
        s->said |= word->said;
        s->measured_ns = word->measured_ns;
        p->ops->say(p, word->said, s);
}
