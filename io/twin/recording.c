#include "io/twin/recording.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/le.h"

#define FILE_HEAD   24
#define PACKET_HEAD 16
#define TCP         6
#define UDP         17
#define SYN         0x02
#define LINE_MAX    1000

/* One packet of the capture, as far as it is of interest. */
struct packet {
        int64_t t_ns;
        struct recording_end from, to;
        bool udp, opens; /* a TCP connection */
        uint32_t sequence;
        const uint8_t *bytes;
        size_t len;
};

static uint16_t be_u16(const uint8_t *p)
{
        return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t be_u32(const uint8_t *p)
{
        return (uint32_t)be_u16(p) << 16 | be_u16(p + 2);
}

static uint32_t word_at(const struct recording *r, const uint8_t *p)
{
        return r->swapped ? be_u32(p) : le_get_u32(p);
}

static bool read_magic(uint32_t magic, int64_t *fraction_ns)
{
        *fraction_ns = magic == 0xa1b2c3d4u ? 1000 : 1;
        return magic == 0xa1b2c3d4u || magic == 0xa1b23c4du;
}

/* "1.234 147 ROTORCRAFT_FP ...": text is what is behind the time. */
static bool read_line(const uint8_t *bytes, size_t len, int64_t *t_ns, size_t *text)
{
        char line[LINE_MAX + 1], *end;
        double t_s;

        if (len > LINE_MAX)
                return false;
        memcpy(line, bytes, len);
        line[len] = '\0';
        if (line[0] < '0' || line[0] > '9')
                return false;
        t_s = strtod(line, &end);
        if (*end != ' ' || !(t_s < 1e9) || strchr(end + 1, ' ') == NULL)
                return false;
        *t_ns = (int64_t)(t_s * 1e9);
        *text = (size_t)(end + 1 - line);
        return strlen(line) == len;
}

static size_t line_length(const uint8_t *bytes, size_t len)
{
        const uint8_t *end = memchr(bytes, '\n', len);

        return end != NULL ? (size_t)(end - bytes) : len;
}

enum recording_kind recording_kind(const uint8_t *bytes, size_t len)
{
        int64_t unit;
        size_t text;

        if (len >= 4 &&
            (read_magic(le_get_u32(bytes), &unit) || read_magic(be_u32(bytes), &unit)))
                return RECORDING_CAPTURE;
        return read_line(bytes, line_length(bytes, len), &unit, &text) ? RECORDING_TEXTS
                                                                       : RECORDING_NONE;
}

/* The captured frames' heads, by their types: Ethernet, raw IP, and tcpdump's for "any". */
static bool read_frame_kind(struct recording *r, uint32_t kind)
{
        static const struct {
                uint32_t kind;
                size_t head;
        } kinds[] = { { 1, 14 }, { 101, 0 }, { 113, 16 }, { 276, 20 } };

        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
                if (kinds[i].kind == (kind & 0xffff)) {
                        r->frame_head = kinds[i].head;
                        return true;
                }
        return false;
}

static bool read_udp(struct packet *p)
{
        if (p->len < 8 || be_u16(p->bytes + 4) < 8 || be_u16(p->bytes + 4) > p->len)
                return false;
        p->len = (size_t)be_u16(p->bytes + 4) - 8;
        p->bytes += 8;
        return true;
}

static bool read_tcp(struct packet *p)
{
        size_t head = p->len >= 20 ? (size_t)(p->bytes[12] >> 4) * 4 : 0;

        if (head < 20 || head > p->len)
                return false;
        p->sequence = be_u32(p->bytes + 4);
        p->opens = (p->bytes[13] & SYN) != 0;
        p->bytes += head;
        p->len -= head;
        return true;
}

/* False: not one whole UDP or TCP packet over IPv4. */
static bool read_ip(struct packet *p, const uint8_t *ip, size_t len)
{
        size_t head, all;

        if (len < 20 || ip[0] >> 4 != 4)
                return false;
        head = (size_t)(ip[0] & 15) * 4;
        all = be_u16(ip + 2);
        /* More fragments, or not the first one. */
        if (head < 20 || all < head + 4 || all > len || (be_u16(ip + 6) & 0x3fff) != 0)
                return false;
        p->udp = ip[9] == UDP;
        p->bytes = ip + head;
        p->len = all - head;
        p->from = (struct recording_end){ be_u32(ip + 12), be_u16(p->bytes) };
        p->to = (struct recording_end){ be_u32(ip + 16), be_u16(p->bytes + 2) };
        if (p->udp)
                return read_udp(p);
        return ip[9] == TCP && read_tcp(p);
}

/* The next packet that can be read; false: there is none. */
static bool next_packet(struct recording *r, struct packet *p)
{
        while (r->len - r->at >= PACKET_HEAD) {
                const uint8_t *head = r->bytes + r->at;
                size_t kept = word_at(r, head + 8);

                *p = (struct packet){ .t_ns = (int64_t)word_at(r, head) * 1000000000 +
                                              (int64_t)word_at(r, head + 4) *
                                                      r->fraction_ns };
                if (kept > r->len - r->at - PACKET_HEAD)
                        break;
                r->at += PACKET_HEAD + kept;
                if (kept >= r->frame_head &&
                    read_ip(p, head + PACKET_HEAD + r->frame_head, kept - r->frame_head))
                        return true;
                r->skipped++;
        }
        r->skipped += r->at < r->len;
        r->at = r->len;
        return false;
}

static bool is_same(struct recording_end a, struct recording_end b)
{
        return a.host == b.host && a.port == b.port;
}

static bool is_multicast(uint32_t host)
{
        return host >> 28 == 14;
}

/* A server's other ports count: Motive sends frames from one of their own. */
static bool is_said_by_server(const struct recording *r, const struct packet *p)
{
        if (p->udp != r->packets || p->from.host != r->server.host || p->len == 0)
                return false;
        if (!p->udp)
                return is_same(p->from, r->server) && is_same(p->to, r->client);
        return !is_same(p->to, r->server) &&
               (is_multicast(p->to.host) || p->to.host == r->client.host);
}

/* What of the segment is new; false: nothing. */
static bool take_segment(struct recording *r, struct packet *p)
{
        uint32_t twice = r->in_order ? r->next_sequence - p->sequence : 0;

        if (twice > UINT32_MAX / 2) {
                r->broken = true;
                return false;
        }
        r->in_order = true;
        if (twice >= p->len)
                return false;
        r->next_sequence = p->sequence + (uint32_t)p->len;
        p->bytes += twice;
        p->len -= twice;
        return true;
}

static bool next_said(struct recording *r, struct recording_said *said)
{
        struct packet p;

        while (!r->broken && next_packet(r, &p)) {
                if (!r->in_order && p.opens && is_same(p.from, r->server)) {
                        r->next_sequence = p.sequence + 1;
                        r->in_order = true;
                }
                if (!is_said_by_server(r, &p) || (!p.udp && !take_segment(r, &p)))
                        continue;
                *said = (struct recording_said){ p.t_ns, p.bytes, p.len };
                return true;
        }
        return false;
}

static bool next_text(struct recording *r, struct recording_said *said)
{
        while (r->at < r->len) {
                const uint8_t *line = r->bytes + r->at;
                size_t len = line_length(line, r->len - r->at), text;

                r->at += len < r->len - r->at ? len + 1 : len;
                if (len > 0 && line[len - 1] == '\r')
                        len--;
                if (read_line(line, len, &said->t_ns, &text)) {
                        said->bytes = line + text;
                        said->len = len - text;
                        return true;
                }
                r->skipped += len > 0;
        }
        return false;
}

static bool open_capture(struct recording *r, bool caller_serves, const char *name,
                         struct link_error *why)
{
        struct packet first;

        r->swapped = !read_magic(le_get_u32(r->bytes), &r->fraction_ns);
        if (r->swapped)
                read_magic(be_u32(r->bytes), &r->fraction_ns);
        if (r->len < FILE_HEAD || !read_frame_kind(r, word_at(r, r->bytes + 20))) {
                snprintf(why->text, sizeof why->text,
                         "%s: must be a capture of Ethernet, of raw IP or of \"any\"",
                         name);
                return false;
        }
        r->at = FILE_HEAD;
        if (!next_packet(r, &first)) {
                snprintf(why->text, sizeof why->text,
                         "%s: has no whole packet of UDP or TCP over IPv4", name);
                return false;
        }
        caller_serves = caller_serves && first.udp;
        r->packets = first.udp;
        r->server = caller_serves ? first.from : first.to;
        r->client = caller_serves ? first.to : first.from;
        r->at = FILE_HEAD;
        r->skipped = 0;
        return true;
}

bool recording_open(struct recording *r, const uint8_t *bytes, size_t len,
                    bool caller_serves, const char *name, struct link_error *why)
{
        *r = (struct recording){ .kind = recording_kind(bytes, len),
                                 .bytes = bytes,
                                 .len = len };
        if (r->kind == RECORDING_CAPTURE)
                return open_capture(r, caller_serves, name, why);
        r->packets = true;
        if (r->kind == RECORDING_NONE)
                snprintf(why->text, sizeof why->text,
                         "%s: must be a capture (pcap) or a log of Paparazzi's (.data)",
                         name);
        return r->kind == RECORDING_TEXTS;
}

bool recording_next(struct recording *r, struct recording_said *said)
{
        return r->kind == RECORDING_TEXTS ? next_text(r, said) : next_said(r, said);
}
