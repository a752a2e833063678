/* The address of a TCP or UDP link. */
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* False when host is not a numeric IPv4 address. */
static inline bool link_inet_address(struct sockaddr_in *to, const char *host,
                                     uint16_t port)
{
        *to = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port) };
        return inet_pton(AF_INET, host, &to->sin_addr) == 1;
}

/* As a user writes it: "127.0.0.1:40001". */
static inline void link_inet_name(char *name, size_t size, const struct sockaddr_in *at)
{
        char host[INET_ADDRSTRLEN];

        snprintf(name, size, "%s:%u",
                 inet_ntop(AF_INET, &at->sin_addr, host, sizeof host),
                 ntohs(at->sin_port));
}
