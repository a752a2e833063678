/* The ring's promises, with one thread and with two. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "hil/time/ring.h"

#include "tests/suites.h"

#define SIZE 1024

struct fixture {
        struct ring ring;
        uint64_t memory[SIZE / 8];
};

static struct fixture *make(void)
{
        struct fixture *f = NULL;

        ck_assert_int_eq(posix_memalign((void **)&f, RING_LINE, sizeof *f), 0);
        ring_init(&f->ring, f->memory, SIZE);
        return f;
}

/* The n-th record: its length and every byte follow from n. */
static size_t length_of(uint32_t n)
{
        return n * 2654435761U >> 24;
}

static bool push(struct ring *r, uint32_t n)
{
        size_t len = length_of(n);
        uint8_t *p = ring_claim(r, len);

        if (!p)
                return false;
        for (size_t i = 0; i < len; i++)
                p[i] = (uint8_t)(n + i);
        ring_publish(r);
        return true;
}

static bool pop(struct ring *r, uint32_t n)
{
        size_t len = 0;
        const uint8_t *p = ring_front(r, &len);
        bool right;

        if (!p)
                return false;
        right = len == length_of(n) && (uintptr_t)p % 8 == 0;
        for (size_t i = 0; right && i < len; i++)
                right = p[i] == (uint8_t)(n + i);
        /* Check notes every assertion: one for a record, not one for a byte. */
        if (!right)
                ck_abort_msg("record %u came out wrong", n);
        ring_release(r);
        return true;
}

TEST(records_come_out_in_order_and_unchanged)
{
        struct fixture *f = make();
        uint32_t pushed = 0, popped = 0;

        /* Alternates between filling up and emptying to a varying depth. */
        for (int round = 0; round < 2000; round++) {
                while (push(&f->ring, pushed))
                        pushed++;
                for (int i = 0; i <= round % 9 && pop(&f->ring, popped); i++)
                        popped++;
        }
        while (pop(&f->ring, popped))
                popped++;
        ck_assert_uint_eq(pushed, popped);
        ck_assert_uint_gt(pushed, 2000);
        free(f);
}

TEST(empty_ring_has_no_front)
{
        struct fixture *f = make();
        size_t len;

        ck_assert_ptr_null(ring_front(&f->ring, &len));
        ck_assert(push(&f->ring, 1));
        ck_assert(pop(&f->ring, 1));
        ck_assert_ptr_null(ring_front(&f->ring, &len));
        free(f);
}

TEST(claimed_record_is_not_seen_before_it_is_published)
{
        struct fixture *f = make();
        size_t len;

        ck_assert_ptr_nonnull(ring_claim(&f->ring, 10));
        ck_assert_ptr_null(ring_front(&f->ring, &len));
        ring_publish(&f->ring);
        ck_assert_ptr_nonnull(ring_front(&f->ring, &len));
        ck_assert_uint_eq(len, 10);
        free(f);
}

TEST(record_that_fits_gets_in_wherever_the_ring_stands)
{
        size_t largest = SIZE / 2 - 8, len;
        struct fixture *f = make();

        ck_assert(ring_fits(&f->ring, largest));
        ck_assert(!ring_fits(&f->ring, largest + 1));
        ck_assert(!ring_fits(&f->ring, SIZE_MAX));
        ck_assert_ptr_null(ring_claim(&f->ring, largest + 1));
        for (int i = 0; i < 1000; i++) {
                /* Empty each time, but at another place. */
                ck_assert_ptr_nonnull(ring_claim(&f->ring, largest));
                ring_publish(&f->ring);
                ck_assert_ptr_nonnull(ring_front(&f->ring, &len));
                ring_release(&f->ring);
                ck_assert(push(&f->ring, (uint32_t)i));
                ck_assert(pop(&f->ring, (uint32_t)i));
        }
        free(f);
}

TEST(full_ring_takes_again_after_a_release)
{
        struct fixture *f = make();
        size_t len;
        int n = 0;

        while (ring_claim(&f->ring, 120)) {
                ring_publish(&f->ring);
                n++;
        }
        ck_assert_int_eq(n, SIZE / 128);
        ck_assert_ptr_nonnull(ring_front(&f->ring, &len));
        ring_release(&f->ring);
        ck_assert_ptr_nonnull(ring_claim(&f->ring, 120));
        ring_publish(&f->ring);
        ck_assert_ptr_null(ring_claim(&f->ring, 120));
        ck_assert_uint_eq(ring_popped(&f->ring), 128);
        free(f);
}

#define RECORDS 200000

static void *push_all(void *arg)
{
        struct ring *r = arg;

        for (uint32_t n = 0; n < RECORDS; n++)
                while (!push(r, n))
                        sched_yield();
        return NULL;
}

TEST(two_threads_lose_and_change_nothing)
{
        struct fixture *f = make();
        uint32_t n = 0;
        pthread_t thread;
        size_t len;

        ck_assert_int_eq(pthread_create(&thread, NULL, push_all, &f->ring), 0);
        while (n < RECORDS)
                if (pop(&f->ring, n))
                        n++;
                else
                        sched_yield();
        pthread_join(thread, NULL);
        ck_assert_ptr_null(ring_front(&f->ring, &len));
        free(f);
}
