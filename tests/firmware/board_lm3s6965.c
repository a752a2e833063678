/* QEMU's lm3s6965evb with a Cortex-M4 in it: UART0, a PL011 with FIFOs of 16 bytes. Registers by the
 * Stellaris LM3S6965 data sheet (Texas Instruments SPMS108) and the PL011's manual (ARM DDI 0183). */
#include "tests/firmware/board.h"
#include "tests/firmware/core.h"
#include "tests/firmware/stamped_ring.h"

#define REG(address) (*(volatile uint32_t *)(address))

/* System control */
#define RIS        REG(0x400FE050)
#define RCC        REG(0x400FE060)
#define RCGC1      REG(0x400FE104)
#define RCGC2      REG(0x400FE108)
#define PLL_LOCKED (1u << 6)

#define RCC_MOSCDIS   (1u << 0)
#define RCC_OSCSRC    (3u << 4)
#define RCC_XTAL      (0xFu << 6)
#define RCC_XTAL_8MHZ (0xEu << 6)
#define RCC_BYPASS    (1u << 11)
#define RCC_PWRDN     (1u << 13)
#define RCC_USESYSDIV (1u << 22)
#define RCC_SYSDIV    (0xFu << 23)
#define RCC_SYSDIV_4  (3u << 23) /* 200 MHz / 4 */

enum {
        CORE_HZ = 50000000,
        UART0_HZ =
                CORE_HZ * 4, /* of the divisor, which counts 64ths of 16 samples a bit */
        UART0_DIVISOR = (UART0_HZ + BOARD_BAUD / 2) / BOARD_BAUD
};

_Static_assert(UART0_DIVISOR >= 64 && UART0_DIVISOR < 64 << 16,
               "FIRMWARE_BAUD: 48 to 3,125,000");
_Static_assert(50LL * UART0_DIVISOR * BOARD_BAUD >= 49LL * UART0_HZ &&
                       50LL * UART0_DIVISOR * BOARD_BAUD <= 51LL * UART0_HZ,
               "FIRMWARE_BAUD: not within 2 % of a whole part of the clock");

#define RCGC1_UART0 (1u << 0)
#define RCGC2_GPIOA (1u << 0)

/* Port A: pins 0 and 1 are UART0. */
#define GPIOA_AFSEL REG(0x40004420)
#define GPIOA_DEN   REG(0x4000451C)
#define UART0_PINS  0x03u

#define UART0_IRQ  5
#define UART0_DR   REG(0x4000C000)
#define UART0_FR   REG(0x4000C018)
#define UART0_IBRD REG(0x4000C024)
#define UART0_FBRD REG(0x4000C028)
#define UART0_LCRH REG(0x4000C02C)
#define UART0_CTL  REG(0x4000C030)
#define UART0_IFLS REG(0x4000C034)
#define UART0_IM   REG(0x4000C038)
#define UART0_ICR  REG(0x4000C044)

#define DR_OVERRUN     (1u << 11)
#define FR_RX_EMPTY    (1u << 4)
#define FR_TX_FULL     (1u << 5)
#define LCRH_8N1_FIFOS 0x70u
#define CTL_ENABLE     0x301u
#define INT_RX         (1u << 4)
#define INT_TX         (1u << 5)
#define INT_RX_TIMEOUT (1u << 6)

const char board_name[] = "hilrig firmware lm3s6965";
const int board_frame_every = 1; /* simulated time waits */

static struct stamped_ring received;
static struct byte_ring sending;
static uint32_t lost;

uint32_t board_start(void)
{
        /* By the data sheet's steps: off the PLL, start it, wait, onto it. */
        RCC = (RCC | RCC_BYPASS) & ~RCC_USESYSDIV;
        RCC = (RCC & ~(RCC_OSCSRC | RCC_XTAL | RCC_PWRDN | RCC_MOSCDIS)) | RCC_XTAL_8MHZ;
        RCC = (RCC & ~RCC_SYSDIV) | RCC_SYSDIV_4 | RCC_USESYSDIV;
        while (!(RIS & PLL_LOCKED))
                ;
        RCC &= ~RCC_BYPASS;

        RCGC1 |= RCGC1_UART0;
        RCGC2 |= RCGC2_GPIOA;
        (void)RCGC2; /* three clocks before the first access */
        GPIOA_AFSEL |= UART0_PINS;
        GPIOA_DEN |= UART0_PINS;
        return CORE_HZ;
}

void board_uart_start(void)
{
        UART0_CTL = 0;
        UART0_IBRD = UART0_DIVISOR / 64;
        UART0_FBRD = UART0_DIVISOR % 64;
        UART0_LCRH = LCRH_8N1_FIFOS;
        UART0_IFLS = 0; /* 1/8 full, 7/8 empty */
        UART0_ICR = 0x7FF;
        UART0_IM = INT_RX | INT_RX_TIMEOUT;
        UART0_CTL = CTL_ENABLE;
        core_irq_enable(UART0_IRQ);
}

/* The transmit interrupt comes as the FIFO passes its mark, so it has to be filled once by hand. */
static void feed(void)
{
        uint8_t byte;

        while (!(UART0_FR & FR_TX_FULL) && byte_ring_pop(&sending, &byte))
                UART0_DR = byte;
        if (byte_ring_used(&sending) > 0)
                UART0_IM |= INT_TX;
        else
                UART0_IM &= ~INT_TX;
}

/* A zero with its time. */
static bool take(uint8_t byte)
{
        return stamped_ring_push(&received, byte, byte == 0 ? core_stamp() : 0);
}

static void uart_interrupt(void)
{
        UART0_ICR = INT_TX | INT_RX_TIMEOUT;
        while (!(UART0_FR & FR_RX_EMPTY)) {
                uint32_t word = UART0_DR;

                lost += (word & DR_OVERRUN) != 0;
                lost += !take((uint8_t)word);
        }
        feed();
}

size_t board_uart_read(uint8_t *bytes, size_t cap, uint32_t *stamp)
{
        return stamped_ring_read(&received, bytes, cap, stamp);
}

bool board_uart_idle(void)
{
        return byte_ring_used(&received.bytes) == 0;
}

int64_t board_uart_queue_ns(void)
{
        return (int64_t)byte_ring_used(&sending) * 10 * 1000000000 / BOARD_BAUD;
}

bool board_uart_write(const uint8_t *bytes, size_t len)
{
        if (!byte_ring_write(&sending, bytes, len))
                return false;
        core_interrupts_off();
        feed();
        core_interrupts_on();
        return true;
}

uint32_t board_uart_lost(void)
{
        return lost;
}

__attribute__((section(".vectors.board"),
               used)) static const core_vector core_vectors_board[] = {
        [UART0_IRQ] = uart_interrupt
};
