/* The sockets of an Ivy node. Of two connections between the same nodes the one that the lower port opened stays, so
 * that both ends keep the same. */
#include "io/twin/ivy_bus.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/twin/ivy_peer.h"

#define DEFAULT_BUS   "127.255.255.255:2010"
#define STRANGER_NS   INT64_C(5000000000) /* until a peer must have introduced itself */
#define DATAGRAMS_MAX 16 /* a call, and so are new peers and reads */

struct connection {
        int fd;
        bool ours; /* we opened it */
        uint64_t serial; /* of all that ever came */
        int64_t since_ns;
        struct sockaddr_in from; /* ours: with the port of its server */
        char in[2048];
        size_t in_first, in_len;
        struct ivy_peer peer;
};

struct ivy_node {
        int udp, tcp;
        bool loopback;
        struct sockaddr_in bus;
        char name[32], id[48];
        const char *pattern;
        int64_t now_ns;
        int next; /* connection whose turn it is */
        struct connection *connection[IVY_PEERS_MAX];
};

static void hang_up(struct connection **c)
{
        close((*c)->fd);
        ivy_peer_clear(&(*c)->peer);
        free(*c);
        *c = NULL;
}

/* Owns fd from here. */
static void add_connection(struct ivy_bus *bus, int fd, bool ours,
                           const struct sockaddr_in *from)
{
        struct epoll_event wait = { .events = EPOLLIN };
        struct ivy_node *node = bus->node;
        struct connection *c = NULL;
        int at = 0, on = 1;

        while (at < IVY_PEERS_MAX && node->connection[at] != NULL)
                at++;
        if (at < IVY_PEERS_MAX)
                c = calloc(1, sizeof *c);
        if (c == NULL || epoll_ctl(bus->fd, EPOLL_CTL_ADD, fd, &wait) != 0) {
                bus->counts.refused++;
                free(c);
                close(fd);
                return;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        c->fd = fd;
        c->ours = ours;
        c->from = *from;
        c->since_ns = node->now_ns;
        node->connection[at] = c;
        c->serial = bus->counts.peers++;
        ivy_peer_queue(&c->peer, IVY_START_INIT, bus->port, node->name);
        ivy_peer_queue(&c->peer, IVY_ADD_REGEXP, 0, node->pattern);
        ivy_peer_queue(&c->peer, IVY_END_INIT, 0, "");
}

static uint16_t server_port(const struct connection *c)
{
        return c->ours ? ntohs(c->from.sin_port) : c->peer.port;
}

static bool is_known(const struct ivy_node *node, in_addr_t address, uint16_t port)
{
        for (int i = 0; i < IVY_PEERS_MAX; i++) {
                const struct connection *c = node->connection[i];

                if (c != NULL && c->from.sin_addr.s_addr == address &&
                    server_port(c) == port)
                        return true;
        }
        return false;
}

/* "3 <port> <id> <name>" of another node: connect to it. */
static void hear_announcement(struct ivy_bus *bus, const char *text,
                              struct sockaddr_in *from)
{
        struct ivy_node *node = bus->node;
        char id[IVY_ID_MAX];
        uint16_t port;
        int fd;

        if (!ivy_announcement_read(text, &port, id)) {
                bus->counts.errors++;
                return;
        }
        if (strcmp(id, node->id) == 0 ||
            (node->loopback && ntohl(from->sin_addr.s_addr) >> 24 != 127) ||
            is_known(node, from->sin_addr.s_addr, port))
                return;
        fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd < 0)
                return;
        from->sin_port = htons(port);
        if (connect(fd, (struct sockaddr *)from, sizeof *from) != 0 &&
            errno != EINPROGRESS) {
                close(fd);
                return;
        }
        add_connection(bus, fd, true, from);
}

static void hear_newcomers(struct ivy_bus *bus)
{
        struct sockaddr_in from;
        char text[256];

        for (int i = 0; i < DATAGRAMS_MAX; i++) {
                socklen_t len = sizeof from;
                ssize_t n = recvfrom(bus->node->udp, text, sizeof text - 1, 0,
                                     (struct sockaddr *)&from, &len);

                if (n < 0)
                        break;
                text[n] = '\0';
                hear_announcement(bus, text, &from);
        }
        for (int i = 0; i < DATAGRAMS_MAX; i++) {
                socklen_t len = sizeof from;
                int fd = accept4(bus->node->tcp, (struct sockaddr *)&from, &len,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC);

                if (fd < 0)
                        break;
                add_connection(bus, fd, false, &from);
        }
}

