/* The twin of a rigid body that Motive tracks, by NatNet. The rig says hello on the command port, asks which number the
 * body of that name has, keeps the stream alive, and takes frames from there or from a port or group of their own. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/le.h"
#include "io/twin/mocap.h"
#include "io/twin/natnet_packet.h"
#include "io/twin/source.h"

#define ASK_NS      500000000
#define PACKETS_MAX 64 /* read in one call */

struct twin_natnet {
        struct twin_source source;
        struct mocap_place place;
        char aircraft[64];
        struct link *link; /* to the command port */
        int data; /* socket of the frames; -1: they come by the link */
        struct in_addr host; /* whose frames count there */
        struct natnet_server server;
        bool met; /* it has said its version */
        bool known; /* the number of the body */
        int32_t id;
        int64_t asked_ns;
        uint8_t packet[NATNET_PACKET_MAX];
};

/* The address of this machine towards the command port: the group is joined there. */
static struct in_addr local_address(const char *host)
{
        struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
        struct sockaddr_in own = { .sin_addr.s_addr = htonl(INADDR_ANY) };
        socklen_t len = sizeof own;
        int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

        if (fd >= 0 && inet_pton(AF_INET, host, &to.sin_addr) == 1 &&
            connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
                getsockname(fd, (struct sockaddr *)&own, &len);
        if (fd >= 0)
                close(fd);
        return own.sin_addr;
}

/* The port of the frames: of a group at every address that it may be sent to, otherwise towards the host alone. */
static bool open_data(struct twin_natnet *n, const char *host, struct link_error *why)
{
        struct in_addr own = local_address(host);
        struct sockaddr_in at = { .sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)n->place.data_port),
                                  .sin_addr = own };
        struct ip_mreq join = { .imr_interface = own };
        int on = 1;

        inet_pton(AF_INET, host, &n->host);
        n->data = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (n->place.group[0] != '\0') {
                inet_pton(AF_INET, n->place.group, &join.imr_multiaddr);
                at.sin_addr = join.imr_multiaddr;
        }
        if (n->data >= 0 &&
            setsockopt(n->data, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
            bind(n->data, (struct sockaddr *)&at, sizeof at) == 0 &&
            (n->place.group[0] == '\0' ||
             setsockopt(n->data, IPPROTO_IP, IP_ADD_MEMBERSHIP, &join, sizeof join) == 0))
                return true;
        snprintf(why->text, sizeof why->text, "%s: its frames on %s%sport %d: %s",
                 n->place.link, n->place.group, n->place.group[0] != '\0' ? ", " : "",
                 n->place.data_port, strerror(errno));
        return false;
}

static void close_natnet(struct twin_source *source)
{
        struct twin_natnet *n = (struct twin_natnet *)source;

        if (n->link != NULL)
                link_close(n->link);
        if (n->data >= 0)
                close(n->data);
        free(n);
}

/* A number is the body's own, "streaming id" in Motive. */
static void name_body(struct twin_natnet *n, const char *aircraft)
{
        char *end;
        long id = strtol(aircraft, &end, 10);

        snprintf(n->aircraft, sizeof n->aircraft, "%s", aircraft);
        n->known = end != aircraft && *end == '\0' && id >= 0 && id <= INT32_MAX;
        n->id = n->known ? (int32_t)id : -1;
}

struct twin_source *twin_natnet_open(const struct twin_setup *setup,
                                     struct link_error *why)
{
        struct twin_natnet *n = calloc(1, sizeof *n);
        struct link_spec spec;
        bool ok = n != NULL;

        if (!ok)
                snprintf(why->text, sizeof why->text, "out of memory");
        if (ok) {
                n->source.ops = &twin_natnet_ops;
                n->data = -1;
                n->asked_ns = INT64_MIN / 2;
                name_body(n, setup->aircraft);
                ok = mocap_place_parse(&n->place, setup->where, MOCAP_Y_UP, why) &&
                     link_spec_parse(&spec, n->place.link, why);
        }
        if (ok && spec.kind != LINK_UDP) {
                snprintf(why->text, sizeof why->text,
                         "%s: must be udp:HOST:PORT, Motive's command port (1510)",
                         setup->where);
                ok = false;
        }
        if (ok)
                n->link = link_open(&spec, why);
        ok = ok && n->link != NULL &&
             (n->place.data_port == 0 || open_data(n, spec.host, why));
        if (!ok && n != NULL)
                close_natnet(&n->source);
        if (!ok)
                return NULL;
        n->source.fd = n->data >= 0 ? n->data : n->link->fd;
        return &n->source;
}

