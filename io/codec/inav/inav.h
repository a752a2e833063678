/* The rig's side of a conversation with INAV over MSP, shared by codec_inav*.c: codec_inav_frame.c is the
 * sensor frame's bytes, codec_inav_say.c speaks, codec_inav_take.c listens, codec_inav_rc.c holds the
 * sticks and the arm switch, codec_inav_words.c puts flags in words, codec_inav.c is the codec around
 * them. Sources: INAV 9.1.0, src/main/fc/fc_msp.c, runtime_config.h, fc_msp_box.c. */
#pragma once

#include "io/codec/codec.h"
#include "io/codec/inav/mission.h"
#include "io/codec/msp.h"

/* msp_protocol.h and msp_protocol_v2_inav.h */
enum inav_command {
        INAV_NOTHING = 0,
        INAV_API_VERSION = 1,
        INAV_FC_VARIANT = 2,
        INAV_FC_VERSION = 3,
        INAV_BOARD_INFO = 4,
        INAV_WP_GETINFO = 20,
        INAV_MODE_RANGES = 34,
        INAV_MOTOR = 104,
        INAV_WP = 118,
        INAV_BOXIDS = 119,
        INAV_NAV_STATUS = 121,
        INAV_SET_RAW_RC = 200,
        INAV_SET_WP = 209,
        INAV_MOTOR_MIXER = 0x1005,
        INAV_SETTING_INFO = 0x1007,
        INAV_STATUS = 0x2000,
        INAV_MISC2 = 0x203A, /* how long it has been on */
        INAV_SIMULATOR = 0x201F
};

/* armingFlag_e: states, and what keeps it from arming. */
#define INAV_ARMED          (1U << 2)
#define INAV_WAS_EVER_ARMED (1U << 3)
#define INAV_HITL           (1U << 4)
#define INAV_ARM_SWITCH     (1U << 14) /* it was on while something else blocked */
#define INAV_BLOCKERS       0x7FFDFFC0U

/* The permanent ids of boxes that the report tells (fc_msp_box.c). */
#define INAV_BOX_RETURN   10 /* NAV RTH */
#define INAV_BOX_FAILSAFE 27
#define INAV_BOX_MISSION  28 /* NAV WP */
#define INAV_BOXES_MAX    64

#define INAV_SETTINGS    4 /* that it is asked for */
#define INAV_RC_CHANNELS 8
#define INAV_FRAME_BYTES 80 /* the longest sensor frame */

/* What was asked and is not answered yet. */
struct inav_request {
        enum inav_command command; /* INAV_NOTHING: nothing */
        int64_t sent_ns;
};

struct codec_inav {
        struct codec codec; /* first: a struct codec * points here */
        struct codec_setup setup;
        bool v2; /* the dialect */
        int every; /* ticks from frame to frame; 0: the rig's period is too long */
        struct msp_stream stream;
        bool bytes_heard, message_heard, echo_heard;
        bool refused; /* the frames themselves: nothing more is said until the link is opened again */
        bool status_ever; /* it has told its flags */

        /* The conversation; forgotten by codec_inav_start_over() */
        int step; /* of the greeting; codec_inav_ready() at its end */
        int unanswered; /* times that a setting was asked for in vain */
        struct inav_request poll, frame; /* at most one of each is under way */
        int64_t answer_ns; /* how long answers take, a sliding mean */
        int64_t asked_ns; /* host time of the last request of the greeting or of an uptime */
        bool asked;
        int64_t heard_ns,
                greeted_ns; /* host time of its last message, and of its first answer */
        int goodbyes; /* how often it was told that the run is over */
        bool stopped; /* the simulation was, so that no more frames go out */
        bool silent; /* an answer did not come: no frames before it says that it is well */
        uint32_t uptime_s;
        bool uptime_known;
        uint32_t arming_flags;
        bool status_known;
        int64_t status_ns, rc_ns; /* host time of the last ones */
        uint8_t box_id[INAV_BOXES_MAX];
        int boxes;
        uint64_t box_flags;
        uint32_t newest; /* number of the newest frame */
        bool frame_answered; /* one was, ever */
        bool motors_due; /* are to be asked for */
        int64_t motors_due_ns;
        uint32_t motors_frame; /* which frame they answer */
        uint32_t polled_frame; /* which frame those answer that were asked for */
        int frames_to_state; /* until the attitude is reported again */
        int64_t gps_sent_ns, gps_fresh_ns; /* simulated time; before 0: never */
        uint8_t api[2], version[3];
        char variant[5];
        char refusal[120];
        char words[128]; /* what the pilot was told last */

