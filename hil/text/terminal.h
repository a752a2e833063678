/* Lines for people at a terminal. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* As fprintf(), for formats that take text from outside: names out of files, words of a board, paths. Whatever would
 * move the cursor, or is not UTF-8, is printed as \x1b or \u202e, and so is a newline unless it stands at the beginning
 * or the end of the format itself. */
void terminal_print(FILE *out, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

/* "hilrig COMMAND: ...", on standard error; the text may have several lines. Returns false. */
bool terminal_complain(const char *command, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
