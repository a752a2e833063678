/* The USART of an STM32F405 or F407 by which the rig is heard: FIRMWARE_USART 1, 2, 3 or 6, on the pins that
 * most boards lead out. For other pins change them here (port, pins and alternate function by the data
 * sheet, ST DocID022152, "Alternate function mapping"). Addresses and numbers by the reference manual
 * (ST RM0090): "Memory map", "Vector table", RCC_APB1ENR, RCC_APB2ENR. */
#pragma once

#include "tests/firmware/board.h"
#include "tests/firmware/stm32f4_clock.h"

#ifndef FIRMWARE_USART
#define FIRMWARE_USART 2
#endif

enum { PORT_A, PORT_B, PORT_C, PORT_D, PORT_E, PORT_F, PORT_G, PORT_H, PORT_I, PORTS };

/* Address and interrupt; bus and the bit that gives it a clock; pins. */
enum {
#if FIRMWARE_USART == 1
        USART_BASE = 0x40011000,
        USART_IRQ = 37,
        USART_APB = 2,
        USART_CLOCK_BIT = 4,
        USART_PORT = PORT_A,
        TX_PIN = 9,
        RX_PIN = 10,
        USART_AF = 7
#elif FIRMWARE_USART == 2
        USART_BASE = 0x40004400,
        USART_IRQ = 38,
        USART_APB = 1,
        USART_CLOCK_BIT = 17,
        USART_PORT = PORT_A,
        TX_PIN = 2,
        RX_PIN = 3,
        USART_AF = 7
#elif FIRMWARE_USART == 3
        USART_BASE = 0x40004800,
        USART_IRQ = 39,
        USART_APB = 1,
        USART_CLOCK_BIT = 18,
        USART_PORT = PORT_B,
        TX_PIN = 10,
        RX_PIN = 11,
        USART_AF = 7
#elif FIRMWARE_USART == 6
        USART_BASE = 0x40011400,
        USART_IRQ = 71,
        USART_APB = 2,
        USART_CLOCK_BIT = 5,
        USART_PORT = PORT_C,
        TX_PIN = 6,
        RX_PIN = 7,
        USART_AF = 8
#else
#error FIRMWARE_USART: must be 1, 2, 3 or 6
#endif
};

_Static_assert(TX_PIN >= 0 && TX_PIN <= 15 && RX_PIN >= 0 && RX_PIN <= 15 &&
                       TX_PIN != RX_PIN,
               "two pins of a port, 0 to 15");
_Static_assert(USART_PORT >= 0 && USART_PORT < (int)PORTS, "ports A to I");
_Static_assert(USART_AF >= 0 && USART_AF <= 15, "alternate functions 0 to 15");

/* 16 samples a bit: by the bus's clock in 16ths, of which there are 16 at least. */
enum {
        USART_HZ = USART_APB == 2 ? APB2_HZ : APB1_HZ,
        USART_DIVISOR = (USART_HZ + BOARD_BAUD / 2) / BOARD_BAUD
};

_Static_assert(USART_DIVISOR >= 16,
               "FIRMWARE_BAUD: at most 2,625,000 by USART 2 and 3, 5,250,000 by 1 and 6");
_Static_assert(USART_DIVISOR <= 0xFFFF, "FIRMWARE_BAUD: too slow for the bus's clock");
_Static_assert(50LL * USART_DIVISOR * BOARD_BAUD >= 49LL * USART_HZ &&
                       50LL * USART_DIVISOR * BOARD_BAUD <= 51LL * USART_HZ,
               "FIRMWARE_BAUD: not within 2 % of a whole part of the bus's clock");
