/* The only file compiled with the version, so that a new commit rebuilds only this one. */
#include "hil/text/version.h"

#ifndef HILRIG_VERSION
#define HILRIG_VERSION "unknown"
#endif

const char *hilrig_version(void)
{
        return HILRIG_VERSION;
}
