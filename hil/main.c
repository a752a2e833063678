/* `hilrig COMMAND ...`: finds the command and hands it its words. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/text/terminal.h"
#include "hil/text/version.h"

static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
        const char *help;
} commands[] = {
        { "run", run_command, "fly a rig and judge the flight" },
        { "check", check_command, "validate rig files and print what would run" },
        { "ports", ports_command, "serial and USB devices that could be a board" },
        { "suite", suite_command, "fly scenarios x rigs x seeds x repeats" },
        { "campaign", campaign_command,
          "fly firmware versions x suite x faults, on boards" },
        { "farm", farm_command, "boards: who has each, power, firmware, who it is" },
        { "compare", compare_command, "a baseline's runs against a candidate's" },
        { "bisect", bisect_command, "the first bad one of an ordered list of builds" },
        { "history", history_command, "releases in their order, and where they changed" },
        { "replay", replay_command, "re-fly a recorded run and compare its signal" },
        { "retrace", retrace_command, "the rig's vehicle beside a log of a flight" },
        { "identify", identify_command, "a vehicle file from a log of a flight" },
        { "report", report_command, "a run as a page to look at, report.html" },
        { "view", view_command, "recorded runs on a page that plays them" },
        { "calibrate", calibrate_command,
          "scale and bias of an accelerometer from a run in six positions" },
        { "conform", conform_command,
          "whether a board speaks HILP as it should, step by step" },
        { "capture", capture_command,
          "motor pads by logic analyzer, capture board or recording" },
        { "fc", fc_command, "the reference flight controller on its own" },
        { "mission", mission_command, "check mission files, convert them" },
        { "twin", twin_command, "say the log of a flight as telemetry" },
        { "hub", hub_command, "a fleet's hub on its own, with commands" },
        { "latency", latency_command,
          "sensor-to-motor latency and the loop's margins, by stimulus" },
        { "host", host_command,
          "what this machine does to real time, and what to change" },
        { "bench", bench_command,
          "speed of the plant, the sensors, the links, the host" },
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static void print_help(FILE *out)
{
        fprintf(out, "usage: hilrig COMMAND ...\n\n"
                     "Flies a drone's flight controller on the bench: simulates the "
                     "vehicle, sends\n"
                     "it sensor data, reads its motors.\n\n");
        for (size_t i = 0; i < COMMANDS; i++)
                fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].help);
        fprintf(out, "\nhilrig COMMAND --help tells more; --version prints the version.\n"
                     "Exit status: 0 passed, 1 failed its verdict, 2 could not run, 3 "
                     "ran but void.\n");
}

static int run(int argc, char **argv)
{
        if (argc < 2) {
                print_help(stderr);
                return 2;
        }
        if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
                print_help(stdout);
                return 0;
        }
        if (strcmp(argv[1], "--version") == 0) {
                printf("hilrig %s\n", hilrig_version());
                return 0;
        }
        for (size_t i = 0; i < COMMANDS; i++)
                if (strcmp(argv[1], commands[i].name) == 0)
                        return commands[i].run(argc - 2, argv + 2);
        terminal_print(stderr, "hilrig: %s: no such command; see hilrig --help\n",
                       argv[1]);
        return 2;
}

/* What was printed has arrived; a reader who left a pipe early has seen enough. */
static bool printed_whole(void)
{
        int error = fflush(stdout) == 0 ? 0 : errno;
        struct stat st;

        if ((error == 0 && !ferror(stdout)) ||
            (fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode)))
                return true;
        /* Of what failed before the end nobody has kept the reason. */
        fprintf(stderr, "hilrig: standard output could not be written%s%s\n",
                error != 0 ? ": " : "", error != 0 ? strerror(error) : "");
        return false;
}

int main(int argc, char **argv)
{
        int status;

        /* Whoever writes learns from the result that a peer hung up, or that a file has become too large. */
        signal(SIGPIPE, SIG_IGN);
        signal(SIGXFSZ, SIG_IGN);
        status = run(argc, argv);
        return printed_whole() || status != 0 ? status : 2;
}
