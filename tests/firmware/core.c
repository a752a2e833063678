#include "tests/firmware/core.h"

#include <string.h>

#define SYST_CSR   (*(volatile uint32_t *)0xE000E010)
#define SYST_RVR   (*(volatile uint32_t *)0xE000E014)
#define SYST_CVR   (*(volatile uint32_t *)0xE000E018)
#define NVIC_ISER  ((volatile uint32_t *)0xE000E100)
#define NVIC_ICER  ((volatile uint32_t *)0xE000E180)
#define NVIC_ICPR  ((volatile uint32_t *)0xE000E280)
#define NVIC_WORDS 8
#define VTOR       (*(volatile uint32_t *)0xE000ED08)
#define ICSR       (*(volatile uint32_t *)0xE000ED04)
#define CPACR      (*(volatile uint32_t *)0xE000ED88)

#define SYST_ENABLE_TICKINT_CORE 7u
#define ICSR_PENDSTSET           (1u << 26)
#define ICSR_FORGET              (1u << 27 | 1u << 25) /* PendSV and SysTick */
#define CPACR_FPU                (0xFu << 20) /* CP10 and CP11: full access */

#define TICKS_PER_S 1000
#define NS_PER_TICK 1000000
#define PAINT       0xA5A5A5A5u

/* Of the linker script. */
extern uint32_t core_data_load[], core_data_start[], core_data_end[];
extern uint32_t core_bss_start[], core_bss_end[];
extern uint32_t core_stack_bottom[], core_stack_top[];

int main(void);
void core_reset(void);

static volatile uint32_t ticks;
static uint32_t cycles_per_tick;
__attribute__((section(".noinit"))) static uint32_t starts;

void core_stop(void)
{
        core_interrupts_off();
        for (;;)
                core_sleep();
}

static void tick(void)
{
        ticks++;
}

/* By ARMv7-M B1.5.2. Nothing here is used but reset and SysTick: all others are faults. */
__attribute__((section(".vectors.core"), used)) static const core_vector vectors[16] = {
        [0] = (core_vector)(void *)core_stack_top,
        [1] = core_reset,
        [2] = core_stop, /* NMI */
        [3] = core_stop, /* hard fault */
        [4] = core_stop, /* memory management */
        [5] = core_stop, /* bus fault */
        [6] = core_stop, /* usage fault */
        [11] = core_stop, /* SVC */
        [12] = core_stop, /* debug monitor */
        [14] = core_stop, /* PendSV */
        [15] = tick,
};

/* In the caller's frame there must be nothing yet below it, and no floating point before this. */
static void paint_stack(void)
{
        uint32_t *here = __builtin_frame_address(0);

        for (uint32_t *at = core_stack_bottom; at < here - 16; at++)
                *(volatile uint32_t *)at = PAINT;
}

/* A boot loader that jumps here may have left its interrupts on and its vectors in place. */
static void take_over(void)
{
        core_interrupts_off();
        SYST_CSR = 0;
        for (int i = 0; i < NVIC_WORDS; i++) {
                NVIC_ICER[i] = UINT32_MAX;
                NVIC_ICPR[i] = UINT32_MAX;
        }
        ICSR = ICSR_FORGET;
        VTOR = (uint32_t)(uintptr_t)vectors;
        CPACR |= CPACR_FPU;
        __asm__ volatile("msr basepri, %0\n\tmsr faultmask, %0\n\tdsb\n\tisb" ::"r"(0)
                         : "memory");
        core_interrupts_on();
}

void core_reset(void)
{
        take_over();
        paint_stack();
        memcpy(core_data_start, core_data_load,
               (size_t)((char *)core_data_end - (char *)core_data_start));
        memset(core_bss_start, 0,
               (size_t)((char *)core_bss_end - (char *)core_bss_start));
        starts++;
        main();
        core_stop();
}

void core_clock_start(uint32_t core_hz)
{
        cycles_per_tick = core_hz / TICKS_PER_S;
        SYST_RVR = cycles_per_tick - 1;
        SYST_CVR = 0;
        SYST_CSR = SYST_ENABLE_TICKINT_CORE;
}

/* Ticks, and cycles since the last of them. Again where the counter went round between two looks, or is just
 * about to: the interrupt is pending as soon as it reaches 0, the reload comes a cycle later. */
static uint32_t read_clock(uint32_t *cycles)
{
        uint32_t before, waits, left;

        do {
                before = ticks;
                waits = ICSR & ICSR_PENDSTSET;
                left = SYST_CVR;
        } while (left == 0 || before != ticks || waits != (ICSR & ICSR_PENDSTSET));
        *cycles = cycles_per_tick - left;
        return before + (waits ? 1 : 0);
}

/* Goes on where 32 bits of ticks, 50 days, begin anew. */
static uint64_t wide(uint32_t tick)
{
        static uint64_t last;

        last += (uint64_t)(int64_t)(int32_t)(tick - (uint32_t)last);
        return last;
}

/* Not earlier than the last time: an emulator's processor may be away for more than a tick. */
static uint64_t not_back(uint64_t now, uint64_t *last)
{
        if (now > *last)
                *last = now;
        return *last;
}

uint64_t core_cycles(void)
{
        static uint64_t last;
        uint32_t cycles;
        uint64_t tick = wide(read_clock(&cycles));

        return not_back(tick * cycles_per_tick + cycles, &last);
}

int64_t core_now_ns(void)
{
        static uint64_t last;
        uint32_t cycles;
        uint64_t tick = wide(read_clock(&cycles));
        uint32_t ns = cycles * 1000 / (cycles_per_tick / 1000);

        return (int64_t)not_back(tick * NS_PER_TICK + ns, &last);
}

uint32_t core_stamp(void)
{
        uint32_t cycles;
        uint32_t tick = read_clock(&cycles);

        return tick * cycles_per_tick + cycles;
}

int64_t core_since_ns(uint32_t stamp)
{
        uint64_t cycles = core_cycles_between(stamp, core_stamp());

        return (int64_t)(cycles * 1000 / (cycles_per_tick / 1000));
}

void core_irq_enable(int n)
{
        NVIC_ISER[n / 32] = 1u << (n % 32);
}

size_t core_stack_size(void)
{
        return (size_t)((char *)core_stack_top - (char *)core_stack_bottom);
}

size_t core_stack_used(void)
{
        const uint32_t *at = core_stack_bottom;

        while (at < core_stack_top && *at == PAINT)
                at++;
        return (size_t)((const char *)core_stack_top - (const char *)at);
}

uint32_t core_starts(void)
{
        return starts;
}

/* assert() of the files that are compiled unchanged; newlib's own would bring printf along. */
void __assert_func(const char *file, int line, const char *function, const char *what);
void __assert_func(const char *file, int line, const char *function, const char *what)
{
        (void)file, (void)line, (void)function, (void)what;
        core_stop();
}

/* errno of libm, which nobody reads; newlib's own would bring a kilobyte of its I/O's state along. */
int *__errno(void);
int *__errno(void)
{
        static int error;

        return &error;
}
