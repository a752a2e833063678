/* What `hilrig check` says of a rig, and of files that can be read by themselves. */
#pragma once

#include <stdbool.h>

#include "hil/config/config.h"

/* A campaign with every rig that it names; a farm. False after a message. */
bool check_campaign(const char *path);
bool check_farm(const char *path);

/* A rig that was read, in words. */
void check_print_rig(const char *path, const struct rig_config *rig);
