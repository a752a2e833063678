#include "hil/port/fc_links.h"

#include <string.h>

#include "hil/reference/fc_inside.h"
#include "io/wire/link_faulty.h"

#define OPTIONAL_CONNECT_MS 20
#define OPTIONAL_RETRY_NS   500000000

_Static_assert(CODEC_CHANNELS_MAX <= 32, "fell_silent has a bit for each");

static bool open_channel(struct fc_links *l, int channel, bool patient,
                         struct link_error *why)
{
        struct link_spec spec = l->config->link[channel];
        struct link *link;

        if (fc_links_optional(l, channel))
                spec.connect_ms = OPTIONAL_CONNECT_MS;
        if (fc_links_optional(l, channel) || !patient)
                spec.patience_ms = 0;
        link = spec.kind == LINK_INSIDE ? fc_inside_open(&l->config->reference, why)
                                        : link_open(&spec, why);
        if (link == NULL)
                return false;
        if (l->link[channel] == NULL)
                l->link[channel] = link;
        else
                link_faulty_plug(l->link[channel], link);
        return true;
}

/* An optional channel that cannot be opened is left silent. */
bool fc_links_open(struct fc_links *l, bool patient, struct link_error *why)
{
        l->broken = false;
        for (int i = 0; i < l->config->links; i++) {
                bool open = open_channel(l, i, patient, why);

                if (!open && !fc_links_optional(l, i))
                        return false;
                l->silent[i] = !open;
        }
        return true;
}

void fc_links_hang_up(struct fc_links *l)
{
        for (int i = 0; i < CODEC_CHANNELS_MAX; i++) {
                l->outbox[i].len = 0;
                l->silent[i] = false;
                if (l->link[i] == NULL)
                        continue;
                if (l->faults.all != NULL) {
                        link_faulty_plug(l->link[i], NULL);
                } else {
                        link_close(l->link[i]);
                        l->link[i] = NULL;
                }
        }
}

void fc_links_close(struct fc_links *l)
{
        for (int i = 0; i < CODEC_CHANNELS_MAX; i++) {
                l->outbox[i].len = 0;
                if (l->link[i] != NULL)
                        link_close(l->link[i]);
                l->link[i] = NULL;
        }
        fc_faults_close(&l->faults);
}

void fc_links_retry(struct fc_links *l, int64_t now_ns)
{
        struct link_error why;

        if (now_ns - l->retried_ns < OPTIONAL_RETRY_NS)
                return;
        l->retried_ns = now_ns;
        for (int c = 0; c < l->config->links; c++) {
                if (!l->silent[c])
                        continue;
                if (l->faults.all == NULL && l->link[c] != NULL) {
                        link_close(l->link[c]);
                        l->link[c] = NULL;
                }
                l->silent[c] = !open_channel(l, c, false, &why);
        }
}

bool fc_links_make_faulty(struct fc_links *l, int faults, bool lockstep)
{
        struct wire_faults *all;

        if (faults == 0)
                return true;
        all = wire_faults_create(faults, (uint32_t)l->vehicle, lockstep);
        if (all == NULL)
                return false;
        l->faults = (struct fc_faults){ .all = all, .link = l->link };
        all->greeting = lockstep;
        for (int c = 0; c < l->config->links; c++) {
                struct link *wire = link_faulty_open(l->link[c], l->ops, all, c);

                if (wire == NULL)
                        return false;
                l->link[c] = wire;
                l->faults.links++;
                link_faulty_tap(wire, true);
        }
        return true;
}

/* A link broke. The run goes on without an optional one. False: not without this one. */
static bool lose_channel(struct fc_links *l, int channel)
{
        if (!fc_links_optional(l, channel)) {
                l->broken = true;
                return false;
        }
        l->silent[channel] = true;
        l->fell_silent |= 1U << channel;
        l->outbox[channel].len = 0;
        return true;
}

static void record_bytes(struct fc_links *l, int64_t now_ns,
                         enum wire_direction direction, int channel, const void *bytes,
                         size_t len)
{
        if (l->recorder != NULL)
                recorder_bytes(l->recorder, now_ns - l->start_ns, direction, l->vehicle,
                               channel, bytes, len);
}

/* Puts what the FC's ends have got into the record. */
static void record_taps(struct fc_links *l, int64_t now_ns)
{
        uint8_t bytes[2048];
        size_t n;

        for (int c = 0; c < l->faults.links; c++) {
                while ((n = link_faulty_tapped(l->link[c], bytes, sizeof bytes)) > 0) {
                        record_bytes(l, now_ns, WIRE_TO_FC, c, bytes, n);
                        l->bytes_tapped += n;
                }
        }
}

