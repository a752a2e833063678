/* What the fuzz targets on the stage of usb_stage.h share: the input, taken byte by byte by whatever wants to know what
 * happens next. For one program, which must include this once. */
#pragma once

#include "tests/fuzz/fuzz.h"

/* libusb's thread makes the fuzzer look for leaks after every run, which takes a hundred times as long as
 * the run. The test programs look for them. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
        return "detect_leaks=0";
}

static struct input {
        const uint8_t *at;
        size_t left;
        uint8_t then; /* when it is used up */
} input;

static uint8_t draw(void)
{
        if (input.left == 0)
                return input.then;
        input.left--;
        return *input.at++;
}
