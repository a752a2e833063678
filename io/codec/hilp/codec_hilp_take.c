/* What the rig hears in HILP. Each take returns the news that it put into the report. Before the
 * hello is answered, most of what comes is left over from another conversation. */
#include <stdio.h>
#include <string.h>

#include "io/codec/hilp/codec_hilp.h"
#include "io/codec/hilp/hilp_si.h"

/* Whether this vehicle can fly with a board that answered so; h->refusal says why not. */
static bool acceptable(struct codec_hilp *h, const struct hilp_hello_ack *ack)
{
        h->refusal[0] = '\0';
        if (ack->version == 0)
                snprintf(h->refusal, sizeof h->refusal,
                         "board speaks none of versions %d to %d", HILP_VERSION_MIN,
                         HILP_VERSION_MAX);
        else if (ack->version < HILP_VERSION_MIN || ack->version > HILP_VERSION_MAX)
                snprintf(h->refusal, sizeof h->refusal,
                         "board answered with version %d, not one of %d to %d",
                         ack->version, HILP_VERSION_MIN, HILP_VERSION_MAX);
        else if (ack->rotors < h->outputs)
                snprintf(h->refusal, sizeof h->refusal,
                         "board has %d motor outputs, this vehicle needs %d", ack->rotors,
                         h->outputs);
        else if (h->fitted >> hilp_sensor_count(ack->version) != 0)
                snprintf(h->refusal, sizeof h->refusal,
                         "board speaks version %d, which ends at sensor %d, and this "
                         "vehicle has more: bring the board to version %d or take them "
                         "out of the vehicle file",
                         ack->version, hilp_sensor_count(ack->version) - 1,
                         HILP_VERSION_MAX);
        return h->refusal[0] == '\0';
}

static uint32_t take_hello_ack(struct codec_hilp *h, const struct hilp_hello_ack *ack,
                               struct fc_report *report)
{
        bool wants_hello = ack->frame_every == 0;

        if (h->goodbyes > 0) {
                report->armed &= !wants_hello && h->goodbyes <= CODEC_HILP_GOODBYES_ALONE;
                return report->armed ? 0 : FC_ARMING;
        }
        if (h->ready && (wants_hello || ack->unique != h->board.unique)) {
                codec_hilp_start_over(h);
                snprintf(report->text, sizeof report->text,
                         "flight controller restarted");
                return FC_TEXT;
        }
        if (h->ready || wants_hello || !acceptable(h, ack))
                return 0;
        h->ready = true;
        h->board = *ack;
        h->sync_ns = h->hello_ns;
        codec_copy_words(report->name, sizeof report->name, ack->name, sizeof ack->name);
        return FC_HELLO;
}

/* Not in lockstep: a board without frames sends motors of its own, for the newest that it had, later than this. */
#define ANSWERED_TWICE_NS 50000000

/* Older than the newest known is stale and dropped; for a frame never sent is impossible. */
static uint32_t take_motors(struct codec_hilp *h, const struct hilp_motors *m,
                            int64_t t_ns, struct fc_report *report)
{
        struct codec_counts *counts = &h->codec.counts;
        bool early = (int32_t)(h->newest_frame - m->answers) < 0;
        bool again = h->motors_heard && m->answers == h->newest_answer;

        if (!h->frame_sent)
                return 0;
        if ((int32_t)(m->answers - h->first_frame) < 0 ||
            (h->motors_heard && (int32_t)(m->answers - h->newest_answer) < 0)) {
                counts->astray++;
                return 0;
        }
        if (early || m->count < h->outputs) {
                counts->malformed++;
                counts->astray += early;
                return 0;
        }
        counts->repeated +=
                again && (h->setup.lockstep || t_ns - h->answered_ns < ANSWERED_TWICE_NS);
        if (!again)
                h->answered_ns = t_ns;
        h->motors_heard = true;
        h->newest_answer = m->answers;

        memset(&report->motors, 0, sizeof report->motors);
        for (int i = 0; i < h->setup.rotors; i++)
                report->motors.duty[i] =
                        hilp_si_from_duty(m->duty[h->setup.motor_order[i]]);
        report->answers_frame = true;
        report->answered_frame = m->answers;
        report->armed = (m->flags & HILP_ARMED) != 0;
        report->can_arm = true; /* a refusal comes in words */
        report->failsafe = (m->flags & HILP_FAILSAFE) != 0;
        report->mode = (enum flight_mode)m->mode;
        h->goodbyes = h->goodbyes > 0; /* it answers, and will say so */
        return FC_MOTORS | FC_ARMING;
}

