/* The address of a TCP or UDP link. */
#ifndef IO_LINK_LINK_INET_H
#define IO_LINK_LINK_INET_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* False when host is not a numeric IPv4 address. */
static inline bool link_inet_address(struct sockaddr_in *to, const char *host,
                                     uint16_t port)
{
        *to = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port) };
        return inet_pton(AF_INET, host, &to->sin_addr) == 1;
}

#endif
