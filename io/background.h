/* A thread that works for the loop without disturbing it. */
#pragma once

#include <pthread.h>
#include <stddef.h>

/* Of no real-time class: SCHED_OTHER where the caller has one, else the caller's own, such as SCHED_IDLE, which a process
 * may not leave without a privilege. stack_bytes: little enough to be locked in memory. Destroy it after use. */
void background_attr(pthread_attr_t *attr, size_t stack_bytes);

/* One with these; signals stay with the other threads. 0, or an errno. */
int background_start(pthread_t *thread, size_t stack_bytes, void *(*run)(void *),
                     void *of);
