/* `hilrig conform`: whether a board speaks HILP as the page demands, step by step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hil/time/clock.h"
#include "hil/cmd/commands.h"
#include "hil/cmd/conform_vehicle.h"
#include "hil/conform/conform.h"
#include "hil/console/options.h"
#include "hil/text/spelling.h"
#include "hil/time/stop_signals.h"
#include "hil/text/terminal.h"

struct conform_request {
        struct conform_options options;
        const char *link, *vehicle;
        int rotors, period_us; /* 0: not given */
        double wait_s;
        bool chosen[CONFORM_STEPS_MAX];
        bool chose, no_arm, json, list;
};

static const char *nearest_step(const char *value)
{
        int least = spelling_limit(value);
        const char *near = NULL;

        for (int i = 0; i < conform_step_count(); i++) {
                int distance = spelling_distance(value, conform_steps[i].name);

                if (distance >= least)
                        continue;
                least = distance;
                near = conform_steps[i].name;
        }
        return near;
}

static bool take_step(void *of, const struct option_spec *spec, const char *value)
{
        struct conform_request *r = of;
        int i = conform_step_find(value);

        if (i < 0) {
                const char *near = nearest_step(value);

                return terminal_complain(
                        "conform", "%s: no step is called \"%s\"%s%s%s", spec->name,
                        value,
                        near != NULL ? ", did you mean \"" : "; --list prints them",
                        near != NULL ? near : "", near != NULL ? "\"?" : "");
        }
        r->chosen[i] = r->chose = true;
        return true;
}

static const struct option_spec specs[] = {
        { "--link", "LINK", "where the board is, e.g. uart:/dev/ttyACM0@921600",
          TEXT(conform_request, link) },
        { "--rotors", "N", "of the vehicle that it is to fly, 1 to 8; 4",
          WHOLE(conform_request, rotors, 1, HILP_ROTORS_MAX) },
        { "--vehicle", "FILE",
          "a vehicle or rig file: judge which way the outputs push by its rotors",
          TEXT(conform_request, vehicle) },
        { "--period-us", "N",
          "of the rig's loop, 100 to 100000, at which it must keep up; 1000",
          WHOLE(conform_request, period_us, 100, 100000) },
        { "--seconds", "S", "for which each frame rate is kept, 0.1 to 600; 1",
          NUMBER(conform_request, options.rate_s, 0.1, 600) },
        { "--align", "S", "of simulated time within which it must arm, 1 to 600; 30",
          NUMBER(conform_request, options.align_s, 1, 600) },
        { "--silence", "S",
          "without frames after which its motors must have stopped, 0.2 to 600; 6",
          NUMBER(conform_request, options.silence_s, 0.2, 600) },
        { "--wait", "S",
          "for a peer to connect to, and for its first answer, 0.1 to 600; 10",
          NUMBER(conform_request, wait_s, 0.1, 600) },
        { "--limit", "S",
          "of the host's time: a step that would take longer is skipped, 1 to 86400; "
          "120",
          NUMBER(conform_request, options.limit_s, 1, 86400) },
        { "--no-arm", NULL, "leave out the steps that turn motors",
          FLAG(conform_request, no_arm) },
        { "--step", "NAME", "this step alone, and the first; may be given several times",
          OTHER(take_step) },
        { "--list", NULL, "print the steps and what each claims, and end",
          FLAG(conform_request, list) },
        { "--json", NULL, "one JSON object instead of lines",
          FLAG(conform_request, json) },
        { NULL },
};

static const struct options options = {
        .command = "conform",
        .specs = specs,
        .usage =
                "conform --link LINK [--rotors N | --vehicle FILE] [--period-us N]\n"
                "                     [--seconds S] [--align S] [--silence S] [--wait S] "
                "[--limit S]\n"
                "                     [--no-arm] [--step NAME]... [--list] [--json]\n\n"
                "Asks a board, step by step, whether it speaks HILP. It arms: propellers "
                "off, or\n--no-arm. Ctrl-C disarms.\n"
                "Exit status 0: every step passed; 1: one failed; 2: could not run; 3: "
                "interrupted;\n4: none failed, and some were left out or could not be "
                "judged.",
};

static int list_steps(bool json)
{
        if (json)
                return conform_print_list_json(stdout) ? 0 : 2;
        for (int i = 0; i < conform_step_count(); i++)
                printf("%-11s  %s%s\n", conform_steps[i].name, conform_steps[i].claim,
                       i == conform_step_find("signs") ? " (armed, with --vehicle)"
                       : conform_steps[i].turns_motors ? " (armed)"
                                                       : "");
        return 0;
}

