#include "hil/campaign/session.h"
#include "hil/time/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether board i is better than the one chosen so far, k; -1: none is. */
static bool is_better(const struct session *p, const struct campaign_flight *f, int i,
                      int k)
{
        const struct farm_board *b = p->c->farm.board;
        bool last_i, last_k;

        if (k < 0)
                return true;
        last_i = strcmp(b[i].name, f->board) == 0;
        last_k = strcmp(b[k].name, f->board) == 0;
        if (last_i != last_k)
                return last_k;
        if (p->board[i].trouble != p->board[k].trouble)
                return p->board[i].trouble < p->board[k].trouble;
        return p->board[i].flights < p->board[k].flights;
}

/* The best that has not been tried; -1: there is none. */
static int best_board(const struct session *p, const struct campaign_flight *f,
                      const bool *tried)
{
        int best = -1;

        for (int i = 0; i < p->c->farm.boards; i++)
                if (strcmp(p->c->farm.board[i].family, f->run->board) == 0 && !tried[i] &&
                    farm_board_is_here(&p->c->farm.board[i]) && !p->board[i].held &&
                    !p->board[i].left_out && is_better(p, f, i, best))
                        best = i;
        return best;
}

bool session_any_board_left(const struct session *p, const char *family, bool here)
{
        for (int i = 0; i < p->c->farm.boards; i++)
                if (strcmp(p->c->farm.board[i].family, family) == 0 &&
                    (!here || farm_board_is_here(&p->c->farm.board[i])) &&
                    !p->board[i].left_out)
                        return true;
        return false;
}

enum session_choice session_take_board(struct session *p, struct session_slot *slot,
                                       struct campaign_flight *f)
{
        const struct farm_file *farm = &p->c->farm;
        bool tried[FARM_BOARDS_MAX] = { false };
        char holder[200];
        int i;

        snprintf(holder, sizeof holder, "hilrig campaign %s, process %ld, flight %d",
                 p->c->file.suite.name, (long)getpid(), f->number);
        while ((i = best_board(p, f, tried)) >= 0) {
                tried[i] = true;
                if (!farm_board_take(farm, &farm->board[i], holder, &slot->lock_fd,
                                     p->why, p->cap))
                        return BOARD_BROKEN;
                if (slot->lock_fd < 0) {
                        p->awaits_board = true;
                        continue;
                }
                session_read_trouble(p, i);
                if (p->board[i].left_out) {
                        close(slot->lock_fd);
                        slot->lock_fd = -1;
                        continue;
                }
                slot->board = i;
                p->board[i].held = true;
                p->board[i].flights++;
                snprintf(f->board, sizeof f->board, "%s", farm->board[i].name);
                return BOARD_GIVEN;
        }
        return session_any_board_left(p, f->run->board, true) ? BOARD_BUSY
                                                              : BOARD_NONE_LEFT;
}

void session_give_board(struct session *p, struct session_slot *slot, bool ran)
{
        struct session_board *b;

        if (slot->board < 0)
                return;
        b = &p->board[slot->board];
        b->held = false;
        b->trouble = ran ? 0 : b->trouble + 1;
        session_write_trouble(p, slot->board);
        close(slot->lock_fd);
        if (b->trouble == SESSION_TROUBLE_MAX) {
                b->left_out = true;
                session_say(p,
                            "board %s: %d flights in a row did not run on it: left out",
                            p->c->farm.board[slot->board].name, b->trouble);
        }
        slot->board = slot->lock_fd = -1;
}

#define PREPARED_LOG "board.txt"

/* Its tools have limits of their own: this is for what does not keep to them. */
int64_t session_longest_ns(const struct farm_board *b)
{
        return b->flash.timeout_ns + 3 * b->identify.timeout_ns +
               4 * b->power.timeout_ns + b->power.off_ns + 300 * NS_PER_S;
}

bool session_prepare_board(struct session *p, struct session_slot *slot, bool *needed)
{
        const struct campaign_version *v = &p->c->file.version[slot->flight->version];
        const struct farm_board *b;
        char *word[16];
        int n = 0;
        bool cycle;

        *needed = false;
        if (slot->board < 0)
                return true;
        b = &p->c->farm.board[slot->board];
        cycle = b->power.used && p->board[slot->board].trouble > 0;
        if (!cycle && v->image[0] == '\0')
                return true;
        word[n++] = "/proc/self/exe";
        word[n++] = "farm";
        word[n++] = "prepare";
        word[n++] = (char *)(uintptr_t)b->name;
        word[n++] = "--farm";
        word[n++] = p->c->farm_path;
        word[n++] = "--held";
        if (cycle)
                word[n++] = "--cycle";
        if (v->image[0] != '\0') {
                word[n++] = "--image";
                word[n++] = (char *)(uintptr_t)v->image;
        }
        if (v->says[0] != '\0') {
                word[n++] = "--says";
                word[n++] = (char *)(uintptr_t)v->says;
        }
        word[n] = NULL;
        *needed = true;
        slot->preparing = true;
        slot->until_ns = clock_now_ns() + session_longest_ns(b);
        return session_start(p, slot, word, PREPARED_LOG);
}

bool session_board_is_ready(struct session_slot *slot)
{
        const struct child *c = &slot->child;
        struct suite_run *r = slot->flight->run;
        char words[200], end[60];

        r->verdict = RUN_ERROR;
        r->requirements = r->failed = 0;
        r->firmware[0] = '\0';
        slot->flight->summary = false;
        snprintf(r->reason, sizeof r->reason, "cut off before it flew");
        /* 3: nothing can be seen of it; the flight will show. */
        if (WIFEXITED(c->status) &&
            (WEXITSTATUS(c->status) == 0 || WEXITSTATUS(c->status) == 3))
                return true;
        child_last_words(c->log, words, sizeof words);
        child_describe_end(c, end, sizeof end);
        snprintf(r->reason, sizeof r->reason, "its board was not ready: %s",
                 words[0] != '\0' ? words : end);
        return false;
}
