/* The rows of a history: every requirement and metric of its flights, at each release freed of what each seed has of its own. */
#ifndef HIL_HISTORY_LEVELS_H
#define HIL_HISTORY_LEVELS_H

#include "hil/history/history.h"

/* After the flights have been read. False: no memory. */
bool history_make_rows(struct history *h);

#endif
