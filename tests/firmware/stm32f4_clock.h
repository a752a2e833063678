/* Clocks of an STM32F405 or F407 at full speed, 168 MHz, from a crystal of FIRMWARE_HSE_MHZ or from the chip's
 * own oscillator. What cannot be reached exactly is refused here, by the limits of the reference manual (ST
 * RM0090, "Reset and clock control for STM32F405xx/07xx and STM32F415xx/17xx", RCC_PLLCFGR) and of the
 * data sheet (ST DocID022152, "PLL characteristics", "HSE oscillator characteristics"). */
#pragma once

#include <stdint.h>

#ifndef FIRMWARE_HSE_MHZ
#define FIRMWARE_HSE_MHZ 8 /* 0: no crystal */
#endif

enum {
        CORE_HZ = 168000000,
        APB1_HZ = CORE_HZ / 4, /* 42 MHz at most */
        APB2_HZ = CORE_HZ / 2, /* 84 MHz at most */

        VCO_MHZ = 336,
        PLL_P = 2, /* to the core */
        PLL_Q = 7, /* to USB, which wants 48 MHz */

        HSE_MHZ = FIRMWARE_HSE_MHZ,
        HSI_MHZ = 16, /* to 1 % at 25 degrees: good enough for a UART */

        /* Into the phase detector: 2 MHz, which the manual recommends for the least jitter, or 1 MHz, where 2
         * do not divide the crystal. */
        HSE_IN_MHZ = HSE_MHZ % 2 == 0 ? 2 : 1,
        HSE_M = HSE_MHZ / HSE_IN_MHZ,
        HSE_N = VCO_MHZ / HSE_IN_MHZ,
        HSI_IN_MHZ = 2,
        HSI_M = HSI_MHZ / HSI_IN_MHZ,
        HSI_N = VCO_MHZ / HSI_IN_MHZ
};

_Static_assert(
        HSE_MHZ == 0 || (HSE_MHZ >= 4 && HSE_MHZ <= 26),
        "FIRMWARE_HSE_MHZ: a crystal of 4 to 26 MHz, or 0 for the chip's oscillator");
_Static_assert(HSE_M *HSE_IN_MHZ == HSE_MHZ && HSE_N * HSE_IN_MHZ == VCO_MHZ,
               "168 MHz of the crystal exactly");
_Static_assert(HSI_M *HSI_IN_MHZ == HSI_MHZ && HSI_N * HSI_IN_MHZ == VCO_MHZ,
               "168 MHz of the chip's oscillator exactly");
_Static_assert((HSE_MHZ == 0 || HSE_M >= 2) && HSE_M <= 63 && HSI_M >= 2 && HSI_M <= 63,
               "PLLM: 2 to 63");
_Static_assert(HSE_N >= 50 && HSE_N <= 432 && HSI_N >= 50 && HSI_N <= 432,
               "PLLN: 50 to 432");
_Static_assert(HSE_IN_MHZ >= 1 && HSE_IN_MHZ <= 2 && HSI_IN_MHZ >= 1 && HSI_IN_MHZ <= 2,
               "into the PLL: 1 to 2 MHz");
_Static_assert(VCO_MHZ >= 100 && VCO_MHZ <= 432, "the PLL's oscillator: 100 to 432 MHz");
_Static_assert(VCO_MHZ / PLL_P * 1000000 == CORE_HZ && PLL_P % 2 == 0 && PLL_P <= 8,
               "the core's clock, of an even part");
_Static_assert(VCO_MHZ == 48 * PLL_Q && PLL_Q >= 2 && PLL_Q <= 15, "48 MHz");
_Static_assert(CORE_HZ <= 168000000 && APB1_HZ <= 42000000 && APB2_HZ <= 84000000,
               "what the buses bear");

/* RCC_PLLCFGR */
enum {
        PLL_OF_EITHER = (PLL_P / 2 - 1) << 16 | PLL_Q << 24,
        PLL_OF_HSE = PLL_OF_EITHER | HSE_M | HSE_N << 6 | 1 << 22,
        PLL_OF_HSI = PLL_OF_EITHER | HSI_M | HSI_N << 6
};
