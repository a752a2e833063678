/* ArduPilot's version, its words, and how it takes a command. */
#include <stdio.h>
#include <string.h>

#include "io/codec/ardupilot/ardupilot.h"

#define MAV_RESULT_ACCEPTED    0
#define MAV_RESULT_IN_PROGRESS 5
#define CMD_SET_MODE           176
#define CMD_MISSION_START      300
#define CMD_ARM                400
#define CMD_MESSAGE_INTERVAL   511
#define CMD_REQUEST_MESSAGE    512

static const char *release_name(uint8_t type)
{
        return type == 0    ? "-dev"
               : type < 128 ? "-alpha"
               : type < 192 ? "-beta"
               : type < 255 ? "-rc"
                            : "";
}

/* flight_sw_version: major, minor, patch, FIRMWARE_VERSION_TYPE; the custom version is the commit's
 * first letters (GCS_Common.cpp, send_autopilot_version). */
uint32_t codec_ardupilot_take_version(struct codec_ardupilot *a,
                                      const struct mavlink_frame *frame,
                                      struct fc_report *report)
{
        struct mavlink_autopilot_version m;
        uint32_t v;
        char commit[9], family[20];

        if (a->status.named ||
            !mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                return 0;
        a->status.named = true;
        a->status.capabilities = m.capabilities;
        v = m.flight_sw_version;
        codec_copy_words(commit, sizeof commit, m.flight_custom_version,
                         sizeof m.flight_custom_version);
        codec_copy_words(family, sizeof family, report->name, strcspn(report->name, " "));
        snprintf(report->name, sizeof report->name, "%s %u.%u.%u%s (%s)%s", family,
                 v >> 24, v >> 16 & 0xFF, v >> 8 & 0xFF, release_name((uint8_t)v), commit,
                 a->shipped ? "" : ", SITL");
        return FC_HELLO;
}

/* Longer words come in pieces of 50 with one id; the last is shorter. */
uint32_t codec_ardupilot_take_words(struct codec_ardupilot *a,
                                    const struct mavlink_frame *frame,
                                    struct fc_report *report)
{
        struct ardupilot_words *w = &a->status.words;
        struct mavlink_statustext m;
        size_t len;

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                return 0;
        if (m.id == 0 || m.id != w->id || m.chunk_seq == 0)
                w->text[0] = '\0';
        w->id = m.id;
        len = strlen(w->text);
        codec_copy_words(w->text + len, sizeof w->text - len, m.text, sizeof m.text);
        if (m.id != 0 && strnlen(m.text, sizeof m.text) == sizeof m.text)
                return 0;
        memcpy(report->text, w->text, sizeof w->text);
        report->severity = fc_severity_of(m.severity);
        if (strncmp(w->text, "PreArm", 6) == 0 || strncmp(w->text, "Arm", 3) == 0)
                memcpy(a->status.refusal, w->text, sizeof w->text);
        return FC_TEXT;
}

static const char *command_name(uint16_t command)
{
        switch (command) {
        case 22:
                return "to take off";
        case 176:
                return "to change its mode";
        case CMD_MISSION_START:
                return "to start its mission";
        case 400:
                return "to arm or disarm";
        default:
                return "a command";
        }
}

static const char *result_name(uint8_t result)
{
        static const char *const names[] = { "", "temporarily rejected", "denied",
                                             "unsupported", "failed" };

        return result < sizeof names / sizeof names[0] ? names[result] : "refused";
}

/* The reason comes in words of its own. */
uint32_t codec_ardupilot_take_ack(struct codec_ardupilot *a,
                                  const struct mavlink_frame *frame,
                                  struct fc_report *report)
{
        struct mavlink_command_ack m;

        if (!mavlink_unpack(frame, mavlink_message_find(frame->id), &m))
                return 0;
        /* The next heartbeat would say so, up to a second later. */
        if (m.command == CMD_ARM && m.result == MAV_RESULT_ACCEPTED) {
                a->status.armed = a->status.arming;
                return FC_ARMING;
        }
        if (m.command == CMD_SET_MODE && m.result == MAV_RESULT_ACCEPTED)
                a->status.mode = a->status.mode_asked;
        if (m.result == MAV_RESULT_ACCEPTED || m.result == MAV_RESULT_IN_PROGRESS ||
            m.command == CMD_MESSAGE_INTERVAL || m.command == CMD_REQUEST_MESSAGE)
                return 0;
        snprintf(report->text, sizeof report->text, "asked %s: %s",
                 command_name(m.command), result_name(m.result));
        return FC_TEXT;
}
