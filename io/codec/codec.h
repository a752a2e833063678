/* A codec speaks one firmware family's protocol: sensor frames and pilot input to bytes, bytes to
 * motor commands and what else the flight controller (FC) says. Pure functions on its own state and
 * on buffers: no clock, no link, no allocation after codec_create(). Time is an argument. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/codec/mission.h"
#include "models/signals.h"

/* What goes to the link in one write: a datagram on packet links. Most codecs have one channel;
 * a firmware with a port for each kind of message has more, and each is a link of its own. */
#define PACKET_MAX         548 /* in a datagram of 576 bytes, which every IPv4 host takes */
#define CODEC_PACKETS_MAX  8
#define CODEC_CHANNELS_MAX 6
#define CODEC_OPTIONS_MAX  32 /* different keys, of one FC */
#define CODEC_OPTION_MAX   20 /* characters of a key and of a value */
#define CODEC_SETTINGS_MAX 128 /* of one FC */
#define CODEC_SETTING_MAX  40 /* characters of a name and of a value */

struct packet {
        uint8_t channel;
        uint16_t len;
        uint8_t bytes[PACKET_MAX];
};

/* The codec's outbox for one call. */
struct packets {
        int count;
        struct packet packet[CODEC_PACKETS_MAX];
};

/* Where the world's origin lies on WGS-84, for firmware that wants its position in degrees. */
struct codec_origin {
        double lat_rad, lon_rad;
        double height_m; /* above the ellipsoid; the origin's sea level is the ellipsoid */
        /* There: metres to the north in a radian of latitude, to the east in one of longitude. */
        double north_m_per_rad, east_m_per_rad;
        int64_t utc_ns; /* at tick 0, since 1970 */
};

/* What the rig tells the codec once, from the configuration. */
struct codec_setup {
        const char *dialect; /* one of the codec's; NULL or "": its first */
        bool lockstep;
        int64_t period_ns; /* of the rig's loop */
        struct codec_origin origin;
        struct vec3
                start_ned_m; /* where the vehicle stands at first: set-points count from there */
        /* 0: not fitted; [SENSOR_SONAR] the shortest of any sonar */
        int64_t sensor_period_ns[SENSOR_COUNT];
        double sensor_lsb
                [SENSOR_COUNT]; /* SI; [SENSOR_IMU] the accelerometer's; 0: of none */
        double gyro_lsb_radps;
        int sonars; /* 0 to SONARS_MAX */
        /* So that a board can run its driver's arithmetic on the raw words; all zero: another part. */
        struct bmp180_params bmp180;
        int rotors;
        uint8_t motor_order
                [ROTORS_MAX]; /* motor_order[i]: the FC's output that drives rotor i */
        struct vec3 rotor_pos_body_m[ROTORS_MAX]; /* all zero: not known */
        double rotor_spin
                [ROTORS_MAX]; /* +1: about +z, clockwise from above; -1; 0: not known */
        /* Its radio; radios 0: it has none. */
        int radio_address, radios, radio_bytes_max;
        /* For the firmware to hold and to fly; outlives the codec. NULL: none. Goes with mission below. */
        const struct mission_plan *mission;
        bool receiver; /* the sticks reach a receiver at a port of the FC's own */
        uint32_t
                external; /* SENSOR_BIT(...) of IMU, barometer and compass: such devices are at its ports */
};

/* What the FC said since the caller last cleared `fresh`. */
enum fc_news {
        FC_MOTORS = 1 << 0,
        FC_HELLO = 1 << 1,
        FC_STATE = 1 << 2,
        FC_TEXT = 1 << 3,
        FC_TIME_SYNC = 1 << 4,
        FC_RANGES = 1 << 5,
        FC_OPTION = 1 << 6, /* acknowledged, or refused */
        FC_ARMING =
                1
                << 7, /* it has said whether it is armed; with FC_MOTORS: in the same message */
        FC_PEER = 1 << 8 /* a packet for other boards */
};

