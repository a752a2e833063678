/* What a scenario does to the host itself, to see whether the rig notices and says so. */
#ifndef HIL_SCENARIO_HOST_FAULT_H
#define HIL_SCENARIO_HOST_FAULT_H

#include <stdint.h>

enum host_fault_kind {
        HOST_STALL, /* the loop does nothing for `by_ns` of host time, as if it were not scheduled */
        HOST_CLOCK_STEP, /* its clock jumps by `by_ns`, forwards or back */
        HOST_FAULT_KINDS
};

struct host_fault {
        enum host_fault_kind kind;
        int64_t by_ns;
};

#endif
