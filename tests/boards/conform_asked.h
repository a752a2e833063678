/* A conformance test of the board in tests/boards/conform_board.h, for one program, which includes this once. */
#pragma once

#include <stdlib.h>

#include "tests/boards/conform_board.h"

static struct conform *asked;
static struct conform_board *board;

/* The vehicle that the board is made for. */
static inline void tell_vehicle(struct conform_options *o, const struct fc_params *p)
{
        o->has_vehicle = true;
        o->rotors = p->rotors;
        for (int i = 0; i < p->rotors; i++)
                o->rotor[i] = (struct conform_rotor){ p->rotor_pos_body_m[i].x,
                                                      p->rotor_pos_body_m[i].y,
                                                      p->rotor_spin[i], i };
}

static inline void open_board(enum mistake mistake, struct conform_options *options)
{
        struct conform_options usual;

        conform_options_default(&usual);
        usual.rate_s = 0.3;
        asked = calloc(1, sizeof *asked);
        board = calloc(1, sizeof *board);
        ck_assert_ptr_nonnull(asked);
        ck_assert_ptr_nonnull(board);
        board_open(board, mistake);
        tell_vehicle(&usual, &board->params);
        conform_init(asked, &board->wire, options != NULL ? options : &usual);
}

static inline void close_board(void)
{
        free(asked);
        free(board);
}

static inline const struct conform_result *ask(const char *name)
{
        int i = conform_step_find(name);

        ck_assert_msg(i >= 0, "no step %s", name);
        return conform_run_step(asked, i);
}
