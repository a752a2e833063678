/* System-management interrupts, for which the firmware takes a CPU away from the kernel: Intel's processors count them
 * in a register, which root may read where the module "msr" is loaded. Others do not show them. */
#pragma once

#include "hil/host/system_text.h"

/* The largest count of the CPUs since the machine was reset: all of them get each. False with the reason. */
bool smi_count(const char *root, const struct cpu_list *cpus, uint64_t *count, char *why,
               size_t cap);
