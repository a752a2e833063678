/* `hilrig farm`: the boards of a farm file: who has each, its power, its firmware, who it is, its health. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/cmd/farm_health.h"
#include "hil/console/options.h"
#include "hil/farm/equip.h"
#include "hil/text/terminal.h"

#define OPERANDS_MAX 3

struct farm_command {
        const char *file;
        struct farm_wish wish;
        struct health_options health;
        int period_us; /* of it */
        bool held;
        int operands;
        const char *operand[OPERANDS_MAX]; /* what is to be done, the board, and how */
        struct farm_file farm;
};

static const struct option_spec specs[] = {
        { "--farm", "FILE", "the inventory, instead of farm.json",
          TEXT(farm_command, file) },
        { "--says", "TEXT",
          "flash, prepare: text in the board's answer by which the image is recognised",
          TEXT(farm_command, wish.says) },
        { "--image", "FILE",
          "prepare: flash this, unless the board says it has it already",
          TEXT(farm_command, wish.image) },
        { "--cycle", NULL,
          "prepare: power-cycle it first, where its power can be switched",
          FLAG(farm_command, wish.cycle) },
        { "--held", NULL, "the caller holds the board's lock already",
          FLAG(farm_command, held) },
        { "--out", "DIR", "health: folder for the results, which go to DIR/BOARD",
          TEXT(farm_command, health.out) },
        { "--boots", "N", "health: how often it is switched off and on, 1 to 1000; 16",
          WHOLE(farm_command, health.boots, 1, HEALTH_BOOTS_MAX) },
        { "--soak", "S", "health: seconds of frames after each boot, 0 to 86400; 10",
          NUMBER(farm_command, health.soak_s, 0, 86400) },
        { "--period-us", "N", "health: of the rig's loop, 100 to 100000; 1000",
          WHOLE(farm_command, period_us, 100, 100000) },
        { NULL },
};

static const struct options options = {
        .command = "farm",
        .specs = specs,
        .operand = { "word", TEXTS(farm_command, operand, operands) },
        .usage = "farm status [BOARD] [--farm FILE]\n"
                 "       hilrig farm slurm [--farm FILE]\n"
                 "       hilrig farm power BOARD on|off|cycle\n"
                 "       hilrig farm flash BOARD IMAGE [--says TEXT]\n"
                 "       hilrig farm identify BOARD\n"
                 "       hilrig farm prepare BOARD [--cycle] [--image FILE] [--says "
                 "TEXT]\n"
                 "       hilrig farm health BOARD --out DIR [--boots N] [--soak S] "
                 "[--period-us N]\n\n"
                 "Exit status 0: done and verified; 1: it was found otherwise, or of "
                 "status:\n"
                 "something is missing; 2: could not be done; 3: done, and cannot be "
                 "verified.",
};

static bool complain(const char *why)
{
        options_complain("farm", why);
        return false;
}

static const struct farm_board *find_board(const struct farm_command *c, const char *name)
{
        for (int i = 0; i < c->farm.boards; i++)
                if (strcmp(c->farm.board[i].name, name) == 0)
                        return &c->farm.board[i];
        terminal_complain("farm", "%s: %s has no board of this name", name, c->file);
        return NULL;
}

/* False: something of it is missing. */
static bool print_status(const struct farm_command *c, const struct farm_board *b)
{
        static const char *const device[] = { "gone", "there", "not to be seen" };
        enum farm_device seen = farm_device(b);
        char name[FARM_LINK_MAX + 20], holder[300], why[500];
        bool ok = seen != DEVICE_GONE;

        farm_device_name(b, name, sizeof name);
        if (!farm_board_is_here(b)) {
                terminal_print(stdout, "%-12s %-12s at %s: not looked at from here\n",
                               b->name, b->family, b->host);
                return true;
        }
        terminal_print(stdout, "%-12s %-12s %s%s%s", b->name, b->family, name,
                       name[0] != '\0' ? " " : "", device[seen]);
        if (!farm_board_holder(&c->farm, b, holder, sizeof holder, why, sizeof why)) {
                terminal_print(stdout, "; %s", why);
                ok = false;
        } else {
                terminal_print(stdout, "; %s%s", holder[0] != '\0' ? "held by " : "free",
                               holder);
        }
        if (!farm_tools_are_there(b, why, sizeof why)) {
                terminal_print(stdout, "; %s", why);
                ok = false;
        }
        putchar('\n');
        return ok;
}