/* The first step says who is there, whatever was chosen; and whether it arms, for those that need it. */
static void choose(struct conform_request *r)
{
        r->chosen[0] = true;
        for (int i = 0; i < conform_step_count(); i++) {
                /* Without a vehicle there is nothing to hold the signs against. */
                if (!r->chose)
                        r->chosen[i] =
                                i != conform_step_find("signs") || r->options.has_vehicle;
                else if (r->chosen[i] && conform_steps[i].turns_motors)
                        r->chosen[conform_step_find("arm")] = true;
        }
}

/* Some take seconds: on a terminal the name of the one that is asked stands where its result will. */
static void name_step(int i, bool terminal)
{
        if (terminal)
                printf("%-7s  %s\r", "asking", conform_steps[i].name);
        fflush(stdout);
}

static void clear_name(bool terminal)
{
        if (terminal)
                printf("\x1b[K");
}

/* 0: no terminal, or one that is too narrow to break lines for. */
static int terminal_width(void)
{
        struct winsize size;

        if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 60)
                return 0;
        return size.ws_col - 1;
}

/* False: the user has stopped it, or reads no more. */
static bool ask_step(struct conform *c, const struct conform_request *r, int i)
{
        bool terminal = !r->json && isatty(STDOUT_FILENO) == 1;

        name_step(i, terminal);
        if (ferror(stdout) != 0)
                return terminal_complain("conform", "could not be printed");
        conform_run_step(c, i);
        clear_name(terminal);
        if (!c->talk.wire->stopped)
                return true;
        fflush(stdout);
        return terminal_complain("conform", "interrupted in the step %s",
                                 conform_steps[i].name);
}

/* The exit status. */
static int ask(struct conform *c, const struct conform_request *r, const char *link)
{
        int answered, printed = 0, width = terminal_width();

        if (!r->json)
                conform_print_board(c, link, stdout);
        for (int i = 0; i < conform_step_count(); i++) {
                if (r->chosen[i] && !ask_step(c, r, i))
                        return c->talk.wire->stopped ? 3 : 2;
                if (!r->json)
                        printed = conform_print_steps(c, r->chosen, printed, i + 1, width,
                                                      stdout);
        }
        answered = conform_failures(c, r->chosen) > 0   ? 1
                   : conform_left_out(c, r->chosen) > 0 ? 4
                                                        : 0;
        if (!r->json)
                conform_print_sum(c, r->chosen, stdout);
        else if (!conform_print_json(c, link, r->chosen, stdout))
                answered = 2;
        return answered;
}

/* A board that starts late is waited for as one that answers late. NULL: with the reason. */
static struct link *open_link(const struct conform_request *r, struct link_error *why)
{
        struct link_spec spec;

        if (!link_spec_parse(&spec, r->link, why))
                return NULL;
        spec.patience_ms = (int)(r->options.hello_ns / NS_PER_MS);
        return link_open(&spec, why);
}

static int run(const struct conform_request *r)
{
        struct link_error why;
        struct conform_wire wire;
        struct link *link = NULL;
        struct conform *c = calloc(1, sizeof *c);
        int status = 2, stop_fd;

        if (c == NULL)
                terminal_complain("conform", "out of memory");
        else if ((link = open_link(r, &why)) == NULL)
                terminal_complain("conform", "%s", why.text);
        if (link != NULL) {
                if (link->note[0] != '\0')
                        terminal_complain("conform", "%s: %s", link->name, link->note);
                stop_fd = stop_signals_open();
                conform_wire_link(&wire, link, stop_fd);
                conform_init(c, &wire, &r->options);
                status = ask(c, r, link->name);
                conform_close(c);
                link_close(link);
                if (stop_fd >= 0)
                        close(stop_fd);
        }
        free(c);
        return status;
}

/* What has another unit there. */
static void take_words(struct conform_request *r)
{
        if (r->rotors > 0)
                r->options.rotors = r->rotors;
        if (r->period_us > 0)
                r->options.period_ns = (int64_t)r->period_us * 1000;
        if (r->wait_s > 0.0)
                r->options.hello_ns = (int64_t)(r->wait_s * 1e9);
        if (r->no_arm)
                r->options.arm = false;
}

int conform_command(int argc, char **argv)
{
        struct conform_request r = { .link = NULL };
        int status;

        conform_options_default(&r.options);
        status = options_read(&options, argc, argv, &r);
        if (status != OPTIONS_READ)
                return status;
        take_words(&r);
        if (r.list)
                return list_steps(r.json);
        if (r.link == NULL) {
                terminal_complain("conform", "needs --link LINK");
                return 2;
        }
        if (r.vehicle != NULL && r.rotors > 0) {
                fprintf(stderr, "hilrig conform: --rotors: --vehicle says how many\n");
                return 2;
        }
        if (r.vehicle != NULL && !conform_read_vehicle(&r.options, r.vehicle))
                return 2;
        if (r.chosen[conform_step_find("signs")] && !r.options.has_vehicle) {
                fprintf(stderr, "hilrig conform: --step: signs needs --vehicle FILE\n");
                return 2;
        }
        choose(&r);
        return run(&r);
}
