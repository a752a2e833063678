/* The rig's side of PX4's MAVLink as a codec: with PX4 as a process in lockstep ("sitl", and as fast as it goes
 * "sitl_fast"), with a board in HITL mode ("board"), and with one as shipped ("shipped"). docs/firmware_px4.md is
 * for its users. */
#include "io/codec/px4/px4.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS 1000000LL
#define US_NS 1000LL

/* PX4's simulated sensors run at 250 Hz, and so does its control loop then. */
#define FRAME_NS (4 * MS_NS)

/* Until it answers, PX4's threads are being started: the frames go on without it. */
#define START_NS (5 * MS_NS)
/* Where every start is to be the same: then it sets up its files, too, and waits for the disk. */
#define FIRST_NS (250 * MS_NS)
/* So long after the first frame, by its clock, its start-up script runs. What that does between two waits
 * takes the processor's time; with this much for each frame it is done whatever else the host does, and
 * every start is the same. With 5 ms it was not on a busy one. */
#define SLOW_US 300000
#define SLOW_NS (100 * MS_NS)
/* Then what the answer does not wait for (commander, navigator, telemetry) comes to rest in it. */
#define REST_NS (200 * US_NS)
/* One that it is told something after: see codec_px4_say.c. */
#define PAUSE_NS (4 * MS_NS)
/* A frame without accelerometer and gyroscope drives no control loop, and is not answered. */
#define BLIND_NS (5 * MS_NS)

#define SYSTEM_GROUND    255 /* a ground station's usual numbers */
#define COMPONENT_GROUND 190 /* MAV_COMP_ID_MISSIONPLANNER */

void codec_px4_start_over(struct codec_px4 *p)
{
        p->ready = false;
        p->wrong_mode = false;
        memset(&p->rates, 0, sizeof p->rates);
        p->rate_asked = 0;
        p->odd_outputs = false;
        p->autopilot = 0;
        p->ground_heard = false;
        p->named = false;
        memset(&p->mission, 0, sizeof p->mission);
        p->system = 1;
        p->boot_ms = 0;
        p->heard = (struct px4_status){ 0 };
        p->known = (struct px4_status){ 0 };
        p->refusal[0] = '\0';
        p->wrong[0] = '\0';
        p->asking = 0;
        memset(p->param, 0, sizeof p->param);
        memset(&p->chips, 0, sizeof p->chips);
        memset(p->chip_asked, 0, sizeof p->chip_asked);
        p->words = (struct px4_words){ 0 };
        p->estimates_told = 0;
        p->frame_sent = false;
        p->sent = 0;
        p->armed = false;
        p->answered = false;
        p->answer_due = false;
        p->answered_us = 0;
        p->later.len = 0;
        p->pausing = false;
        p->hello_sent = false;
        p->sync_open = false;
        p->syncs = 0;
        p->pilot.asked = PX4_NO_COMMAND;
        p->pilot.reposition_due = true;
        p->pilot.repositions = 0;
}

static int px4_frame_every(const struct codec *c)
{
        const struct codec_px4 *p = (const struct codec_px4 *)c;

        return p->ready ? p->frame_every : 0;
}

/* The rest begins with the answer, however long that took. */
static int64_t rest_ns(const struct codec_px4 *p)
{
        int64_t answer_ns = p->answer_host_ns - p->frame_host_ns;

        if (p->fast)
                return 0;
        if (p->pausing)
                return PAUSE_NS;
        return answer_ns > 0 ? answer_ns + REST_NS : REST_NS;
}

static struct codec_patience px4_patience(const struct codec *c)
{
        const struct codec_px4 *p = (const struct codec_px4 *)c;
        bool starting = p->newest.time_usec - p->first_us < SLOW_US;
        int64_t least_ns = rest_ns(p), most_ns = INT64_MAX;

        if (!p->answer_due)
                most_ns = BLIND_NS;
        if (starting || !p->answered) {
                int64_t slow_ns = p->answered ? SLOW_NS : FIRST_NS;

                least_ns = p->fast ? 0 : slow_ns;
                most_ns = p->fast ? START_NS : slow_ns;
        }
        return (struct codec_patience){ least_ns, most_ns };
}

static void px4_restart(struct codec *c)
{
        struct codec_px4 *p = codec_px4_self(c);

        codec_px4_start_over(p);
        memset(p->stream, 0, sizeof p->stream);
        memset(p->sequence_known, 0, sizeof p->sequence_known);
        memset(p->unread, 0, sizeof p->unread);
}

static const char *board_complaint(const struct codec_px4 *p)
{
        if (p->wrong_mode)
                return p->shipped ? "PX4 is heard, but in HIL mode, in which it has no "
                                    "sensors of its own: set SYS_HITL to 0 and restart "
                                    "the board"
                                  : "PX4 is heard, but not in HIL mode: set SYS_HITL to "
                                    "1 and restart the board";
        if (p->autopilot != 0)
                return "an autopilot is heard, but it is not PX4";
        if (p->codec.counts.frames_decoded > 0)
                return "MAVLink is heard, but no heartbeat of PX4";
        if (p->codec.counts.bytes_skipped > 0)
                return "the board sends bytes that are no MAVLink";
        return "nothing is heard from the board";
}

