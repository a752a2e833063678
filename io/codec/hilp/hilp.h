/* HILP messages: fixed layouts, little-endian, integers only. A quantity on the wire is a
 * count of a unit, and the hello says how large each unit is, in nano (1e-9) SI, so that
 * what a sensor quantised arrives exactly as it was. See docs/protocol.md. */
#pragma once

#include "io/codec/hilp/hilp_frame.h"

#define HILP_VERSION_MIN 2
#define HILP_VERSION_MAX 4

#define HILP_ROTORS_MAX 8
#define HILP_SONARS_MAX 16
#define HILP_RC_MAX     16
#define HILP_NAME_MAX   32 /* bytes on the wire, zero padded */
#define HILP_TEXT_MAX   100
#define HILP_OPTION_MAX 20 /* characters of a key and of a value */
#define HILP_PEER_MAX   222 /* bytes of a board's own, by radio */
#define HILP_PEER_ALL   0xFFFF /* whoever hears it */

/* Latest time on the wire: 2^53 - 1 us, so that it fits a double and, in ns, an int64_t.
 */
#define HILP_TIME_MAX_US 9007199254740991ULL
/* A count that stands for no number. Counts saturate at plus and minus INT32_MAX,
 * INT16_MAX. */
#define HILP_INVALID_I32 INT32_MIN
#define HILP_INVALID_I16 INT16_MIN

enum hilp_type {
        HILP_HELLO = 1, /* rig -> board, until answered */
        HILP_HELLO_ACK = 2, /* board -> rig */
        HILP_SENSORS_V2 = 3, /* rig -> board: what version 2 has for HILP_SENSORS */
        HILP_MOTORS = 4, /* board -> rig, one for each HILP_SENSORS */
        HILP_INPUT = 5, /* rig -> board: RC and set-point */
        HILP_TIME_SYNC = 6, /* both ways */
        HILP_STATE = 7, /* board -> rig: its estimate, for the log */
        HILP_TEXT = 8, /* board -> rig: words for the user */
        HILP_GOODBYE = 9, /* rig -> board: disarm, the run is over */
        HILP_PARTS = 10, /* rig -> board, before the first HILP_SENSORS: what is fitted */
        HILP_SONARS = 11, /* rig -> board, before the HILP_SENSORS of the same frame */
        HILP_REAL_RANGES = 12, /* board -> rig: what its own sonars measured */
        HILP_OPTION = 13, /* rig -> board: a setting of the board's own */
        HILP_OPTION_ACK = 14, /* board -> rig, one for each HILP_OPTION */
        HILP_SENSORS = 15, /* rig -> board; hilp_sensors_type() */
        HILP_RADIO = 16, /* rig -> board, before the first HILP_SENSORS: its radio */
        HILP_PEER_SEND = 17, /* board -> rig: to other boards, by radio */
        HILP_PEER = 18 /* rig -> board: from another board */
};
#define HILP_TYPE_MAX HILP_PEER

/* Bits of sensors, in SENSORS, in the order in which their blocks stand; the first eight in HELLO_ACK,
 * too. The sonars have no block but a message of their own. */
enum hilp_sensor {
        HILP_IMU = 1 << 0,
        HILP_GPS = 1 << 1,
        HILP_BARO = 1 << 2,
        HILP_MAG = 1 << 3,
        HILP_SONAR = 1 << 4,
        HILP_FLOW = 1 << 5,
        HILP_POWER = 1 << 6,
        HILP_INS = 1 << 7,
        HILP_RELATIVE = 1 << 8
};
#define HILP_SENSOR_COUNT    9
#define HILP_SENSOR_COUNT_V3 8 /* that versions 2 and 3 know */
#define HILP_FRESH_BITS      16 /* in SENSORS; 8 in SENSORS_V2 */
/* Whose periods HELLO tells, and always told; those of the others are in PARTS. */
#define HILP_HELLO_SENSORS 5

/* Units, in nano SI a count. */
struct hilp_units {
        uint32_t accel; /* nm/s^2 */
        uint32_t gyro; /* nrad/s */
        uint32_t pressure; /* nPa; at most 4.29 Pa */
        uint32_t mag; /* nT: 1 is a nanotesla */
        uint32_t range; /* nm */
};

#define HILP_FLAG_LOCKSTEP 0x01 /* time stands still until the board answers */