static int tell_status(const struct farm_command *c)
{
        const struct farm_board *only = NULL;
        bool ok = true;

        if (c->operands == 2 && (only = find_board(c, c->operand[1])) == NULL)
                return 2;
        for (int i = 0; i < c->farm.boards; i++)
                if (only == NULL || only == &c->farm.board[i])
                        ok = print_status(c, &c->farm.board[i]) && ok;
        return ok ? 0 : 1;
}

/* How many boards of the family and computer of board i there are; 0: one before it was of these, too. */
static int count_like(const struct farm_file *farm, int i)
{
        const struct farm_board *b = farm->board;
        int n = 0;

        for (int k = 0; k < farm->boards; k++) {
                bool like = strcmp(b[k].host, b[i].host) == 0 &&
                            strcmp(b[k].family, b[i].family) == 0;

                if (like && k < i)
                        return 0;
                n += like;
        }
        return n;
}

/* What Slurm has to know of the boards. Which one a flight gets, the locks decide: Slurm counts them. */
static int print_slurm(const struct farm_command *c)
{
        char own[NAME_MAX_LEN];

        farm_host(own);
        printf("# gres.conf\n");
        for (int i = 0; i < c->farm.boards; i++) {
                const struct farm_board *b = &c->farm.board[i];
                int n = count_like(&c->farm, i);

                if (n > 0)
                        printf("NodeName=%s Name=board Type=%s Count=%d\n",
                               b->host[0] != '\0' ? b->host : own, b->family, n);
        }
        printf("# slurm.conf: GresTypes=board, and of each node\n");
        for (int i = 0; i < c->farm.boards; i++) {
                const struct farm_board *b = c->farm.board;
                bool first = true;

                for (int k = 0; k < i; k++)
                        first = first && strcmp(b[k].host, b[i].host) != 0;
                if (!first)
                        continue;
                printf("# NodeName=%s Gres=", b[i].host[0] != '\0' ? b[i].host : own);
                for (int k = i; k < c->farm.boards; k++)
                        if (strcmp(b[k].host, b[i].host) == 0 &&
                            count_like(&c->farm, k) > 0)
                                printf("%sboard:%s:%d", k > i ? "," : "", b[k].family,
                                       count_like(&c->farm, k));
                printf("\n");
        }
        return 0;
}

static enum farm_outcome switch_power(const struct farm_board *b, const char *how,
                                      char words[FARM_WHY_MAX])
{
        if (strcmp(how, "cycle") == 0)
                return farm_power_cycle(b, words);
        if (strcmp(how, "on") == 0 || strcmp(how, "off") == 0)
                return farm_power(b, how[1] == 'n', words);
        snprintf(words, FARM_WHY_MAX, "power must be on, off or cycle, is \"%.60s\"",
                 how);
        return FARM_COULD_NOT;
}

static enum farm_outcome act(const struct farm_command *c, const struct farm_board *b,
                             char words[FARM_WHY_MAX])
{
        const char *what = c->operand[0];

        if (strcmp(what, "power") == 0)
                return switch_power(b, c->operand[2], words);
        if (strcmp(what, "flash") == 0)
                return farm_flash(b, c->operand[2], c->wish.says, words);
        if (strcmp(what, "prepare") == 0)
                return farm_prepare(b, &c->wish, words);
        return farm_identify(b, words);
}