/* The node that opens the one which stays: the lower port, of equal ones the lower address. */
static bool we_are_lower(const struct ivy_bus *bus, const struct connection *c)
{
        struct sockaddr_in own = { .sin_family = AF_INET };
        socklen_t len = sizeof own;

        if (bus->port != server_port(c))
                return bus->port < server_port(c);
        return getsockname(c->fd, (struct sockaddr *)&own, &len) == 0 &&
               ntohl(own.sin_addr.s_addr) < ntohl(c->from.sin_addr.s_addr);
}

/* Whether another connection to the same node stays instead; of two from the same end the first. */
static bool is_second(const struct ivy_bus *bus, const struct connection *c)
{
        for (int i = 0; i < IVY_PEERS_MAX; i++) {
                const struct connection *other = bus->node->connection[i];

                if (other == NULL || other == c || !other->peer.introduced ||
                    other->from.sin_addr.s_addr != c->from.sin_addr.s_addr ||
                    server_port(other) != server_port(c))
                        continue;
                if (other->ours == c->ours)
                        return other->serial < c->serial;
                return c->ours != we_are_lower(bus, c);
        }
        return false;
}

/* What each text is matched against, by all peers together, is bounded, too. */
static bool asks_too_much(const struct ivy_node *node, const struct connection *c)
{
        int all = 0;

        for (int i = 0; i < IVY_PEERS_MAX; i++)
                all += node->connection[i] != NULL ? node->connection[i]->peer.regexps
                                                   : 0;
        return all > IVY_REGEXPS_ALL && c->peer.regexps > IVY_REGEXPS_ALL / IVY_PEERS_MAX;
}

static void flush_out(struct connection *c)
{
        ssize_t n;

        if (c->peer.out_len == 0)
                return;
        n = send(c->fd, c->peer.out, c->peer.out_len, MSG_NOSIGNAL);
        if (n < 0) {
                c->peer.over |= errno != EAGAIN && errno != EINTR && errno != ENOTCONN;
                return;
        }
        c->peer.out_len -= (size_t)n;
        memmove(c->peer.out, c->peer.out + n, c->peer.out_len);
}

/* One line at a time, until a message or the end of what came. */
static const char *read_peer(struct ivy_bus *bus, struct connection *c)
{
        const char *groups = NULL;

        if (c->in_first == c->in_len) {
                ssize_t n = recv(c->fd, c->in, sizeof c->in, 0);

                if (n == 0 ||
                    (n < 0 && errno != EAGAIN && errno != EINTR && errno != ENOTCONN))
                        c->peer.over = true;
                c->in_first = 0;
                c->in_len = n > 0 ? (size_t)n : 0;
        }
        while (c->in_first < c->in_len && groups == NULL && !c->peer.over)
                c->in_first += ivy_peer_take(&c->peer, &bus->counts, c->in + c->in_first,
                                             c->in_len - c->in_first, &groups);
        return groups;
}

const char *ivy_bus_take(struct ivy_bus *bus, int64_t now_ns)
{
        struct ivy_node *node = bus->node;

        node->now_ns = now_ns;
        hear_newcomers(bus);
        for (int i = 0; i < IVY_PEERS_MAX; i++) {
                struct connection **c = &node->connection[node->next];
                const char *groups;

                node->next = (node->next + 1) % IVY_PEERS_MAX;
                if (*c != NULL) {
                        groups = read_peer(bus, *c);
                        /* They lie in its line; the next one has the next turn. */
                        if (groups != NULL)
                                return groups;
                        flush_out(*c);
                        if ((!(*c)->peer.introduced &&
                             now_ns - (*c)->since_ns > STRANGER_NS) ||
                            ((*c)->peer.introduced && is_second(bus, *c)) ||
                            asks_too_much(node, *c)) {
                                bus->counts.refused++;
                                (*c)->peer.over = true;
                        }
                        if ((*c)->peer.over)
                                hang_up(c);
                }
        }
        return NULL;
}

int ivy_bus_send(struct ivy_bus *bus, const char *text)
{
        int sent = 0;

        if (strlen(text) > IVY_TEXT_MAX || strpbrk(text, "\n\x02\x03") != NULL) {
                bus->counts.dropped++;
                return 0;
        }
        for (int i = 0; i < IVY_PEERS_MAX; i++) {
                struct connection *c = bus->node->connection[i];

                if (c == NULL || !c->peer.introduced || c->peer.over)
                        continue;
                sent += ivy_peer_offer(&c->peer, &bus->counts, text) > 0;
                flush_out(c);
        }
        return sent;
}

