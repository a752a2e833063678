/* Linux's termios2, which supports any baud rate and cannot be included together with the C
 * library's termios. */
#include "io/link/pty_speed.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>

uint32_t pty_speed_now(int tty)
{
        struct termios2 is;

        return ioctl(tty, TCGETS2, &is) == 0 ? is.c_ospeed : 0;
}
