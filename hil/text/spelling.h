/* How far one word is from another, for "did you mean". */
#pragma once

#define SPELLING_LEN_MAX 40

/* Insertions, deletions and replacements from a to b; SPELLING_LEN_MAX of longer words. */
int spelling_distance(const char *a, const char *b);
/* A word that is not nearer than this was not meant. */
int spelling_limit(const char *word);
