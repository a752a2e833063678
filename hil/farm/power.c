/* Power of boards: switched by a tool, and looked at. */
#include <stdio.h>
#include <string.h>

#include "hil/farm/equip.h"
#include "hil/time/clock.h"

#define TOOL_LIMIT_NS (60 * NS_PER_S)

static void add_words(struct tool *t, const struct farm_words *w)
{
        for (int i = 0; i < w->count; i++)
                tool_add(t, "%s", w->word[i]);
}

void farm_power_tool(const struct farm_board *board, bool on, struct tool *t)
{
        const struct farm_power *p = &board->power;

        t->words = 0;
        if (!p->used)
                return;
        switch (p->by) {
        case POWER_UHUBCTL:
                tool_add(t, "uhubctl");
                if (p->place[0] != '\0') {
                        tool_add(t, "-l");
                        tool_add(t, "%s", p->place);
                }
                tool_add(t, "-p");
                tool_add(t, "%s", p->outlet);
                tool_add(t, "-a");
                tool_add(t, on ? "on" : "off");
                break;
        case POWER_USBRELAY:
                tool_add(t, "usbrelay");
                tool_add(t, "%s=%d", p->outlet, on);
                break;
        case POWER_SISPMCTL:
                tool_add(t, "sispmctl");
                if (p->place[0] != '\0') {
                        tool_add(t, "-D");
                        tool_add(t, "%s", p->place);
                }
                tool_add(t, on ? "-o" : "-f");
                tool_add(t, "%s", p->outlet);
                break;
        default:
                add_words(t, on ? &p->on : &p->off);
        }
}

/* What nothing but a meter can tell. */
static enum farm_outcome measure(const struct farm_board *board, char words[FARM_WHY_MAX])
{
        char said[TOOL_SAID_MAX], why[FARM_WHY_MAX - 60];
        struct tool t = { 0 };

        add_words(&t, &board->power.measure);
        if (tool_run(&t, board->power.timeout_ns, said, why, sizeof why)) {
                snprintf(words, FARM_WHY_MAX, "is without power, as measured");
                return FARM_DONE;
        }
        snprintf(words, FARM_WHY_MAX, "still has power, as measured (%s)", why);
        return FARM_NOT_DONE;
}

/* After the tool said that it is off. was_there: its device, before that. */
static enum farm_outcome look_off(const struct farm_board *board, bool was_there,
                                  struct farm_times *times, char words[FARM_WHY_MAX])
{
        const struct farm_power *p = &board->power;
        char name[FARM_LINK_MAX + 20];
        bool hub = p->by == POWER_UHUBCTL;

        farm_device_name(board, name, sizeof name);
        if (name[0] != '\0' && !farm_device_await(board, DEVICE_GONE, p->timeout_ns)) {
                snprintf(words, FARM_WHY_MAX,
                         "was switched off, and its %s is still there after %g s%s", name,
                         1e-9 * (double)p->timeout_ns,
                         hub ? ": the hub cuts neither power nor data" : "");
                return FARM_NOT_DONE;
        }
        if (was_there)
                times->seen_ns = clock_now_ns();
        if (p->measure.count > 0)
                return measure(board, words);
        if (name[0] == '\0') {
                snprintf(words, FARM_WHY_MAX,
                         "was switched off; nothing shows whether it is (it has no usb, "
                         "and "
                         "no link with a device file)");
                return FARM_NOT_SEEN;
        }
        if (!was_there) {
                snprintf(words, FARM_WHY_MAX,
                         "was switched off; its %s was gone before, so that nothing "
                         "shows whether it is",
                         name);
                return FARM_NOT_SEEN;
        }
        snprintf(words, FARM_WHY_MAX, "is off: its %s is gone%s", name,
                 hub ? "; whether the hub cuts the power or the data alone only "
                       "power.measure can tell"
                     : "");
        return FARM_DONE;
}

static enum farm_outcome look_on(const struct farm_board *board, struct farm_times *times,
                                 char words[FARM_WHY_MAX])
{
        char name[FARM_LINK_MAX + 20];

        farm_device_name(board, name, sizeof name);
        if (name[0] == '\0') {
                snprintf(words, FARM_WHY_MAX,
                         "was switched on; nothing shows whether it is");
                return FARM_NOT_SEEN;
        }
        if (farm_device_await(board, DEVICE_THERE, board->power.timeout_ns)) {
                times->seen_ns = clock_now_ns();
                snprintf(words, FARM_WHY_MAX, "is on: its %s is there", name);
                return FARM_DONE;
        }
        snprintf(words, FARM_WHY_MAX,
                 "was switched on, and its %s is not there after %g s", name,
                 1e-9 * (double)board->power.timeout_ns);
        return FARM_NOT_DONE;
}

enum farm_outcome farm_power_timed(const struct farm_board *board, bool on,
                                   struct farm_times *times, char words[FARM_WHY_MAX])
{
        bool was_there = farm_device(board) == DEVICE_THERE;
        char said[TOOL_SAID_MAX];
        struct tool t;

        farm_power_tool(board, on, &t);
        if (t.words == 0) {
                snprintf(words, FARM_WHY_MAX, "has no \"power\" in the farm file");
                return FARM_COULD_NOT;
        }
        *times = (struct farm_times){ .told_ns = clock_now_ns() };
        if (!tool_is_there(&t, words, FARM_WHY_MAX) ||
            !tool_run(&t, TOOL_LIMIT_NS, said, words, FARM_WHY_MAX))
                return FARM_COULD_NOT;
        return on ? look_on(board, times, words)
                  : look_off(board, was_there, times, words);
}

enum farm_outcome farm_power(const struct farm_board *board, bool on,
                             char words[FARM_WHY_MAX])
{
        struct farm_times times;

        return farm_power_timed(board, on, &times, words);
}

enum farm_outcome farm_power_cycle(const struct farm_board *board,
                                   char words[FARM_WHY_MAX])
{
        char off[FARM_WHY_MAX], on[FARM_WHY_MAX];
        enum farm_outcome was = farm_power(board, false, off), is;

        if (was == FARM_COULD_NOT) {
                memcpy(words, off, FARM_WHY_MAX);
                return was;
        }
        /* On again in any case: nobody is left without. */
        clock_sleep_until(clock_now_ns() + board->power.off_ns);
        is = farm_power(board, true, on);
        snprintf(words, FARM_WHY_MAX, "%.430s; %.430s", off, on);
        return is == FARM_COULD_NOT || was == FARM_DONE ? is : was;
}
