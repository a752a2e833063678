#include "hil/time/background.h"

#include <signal.h>

int background_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
                     void *of)
{
        struct sched_param lowest = { .sched_priority = 0 };
        pthread_attr_t attr;
        sigset_t all, before;
        int error;

        pthread_attr_init(&attr);
        pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
        pthread_attr_setschedparam(&attr, &lowest);
        pthread_attr_setstacksize(&attr, stack_bytes);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(thread, &attr, run, of);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attr);
        return error;
}
