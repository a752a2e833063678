/* Places and axes of motion-capture systems. */
#include "io/twin/mocap.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

static bool refuse_word(struct link_error *why, const char *text, const char *word)
{
        snprintf(why->text, sizeof why->text,
                 "%.100s: \"%.60s\" must be axes=y-up, axes=z-up, data=PORT or "
                 "data=GROUP:PORT",
                 text, word);
        return false;
}

static bool take_port(const char *text, int *port)
{
        char *end;
        long value = strtol(text, &end, 10);

        if (end == text || *end != '\0' || value < 1 || value > 65535)
                return false;
        *port = (int)value;
        return true;
}

/* "1511" or "239.255.42.99:1511". */
static bool take_data(struct mocap_place *place, const char *text)
{
        const char *colon = strchr(text, ':');
        struct in_addr group;

        if (colon == NULL)
                return take_port(text, &place->data_port);
        if ((size_t)(colon - text) >= sizeof place->group)
                return false;
        memcpy(place->group, text, (size_t)(colon - text));
        place->group[colon - text] = '\0';
        return inet_pton(AF_INET, place->group, &group) == 1 &&
               IN_MULTICAST(ntohl(group.s_addr)) &&
               take_port(colon + 1, &place->data_port);
}

static bool take_word(struct mocap_place *place, const char *word)
{
        if (strcmp(word, "axes=y-up") == 0)
                place->axes = MOCAP_Y_UP;
        else if (strcmp(word, "axes=z-up") == 0)
                place->axes = MOCAP_Z_UP;
        else
                return strncmp(word, "data=", 5) == 0 && take_data(place, word + 5);
        return true;
}

bool mocap_place_parse(struct mocap_place *place, const char *text, enum mocap_axes axes,
                       struct link_error *why)
{
        char words[2 * LINK_TEXT_MAX], *rest = words, *word;

        *place = (struct mocap_place){ .axes = axes };
        snprintf(words, sizeof words, "%s", text);
        word = strsep(&rest, " ");
        snprintf(place->link, sizeof place->link, "%s", word);
        while ((word = strsep(&rest, " ")) != NULL)
                if (*word != '\0' && !take_word(place, word))
                        return refuse_word(why, text, word);
        return true;
}

struct vec3 mocap_to_ned(enum mocap_axes axes, const double v[3])
{
        if (axes == MOCAP_Z_UP)
                return (struct vec3){ v[0], -v[1], -v[2] };
        return (struct vec3){ v[0], v[2], -v[1] };
}

void mocap_from_ned(enum mocap_axes axes, struct vec3 ned, double v[3])
{
        v[0] = ned.x;
        v[1] = axes == MOCAP_Z_UP ? -ned.y : -ned.z;
        v[2] = axes == MOCAP_Z_UP ? -ned.z : ned.y;
}

void mocap_quat_from_ned(enum mocap_axes axes, struct quat q, double out[4])
{
        mocap_from_ned(axes, (struct vec3){ q.x, q.y, q.z }, out);
        out[3] = q.w;
}

bool mocap_quat_to_ned(enum mocap_axes axes, const double q[4], struct quat *out)
{
        struct vec3 v = mocap_to_ned(axes, q);
        double length = vec3_dot(v, v) + q[3] * q[3];

        if (!(length > 0.98 && length < 1.02))
                return false;
        *out = quat_normalise((struct quat){ q[3], v.x, v.y, v.z });
        return true;
}
