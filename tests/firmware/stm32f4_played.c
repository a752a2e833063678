/* stm32f4_played [no-crystal]: board_stm32f4.c on this machine, with registers that are played as the reference
 * manual (ST RM0090) has them: what it leaves in them is printed, a line each, and what the chip would not
 * take ends the program with status 1. Compiled anew for each choice of clock and USART:
 * tests/run/firmware_stm32f4.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In core.h's stead: its instructions are another processor's. */
#define TESTS_FIRMWARE_CORE_H
#include <stdbool.h>
#include <stdint.h>

typedef void (*core_vector)(void);

static int enabled = -1;

static void core_irq_enable(int n)
{
        enabled = n;
}

static uint32_t now = 77;

static uint32_t core_stamp(void)
{
        return now;
}

static void core_interrupts_off(void)
{
}

static void core_interrupts_on(void)
{
}

#define RCC_AT  0x40023800u
#define GPIO_AT 0x40020000u

static struct {
        uint32_t address, value;
} played[64];
static bool crystal = true;
static uint32_t pll_word;

static volatile uint32_t *reg(uint32_t address);
#define REG(address) (*reg(address))
#include "tests/firmware/board_stm32f4.c" /* NOLINT(bugprone-suspicious-include) */

static uint32_t *find(uint32_t address)
{
        size_t i = 0;

        while (played[i].address != 0 && played[i].address != address)
                i++;
        if (i + 1 == sizeof played / sizeof *played) {
                printf("more registers than are played\n");
                exit(1);
        }
        played[i].address = address;
        return &played[i].value;
}

static void require(bool holds, const char *what, uint32_t address)
{
        if (holds)
                return;
        printf("0x%08x %s\n", (unsigned)address, what);
        exit(1);
}

/* Which bit of which register gives a USART its clock. */
static bool usart_has_clock(uint32_t base)
{
        switch (base) {
        case 0x40011000:
                return *find(RCC_AT + 0x44) & 1u << 4;
        case 0x40011400:
                return *find(RCC_AT + 0x44) & 1u << 5;
        case 0x40004400:
                return *find(RCC_AT + 0x40) & 1u << 17;
        case 0x40004800:
                return *find(RCC_AT + 0x40) & 1u << 18;
        default:
                return false;
        }
}

/* Oscillators and PLL are ready as soon as they are on; the clock that was asked for is taken. */
static void settle(void)
{
        uint32_t *cr = find(RCC_AT), *cfgr = find(RCC_AT + 0x08);
        uint32_t on = *cr & (1u << 0 | 1u << 16 | 1u << 24);

        if (!crystal)
                on &= ~(1u << 16);
        *cr = (*cr & ~(1u << 1 | 1u << 17 | 1u << 25)) | on << 1;
        *cfgr = (*cfgr & ~0xCu) | (*cfgr & 3u) << 2;
        if (*cr & 1u << 24)
                require(pll_word == *find(RCC_AT + 0x04), "set while the PLL runs",
                        RCC_AT + 4);
        pll_word = *find(RCC_AT + 0x04);
        require((*cfgr & 3u) != 2 || *cr & 1u << 25, "takes a PLL that is off", RCC_AT);
}

static volatile uint32_t *reg(uint32_t address)
{
        settle();
        if (address >= GPIO_AT && address < GPIO_AT + 0x400u * PORTS)
                require(*find(RCC_AT + 0x30) >> (address - GPIO_AT) / 0x400 & 1,
                        "has no clock", address);
        if (address >> 12 == 0x40011 || address >> 12 == 0x40004)
                require(usart_has_clock(address & ~0x3FFu), "has no clock", address);
        return find(address);
}

/* The port's registers as somebody left them before. */
static void fill_port(uint32_t value)
{
        for (uint32_t at = 0; at <= 0x24; at += 4)
                *find(GPIO_AT + 0x400u * USART_PORT + at) = value;
}

static void check_pin(int pin, uint32_t before)
{
        uint32_t port = GPIO_AT + 0x400u * USART_PORT;
        uint32_t two = 2u * (uint32_t)pin, four = 4u * (uint32_t)pin % 32;

        fill_port(before);
        connect_pin(pin);
        for (uint32_t at = 0; at <= 0x24; at += 4) {
                uint32_t wanted = before;

                if (at == 0x00 || at == 0x08)
                        wanted = (before & ~(3u << two)) | 2u << two;
                if (at == 0x0C)
                        wanted = (before & ~(3u << two)) | 1u << two;
                if (at == 0x04)
                        wanted = before & ~(1u << pin);
                if (at == (pin < 8 ? 0x20u : 0x24u))
                        wanted = (before & ~(0xFu << four)) | (uint32_t)USART_AF << four;
                require(*find(port + at) == wanted, "is not as the pin needs it",
                        port + at);
        }
}

static void comes(uint32_t status, uint8_t byte)
{
        *find(USART_BASE) = status;
        *find(USART_BASE + 4) = byte;
        now++;
        uart_interrupt();
}

/* Bytes in, with the time of a zero, and one lost on the line; three bytes out, and no interrupt after them. */
static void check_bytes(void)
{
        uint8_t bytes[8];
        uint32_t stamp = 0;

        comes(1u << 5, 5);
        comes(1u << 5, 0);
        comes(1u << 5 | 1u << 3, 6);
        require(board_uart_read(bytes, sizeof bytes, &stamp) == 2 && bytes[0] == 5 &&
                        bytes[1] == 0 && stamp == 79,
                "did not give a message with its time", USART_BASE);
        require(board_uart_read(bytes, sizeof bytes, &stamp) == 1 && bytes[0] == 6 &&
                        stamp == 79 && board_uart_lost() == 1 && board_uart_idle(),
                "did not give what came after", USART_BASE);
        require(board_uart_write((const uint8_t *)"abc", 3) &&
                        board_uart_queue_ns() == 30000000000 / BOARD_BAUD,
                "does not say how long three bytes take", USART_BASE);
        for (int i = 0; i < 3; i++) {
                comes(1u << 7, 0);
                require(*find(USART_BASE + 4) == (uint8_t) "abc"[i], "was not sent",
                        USART_BASE + 4);
        }
        comes(1u << 7, 0);
        require(!(*find(USART_BASE + 12) & 1u << 7), "still asks for bytes",
                USART_BASE + 12);
}

static int in_order(const void *a, const void *b)
{
        uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

        return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
        size_t n = 0;

        crystal = argc < 2 || strcmp(argv[1], "no-crystal") != 0;
        /* A boot loader's: the PLL runs, on another setting. */
        *find(RCC_AT) = 1u << 24;
        *find(RCC_AT + 0x08) = 2;
        pll_word = *find(RCC_AT + 0x04) = 0x24003010;
        printf("%u Hz\n", (unsigned)board_start());
        fill_port(UINT32_MAX);
        board_uart_start();
        while (played[n].address != 0)
                n++;
        qsort(played, n, sizeof *played, in_order);
        for (size_t i = 0; i < n; i++)
                printf("%08x %08x\n", (unsigned)played[i].address,
                       (unsigned)played[i].value);
        printf("interrupt %d, %s\n", enabled,
               core_vectors_board[enabled] == uart_interrupt ? "taken" : "not taken");
        check_bytes();
        for (int pin = 0; pin < 16; pin++) {
                check_pin(pin, 0);
                check_pin(pin, UINT32_MAX);
        }
        return 0;
}
