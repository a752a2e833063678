/* The record of a run: the loop pushes into a ring, a thread writes it out as the run
 * folder's run.ulg and wire.cap and hashes the signal on the way. Pushing takes no lock,
 * no allocation, no file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/log/wire_capture.h"
#include "models/signals.h"

/* One vehicle's share of one tick, complete enough to replay it. */
struct tick_record {
        int64_t tick;
        int64_t t_ns; /* simulated time at the end of the period */
        int32_t vehicle;
        bool missed; /* the period was late: no frame was sent */
        bool frame_sent;
        bool contact;
        bool armed; /* as the FC reports */
        int32_t lateness_ns; /* of the wake-up; 0 in lockstep */
        int32_t compute_ns; /* from wake-up to the frame's last byte handed over */
        int32_t loop_ns; /* newest sensor-to-motor time, 0: none in this period */
        struct motor_command command; /* that drove the period */
        double rotor_speed_radps[ROTORS_MAX];
        double inflow_mps[ROTORS_MAX]; /* induced by the rotors; 0 without blades */
        struct body_state truth;
        struct vec3 wind_ned_mps; /* of the air about the vehicle */
        double battery_v, current_a; /* at the battery's terminals; 0 without one */
        double height_m; /* above the surface straight below; INFINITY: none is near */
        double impact_mps; /* as in struct vehicle */
        int obstacle; /* as in struct vehicle */
        struct sensor_frame
                frame; /* last: its end is not pushed while nothing there is new */
};

#define EVENT_TEXT_MAX 96

enum event_kind {
        EVENT_COLLISION, /* with an obstacle, or the ground */
        EVENT_MEETING, /* with another vehicle */
        EVENT_STEP, /* a step of the scenario fired */
        EVENT_ACTION_BEGINS, /* a stimulus or a fault of a step */
        EVENT_ACTION_OVER,
        EVENT_OWN_WAY, /* the flight controller left what it was asked for of its own accord */
        EVENT_BOARD_LOST, /* for good */
        EVENT_TWIN /* a twin's source fell silent, or is back */
};

/* Something that happened at one tick, for the log's words too. */
struct event_record {
        int64_t t_ns;
        int32_t vehicle;
        enum event_kind kind;
        int obstacle; /* index in the world file, -1 the ground, or the other vehicle's; -2: nothing was hit */
        int step; /* index in the resolved scenario; -1: it is none's */
        double impact_mps;
        char what
                [EVENT_TEXT_MAX]; /* the obstacle's name, or the other vehicle's; what the step does; or what the flight controller does */
};

/* What real sonars measured, as it changed: for every tick later than t_ns. */
struct ranges_record {
        int64_t t_ns;
        int32_t vehicle;
        double range_m[SONARS_MAX]; /* INFINITY: nothing */
};

/* What an FC said of itself, at most once a tick. */
struct estimate_record {
        int64_t t_ns;
        int32_t vehicle;
        struct fc_estimate estimate;
};

/* One exchange of time-sync messages, in real time. */
struct sync_record {
        int64_t t_ns;
        int32_t vehicle;
        int64_t round_trip_ns; /* on the link, without the time the FC held it */
        int64_t offset_ns; /* FC clock minus host clock */
};

/* What the motor pads showed at a tick, beside what the flight controller reported. */
struct pads_record {
        int64_t t_ns;
        int32_t vehicle;
        double measured[ROTORS_MAX], reported[ROTORS_MAX]; /* duty, by rotor */
        int32_t age_ns
                [ROTORS_MAX]; /* of the newest word, from its last edge; -1: not known */
        uint64_t words[ROTORS_MAX]; /* so far */
        bool silent[ROTORS_MAX];
};

struct setpoint_record {
        int64_t t_ns;
        int32_t vehicle;
        struct setpoint setpoint;
};

/* A word of a twin's source, in the rig's axes and time, and what it showed of the twin. */
struct twin_record {
        int64_t t_ns; /* of the tick from which on it counts */
        int32_t vehicle;
        struct twin_word word;
        int64_t delay_ns;
        double wrong_m, wrong_rad; /* of what was shown; NAN: not known */
};

/* Who watches the flight gets a copy of each event and of each text in a ring of its own. It may put other kinds there,
 * too, which begin at WATCHED_KINDS. */
enum watched_kind { WATCHED_EVENT, WATCHED_TEXT, WATCHED_KINDS };

/* Opens every record of that ring; what it is about follows, of a text with its end. */
struct watched {
        uint8_t kind;
        char level; /* of a text */
        int64_t t_ns;
};

struct ring;

struct recorder;

struct recorder_setup {
        const char *folder; /* exists already */
        const char *config_sha256, *version;
        uint64_t seed;
        int rotors; /* most rotors of any vehicle */
        int vehicles;
        int64_t period_ns;
        int64_t truth_period_ns; /* truth, attitude and sensors in the log at most so
                                  * often; commands and marks are logged every tick */
        bool wait; /* lockstep: a full ring waits for the writer instead of dropping */
        size_t ring_bytes; /* 0: 16 MiB, or 2 where it waits */
        struct ring
                *watched; /* into which the loop's thread pushes; NULL: nobody watches */
};

/* Makes run.ulg and starts the writing thread; wire.cap is made when the first bytes
 * arrive. NULL with a line in why[cap] when that cannot be. Before the loop's thread
 * takes its priority. */
struct recorder *recorder_open(const struct recorder_setup *setup, char *why, size_t cap);

/* From the loop's thread only. False: dropped and counted. vehicle is 0 to VEHICLES_MAX - 1.
 * The times of one kind of record do not go backwards. */
bool recorder_tick(struct recorder *r, const struct tick_record *tick);
bool recorder_estimate(struct recorder *r, const struct estimate_record *e);
bool recorder_setpoint(struct recorder *r, const struct setpoint_record *s);
bool recorder_pads(struct recorder *r, const struct pads_record *p);
bool recorder_sync(struct recorder *r, const struct sync_record *s);
bool recorder_event(struct recorder *r, const struct event_record *e);
bool recorder_ranges(struct recorder *r, const struct ranges_record *ranges);
bool recorder_twin(struct recorder *r, const struct twin_record *twin);
bool recorder_bytes(struct recorder *r, int64_t t_ns, enum wire_direction direction,
                    int vehicle, int channel, const void *bytes, size_t len);
/* level as in ULog: '0' emergency to '7' debug; the rig's own are '3' error, '4' warning and '6' information. */
bool recorder_text(struct recorder *r, int64_t t_ns, char level, const char *text);

/* A file could not be written (disk full): the run should end. Cheap: one atomic load. */
bool recorder_failed(const struct recorder *r);

struct record_totals {
        uint64_t drops;
        char signal_sha256[65];
        char failure[200]; /* "" or what could not be written, with the reason */
};

/* Writes out what is in the ring, closes the files, frees r. */
void recorder_close(struct recorder *r, struct record_totals *totals);
