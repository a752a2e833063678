/* The rig's side of a conversation with PX4, shared by this folder: frame.c turns samples into messages, say.c speaks,
 * pilot.c asks for what the pilot wants, take.c listens, state.c takes where it believes to be, words.c what it says in
 * words, settings.c what it says of its parameters, outputs.c what drives its motors where it is as shipped, px4.c is the
 * codec around them. */
#pragma once

#include "io/codec/chips.h"
#include "io/codec/codec.h"
#include "io/codec/mavlink_mission.h"
#include "io/codec/mavlink_rates.h"

/* Frames whose answer may still come. */
#define PX4_SENT_MAX 64
/* Asked by PX4, answered with the next frame. */
#define PX4_SYNCS_MAX 4
#define PX4_TEXT_MAX  128
#define PX4_RATES     7
#define PX4_PARAMS    33 /* that it is asked for, beside four of each rotor */

/* MAV_CMD, common.xml. */
enum px4_command {
        PX4_NO_COMMAND = 0,
        PX4_NAV_LAND = 21,
        PX4_NAV_TAKEOFF = 22,
        PX4_DO_REPOSITION = 192,
        PX4_MISSION_START = 300,
        PX4_ARM_DISARM = 400,
        PX4_REQUEST_MESSAGE = 512
};

/* What PX4 said about itself, or what of it is acted upon. */
struct px4_status {
        bool can_arm;
        bool failsafe;
        bool in_air; /* by its own land detector */
        uint8_t main_mode, sub_mode; /* of HEARTBEAT.custom_mode */
        uint32_t repositions; /* that it accepted */
        bool has_home;
        struct mavlink_home_position
                home; /* where it stood when it armed, as it believes */
        struct fc_estimate estimate;
        uint32_t estimates; /* positions that came with an attitude before them */
};

struct px4_pilot {
        bool has_input;
        struct pilot_input input;
        bool reposition_due; /* the set-point changed, or the take-off is over */
        uint32_t repositions; /* accepted when the last one was sent */
        enum px4_command asked; /* the last one */
        int64_t ask_again_ns;
        enum flight_mode wish; /* under which */
        bool was_armed, was_there; /* it has been armed, and has done as was asked */
        bool own_way; /* and does not any more: a fail-safe of its own, not to be argued with */
};

/* Words of more than one STATUSTEXT. */
struct px4_words {
        uint16_t id;
        uint8_t chunks;
        size_t len;
        char text[PX4_TEXT_MAX];
};

struct px4_param {
        bool known;
        int asked; /* how often */
        double value;
};

struct codec_px4 {
        struct codec codec; /* first: a struct codec * points here */
        struct codec_setup setup;
        bool board; /* dialect; else the simulator's two links */
        bool shipped; /* dialect: a board that is not in HIL mode, and knows of no simulation */
        bool fast; /* dialect: does not wait for what PX4 does beside its answers */
        int frame_every;

        /* Senders and receivers, by channel */
        struct mavlink_sender sender[2];
        struct mavlink_stream stream[2];
        bool sequence_known[2];
        uint8_t sequence[2]; /* of the last frame from the autopilot */
        uint64_t unread[2]; /* unknown and damaged frames up to then */

        /* The conversation; forgotten by codec_px4_start_over() */
        bool ready;
        bool wrong_mode; /* a board that is set up for HIL, or is not, and should not, or should */
        uint8_t autopilot; /* MAV_AUTOPILOT of one that is not PX4; 0: none heard */
        bool ground_heard;
        bool named;
        uint64_t capabilities; /* with its name */
        struct mavlink_mission mission; /* of setup.mission; without a plan: not begun */
        uint8_t system; /* of the autopilot */
        uint64_t boot_ms; /* its newest clock reading */
        struct px4_status heard, known;
        /* In lockstep: what goes to telemetry when PX4 has come to rest after the newest frame. */
        struct packet later;
        bool pausing; /* at the newest frame there was some */
        int64_t frame_host_ns, answer_host_ns; /* when it was made and answered */
        char refusal[PX4_TEXT_MAX];
        char wrong
                [256]; /* a setting with which it does not fly here, and what to type; "": none */
        struct mavlink_rates rates;
        int rate_asked; /* the next of them */
        bool odd_outputs; /* as shipped: what it reports of them is no pulses, and it has not said what */
        int asking; /* the next of the parameters below that it is asked for */
        struct px4_param param[PX4_PARAMS + 4 * ROTORS_MAX];
        struct chips chips;
        int chip_asked[2 * CHIPS_MAX]; /* how often, for each parameter of a chip */
        struct px4_words words;
        uint32_t estimates_told;

        bool frame_sent;
        uint64_t sent_us[PX4_SENT_MAX];
        uint32_t sent_number[PX4_SENT_MAX];
        uint32_t sent; /* how many, ever; modulo PX4_SENT_MAX where the next one goes */
        uint64_t first_us; /* of the first frame: PX4's clock begins there */
        bool answer_due; /* the newest frame had what PX4's control loop runs on */
        bool armed, answered; /* ever */
        uint64_t answered_us; /* the newest answer's time */
        struct mavlink_hil_sensor newest;

        /* Frame time of what is due by itself */
        int64_t heartbeat_ns, status_ns, sticks_ns, name_ns, mission_ns;
        int64_t hello_ns; /* host time of the last heartbeat while greeting */
        bool hello_sent;

