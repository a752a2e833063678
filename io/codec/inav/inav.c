/* INAV as a codec: a board, or INAV's own SITL, that takes its sensors over MSP_SIMULATOR and tells its
 * motors when it is asked. docs/firmware_inav.md says how to set it up. */
#include "io/codec/inav/inav.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 200 frames a second fly well, 100 ring and 50 crash (seen). */
#define FRAME_NS      4000000
#define FRAME_MOST_NS 5000000
/* As docs/firmware_inav.md has it. */
#define MISSION_CHANNEL 7
#define MISSION_US      1900

void codec_inav_start_over(struct codec_inav *i)
{
        i->step = 0;
        i->unanswered = 0;
        i->poll.command = i->frame.command = INAV_NOTHING;
        i->asked = false;
        i->answer_ns = 0;
        i->goodbyes = 0;
        i->stopped = false;
        i->silent = false;
        i->uptime_known = false;
        i->status_known = false;
        i->arming_flags = 0;
        i->box_flags = 0;
        i->boxes = 0;
        i->frame_answered = false;
        i->motors_due = false;
        i->frames_to_state = 0;
        i->gps_sent_ns = i->gps_fresh_ns = -1;
        i->refusal[0] = '\0';
        i->words[0] = '\0';
        i->mission_channel = MISSION_CHANNEL; /* until it tells its own */
        i->mission_us = MISSION_US;
        i->mission_ns = i->follow_ns = 0;
        inav_mission_restart(&i->mission);
        i->armed = false;
        i->was_armed = false;
        i->switch_on = false;
}

static size_t inav_decode(struct codec *c, int channel, int64_t t_ns,
                          const uint8_t *bytes, size_t len, struct fc_report *report)
{
        struct codec_inav *i = codec_inav_self(c);
        uint32_t news = 0;
        size_t used = 0;

        (void)channel;
        i->bytes_heard |= len > 0;
        while (used < len && news == 0) {
                struct msp_frame m;
                bool got;

                used += msp_stream_take(&i->stream, bytes + used, len - used, &m, &got);
                if (got)
                        news = codec_inav_take(i, t_ns, &m, report);
        }
        c->counts.crc_errors = i->stream.bad_crc;
        c->counts.bytes_skipped = i->stream.noise_bytes;
        report->refused = i->refused || i->refusal[0] != '\0' ||
                          i->mission.progress.transfer == MISSION_FAILED;
        report->fresh |= news;
        return used;
}

static int inav_frame_every(const struct codec *c)
{
        const struct codec_inav *i = (const struct codec_inav *)c;

        return codec_inav_ready(i) ? i->every : 0;
}

static void inav_restart(struct codec *c)
{
        struct codec_inav *i = codec_inav_self(c);

        codec_inav_start_over(i);
        i->stream.len = 0;
        i->bytes_heard = false;
        i->message_heard = false;
        i->echo_heard = false;
        i->refused = false;
}

static const char *greeting_complaint(const struct codec_inav *i)
{
        if (codec_inav_question(i) == INAV_MISC2)
                return "INAV is starting: it takes frames 6 s after its start";
        if (i->message_heard)
                return "no answer from INAV yet: it speaks MSP, but does not answer";
        if (i->echo_heard)
                return "no answer from INAV yet: the rig hears itself (TX wired to RX?)";
        if (i->bytes_heard)
                return "no answer from INAV yet: it sends bytes that are no MSP (is its "
                       "command line open?)";
        return "no answer from INAV yet: it sends nothing (is MSP on at this port?)";
}

static const struct mission_progress *inav_mission(const struct codec *c)
{
        return &((const struct codec_inav *)c)->mission.progress;
}

static const char *inav_complaint(const struct codec *c)
{
        const struct codec_inav *i = (const struct codec_inav *)c;

        if (i->every == 0)
                return "INAV needs 200 frames a second: period_us must be 5000 or less";
        if (i->refusal[0] != '\0')
                return i->refusal;
        if (i->mission.progress.transfer == MISSION_FAILED)
                return i->mission.progress.why;
        if (!codec_inav_ready(i))
                return greeting_complaint(i);
        if (i->silent)
                return "INAV has stopped answering";
        if (i->setup.mission != NULL && i->mission.progress.transfer != MISSION_HELD)
                return "it has not been given the whole mission yet";
        if (codec_inav_wanted(i) && !i->armed)
                return i->words;
        return "";
}

static void inav_destroy(struct codec *c)
{
        free(c);
}

static const struct codec_channel channels[] = { { .name = "msp" } };
/* Of MSP_SIMULATOR: 3 has the sticks in the frame, 2 wants MSP_SET_RAW_RC beside it. */
static const char *const dialects[] = { "v3", "v2", NULL };

static const struct codec_carries carries_v3 = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE,
                [SAMPLE_GYRO] = CARRIES_VALUE,
                [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_FIX,
                [SAMPLE_BARO] = CARRIES_VALUE,
                [SAMPLE_MAG] = CARRIES_VALUE | CARRIES_DIRECTION,
                [SAMPLE_SONAR] = CARRIES_VALUE,
                [SAMPLE_VOLTAGE] = CARRIES_VALUE,
                [SAMPLE_CURRENT] = CARRIES_VALUE,
        },
        .sonars = 1,
        .rc = INAV_RC_CHANNELS,
};

static const struct codec_carries carries_v2 = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE,
                [SAMPLE_GYRO] = CARRIES_VALUE,
                [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_FIX,
                [SAMPLE_BARO] = CARRIES_VALUE,
                [SAMPLE_MAG] = CARRIES_VALUE | CARRIES_DIRECTION,
                [SAMPLE_VOLTAGE] = CARRIES_VALUE,
        },
        .rc = INAV_RC_CHANNELS,
};

const struct codec_ops codec_inav_ops = {
        .name = "inav",
        .new_each_flight = true,
        .channels = 1,
        .channel = channels,
        .dialects = dialects,
        .carries = { &carries_v3, &carries_v2 },
        .period_max_ns = 5000000, /* 200 frames a second: slower ones ring */
        .realtime_only = true,
        .frame_names = codec_inav_frame_names,
        .frame_find = codec_inav_frame_find,
        .frame_every = inav_frame_every,
        .poll = codec_inav_poll,
        .encode = codec_inav_encode,
        .decode = inav_decode,
        .mission = inav_mission,
        .goodbye = codec_inav_goodbye,
        .restart = inav_restart,
        .complaint = inav_complaint,
        .destroy = inav_destroy,
};

/* Frames every 4 ms, or as near below as ticks allow. */
static int frame_every(int64_t period_ns)
{
        if (period_ns <= 0 || period_ns > FRAME_MOST_NS)
                return 0;
        return period_ns >= FRAME_NS ? 1 : (int)(FRAME_NS / period_ns);
}

struct codec *codec_inav_create(const struct codec_setup *setup)
{
        struct codec_inav *i = calloc(1, sizeof *i);

        if (i == NULL)
                return NULL;
        assert(setup->rotors >= 1 && setup->rotors <= ROTORS_MAX);
        for (int rotor = 0; rotor < setup->rotors; rotor++)
                assert(setup->motor_order[rotor] < ROTORS_MAX);
        i->codec.ops = &codec_inav_ops;
        i->setup = *setup;
        i->v2 = setup->dialect != NULL && strcmp(setup->dialect, "v2") == 0;
        i->every = frame_every(setup->period_ns);
        if (setup->mission != NULL)
                inav_mission_begin(&i->mission, setup);
        codec_inav_start_over(i);
        return &i->codec;
}
