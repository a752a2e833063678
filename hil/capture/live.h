/* The table of a capture while it goes on, printed by a thread of its own: a terminal that stands
 * still holds up nobody. On a terminal it is drawn over itself; elsewhere a line a pad, now and
 * then. */
#pragma once

#include "hil/capture/table.h"

struct capture_live;

/* How it is printed. */
enum capture_live_form { CAPTURE_LIVE_TABLE, CAPTURE_LIVE_JSON };

/* NULL: no thread could be had; the other two take NULL. */
struct capture_live *capture_live_start(FILE *out, enum capture_live_form form);
/* Never waits: false, and the table stays as it is, while it is being read. */
bool capture_live_set(struct capture_live *l, const struct capture_table *t);
/* What is printed reaches nobody any more, such as `| head`. False for NULL. */
bool capture_live_failed(const struct capture_live *l);
/* Leaves the cursor below where the table stood on a terminal, so that the last one can be printed
 * over it. */
void capture_live_stop(struct capture_live *l);
