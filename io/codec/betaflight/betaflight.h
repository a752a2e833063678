/* The rig's side of a conversation with Betaflight's SITL, shared by codec_betaflight*.c:
 * codec_betaflight_frame.c is the packets' bytes, codec_betaflight_say.c speaks, codec_betaflight_take.c
 * listens to motors, codec_betaflight_msp.c to its MSP port, codec_betaflight_rc.c holds the sticks and the
 * arm switch, codec_betaflight_words.c puts flags in words, codec_betaflight.c is the codec around them.
 * Sources: Betaflight 4.5.6, src/main/target/SITL/sitl.c and target.h; 2025.12.5
 * and 2026.6.2, src/platform/SIMULATOR/sitl.c; all: src/main/msp/msp.c, src/main/fc/runtime_config.h. */
#pragma once

#include "io/codec/codec.h"
#include "io/codec/msp.h"

enum betaflight_channel {
        BETAFLIGHT_SENSORS, /* to its port 9003 */
        BETAFLIGHT_STICKS, /* 9004 */
        BETAFLIGHT_MOTORS, /* to our port 9002 */
        BETAFLIGHT_MSP, /* its TCP port 5761; optional */
        BETAFLIGHT_MOTORS_RAW /* to our port 9001; optional */
};

/* In the order of codec_betaflight_dialects. */
enum betaflight_dialect {
        BETAFLIGHT_4_5, /* reads neither velocity nor position */
        BETAFLIGHT_2025_12, /* east, north, up; longitude, latitude (degrees), height */
        BETAFLIGHT_2026_6 /* as Gazebo's plugin has them, and motors in their own order */
};
extern const char *const codec_betaflight_dialects[];

/* target.h: fdm_packet, rc_packet, servo_packet, servo_packet_raw */
#define BETAFLIGHT_FDM_BYTES   144
#define BETAFLIGHT_RC_BYTES    40
#define BETAFLIGHT_SERVO_BYTES 16
#define BETAFLIGHT_RAW_BYTES   68
#define BETAFLIGHT_OUTPUTS                                                               \
        4 /* of a servo_packet: motors 2, 3, 4, 1; from 2026.6 on 1, 2, 3, 4 */
#define BETAFLIGHT_RC_CHANNELS  16
#define BETAFLIGHT_SEA_LEVEL_PA 101325.0
#define BETAFLIGHT_THROTTLE     2 /* index of a channel */
#define BETAFLIGHT_ARM          4

/* src/main/msp/msp_protocol.h */
enum betaflight_command {
        BETAFLIGHT_NOTHING = 0,
        BETAFLIGHT_API_VERSION = 1,
        BETAFLIGHT_FC_VARIANT = 2,
        BETAFLIGHT_FC_VERSION = 3,
        BETAFLIGHT_BOARD_INFO = 4,
        BETAFLIGHT_MODE_RANGES = 34,
        BETAFLIGHT_FEATURE_CONFIG = 36,
        BETAFLIGHT_MIXER_CONFIG = 42,
        BETAFLIGHT_ADVANCED_CONFIG = 90,
        BETAFLIGHT_ATTITUDE = 108,
        BETAFLIGHT_BOXIDS = 119,
        BETAFLIGHT_MOTOR_CONFIG = 131,
        BETAFLIGHT_STATUS_EX = 150
};

#define BETAFLIGHT_BOOTGRACE (1U << 9)
#define BETAFLIGHT_BOXES_MAX 64
/* Permanent ids of boxes: src/main/msp/msp_box.c */
#define BETAFLIGHT_BOX_ARM      0
#define BETAFLIGHT_BOX_FAILSAFE 27

enum betaflight_phase {
        BETAFLIGHT_LOOKING, /* nobody has answered yet */
        BETAFLIGHT_STARTING, /* somebody has, and packets would come too early */
        BETAFLIGHT_TRYING, /* packets of a vehicle at rest go out until motors come back */
        BETAFLIGHT_READY,
        BETAFLIGHT_HUNG /* none came back */
};

#define BETAFLIGHT_RECENT 8

struct codec_betaflight {
        struct codec codec; /* first: a struct codec * points here */
        struct codec_setup setup;
        enum betaflight_dialect dialect;
        int every; /* ticks from frame to frame; 0: the rig's period is too long */
        struct msp_stream stream;
        /* Where the vehicle is as the packets say while GPS says nothing. */
        struct gps_sample gps;
        bool gps_known;
        bool placed; /* the first packet went out, about whose place 2026.6 mirrors all others: */
        double first_lon_deg, first_lat_deg;
        double pressure_pa; /* of the newest sample; before the first at sea level */

        /* The conversation; forgotten by codec_betaflight_start_over() */
        enum betaflight_phase phase;
        bool phase_begun; /* since_ns is known */
        int64_t since_ns; /* host time at which the phase began */
        bool sent; /* a sensor packet, ever */
        int64_t sent_ns, probe_ns, rc_ns; /* host time of the last packets */
        int motors_heard; /* packets, in this phase */
        int under_way; /* sensor packets since the last motor packet */
        bool untaken; /* the newest of them came after a gap: it drops that */
        uint32_t newest; /* number of the newest frame */
        float servo[BETAFLIGHT_RECENT][BETAFLIGHT_OUTPUTS]; /* for the raw ones */
        int servos; /* ever */
        bool turning; /* a motor, in the newest packet */
        int64_t stood_ns; /* host time at which the last of them stood still */
        bool raw_differ_told;

