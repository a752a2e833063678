/* What PX4 says in words: refusals of commands, its status texts, its name and version. */
#include <stdio.h>
#include <string.h>

#include "io/codec/px4/px4.h"

#define RESULT_ACCEPTED    0 /* MAV_RESULT */
#define RESULT_IN_PROGRESS 5
#define SEVERITY_WARNING   4 /* MAV_SEVERITY */

/* PX4 ends what it says as an event, too, with a tab. */
static void copy_words(char *to, size_t cap, const char *from, size_t len)
{
        while (len > 0 && (from[len - 1] == '\t' || from[len - 1] == ' '))
                len--;
        codec_copy_words(to, cap, from, len);
}

static const char *command_words(uint16_t command)
{
        switch (command) {
        case PX4_ARM_DISARM:
                return "arming or disarming";
        case PX4_NAV_TAKEOFF:
                return "take-off";
        case PX4_MISSION_START:
                return "the start of its mission";
        case PX4_NAV_LAND:
                return "landing";
        case PX4_DO_REPOSITION:
                return "reposition";
        default:
                return NULL;
        }
}

/* MAV_RESULT. */
static const char *result_words(uint8_t result)
{
        static const char *const words[] = { "accepted",      "not now", "denied",
                                             "not supported", "failed",  "in progress",
                                             "cancelled" };

        return result < sizeof words / sizeof words[0] ? words[result] : "refused";
}

uint32_t codec_px4_take_ack(struct codec_px4 *p, const struct mavlink_command_ack *m,
                            struct fc_report *report)
{
        const char *what = command_words(m->command);

        if (what == NULL)
                return 0;
        if (m->result == RESULT_ACCEPTED || m->result == RESULT_IN_PROGRESS) {
                if (m->command == PX4_DO_REPOSITION)
                        p->heard.repositions++;
                return 0;
        }
        if (p->refusal[0] == '\0')
                snprintf(p->refusal, sizeof p->refusal, "PX4 refused %s: %s", what,
                         result_words(m->result));
        snprintf(report->text, sizeof report->text, "%s refused: %s", what,
                 result_words(m->result));
        return FC_TEXT;
}

/* Words longer than one message come in chunks with one id; the last one is not full. */
uint32_t codec_px4_take_words(struct codec_px4 *p, const struct mavlink_statustext *m,
                              struct fc_report *report)
{
        struct px4_words *w = &p->words;
        size_t len = strnlen(m->text, sizeof m->text);

        if (m->id == 0 || m->id != w->id || m->chunk_seq != w->chunks) {
                w->len = 0;
                w->chunks = 0;
        }
        w->id = m->id;
        w->chunks++;
        if (len > sizeof w->text - w->len)
                len = sizeof w->text - w->len;
        memcpy(w->text + w->len, m->text, len);
        w->len += len;
        if (m->id != 0 && len == sizeof m->text && w->len < sizeof w->text)
                return 0;
        copy_words(report->text, sizeof report->text, w->text, w->len);
        report->severity = fc_severity_of(m->severity);
        if (m->severity <= SEVERITY_WARNING && !p->armed)
                copy_words(p->refusal, sizeof p->refusal, w->text, w->len);
        w->len = 0;
        w->chunks = 0;
        w->id = 0;
        return FC_TEXT;
}

static const char *release_words(uint8_t type)
{
        switch (type) { /* FIRMWARE_VERSION_TYPE */
        case 255:
                return "";
        case 192:
                return " rc";
        case 128:
                return " beta";
        case 64:
                return " alpha";
        default:
                return " dev";
        }
}

/* PX4 puts the first eight bytes of its commit in backwards. */
uint32_t codec_px4_take_version(struct codec_px4 *p,
                                const struct mavlink_autopilot_version *m,
                                struct fc_report *report)
{
        uint32_t v = m->flight_sw_version;
        const uint8_t *git = m->flight_custom_version;
        int n;

        p->named = true;
        p->capabilities = m->capabilities;
        n = snprintf(report->name, sizeof report->name,
                     "PX4 %u.%u.%u%s (%02x%02x%02x%02x)", v >> 24, v >> 16 & 255,
                     v >> 8 & 255, release_words((uint8_t)v), git[7], git[6], git[5],
                     git[4]);
        if (m->vendor_id != 0)
                snprintf(report->name + n, sizeof report->name - (size_t)n,
                         ", USB %04x:%04x, board version %u", m->vendor_id, m->product_id,
                         m->board_version);
        return FC_HELLO;
}