static int act_and_tell(const struct farm_command *c, const struct farm_board *b)
{
        char words[FARM_WHY_MAX];
        enum farm_outcome outcome = act(c, b, words);

        if (outcome == FARM_DONE)
                terminal_print(stdout, "%s: %s\n", b->name, words);
        else
                terminal_complain("farm", "%s: %s", b->name, words);
        return outcome == FARM_DONE        ? 0
               : outcome == FARM_NOT_DONE  ? 1
               : outcome == FARM_COULD_NOT ? 2
                                           : 3;
}

/* A board that somebody flies on is left alone. */
static int act_on_board(struct farm_command *c)
{
        const struct farm_board *b = find_board(c, c->operand[1]);
        char words[FARM_WHY_MAX], holder[300];
        int fd = -1, status;

        if (b == NULL)
                return 2;
        if (!farm_board_is_here(b))
                return terminal_complain(
                               "farm",
                               "%s: is plugged into %s, by %s; this is another computer",
                               b->name, b->host, c->file),
                       2;
        snprintf(holder, sizeof holder, "hilrig farm %s, process %ld", c->operand[0],
                 (long)getpid());
        if (!c->held && !farm_board_take(&c->farm, b, holder, &fd, words, sizeof words))
                return complain(words), 2;
        if (!c->held && fd < 0) {
                if (!farm_board_holder(&c->farm, b, holder, sizeof holder, words,
                                       sizeof words))
                        holder[0] = '\0';
                terminal_complain("farm", "%s: is held by %s", b->name, holder);
                return 2;
        }
        status = strcmp(c->operand[0], "health") == 0 ? farm_health_command(b, &c->health)
                                                      : act_and_tell(c, b);
        if (fd >= 0)
                close(fd);
        return status;
}

/* How many words go with what is to be done; 0: nobody knows it. */
static int operands_of(const char *what)
{
        static const struct {
                const char *what;
                int operands;
        } known[] = {
                { "power", 3 },   { "flash", 3 },  { "identify", 2 },
                { "prepare", 2 }, { "health", 2 },
        };

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
                if (strcmp(what, known[i].what) == 0)
                        return known[i].operands;
        return 0;
}

static bool check_words(const struct farm_command *c)
{
        int wanted;

        if (c->operands == 0)
                return terminal_complain(
                        "farm", "needs status, slurm, power, flash, "
                                "identify, prepare or health; see hilrig farm --help");
        if (strcmp(c->operand[0], "status") == 0)
                return c->operands <= 2 ||
                       terminal_complain("farm", "status: one board, or none for all");
        if (strcmp(c->operand[0], "slurm") == 0)
                return c->operands == 1 ||
                       terminal_complain("farm", "slurm: of all boards");
        wanted = operands_of(c->operand[0]);
        if (wanted == 0)
                return terminal_complain("farm",
                                         "%s: must be status, slurm, power, flash, "
                                         "identify, prepare or health",
                                         c->operand[0]);
        if (strcmp(c->operand[0], "health") == 0 && c->health.out == NULL)
                return terminal_complain("farm", "health: needs --out DIR");
        return c->operands == wanted ||
               terminal_complain("farm", "%s: needs %s; see hilrig farm --help",
                                 c->operand[0],
                                 wanted == 2 ? "a board" : "a board and a word more");
}

int farm_command(int argc, char **argv)
{
        struct farm_command c = { .file = "farm.json",
                                  .wish = { .image = "", .says = "" } };
        struct config_error why;
        int status;

        farm_health_preset(&c.health);
        status = options_read(&options, argc, argv, &c);
        if (status != OPTIONS_READ)
                return status;
        if (c.period_us > 0)
                c.health.period_ns = (int64_t)c.period_us * 1000;
        status = 2;
        if (!check_words(&c))
                return 2;
        if (!config_read_farm(&c.farm, c.file, &why))
                complain(why.text);
        else if (strcmp(c.operand[0], "status") == 0)
                status = tell_status(&c);
        else if (strcmp(c.operand[0], "slurm") == 0)
                status = print_slurm(&c);
        else
                status = act_on_board(&c);
        config_farm_free(&c.farm);
        return status;
}