static uint32_t take_time_sync(struct codec_hilp *h, const struct hilp_time_sync *m,
                               int64_t t_ns, struct fc_report *report)
{
        int64_t receive_us = (int64_t)m->board_receive_us;
        int64_t held_us = (int64_t)m->board_transmit_us - receive_us;
        int64_t elapsed_ns = t_ns - h->sync_ns;

        /* An answer that was given up, or given twice. */
        if (!h->sync_open || m->id != h->sync_id || m->reply == 0)
                return 0;
        h->sync_open = false;
        /* The board cannot have held it for longer than it was away; 1 ms for its clock's
         * grain. */
        if (held_us < 0 || held_us > elapsed_ns / 1000 + 1000 ||
            m->rig_transmit_us != ((uint64_t)h->sync_ns / 1000 & HILP_TIME_MAX_US)) {
                h->codec.counts.malformed++;
                return 0;
        }
        report->sync_round_trip_ns = elapsed_ns - held_us * 1000;
        if (report->sync_round_trip_ns < 0)
                report->sync_round_trip_ns = 0;
        /* ((t2 - t1) + (t3 - t4)) / 2, arranged so that no sum overflows. */
        report->sync_offset_ns =
                (receive_us * 1000 - h->sync_ns) - (elapsed_ns - held_us * 1000) / 2;
        return FC_TIME_SYNC;
}

/* Of sonars that the vehicle has: an index beyond is a board that is set up for another. */
static uint32_t take_real_ranges(struct codec_hilp *h, const struct hilp_real_ranges *m,
                                 struct fc_report *report)
{
        if (m->count > 0 && m->range[m->count - 1].index >= h->setup.sonars) {
                h->codec.counts.malformed++;
                return 0;
        }
        hilp_si_from_real_ranges(report->real_range_m, m);
        return FC_RANGES;
}

/* To an address that there is. */
static uint32_t take_peer(struct codec_hilp *h, const struct hilp_peer *m,
                          struct fc_report *report)
{
        if (h->setup.radios == 0 || m->len > h->setup.radio_bytes_max ||
            (m->peer != HILP_PEER_ALL && m->peer >= h->setup.radios)) {
                h->codec.counts.malformed++;
                return 0;
        }
        report->peer = (struct peer_packet){ .peer = m->peer, .len = m->len };
        memcpy(report->peer.bytes, m->bytes, m->len);
        return FC_PEER;
}

static enum fc_severity severity_of(uint8_t severity)
{
        return severity == 0   ? FC_SAYS_INFO
               : severity == 1 ? FC_SAYS_WARNING
                               : FC_SAYS_ERROR;
}

static uint32_t take_message(struct codec_hilp *h, const struct hilp_message *m,
                             int64_t t_ns, struct fc_report *report)
{
        switch (m->type) {
        case HILP_HELLO_ACK:
                return take_hello_ack(h, &m->u.hello_ack, report);
        case HILP_TEXT:
                codec_copy_words(report->text, sizeof report->text, m->u.text.text,
                                 sizeof m->u.text.text);
                report->severity = severity_of(m->u.text.severity);
                return FC_TEXT;
        case HILP_MOTORS:
                return h->ready ? take_motors(h, &m->u.motors, t_ns, report) : 0;
        case HILP_TIME_SYNC:
                return h->ready ? take_time_sync(h, &m->u.time_sync, t_ns, report) : 0;
        case HILP_STATE:
                if (!h->ready)
                        return 0;
                hilp_si_from_state(&report->estimate, &m->u.state);
                return FC_STATE;
        case HILP_REAL_RANGES:
                return h->ready ? take_real_ranges(h, &m->u.real_ranges, report) : 0;
        case HILP_PEER_SEND:
                return h->ready ? take_peer(h, &m->u.peer, report) : 0;
        case HILP_OPTION_ACK:
                return h->ready ? codec_hilp_options_take(h, &m->u.option_ack, report)
                                : 0;
        default:
                /* The rig's own message, come back. */
                h->echo_heard = true;
                h->codec.counts.malformed++;
                return 0;
        }
}

/* False: a repetition. */
static bool follow_numbers(struct codec_hilp *h, const uint8_t *payload, size_t len)
{
        struct codec_counts *counts = &h->codec.counts;
        uint32_t lost = h->heard.lost;

        if (!hilp_sequence_take(&h->heard, payload, len)) {
                counts->repeated += h->ready;
                return false;
        }
        if (h->ready)
                codec_count_gap(counts, h->heard.lost - lost);
        return true;
}

uint32_t codec_hilp_hear(struct codec_hilp *h, int64_t t_ns, const uint8_t *payload,
                         size_t len, struct fc_report *report)
{
        struct hilp_message m;

        if (!hilp_decode(&m, payload, len)) {
                h->codec.counts.malformed++;
                /* It has a number, and was not lost. */
                if (h->ready && len >= 2)
                        follow_numbers(h, payload, len);
                return 0;
        }
        /* A board that has just started counts from a number of its own. */
        if (m.type == HILP_HELLO_ACK)
                memset(&h->heard, 0, sizeof h->heard);
        h->message_heard = true;
        h->codec.counts.frames_decoded++;
        return follow_numbers(h, payload, len) ? take_message(h, &m, t_ns, report) : 0;
}
