/* What stands for an analyzer's firmware: a file of any bytes, where hilrig looks for those of the kind 0925:3881. */
#pragma once

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FX2_BLOB_BYTES 8120
#define FX2_BLOB_PATH  100

/* Writes it into an existing folder, and makes that the one to look in. path: where it is. */
static inline void fx2_blob_write(const char *where, char path[FX2_BLOB_PATH],
                                  uint8_t blob[FX2_BLOB_BYTES])
{
        FILE *f;

        for (size_t i = 0; i < FX2_BLOB_BYTES; i++)
                blob[i] = (uint8_t)(i * 31 + i / 256);
        snprintf(path, FX2_BLOB_PATH, "%s/fx2lafw-saleae-logic.fw", where);
        f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(blob, 1, FX2_BLOB_BYTES, f), FX2_BLOB_BYTES);
        ck_assert_int_eq(fclose(f), 0);
        setenv("SIGROK_FIRMWARE_DIR", where, 1);
}