        int64_t sync_ns; /* host time of the rig's own TIMESYNC */
        bool sync_open;
        int syncs;
        int64_t sync_asked[PX4_SYNCS_MAX]; /* ts1 of PX4's, to be returned */

        struct px4_pilot pilot;
};

static inline struct codec_px4 *codec_px4_self(struct codec *c)
{
        return (struct codec_px4 *)c;
}

/* The channel that commands and telemetry take. */
static inline int codec_px4_ground(const struct codec_px4 *p)
{
        return p->board ? 0 : 1;
}

/* It is not as the vehicle needs it, or did not take the mission. */
static inline bool codec_px4_refused(const struct codec_px4 *p)
{
        return p->wrong[0] != '\0' || p->mission.progress.transfer == MISSION_FAILED;
}
static inline bool codec_px4_can_arm(const struct codec_px4 *p)
{
        return p->known.can_arm &&
               (p->setup.mission == NULL || p->mission.progress.transfer == MISSION_HELD);
}

/* Back to greeting; the pilot's input is kept. */
void codec_px4_start_over(struct codec_px4 *p);

/* Samples as messages (frame.c). */
void codec_px4_hil_sensor(struct mavlink_hil_sensor *m, uint64_t time_us,
                          const struct sensor_frame *frame);
void codec_px4_hil_gps(struct mavlink_hil_gps *m, const struct codec_origin *origin,
                       const struct gps_sample *gps);
void codec_px4_hil_flow(struct mavlink_hil_optical_flow *m, uint64_t time_us,
                        const struct sensor_frame *frame);
void codec_px4_distance(struct mavlink_distance_sensor *m, uint64_t time_us,
                        const struct sonar_sample *sonar);
void codec_px4_sticks(struct mavlink_manual_control *m,
                      const uint16_t rc_us[RC_CHANNELS_MAX]);

/* A message at the packet's end; there is room for what one call says. */
void codec_px4_put(struct codec_px4 *p, struct packet *packet, uint32_t id,
                   const void *values);
void codec_px4_command(struct codec_px4 *p, struct packet *packet,
                       enum px4_command command, float param1, float param2);

/* What it does, as far as it is known. */
enum flight_mode codec_px4_mode(const struct codec_px4 *p);
/* What the pilot wants at this frame, if it is time to ask for it. */
void codec_px4_fly(struct codec_px4 *p, int64_t now_ns, struct packet *packet);

/* Its parameters (settings.c): some that are not known yet are asked for; one is heard; and the pilot moves
 * sticks, which it must listen to. */
void codec_px4_ask_params(struct codec_px4 *p, struct packet *packet);
uint32_t codec_px4_take_param(struct codec_px4 *p, const struct mavlink_param_value *m,
                              struct fc_report *report); /* what is fresh */
void codec_px4_judge_sticks(struct codec_px4 *p);
/* Between which numbers its outputs go, in what it reports of them as shipped: pulses, from 1000, if it has not said
 * anything else. False: it may yet say it. */
bool codec_px4_output_range(const struct codec_px4 *p, double *least, double *most);

/* What it is asked to send, where it is as shipped. */
extern const struct mavlink_rate codec_px4_rates[PX4_RATES];
_Static_assert(PX4_RATES <= MAVLINK_RATES_MAX, "each can be asked for");

/* Out: functions of struct codec_ops. */
void codec_px4_poll(struct codec *c, int64_t t_ns, struct packets *out);
void codec_px4_encode(struct codec *c, uint32_t number, int64_t t_ns,
                      const struct sensor_frame *frame, const struct pilot_input *input,
                      struct packets *out);
void codec_px4_goodbye(struct codec *c, struct packets *out);

/* In: a function of struct codec_ops. */
size_t codec_px4_decode(struct codec *c, int channel, int64_t t_ns, const uint8_t *bytes,
                        size_t len, struct fc_report *report);

/* Where it believes to be (state.c): each returns the news that it put into the report. A clock counts from its start; one
 * that goes back is a restart, after which it is greeted anew. */
uint32_t codec_px4_take_clock(struct codec_px4 *p, uint64_t boot_ms,
                              struct fc_report *report);
uint32_t codec_px4_take_attitude(struct codec_px4 *p,
                                 const struct mavlink_attitude_quaternion *m,
                                 struct fc_report *report);
uint32_t codec_px4_take_position(struct codec_px4 *p,
                                 const struct mavlink_local_position_ned *m,
                                 struct fc_report *report);
void codec_px4_take_home(struct codec_px4 *p, const struct mavlink_home_position *m);
void codec_px4_take_landed(struct codec_px4 *p,
                           const struct mavlink_extended_sys_state *m);
/* What is known of where it believes to be, if there is news of it. */
uint32_t codec_px4_tell_estimate(struct codec_px4 *p, const struct px4_status *known,
                                 struct fc_report *report);

/* What PX4 says in words (words.c): each returns the news that it put into the report. */
uint32_t codec_px4_take_ack(struct codec_px4 *p, const struct mavlink_command_ack *m,
                            struct fc_report *report);
uint32_t codec_px4_take_words(struct codec_px4 *p, const struct mavlink_statustext *m,
                              struct fc_report *report);
uint32_t codec_px4_take_version(struct codec_px4 *p,
                                const struct mavlink_autopilot_version *m,
                                struct fc_report *report);

/* From outside the conversation: of struct codec_ops, too. */
extern const char *const codec_px4_frame_names[];
size_t codec_px4_frame_find(const uint8_t *bytes, size_t len, struct codec_frame *frame);
