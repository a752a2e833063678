#include "hil/time/crew.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct crew {
        int hands; /* threads beside the caller's */
        sem_t begin, end;
        void (*work)(void *with, int piece);
        void *with;
        int count;
        atomic_int next; /* piece */
        bool over;
        pthread_t thread[];
};

static void take_pieces(struct crew *c)
{
        int piece;

        while ((piece = atomic_fetch_add(&c->next, 1)) < c->count)
                c->work(c->with, piece);
}

static void wait_for(sem_t *s)
{
        while (sem_wait(s) != 0)
                ; /* interrupted by a signal */
}

static void *hand_main(void *of)
{
        struct crew *c = of;

        for (;;) {
                wait_for(&c->begin);
                if (c->over)
                        return NULL;
                take_pieces(c);
                sem_post(&c->end);
        }
}

struct crew *crew_open(int threads)
{
        struct crew *c = calloc(1, sizeof *c + (size_t)threads * sizeof c->thread[0]);

        if (c == NULL)
                return NULL;
        sem_init(&c->begin, 0, 0);
        sem_init(&c->end, 0, 0);
        while (c->hands < threads - 1) {
                if (pthread_create(&c->thread[c->hands], NULL, hand_main, c) != 0) {
                        crew_close(c);
                        return NULL;
                }
                c->hands++;
        }
        return c;
}

int crew_threads(const struct crew *c)
{
        return c != NULL ? c->hands + 1 : 1;
}

void crew_close(struct crew *c)
{
        if (c == NULL)
                return;
        c->over = true;
        for (int i = 0; i < c->hands; i++)
                sem_post(&c->begin);
        for (int i = 0; i < c->hands; i++)
                pthread_join(c->thread[i], NULL);
        sem_destroy(&c->begin);
        sem_destroy(&c->end);
        free(c);
}

void crew_work(struct crew *c, void (*work)(void *with, int piece), void *with, int count)
{
        if (c == NULL) {
                for (int i = 0; i < count; i++)
                        work(with, i);
                return;
        }
        c->work = work;
        c->with = with;
        c->count = count;
        atomic_store(&c->next, 0);
        for (int i = 0; i < c->hands; i++)
                sem_post(&c->begin);
        take_pieces(c);
        for (int i = 0; i < c->hands; i++)
                wait_for(&c->end);
}
