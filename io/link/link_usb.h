/* Statistics of a USB link. */
#pragma once

#include "io/link/link.h"

struct link_usb_counts {
        uint64_t packets_in, packets_out;
        uint64_t empty_in; /* empty packets received */
        uint64_t stalls; /* halts of either endpoint, cleared again */
        uint64_t broken; /* transfers lost on the wire */
};

/* Of a link that link_usb_open() made. */
struct link_usb_counts link_usb_counts(const struct link *l);
