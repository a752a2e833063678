/* An STM32F405 or F407 at 168 MHz with USART2 on pins PA2 (transmit) and PA3 (receive), as on the
 * STM32F4DISCOVERY and most flight controllers' headers. Registers by the reference manual (ST RM0090).
 * docs/firmware_on_a_board.md says what to change for another board. */
#include "tests/firmware/board.h"
#include "tests/firmware/byte_ring.h"
#include "tests/firmware/core.h"

#define REG(address) (*(volatile uint32_t *)(address))

/* Reset and clock control, 6.3 */
#define RCC_CR      REG(0x40023800)
#define RCC_PLLCFGR REG(0x40023804)
#define RCC_CFGR    REG(0x40023808)
#define RCC_AHB1ENR REG(0x40023830)
#define RCC_APB1ENR REG(0x40023840)

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

#define HSE_MHZ   8u /* the board's crystal */
#define HSI_MHZ   16u /* the chip's own oscillator: 1 %, good enough for a UART */
#define HSE_TRIES 100000
#define CORE_HZ   168000000u
#define APB1_HZ   42000000u

/* Power and flash: 3.5.1, 5.4.1 */
#define PWR_CR     REG(0x40007000)
#define PWR_VOS    (1u << 14) /* full performance */
#define FLASH_ACR  REG(0x40023C00)
#define FLASH_FAST 0x705u /* five wait states, prefetch, both caches */
#define FLASH_WAIT 0x7u

#define AHB1_GPIOA  (1u << 0)
#define APB1_USART2 (1u << 17)
#define APB1_PWR    (1u << 28)

/* Port A, 8.4 */
#define GPIOA_MODER   REG(0x40020000)
#define GPIOA_OSPEEDR REG(0x40020008)
#define GPIOA_PUPDR   REG(0x4002000C)
#define GPIOA_AFRL    REG(0x40020020)
#define TX_PIN        2
#define RX_PIN        3
#define USART2_AF     7u

/* USART2, 30.6 */
#define USART2_IRQ 38
#define USART2_SR  REG(0x40004400)
#define USART2_DR  REG(0x40004404)
#define USART2_BRR REG(0x40004408)
#define USART2_CR1 REG(0x4000440C)
#define USART2_CR2 REG(0x40004410)
#define USART2_CR3 REG(0x40004414)

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

static struct byte_ring received, sending;
static uint32_t lost;

/* 336 MHz / 2 from 2 MHz of the crystal or, where there is none, of the chip's own oscillator; 336 MHz / 7
 * would be USB's. 6.3.2 */
static void start_pll(void)
{
        int tries = HSE_TRIES;
        bool crystal;

        /* A boot loader may have the PLL running; it can only be set while it stands. */
        RCC_CR |= CR_HSION;
        while (!(RCC_CR & CR_HSIRDY))
                ;
        RCC_CFGR = 0;
        while (RCC_CFGR & CFGR_SWS)
                ;
        RCC_CR &= ~CR_PLLON;
        while (RCC_CR & CR_PLLRDY)
                ;

        RCC_CR |= CR_HSEON;
        while (!(RCC_CR & CR_HSERDY) && --tries > 0)
                ;
        crystal = (RCC_CR & CR_HSERDY) != 0;
        RCC_PLLCFGR = (crystal ? HSE_MHZ : HSI_MHZ) / 2 | 168u << 6 | 0u << 16 |
                      (crystal ? 1u : 0u) << 22 | 7u << 24;
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
                ; /* 3.5.1: to be read back before the clock is raised */
        RCC_CFGR = CFGR_PPRE1_4 | CFGR_PPRE2_2;
        RCC_CFGR |= CFGR_SW_PLL;
        while ((RCC_CFGR & CFGR_SWS) != CFGR_SWS_PLL)
                ;
        return CORE_HZ;
}

/* Alternate function; fast edges; pulled up, so that an open line is silent. */
static void connect_pin(int pin)
{
        GPIOA_AFRL = (GPIOA_AFRL & ~(0xFu << 4 * pin)) | USART2_AF << 4 * pin;
        GPIOA_MODER = (GPIOA_MODER & ~(3u << 2 * pin)) | 2u << 2 * pin;
        GPIOA_OSPEEDR |= 2u << 2 * pin;
        GPIOA_PUPDR = (GPIOA_PUPDR & ~(3u << 2 * pin)) | 1u << 2 * pin;
}

void board_uart_start(uint32_t baud)
{
        RCC_AHB1ENR |= AHB1_GPIOA;
        RCC_APB1ENR |= APB1_USART2;
        (void)RCC_APB1ENR;
        connect_pin(TX_PIN);
        connect_pin(RX_PIN);
        USART2_CR1 = 0;
        USART2_CR2 = 0; /* one stop bit */
        USART2_CR3 = 0;
        USART2_BRR = (APB1_HZ + baud / 2) / baud; /* 16 samples a bit */
        USART2_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
        core_irq_enable(USART2_IRQ);
}

static void uart_interrupt(void)
{
        uint32_t status = USART2_SR;

        /* Reading the data clears an overrun too. */
        if (status & (SR_RXNE | SR_ORE)) {
                uint8_t byte = (uint8_t)USART2_DR;

                lost += (status & SR_ORE) != 0;
                if (status & SR_RXNE)
                        lost += !byte_ring_push(&received, byte);
        }
        if (status & SR_TXE && USART2_CR1 & CR1_TXEIE) {
                uint8_t byte;

                if (byte_ring_pop(&sending, &byte))
                        USART2_DR = byte;
                else
                        USART2_CR1 &= ~CR1_TXEIE;
        }
}

size_t board_uart_read(uint8_t *bytes, size_t cap)
{
        return byte_ring_read(&received, bytes, cap);
}

bool board_uart_idle(void)
{
        return byte_ring_used(&received) == 0;
}

bool board_uart_write(const uint8_t *bytes, size_t len)
{
        if (!byte_ring_write(&sending, bytes, len))
                return false;
        core_interrupts_off();
        USART2_CR1 |= CR1_TXEIE;
        core_interrupts_on();
        return true;
}

uint32_t board_uart_lost(void)
{
        return lost;
}

__attribute__((section(".vectors.board"),
               used)) static const core_vector core_vectors_board[] = {
        [USART2_IRQ] = uart_interrupt
};
