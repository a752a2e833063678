/* What the rig can say about a setting of a flight controller's own that is refused. It knows the reference
 * flight controller's settings; which another firmware has, HILP does not tell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "models/fc/laws/params.h"

#define FC_OPTION_WORDS_MAX 400

/* What the reference flight controller calls itself, before its version. */
#define FC_OPTION_REFERENCE "hilrig-fc"

/* Whether the reference flight controller takes it with these parameters. False: why says what is wrong
 * with which of the two, and what was meant or there is: "unknown option ...", "must be ...". An empty
 * value is always taken. */
enum fc_option_fault { FC_OPTION_TAKEN, FC_OPTION_KEY, FC_OPTION_VALUE };
enum fc_option_fault fc_option_check(const struct fc_params *given, const char *key,
                                     const char *value, char *why, size_t cap);

/* Why a board of that name may have refused it, to go on from "refused by NAME"; "": nothing is
 * known. */
void fc_option_explain(const char *board, const char *key, const char *value, char *text,
                       size_t cap);
