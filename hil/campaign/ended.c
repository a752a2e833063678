/* What becomes of a flight that has ended: it counts, is flown again, or stays open. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "hil/campaign/session.h"
#include "hil/time/clock.h"

void session_stop(struct session *p, enum campaign_stop stop, const char *reason)
{
        struct campaign *c = p->c;

        if (c->stop != CAMPAIGN_GOES_ON)
                return;
        c->stop = stop;
        snprintf(c->stop_reason, sizeof c->stop_reason, "%s", reason);
}

/* By the time limit: whatever it left, it did not fly to its end. */
static void judge_hung(const struct session *p, struct campaign_flight *f)
{
        f->run->verdict = RUN_VOID;
        snprintf(f->run->reason, sizeof f->run->reason,
                 "hung: ended after its time limit of %g s",
                 1e-9 * (double)p->c->file.time_limit_ns);
}

/* The flight says so, or the disk does. */
static bool met_full_disk(struct session *p, const struct campaign_flight *f)
{
        const char *words = strerror(ENOSPC), *quota = strerror(EDQUOT);
        char path[600], line[600], why[300];
        bool said = false;
        FILE *out;

        if (campaign_disk_is_full(p->c, why, sizeof why)) {
                session_stop(p, CAMPAIGN_DISK_FULL, why);
                return true;
        }
        snprintf(path, sizeof path, "%s/output.txt", f->run->folder);
        out = fopen(path, "re");
        while (out != NULL && !said && fgets(line, sizeof line, out) != NULL)
                said = strstr(line, words) != NULL || strstr(line, quota) != NULL;
        if (out != NULL)
                fclose(out);
        if (!said)
                return false;
        snprintf(why, sizeof why, "%s: %s", p->c->folder, words);
        session_stop(p, CAMPAIGN_DISK_FULL, why);
        return true;
}

/* The host's doing, or the board's: once more may show something else. */
static bool is_flown_again(const struct session *p, const struct campaign_flight *f,
                           bool killed)
{
        const struct suite_run *r = f->run;

        if (f->attempts >= p->c->file.attempts || r->verdict < RUN_VOID)
                return false;
        if (r->verdict == RUN_ERROR)
                return killed || r->board[0] != '\0';
        return strcmp(r->reason, NOTHING_REQUIRED) != 0;
}

void session_wait_again(struct session *p, struct campaign_flight *f)
{
        int i = (int)(f - p->c->flight);

        f->run->state = SUITE_WAITING;
        if (i < p->next)
                p->next = i;
}

/* It counts from here on, or not at all. False with the reason. */
static bool count_flight(struct session *p, struct campaign_flight *f)
{
        char why[700];
        bool full;

        if (!campaign_record_write(p->c, f, &full, why, sizeof why)) {
                session_wait_again(p, f);
                if (full)
                        session_stop(p, CAMPAIGN_DISK_FULL, why);
                else
                        snprintf(p->why, p->cap, "%s", why);
                return full;
        }
        f->run->state = SUITE_FLOWN;
        p->counted++;
        session_tell(p, f, false);
        return true;
}

bool session_conclude(struct session *p, struct campaign_flight *f, bool killed)
{
        /* What was cut off is open, and so is what a full disk spoilt. */
        if (f->run->verdict >= RUN_VOID &&
            (p->c->stop == CAMPAIGN_INTERRUPTED || met_full_disk(p, f))) {
                session_wait_again(p, f);
                return true;
        }
        f->attempts++;
        if (!is_flown_again(p, f, killed))
                return count_flight(p, f);
        f->run->state = SUITE_WAITING;
        session_tell(p, f, true);
        session_wait_again(p, f);
        if (p->c->options.job.number > 0)
                session_stop(p, CAMPAIGN_AGAIN, f->run->reason);
        return true;
}

void session_judge(const struct session *p, const struct session_slot *slot)
{
        struct campaign_flight *f = slot->flight;

        f->summary = suite_result_end(f->run, slot->child.status);
        if (slot->asked && p->c->stop != CAMPAIGN_INTERRUPTED)
                judge_hung(p, f);
        if (!f->summary)
                f->run->wall_s = 1e-9 * (double)(clock_now_ns() - slot->start_ns);
}
