#include "tests/firmware/load.h"

#include "tests/firmware/board.h"
#include "tests/firmware/core.h"

void load_begin(struct load *l, uint64_t cycles)
{
        *l = (struct load){ .begun = cycles };
}

void load_sleeps(struct load *l, uint64_t cycles)
{
        l->since = cycles;
}

void load_wakes(struct load *l, uint64_t cycles)
{
        l->slept += cycles - l->since;
}

void load_frame(struct load *l, uint64_t cycles)
{
        l->frames++;
        if (cycles > l->most)
                l->most = (uint32_t)cycles;
}

/* Where it ends in text, which stays terminated. */
static size_t add(char *text, size_t cap, size_t at, const char *words)
{
        while (*words != '\0' && at + 1 < cap)
                text[at++] = *words++;
        text[at] = '\0';
        return at;
}

static size_t add_number(char *text, size_t cap, size_t at, uint64_t n)
{
        char digits[21];
        char *d = digits + sizeof digits - 1;

        *d = '\0';
        do
                *--d = (char)('0' + n % 10);
        while ((n /= 10) > 0);
        return add(text, cap, at, d);
}

void load_text(const struct load *l, uint64_t cycles, char *text, size_t cap)
{
        uint32_t frames = l->frames > 0 ? l->frames : 1;
        size_t at = add_number(text, cap, 0, l->frames);

        at = add(text, cap, at, " frames, ");
        at = add_number(text, cap, at, (cycles - l->begun - l->slept) / frames);
        at = add(text, cap, at, " cycles each, ");
        at = add_number(text, cap, at, l->most);
        at = add(text, cap, at, " at most, stack ");
        at = add_number(text, cap, at, core_stack_used());
        at = add(text, cap, at, " of ");
        at = add_number(text, cap, at, core_stack_size());
        at = add(text, cap, at, " bytes, ");
        at = add_number(text, cap, at, board_uart_lost());
        add(text, cap, at, " bytes lost");
}
