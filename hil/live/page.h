/* The page that browsers are given: one file, with all that it needs in it. */
#pragma once

#include <stddef.h>

/* Freed by the caller. NULL: no memory. */
char *live_page_text(size_t *len);
