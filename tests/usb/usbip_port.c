/* Holds the transfers that the kernel has submitted until the model takes or fills them, in order for each
 * endpoint, as a bus does that polls a device which is not ready. */
#include "tests/usb/usbip_port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hil/time/clock.h"
#include "io/le.h"
#include "tests/usb/usbip.h"

#define CONTROLLER    "/sys/devices/platform/vhci_hcd.0/"
#define TRANSFERS_MAX 600 /* an analyzer keeps some hundreds queued */
#define DEVID         0x10001
#define REPLACED_MS   100
#define ATTACH_MS     5000 /* how long the kernel may take to let go of the port */

struct transfer {
        struct usbip_request request;
        size_t done; /* of an OUT one */
        uint8_t data[USBIP_DATA_MAX];
};

struct conversation {
        struct usbip_port *port;
        int socket;
        struct transfer *waiting[TRANSFERS_MAX]; /* in the order in which they came */
        size_t count;
        struct transfer *pool[TRANSFERS_MAX]; /* free ones */
        size_t free;
        bool over;
        bool idle; /* the model had something, but for no transfer that waits */
        struct transfer transfer[TRANSFERS_MAX];
};

static bool tell_controller(const char *file, const char *text)
{
        char path[128];
        int fd, error;

        snprintf(path, sizeof path, CONTROLLER "%s", file);
        fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd < 0)
                return false;
        error = write(fd, text, strlen(text)) < 0 ? errno : 0;
        close(fd);
        errno = error;
        return error == 0;
}

/* The kernel keeps its end of the socket when we have closed ours. A port that was just left is
 * not free at once. */
static int attach(const struct usbip_port *p)
{
        char text[64];
        int ends[2];
        int64_t give_up_ns = clock_now_ns() + ATTACH_MS * NS_PER_MS;
        bool attached;

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
                return -1;
        snprintf(text, sizeof text, "%d %d %d %d", p->number, ends[1], DEVID,
                 (int)p->model->speed);
        while (!(attached = tell_controller("attach", text)) &&
               clock_now_ns() < give_up_ns)
                clock_sleep_until(clock_now_ns() + NS_PER_MS);
        if (!attached)
                fprintf(stderr, "usbip_device: " CONTROLLER "attach: %s\n",
                        strerror(errno));
        close(ends[1]);
        if (attached)
                return ends[0];
        close(ends[0]);
        return -1;
}

static void detach(const struct usbip_port *p)
{
        char text[16];

        snprintf(text, sizeof text, "%d", p->number);
        tell_controller("detach", text);
}

static bool receive(struct conversation *c, void *bytes, size_t len)
{
        if (len == 0 || recv(c->socket, bytes, len, MSG_WAITALL) == (ssize_t)len)
                return true;
        c->over = true;
        return false;
}

static void send_bytes(struct conversation *c, const void *bytes, size_t len)
{
        if (len > 0 && !c->over &&
            send(c->socket, bytes, len, MSG_NOSIGNAL) != (ssize_t)len)
                c->over = true;
}

static void drop(struct conversation *c, size_t at)
{
        c->pool[c->free++] = c->waiting[at];
        c->count--;
        memmove(&c->waiting[at], &c->waiting[at + 1],
                (c->count - at) * sizeof(struct transfer *));
}

static int status_of(int result)
{
        switch (result) {
        case USB_STALL:
                return -EPIPE;
        case USB_BROKEN:
                return -EPROTO;
        default:
                return 0;
        }
}

/* Answers with a number of bytes, or with what went wrong. */
static void finish(struct conversation *c, size_t at, int result)
{
        struct transfer *t = c->waiting[at];
        uint8_t bytes[USBIP_HEADER];
        size_t moved = result > 0 ? (size_t)result : 0;

        usbip_encode_submitted(bytes, &t->request, status_of(result), moved);
        send_bytes(c, bytes, sizeof bytes);
        if (t->request.in)
                send_bytes(c, t->data, moved);
        if (result < 0)
                c->port->stalls += t->request.endpoint != 0;
        else if (t->request.endpoint != 0)
                *(t->request.in ? &c->port->ins : &c->port->outs) += 1;
        drop(c, at);
        c->idle = false;
}

static void unlink_transfer(struct conversation *c, const struct usbip_request *r)
{
        uint8_t bytes[USBIP_HEADER];
        size_t at = 0;

        while (at < c->count && c->waiting[at]->request.seqnum != r->unlinks)
                at++;
        usbip_encode_unlinked(bytes, r, at < c->count ? -ECONNRESET : 0);
        if (at < c->count)
                drop(c, at);
        c->port->unlinked++;
        send_bytes(c, bytes, sizeof bytes);
}

/* One message of the kernel's, whole. */
static void listen_once(struct conversation *c)
{
        uint8_t bytes[USBIP_HEADER];
        struct usbip_request r;
        struct transfer *t;

        if (!receive(c, bytes, sizeof bytes))
                return;
        if (!usbip_decode(&r, bytes) || (r.command == USBIP_SUBMIT && c->free == 0)) {
                fprintf(stderr, "usbip_device: a transfer that cannot be carried\n");
                c->over = true;
                return;
        }
        if (r.command == USBIP_UNLINK) {
                unlink_transfer(c, &r);
                return;
        }
        t = c->pool[--c->free];
        t->request = r;
        t->done = 0;
        c->waiting[c->count++] = t;
        receive(c, t->data, usbip_data_behind(&r));
}