/* What the tap has no room for waits until it is empty. */
bool fc_links_push(struct fc_links *l, int64_t now_ns)
{
        uint64_t before;

        do {
                before = l->bytes_tapped;
                for (int c = 0; c < l->faults.links; c++)
                        if (!l->silent[c] && !link_faulty_push(l->link[c])) {
                                l->broken = true;
                                return false;
                        }
                record_taps(l, now_ns);
        } while (l->bytes_tapped != before && !fc_links_pushed(l));
        return true;
}

bool fc_links_pushed(const struct fc_links *l)
{
        for (int c = 0; c < l->faults.links; c++)
                if (!l->silent[c] && !link_faulty_pushed(l->link[c]))
                        return false;
        return true;
}

bool fc_links_readable(const struct fc_links *l, int channel)
{
        return l->faults.all != NULL && link_faulty_readable(l->link[channel]);
}

static void flush_channel(struct fc_links *l, int64_t now_ns, int channel)
{
        struct fc_outbox *box = &l->outbox[channel];
        int n;

        if (!fc_links_push(l, now_ns) || box->len == 0)
                return;
        n = link_write(l->link[channel], box->bytes, box->len);
        if (n == LINK_GONE) {
                lose_channel(l, channel);
                return;
        }
        box->len -= (size_t)n;
        memmove(box->bytes, box->bytes + n, box->len);
        record_taps(l, now_ns);
}

bool fc_links_flush(struct fc_links *l, int64_t now_ns)
{
        for (int c = 0; c < l->config->links && !l->broken; c++)
                flush_channel(l, now_ns, c);
        return !l->broken && !fc_links_waiting(l) && fc_links_pushed(l);
}

bool fc_links_waiting(const struct fc_links *l)
{
        for (int c = 0; c < l->config->links; c++)
                if (!fc_links_optional(l, c) && l->outbox[c].len > 0)
                        return true;
        return false;
}

/* All of the packet or nothing of it is on its way afterwards. */
static bool put_whole(struct fc_links *l, int64_t now_ns, const struct packet *p)
{
        struct fc_outbox *box = &l->outbox[p->channel];
        int n = 0;

        if (l->broken || box->len + p->len > sizeof box->bytes)
                return false;
        if (box->len == 0)
                n = link_write(l->link[p->channel], p->bytes, p->len);
        if (n == LINK_GONE)
                return lose_channel(l, p->channel);
        if (n < p->len && l->link[p->channel]->packets)
                return false;
        memcpy(box->bytes + box->len, p->bytes + n, p->len - (size_t)n);
        box->len += p->len - (size_t)n;
        l->bytes_sent += p->len;
        if (l->faults.all == NULL)
                record_bytes(l, now_ns, WIRE_TO_FC, p->channel, p->bytes, p->len);
        else
                record_taps(l, now_ns);
        return true;
}

/* There is somewhere for it to go. */
static bool is_open(const struct fc_links *l, int channel)
{
        return channel < l->config->links && !l->silent[channel];
}

bool fc_links_put(struct fc_links *l, int64_t now_ns, const struct packets *out)
{
        bool all = true;

        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];

                if (is_open(l, p->channel) && !put_whole(l, now_ns, p) &&
                    (l->broken || !fc_links_optional(l, p->channel)))
                        all = false;
        }
        return all;
}

bool fc_links_carry_frame(const struct fc_links *l, const struct packets *out)
{
        for (int i = 0; i < out->count; i++)
                if (!fc_links_optional(l, out->packet[i].channel))
                        return true;
        return false;
}

void fc_links_call_after(struct fc_links *l, int64_t now_ns, const struct packets *out)
{
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];

                if (is_open(l, p->channel) && l->link[p->channel] != NULL &&
                    link_write(l->link[p->channel], p->bytes, p->len) == p->len)
                        record_bytes(l, now_ns, WIRE_TO_FC, p->channel, p->bytes, p->len);
        }
}

size_t fc_links_read(struct fc_links *l, int64_t now_ns, int channel, void *buf,
                     size_t cap)
{
        struct link *link = l->link[channel];
        int n;

        link_at(link, now_ns);
        n = link_read(link, buf, cap);
        link_strangers_take(&l->strangers[channel], link);
        if (n == LINK_GONE)
                lose_channel(l, channel);
        if (n <= 0)
                return 0;
        l->bytes_received += (uint64_t)n;
        record_bytes(l, now_ns, WIRE_FROM_FC, channel, buf, (size_t)n);
        return (size_t)n;
}

void fc_links_confirm(struct fc_links *l, int channel)
{
        l->heard[channel] = true;
        if (l->link[channel] != NULL)
                link_confirm(l->link[channel]);
}

nfds_t fc_links_poll(const struct fc_links *l, bool beside, struct pollfd *fds)
{
        nfds_t count = 0;

        for (int c = 0; c < l->config->links; c++)
                if (!l->silent[c] && (beside || !fc_links_optional(l, c)))
                        fds[count++] =
                                (struct pollfd){ .fd = l->link[c]->fd, .events = POLLIN };
        return count;
}
