#include "hil/reference/hub_words.h"

#include <stdio.h>
#include <string.h>

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
                                         " %s", hub_behaviour_name(i));
        if (g->behaviours == 0)
                snprintf(text + used, (size_t)(HUB_TEXT_MAX - used), " no behaviours");
}

bool hub_words_news(struct hub *h, const struct hub_params *p, char text[HUB_TEXT_MAX])
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

bool hub_words_obey(struct hub *h, const struct hub_params *p, const char *line,
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
                hub_switch_behaviours(h, group, behaviours);
        } else if (take_word(&line, rest)) {
                snprintf(why, HUB_TEXT_MAX, "%s: is one word too many", rest);
                return false;
        } else {
                hub_hold(h, group, strcmp(verb, "pause") == 0);
        }
        return true;
}