struct hilp_hello {
        uint8_t version_min, version_max;
        uint8_t flags;
        uint8_t rotors; /* of the vehicle; 0: a station, which has none */
        uint32_t frame_period_us;
        uint32_t sensor_period_us[HILP_HELLO_SENSORS]; /* 0: not fitted */
        struct hilp_units units;
        char name[HILP_NAME_MAX + 1];
};

/* A BMP085's or BMP180's calibration, by its data sheet's names; all zero: none. */
#define HILP_BARO_OVERSAMPLING_MAX 3
struct hilp_baro_words {
        int16_t ac1, ac2, ac3;
        uint16_t ac4, ac5, ac6;
        int16_t b1, b2, mb, mc, md;
};

/* What is fitted to the vehicle, as far as HELLO does not say. */
struct hilp_parts {
        uint8_t sonars;
        uint8_t baro_oversampling; /* of raw_pressure */
        uint32_t flow_period_us, power_period_us, ins_period_us; /* 0: not fitted */
        struct hilp_baro_words baro;
};

struct hilp_hello_ack {
        uint8_t version; /* the one it will speak; 0: none of those offered */
        uint8_t frame_every; /* wants every n-th frame; 0: say hello first (it has
                                restarted) */
        uint8_t rotors; /* motor outputs it has */
        uint8_t sensors_used; /* enum hilp_sensor bits, of the first eight */
        uint32_t unique; /* differs at every start of the board: a restart shows */
        char name[HILP_NAME_MAX + 1]; /* firmware and version */
};

/* Every block is sent only when its bit is in `fresh`. Times of samples are how long before time_us the
 * quantity was measured. HILP_SENSORS_V2 is the same with a shorter `fresh`. */
struct hilp_sensors {
        uint32_t number; /* counts sensor frames upward */
        uint64_t time_us; /* simulated time */
        uint16_t fresh; /* enum hilp_sensor bits */
        struct {
                uint16_t age_us;
                int32_t accel[3], gyro[3]; /* counts */
        } imu;
        struct {
                uint32_t age_us;
                int32_t lat_1e7deg, lon_1e7deg, height_mm;
                int32_t vel_ned_mmps[3];
                uint16_t h_acc_cm, v_acc_cm, s_acc_cmps;
                uint8_t fix, satellites;
        } gps;
        struct {
                uint32_t age_us;
                int32_t pressure; /* counts */
                int16_t temperature_cdegc;
                int32_t raw_temperature, raw_pressure; /* the part's registers; 0: none */
        } baro;
        struct {
                uint32_t age_us;
                int32_t field[3]; /* counts */
        } mag;
        struct {
                uint32_t age_us, interval_us;
                int32_t flow_10nrad[2], gyro_10nrad[2]; /* about body x and y */
                uint8_t quality;
        } flow;
        struct {
                uint32_t age_us;
                int32_t voltage_uv, current_ua, charge_used_mc;
        } power;
        struct {
                uint32_t age_us;
                int32_t pos_ned_mm[3], euler_urad[3];
        } ins;
        struct {
                uint32_t age_us;
                uint16_t peer; /* address by radio; HILP_PEER_ALL: nobody is near */
                int32_t range_mm, azimuth_urad, elevation_urad; /* or invalid */
        } relative;
};

/* What is new of the sonars, in one frame. */
struct hilp_sonars {
        uint32_t number; /* of the sensor frame that follows */
        uint64_t time_us; /* its simulated time, from which ages count */
        uint8_t count;
        struct hilp_sonar {
                uint8_t index; /* upward; below HILP_SONARS_MAX */
                uint32_t age_us;
                int32_t range; /* counts */
                uint8_t echo;
        } sonar[HILP_SONARS_MAX];
};

enum hilp_motor_flags { HILP_ARMED = 1 << 0, HILP_FAILSAFE = 1 << 1 };

struct hilp_motors {
        uint32_t answers; /* number of the sensor frame that was the newest in it */
        uint8_t flags;
        uint8_t mode; /* HILP_MODE_... */
        uint8_t count;
        uint16_t duty[HILP_ROTORS_MAX]; /* 0 stop, 65535 full */
};

enum hilp_mode {
        HILP_MODE_DISARMED = 0,
        HILP_MODE_ARMED = 1,
        HILP_MODE_GOTO = 2,
        HILP_MODE_LAND = 3
};

