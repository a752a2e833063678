/* Files and folders that a command reads or leaves: text files stand whole or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Makes the folder, and those above it that are not there. One that is there already is as good. False:
 * why names the first that could not be made, or is something else; those above it may have been made. */
bool folder_make(const char *path, char *why, size_t cap);

/* False with the reason, which names the path. */
bool text_file_write(const char *path, const char *text, char *why, size_t cap);

/* The same for `hilrig COMMAND`, which says on standard error what went wrong; frees the text. NULL:
 * there was no memory for it. */
bool text_file_leave(const char *command, const char *path, char *text);

/* The folder that a run leaves behind: runs/<UTC time>-<name>/, or the one given by the user. Makes
 * the folder, with those above it, and writes its path. `wanted` NULL: a new one under runs/. A folder that
 * holds a run already is refused: nothing is overwritten. */
bool run_folder_make(const char *wanted, const char *name, char *path, size_t cap,
                     char *why, size_t why_cap);

/* The folder is this process's to write in until the result is closed or the process ends; another process is refused:
 * -1 with the reason. */
int folder_take(const char *path, char *why, size_t cap);
/* The same for a folder that run_folder_make() has made, which may still hold no run. */
int run_folder_take(const char *path, char *why, size_t cap);

/* Opens a file of a run folder to be written anew. NULL with the reason, at once: also for a FIFO, a device or anything
 * else that is no regular file. */
FILE *run_file_open(const char *path, char *why, size_t cap);

/* Writes a whole file in the folder; false with the reason. */
bool run_folder_write(const char *folder, const char *file, const char *text, char *why,
                      size_t why_cap);

/* A file to be read where it lies: a run's log may be larger than memory. NULL and len 0 where it is not there, empty,
 * or no regular file: why says which. */
const void *mapped_file_open(const char *path, size_t *len, const char **why);
/* NULL is allowed. */
void mapped_file_close(const void *map, size_t len);
