/* A device emulates a part on one of the board's own ports, or shows the rig's data: a GPS
 * receiver, a rangefinder, a radio receiver, a ground station's telemetry. It is fed with the same
 * samples as the codec, faults included. Pure functions on its own state and on buffers: no clock,
 * no link, no allocation after device_create(). */
#pragma once

#include "io/codec/codec.h"
#include "io/device/mexo_drone.h"

#define DEVICE_WISH_MAX    96
#define DEVICE_REFUSED_MAX 120
#define DEVICE_TELL_MAX    200

/* What the rig tells the device once. */
struct device_setup {
        int64_t period_ns; /* of the rig's loop */
        struct codec_origin origin;
        struct vec3 start_ned_m;
        int index; /* of its sensor, if a vehicle has several (sonars) */
        double range_max_m; /* of that sonar */
        uint32_t baud; /* initial; 0: its own default */
        int vehicle; /* number of its vehicle, from 0 */
        int rotors; /* of that vehicle */
        uint8_t motor_order
                [ROTORS_MAX]; /* motor_order[i]: the output that drives rotor i */
        bool drives; /* the motors turn as it hears */
        int radio_bytes_max; /* of a packet by radio; 0: the rig has none */
        const char *vehicle_name; /* as in the rig file; outlives the device */
        double battery_c; /* charge at the start; 0: its supply is ideal */
        const struct mexo_settings *mexo; /* of a "mexo" alone; copied */
};

/* What it wants of its vehicle, as a ground station would. */
struct device_wish {
        bool flies; /* set-point, in place of what the scenario asked */
        struct setpoint setpoint; /* pos_ned_m from the world's origin */
        char what[DEVICE_WISH_MAX]; /* for the record; "": nothing to tell */
};

/* One tick, as seen by the rig. */
struct device_feed {
        int64_t t_ns; /* simulated time */
        const struct sensor_frame *frame; /* with this tick's fresh samples */
        const struct pilot_input *input; /* the newest; never NULL */
        const struct fc_report *report; /* the flight controller's report */
        const struct motor_command *command;
        const double *rotor_radps; /* of each rotor, in truth, >= 0 */
        const struct quat *
                attitude; /* as an inertial unit finds it by these samples; NULL: not yet */
        const struct peer_packet *heard; /* by the vehicle's radio in this tick */
        int heards;
};

/* Never reset. */
struct device_counts {
        uint64_t messages_out;
        uint64_t messages_in; /* understood: commands, polls */
        uint64_t
                overheard; /* valid, but not for this device: a ground station's heartbeat */
        uint64_t errors; /* wrong checksum, unknown or impossible command */
};

struct device;

struct device_ops {
        const char *name; /* as in a rig file: "ublox_m10" */
        const char *what; /* in a few words, for `hilrig check` */
        uint32_t baud; /* default; 0: it has none (a network) */
        const char
                *framing; /* of its serial line, such as "8E2"; NULL: set by the link */
        struct codec_carries carries; /* of the samples to the board */
        bool heard_first; /* the board's driver listens, and never speaks first */
        bool inverted; /* the line is inverted: low when idle */
        int imu_hz; /* of its own inertial unit, whose parts it sends; 0: it has none */
        /* Once per tick, including missed ones: what goes out now. Channel is 0. */
        void (*feed)(struct device *d, const struct device_feed *feed,
                     struct packets *out);
        /* Bytes from the board. May be any bytes at all. NULL: it ignores input. */
        void (*take)(struct device *d, const uint8_t *bytes, size_t len,
                     struct packets *out);
        /* The next packet that it sends by radio; false: there is none. NULL: it is no radio. */
        bool (*send_peer)(struct device *d, struct peer_packet *out);
        /* The next of its wishes; false: there is none. NULL: it has none ever. */
        bool (*ask)(struct device *d, struct device_wish *out);
        /* What it heard that the motors are to do; false: nothing, or nothing for too long, and they stop. NULL: it is
         * told no such thing. */
        bool (*motors)(const struct device *d, struct motor_command *out);
        /* Its link was lost. NULL: does not matter to it. */
        void (*peer_left)(struct device *d);
        /* It has said its last: the link is to be closed, which it is told as peer_left. NULL: never. */
        bool (*hangs_up)(const struct device *d);
        /* Its baud rate from now on, after the bytes that it has given out so far: a board may
         * change it. NULL: never changes. */
        uint32_t (*speed)(const struct device *d);
        /* What became of it, in words, at most DEVICE_TELL_MAX with the end. NULL: nothing to tell. */
        void (*tell)(const struct device *d, char *text, size_t cap);
        void (*destroy)(struct device *d);
};

struct device {
        const struct device_ops *ops;
        struct device_counts counts;
        char refused
                [DEVICE_REFUSED_MAX]; /* the last error, in words; "": none was named */
};

/* Keeps for the summary why a message was an error; message "": its bytes say nothing. */
void device_refuse(struct device *d, const char *why, const char *message);

/* A device by name; NULL if there is none of that name or no memory. */
struct device *device_create(const char *name, const struct device_setup *setup);
/* The operations of all devices, NULL at the end. */
const struct device_ops *const *device_all(void);

/* The devices, one file each. */
struct device *device_flightgear_create(const struct device_setup *setup);
extern const struct device_ops device_flightgear_ops;
struct device *device_telemetry_create(const struct device_setup *setup);
extern const struct device_ops device_telemetry_ops;
struct device *device_ublox_m8_create(const struct device_setup *setup);
extern const struct device_ops device_ublox_m8_ops;
struct device *device_ublox_m10_create(const struct device_setup *setup);
extern const struct device_ops device_ublox_m10_ops;
struct device *device_nmea_create(const struct device_setup *setup);
extern const struct device_ops device_nmea_ops;
struct device *device_crsf_create(const struct device_setup *setup);
extern const struct device_ops device_crsf_ops;
struct device *device_sbus_create(const struct device_setup *setup);
extern const struct device_ops device_sbus_ops;
struct device *device_ibus_create(const struct device_setup *setup);
extern const struct device_ops device_ibus_ops;
struct device *device_tfmini_create(const struct device_setup *setup);
extern const struct device_ops device_tfmini_ops;
struct device *device_maxsonar_create(const struct device_setup *setup);
extern const struct device_ops device_maxsonar_ops;
struct device *device_maxsonar_xl_create(const struct device_setup *setup);
extern const struct device_ops device_maxsonar_xl_ops;
struct device *device_radio_create(const struct device_setup *setup);
extern const struct device_ops device_radio_ops;
struct device *device_msp_sensors_create(const struct device_setup *setup);
extern const struct device_ops device_msp_sensors_ops;
struct device *device_vectornav_vn100_create(const struct device_setup *setup);
extern const struct device_ops device_vectornav_vn100_ops;
struct device *device_vectornav_vn300_create(const struct device_setup *setup);
extern const struct device_ops device_vectornav_vn300_ops;
struct device *device_inertiallabs_create(const struct device_setup *setup);
extern const struct device_ops device_inertiallabs_ops;
struct device *device_dronecan_slcan_create(const struct device_setup *setup);
extern const struct device_ops device_dronecan_slcan_ops;
struct device *device_dronecan_mcast_create(const struct device_setup *setup);
struct device *device_dronecan_socketcan_create(const struct device_setup *setup);
extern const struct device_ops device_dronecan_mcast_ops;
extern const struct device_ops device_dronecan_socketcan_ops;
struct device *device_mexo_create(const struct device_setup *setup);
extern const struct device_ops device_mexo_ops;
