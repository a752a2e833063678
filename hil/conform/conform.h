/* `hilrig conform`: asks a board, step by step, whether it speaks HILP as docs/protocol.md demands, and says in
 * plain words where it does not. A step begins a conversation of its own, so that each can be asked alone, and
 * judges by what was said, not by when, but for the few that are about time. */
#pragma once

#include <stdio.h>

#include "hil/conform/talk.h"

enum conform_is {
        CONFORM_PASSED,
        CONFORM_FAILED,
        CONFORM_SKIPPED, /* was not asked */
        CONFORM_VOID /* was asked, and cannot be judged: the host was too late, or too little was seen */
};

#define CONFORM_TEXT_MAX 400

struct conform_result {
        enum conform_is is;
        char text
                [CONFORM_TEXT_MAX]; /* what was seen, or what is wrong, or why nothing was judged */
        const char *section; /* of docs/protocol.md, where it failed */
        uint64_t frames; /* sensor frames that were sent */
        double simulated_s;
};

/* The rotor that an output drives. */
struct conform_rotor {
        double forward_m, right_m; /* of the centre of mass */
        double spin; /* +1: clockwise seen from above, or -1 */
        int number; /* of the rotor in the vehicle file, from 0 */
};

/* What the user may choose. */
struct conform_options {
        int rotors; /* of the vehicle, 1 or more */
        bool has_vehicle;
        struct conform_rotor rotor[HILP_ROTORS_MAX]; /* by output; of that vehicle */
        int64_t period_ns; /* of the rig's loop, at which the board must keep up */
        int64_t hello_ns; /* how long to wait for the first answer */
        double rate_s; /* how long each frame rate is kept */
        double align_s; /* of simulated time, until it must arm */
        double silence_s; /* after which its motors must have stopped */
        double limit_s; /* of the host's time: a step that would take longer is skipped */
        bool arm; /* ask it to turn its motors */
};

void conform_options_default(struct conform_options *o);

#define CONFORM_REPEAT_FRAMES 6000
#define CONFORM_STEPS_MAX     32

struct conform {
        struct conform_options options;
        struct conform_talk talk;
        bool answers; /* it answered a HELLO, and can fly this vehicle */
        bool armed_once; /* it can be armed */
        char name[HILP_NAME_MAX + 1]; /* printable */
        struct hilp_motors
                first[CONFORM_REPEAT_FRAMES]; /* of two flights that must be alike */
        struct conform_result *now; /* of the step that runs */
        int64_t now_ns; /* when it began; what it meant to wait does not count */
        struct conform_result result[CONFORM_STEPS_MAX];
};

struct conform_step {
        const char *name;
        const char *claim; /* what is true of a board that passes */
        bool turns_motors; /* only with options.arm, and where the board can be armed */
        enum conform_is (*run)(struct conform *c);
};

/* In the order in which they are asked; name NULL at the end. */
extern const struct conform_step conform_steps[];
int conform_step_count(void);
/* -1: no such step. */
int conform_step_find(const char *name);

/* Large: the caller's, and not on a stack. */
void conform_init(struct conform *c, struct conform_wire *wire,
                  const struct conform_options *options);
/* The last words, on any end: the board is told that it is over, which disarms it. In lockstep it would stay armed
 * for good. */
void conform_close(struct conform *c);
/* One step, into c->result[i]. The first one must have been run for the others to make sense of the board. */
const struct conform_result *conform_run_step(struct conform *c, int i);

/* Lines for people, or one JSON object; only the steps that are in `chosen`. */
void conform_print_board(const struct conform *c, const char *link, FILE *out);
/* What the chosen steps from this one on have said, of those before `until`, which have been run; a few that were
 * skipped for the same reason are one, and wait until all of them are known. Returns the step to go on from; with
 * until = conform_step_count() nothing waits. width: columns after which text is broken; 0: not at all. */
int conform_print_steps(const struct conform *c, const bool *chosen, int from, int until,
                        int width, FILE *out);
void conform_print_sum(const struct conform *c, const bool *chosen, FILE *out);
bool conform_print_json(const struct conform *c, const char *link, const bool *chosen,
                        FILE *out);
/* Which steps there are, as one JSON object. */
bool conform_print_list_json(FILE *out);
int conform_failures(const struct conform *c, const bool *chosen);
/* Chosen steps of which nothing is known. */
int conform_left_out(const struct conform *c, const bool *chosen);
