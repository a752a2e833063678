/* The boards of a farm: whose each is at the moment, and the settings with which a rig flies on it. A board is locked by
 * flock(2) on a file, which the processes that use it hold open together: it is given back when the last of them has ended,
 * however that ended. */
#pragma once

#include "hil/config/rig/farm.h"

/* Whether it is plugged into this computer, or the node that Slurm calls it. */
bool farm_board_is_here(const struct farm_board *board);
/* "bench1": what this computer is called there. */
void farm_host(char name[NAME_MAX_LEN]);

/* False with the reason: the folder of locks is not there, or a lock cannot be made or read. *fd is the lock, to be closed,
 * also by processes that inherited it; -1: somebody else has the board. `holder` is written into it, for others to read. */
bool farm_board_take(const struct farm_file *farm, const struct farm_board *board,
                     const char *holder, int *fd, char *why, size_t cap);

/* Who has the board, as that wrote it; "": nobody. False with the reason. */
bool farm_board_holder(const struct farm_file *farm, const struct farm_board *board,
                       char *holder, size_t holder_cap, char *why, size_t cap);

/* The settings of a rig that flies on the board, "key.path=value" each; returns how many. */
#define FARM_SETS_MAX (CODEC_CHANNELS_MAX + PORTS_MAX + SUITE_SETS_MAX + 2)
#define FARM_SET_MAX  1200
int farm_board_sets(const struct farm_board *board, char (*text)[FARM_SET_MAX]);
