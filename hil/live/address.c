/* Where the page is served, and which words in a request's head may be meant for it. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/live/request.h"

static bool read_port(const char *text, int *port)
{
        char *end;
        long n = strtol(text, &end, 10);

        if (text[0] < '0' || text[0] > '9' || *end != '\0' || n > 65535)
                return false;
        *port = (int)n;
        return true;
}

bool live_address_read(struct live_address *a, const char *text, char *why, size_t cap)
{
        const char *colon = text != NULL ? strrchr(text, ':') : NULL;
        struct in_addr in = { htonl(INADDR_LOOPBACK) };
        char ip[16] = "";
        bool ok = true;

        *a = (struct live_address){ .port = 0 };
        if (text == NULL || text[0] == '\0')
                ok = true;
        else if (colon == NULL && strchr(text, '.') == NULL)
                ok = read_port(text, &a->port);
        else {
                size_t len = colon != NULL ? (size_t)(colon - text) : strlen(text);

                ok = len < sizeof ip && (colon == NULL || read_port(colon + 1, &a->port));
                if (ok) {
                        memcpy(ip, text, len);
                        ok = len == 0 || inet_pton(AF_INET, ip, &in) == 1;
                }
        }
        if (!ok) {
                snprintf(why, cap,
                         "must be ADDRESS:PORT with an IPv4 address in digits, is \"%s\"",
                         text);
                return false;
        }
        inet_ntop(AF_INET, &in, a->ip, sizeof a->ip);
        a->beyond = ntohl(in.s_addr) >> 24 != 127;
        return true;
}

/* "127.0.0.1:8080", "localhost:8080", and of an address that others reach any in digits: a name that somebody points here is
 * not meant for us (DNS rebinding). */
bool live_host_is_ours(const struct live_address *a, const char *host)
{
        const char *colon = strrchr(host, ':');
        struct in_addr in;
        char name[32];
        size_t len = colon != NULL ? (size_t)(colon - host) : strlen(host);
        int port = 80;

        if (len >= sizeof name || (colon != NULL && !read_port(colon + 1, &port)) ||
            port != a->port)
                return false;
        memcpy(name, host, len);
        name[len] = '\0';
        if (strcmp(name, "localhost") == 0)
                return true;
        if (inet_pton(AF_INET, name, &in) != 1)
                return false;
        return a->beyond || ntohl(in.s_addr) >> 24 == 127;
}

bool live_origin_is_ours(const char *origin, const char *host)
{
        static const char scheme[] = "http://";

        return strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
               strcmp(origin + sizeof scheme - 1, host) == 0;
}

bool live_token_is(const char *token, const char *given)
{
        size_t len = strlen(token), given_len = strlen(given);
        unsigned char differs = given_len != len;

        for (size_t i = 0; i < len; i++)
                differs |=
                        (unsigned char)(token[i] ^ given[i < given_len ? i : given_len]);
        return differs == 0;
}
