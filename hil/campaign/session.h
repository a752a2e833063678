/* What flies of a campaign at the moment, and on which boards. */
#pragma once

#include <signal.h>

#include "hil/campaign/campaign.h"
#include "hil/process/child.h"

#define SESSION_TROUBLE_MAX                                                              \
        3 /* flights in a row that do not run on a board until it is left out */

struct session_board {
        bool held; /* by a flight of this campaign */
        bool left_out;
        int flights, trouble; /* in a row */
};

/* A place for one flight. */
struct session_slot {
        struct campaign_flight *flight; /* NULL: free */
        struct child child;
        int64_t start_ns, until_ns; /* then it is asked to end, then killed */
        bool asked, killed;
        bool preparing; /* its board; the flight comes after that */
        int board, lock_fd; /* -1: none */
};

struct session {
        struct campaign *c;
        FILE *out;
        bool terminal;
        int signals; /* descriptor */
        int next; /* no flight before it waits */
        int flying, counted; /* counted: in this session */
        int64_t start_ns;
        bool awaits_board; /* that somebody else has */
        struct session_slot *slot; /* owned, [jobs] */
        struct session_board *board; /* owned, [boards] */
        char *why;
        size_t cap;
};

/* A process for the slot, with the version's environment, what it prints into `log` of the flight's folder, and the lock of its
 * board. False with the reason. */
bool session_start(struct session *p, struct session_slot *slot, char **word,
                   const char *log);

/* SIGCHLD and those that ask to end are looked at by session_await() from here on. False with the reason. */
bool session_watch_signals(struct session *p, sigset_t *before);
void session_forget_signals(struct session *p, const sigset_t *before);
/* Waits for a child's end, a time limit (-1: none), or the user's wish, which stops it. */
void session_await(struct session *p, int timeout_ms);

/* ended.c: what becomes of flights. */

/* What its process left, and how it ended, as the verdict of the slot's flight. */
void session_judge(const struct session *p, const struct session_slot *slot);
/* With its verdict a flight counts, or waits to be flown again, or is open as the campaign stops. killed: by a signal. False
 * with the reason: what it came to could not be kept. */
bool session_conclude(struct session *p, struct campaign_flight *f, bool killed);
void session_wait_again(struct session *p, struct campaign_flight *f);
/* The first reason stays. */
void session_stop(struct session *p, enum campaign_stop stop, const char *reason);

/* boards.c: which board a flight gets. */
enum session_choice { BOARD_GIVEN, BOARD_BUSY, BOARD_NONE_LEFT, BOARD_BROKEN };
/* Another than the one on which it ended before, where there is one; of those one without trouble; of those the one that
 * flew least. */
enum session_choice session_take_board(struct session *p, struct session_slot *slot,
                                       struct campaign_flight *f);
/* here: of those at this computer. */
bool session_any_board_left(const struct session *p, const char *family, bool here);
/* After its flight; ran: it flew, whatever became of it. */
void session_give_board(struct session *p, struct session_slot *slot, bool ran);

/* Starts what its board needs before the flight: a cycle of its power after one that did not run, the version's image.
 * *needed: anything. False with the reason. */
bool session_prepare_board(struct session *p, struct session_slot *slot, bool *needed);
/* How long that may take. */
int64_t session_longest_ns(const struct farm_board *board);
/* After that: it is ready. False: it is not, which is the flight's reason, as one that could not run. */
bool session_board_is_ready(struct session_slot *slot);

/* job.c: what the flights before this one met on the board, where each is a process of its own; does
 * nothing in a campaign that flies by itself. */
void session_read_trouble(struct session *p, int board);
void session_forget_trouble(const struct session *p, int board);
void session_write_trouble(const struct session *p, int board);

/* show.c: how it goes. */
void session_draw(const struct session *p);
void session_tell(const struct session *p, const struct campaign_flight *f, bool again);
__attribute__((format(printf, 2, 3))) void session_say(const struct session *p,
                                                       const char *format, ...);
