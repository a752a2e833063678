/* A WebM file with one track of VP8 (RFC 8794 and RFC 9559: EBML and Matroska), as players seek in it: its length at the
 * beginning, a cluster from each key frame on, an index at the end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct webm;

/* Writes into the file, which stays the caller's and must be one that can be sought in. NULL: no memory. */
struct webm *webm_begin(FILE *file, int wide, int high, double duration_ms);
/* The frames in their order, t_ms from 0 on; a key frame first, and again within 32 s, as times are 16 bits from there on. False: no memory, or not written. */
bool webm_add(struct webm *w, int64_t t_ms, bool key, const void *frame, size_t len);
/* The index; frees it. False: not everything has been written. */
bool webm_end(struct webm *w);
