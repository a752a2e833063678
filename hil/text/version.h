/* Which build this is: the nearest tag and commit, or the release where there is no git. */
#pragma once

const char *hilrig_version(void);
