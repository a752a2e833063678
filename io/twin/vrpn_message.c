/* VRPN's framing: a cookie, then messages with big-endian heads of 24 bytes, each padded to 8. */
#include "io/twin/vrpn_message.h"

#include <string.h>

#include "io/be.h"

#define HEAD         24
#define MAGIC        "vrpn: ver. 07." /* the minor version may differ */
#define POSE_LEN     (8 + 7 * 8)
#define VELOCITY_LEN (8 + 8 * 8)

static size_t write_head(uint8_t *packet, int64_t t_ns, int32_t sender, int32_t type,
                         size_t len)
{
        size_t whole = (HEAD + len + 7) / 8 * 8;

        memset(packet, 0, whole);
        be_put_u32(packet, (uint32_t)(HEAD + len));
        be_put_u32(packet + 4, (uint32_t)(t_ns / 1000000000));
        be_put_u32(packet + 8, (uint32_t)(t_ns % 1000000000 / 1000));
        be_put_u32(packet + 12, (uint32_t)sender);
        be_put_u32(packet + 16, (uint32_t)type);
        return whole;
}

size_t vrpn_write_name(uint8_t *packet, int32_t type, int32_t number, const char *name)
{
        size_t len = strlen(name) + 1,
               whole = write_head(packet, 0, number, type, 4 + len);

        be_put_u32(packet + HEAD, (uint32_t)len);
        memcpy(packet + HEAD + 4, name, len);
        return whole;
}

size_t vrpn_write_doubles(uint8_t *packet, int64_t t_ns, int32_t sender, int32_t type,
                          const double *values, int count)
{
        size_t whole = write_head(packet, t_ns, sender, type, 8 + 8 * (size_t)count);

        for (int i = 0; i < count; i++)
                be_put_f64(packet + HEAD + 8 + 8 * i, values[i]);
        return whole;
}

void vrpn_write_cookie(uint8_t cookie[VRPN_COOKIE_LEN])
{
        static const char text[] = "vrpn: ver. 07.35  0";

        memset(cookie, 0, VRPN_COOKIE_LEN);
        memcpy(cookie, text, sizeof text - 1);
}

uint8_t *vrpn_stream_room(struct vrpn_stream *s, size_t *room)
{
        s->len -= s->read;
        memmove(s->bytes, s->bytes + s->read, s->len);
        s->read = 0;
        *room = sizeof s->bytes - s->len;
        return s->bytes + s->len;
}

void vrpn_stream_add(struct vrpn_stream *s, size_t len)
{
        s->len += len;
}

static enum vrpn_found take_message(struct vrpn_stream *s, struct vrpn_message *m)
{
        const uint8_t *p = s->bytes + s->read;
        size_t len = be_get_u32(p), whole = (len + 7) / 8 * 8;

        if (len < HEAD || len > VRPN_MESSAGE_MAX)
                return VRPN_BROKEN;
        if (s->len - s->read < whole)
                return VRPN_NOTHING;
        *m = (struct vrpn_message){ .t_ns = (int64_t)be_get_u32(p + 4) * 1000000000 +
                                            (int64_t)be_get_u32(p + 8) * 1000,
                                    .sender = (int32_t)be_get_u32(p + 12),
                                    .type = (int32_t)be_get_u32(p + 16),
                                    .body = p + HEAD,
                                    .len = len - HEAD };
        s->read += whole;
        return VRPN_MESSAGE;
}

enum vrpn_found vrpn_stream_next(struct vrpn_stream *s, struct vrpn_message *m)
{
        if (!s->greeted) {
                if (s->len < VRPN_COOKIE_LEN)
                        return VRPN_NOTHING;
                if (memcmp(s->bytes, MAGIC, sizeof MAGIC - 1) != 0)
                        return VRPN_BROKEN;
                s->greeted = true;
                s->read = VRPN_COOKIE_LEN;
        }
        return s->len - s->read < HEAD ? VRPN_NOTHING : take_message(s, m);
}

/* Its length with the zero at its end, then itself. */
bool vrpn_read_name(const struct vrpn_message *m, char *name, size_t cap)
{
        uint32_t len = m->len >= 4 ? be_get_u32(m->body) : 0;
        size_t end;

        if (len == 0 || len > m->len - 4)
                return false;
        end = strnlen((const char *)m->body + 4, len);
        if (end >= cap)
                return false;
        memcpy(name, m->body + 4, end);
        name[end] = '\0';
        return true;
}

static void read_doubles(const uint8_t *from, double *to, int count)
{
        for (int i = 0; i < count; i++)
                to[i] = be_get_f64(from + 8 * i);
}

bool vrpn_read_pose(const struct vrpn_message *m, int32_t *sensor, double position[3],
                    double orientation[4])
{
        if (m->len < POSE_LEN)
                return false;
        *sensor = (int32_t)be_get_u32(m->body);
        read_doubles(m->body + 8, position, 3);
        read_doubles(m->body + 32, orientation, 4);
        return true;
}

bool vrpn_read_velocity(const struct vrpn_message *m, int32_t *sensor, double velocity[3])
{
        if (m->len < VELOCITY_LEN)
                return false;
        *sensor = (int32_t)be_get_u32(m->body);
        read_doubles(m->body + 8, velocity, 3);
        return true;
}
