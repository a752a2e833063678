/* The files that come with hilrig: `make install` puts them into share/hilrig, beside the bin folder of the program. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* "/usr/bin/hilrig" and "rig_configs/default.json": "/usr/share/hilrig/rig_configs/default.json". False: the name is not
 * looked for there, since it says itself where the file is (/, ./, ../), or the path is too long. */
bool installed_path_beside(const char *program, const char *name, char *path, size_t cap);

/* The same of this program. False also where nothing is installed, as beside a build folder. */
bool installed_path(const char *name, char *path, size_t cap);
