/* The suites of one test program. A test source offers its own before main() begins; main() in suites.c runs all of them,
 * or those whose files are named. */
#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H

#include <check.h>

/* file: __FILE__, by whose path below tests/, without ".c", the suite is chosen. */
void suites_add(const char *file, Suite *suite);

#endif
