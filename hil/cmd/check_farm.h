/* What `hilrig check` says of files that are no rigs, and can be read by themselves. */
#ifndef HIL_CMD_CHECK_FARM_H
#define HIL_CMD_CHECK_FARM_H

#include <stdbool.h>

/* A campaign with every rig that it names; a farm. False after a message. */
bool check_campaign(const char *path);
bool check_farm(const char *path);

#endif