struct hilp_input {
        uint8_t mode; /* enum hilp_mode */
        int32_t pos_ned_mm[3];
        int16_t yaw_mrad;
        uint8_t channels;
        uint16_t rc_us[HILP_RC_MAX];
};

/* The rig sends id and its transmit time; the board returns both with its own receive and
 * transmit times: delay = (t4 - t1) - (t3 - t2), as in NTP. */
struct hilp_time_sync {
        uint16_t id;
        uint8_t reply;
        uint64_t rig_transmit_us, board_receive_us, board_transmit_us;
};

struct hilp_state {
        int16_t q_1e4[4]; /* body to NED, w x y z, times 10,000 */
        int32_t pos_ned_mm[3];
        int16_t vel_ned_cmps[3];
};

/* What a board's own sonars see, for obstacles of the room around it to appear in the world.
 * Each message replaces the one before: a sonar that it does not name sees nothing. */
struct hilp_real_ranges {
        uint8_t count;
        struct hilp_real_range {
                uint8_t index; /* upward; below HILP_SONARS_MAX */
                int32_t range_mm; /* not negative, or invalid: nothing seen */
        } range[HILP_SONARS_MAX];
};

/* A setting of the board's own, by name: printable ASCII, the key not empty. An empty value stands
 * for what the board does when nobody sets it. */
struct hilp_option {
        char key[HILP_OPTION_MAX + 1], value[HILP_OPTION_MAX + 1];
};

struct hilp_option_ack {
        char key[HILP_OPTION_MAX + 1];
        uint8_t accepted; /* 1: it is set; 0: no such key, or no such value of it */
};

struct hilp_text {
        uint8_t severity; /* 0 information, 1 warning, 2 error */
        char text[HILP_TEXT_MAX + 1];
};

/* The board's radio, where it has one. */
struct hilp_radio {
        uint16_t address; /* its own */
        uint16_t radios; /* addresses in use: 0 to radios - 1 */
        uint8_t bytes_max; /* of a packet */
};

/* To others, before the motors that answer the frame in which it was decided; and from another. */
struct hilp_peer {
        uint16_t peer; /* to whom, HILP_PEER_ALL: to whoever hears it; or from whom */
        int16_t power_dbm; /* as heard; in HILP_PEER_SEND 0 */
        uint8_t len;
        uint8_t bytes[HILP_PEER_MAX];
};

/* One decoded message. */
struct hilp_message {
        uint8_t type; /* enum hilp_type */
        uint8_t sequence; /* counts messages of one direction, modulo 256 */
        union {
                struct hilp_hello hello;
                struct hilp_hello_ack hello_ack;
                struct hilp_sensors sensors;
                struct hilp_motors motors;
                struct hilp_input input;
                struct hilp_time_sync time_sync;
                struct hilp_state state;
                struct hilp_text text;
                struct hilp_parts parts;
                struct hilp_sonars sonars;
                struct hilp_real_ranges real_ranges;
                struct hilp_option option;
                struct hilp_option_ack option_ack;
                struct hilp_radio radio;
                struct hilp_peer peer; /* of both types */
        } u;
};

/* Payload <-> message. encode returns the payload's length (at most HILP_PAYLOAD_MAX), 0
 * for a message that cannot be (unknown type, count out of range). decode returns 1, or 0
 * for a payload of unknown type, wrong length or impossible content; longer payloads of a
 * known type are not accepted (a later version announces itself in the hello). */
size_t hilp_encode(const struct hilp_message *m, uint8_t *payload);
int hilp_decode(struct hilp_message *m, const uint8_t *payload, size_t len);

/* How a version says SENSORS, and how many sensors it knows. */
enum hilp_type hilp_sensors_type(int version);
int hilp_sensor_count(int version);

/* What one direction's sequence numbers tell. Zeroed to begin with, and again at a hello.
 */
struct hilp_sequence {
        uint8_t known; /* something was received */
        uint8_t newest;
        uint16_t crc; /* of the newest payload */
        uint32_t lost; /* messages missing so far */
};

/* Takes note of a payload that decoded. Returns 0 for a repetition of the newest one,
 * which the receiver drops, else 1. A message up to 16 behind the newest is late: it was
 * counted as lost. */
int hilp_sequence_take(struct hilp_sequence *s, const uint8_t *payload, size_t len);

/* Payload and frame in one step; out holds HILP_FRAME_MAX bytes. 0: not encodable. */
size_t hilp_write(const struct hilp_message *m, uint8_t *out);
