/* A thread that works for the loop without disturbing it. */
#pragma once

#include <pthread.h>

/* SCHED_OTHER whatever the caller's class is; signals stay with the other threads. stack_bytes: little enough to be locked
 * in memory. 0, or an errno. */
int background_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
                     void *of);
