#include "io/twin/replay.h"

#include <stdio.h>

#include "io/twin/player.h"

#define SECOND_NS INT64_C(1000000000)
#define MOST      256 /* of reads, and of messages said, in a call */

static bool refuse(struct link_error *why, const char *name, const char *what)
{
        snprintf(why->text, sizeof why->text, "%.150s: %s", name, what);
        return false;
}

static bool open_link(struct twin_replay *r, const char *name, const char *where,
                      struct link_error *why)
{
        struct link_spec spec;

        if (!link_spec_parse(&spec, where, why))
                return false;
        r->link = link_open(&spec, why);
        if (r->link == NULL)
                return false;
        if (r->link->packets == r->recording.packets)
                return true;
        return refuse(why, name,
                      r->link->packets ? "was recorded over TCP: --at must be one"
                                       : "was recorded over UDP: --at must be one");
}

bool twin_replay_open(struct twin_replay *r, const uint8_t *bytes, size_t len,
                      const char *name, const char *as, const char *where,
                      struct link_error *why)
{
        const struct twin_player_ops *player = twin_player_named(as, why);
        bool texts;

        *r = (struct twin_replay){ .called_ns = INT64_MIN / 2 };
        if (player == NULL || !recording_open(&r->recording, bytes, len,
                                              player == &twin_player_mavlink, name, why))
                return false;
        texts = r->recording.kind == RECORDING_TEXTS;
        if (texts != (player == &twin_player_ivy))
                return refuse(
                        why, name,
                        texts ? "is a log of Paparazzi's: --as must be ivy"
                              : "is a capture: --as must be mavlink, natnet or vrpn");
        r->waiting = recording_next(&r->recording, &r->next);
        if (!r->waiting)
                return refuse(why, name, "its server says nothing");
        r->first_ns = r->next.t_ns;
        where = where != NULL ? where : player->where;
        if (texts)
                return ivy_bus_open(&r->bus, where, "hilrig twin play", "^$", why);
        if (open_link(r, name, where, why))
                return true;
        twin_replay_close(r);
        return false;
}

void twin_replay_close(struct twin_replay *r)
{
        if (r->link != NULL)
                link_close(r->link);
        else if (r->bus.node != NULL)
                ivy_bus_close(&r->bus);
        r->link = NULL;
        r->bus.node = NULL;
}

/* What is asked was answered in the recording; false: the other end has left. */
static bool hear(struct twin_replay *r, int64_t now_ns)
{
        uint8_t bytes[2048];
        int got = 0;

        if (r->link == NULL) {
                while (ivy_bus_take(&r->bus, now_ns) != NULL)
                        ;
                r->heard |= ivy_bus_subscribers(&r->bus) > 0;
                return true;
        }
        link_at(r->link, now_ns);
        for (int i = 0; i < MOST; i++) {
                got = link_read(r->link, bytes, sizeof bytes);
                if (got <= 0)
                        break;
                link_confirm(r->link);
                r->heard = true;
        }
        return got != LINK_GONE || !r->heard;
}

/* False: not now. */
static bool say(struct twin_replay *r)
{
        const uint8_t *bytes = r->next.bytes + r->sent;
        size_t left = r->next.len - r->sent;
        char text[IVY_TEXT_MAX];
        int done;

        if (r->link == NULL) {
                snprintf(text, sizeof text, "%.*s", (int)left, (const char *)bytes);
                return ivy_bus_send(&r->bus, text) > 0;
        }
        done = link_write(r->link, bytes, left);
        if (done > 0)
                r->sent += (size_t)done;
        return done == (int)left;
}

/* A stream loses nothing; a packet that cannot go is gone. */
static bool say_next(struct twin_replay *r)
{
        if (say(r))
                r->said++;
        else if (r->recording.packets)
                r->dropped++;
        else
                return false;
        r->sent = 0;
        r->waiting = recording_next(&r->recording, &r->next);
        return true;
}

/* Who is spoken to first hears so that somebody is there. */
static void call(struct twin_replay *r, int64_t now_ns)
{
        if (r->link == NULL || !r->link->packets || now_ns - r->called_ns < SECOND_NS)
                return;
        r->called_ns = now_ns;
        say(r);
        r->sent = 0;
}

bool twin_replay_serve(struct twin_replay *r, int64_t now_ns)
{
        bool there;

        if (!r->heard)
                r->began_ns = now_ns;
        there = hear(r, now_ns);
        if (!r->heard) {
                call(r, now_ns);
                return true;
        }
        for (int i = 0; i < MOST && there && r->waiting &&
                        r->next.t_ns - r->first_ns <= now_ns - r->began_ns;
             i++)
                if (!say_next(r))
                        break;
        return there && r->waiting;
}
