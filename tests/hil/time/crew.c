/* Each piece of work is done once, whoever does it, and is done when the call returns. */
#include "hil/time/crew.h"

#include "tests/suites.h"

#define PIECES 37

static void add_one(void *with, int piece)
{
        int *done = with;

        done[piece]++;
}

TEST_EACH(each_piece_is_done_once, 3)
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

TEST(no_crew_is_the_caller_alone)
{
        int done[PIECES] = { 0 };

        crew_work(NULL, add_one, done, PIECES);
        for (int i = 0; i < PIECES; i++)
                ck_assert_int_eq(done[i], 1);
        crew_close(NULL);
}
