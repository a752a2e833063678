/* Any commands, and any states of members at any times, into a hub: what it counts is what there is, its words are for its own
 * groups, and what it says ends. Lines of the input are commands; of one that begins with "@" the bytes behind are members
 * that are heard, and a step of time after each. */
#include <assert.h>

#include "hil/reference/hub_words.h"
#include "models/fc/flock/flock.h"
#include "tests/fuzz/fuzz.h"

static const struct hub_params params = {
        .period_ns = 100000000,
        .silent_ns = 1000000000,
        .groups = 2,
        .group = { { "a", 3, { 0, 1, 255 }, FLOCK_BEHAVIOURS }, { "b", 1, { 7 }, 0 } },
};

static void check_hub(struct hub *h)
{
        char text[HUB_TEXT_MAX];
        int g, news = 0;

        for (g = 0; g < params.groups; g++) {
                assert(h->group[g].here >= 0 &&
                       h->group[g].here <= params.group[g].members);
                assert((h->group[g].missing < 0) ==
                               (h->group[g].here == params.group[g].members) ||
                       h->round < 0);
                assert(h->group[g].behaviours <= FLOCK_BEHAVIOURS);
        }
        while ((g = hub_due(h, &params)) >= 0)
                assert(g < params.groups);
        for (; hub_words_news(h, &params, text); news++)
                assert(strlen(text) < sizeof text);
        assert(news <= 3 * params.groups);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        char line[300], why[HUB_TEXT_MAX];
        int64_t t_ns = 0;
        struct hub h;

        hub_init(&h, &params);
        while (size > 0) {
                const uint8_t *end = memchr(data, '\n', size);
                size_t used = end != NULL ? (size_t)(end - data) + 1 : size;
                size_t len = used < sizeof line ? used : sizeof line - 1;

                memcpy(line, data, len);
                line[len] = '\0';
                for (size_t i = 1; line[0] == '@' && i < len; i++) {
                        hub_hear(&h, (uint8_t)line[i]);
                        t_ns += line[i] * 4000000LL + 600000000;
                        hub_step(&h, &params, t_ns);
                        check_hub(&h);
                }
                if (line[0] != '@' && !hub_words_obey(&h, &params, line, why))
                        assert(strlen(why) > 0 && strlen(why) < sizeof why);
                check_hub(&h);
                data += used;
                size -= used;
        }
        return 0;
}