/* How serious its words are: in the numbers of syslog, MAVLink and ULog. */
enum fc_severity {
        FC_SAYS_EMERGENCY,
        FC_SAYS_ALERT,
        FC_SAYS_CRITICAL,
        FC_SAYS_ERROR,
        FC_SAYS_WARNING,
        FC_SAYS_NOTICE,
        FC_SAYS_INFO,
        FC_SAYS_DEBUG
};

/* Of a number off the wire. */
static inline enum fc_severity fc_severity_of(uint8_t number)
{
        return number <= FC_SAYS_DEBUG ? (enum fc_severity)number : FC_SAYS_INFO;
}
/* "emergency". */
const char *fc_severity_name(enum fc_severity severity);

struct fc_report {
        uint32_t fresh; /* enum fc_news */

        struct motor_command motors; /* in the order of the vehicle's rotors */
        bool answers_frame; /* the motors answer a particular sensor frame: */
        uint32_t answered_frame; /* its number, as encode_sensors() was given it */

        bool armed;
        bool can_arm; /* it says so, or would say otherwise */
        bool failsafe;
        bool refused; /* it will not go on like this, or must not fly so: complaint() says why */
        bool flown; /* by what it said when it was first heard, it has flown since its start */
        bool option_refused; /* it knows no such key, or no such value: */
        char option_key[CODEC_OPTION_MAX + 1], option_value[CODEC_OPTION_MAX + 1];
        enum flight_mode mode;
        struct fc_estimate estimate;
        char name[64]; /* firmware, version, board, as the FC gave them */
        char text[128]; /* its last message in words */
        enum fc_severity severity; /* of these words; decode() finds FC_SAYS_INFO here */

        /* What real sonars on the bench measured, in the order of the virtual ones; INFINITY:
         * nothing, and the caller begins with that. */
        double real_range_m[SONARS_MAX];

        struct peer_packet peer; /* that it sends by radio */

        /* Time sync: what the exchange measured, host clock (ns). */
        int64_t sync_round_trip_ns; /* without the time the FC held it */
        int64_t sync_offset_ns; /* FC clock minus host clock */
};

/* Counted for ever; the caller takes differences. */
struct codec_counts {
        uint64_t frames_encoded;
        uint64_t frames_decoded;
        uint64_t crc_errors; /* wrong checksum or framing */
        uint64_t malformed; /* right checksum, impossible content; unknown message */
        uint64_t
                lost; /* gaps in the FC's sequence numbers that nothing has filled later */
        uint64_t
                jumps; /* gaps that are seldom a loss, and no number in `lost` if they cannot be one */
        uint64_t repeated; /* came twice: a message, or the answer to a frame */
        uint64_t
                astray; /* motors for a frame that was never sent, or is older than one that is answered */
        uint64_t bytes_skipped;
};

#define CODEC_JUMP_LEAST 64
#define CODEC_LOST_MOST  255

static inline void codec_count_gap(struct codec_counts *c, uint32_t gap)
{
        c->jumps += gap > CODEC_JUMP_LEAST;
        c->lost += gap > CODEC_LOST_MOST ? 0 : gap;
}

struct codec;

/* One frame on the wire, seen from outside the conversation: by what is put between the two ends. */
struct codec_frame {
        int type; /* index in frame_names; -1: bytes that are no frame */
        bool asks; /* a sensor frame: the FC answers it with motors */
        bool answers; /* motors */
        uint32_t number; /* of the sensor frame, with asks and answers */
        bool unpaced; /* comes when it likes (hello, words), not at a tick of simulated time */
};

#define CODEC_FRAME_TYPES_MAX 32

/* A channel is a link of its own. */
struct codec_channel {
        const char *name; /* "sensors", "console" */
        /* May be left out of the rig file, be full, or break, and the run goes on without it. Such
         * channels come last. */
        bool optional;
        const char *without; /* what is then missing, in words */
        /* It is asked from the first moment on and answers at once: one that has not by the time of the
         * first sensor frame is silent. */
        bool answers_at_once;
        /* Dialects that cannot be flown while it is named and silent, NULL at the end. NULL: none. */
        const char *const *needed_by;
};

