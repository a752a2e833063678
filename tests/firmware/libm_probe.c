/* Firmware that does nothing but libm_cases.h: every result goes out as its eight bytes. */
#include "tests/firmware/board.h"
#include "tests/firmware/core.h"
#include "tests/firmware/libm_cases.h"

int main(void)
{
        uint64_t state = 1;

        core_clock_start(board_start());
        board_uart_start();
        for (int c = 0; c < LIBM_CASES; c++) {
                for (int i = 0; i < LIBM_CASE_INPUTS; i++) {
                        double result = libm_case_result(&libm_cases[c], &state);

                        while (!board_uart_write((const uint8_t *)&result, sizeof result))
                                ;
                }
        }
        return 0;
}
