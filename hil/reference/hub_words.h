/* What a hub says of its decisions to a person, and the commands that it takes from one. */
#pragma once

#include "models/fc/hub.h"

#define HUB_TEXT_MAX 100

/* What it has decided since, a line at a time: "hub: group a ready: 8 of 8". False: nothing more. */
bool hub_words_news(struct hub *h, const struct hub_params *p, char text[HUB_TEXT_MAX]);

/* "pause GROUP", "go GROUP", "behaviours GROUP separation cohesion ..." False: why says what is wrong with it. */
bool hub_words_obey(struct hub *h, const struct hub_params *p, const char *line,
                    char why[HUB_TEXT_MAX]);
