/* Writes the wire's bytes as a pcap file. It neither keeps nor inspects packets. */
#include "io/log/wire_capture.h"

#include "io/le.h"

#define PCAP_MAGIC_NS    0xA1B23C4DU
#define PCAP_USER0       147
#define PCAP_FILE_HEADER 24
#define PCAP_RECORD      16
#define PLACE            4 /* direction, vehicle, channel, 0 */
#define NS_PER_S         1000000000

static void put(struct wire_capture *w, const void *bytes, size_t len)
{
        if (fwrite_unlocked(bytes, 1, len, w->file) != len)
                w->failed = true;
        w->pending += len;
}

void wire_capture_begin(struct wire_capture *w, FILE *file)
{
        uint8_t header[PCAP_FILE_HEADER] = { 0 };

        *w = (struct wire_capture){ .file = file };
        le_put_u32(header, PCAP_MAGIC_NS);
        le_put_u16(header + 4, 2);
        le_put_u16(header + 6, 4);
        le_put_u32(header + 16, PLACE + WIRE_CAPTURE_MAX);
        le_put_u32(header + 20, PCAP_USER0);
        put(w, header, sizeof header);
}

void wire_capture_add(struct wire_capture *w, int64_t t_ns, enum wire_direction direction,
                      int vehicle, int channel, const void *bytes, size_t len)
{
        uint8_t head[PCAP_RECORD + PLACE] = { 0 };
        size_t kept = len < WIRE_CAPTURE_MAX ? len : WIRE_CAPTURE_MAX;
        uint64_t t = t_ns > 0 ? (uint64_t)t_ns : 0;

        le_put_u32(head, (uint32_t)(t / NS_PER_S));
        le_put_u32(head + 4, (uint32_t)(t % NS_PER_S));
        le_put_u32(head + 8, (uint32_t)(PLACE + kept));
        le_put_u32(head + 12, (uint32_t)(PLACE + len));
        head[PCAP_RECORD] = (uint8_t)direction;
        head[PCAP_RECORD + 1] = (uint8_t)vehicle;
        head[PCAP_RECORD + 2] = (uint8_t)channel;
        put(w, head, sizeof head);
        put(w, bytes, kept);
}

bool wire_capture_flush(struct wire_capture *w)
{
        if (fflush(w->file) != 0)
                w->failed = true;
        w->pending = 0;
        return !w->failed;
}

size_t wire_capture_whole(const void *bytes, size_t len)
{
        const uint8_t *p = bytes;
        size_t at = len >= PCAP_FILE_HEADER && le_get_u32(p) == PCAP_MAGIC_NS
                            ? PCAP_FILE_HEADER
                            : 0;

        while (len - at >= PCAP_RECORD) {
                size_t record = PCAP_RECORD + (size_t)le_get_u32(p + at + 8);

                if (record > len - at)
                        break;
                at += record;
        }
        return at;
}
