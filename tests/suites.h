/* The suites of one test program: one for each source file, whose tests are added before main() begins. main() in
 * suites.c runs all of them, or those that are named. */
#pragma once

#include <check.h>

/* Where a flight costs several times as much, and fewer of them tell as much: of memory, not of flying. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* So many of what is drawn at random, where all of it goes the same way: under sanitizers an eighth. */
#define DRAWN(n) (SANITIZED ? ((n) + 7) / 8 : (n))

/* The suite's name is the test's file, from below tests/ and without ".c". It runs so many times, with _i from 0. */
void suites_add_test(const TTest *test, int times);

/* What runs before and after every test that the file adds from here on; NULL: nothing. */
void suites_add_fixture(const char *file, SFun before, SFun after);

/* Each test of the file has a process of its own, under AddressSanitizer too, where one process has all of a file's tests
 * otherwise: to copy such a process, and to look for leaks at its end, costs more than most tests do. For files whose tests
 * must not see what those before them left, or that free nothing. */
void suites_need_processes(const char *file);

/* TEST(claim) { ... } */
#define TEST(claim) TEST_EACH(claim, 1)

/* TEST_EACH(claim, times) { ... _i ... } */
#define TEST_EACH(claim, times)                                                          \
        static void claim(int _i);                                                       \
        static void __attribute__((constructor)) add_##claim(void)                       \
        {                                                                                \
                static const TTest test = { #claim, claim, __FILE__, __LINE__ };         \
                suites_add_test(&test, (int)(times));                                    \
        }                                                                                \
        static void claim(int _i __attribute__((unused)))

/* FIXTURE(before, after): for the tests below it. */
#define FIXTURE(before, after)                                                           \
        static void __attribute__((constructor)) add_##before##_##after(void)            \
        {                                                                                \
                suites_add_fixture(__FILE__, before, after);                             \
        }

/* PROCESS_EACH: for this file, before its tests. */
#define PROCESS_EACH                                                                     \
        static void __attribute__((constructor)) add_process_each(void)                  \
        {                                                                                \
                suites_need_processes(__FILE__);                                         \
        }
