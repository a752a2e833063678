/* A serial port through libserialport: no flow control, exclusive. Found by its path or by its USB
 * ids. Only this file uses the library. */
#include "io/link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <libserialport.h>
#include <limits.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "io/link/link_uart.h"

struct uart {
        struct link link;
        struct sp_port *port;
        uint32_t baud; /* at which it runs */
        bool gone;
};

static int be_gone(struct uart *u)
{
        u->gone = true;
        return LINK_GONE;
}

static bool for_now(int error)
{
        return error == EAGAIN || error == EINTR;
}

static int uart_write(struct link *l, const void *buf, size_t len)
{
        struct uart *u = (struct uart *)l;

        if (u->gone)
                return LINK_GONE;
        if (len == 0)
                return 0;

        int sent = sp_nonblocking_write(u->port, buf, len < INT_MAX ? len : INT_MAX);

        if (sent >= 0)
                return sent;
        return for_now(errno) ? 0 : be_gone(u);
}

static int uart_read(struct link *l, void *buf, size_t cap)
{
        struct uart *u = (struct uart *)l;
        struct pollfd p = { .fd = l->fd };

        if (u->gone)
                return LINK_GONE;
        if (cap == 0)
                return 0;

        int got = sp_nonblocking_read(u->port, buf, cap < INT_MAX ? cap : INT_MAX);

        if (got > 0)
                return got;
        if (got < 0)
                return for_now(errno) ? 0 : be_gone(u);
        /* The library's ports read 0 bytes both when idle and when unplugged. */
        if (poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
                return be_gone(u);
        return 0;
}

/* Not while bytes for the old baud rate are waiting: the caller asks again. */
static uint32_t uart_speed(struct link *l, uint32_t baud)
{
        struct uart *u = (struct uart *)l;

        if (!u->gone && baud != u->baud && sp_output_waiting(u->port) == 0 &&
            sp_set_baudrate(u->port, (int)baud) == SP_OK)
                u->baud = baud;
        return u->baud == baud ? 0 : u->baud;
}

static void uart_close(struct link *l)
{
        struct uart *u = (struct uart *)l;

        if (l->fd >= 0) {
                ioctl(l->fd, TIOCNXCL);
                sp_close(u->port);
        }
        if (u->port != NULL)
                sp_free_port(u->port);
        free(u);
}

static const struct link_ops uart_ops = {
        .write = uart_write,
        .read = uart_read,
        .speed = uart_speed,
        .close = uart_close,
};

static bool refuse_errno(struct link_error *why, const char *name, int error)
{
        if (error == ENOENT || error == ENXIO || error == ENODEV)
                link_refuse(why, "%s: no such device", name);
        else if (error == EBUSY || error == EWOULDBLOCK)
                link_refuse(why, "%s: busy, another program holds it", name);
        else if (error == EACCES || error == EPERM)
                link_refuse(why,
                            "%s: permission denied: add your user to the group dialout "
                            "(sudo usermod -aG dialout $USER) and log in again",
                            name);
        else
                link_refuse_errno(why, name, error);
        return false;
}

/* The lock detects another rig even if both run as root, whom TIOCEXCL does not stop. */
static bool take_exclusively(int fd)
{
        return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
               ioctl(fd, TIOCEXCL) == 0;
}

/* libserialport 0.1.1 looks for CRTSCTS among the input flags, where it is not, so a port
 * on which someone switched hardware flow control on would keep it. */
static bool drop_hardware_flow_control(int fd)
{
        struct termios t;

        if (tcgetattr(fd, &t) != 0)
                return false;
        t.c_cflag &= ~CRTSCTS;
        return tcsetattr(fd, TCSANOW, &t) == 0;
}

static bool set_framing(struct sp_port *port, const struct link_spec *spec)
{
        static const enum sp_parity parity[] = {
                [LINK_PARITY_NONE] = SP_PARITY_NONE,
                [LINK_PARITY_EVEN] = SP_PARITY_EVEN,
                [LINK_PARITY_ODD] = SP_PARITY_ODD,
        };

        return sp_set_bits(port, spec->data_bits) == SP_OK &&
               sp_set_parity(port, parity[spec->parity]) == SP_OK &&
               sp_set_stopbits(port, spec->stop_bits) == SP_OK &&
               sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) == SP_OK;
}

/* The baud rate that the driver reports; the requested one if it reports none. */
static int real_baud(struct sp_port *port, int wanted)
{
        struct sp_port_config *config;
        int baud = wanted;

        if (sp_new_config(&config) != SP_OK)
                return wanted;
        if (sp_get_config(port, config) != SP_OK ||
            sp_get_config_baudrate(config, &baud) != SP_OK || baud <= 0)
                baud = wanted;
        sp_free_config(config);
        return baud;
}

/* Beyond 3 % a frame of ten bits is sampled in the wrong bit. */
static bool set_baud(struct sp_port *port, const char *name, uint32_t baud,
                     struct link_error *why)
{
        int wanted = (int)baud, real;

