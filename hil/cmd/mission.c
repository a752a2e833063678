/* `hilrig mission`: what a mission file would have flown, and the same in another format. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/config/config.h"
#include "hil/mission/route.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

#define FILES_MAX 100
/* As a multicopter climbs by itself. */
#define CLIMB_MPS 1.0

struct mission_words {
        const char *fc, *out;
        double speed_mps;
        int to;
        bool lossy;
        int operands;
        const char *operand[FILES_MAX + 1];
};

static bool is_fc(const char *name)
{
        static const char *const fc[] = { "hilp", "ardupilot", "px4", "inav" };

        for (size_t i = 0; i < sizeof fc / sizeof fc[0]; i++)
                if (strcmp(name, fc[i]) == 0)
                        return true;
        return false;
}

static bool take_fc(void *of, const struct option_spec *spec, const char *value)
{
        ((struct mission_words *)of)->fc = value;
        return is_fc(value) ||
               terminal_complain("mission",
                                 "%s: must be hilp, ardupilot, px4 or inav, is \"%s\"",
                                 spec->name, value);
}

static bool take_format(void *of, const struct option_spec *spec, const char *value)
{
        struct mission_words *w = of;

        w->to = mission_format_find(value);
        return w->to >= 0 ||
               terminal_complain("mission", "%s: must be plan, wpl or mexo, is \"%s\"",
                                 spec->name, value);
}

static const struct option_spec specs[] = {
        { "--for", "FC",
          "check: also report what hilp, ardupilot, px4 or inav does not support",
          OTHER(take_fc) },
        { "--speed", "MPS",
          "check: speed between way-points until the mission gives one; 5",
          NUMBER(mission_words, speed_mps, 0.001, 1000) },
        { "--to", "FORMAT", "convert: to plan, wpl or mexo", OTHER(take_format) },
        { "--out", "FILE", "convert: written there instead of to standard output",
          TEXT(mission_words, out) },
        { "--lossy", NULL, "convert: even where the flight would change",
          FLAG(mission_words, lossy) },
        { NULL },
};

static const struct options options = {
        .command = "mission",
        .specs = specs,
        .operand = { "word", TEXTS(mission_words, operand, operands) },
        .usage = "mission check FILE... [--for FC] [--speed MPS]\n"
                 "       hilrig mission convert FILE --to plan|wpl|mexo [--out FILE] "
                 "[--lossy]",
};

static bool read_file(struct mission_plan *p, const char *path)
{
        struct mission_error why;
        struct config_error *file = calloc(1, sizeof *file);
        size_t len;
        char *text = file ? config_load_named(path, &len, file) : NULL;
        bool ok = text != NULL && mission_read(p, path, text, len, &why);

        if (text == NULL)
                options_complain("mission", file ? file->text : "out of memory");
        else if (!ok)
                terminal_complain("mission", "%s", why.text);
        free(text);
        free(file);
        return ok;
}

/* Without the sign of what is printed as 0. */
static double to_decimetre(double m)
{
        return round(10.0 * m) / 10.0 + 0.0;
}

static void print_stop(const struct route *r, int i, double at_s)
{
        const struct route_stop *s = &r->stop[i];

        printf("  %4d  %-18s", s->item + 1, mission_command_name(s->command));
        if (s->moves)
                printf("%9.1f %9.1f %8.1f %9.1f", to_decimetre(s->at_ned_m.x),
                       to_decimetre(s->at_ned_m.y),
                       to_decimetre(r->home_ned_m.z - s->at_ned_m.z), s->length_m);
        else
                printf("%9s %9s %8s %9s", "", "", "", "");
        printf(" %7.1f %7.1f %8.1f\n", s->speed_mps, s->hold_s, at_s);
}