static const char *px4_complaint(const struct codec *c)
{
        const struct codec_px4 *p = (const struct codec_px4 *)c;

        if (!p->ready)
                return p->board ? board_complaint(p)
                                : "PX4 has not connected yet: it is a client of the "
                                  "simulator's port";
        if (p->wrong[0] != '\0')
                return p->wrong;
        if (p->mission.progress.transfer == MISSION_FAILED)
                return p->mission.progress.why;
        if (!p->answered && !p->shipped)
                return "PX4 takes sensor frames, but has sent no motors yet";
        if (!p->ground_heard)
                return "PX4's telemetry is not heard: commands would not reach it "
                       "(second "
                       "link)";
        if (p->refusal[0] == '\0' && p->setup.mission != NULL &&
            p->mission.progress.transfer != MISSION_HELD)
                return "it has not been given the whole mission yet";
        return p->refusal;
}

static const struct mission_progress *px4_mission(const struct codec *c)
{
        return &((const struct codec_px4 *)c)->mission.progress;
}

static void px4_destroy(struct codec *c)
{
        free(c);
}

static const char *const dialects[] = { "sitl", "sitl_fast", "board", "shipped", NULL };
static const char *const processes[] = { "sitl", "sitl_fast", NULL };

static const struct codec_channel channels[] = {
        { .name = "fc" },
        { .name = "telemetry",
          .optional = true,
          .without = "a process (not a board) cannot be armed or flown",
          .needed_by = processes },
};

/* A board's clock is its own. */
static const char *const realtime_dialects[] = { "board", "shipped", NULL };
static const char *const shipped[] = { "shipped", NULL };

static const char *const repeats_when[] = {
        "dialect sitl (sitl_fast does not repeat)",
        "a fresh working folder for each flight (px4 -w), best in memory",
        "one processor for PX4 and another for the rig (taskset)",
        "priority over whatever else the machine does (nice, chrt)",
        NULL,
};

static const struct codec_carries carries = {
        .of = {
                [SAMPLE_ACCEL] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GYRO] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_GPS] = CARRIES_VALUE | CARRIES_FIX | CARRIES_TIME,
                [SAMPLE_BARO] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_MAG] = CARRIES_VALUE | CARRIES_NAN,
                [SAMPLE_SONAR] = CARRIES_VALUE,
                [SAMPLE_FLOW] = CARRIES_VALUE | CARRIES_NAN,
        },
        .sonars = 1,
        .rc = RC_CHANNELS_MAX,
};

/* What is shipped takes its sensors from ports. */
static const struct codec_carries sticks = { .rc = RC_CHANNELS_MAX };

const struct codec_ops codec_px4_ops = {
        .name = "px4",
        .new_each_flight = true,
        .channels = 2,
        .channel = channels,
        .dialects = dialects,
        .carries = { &carries, NULL, NULL, &sticks },
        .realtime_dialects = realtime_dialects,
        .shipped_dialects = shipped,
        .frame_names = codec_px4_frame_names,
        .frame_find = codec_px4_frame_find,
        .frame_every = px4_frame_every,
        .poll = codec_px4_poll,
        .encode = codec_px4_encode,
        .patience = px4_patience,
        .repeats_when = repeats_when,
        .decode = codec_px4_decode,
        .mission = px4_mission,
        .goodbye = codec_px4_goodbye,
        .restart = px4_restart,
        .complaint = px4_complaint,
        .destroy = px4_destroy,
};

/* A board is given every sample of its IMU; PX4 as a process no more than it takes. */
static int ticks_per_frame(const struct codec_px4 *p)
{
        int64_t frame_ns = p->setup.sensor_period_ns[SENSOR_IMU];

        if (!p->board && frame_ns < FRAME_NS)
                frame_ns = FRAME_NS;
        frame_ns = (frame_ns + p->setup.period_ns / 2) / p->setup.period_ns;
        return frame_ns < 1 ? 1 : frame_ns > 1000 ? 1000 : (int)frame_ns;
}

static bool is_dialect(const struct codec_setup *setup, const char *name)
{
        return setup->dialect != NULL && strcmp(setup->dialect, name) == 0;
}

struct codec *codec_px4_create(const struct codec_setup *setup)
{
        struct codec_px4 *p = calloc(1, sizeof *p);

        if (p == NULL)
                return NULL;
        assert(setup->rotors >= 1 && setup->rotors <= ROTORS_MAX);
        assert(setup->period_ns > 0);
        p->codec.ops = &codec_px4_ops;
        p->setup = *setup;
        p->setup.dialect = NULL; /* the caller's */
        p->shipped = is_dialect(setup, "shipped");
        p->board = p->shipped || is_dialect(setup, "board");
        p->fast = is_dialect(setup, "sitl_fast");
        p->frame_every = ticks_per_frame(p);
        for (int i = 0; i < 2; i++)
                p->sender[i] = (struct mavlink_sender){ .version = 2,
                                                        .system = SYSTEM_GROUND,
                                                        .component = COMPONENT_GROUND };
        codec_px4_start_over(p);
        return &p->codec;
}
