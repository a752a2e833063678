/* The hub of a fleet (Micklisch, Hilliard and ElAarag 3.4): which members of a group it has heard, and what they are told:
 * go on or pause, and which behaviours. It sends and receives nothing itself (hil/reference/hub_board.h does), and takes the
 * time from whoever steps it.
 *
 * A group pauses until all of its members have been heard: then it is ready. When one has been silent for silent_ns it
 * pauses until that one is back, or goes on without it, as configured. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HUB_GROUPS_MAX   8 /* words of one tick, FC_PEERS_MAX */
#define HUB_MEMBERS_MAX  256
#define HUB_SWITCHES_MAX 64
#define HUB_NAME_MAX     32
#define HUB_BEHAVIOURS   5 /* enum flock_behaviour */

struct hub_group_params {
        char name[HUB_NAME_MAX];
        int members;
        uint16_t member[HUB_MEMBERS_MAX]; /* addresses on the radio */
        uint32_t behaviours; /* at first; enum flock_behaviour */
};

struct hub_switch {
        int64_t t_ns;
        int group; /* -1: all */
        bool status_given, behaviours_given;
        bool paused;
        uint32_t behaviours;
};

struct hub_params {
        int64_t period_ns; /* of its words, T_hub */
        int64_t silent_ns;
        bool goes_on; /* without who is silent */
        int groups; /* 0: it is no hub */
        struct hub_group_params group[HUB_GROUPS_MAX];
        int switches;
        struct hub_switch at[HUB_SWITCHES_MAX]; /* by time */
};

struct hub_group {
        int here; /* members heard within silent_ns */
        int missing; /* the first that is not; -1: none */
        bool gathered; /* all have been here once */
        bool held; /* paused by a switch or a command */
        uint32_t behaviours;
        bool due; /* its word is to be sent */
        bool here_news, held_news, behaviours_news; /* that nobody has told yet */
};

struct hub {
        int64_t t_ns, round;
        int switched;
        int64_t heard_ns[HUB_MEMBERS_MAX]; /* -1: never */
        struct hub_group group[HUB_GROUPS_MAX];
};

void hub_init(struct hub *h, const struct hub_params *p);
/* A member's word came, now. */
void hub_hear(struct hub *h, int address);
void hub_step(struct hub *h, const struct hub_params *p, int64_t t_ns);
/* What the group is told. */
bool hub_is_paused(const struct hub *h, const struct hub_params *p, int group);
/* The next group whose word is to be sent now; -1: none. */
int hub_due(struct hub *h, const struct hub_params *p);

/* From now on, as its switches do. */
void hub_hold(struct hub *h, int group, bool held);
void hub_switch_behaviours(struct hub *h, int group, uint32_t behaviours);

/* "separation" to "avoid", by bit. */
const char *hub_behaviour_name(int bit);
/* -1: there is none. */
int hub_find_group(const struct hub_params *p, const char *name);
int hub_find_behaviour(const char *name);
