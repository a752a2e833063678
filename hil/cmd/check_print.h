/* A rig that was read, in words. */
#ifndef HIL_CMD_CHECK_PRINT_H
#define HIL_CMD_CHECK_PRINT_H

#include "hil/config/config.h"

void check_print_rig(const char *path, const struct rig_config *rig);

#endif