        if (sp_set_baudrate(port, wanted) != SP_OK) {
                link_refuse(why, "%s: cannot run at %d baud", name, wanted);
                return false;
        }
        real = real_baud(port, wanted);
        if (labs((long)real - wanted) * 100 <= 3L * wanted)
                return true;
        link_refuse(why, "%s: cannot run at %d baud, the nearest it does is %d", name,
                    wanted, real);
        return false;
}

/* Milliseconds for which an FTDI adapter holds bytes back; -1: not an FTDI adapter. */
static int read_latency_ms(const char *file)
{
        FILE *f = fopen(file, "r");
        int ms = -1;

        if (f == NULL)
                return -1;
        if (fscanf(f, "%d", &ms) != 1)
                ms = -1;
        fclose(f);
        return ms;
}

static int write_latency_1ms(const char *file)
{
        int fd = open(file, O_WRONLY | O_CLOEXEC), error = 0;

        if (fd < 0)
                return errno;
        if (write(fd, "1\n", 2) != 2)
                error = errno;
        close(fd);
        return error;
}

static void ask_for_low_latency(int fd)
{
        struct serial_struct serial = { 0 };

        if (ioctl(fd, TIOCGSERIAL, &serial) != 0)
                return;
        serial.flags |= (int)ASYNC_LOW_LATENCY;
        /* Few drivers know it; for FTDI the latency timer shows whether it worked. */
        ioctl(fd, TIOCSSERIAL, &serial);
}

static void shorten_latency(struct uart *u, const char *device)
{
        char file[160];
        int before, after, error = 0;

        snprintf(file, sizeof file, "/sys/class/tty/%s/device/latency_timer",
                 strrchr(device, '/') + 1);
        before = read_latency_ms(file);
        ask_for_low_latency(u->link.fd);
        if (read_latency_ms(file) > 1)
                error = write_latency_1ms(file);
        after = read_latency_ms(file);
        if (after > 1)
                snprintf(u->link.note, sizeof u->link.note,
                         "FTDI latency timer could not be set to 1 ms: %s; it is %d ms",
                         error != 0 ? strerrordesc_np(error) : "the driver kept it",
                         after);
        else if (before > 1)
                snprintf(u->link.note, sizeof u->link.note,
                         "FTDI latency timer set to 1 ms, was %d ms", before);
}

static bool set_up(struct uart *u, const struct link_spec *spec, struct link_error *why)
{
        const char *name = u->link.name;

        if (sp_get_port_handle(u->port, &u->link.fd) != SP_OK)
                return refuse_errno(why, name, EBADF);
        if (!take_exclusively(u->link.fd))
                return refuse_errno(why, name, errno);
        if (!drop_hardware_flow_control(u->link.fd) || !set_framing(u->port, spec))
                return refuse_errno(why, name, errno);
        if (!set_baud(u->port, name, spec->baud, why))
                return false;
        /* What the board sent before anybody listened is older than the run. */
        sp_flush(u->port, SP_BUF_BOTH);
        return true;
}

static bool open_port(struct uart *u, const char *path, const struct link_spec *spec,
                      struct link_error *why)
{
        char device[PATH_MAX]; /* the library does not follow links such as
                                  /dev/serial/by-id */

        if (realpath(path, device) == NULL)
                return refuse_errno(why, path, errno);
        if (sp_get_port_by_name(device, &u->port) != SP_OK) {
                u->port = NULL;
                link_refuse(why, "%s: not a serial port", path);
                return false;
        }
        if (sp_open(u->port, SP_MODE_READ_WRITE) != SP_OK)
                return refuse_errno(why, path, errno);
        if (!set_up(u, spec, why))
                return false;
        shorten_latency(u, device);
        return true;
}

static void copy_text(char to[64], const char *from)
{
        snprintf(to, 64, "%s", from != NULL ? from : "");
}

int link_uart_list(struct link_uart_port *ports, int max)
{
        struct sp_port **list;
        int count = 0;

        if (sp_list_ports(&list) != SP_OK)
                return 0;
        for (int i = 0; list[i] != NULL && count < max; i++) {
                struct link_uart_port *p = &ports[count++];

                snprintf(p->path, sizeof p->path, "%s", sp_get_port_name(list[i]));
                if (sp_get_port_usb_vid_pid(list[i], &p->usb_vid, &p->usb_pid) != SP_OK)
                        p->usb_vid = p->usb_pid = -1;
                copy_text(p->usb_serial, sp_get_port_usb_serial(list[i]));
                copy_text(p->manufacturer, sp_get_port_usb_manufacturer(list[i]));
                copy_text(p->product, sp_get_port_usb_product(list[i]));
        }
        sp_free_port_list(list);
        return count;
}

struct link *link_uart_open(const struct link_spec *spec, struct link_error *why)
{
        struct uart *u = calloc(1, sizeof *u);
        char path[sizeof spec->path];

        if (u == NULL)
                return link_refuse(why, "out of memory");
        u->link.ops = &uart_ops;
        u->link.fd = -1;
        memcpy(path, spec->path, sizeof path);
        if (spec->usb_vid < 0 || link_uart_find(path, spec, why)) {
                snprintf(u->link.name, sizeof u->link.name, "%s", path);
                if (open_port(u, path, spec, why))
                        return &u->link;
        }
        uart_close(&u->link);
        return NULL;
}
