/* An STM32F405 or F407 at 168 MHz (stm32f4_clock.h), with one of its USARTs (stm32f4_usart.h): USART2 on pins
 * PA2 (transmit) and PA3 (receive) unless make is told another. Registers by the reference manual (ST
 * RM0090). docs/firmware_on_a_board.md says what to change for another board. */
#include "tests/firmware/board.h"
#include "tests/firmware/core.h"
#include "tests/firmware/stamped_ring.h"
#include "tests/firmware/stm32f4_clock.h"
#include "tests/firmware/stm32f4_usart.h"

#ifndef REG /* a test brings registers of its own */
#define REG(address) (*(volatile uint32_t *)(uintptr_t)(address))
#endif

/* "Reset and clock control for STM32F405xx/07xx and STM32F415xx/17xx" */
#define RCC_CR      REG(0x40023800)
#define RCC_PLLCFGR REG(0x40023804)
#define RCC_CFGR    REG(0x40023808)
#define RCC_AHB1ENR REG(0x40023830)
#define RCC_APB1ENR REG(0x40023840)
#define RCC_APB2ENR REG(0x40023844)

#define CR_HSION  (1u << 0)
#define CR_HSIRDY (1u << 1)
#define CR_HSEON  (1u << 16)
#define CR_HSERDY (1u << 17)
#define CR_PLLON  (1u << 24)
#define CR_PLLRDY (1u << 25)

/* HCLK 168 MHz, APB1 a quarter (42 MHz at most), APB2 half (84 MHz at most) */
#define CFGR_PPRE1_4 (5u << 10)
#define CFGR_PPRE2_2 (4u << 13)
#define CFGR_SW_PLL  2u
#define CFGR_SWS     (3u << 2)
#define CFGR_SWS_PLL (2u << 2)

#define HSE_TRIES 100000

/* "Power controller" and "Embedded Flash memory interface" */
#define PWR_CR     REG(0x40007000)
#define PWR_VOS    (1u << 14) /* full performance */
#define FLASH_ACR  REG(0x40023C00)
#define FLASH_FAST 0x705u /* five wait states, prefetch, both caches */
#define FLASH_WAIT 0x7u

#define APB1_PWR (1u << 28)

/* "General-purpose I/Os": the port of the pins */
#define GPIO_BASE    (0x40020000u + 0x400u * USART_PORT)
#define GPIO_MODER   REG(GPIO_BASE + 0x00)
#define GPIO_OTYPER  REG(GPIO_BASE + 0x04)
#define GPIO_OSPEEDR REG(GPIO_BASE + 0x08)
#define GPIO_PUPDR   REG(GPIO_BASE + 0x0C)
#define GPIO_AFRL    REG(GPIO_BASE + 0x20) /* pins 0 to 7 */
#define GPIO_AFRH    REG(GPIO_BASE + 0x24) /* pins 8 to 15 */

/* "Universal synchronous asynchronous receiver transmitter" */
#define USART_SR  REG(USART_BASE + 0x00)
#define USART_DR  REG(USART_BASE + 0x04)
#define USART_BRR REG(USART_BASE + 0x08)
#define USART_CR1 REG(USART_BASE + 0x0C)
#define USART_CR2 REG(USART_BASE + 0x10)
#define USART_CR3 REG(USART_BASE + 0x14)

#define SR_ORE     (1u << 3)
#define SR_RXNE    (1u << 5)
#define SR_TXE     (1u << 7)
#define CR1_RE     (1u << 2)
#define CR1_TE     (1u << 3)
#define CR1_RXNEIE (1u << 5)
#define CR1_TXEIE  (1u << 7)
#define CR1_UE     (1u << 13)

const char board_name[] = "hilrig firmware stm32f4";
/* 500 Hz of a rig at 1 kHz: soft-float arithmetic takes most of a millisecond. See docs/performance.md. */
const int board_frame_every = 2;

static struct stamped_ring received;
static struct byte_ring sending;
static uint32_t lost;

/* False: there is none, or it does not start. */
static bool start_crystal(void)
{
        int tries = HSE_TRIES;

        if (HSE_MHZ == 0)
                return false;
        RCC_CR |= CR_HSEON;
        while (!(RCC_CR & CR_HSERDY) && --tries > 0)
                ;
        return (RCC_CR & CR_HSERDY) != 0;
}

