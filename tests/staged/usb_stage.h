/* A stage on which libusb plays with models of devices instead of a kernel: for one test program, which
 * must include this once. The program's own open(), ioctl() and friends, and its own udev_*(), stand before
 * the libraries'; they show libusb a bus, device nodes and a usbfs that answers from tests/usb/usb_model.h.
 * Everything else is the kernel's. libusb itself is the machine's own, unmodified. The host's clock is the
 * test's, if it says played_clock_begin().
 *
 * A device node is the write end of a pipe of one page: full, so that poll() sees nothing, and emptied when
 * a transfer has ended, which usbfs tells by POLLOUT. Nothing happens by itself: a test that gives a model
 * something to say calls stage_run(); where libusb runs in another thread, with stage_mutex held. */
#pragma once

#include "tests/staged/played_clock.h"
#include "tests/usb/stage_bus.h"
#include "tests/usb/stage_files.h"
#include "tests/usb/stage_transfers.h"
#include "tests/usb/stage_udev.h"