        struct inav_mission mission; /* count 0: none */
        int64_t mission_ns, follow_ns; /* host time of what it was asked about it last */
        int mission_channel; /* that makes it fly the mission; 0: not known */
        uint16_t mission_us; /* in the middle of the range that does */

        /* Sticks; kept when it starts over */
        struct pilot_input input;
        bool armed; /* as the newest answer said */
        bool was_armed; /* under the present request to arm */
        bool switch_on;
        int64_t switch_ns; /* host time of its last change */
};

static inline struct codec_inav *codec_inav_self(struct codec *c)
{
        return (struct codec_inav *)c;
}

/* Its version has MSP_SIMULATOR version 3, as 9.1 is the first to (9.0.1's runtime_config.h has 2 alone). */
bool codec_inav_has_v3(const struct codec_inav *i);
/* Greeted, and awake for long enough. */
bool codec_inav_ready(const struct codec_inav *i);
/* Back to the greeting; sticks, stream and counts stay. */
void codec_inav_start_over(struct codec_inav *i);

/* The payload of INAV_SIMULATOR for this tick, and its length; rc is used by dialect v3. */
size_t codec_inav_frame(struct codec_inav *i, const struct sensor_frame *frame,
                        const uint16_t rc_us[INAV_RC_CHANNELS],
                        uint8_t out[INAV_FRAME_BYTES]);
/* The payload that stops the simulation and disarms. */
size_t codec_inav_stop(const struct codec_inav *i, uint8_t out[INAV_FRAME_BYTES]);

/* The sticks at t_ns (host time): AETR, then the arm switch and three more. */
void codec_inav_rc(struct codec_inav *i, int64_t t_ns, uint16_t rc_us[INAV_RC_CHANNELS]);

/* The pilot wants it armed. */
bool codec_inav_wanted(const struct codec_inav *i);
/* It is to fly the mission that it holds, and may. */
bool codec_inav_flies_mission(const struct codec_inav *i);
/* It may arm, but for the arm switch itself. */
bool codec_inav_can_arm(const struct codec_inav *i);

/* Why it cannot arm, in words: "cannot arm: not level, throttle not low"; "" when it can. */
void codec_inav_blockers(uint32_t arming_flags, char *text, size_t cap);
/* "flight modes: ANGLE, NAV POSHOLD" */
void codec_inav_modes(const struct codec_inav *i, char *text, size_t cap);
/* Is this box's flag up? */
bool codec_inav_box(const struct codec_inav *i, int permanent_id);

/* Out: three functions of struct codec_ops. */
void codec_inav_poll(struct codec *c, int64_t t_ns, struct packets *out);
void codec_inav_encode(struct codec *c, uint32_t number, int64_t t_ns,
                       const struct sensor_frame *frame, const struct pilot_input *input,
                       struct packets *out);
void codec_inav_goodbye(struct codec *c, struct packets *out);
/* An answer that will not come. */
void codec_inav_lose(struct codec_inav *i, struct inav_request *r, int64_t t_ns);
/* What the greeting asks at its present step. */
enum inav_command codec_inav_question(const struct codec_inav *i);
/* Which of the settings it asks for there; -1: none. */
int codec_inav_question_setting(const struct codec_inav *i);
void codec_inav_pass_setting(struct codec_inav *i);

/* The settings that a flight needs: how each is asked for, and its name, NULL when the command has none. */
enum inav_command codec_inav_setting(int index, const char **name);
/* What is wrong with it, and what to type, becomes the refusal. */
void codec_inav_judge_setting(struct codec_inav *i, int index, const struct msp_frame *m);

/* In: one message. Returns the news that it put into the report. */
uint32_t codec_inav_take(struct codec_inav *i, int64_t t_ns, const struct msp_frame *m,
                         struct fc_report *report);

extern const char *const codec_inav_frame_names[];
/* From outside the conversation: a function of struct codec_ops. */
size_t codec_inav_frame_find(const uint8_t *bytes, size_t len, struct codec_frame *frame);
