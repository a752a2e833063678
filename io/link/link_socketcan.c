/* A CAN interface of Linux (linux/can/raw.h): a packet is a frame, as the kernel's struct can_frame has it. Extended data
 * frames alone come in; its own do not. */
#include "io/link/link.h"

#include <errno.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int is_gone(void)
{
        return errno == ENETDOWN || errno == ENODEV || errno == ENXIO ? LINK_GONE : 0;
}

/* A full queue is what a bus gives on which nobody acknowledges. */
static int socketcan_write(struct link *l, const void *buf, size_t len)
{
        ssize_t sent;

        if (len != CAN_MTU)
                return 0;
        sent = send(l->fd, buf, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        return sent >= 0 ? (int)sent : is_gone();
}

static int socketcan_read(struct link *l, void *buf, size_t cap)
{
        ssize_t got;

        if (cap < CAN_MTU)
                return 0;
        got = recv(l->fd, buf, CAN_MTU, MSG_DONTWAIT);
        return got >= 0 ? (int)got : is_gone();
}

static void socketcan_close(struct link *l)
{
        if (l->fd >= 0)
                close(l->fd);
        free(l);
}

static const struct link_ops socketcan_ops = {
        .write = socketcan_write,
        .read = socketcan_read,
        .close = socketcan_close,
};

static bool bind_to(int fd, const char *interface)
{
        const struct can_filter extended = { CAN_EFF_FLAG, CAN_EFF_FLAG | CAN_RTR_FLAG };
        struct sockaddr_can address = { .can_family = AF_CAN };
        struct ifreq request = { 0 };

        snprintf(request.ifr_name, sizeof request.ifr_name, "%s", interface);
        if (ioctl(fd, SIOCGIFINDEX, &request) != 0)
                return false;
        address.can_ifindex = request.ifr_ifindex;
        if (ioctl(fd, SIOCGIFFLAGS, &request) != 0)
                return false;
        if (!(request.ifr_flags & IFF_UP)) {
                errno = ENETDOWN;
                return false;
        }
        return setsockopt(fd, SOL_CAN_RAW, CAN_RAW_FILTER, &extended, sizeof extended) ==
                       0 &&
               bind(fd, (const struct sockaddr *)&address, sizeof address) == 0;
}

static struct link *refuse(struct link *l, const char *interface, struct link_error *why)
{
        int error = errno;

        link_refuse_errno(why, l->name, error);
        if (error == EAFNOSUPPORT || error == EPROTONOSUPPORT)
                snprintf(why->text, sizeof why->text,
                         "%s: this kernel has no CAN (modprobe can-raw)", l->name);
        else if (error == ENETDOWN)
                snprintf(why->text, sizeof why->text,
                         "%s: is down (sudo ip link set %s up type can bitrate 1000000)",
                         l->name, interface);
        socketcan_close(l);
        return NULL;
}

struct link *link_socketcan_open(const struct link_spec *spec, struct link_error *why)
{
        struct link *l = calloc(1, sizeof *l);

        if (l == NULL)
                return link_refuse(why, "out of memory");
        l->ops = &socketcan_ops;
        l->packets = true;
        snprintf(l->name, sizeof l->name, "socketcan %s", spec->path);
        l->fd = socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
        return l->fd >= 0 && bind_to(l->fd, spec->path) ? l : refuse(l, spec->path, why);
}
