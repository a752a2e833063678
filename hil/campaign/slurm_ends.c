/* What each job has left that has gone from Slurm's queue: a record, a note of why there is none, or nothing. */
#include <stdio.h>
#include <unistd.h>

#include "hil/campaign/slurm.h"
#include "hil/text/files.h"

#define GONE_LOOKS 3 /* at the queue until what a job left must be in sight from here */

static void log_path(const struct slurm *s, int i, char path[700])
{
        int base = i / s->most * s->most;

        snprintf(path, 700, "%s/hilrig-%s-%s-%d-%d.txt", s->folder, s->name, s->plan,
                 base, i + 1 - base);
}

/* What is of use only until a flight counts. A job that comes later sees that it does. */
static void tidy_up(const struct slurm *s, int i)
{
        char path[700];

        log_path(s, i, path);
        unlink(path);
        snprintf(path, sizeof path, "%s/%05d.lock", s->folder, i + 1);
        unlink(path);
}

/* What the job last said, where it left neither a record nor a note. */
static void describe_end(const struct slurm *s, int i, char *text, size_t cap)
{
        char path[700], words[200];

        log_path(s, i, path);
        child_last_words(path, words, sizeof words);
        snprintf(text, cap, "its job ended without a result%s%s",
                 words[0] != '\0' ? ": " : "", words);
}

/* It is flown again, or counts as what it came to. False with the reason. */
static bool conclude(struct slurm *s, struct campaign_flight *f,
                     enum compared_run verdict, const char *reason)
{
        struct suite_run *r = f->run;

        r->verdict = verdict;
        r->requirements = r->failed = 0;
        snprintf(r->reason, sizeof r->reason, "%s", reason);
        f->summary = false;
        return folder_make(r->folder, s->p->why, s->p->cap) &&
               session_conclude(s->p, f, true);
}

static bool take_noted(struct slurm *s, struct campaign_flight *f,
                       const struct slurm_note *note)
{
        snprintf(f->board, sizeof f->board, "%s", note->board);
        switch (note->stop) {
        case CAMPAIGN_AGAIN:
                return conclude(s, f, note->verdict, note->reason);
        case CAMPAIGN_INTERRUPTED:
                return conclude(s, f, RUN_VOID, "its job was ended from outside");
        case CAMPAIGN_BUSY:
                session_say(s->p, "%s: %s; it waits for another job",
                            campaign_flight_name(s->p->c, f), note->reason);
                session_wait_again(s->p, f);
                return true;
        case CAMPAIGN_NO_BOARD:
                for (int i = 0; i < s->p->c->farm.boards; i++)
                        session_read_trouble(s->p, i);
                if (!session_any_board_left(s->p, f->run->board, false))
                        session_stop(s->p, note->stop, note->reason);
                session_wait_again(s->p, f);
                return true;
        default:
                session_stop(s->p, note->stop, note->reason);
                session_wait_again(s->p, f);
                return true;
        }
}

/* Its job has gone from the queue. */
static bool take_end(struct slurm *s, int i)
{
        struct campaign_flight *f = &s->p->c->flight[i];
        struct slurm_flight *place = &s->flight[i];
        struct slurm_note note;
        char reason[300];

        if (campaign_record_read(f) == RECORD_COUNTS) {
                place->submitted = false;
                f->run->state = SUITE_FLOWN;
                s->p->counted++;
                tidy_up(s, i);
                session_tell(s->p, f, false);
                return true;
        }
        if (slurm_take_note(s, f, &note)) {
                place->submitted = false;
                if (s->p->c->stop == CAMPAIGN_INTERRUPTED)
                        session_wait_again(s->p, f);
                return s->p->c->stop == CAMPAIGN_INTERRUPTED || take_noted(s, f, &note);
        }
        /* On another computer's disk it may stand already. */
        if (place->looks < GONE_LOOKS)
                return true;
        place->submitted = false;
        if (s->p->c->stop == CAMPAIGN_INTERRUPTED) {
                session_wait_again(s->p, f);
                return true;
        }
        describe_end(s, i, reason, sizeof reason);
        return conclude(s, f, RUN_VOID, reason);
}

bool slurm_take_ends(struct slurm *s)
{
        bool ok = true;

        for (int i = 0; i < s->p->c->flights; i++)
                if (s->flight[i].submitted && s->flight[i].place == SLURM_NOWHERE)
                        ok = take_end(s, i) && ok;
        return ok;
}