/* Twice a second: hello until it has answered, then which number the body has, then that we are still there. */
static void ask(struct twin_natnet *n, int64_t now_ns)
{
        uint8_t packet[NATNET_HEAD + NATNET_CONNECT_LEN] = { 0 };
        size_t len = NATNET_HEAD;

        if (now_ns - n->asked_ns < ASK_NS)
                return;
        n->asked_ns = now_ns;
        if (!n->met) {
                natnet_write_connect(packet);
                len = sizeof packet;
        } else {
                le_put_u16(packet, n->known ? NATNET_KEEP_ALIVE : NATNET_REQUEST_MODELS);
        }
        if (link_write(n->link, packet, len) <= 0)
                n->source.counts.dropped++;
}

static void take_models(struct twin_natnet *n, const uint8_t *body, size_t len)
{
        enum natnet_search found;

        if (n->known)
                return;
        found = natnet_find_body(body, len, n->server.version, n->aircraft, &n->id);
        n->known = found == NATNET_FOUND;
        n->source.counts.errors += found == NATNET_MALFORMED;
}

/* On the clock of Motive's host. */
static void take_time(const struct twin_natnet *n, const struct natnet_frame *frame,
                      struct twin_word *word)
{
        double s = frame->software_s;

        if (frame->exposure_ticks > 0 && n->server.clock_hz > 0)
                s = (double)frame->exposure_ticks / (double)n->server.clock_hz;
        if (!(s > 0.0 && s < 1e9))
                return;
        word->said |= TWIN_TIME;
        word->measured_ns = llround(s * 1e9);
}

static bool take_frame(struct twin_natnet *n, const uint8_t *body, size_t len,
                       struct twin_word *word)
{
        struct natnet_frame frame;
        struct vec3 at;

        if (!natnet_read_frame(body, len, n->server.version, n->id, &frame)) {
                n->source.counts.errors++;
                return false;
        }
        if (!n->known || !frame.found || !frame.tracked) {
                n->source.counts.overheard++;
                return false;
        }
        at = mocap_to_ned(n->place.axes, frame.position);
        if (!(fabs(at.x) < 1e5 && fabs(at.y) < 1e5 && fabs(at.z) < 1e5) ||
            !mocap_quat_to_ned(n->place.axes, frame.orientation, &word->q_body_to_ned)) {
                n->source.counts.errors++;
                return false;
        }
        word->said = TWIN_POSITION | TWIN_ATTITUDE;
        word->pos_ned_m = at;
        take_time(n, &frame, word);
        n->source.counts.words++;
        return true;
}

static bool take_packet(struct twin_natnet *n, size_t len, struct twin_word *word)
{
        const uint8_t *body = n->packet + NATNET_HEAD;
        size_t body_len = len - NATNET_HEAD;

        if (len < NATNET_HEAD || le_get_u16(n->packet + 2) > body_len) {
                n->source.counts.errors++;
                return false;
        }
        switch (le_get_u16(n->packet)) {
        case NATNET_SERVER_INFO:
                n->met = natnet_read_server(body, body_len, &n->server);
                n->source.counts.errors += !n->met;
                if (n->met)
                        n->asked_ns = INT64_MIN / 2; /* what is next at once */
                return false;
        case NATNET_MODELS:
                take_models(n, body, body_len);
                return false;
        case NATNET_FRAME:
                /* Before its version is known nobody can read it. */
                if (n->met)
                        return take_frame(n, body, body_len, word);
                n->source.counts.overheard++;
                return false;
        default:
                return false;
        }
}

/* Anybody may send to a group, or to a port: another system's bodies have the same numbers. 0: nothing waits. */
static size_t receive_frame(struct twin_natnet *n)
{
        struct sockaddr_in from;

        for (int i = 0; n->data >= 0 && i < PACKETS_MAX; i++) {
                socklen_t len = sizeof from;
                ssize_t got = recvfrom(n->data, n->packet, sizeof n->packet, 0,
                                       (struct sockaddr *)&from, &len);

                if (got <= 0)
                        return 0;
                if (from.sin_addr.s_addr == n->host.s_addr)
                        return (size_t)got;
                n->source.counts.overheard++;
        }
        return 0;
}

/* 0: nothing waits. */
static size_t receive(struct twin_natnet *n)
{
        int got = link_read(n->link, n->packet, sizeof n->packet);

        return got > 0 ? (size_t)got : receive_frame(n);
}

static bool take_natnet(struct twin_source *source, int64_t now_ns,
                        struct twin_word *word)
{
        struct twin_natnet *n = (struct twin_natnet *)source;

        for (int i = 0; i < PACKETS_MAX; i++) {
                size_t len;

                ask(n, now_ns);
                len = receive(n);
                if (len == 0)
                        return false;
                *word = (struct twin_word){ .arrived_ns = now_ns };
                if (take_packet(n, len, word))
                        return true;
        }
        return false;
}

const struct twin_source_ops twin_natnet_ops = {
        .name = "natnet",
        .what = "a rigid body that Motive tracks, by NatNet 3 and 4",
        .open = twin_natnet_open,
        .take = take_natnet,
        .close = close_natnet,
};
