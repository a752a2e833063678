/* The folder of a suite: which it is, and whether what is in it may become part of this one. */
#ifndef HIL_SUITE_FOLDER_H
#define HIL_SUITE_FOLDER_H

#include "hil/suite/suite.h"

/* Before the runs are planned, whose names begin with it: makes the folder below runs/, or takes the one
 * that is given as it is written. False with the reason, as of the others. */
bool suite_folder_name(struct suite *s, char *why, size_t cap);

/* After that: the folder is there and can be written, and those above it. */
bool suite_folder_make(const struct suite *s, char *why, size_t cap);

/* No plan came about: an empty folder that was made for it goes. */
void suite_folder_drop(const struct suite *s);

/* What finished there with these settings is kept. With others it is somebody's result: refused, unless it
 * may be flown again. */
bool suite_folder_look(struct suite *s, char *why, size_t cap);

/* Whether a run that is not asked for has left a result there. The suite's page would lose it. */
bool suite_folder_holds(const struct suite *s, const char *group, uint64_t seed,
                        int repeat);

#endif
