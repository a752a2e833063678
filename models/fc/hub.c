#include "models/fc/hub.h"

#include <stdio.h>
#include <string.h>

#include "models/fc/laws/flock.h"

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

static void hold_group(struct hub_group *g, bool held)
{
        g->held_news |= g->held != held;
        g->due |= g->held != held;
        g->held = held;
}

static void set_behaviours(struct hub_group *g, uint32_t behaviours)
{
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
                        hold_group(&h->group[g], s->paused);
                if (s->behaviours_given)
                        set_behaviours(&h->group[g], s->behaviours);
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

static void describe_here(const struct hub *h, const struct hub_params *p, int group,
                          char *text)
{
        const struct hub_group *g = &h->group[group];
        const char *name = p->group[group].name;
        int members = p->group[group].members;

        if (!g->gathered)
                snprintf(text, HUB_TEXT_MAX, "hub: group %s waits for its %d members",
                         name, members);
        else if (g->missing < 0)
                snprintf(text, HUB_TEXT_MAX, "hub: group %s ready: %d of %d%s", name,
                         g->here, members, g->held ? ", held" : "");
        else
                snprintf(text, HUB_TEXT_MAX, "hub: group %s %s: %d is silent, %d of %d",
                         name, hub_is_paused(h, p, group) ? "paused" : "goes on",
                         g->missing, g->here, members);
}

static void describe_behaviours(const struct hub_group *g, const char *name, char *text)
{
        int used = snprintf(text, HUB_TEXT_MAX, "hub: group %s:", name);

        for (int i = 0; i < HUB_BEHAVIOURS; i++)
                if (g->behaviours >> i & 1)
                        used += snprintf(text + used, (size_t)(HUB_TEXT_MAX - used),
                                         " %s", behaviour_names[i]);
        if (g->behaviours == 0)
                snprintf(text + used, (size_t)(HUB_TEXT_MAX - used), " no behaviours");
}

bool hub_news(struct hub *h, const struct hub_params *p, char text[HUB_TEXT_MAX])
{
        for (int i = 0; i < p->groups; i++) {
                struct hub_group *g = &h->group[i];

                if (g->here_news) {
                        g->here_news = false;
                        describe_here(h, p, i, text);
                        return true;
                }
                if (g->held_news) {
                        g->held_news = false;
                        snprintf(text, HUB_TEXT_MAX, "hub: group %s %s", p->group[i].name,
                                 g->held                  ? "paused"
                                 : hub_is_paused(h, p, i) ? "may go when all are there"
                                                          : "goes on");
                        return true;
                }
                if (g->behaviours_news) {
                        g->behaviours_news = false;
                        describe_behaviours(g, p->group[i].name, text);
                        return true;
                }
        }
        return false;
}

/* The next word of a line, cut at the room that there is; false: there is none. */
static bool take_word(const char **line, char word[HUB_NAME_MAX])
{
        size_t len;

        *line += strspn(*line, " \t\r\n");
        len = strcspn(*line, " \t\r\n");
        snprintf(word, HUB_NAME_MAX, "%.*s", len < HUB_NAME_MAX ? (int)len : HUB_NAME_MAX,
                 *line);
        *line += len;
        return len > 0;
}

static bool take_behaviours(const char *line, uint32_t *behaviours, char *why)
{
        char word[HUB_NAME_MAX];

        for (*behaviours = 0; take_word(&line, word);) {
                int bit = hub_find_behaviour(word);

                if (bit < 0) {
                        snprintf(why, HUB_TEXT_MAX,
                                 "%s: no behaviour is called so; known: separation "
                                 "alignment cohesion targeting avoid",
                                 word);
                        return false;
                }
                *behaviours |= 1U << bit;
        }
        return true;
}

bool hub_obey(struct hub *h, const struct hub_params *p, const char *line,
              char why[HUB_TEXT_MAX])
{
        char verb[HUB_NAME_MAX] = "", name[HUB_NAME_MAX] = "", rest[HUB_NAME_MAX];
        bool behaves, known;
        uint32_t behaviours;
        int group;

        if (!take_word(&line, verb))
                return true;
        behaves = strcmp(verb, "behaviours") == 0;
        known = behaves || strcmp(verb, "pause") == 0 || strcmp(verb, "go") == 0;
        if (!known || !take_word(&line, name)) {
                snprintf(why, HUB_TEXT_MAX,
                         "%s: must be pause GROUP, go GROUP or behaviours GROUP NAME...",
                         verb);
                return false;
        }
        group = hub_find_group(p, name);
        if (group < 0) {
                snprintf(why, HUB_TEXT_MAX, "%s: no group is called so", name);
                return false;
        }
        if (behaves) {
                if (!take_behaviours(line, &behaviours, why))
                        return false;
                set_behaviours(&h->group[group], behaviours);
        } else if (take_word(&line, rest)) {
                snprintf(why, HUB_TEXT_MAX, "%s: is one word too many", rest);
                return false;
        } else {
                hold_group(&h->group[group], strcmp(verb, "pause") == 0);
        }
        return true;
}