/* What the samples measure, as far as a protocol can have it or not. */
enum codec_sample {
        SAMPLE_ACCEL,
        SAMPLE_GYRO,
        SAMPLE_GPS,
        SAMPLE_BARO,
        SAMPLE_MAG,
        SAMPLE_SONAR,
        SAMPLE_FLOW,
        SAMPLE_VOLTAGE,
        SAMPLE_CURRENT,
        SAMPLE_INS,
        SAMPLE_RELATIVE,
        CODEC_SAMPLES
};

/* What of one reaches the firmware; 0: nothing. */
enum codec_carry {
        CARRIES_VALUE = 1 << 0,
        CARRIES_NAN = 1 << 1, /* and that it is not a number */
        CARRIES_FIX = 1 << 2, /* of the GPS: whether there is one */
        CARRIES_TIME = 1 << 3, /* of the GPS: when it measured */
        CARRIES_DIRECTION = 1 << 4 /* the value is the vector's direction alone */
};

struct codec_carries {
        uint8_t of[CODEC_SAMPLES]; /* enum codec_carry */
        int sonars; /* so many of them */
        int rc; /* channels of the sticks, the first ones */
};

#define CODEC_DIALECTS_MAX 4

/* How much host time lockstep gives the FC for one frame. */
struct codec_patience {
        int64_t least_ns; /* the next one goes out no sooner */
        int64_t most_ns; /* then it goes out without an answer; INT64_MAX: never */
};

struct codec_ops {
        const char *name; /* as in a rig file: "hilp" */
        int channels;
        const struct codec_channel *channel; /* [channels] */
        /* Variants of the protocol that the rig file chooses from; NULL at the end. NULL: one. */
        const char *const *dialects;
        /* Those of them whose firmware cannot wait for the rig, NULL at the end. NULL: none. */
        const char *const *realtime_dialects;
        /* Those of firmware as shipped, which knows of no simulation, NULL at the end; NULL: none. Its one link is its
         * MAVLink: sensors reach it through devices at its ports, without which it may not say a word, and motors drive the
         * vehicle that pads or a bus show. Those that it reports come now and then, to be compared. */
        const char *const *shipped_dialects;
        /* What its frames have fields for, by dialect; NULL: as the dialect before. Faults of anything else are
         * refused, and a test holds it against what encode() writes. */
        const struct codec_carries *carries[CODEC_DIALECTS_MAX];
        /* The firmware cannot wait for the rig: only pace realtime makes sense. */
        bool realtime_only;
        /* Its greeting disarms it: one that is armed was not so before the run. */
        bool hello_disarms;
        /* As a process: what it keeps of one flight changes the next, so each needs a new one. */
        bool new_each_flight;
        int64_t period_max_ns; /* of the rig's loop that the firmware flies with; 0: any */
        /* What the user must see to for the same bits in lockstep, line by line; NULL: nothing. */
        const char *const *repeats_when;
        /* What its frames are called, at most CODEC_FRAME_TYPES_MAX, NULL at the end. */
        const char *const *frame_names;
        /* The length of the first whole frame, or of bytes up to where the next may begin; 0: it
         * is not whole yet. Depends on these bytes alone: of a frame that a receiver would take it
         * says so if the receiver was between two frames before. */
        size_t (*frame_find)(const uint8_t *bytes, size_t len, struct codec_frame *frame);

