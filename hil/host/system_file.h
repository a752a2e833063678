/* The files of /proc, /sys and /dev below a root folder: "" is this machine, any other a copy or a made-up tree. */
#pragma once

#include <glob.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_PATH_MAX 400

/* A path such as "/sys/kernel/realtime", which is told, and where it really is. */
void system_file_path(const char *root, const char *path, char real[HOST_PATH_MAX]);

/* A small text without the newlines at its end. False: there is none, or it may not be read; then text is "". What is
 * longer than cap is cut. */
bool system_file_read(const char *root, const char *path, char *text, size_t cap);
/* The same as a whole number. */
bool system_file_number(const char *root, const char *path, long long *number);
/* The same of a large text, which the caller frees; NULL: there is none. */
char *system_file_read_whole(const char *root, const char *path);
/* 0, or errno. */
int system_file_write(const char *root, const char *path, const char *text);

/* Paths without the root that match a pattern, in order; globfree() frees them. gl_pathc 0: none. */
glob_t system_file_find(const char *root, const char *pattern);
