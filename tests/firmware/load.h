/* What flying takes of the processor: cycles awake, interrupts included, and stack. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct load {
        uint64_t begun, since; /* cycles: the flight, the last sleep */
        uint64_t slept; /* since it began */
        uint32_t most; /* that an answer took */
        uint32_t frames;
};

void load_begin(struct load *l, uint64_t cycles);
void load_sleeps(struct load *l, uint64_t cycles);
void load_wakes(struct load *l, uint64_t cycles);
/* A frame was answered, which took so many. */
void load_frame(struct load *l, uint64_t cycles);

/* "45000 frames, 12345 cycles each, 20000 at most, stack 3000 of 12288 bytes, 0 bytes lost" */
void load_text(const struct load *l, uint64_t cycles, char *text, size_t cap);
