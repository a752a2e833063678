/* Text from outside, character by character. */
#pragma once

#include <stdbool.h>

#define UTF8_REPLACEMENT 0xFFFD

/* The next character's code, with *text after it; anything that is not UTF-8 counts byte by byte as the replacement
 * character. Not at the end of the text. */
unsigned utf8_next(const char **text);
/* Controls but for newline and tab, and marks that turn the direction of what stands around them. */
bool utf8_is_control(unsigned code);