        /* The number of ticks from one sensor frame to the next that the FC can take, 1 or more;
         * 0 while the FC has not answered or is not ready for sensor frames. */
        int (*frame_every)(const struct codec *c);
        /* Bytes that are due by themselves: hello, time sync, polls. Called every tick, and while
         * waiting for the FC. t_ns is host time. */
        void (*poll)(struct codec *c, int64_t t_ns, struct packets *out);
        /* One tick's sensor frame at t_ns (host time), numbered by the caller from 0 up. input:
         * NULL when unchanged. No packet on a channel that a frame waits for: the FC has not asked
         * for one yet, and the number is not used. */
        void (*encode)(struct codec *c, uint32_t number, int64_t t_ns,
                       const struct sensor_frame *frame, const struct pilot_input *input,
                       struct packets *out);
        /* NULL: every frame is answered, and may take as long as it likes. */
        struct codec_patience (*patience)(const struct codec *c);
        /* Bytes from a channel, received at t_ns (host time). May be any bytes at all. Consumes up
         * to and including the first message that changes the report and returns how many; the
         * caller takes the news and calls again with the rest. */
        size_t (*decode)(struct codec *c, int channel, int64_t t_ns, const uint8_t *bytes,
                         size_t len, struct fc_report *report);
        /* Sets one of the FC's own settings, from the next frame on; before the first frame, and
         * after restart(), frame_every() stays 0 until the FC has answered or been asked a few
         * times. An empty value: what the FC does when nobody sets it. Printable ASCII, the key not
         * empty. Said again until it is acknowledged. False: no room for another key. NULL: this
         * protocol has no options. */
        bool (*option)(struct codec *c, const char *key, const char *value);
        /* The key of an option that was said more than once and never acknowledged; NULL: none.
         * Goes with option. */
        const char *(*option_unheard)(const struct codec *c);
        /* What became of the setup's mission, which is sent as soon as the FC can be spoken to, and again when it has
         * started anew; until it is held the FC says that it cannot be armed, and one that refuses it is
         * refused. NULL: this protocol takes none. */
        const struct mission_progress *(*mission)(const struct codec *c);
        /* Packets that its radio has heard, in their order: as many of them as fit. Returns how many. NULL: this protocol
         * does not carry them. */
        int (*hear_peers)(struct codec *c, const struct peer_packet *packet, int count,
                          struct packets *out);
        /* The run is over: disarm and stop, in the form that works in the air. From now on encode() is given
         * frames with MODE_DISARMED and low sticks, for a firmware that listens only while its sensors go
         * on. Called again every some ms until it has said that it is disarmed, and once more then. */
        void (*goodbye)(struct codec *c, struct packets *out);
        /* The link was lost and opened again: start over with hello; counts stay. */
        void (*restart)(struct codec *c);
        /* Why no frame can be sent or no motor turns, in words; "" when there is nothing to say. */
        const char *(*complaint)(const struct codec *c);
        void (*destroy)(struct codec *c);
};

/* One of the FC's own settings, as it said itself. */
struct codec_setting {
        char name[CODEC_SETTING_MAX + 1], value[CODEC_SETTING_MAX + 1];
};

struct codec {
        const struct codec_ops *ops;
        struct codec_counts counts;
        int settings;
        struct codec_setting setting
                [CODEC_SETTINGS_MAX]; /* in the order in which it first said them */
};

/* For a codec's decode: the FC said that this setting of its own has this value, when it was asked or by itself. The last
 * value holds; what there is no room for is dropped. */
void codec_setting_heard(struct codec *c, const char *name, const char *value);
/* For a codec's decode: what a board says and users are shown, up to a NUL, cut to `cap`: '?' where it is not printable ASCII.
 * `from` may be `to`. */
void codec_copy_words(char *to, size_t cap, const void *from, size_t len);

/* Every codec the rig knows, by name; NULL when there is none of that name or no memory. */
struct codec *codec_create(const char *name, const struct codec_setup *setup);
/* The names, NULL at the end. */
const char *const *codec_names(void);
/* NULL: no such codec. */
const struct codec_ops *codec_find(const char *name);
/* In such a list of dialects, which may be NULL. */
bool codec_lists(const char *const *dialects, const char *dialect);
/* "": its first dialect, which is for a simulation. */
bool codec_is_shipped(const struct codec_ops *ops, const char *dialect);
/* dialect: one of its own, "" its first. */
const struct codec_carries *codec_carries(const struct codec_ops *ops,
                                          const char *dialect);

/* The codecs, one file each. */
struct codec *codec_hilp_create(const struct codec_setup *setup);
extern const struct codec_ops codec_hilp_ops;
struct codec *codec_ardupilot_create(const struct codec_setup *setup);
extern const struct codec_ops codec_ardupilot_ops;
struct codec *codec_betaflight_create(const struct codec_setup *setup);
extern const struct codec_ops codec_betaflight_ops;
struct codec *codec_inav_create(const struct codec_setup *setup);
extern const struct codec_ops codec_inav_ops;
struct codec *codec_px4_create(const struct codec_setup *setup);
extern const struct codec_ops codec_px4_ops;
