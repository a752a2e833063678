/* A process that the rig has started, in a process group of its own, which ends when the rig does, however
 * that ends: a keeper in the same group waits for it. What the group starts is ended with it. None of it can set the host's
 * clock, even as root. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct child {
        pid_t pid; /* 0: none was started */
        pid_t keeper; /* leads the group; 0: it has none */
        int fd; /* readable once it has ended, for poll(); -1: there is none */
        int guard; /* its closing is the rig's end; -1 */
        bool ended;
        int status; /* then, as of waitpid() */
        char name[64]; /* of the program, for messages */
        char folder[600], log[600]; /* that it runs in, and of its output; "": none */
};

struct child_command {
        char *const
                *argv; /* NULL at the end; a program without "/" is looked for in PATH */
        char *const *environment; /* NULL at the end */
        const char *folder; /* that it runs in */
        const char *log; /* file that gets its output, made anew; NULL: none */
        int priority; /* SCHED_FIFO, where it can be had; 0: ordinary */
        int kept_fd; /* of the rig's, that it holds open too, as long as it lives; 0: none */
        int talk_fd; /* of the rig's, that it has as descriptors 3 and 4; 0: none */
};

/* False with the reason: it is not there, or cannot be run. Before any thread is started. */
bool child_start(struct child *c, const struct child_command *command, char *why,
                 size_t cap);
/* One that was forked elsewhere, and ends with this process by itself. */
void child_adopt(struct child *c, pid_t pid, const char *name);

/* Whether it has ended, by itself or not; does not wait. False too where none was started. */
bool child_look(struct child *c);
/* The same after up to wait_ns. */
bool child_await(struct child *c, int64_t wait_ns);
/* How it ended: "exited with status 1", "was ended by signal 9 (Killed)". */
void child_describe_end(const struct child *c, char *text, size_t cap);

/* Asks it to end by the signal (0: it knows by itself). Does not wait. */
void child_ask_to_end(struct child *c, int number);
/* Kills it, if it has not ended, and what is left of its group. Does not wait for their end, which may need a processor
 * that another holds. */
void child_kill(struct child *c);
/* The same, and waits. */
void child_end(struct child *c);
/* The same of one that has ended, without waiting for what is left of its group: whoever calls waits for all its children
 * anyway. */
void child_leave(struct child *c);

/* The last lines of a text file in one line, without what a terminal would obey; "": it has none. */
void child_last_words(const char *log, char *text, size_t cap);