        /* Its MSP port */
        int step; /* of the greeting; codec_betaflight_knows_who() at its end */
        int unanswered; /* times that a setting was asked for in vain */
        enum betaflight_command asked; /* under way */
        int64_t asked_ns, ask_after_ns;
        bool msp_heard, echo_heard;
        int64_t msp_heard_ns;
        int64_t status_ns, attitude_ns; /* asked last */
        bool status_known;
        bool stuck; /* its start-up, which frames should have let it end */
        uint32_t arming_flags;
        int arming_flags_count;
        uint8_t box_id[BETAFLIGHT_BOXES_MAX];
        int boxes;
        uint64_t box_flags;
        bool deaf; /* its receiver is not the one that takes the sticks' packets */
        uint8_t api[2], version[3];
        char refusal[128];
        char words[128]; /* what the pilot was told last */

        /* Sticks; kept when it starts over */
        struct pilot_input input;
        bool armed; /* as it said last */
        bool was_armed; /* under the present request to arm */
        bool switch_on;
        int64_t switch_ns; /* host time of its last change */
};

static inline struct codec_betaflight *codec_betaflight_self(struct codec *c)
{
        return (struct codec_betaflight *)c;
}

/* Back to looking for it; sticks, stream and counts stay. */
void codec_betaflight_start_over(struct codec_betaflight *b);

/* fdm_packet of a tick. */
void codec_betaflight_fdm(struct codec_betaflight *b, const struct sensor_frame *frame,
                          uint8_t out[BETAFLIGHT_FDM_BYTES]);
/* Of a vehicle that rests on level ground and looks north. */
void codec_betaflight_fdm_at_rest(struct codec_betaflight *b,
                                  uint8_t out[BETAFLIGHT_FDM_BYTES]);
void codec_betaflight_rc_packet(const uint16_t rc_us[BETAFLIGHT_RC_CHANNELS],
                                uint8_t out[BETAFLIGHT_RC_BYTES]);
extern const char *const codec_betaflight_frame_names[];
/* From outside the conversation: a function of struct codec_ops. */
size_t codec_betaflight_frame_find(const uint8_t *bytes, size_t len,
                                   struct codec_frame *frame);

/* The sticks at t_ns (host time): AETR, then the arm switch and eleven more. */
void codec_betaflight_rc(struct codec_betaflight *b, int64_t t_ns,
                         uint16_t rc_us[BETAFLIGHT_RC_CHANNELS]);
void codec_betaflight_take_input(struct codec_betaflight *b,
                                 const struct pilot_input *input);
/* The pilot wants it armed. */
bool codec_betaflight_wanted(const struct codec_betaflight *b);
/* It may arm, but for the arm switch itself. */
bool codec_betaflight_can_arm(const struct codec_betaflight *b, int64_t t_ns);

/* The flags but for the one that says that the arm switch is up too early, which is its version's last. */
uint32_t codec_betaflight_blocks(const struct codec_betaflight *b);
/* Why it cannot arm, in words: "cannot arm: no receiver, throttle not low"; "" when it can. */
void codec_betaflight_blockers(const struct codec_betaflight *b, char *text, size_t cap);
/* "flight modes: ANGLE" */
void codec_betaflight_modes(const struct codec_betaflight *b, char *text, size_t cap);
bool codec_betaflight_box(const struct codec_betaflight *b, int permanent_id);

/* Out: three functions of struct codec_ops. */
void codec_betaflight_poll(struct codec *c, int64_t t_ns, struct packets *out);
void codec_betaflight_encode(struct codec *c, uint32_t number, int64_t t_ns,
                             const struct sensor_frame *frame,
                             const struct pilot_input *input, struct packets *out);
void codec_betaflight_goodbye(struct codec *c, struct packets *out);

/* Its MSP port: what is due there, and whether it is there and has said who it is. */
void codec_betaflight_ask(struct codec_betaflight *b, int64_t t_ns, struct packets *out);
void codec_betaflight_ask_status(struct codec_betaflight *b, struct packets *out);
bool codec_betaflight_knows_who(const struct codec_betaflight *b);
bool codec_betaflight_msp_answers(const struct codec_betaflight *b, int64_t t_ns);

/* The settings that a flight needs, in the order in which they are asked for after the greeting. What is wrong with
 * one, and what to type, becomes the refusal. */
int codec_betaflight_settings(void);
enum betaflight_command codec_betaflight_setting(int index);
void codec_betaflight_judge_setting(struct codec_betaflight *b, int index,
                                    const struct msp_frame *m);

/* In: one packet of a channel or one message. They return the news that they put into the report. */
uint32_t codec_betaflight_take_servo(struct codec_betaflight *b, int64_t t_ns,
                                     const uint8_t *bytes, size_t len,
                                     struct fc_report *report);
uint32_t codec_betaflight_take_raw(struct codec_betaflight *b, const uint8_t *bytes,
                                   size_t len, struct fc_report *report);
uint32_t codec_betaflight_take_msp(struct codec_betaflight *b, int64_t t_ns,
                                   const struct msp_frame *m, struct fc_report *report);
/* It said that it is armed, or not. */
void codec_betaflight_take_armed(struct codec_betaflight *b, int64_t t_ns, bool armed,
                                 struct fc_report *report);
/* Says it once. */
uint32_t codec_betaflight_tell(struct codec_betaflight *b, const char *words,
                               struct fc_report *report);