static int try_control(struct usb_model *m, struct transfer *t)
{
        const uint8_t *s = t->request.setup;
        struct usb_setup setup = { s[0], s[1], le_get_u16(s + 2), le_get_u16(s + 4),
                                   le_get_u16(s + 6) };
        int result;

        if (setup.len > t->request.len)
                setup.len = (uint16_t)t->request.len;
        result = usb_standard_control(m, &setup, t->data);
        return result == 0 && !t->request.in ? setup.len : result;
}

/* The number of bytes when the transfer is over. */
static int try_data(struct usb_model *m, struct transfer *t)
{
        const struct usbip_request *r = &t->request;
        int n;

        if (m->halted & usb_halt_bit(r->endpoint, r->in))
                return USB_STALL;
        if (r->in)
                n = m->ops->in(m, r->endpoint, t->data, r->len);
        else
                n = r->len == 0 ? 0
                                : m->ops->out(m, r->endpoint, t->data + t->done,
                                              r->len - t->done);
        if (n == USB_STALL)
                m->halted |= usb_halt_bit(r->endpoint, r->in);
        if (n < 0 || r->in)
                return n;
        t->done += (size_t)n;
        return t->done < r->len ? USB_NAK : (int)r->len;
}

static bool wants_unplugging(const struct usbip_port *p)
{
        return p->model->replaced || p->pull ||
               (p->unplug_after > 0 && p->outs >= p->unplug_after);
}

/* Each endpoint's first transfer, and the next ones when that is over. True: one is over. */
static bool look_through(struct conversation *c)
{
        struct usb_model *m = c->port->model;
        uint32_t busy = 0;
        size_t at = 0;
        bool moved = false;

        while (at < c->count && !c->over && !wants_unplugging(c->port)) {
                struct transfer *t = c->waiting[at];
                uint32_t bit = usb_halt_bit(t->request.endpoint, t->request.in);
                int result = USB_NAK;

                if (!(busy & bit))
                        result = t->request.endpoint == 0 ? try_control(m, t)
                                                          : try_data(m, t);
                if (result == USB_NAK) {
                        busy |= bit;
                        at++;
                        continue;
                }
                finish(c, at, result);
                moved = true;
        }
        return moved;
}

/* What came in may be what an earlier transfer waits for. */
static void work(struct conversation *c)
{
        while (look_through(c))
                ;
}

static bool waits_for_model(const struct conversation *c, bool in)
{
        for (size_t i = 0; i < c->count; i++)
                if (c->waiting[i]->request.in == in)
                        return true;
        return false;
}

/* Until the kernel says something or the model may have got further. */
static void wait_for_news(struct conversation *c)
{
        struct usb_model *m = c->port->model;
        const struct usbip_aside *aside = &c->port->aside;
        struct pollfd fds[3] = { { .fd = c->socket, .events = POLLIN },
                                 { .fd = -1, .events = POLLIN },
                                 { .fd = -1, .events = POLLIN } };
        int timeout_ms = 100;

        if (m->ops->fd != NULL && waits_for_model(c, true)) {
                fds[1].fd = c->idle ? -1 : m->ops->fd(m);
                if (fds[1].fd < 0)
                        timeout_ms = 1;
        }
        if (waits_for_model(c, false))
                timeout_ms = 1; /* the model has no room */
        if (aside->step != NULL)
                fds[2].fd = aside->fd(aside->what);
        c->idle = poll(fds, 3, timeout_ms) > 0 && fds[1].revents != 0;
        if (aside->step != NULL)
                aside->step(aside->what);
        while (!c->over && recv(c->socket, &(char){ 0 }, 1, MSG_PEEK | MSG_DONTWAIT) >= 0)
                listen_once(c);
        if (fds[0].revents & (POLLHUP | POLLERR))
                c->over = true;
}

static bool converse(struct conversation *c, const volatile sig_atomic_t *stop)
{
        struct usbip_port *p = c->port;

        c->socket = attach(p);
        if (c->socket < 0)
                return false;
        while (!c->over && !*stop && !wants_unplugging(p)) {
                wait_for_news(c);
                work(c);
        }
        /* The kernel hangs up when it has thrown everything away. */
        detach(p);
        while (recv(c->socket, (char[4096]){ 0 }, 4096, 0) > 0)
                ;
        close(c->socket);
        return true;
}

static bool plug(struct conversation *c, const volatile sig_atomic_t *stop)
{
        struct usbip_port *p = c->port;
        bool served;

        c->over = c->idle = false;
        while (c->count > 0)
                drop(c, 0);
        usb_standard_reset(p->model);
        if (!p->model->ops->plug(p->model))
                return false;
        p->plugged++;
        served = converse(c, stop);
        p->model->ops->unplug(p->model);
        return served;
}

/* Whether, and then when, it is plugged in again. */
static bool comes_back(struct usbip_port *p)
{
        int after_ms = p->replug_ms;

        if (!wants_unplugging(p))
                return false;
        if (p->model->replaced)
                after_ms = REPLACED_MS;
        else
                p->unplug_after = 0;
        p->pull = false;
        if (after_ms >= 0)
                clock_sleep_until(clock_now_ns() + after_ms * NS_PER_MS);
        return after_ms >= 0;
}

bool usbip_port_serve(struct usbip_port *p, const volatile sig_atomic_t *stop)
{
        struct conversation *c = calloc(1, sizeof *c);
        bool served;

        if (c == NULL)
                return false;
        c->port = p;
        for (size_t i = 0; i < TRANSFERS_MAX; i++)
                c->pool[c->free++] = &c->transfer[i];
        do {
                served = plug(c, stop);
        } while (served && !*stop && comes_back(p));
        free(c);
        return served;
}
