/* The Cortex-M4 itself, whatever board it sits on: start-up, time, sleep. Registers by the ARMv7-M
 * Architecture Reference Manual (ARM DDI 0403E), chapter B3. */
#ifndef TESTS_FIRMWARE_CORE_H
#define TESTS_FIRMWARE_CORE_H

#include <stddef.h>
#include <stdint.h>

/* An entry of the vector table. A board's interrupts begin behind the core's 16 exceptions; its file
 * gives them as core_vectors_board[] in section .vectors.board, the first is IRQ 0. */
typedef void (*core_vector)(void);

/* Where processor and memory are not to be trusted any more: stops for good, interrupts off. The rig sees
 * a board that has gone silent, which is what it is. */
void core_stop(void) __attribute__((noreturn));

/* Starts time: SysTick, a thousand interrupts a second of a core clock of 1 to 500 MHz, a whole number of
 * them. */
void core_clock_start(uint32_t core_hz);

/* Of the core's clock since core_clock_start(), never less than the last time. Right with interrupts off
 * too, for up to a millisecond after one should have come: a processor that is away for longer, as an
 * emulator's on a busy machine, loses ticks. To be asked once in 24 days. Not for interrupts. */
uint64_t core_cycles(void);

/* The same as time. */
int64_t core_now_ns(void);

/* The low 32 bits of core_cycles(), for interrupts, too: when something happened. */
uint32_t core_stamp(void);

/* From one stamp to another, across the end of 32 bits. 0 for one that is before: an emulator that loses
 * ticks can set its clock back. */
static inline uint32_t core_cycles_between(uint32_t then, uint32_t now)
{
        uint32_t between = now - then;

        return between < 1u << 31 ? between : 0;
}

/* How long ago that was; up to 2^31 cycles, 12 s of 168 MHz. */
int64_t core_since_ns(uint32_t stamp);

/* Lets interrupt n of the board through. */
void core_irq_enable(int n);

static inline void core_interrupts_off(void)
{
        __asm__ volatile("cpsid i" ::: "memory");
}

static inline void core_interrupts_on(void)
{
        __asm__ volatile("cpsie i" ::: "memory");
}

/* With interrupts off: sleeps until one waits, which is then taken when they are on again. */
static inline void core_sleep(void)
{
        __asm__ volatile("dsb\n\twfi" ::: "memory");
}

/* The most of the stack that was in use since the start, and what there is, in bytes. */
size_t core_stack_used(void);
size_t core_stack_size(void);

/* Differs from one start to the next without a power cycle: a count in RAM that no start clears. */
uint32_t core_starts(void);

#endif
