#include "models/fc/hub.h"

#include <string.h>

#include "models/fc/flock/flock.h"

static const char *const behaviour_names[HUB_BEHAVIOURS] = { "separation", "alignment",
                                                             "cohesion", "targeting",
                                                             "avoid" };

_Static_assert(FLOCK_BEHAVIOURS == (1 << HUB_BEHAVIOURS) - 1, "a name for each");

const char *hub_behaviour_name(int bit)
{
        return behaviour_names[bit];
}

int hub_find_behaviour(const char *name)
{
        for (int i = 0; i < HUB_BEHAVIOURS; i++)
                if (strcmp(behaviour_names[i], name) == 0)
                        return i;
        return -1;
}

int hub_find_group(const struct hub_params *p, const char *name)
{
        for (int i = 0; i < p->groups; i++)
                if (strcmp(p->group[i].name, name) == 0)
                        return i;
        return -1;
}

void hub_init(struct hub *h, const struct hub_params *p)
{
        *h = (struct hub){ .round = -1 };
        for (int i = 0; i < HUB_MEMBERS_MAX; i++)
                h->heard_ns[i] = -1;
        for (int g = 0; g < p->groups; g++)
                h->group[g] = (struct hub_group){ .missing = -1,
                                                  .behaviours = p->group[g].behaviours,
                                                  .here_news = true };
}

void hub_hear(struct hub *h, int address)
{
        if (address >= 0 && address < HUB_MEMBERS_MAX)
                h->heard_ns[address] = h->t_ns;
}

static bool is_here(const struct hub *h, const struct hub_params *p, int address)
{
        return h->heard_ns[address] >= 0 &&
               h->t_ns - h->heard_ns[address] <= p->silent_ns;
}

static void count_members(struct hub *h, const struct hub_params *p, int group)
{
        const struct hub_group_params *of = &p->group[group];
        struct hub_group *g = &h->group[group];
        int here = 0, missing = -1;

        for (int i = of->members - 1; i >= 0; i--)
                if (is_here(h, p, of->member[i]))
                        here++;
                else
                        missing = of->member[i];
        if (missing == -1)
                g->here_news |= !g->gathered || g->here != here;
        else if (g->gathered)
                g->here_news |= g->here != here || g->missing != missing;
        g->gathered |= missing == -1;
        g->here = here;
        g->missing = missing;
}

bool hub_is_paused(const struct hub *h, const struct hub_params *p, int group)
{
        const struct hub_group *g = &h->group[group];

        return g->held || !g->gathered || (g->missing >= 0 && !p->goes_on);
}

void hub_hold(struct hub *h, int group, bool held)
{
        struct hub_group *g = &h->group[group];

        g->held_news |= g->held != held;
        g->due |= g->held != held;
        g->held = held;
}

void hub_switch_behaviours(struct hub *h, int group, uint32_t behaviours)
{
        struct hub_group *g = &h->group[group];

        g->behaviours_news |= g->behaviours != behaviours;
        g->due |= g->behaviours != behaviours;
        g->behaviours = behaviours;
}

static void throw_switch(struct hub *h, const struct hub_params *p,
                         const struct hub_switch *s)
{
        for (int g = 0; g < p->groups; g++) {
                if (s->group >= 0 && s->group != g)
                        continue;
                if (s->status_given)
                        hub_hold(h, g, s->paused);
                if (s->behaviours_given)
                        hub_switch_behaviours(h, g, s->behaviours);
        }
}

void hub_step(struct hub *h, const struct hub_params *p, int64_t t_ns)
{
        bool next = t_ns / p->period_ns != h->round;

        h->t_ns = t_ns;
        h->round = t_ns / p->period_ns;
        for (; h->switched < p->switches && p->at[h->switched].t_ns <= t_ns;
             h->switched++)
                throw_switch(h, p, &p->at[h->switched]);
        for (int g = 0; g < p->groups; g++) {
                bool paused = hub_is_paused(h, p, g);

                count_members(h, p, g);
                h->group[g].due |= next || hub_is_paused(h, p, g) != paused;
        }
}

int hub_due(struct hub *h, const struct hub_params *p)
{
        for (int g = 0; g < p->groups; g++)
                if (h->group[g].due) {
                        h->group[g].due = false;
                        return g;
                }
        return -1;
}
