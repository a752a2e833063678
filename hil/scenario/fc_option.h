/* A setting of a flight controller's own, by name: printable ASCII. What it means is the firmware's. */
#pragma once

#include "io/codec/codec.h"

#define FC_OPTIONS_MAX 16 /* of one flight controller, in a rig file */

struct fc_option {
        char key[CODEC_OPTION_MAX + 1];
        char value[CODEC_OPTION_MAX + 1]; /* "": what the FC does when nobody sets it */
};
