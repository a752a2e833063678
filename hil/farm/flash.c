/* Firmware of boards: written by a tool, and asked for. */
#include <stdio.h>
#include <string.h>

#include "hil/farm/equip.h"
#include "hil/text/json.h"
#include "hil/time/clock.h"

#define PAUSE_NS                                                                         \
        (500 * NS_PER_MS) /* between two questions to a board that may still start */

static bool ends_in(const char *name, const char *end)
{
        size_t len = strlen(name), own = strlen(end);

        return len >= own && strcmp(name + len - own, end) == 0;
}

static bool has_addresses(const char *image)
{
        return ends_in(image, ".dfu") || ends_in(image, ".hex") || ends_in(image, ".elf");
}

static void add_pair(struct tool *t, const char *option, const char *value)
{
        if (value[0] == '\0')
                return;
        tool_add(t, "%s", option);
        tool_add(t, "%s", value);
}

static void add_dfu_util(struct tool *t, const struct farm_flash *f, const char *image)
{
        tool_add(t, "dfu-util");
        add_pair(t, strchr(f->id, ':') != NULL ? "-d" : "-S", f->id);
        tool_add(t, "-a");
        tool_add(t, "0");
        tool_add(t, "-s");
        tool_add(t, "%s:leave", has_addresses(image) ? "" : f->address);
        tool_add(t, "-D");
        tool_add(t, "%s", image);
}

static void add_openocd(struct tool *t, const struct farm_flash *f, const char *image)
{
        tool_add(t, "openocd");
        for (int i = 0; i < f->config.count; i++)
                add_pair(t, "-f", f->config.word[i]);
        if (f->id[0] != '\0') {
                tool_add(t, "-c");
                tool_add(t, "adapter serial %s", f->id);
        }
        tool_add(t, "-c");
        tool_add(t, "program {%s} verify reset exit %s", image,
                 has_addresses(image) ? "" : f->address);
}

static void add_st_flash(struct tool *t, const struct farm_flash *f, const char *image)
{
        tool_add(t, "st-flash");
        add_pair(t, "--serial", f->id);
        tool_add(t, "--reset");
        if (ends_in(image, ".hex"))
                add_pair(t, "--format", "ihex");
        tool_add(t, "write");
        tool_add(t, "%s", image);
        if (!ends_in(image, ".hex"))
                tool_add(t, "%s", f->address);
}

static void add_pyocd(struct tool *t, const struct farm_flash *f, const char *image)
{
        tool_add(t, "pyocd");
        tool_add(t, "flash");
        /* Without a probe it would wait for one. */
        tool_add(t, "-W");
        add_pair(t, "-u", f->id);
        add_pair(t, "-t", f->config.word[0]);
        if (!has_addresses(image))
                add_pair(t, "-a", f->address);
        tool_add(t, "%s", image);
}

static void add_uploader(struct tool *t, const struct farm_flash *f, const char *image)
{
        tool_add(t, "python3");
        tool_add(t, "%s", f->config.word[0]);
        add_pair(t, "--port", f->id);
        tool_add(t, "%s", image);
}

/* {image}, {board}, {link} and {usb} in the words of a command. */
static void add_command(struct tool *t, const struct farm_words *w,
                        const struct farm_board *b, const char *image)
{
        const char *const value[] = { image, b->name, b->link[0], b->usb };
        static const char *const key[] = { "{image}", "{board}", "{link}", "{usb}" };

        for (int i = 0; i < w->count; i++) {
                char word[TOOL_WORD_MAX] = "";
                size_t used = 0;

                for (const char *c = w->word[i]; *c != '\0' && used + 1 < sizeof word;) {
                        size_t k = 0;

                        while (k < 4 && strncmp(c, key[k], strlen(key[k])) != 0)
                                k++;
                        if (k == 4) {
                                word[used++] = *c++;
                                word[used] = '\0';
                                continue;
                        }
                        used += (size_t)snprintf(word + used, sizeof word - used, "%s",
                                                 value[k]);
                        c += strlen(key[k]);
                }
                tool_add(t, "%s", word);
        }
}

static void farm_flash_tool(const struct farm_board *board, const char *image,
                            struct tool *t)
{
        const struct farm_flash *f = &board->flash;

        t->words = 0;
        if (!f->used)
                return;
        switch (f->by) {
        case FLASH_DFU_UTIL:
                add_dfu_util(t, f, image);
                break;
        case FLASH_OPENOCD:
                add_openocd(t, f, image);
                break;
        case FLASH_ST_FLASH:
                add_st_flash(t, f, image);
                break;
        case FLASH_PYOCD:
                add_pyocd(t, f, image);
                break;
        case FLASH_UPLOADER:
                add_uploader(t, f, image);
                break;
        default:
                add_command(t, &f->command, board, image);
        }
}

static void farm_identify_tool(const struct farm_board *board, struct tool *t)
{
        const struct farm_identify *i = &board->identify;

        t->words = 0;
        if (!i->used)
                return;
        if (i->by == IDENTIFY_COMMAND) {
                add_command(t, &i->command, board, "");
                return;
        }
        tool_add(t, "/proc/self/exe");
        tool_add(t, "conform");
        tool_add(t, "--no-arm");
        tool_add(t, "--json");
        add_pair(t, "--step", "hello");
        add_pair(t, "--link", board->link[0]);
        tool_add(t, "--wait");
        tool_add(t, "%g", 1e-9 * (double)i->timeout_ns);
}

void farm_question_tool(const struct farm_board *board, const struct farm_question *q,
                        struct tool *t)
{
        t->words = 0;
        if (q->used)
                add_command(t, &q->command, board, "");
}

