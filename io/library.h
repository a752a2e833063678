/* Libraries that most commands do not need, loaded when one does. Linked, those of archives, meshes and the live page, with
 * what they need themselves, would take two thirds of the time from exec() to main(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A function as the library's header declares it, at its own name in a struct of functions; and its name. */
#define LIBRARY_FUNCTION(name) __typeof__(name) *name;
#define LIBRARY_NAME(name)     #name,

/* Fills in `count` functions, of these names, from `file` ("libarchive.so.13"): once, and later calls return at once.
 * A program that defines one itself is asked first, as if it had been linked. False: why says what is missing. */
bool library_load(void *functions, const char *const *name, size_t count,
                  const char *file, char *why, size_t cap);
