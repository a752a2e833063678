/* `hilrig twin play`: the log of a flight, or a recorded conversation, said as telemetry, at its pace, to whoever
 * listens. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"
#include "hil/time/clock.h"
#include "hil/time/stop_signals.h"
#include "io/twin/player.h"
#include "io/twin/replay.h"

struct play {
        const char *word[2], *log, *as, *at, *aircraft;
        int words;
        struct twin_player *player;
        struct twin_source *flight;
        int stop;
};

static const struct option_spec specs[] = {
        { "--as", "SOURCE", "ivy, mavlink, natnet or vrpn", TEXT(play, as) },
        { "--at", "WHERE",
          "bus or link, instead of the one that the protocol is known by",
          TEXT(play, at) },
        { "--aircraft", "NAME", "name or number, instead of 147, 1, Drone and Drone",
          TEXT(play, aircraft) },
        { NULL },
};

static const struct options options = {
        .command = "twin",
        .specs = specs,
        .operand = { "flight", TEXTS(play, word, words) },
        .usage = "twin play LOG[#N][@S] --as SOURCE [--at WHERE] [--aircraft NAME]\n"
                 "       hilrig twin play RECORDING --as SOURCE [--at WHERE]\n\n"
                 "Waits for a listener, then plays the flight once, at its own pace. "
                 "LOG as for\nhilrig retrace; from S seconds of it on. RECORDING: a "
                 "capture (pcap) of a server of\nSOURCE, or a log of Paparazzi's "
                 "(.data). Exit status 0: said; 2: could not be.",
};

#define STEP_NS (1 * NS_PER_MS)

static bool open_play(struct play *p, struct link_error *why)
{
        struct twin_setup setup = { .where = p->log, .aircraft = "" };

        p->flight = twin_source_open("log", &setup, why);
        if (p->flight == NULL)
                return false;
        p->player = twin_player_open(p->as, p->at, p->aircraft, why);
        if (p->player == NULL)
                p->flight->ops->close(p->flight);
        return p->player != NULL;
}

/* Until somebody is there; false: told to stop. */
static bool wait_for_listener(struct play *p)
{
        int64_t next_ns = clock_now_ns();

        while (!p->player->heard) {
                if (stop_signals_came(p->stop))
                        return false;
                p->player->ops->serve(p->player, clock_now_ns());
                next_ns += STEP_NS;
                clock_sleep_until(next_ns);
        }
        return true;
}

static void say_flight(struct play *p)
{
        int64_t begin_ns = clock_now_ns(), next_ns = begin_ns;
        struct twin_word word;

        while (!p->flight->gone && !stop_signals_came(p->stop)) {
                int64_t now_ns = clock_now_ns();

                p->player->ops->serve(p->player, now_ns);
                while (p->flight->ops->take(p->flight, now_ns - begin_ns, &word))
                        twin_player_say(p->player, &word);
                next_ns += STEP_NS;
                clock_sleep_until(next_ns);
        }
        printf("%.1f s: %llu messages said, %llu dropped, %llu came back\n",
               (double)(clock_now_ns() - begin_ns) * 1e-9,
               (unsigned long long)p->player->said,
               (unsigned long long)p->player->dropped,
               (unsigned long long)p->player->told);
}

static void say_again(struct play *p, struct twin_replay *r)
{
        int64_t next_ns = clock_now_ns();

        while (!stop_signals_came(p->stop) && twin_replay_serve(r, clock_now_ns())) {
                next_ns += STEP_NS;
                clock_sleep_until(next_ns);
        }
        printf("%llu messages said, %llu dropped, %llu of the recording skipped%s\n",
               (unsigned long long)r->said, (unsigned long long)r->dropped,
               (unsigned long long)r->recording.skipped,
               r->recording.broken ? ", which misses a piece: nothing behind it was said"
                                   : "");
}

static void say_that_it_waits(struct play *p)
{
        p->stop = stop_signals_open();
        printf("%s: waits for a twin with \"source\": \"%s\"\n", p->log, p->as);
        fflush(stdout);
}

static int play_recording(struct play *p, const void *bytes, size_t len)
{
        struct twin_replay r;
        struct link_error why;

        if (p->aircraft != NULL) {
                terminal_complain("twin",
                                  "%s: is a recording, which says itself who it "
                                  "is: no --aircraft",
                                  p->log);
                return 2;
        }
        if (!twin_replay_open(&r, bytes, len, p->log, p->as, p->at, &why)) {
                terminal_complain("twin", "%s", why.text);
                return 2;
        }
        say_that_it_waits(p);
        say_again(p, &r);
        twin_replay_close(&r);
        return 0;
}

static int play_flight(struct play *p)
{
        struct link_error why;

        if (!open_play(p, &why)) {
                terminal_complain("twin", "%s", why.text);
                return 2;
        }
        say_that_it_waits(p);
        if (wait_for_listener(p))
                say_flight(p);
        p->player->ops->close(p->player);
        p->flight->ops->close(p->flight);
        return 0;
}

static int play(struct play *p)
{
        const char *why;
        size_t len;
        const void *bytes = mapped_file_open(p->log, &len, &why);
        int status = bytes != NULL && recording_kind(bytes, len) != RECORDING_NONE
                             ? play_recording(p, bytes, len)
                             : play_flight(p);

        mapped_file_close(bytes, len);
        if (p->stop >= 0)
                close(p->stop);
        return status;
}

int twin_command(int argc, char **argv)
{
        struct play p = { .stop = -1 };
        int status = options_read(&options, argc, argv, &p);

        if (status != OPTIONS_READ)
                return status;
        if (p.words > 0 && strcmp(p.word[0], "play") != 0)
                return terminal_complain("twin", "must be play, is \"%s\"", p.word[0]), 2;
        p.log = p.word[1];
        if (p.words == 2 && p.as != NULL)
                return play(&p);
        terminal_complain("twin",
                          "must be play LOG --as SOURCE; hilrig twin --help tells more");
        return 2;
}
