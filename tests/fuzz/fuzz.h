/* What fuzz targets share. */
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void expect(bool true_for_any_bytes)
{
        if (!true_for_any_bytes)
                abort();
}

/* One for the process, emptied by nobody: every input overwrites its files. */
static inline const char *scratch(void)
{
        static char folder[100];
        const char *tmp = getenv("TMPDIR");

        if (folder[0] != '\0')
                return folder;
        snprintf(folder, sizeof folder, "%.60s/hilrig-fuzz-XXXXXX", tmp ? tmp : "/tmp");
        expect(mkdtemp(folder) != NULL);
        return folder;
}

static inline void put_file(const char *path, const uint8_t *bytes, size_t len)
{
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

        expect(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
        close(fd);
}

/* Some text that ends within cap and moves no terminal's cursor. */
static inline void check_text(const char *text, size_t cap)
{
        size_t len = strnlen(text, cap);

        expect(len > 0 && len < cap);
        for (size_t i = 0; i < len; i++)
                expect(text[i] == '\n' ||
                       ((unsigned char)text[i] >= ' ' && text[i] != 127));
}

/* What is wrong, a line each, none of them empty. */
static inline void check_lines(const char *text, size_t cap)
{
        check_text(text, cap);
        expect(text[0] != '\n' && strstr(text, "\n\n") == NULL);
}

/* Up to the next byte of zero, or all that is left; it is taken from the input. */
static inline const uint8_t *take_part(const uint8_t **data, size_t *size, size_t *len)
{
        const uint8_t *part = *data, *zero = *size > 0 ? memchr(part, 0, *size) : NULL;

        *len = zero != NULL ? (size_t)(zero - part) : *size;
        *data += *len + (zero != NULL);
        *size -= *len + (zero != NULL);
        return part;
}
