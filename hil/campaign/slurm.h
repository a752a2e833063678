/* A campaign as array jobs of Slurm: a flight is a job, `hilrig campaign ... --job`, on whichever computer has room and a board,
 * which leaves the flight's record in the campaign's folder, or a note of why there is none. What the campaign itself knows it
 * has from the queue, by its jobs' names, and from the folder: killed and started again, it goes on with the jobs that are
 * there. The folder is one that all the computers see. docs/farm.md. */
#pragma once

#include "hil/campaign/session.h"

#define SLURM_FOLDER ".slurm" /* in the campaign's: logs, notes and locks of jobs */

/* Where a flight's job is. */
enum slurm_place { SLURM_NOWHERE, SLURM_WAITS, SLURM_RUNS };

struct slurm_flight {
        bool submitted; /* its job's end has not been looked at yet */
        enum slurm_place place; /* by the last look */
        int looks; /* at the queue since the job has gone from it, or was handed over */
        int array; /* of those submitted by this process, counted from 1 on */
};

struct slurm {
        struct session *p;
        char folder[500]; /* SLURM_FOLDER */
        char name[20]; /* of the campaign's folder, in the names of its jobs */
        char plan[20]; /* of what it flies, the same */
        int most; /* jobs of an array */
        int arrays; /* submitted */
        bool silent; /* Slurm did not answer at the last look */
        int strangers; /* jobs for the same folder and another plan, by the last look */
        struct slurm_flight *flight; /* owned, [flights] */
};

/* slurm_tools.c: by sbatch, squeue, scancel and scontrol. False with the reason. */
bool slurm_tools_are_there(char *why, size_t cap);
/* What the cluster allows: `most`. */
bool slurm_ask_limits(struct slurm *s, char *why, size_t cap);
/* Where each flight's job is. */
bool slurm_look(struct slurm *s, char *why, size_t cap);
/* What a squeue printed, of jobs as slurm_submit() names them; other lines are others'. */
void slurm_place(struct slurm *s, FILE *queue);
/* Those flights, of one family of boards and one count of attempts, all after `base` and none by more than `most`, as one array.
 * indices: "1-4,7". */
struct slurm_array {
        int base;
        char indices[600];
        const struct campaign_flight *first;
};
bool slurm_submit(const struct slurm *s, const struct slurm_array *a, char *why,
                  size_t cap);
enum slurm_cancelled { CANCEL_ALL, CANCEL_WAITING, CANCEL_STRANGERS };
bool slurm_cancel(const struct slurm *s, enum slurm_cancelled which, char *why,
                  size_t cap);

/* slurm_ends.c: counts the flights whose jobs have gone from the queue, or lets them wait again. False with the reason. */
bool slurm_take_ends(struct slurm *s);

/* job.c: both sides of what a job leaves. */

/* Numbers and settings of all flights, for jobs to compare with what they read, and `plan`, their name. False with the
 * reason. */
bool slurm_write_plan(struct slurm *s, char *why, size_t cap);
/* Of a flight that does not count: why. False: there is none. Removes it. */
struct slurm_note {
        enum campaign_stop stop;
        enum compared_run verdict;
        char reason[300], board[NAME_MAX_LEN];
};
bool slurm_take_note(const struct slurm *s, const struct campaign_flight *f,
                     struct slurm_note *note);
