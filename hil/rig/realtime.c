#include "hil/rig/realtime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Touched once, so that the loop's stack is in memory before it runs. */
#define STACK_BYTES (256 * 1024)

__attribute__((format(printf, 2, 3))) static void miss(struct realtime *rt,
                                                       const char *format, ...)
{
        size_t used = strlen(rt->missing);
        va_list args;

        if (used != 0 && used + 2 < sizeof rt->missing) {
                memcpy(rt->missing + used, "; ", 3);
                used += 2;
        }
        va_start(args, format);
        vsnprintf(rt->missing + used, sizeof rt->missing - used, format, args);
        va_end(args);
}

static void lock_memory(struct realtime *rt)
{
        volatile unsigned char stack[STACK_BYTES];

        if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
                /* A failed MCL_FUTURE must not make later allocations fail. */
                miss(rt, "memory not locked (%s)", strerror(errno));
                munlockall();
                return;
        }
        for (size_t i = 0; i < sizeof stack; i += 4096)
                stack[i] = 0;
}

static void choose_cpu(struct realtime *rt, int cpu)
{
        cpu_set_t set;
        int error;

        CPU_ZERO(&set);
        CPU_SET((size_t)cpu, &set);
        rt->moved = pthread_getaffinity_np(pthread_self(), sizeof rt->cpus_before,
                                           &rt->cpus_before) == 0;
        error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
        if (error != 0)
                miss(rt, "CPU %d not had (%s)", cpu, strerror(error));
}

static void hold_latency(struct realtime *rt)
{
        int32_t none = 0;

        rt->latency_fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
        if (rt->latency_fd >= 0 &&
            write(rt->latency_fd, &none, sizeof none) == sizeof none)
                return;
        miss(rt, "CPU sleep states not held off (/dev/cpu_dma_latency: %s)",
             strerror(errno));
        if (rt->latency_fd >= 0)
                close(rt->latency_fd);
        rt->latency_fd = -1;
}

static void choose_scheduler(struct realtime *rt, int priority)
{
        struct sched_param param = { .sched_priority = priority };
        int error;

        rt->class_before = sched_getscheduler(0);
        sched_getparam(0, &rt->param_before);
        error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
        rt->raised = error == 0;
        if (error != 0)
                miss(rt, "SCHED_FIFO %d not had (%s)", priority, strerror(error));
}

void realtime_enter(struct realtime *rt, const struct realtime_config *config)
{
        *rt = (struct realtime){ .latency_fd = -1 };
        /* Without SCHED_FIFO a sleep is rounded up by 50 us otherwise. */
        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        if (config->lock_memory)
                lock_memory(rt);
        if (config->cpu >= 0)
                choose_cpu(rt, config->cpu);
        if (config->hold_cpu_latency)
                hold_latency(rt);
        if (config->priority > 0)
                choose_scheduler(rt, config->priority);
}

void realtime_leave(struct realtime *rt)
{
        if (rt->raised)
                pthread_setschedparam(pthread_self(), rt->class_before,
                                      &rt->param_before);
        rt->raised = false;
        if (rt->moved)
                pthread_setaffinity_np(pthread_self(), sizeof rt->cpus_before,
                                       &rt->cpus_before);
        rt->moved = false;
        prctl(PR_SET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL);
        munlockall();
        if (rt->latency_fd >= 0)
                close(rt->latency_fd);
        rt->latency_fd = -1;
}
