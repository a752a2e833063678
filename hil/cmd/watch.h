/* Who flies may be watched: the live page of a command that runs a rig. */
#ifndef HIL_CMD_WATCH_H
#define HIL_CMD_WATCH_H

#include "hil/rig/rig.h"
#include "hil/summary/summary.h"

struct watch {
        bool wanted, control;
        struct live_address at;
};

/* Serves the rig's page, if it is wanted, and says where. False with the reason. */
bool watch_open(const struct watch *w, struct rig *rig, char *why, size_t cap);
/* For the recorder; NULL: nobody watches. */
struct ring *watch_words(const struct rig *rig);
/* Tells them the verdict, if there is one, and sees them off. Without a page it does nothing. */
void watch_close(struct rig *rig, const struct summary *summary);

#endif