static void print_route(const char *path, const struct mission_plan *p,
                        const struct route *r)
{
        double length_m = 0.0, at_s = 0.0;

        terminal_print(
                stdout,
                "%s: %d items, %d corners and circles of a fence, %d rally points%s\n",
                path, p->list[MISSION_LIST_ITEMS].count,
                p->list[MISSION_LIST_FENCE].count, p->list[MISSION_LIST_RALLY].count,
                p->has_home ? "" : "; no home: its first place is taken for it");
        printf("\n  item  %-18s%9s %9s %8s %9s %7s %7s %8s\n", "", "north m", "east m",
               "up m", "leg m", "m/s", "hold s", "at s");
        for (int i = 0; i < r->stops; i++) {
                length_m += r->stop[i].length_m;
                at_s += r->stop[i].needs_s;
                print_stop(r, i, at_s);
        }
        printf("\n  %.1f m, %.1f s\n", length_m, at_s);
}

static int check_file(const struct mission_words *w, const char *path)
{
        struct mission_plan plan = { 0 };
        struct route route = { 0 };
        struct route_setup setup = { .radius_m = 2.0,
                                     .speed_mps = w->speed_mps,
                                     .climb_mps = CLIMB_MPS };
        struct earth_position home;
        char why[200];
        int doubts = -1;

        if (read_file(&plan, path)) {
                /* A mission of commands without a place begins anywhere. */
                if (route_home(&plan, &home))
                        setup.origin = (struct earth_origin){ home.lat_rad, home.lon_rad,
                                                              home.height_m };
                if (!route_make(&route, &plan, &setup, why, sizeof why)) {
                        terminal_complain("mission", "%s: %s", path, why);
                } else {
                        print_route(path, &plan, &route);
                        doubts = mission_doubts(stdout, &plan, &route, w->fc);
                }
        }
        route_free(&route);
        mission_plan_free(&plan);
        return doubts;
}

/* 2: one could not be read or flown; 1: one is doubtful. */
static int check_files(const struct mission_words *w)
{
        int status = 0;

        for (int i = 1; i < w->operands; i++) {
                int doubts = check_file(w, w->operand[i]);

                if (doubts < 0)
                        status = 2;
                else if (doubts > 0 && status == 0)
                        status = 1;
        }
        return status;
}

static int convert_plan(const struct mission_words *w, const struct mission_plan *plan)
{
        struct mission_losses losses = { 0 };
        char *text = mission_write(plan, (enum mission_format)w->to, &losses);
        int status = 0;

        for (int i = 0; i < losses.count && i < MISSION_LOSSES_TOLD; i++)
                terminal_print(stderr, "hilrig mission: not in \"%s\": %s\n",
                               mission_format_name[w->to], losses.text[i]);
        if (losses.count > MISSION_LOSSES_TOLD)
                fprintf(stderr, "hilrig mission: and %d more\n",
                        losses.count - MISSION_LOSSES_TOLD);
        if (losses.grave > 0 && !w->lossy) {
                terminal_complain("mission",
                                  "%s: nothing written: the flight would be "
                                  "another one; --lossy writes it even so",
                                  w->operand[1]);
                free(text);
                return 1;
        }
        if (w->out != NULL)
                return text_file_leave("mission", w->out, text) ? 0 : 2;
        if (text == NULL) {
                terminal_complain("mission", "out of memory");
                status = 2;
        } else {
                fputs(text, stdout);
        }
        free(text);
        return status;
}

static int convert_file(const struct mission_words *w)
{
        struct mission_plan plan = { 0 };
        int status = 2;

        if (w->to < 0 || w->operands != 2)
                terminal_complain("mission",
                                  "convert needs one file and --to plan|wpl|mexo");
        else if (read_file(&plan, w->operand[1]))
                status = convert_plan(w, &plan);
        mission_plan_free(&plan);
        return status;
}

int mission_command(int argc, char **argv)
{
        struct mission_words w = { .speed_mps = 5.0, .to = -1 };
        int status = options_read(&options, argc, argv, &w);

        if (status != OPTIONS_READ)
                return status;
        if (w.operands >= 2 && strcmp(w.operand[0], "check") == 0)
                return check_files(&w);
        if (w.operands >= 1 && strcmp(w.operand[0], "convert") == 0)
                return convert_file(&w);
        terminal_complain("mission",
                          "needs check FILE... or convert FILE --to plan|wpl|mexo");
        return 2;
}