int ivy_bus_subscribers(const struct ivy_bus *bus)
{
        int subscribers = 0;

        for (int i = 0; i < IVY_PEERS_MAX; i++) {
                const struct connection *c = bus->node->connection[i];

                subscribers += c != NULL && c->peer.introduced && c->peer.regexps > 0;
        }
        return subscribers;
}

static bool read_where(struct ivy_node *node, const char *where, struct link_error *why)
{
        char host[20];
        unsigned port;
        int end = 0;

        if (*where == '\0')
                where = DEFAULT_BUS;
        if (sscanf(where, "%19[0-9.]:%5u%n", host, &port, &end) != 2 ||
            where[end] != '\0' || port == 0 || port > UINT16_MAX ||
            inet_pton(AF_INET, host, &node->bus.sin_addr) != 1) {
                snprintf(why->text, sizeof why->text,
                         "%s: must be an address and a port, such as " DEFAULT_BUS,
                         where);
                return false;
        }
        node->bus.sin_family = AF_INET;
        node->bus.sin_port = htons((uint16_t)port);
        node->loopback = ntohl(node->bus.sin_addr.s_addr) >> 24 == 127;
        return true;
}

static bool open_sockets(struct ivy_bus *bus)
{
        struct ivy_node *node = bus->node;
        struct sockaddr_in own = { .sin_family = AF_INET };
        struct epoll_event wait = { .events = EPOLLIN };
        socklen_t len = sizeof own;
        int on = 1;

        own.sin_addr.s_addr = htonl(node->loopback ? INADDR_LOOPBACK : INADDR_ANY);
        bus->fd = epoll_create1(EPOLL_CLOEXEC);
        node->udp = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        node->tcp = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (bus->fd < 0 || node->udp < 0 || node->tcp < 0)
                return false;
        setsockopt(node->udp, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        setsockopt(node->udp, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
        setsockopt(node->udp, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
        if (bind(node->udp, (struct sockaddr *)&node->bus, sizeof node->bus) != 0 ||
            bind(node->tcp, (struct sockaddr *)&own, sizeof own) != 0 ||
            listen(node->tcp, IVY_PEERS_MAX) != 0 ||
            getsockname(node->tcp, (struct sockaddr *)&own, &len) != 0)
                return false;
        bus->port = ntohs(own.sin_port);
        return epoll_ctl(bus->fd, EPOLL_CTL_ADD, node->udp, &wait) == 0 &&
               epoll_ctl(bus->fd, EPOLL_CTL_ADD, node->tcp, &wait) == 0;
}

static bool announce(struct ivy_bus *bus)
{
        struct ivy_node *node = bus->node;
        char text[128];
        int n;

        /* Without a blank, which would end it: a name may have some. */
        snprintf(node->id, sizeof node->id, "hilrig:%u:%d", bus->port, (int)getpid());
        n = snprintf(text, sizeof text, "3 %u %s %s\n", bus->port, node->id, node->name);
        return sendto(node->udp, text, (size_t)n, 0, (struct sockaddr *)&node->bus,
                      sizeof node->bus) == n;
}

bool ivy_bus_open(struct ivy_bus *bus, const char *where, const char *name,
                  const char *pattern, struct link_error *why)
{
        struct ivy_node *node = calloc(1, sizeof *node);

        *bus = (struct ivy_bus){ .fd = -1, .node = node };
        if (node == NULL) {
                snprintf(why->text, sizeof why->text, "ivy: no memory");
                return false;
        }
        node->udp = node->tcp = -1;
        node->pattern = pattern;
        snprintf(node->name, sizeof node->name, "%s", name);
        if (!read_where(node, where, why)) {
                free(node);
                return false;
        }
        if (!open_sockets(bus) || !announce(bus)) {
                link_refuse_errno(why, *where == '\0' ? DEFAULT_BUS : where, errno);
                ivy_bus_close(bus);
                return false;
        }
        return true;
}

void ivy_bus_close(struct ivy_bus *bus)
{
        struct ivy_node *node = bus->node;

        for (int i = 0; i < IVY_PEERS_MAX; i++)
                if (node->connection[i] != NULL) {
                        ivy_peer_queue(&node->connection[i]->peer, IVY_BYE, 0, "");
                        flush_out(node->connection[i]);
                        hang_up(&node->connection[i]);
                }
        if (node->udp >= 0)
                close(node->udp);
        if (node->tcp >= 0)
                close(node->tcp);
        if (bus->fd >= 0)
                close(bus->fd);
        free(node);
}