/* A boot loader may have the PLL running; it can only be set while it stands. */
static void start_pll(void)
{
        RCC_CR |= CR_HSION;
        while (!(RCC_CR & CR_HSIRDY))
                ;
        RCC_CFGR = 0;
        while (RCC_CFGR & CFGR_SWS)
                ;
        RCC_CR &= ~CR_PLLON;
        while (RCC_CR & CR_PLLRDY)
                ;

        RCC_PLLCFGR = start_crystal() ? PLL_OF_HSE : PLL_OF_HSI;
        RCC_CR |= CR_PLLON;
        while (!(RCC_CR & CR_PLLRDY))
                ;
}

uint32_t board_start(void)
{
        RCC_APB1ENR |= APB1_PWR;
        (void)RCC_APB1ENR; /* two clocks before the first access: ES0182 */
        PWR_CR |= PWR_VOS;
        start_pll();
        FLASH_ACR = FLASH_FAST;
        while ((FLASH_ACR & FLASH_WAIT) != (FLASH_FAST & FLASH_WAIT))
                ; /* to be read back before the clock is raised */
        RCC_CFGR = CFGR_PPRE1_4 | CFGR_PPRE2_2;
        RCC_CFGR |= CFGR_SW_PLL;
        while ((RCC_CFGR & CFGR_SWS) != CFGR_SWS_PLL)
                ;
        return CORE_HZ;
}

/* bits wide, the n-th of its register. */
static uint32_t field(uint32_t word, int n, int bits, uint32_t value)
{
        uint32_t mask = ((1u << bits) - 1) << n * bits;

        return (word & ~mask) | value << n * bits;
}

/* Alternate function, driven both ways; fast edges; pulled up, so that an open line is silent. */
static void connect_pin(int pin)
{
        if (pin < 8)
                GPIO_AFRL = field(GPIO_AFRL, pin, 4, USART_AF);
        else
                GPIO_AFRH = field(GPIO_AFRH, pin - 8, 4, USART_AF);
        GPIO_OTYPER = field(GPIO_OTYPER, pin, 1, 0);
        GPIO_OSPEEDR = field(GPIO_OSPEEDR, pin, 2, 2);
        GPIO_PUPDR = field(GPIO_PUPDR, pin, 2, 1);
        GPIO_MODER = field(GPIO_MODER, pin, 2, 2);
}

static void give_clocks(void)
{
        RCC_AHB1ENR |= 1u << USART_PORT;
        if (USART_APB == 2)
                RCC_APB2ENR |= 1u << USART_CLOCK_BIT;
        else
                RCC_APB1ENR |= 1u << USART_CLOCK_BIT;
        (void)RCC_AHB1ENR; /* two clocks, as above */
        (void)RCC_APB2ENR;
}

void board_uart_start(void)
{
        give_clocks();
        connect_pin(TX_PIN);
        connect_pin(RX_PIN);
        USART_CR1 = 0;
        USART_CR2 = 0; /* one stop bit */
        USART_CR3 = 0;
        USART_BRR = USART_DIVISOR;
        USART_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
        core_irq_enable(USART_IRQ);
}

/* A zero with its time. */
static bool take(uint8_t byte)
{
        return stamped_ring_push(&received, byte, byte == 0 ? core_stamp() : 0);
}

static void uart_interrupt(void)
{
        uint32_t status = USART_SR;

        /* Reading the data clears an overrun too. */
        if (status & (SR_RXNE | SR_ORE)) {
                uint8_t byte = (uint8_t)USART_DR;

                lost += (status & SR_ORE) != 0;
                if (status & SR_RXNE)
                        lost += !take(byte);
        }
        if (status & SR_TXE && USART_CR1 & CR1_TXEIE) {
                uint8_t byte;

                if (byte_ring_pop(&sending, &byte))
                        USART_DR = byte;
                else
                        USART_CR1 &= ~CR1_TXEIE;
        }
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
        USART_CR1 |= CR1_TXEIE;
        core_interrupts_on();
        return true;
}

uint32_t board_uart_lost(void)
{
        return lost;
}

__attribute__((section(".vectors.board"),
               used)) static const core_vector core_vectors_board[] = {
        [USART_IRQ] = uart_interrupt
};
