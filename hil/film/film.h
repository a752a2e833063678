/* A recorded run as a video, or as pictures, of the page that `hilrig view` serves. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct browser;

/* Whether the path is one that a film can be made at: "FILE.webm", or a folder ("FOLDER/") for a sequence of PNGs. */
bool film_path_is_one(const char *path);

struct film_made {
        int pictures;
        double seconds;
};

/* Before any thread is started, and until stop_fd (stop_signals_open()) has something to be read. */
struct browser *film_open(int stop_fd, char *why, size_t cap);
/* Of the page at the URL. False with the reason: there is no whole video. */
bool film_make(struct browser *b, const char *url, const char *path,
               struct film_made *made, char *why, size_t cap);