bool farm_tools_are_there(const struct farm_board *board, char *why, size_t cap)
{
        struct tool t[6];
        char missing[FARM_WHY_MAX];

        farm_power_tool(board, true, &t[0]);
        farm_power_tool(board, false, &t[1]);
        farm_flash_tool(board, "image.bin", &t[2]);
        farm_identify_tool(board, &t[3]);
        farm_question_tool(board, &board->parameters, &t[4]);
        farm_question_tool(board, &board->storage, &t[5]);
        why[0] = '\0';
        for (int i = 0; i < 6; i++) {
                size_t used = strlen(why);
                bool again = false;

                for (int k = 0; k < i && t[i].words > 0; k++)
                        again |=
                                t[k].words > 0 && strcmp(t[k].word[0], t[i].word[0]) == 0;
                if (t[i].words == 0 || again ||
                    tool_is_there(&t[i], missing, sizeof missing))
                        continue;
                snprintf(why + used, cap - used, "%s%s", used > 0 ? "; " : "", missing);
        }
        return why[0] == '\0';
}

/* Of a program its first line that is not empty; of the rig's own the board's name. */
static void take_answer(const struct farm_board *board, const char *said,
                        char words[FARM_WHY_MAX])
{
        struct json_error error;
        struct json *root;

        if (board->identify.by == IDENTIFY_COMMAND) {
                said += strspn(said, "\r\n\t ");
                snprintf(words, FARM_WHY_MAX, "%.*s", (int)strcspn(said, "\r\n"), said);
                return;
        }
        root = json_parse(said, strlen(said), "conform", &error);
        snprintf(words, FARM_WHY_MAX, "%s",
                 root != NULL && json_string(root, "board") != NULL
                         ? json_string(root, "board")
                         : "");
        json_free(root);
}

enum farm_outcome farm_identify(const struct farm_board *board, char words[FARM_WHY_MAX])
{
        int64_t until_ns = clock_now_ns() + board->identify.timeout_ns;
        char said[TOOL_SAID_MAX];
        struct tool t;

        farm_identify_tool(board, &t);
        if (t.words == 0) {
                snprintf(words, FARM_WHY_MAX, "has no \"identify\" in the farm file");
                return FARM_COULD_NOT;
        }
        if (!tool_is_there(&t, words, FARM_WHY_MAX))
                return FARM_COULD_NOT;
        while (!tool_run(&t, board->identify.timeout_ns, said, words, FARM_WHY_MAX)) {
                if (clock_now_ns() + PAUSE_NS >= until_ns)
                        return FARM_NOT_DONE;
                clock_sleep_until(clock_now_ns() + PAUSE_NS);
        }
        take_answer(board, said, words);
        if (words[0] != '\0')
                return FARM_DONE;
        snprintf(words, FARM_WHY_MAX, "was asked who it is, and said nothing");
        return FARM_NOT_DONE;
}

static enum farm_outcome verify(const struct farm_board *board, const char *says,
                                char words[FARM_WHY_MAX])
{
        char answer[FARM_WHY_MAX];
        enum farm_outcome asked;

        if (!board->identify.used) {
                snprintf(words, FARM_WHY_MAX,
                         "was flashed, and cannot be asked who it is: nobody knows "
                         "whether it has it");
                return FARM_NOT_SEEN;
        }
        asked = farm_identify(board, answer);
        if (asked != FARM_DONE) {
                snprintf(words, FARM_WHY_MAX, "was flashed, and does not answer: %.800s",
                         answer);
                return FARM_NOT_DONE;
        }
        if (says[0] == '\0') {
                snprintf(words, FARM_WHY_MAX,
                         "was flashed, and says \"%.700s\"; nobody said what it should",
                         answer);
                return FARM_NOT_SEEN;
        }
        if (strstr(answer, says) != NULL) {
                snprintf(words, FARM_WHY_MAX, "has it: it says \"%.800s\"", answer);
                return FARM_DONE;
        }
        snprintf(words, FARM_WHY_MAX,
                 "was flashed, and says \"%.600s\", which has no \"%.200s\" in it",
                 answer, says);
        return FARM_NOT_DONE;
}

enum farm_outcome farm_flash(const struct farm_board *board, const char *image,
                             const char *says, char words[FARM_WHY_MAX])
{
        char said[TOOL_SAID_MAX];
        struct tool t;

        farm_flash_tool(board, image, &t);
        if (t.words == 0) {
                snprintf(words, FARM_WHY_MAX, "has no \"flash\" in the farm file");
                return FARM_COULD_NOT;
        }
        if (!tool_is_there(&t, words, FARM_WHY_MAX) ||
            !tool_run(&t, board->flash.timeout_ns, said, words, FARM_WHY_MAX))
                return FARM_COULD_NOT;
        return verify(board, says, words);
}

enum farm_outcome farm_prepare(const struct farm_board *board,
                               const struct farm_wish *wish, char words[FARM_WHY_MAX])
{
        enum farm_outcome done = FARM_DONE;

        snprintf(words, FARM_WHY_MAX, "is ready");
        if (wish->cycle && board->power.used) {
                done = farm_power_cycle(board, words);
                if (done == FARM_COULD_NOT || done == FARM_NOT_DONE)
                        return done;
        }
        if (wish->image[0] == '\0')
                return done;
        if (wish->says[0] != '\0' && board->identify.used &&
            farm_identify(board, words) == FARM_DONE && strstr(words, wish->says) != NULL)
                return FARM_DONE;
        return farm_flash(board, wish->image, wish->says, words);
}
