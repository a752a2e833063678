/* Which build this is: the nearest tag and commit, or the release where there is no git. */
#ifndef HIL_TEXT_VERSION_H
#define HIL_TEXT_VERSION_H

const char *hilrig_version(void);

#endif
