/* The rig's side of ArduPilot's simulation in a loop (SITL) with the model "JSON". Channel 0: the firmware asks with a
 * packet of servo pulses, and is answered with one line of sensor text; until then its time stands still. Channel 1 is a
 * ground station's MAVLink, which is all there is of ArduPilot as shipped: then it is channel 0.
 * Source: ArduPilot, libraries/SITL/SIM_JSON.cpp, SIM_JSON.h and examples/JSON/readme.md. */
#pragma once

#include "io/codec/chips.h"
#include "io/codec/codec.h"
#include "io/codec/mavlink_mission.h"
#include "io/codec/mavlink_rates.h"

#define ARDUPILOT_SENSORS 0 /* channels */
#define ARDUPILOT_CONSOLE 1

#define ARDUPILOT_MAGIC_16 18458
#define ARDUPILOT_MAGIC_32 29569
#define ARDUPILOT_BYTES_16 40
#define ARDUPILOT_BYTES_32 72

#define ARDUPILOT_RC_MAX     12 /* SIM_JSON.h: rc[12] */
#define ARDUPILOT_SONARS_MAX 6 /* rng[6] */

/* ArduCopter/mode.h */
#define ARDUPILOT_MODE_AUTO      3
#define ARDUPILOT_MODE_GUIDED    4
#define ARDUPILOT_MODE_RTL       6
#define ARDUPILOT_MODE_LAND      9
#define ARDUPILOT_MODE_SMART_RTL 21
#define ARDUPILOT_MODE_AUTO_RTL  27

/* EKF_STATUS_REPORT's flags of a firmware that knows its attitude, velocity and position, relative and
 * absolute, now and as predicted for a flight. */
#define ARDUPILOT_EKF_READY 0x33f

/* What the firmware is asked to tell, and what it told. */
#define ARDUPILOT_RATES      8
#define ARDUPILOT_PARAMS     4 /* and the function of each rotor's output */
#define ARDUPILOT_PARAM_NAME 17

struct ardupilot_param {
        bool known;
        float value;
};

#define ARDUPILOT_WORDS_MAX 128

struct ardupilot_words {
        uint16_t id;
        char text[ARDUPILOT_WORDS_MAX];
};

/* What it says on the console. All zero: nothing yet. */
struct ardupilot_status {
        bool heard;
        uint8_t system, component;
        bool armed;
        uint32_t mode, mode_asked;
        bool ekf_heard;
        uint16_t ekf_flags;
        char ekf_words[80]; /* what its estimator still lacks, or "" */
        bool health_heard, health_ready; /* its checks before arming */
        uint8_t landed; /* MAV_LANDED_STATE */
        bool named;
        uint64_t capabilities; /* with its name */
        bool position_checked;
        uint32_t boot_ms; /* of its newest attitude, since it started */
        struct mavlink_rates rates;
        bool arming; /* the newest command was to arm, not to disarm */
        bool critical; /* it says that it is in a fail-safe */
        struct ardupilot_param param[ARDUPILOT_PARAMS + ROTORS_MAX];
        struct chips chips;
        char wrong
                [200]; /* what of its settings does not go with the vehicle, and what to set; "" */
        struct ardupilot_words words; /* the last */
        char refusal[ARDUPILOT_WORDS_MAX]; /* the last that began with PreArm or Arm */
};

/* What is asked of it next, to do what the pilot wants. */
enum ardupilot_step {
        ARDUPILOT_REST,
        ARDUPILOT_DISARM,
        ARDUPILOT_GUIDED,
        ARDUPILOT_ARM,
        ARDUPILOT_TAKE_OFF,
        ARDUPILOT_GO,
        ARDUPILOT_MISSION,
        ARDUPILOT_LAND
};

struct ardupilot_pilot {
        bool begun;
        int64_t next_ns, repeat_ns, greet_ns; /* simulated time */
        enum ardupilot_step step;
        struct setpoint told; /* the newest target that was sent */
        int asking; /* whose turn it is to be asked for */
        enum flight_mode wish; /* of the pilot, under which */
        bool was_armed, was_there; /* it has been armed, and so in the mode for it */
        bool own_way; /* and is not any more: a fail-safe of its own, not to be argued with */
};

