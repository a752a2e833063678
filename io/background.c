#include "io/background.h"

#include <sched.h>
#include <signal.h>

void background_attr(pthread_attr_t *attr, size_t stack_bytes)
{
        struct sched_param lowest = { .sched_priority = 0 };
        int own = sched_getscheduler(0);

        pthread_attr_init(attr);
        pthread_attr_setstacksize(attr, stack_bytes);
        if (own != SCHED_FIFO && own != SCHED_RR)
                return;
        pthread_attr_setinheritsched(attr, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(attr, SCHED_OTHER);
        pthread_attr_setschedparam(attr, &lowest);
}

int background_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
                     void *of)
{
        pthread_attr_t attr;
        sigset_t all, before;
        int error;

        background_attr(&attr, stack_bytes);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(thread, &attr, run, of);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attr);
        return error;
}
