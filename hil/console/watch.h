/* Who flies may be watched: the live page of a command that runs a rig. */
#pragma once

#include "hil/rig/rig.h"
#include "hil/summary/summary.h"

struct watch {
        bool wanted, control;
        bool held; /* it begins at hold */
        struct live_address at;
        struct scenario *scenario; /* to which faults may be added by hand; NULL: none */
};

/* Before the rig is opened: keeps room in its scenario for what may be added by hand. */
void watch_reserve(struct watch *w, struct rig_config *config);

/* Serves the rig's page, if it is wanted, and says where. False with the reason. */
bool watch_open(const struct watch *w, struct rig *rig, char *why, size_t cap);
/* For the recorder; NULL: nobody watches. */
struct ring *watch_words(const struct rig *rig);
/* After the flight: config.json in the folder, whose text is *resolved, with the faults that were added by hand, each at its tick, in a track
 * of their own; what was flown can be flown again. Without any it is left alone. False with the reason. */
bool watch_keep_faults(struct rig *rig, const char *folder, char **resolved, char *why,
                       size_t cap);
/* Tells them the verdict, if there is one, and sees them off. Without a page it does nothing. */
void watch_close(struct rig *rig, const struct summary *summary);
