/* Each piece of work is done once, whoever does it, and is done when the call returns. */
#include <check.h>

#include "hil/rig/crew.h"

#include "tests/suites.h"

#define PIECES 37

static void add_one(void *with, int piece)
{
        int *done = with;

        done[piece]++;
}

START_TEST(each_piece_is_done_once)
{
        const int threads[] = { 1, 2, 5 };
        struct crew *crew = crew_open(threads[_i]);
        int done[PIECES] = { 0 };

        ck_assert_ptr_nonnull(crew);
        for (int round = 1; round <= 500; round++) {
                crew_work(crew, add_one, done, PIECES);
                for (int i = 0; i < PIECES; i++)
                        ck_assert_int_eq(done[i], round);
        }
        crew_work(crew, add_one, done, 0);
        crew_close(crew);
}
END_TEST

START_TEST(no_crew_is_the_caller_alone)
{
        int done[PIECES] = { 0 };

        crew_work(NULL, add_one, done, PIECES);
        for (int i = 0; i < PIECES; i++)
                ck_assert_int_eq(done[i], 1);
        crew_close(NULL);
}
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *s = suite_create("crew");
        TCase *t = tcase_create("crew");

        tcase_set_timeout(t, 120.0);
        tcase_add_loop_test(t, each_piece_is_done_once, 0, 3);
        tcase_add_test(t, no_crew_is_the_caller_alone);
        suite_add_tcase(s, t);
        suites_add(__FILE__, s);
}
