/* Chromium without a window, as a process of its own that ends with this one: one page of it, driven by the DevTools protocol
 * over a pair of sockets, so that no port is open. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "hil/text/json.h"

struct browser;

/* With a page of so many pixels, until stop_fd has something to be read (stop_signals_open(); -1: none). Before any thread is
 * started. NULL with the reason. */
struct browser *browser_start(int wide, int high, int stop_fd, char *why, size_t cap);
void browser_end(struct browser *b); /* NULL is allowed */

bool browser_open(struct browser *b, const char *url, char *why, size_t cap);
/* What an expression in the page comes to, a promise when it is kept; a root, the caller's to free. NULL with the reason. */
struct json *browser_evaluate(struct browser *b, const char *expression, char *why,
                              size_t cap);
/* The page as it is seen: a PNG in base64, the caller's to free. NULL with the reason. */
char *browser_picture(struct browser *b, char *why, size_t cap);