struct codec_ardupilot {
        struct codec codec; /* first: a struct codec * points here */
        struct codec_setup setup;
        bool shipped; /* no simulation: the console alone */
        bool sticks; /* flown by RC: no commands but arm, disarm and land */
        int rc_max; /* channels that fit into a packet */
        int outputs; /* servo outputs that the firmware must have */
        bool ever_heard;

        /* The exchange; forgotten by codec_ardupilot_start_over() */
        bool heard;
        bool restarted; /* is to be greeted anew */
        bool asked; /* its newest packet has not been answered */
        bool replied; /* it has: */
        int64_t reply_ns; /* host time */
        uint32_t reply_number;
        uint32_t count; /* the firmware's number of its newest packet */
        bool turning; /* some motor was told to */
        bool based;
        int64_t base_ns; /* simulated time at which the firmware's began */
        uint64_t stamp_ps; /* the newest time that it was told */
        struct sensor_frame last; /* that was sent */

        bool have_input;
        struct pilot_input input;

        struct ardupilot_pilot pilot;
        struct ardupilot_status status;
        struct mavlink_mission mission; /* of setup.mission; without a plan: not begun */
        struct mavlink_sender sender;
        struct mavlink_stream stream;
};

static inline struct codec_ardupilot *codec_ardupilot_self(struct codec *c)
{
        return (struct codec_ardupilot *)c;
}

/* What the firmware is asked to send; the last, its outputs, where it is shipped. */
extern const struct mavlink_rate codec_ardupilot_rates[ARDUPILOT_RATES];
_Static_assert(ARDUPILOT_RATES <= MAVLINK_RATES_MAX, "each can be asked for");

/* Pulses of its outputs, one for every rotor among them. False, and counted, if not. */
bool codec_ardupilot_sound(struct codec_ardupilot *a, const uint16_t *pulse_us,
                           int outputs);
/* Of sound ones. */
void codec_ardupilot_take_pulses(struct codec_ardupilot *a, const uint16_t *pulse_us,
                                 struct fc_report *report);
/* It started anew, and is to be greeted anew; returned is the news. */
uint32_t codec_ardupilot_begin_anew(struct codec_ardupilot *a, struct fc_report *report);

/* The settings that it is asked for: how many, and the name of one that is not known yet. */
int codec_ardupilot_params(const struct codec_ardupilot *a);
bool codec_ardupilot_param_missing(const struct codec_ardupilot *a, int which,
                                   char name[ARDUPILOT_PARAM_NAME]);

/* How many RC channels always fit beside the other parts. */
int codec_ardupilot_rc_room(const struct codec_setup *setup);
/* One frame as the firmware's parser wants it, at most PACKET_MAX bytes; how many. number: the
 * firmware's next packet. */
size_t codec_ardupilot_text(const struct codec_ardupilot *a, uint32_t number,
                            const struct sensor_frame *frame, char *to);

/* What the pilot's wishes make of this tick: messages for the console. */
void codec_ardupilot_fly(struct codec_ardupilot *a, int64_t t_ns, struct packets *out);
/* Stops the motors whatever it does. */
void codec_ardupilot_disarm(struct codec_ardupilot *a, struct packets *out);

/* Bytes of the console; as decode(). */
size_t codec_ardupilot_listen(struct codec_ardupilot *a, const uint8_t *bytes, size_t len,
                              struct fc_report *report);
/* One message each; returned is the news that it put into the report. */
uint32_t codec_ardupilot_take_version(struct codec_ardupilot *a,
                                      const struct mavlink_frame *frame,
                                      struct fc_report *report);
uint32_t codec_ardupilot_take_words(struct codec_ardupilot *a,
                                    const struct mavlink_frame *frame,
                                    struct fc_report *report);
uint32_t codec_ardupilot_take_ack(struct codec_ardupilot *a,
                                  const struct mavlink_frame *frame,
                                  struct fc_report *report);
uint32_t codec_ardupilot_take_param(struct codec_ardupilot *a,
                                    const struct mavlink_frame *frame,
                                    struct fc_report *report);
/* What is known of its state, into the report: armed, can_arm, mode. */
void codec_ardupilot_tell(const struct codec_ardupilot *a, struct fc_report *report);

/* From outside the conversation. */
extern const char *const codec_ardupilot_frame_names[];
size_t codec_ardupilot_frame_find(const uint8_t *bytes, size_t len,
                                  struct codec_frame *frame);
