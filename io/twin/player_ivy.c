/* Plays a flight as Paparazzi's link puts it on an Ivy bus: ROTORCRAFT_FP. */
#include <stdio.h>
#include <stdlib.h>

#include "io/twin/ivy_bus.h"
#include "io/twin/ivy_message.h"
#include "io/twin/player.h"

struct player_ivy {
        struct twin_player player;
        struct ivy_bus bus;
        int aircraft;
        char pattern[64];
};

static struct twin_player *open_ivy(const char *where, const char *aircraft,
                                    struct link_error *why)
{
        struct player_ivy *p = calloc(1, sizeof *p);
        char *end;
        long id = strtol(aircraft, &end, 10);

        if (p == NULL) {
                snprintf(why->text, sizeof why->text, "out of memory");
                return NULL;
        }
        p->aircraft = (int)id;
        snprintf(p->pattern, sizeof p->pattern, "^hilrig FINKEN_SONAR (%d) (.*)",
                 p->aircraft);
        if (id >= 1 && id <= 254 && *end == '\0') {
                if (ivy_bus_open(&p->bus, where, "hilrig twin play", p->pattern, why))
                        return &p->player;
        } else {
                snprintf(why->text, sizeof why->text,
                         "aircraft: must be its number on the bus, 1 to 254, is "
                         "\"%.40s\"",
                         aircraft);
        }
        free(p);
        return NULL;
}

static void serve_ivy(struct twin_player *player, int64_t now_ns)
{
        struct player_ivy *p = (struct player_ivy *)player;

        while (ivy_bus_take(&p->bus, now_ns) != NULL)
                player->told++;
        player->heard |= ivy_bus_subscribers(&p->bus) > 0;
}

static void say_ivy(struct twin_player *player, uint32_t now, const struct twin_word *s)
{
        struct player_ivy *p = (struct player_ivy *)player;
        struct twin_other own = { .vel_ned_mps = s->vel_ned_mps };
        char text[IVY_TEXT_MAX];

        if ((now & TWIN_POSITION) == 0)
                return;
        own.pose.pos_ned_m = s->pos_ned_m;
        own.pose.q_body_to_ned = s->q_body_to_ned;
        ivy_message_write_vehicle(text, sizeof text, p->aircraft, s->measured_ns, &own);
        if (ivy_bus_send(&p->bus, text) > 0)
                player->said++;
        else
                player->dropped++;
}

static void close_ivy(struct twin_player *player)
{
        struct player_ivy *p = (struct player_ivy *)player;

        ivy_bus_close(&p->bus);
        free(p);
}

const struct twin_player_ops twin_player_ivy = {
        .name = "ivy",
        .where = "",
        .aircraft = "147",
        .open = open_ivy,
        .serve = serve_ivy,
        .say = say_ivy,
        .close = close_ivy,
};
