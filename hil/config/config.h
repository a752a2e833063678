/* A rig as it is configured: everything resolved to SI units and plain structs. Degrees, g, RPM and
 * percent end here. */
#pragma once

#include "hil/mission/flight.h"
#include "hil/scenario/fc_option.h"
#include "hil/scenario/scenario.h"
#include "io/capture/capture.h"
#include "io/codec/codec.h"
#include "io/device/mexo_drone.h"
#include "io/link/link.h"
#include "models/fc/hub.h"
#include "models/fc/laws/params.h"
#include "models/twin/pose_track.h"
#include "models/vehicle/pilot.h"
#include "models/vehicle/stick.h"
#include "models/vehicle/vehicle.h"
#include "models/world/radio.h"

#define VEHICLES_MAX                                                                     \
        256 /* an instance of a topic of run.ulg each, which is a byte; with the stations */
#define STATIONS_MAX 16
#define NAME_MAX_LEN 64
#define PORTS_MAX    8 /* of one vehicle */

struct scenery;

enum pace { PACE_REALTIME, PACE_LOCKSTEP };

/* A firmware that the rig starts as a process of its own, new for each run: what it is told, and how it is ended. In
 * the words of a command, in values and in names of files ${NAME} is the rig's own environment. */
#define FC_WORDS_MAX     40
#define FC_VARIABLES_MAX 32
#define FC_RESTORES_MAX  8
#define FC_WORD_MAX      384

struct fc_command {
        int words; /* 0: none */
        char word[FC_WORDS_MAX][FC_WORD_MAX];
};

struct fc_variable {
        char key[FC_WORD_MAX], value[FC_WORD_MAX];
};

struct fc_start_config {
        bool used;
        struct fc_command command;
        char folder[FC_WORD_MAX]; /* that it runs in; "": a new one in the run's folder */
        int priority; /* SCHED_FIFO in real time; 0: ordinary */
        int variables;
        struct fc_variable
                variable[FC_VARIABLES_MAX]; /* on top of the rig's environment */
        int restores;
        char restore[FC_RESTORES_MAX][FC_WORD_MAX]; /* copied there before it starts */
        char listens[160]; /* it is up when it listens there; "": not looked at */
        struct link_spec listener;
        char output[160]; /* it is up when it has printed this; "": not looked at */
        int64_t ready_timeout_ns;
};

struct fc_stop_config {
        int signal;
        struct fc_command command; /* instead of the signal */
        int64_t wait_ns; /* then its process group is killed */
};

/* What becomes of the run when the FC is lost for good in flight. */
enum fc_when_lost { WHEN_LOST_END, WHEN_LOST_FLY_ON };

struct fc_config {
        char codec[32];
        char dialect[16]; /* of the codec; "": it has one */
        int links;
        struct link_spec link[CODEC_CHANNELS_MAX];
        char link_text[CODEC_CHANNELS_MAX][160];
        bool spawn; /* start the reference FC as a process at the other end */
        struct fc_params reference; /* its parameters, when spawned */
        struct fc_start_config start;
        struct fc_stop_config stop;
        uint8_t motor_order[ROTORS_MAX];
        int options;
        struct fc_option option[FC_OPTIONS_MAX]; /* that it begins with */
        /* That its firmware is given to hold and to fly, the rig's; NULL: none. */
        const struct mission_plan *mission;
        int64_t timeout_ns; /* without an answer: the FC is gone */
        int64_t hello_timeout_ns; /* without a hello at the start */
        int64_t disarm_timeout_ns; /* at the end, to say that it is disarmed */
        bool reconnect; /* take the FC back when its link returns */
        enum fc_when_lost when_lost;
};

/* What the rig emulates on one of the board's own ports. */
struct port_config {
        char device[32];
        struct link_spec link;
        char link_text[160];
        uint32_t baud; /* that it starts with; 0: the device's own */
        bool drives; /* its motor commands, in place of what the flight controller reports */
        int sonar; /* which of the vehicle's a rangefinder is */
        bool has_mexo; /* was given */
        struct mexo_settings mexo; /* of a "mexo" */
};

/* An aircraft that flies elsewhere, and is seen here as its telemetry has it. */
#define TWIN_TEXT_MAX 256

enum twin_law {
        TWIN_POSE, /* it is where the telemetry says, extrapolated to now */
        TWIN_AS_REPORTED /* a simulated vehicle is flown by the telemetry's attitude and throttle */
};
enum twin_when_silent { TWIN_HOLDS, TWIN_LEAVES, TWIN_ENDS };

struct twin_config {
        bool used;
        char source[32];
        char where[TWIN_TEXT_MAX]; /* link, bus or file */
        char aircraft[TWIN_TEXT_MAX]; /* "": the first that is heard */
        char messages[TWIN_TEXT_MAX], conf[TWIN_TEXT_MAX]; /* of ivy: files; "": none */
        enum twin_law law; /* TWIN_AS_REPORTED: by the gains of fc.reference */
        enum twin_when_silent when_silent;
        int64_t timeout_ns; /* without a word: it is silent */
        int64_t hello_timeout_ns; /* without the first one */
        int64_t delay_ns; /* of the fastest word, which nobody can measure from one end */
        int64_t tell_ns; /* what goes back goes so often; 0: after words, as the source has it */
        double hover_ratio; /* throttle at which the aircraft hovers, for TWIN_AS_REPORTED */
        bool from_start; /* the first word is where it starts */
        struct vec3 offset_ned_m; /* of the telemetry's origin; after the turn */
        double yaw_rad; /* by which the telemetry's north is turned, clockwise */
        char beside[NAME_MAX_LEN]; /* vehicle that is the same aircraft; "": none */
        struct pose_track_params expects;
};

/* The board's motor outputs as its ESCs would see them. */
struct pads_config {
        bool used;
        char source_text[160];
        struct capture_spec source;
        bool drives; /* in place of what the flight controller reports; else they are compared */
        bool simulated_clock; /* an emulated analyzer, whose samples count simulated time */
        int rotors;
        uint8_t pad_of_rotor[ROTORS_MAX];
        enum motor_protocol protocol; /* MOTOR_UNKNOWN: recognise */
        enum motor_polarity polarity;
        struct motor_range range;
        double glitch_s;
        int64_t silence_ns; /* a pad without a valid frame for so long: its motor stands still */
        int gaps_max; /* more, while they drive: void */
};

/* A hand at the sticks: axes and buttons of a joystick to RC channels, to set-points, or to the telemetry of a twin. */
#define JOYSTICK_CONTROLS_MAX RC_CHANNELS_MAX

enum joystick_lost {
        JOYSTICK_LOST_HOLD,
        JOYSTICK_LOST_CENTRE,
        JOYSTICK_LOST_NO_CHANNELS
};

enum joystick_drives {
        JOYSTICK_CHANNEL,
        /* A set-point: whether it flies, and how fast it moves. */
        JOYSTICK_FLY,
        JOYSTICK_FORWARD,
        JOYSTICK_RIGHT,
        JOYSTICK_UP,
        JOYSTICK_TURN, /* clockwise; of a twin, too */
        /* What a twin is said to do. */
        JOYSTICK_ROLL,
        JOYSTICK_PITCH,
        JOYSTICK_THROTTLE,
        JOYSTICK_DRIVES
};

struct joystick_control {
        char input[32]; /* "ABS_X" */
        enum joystick_drives drives;
        int channel; /* index; -1: none */
        double full; /* at the stop, of what is no channel: m/s, rad/s, rad, ratio; 0: not given */
        bool has_min, has_centre, has_max; /* else as the device says */
        struct stick_params stick;
};

struct joystick_config {
        bool used;
        char source[256];
        int64_t period_ns;
        int when_lost; /* enum joystick_lost */
        int controls;
        struct joystick_control control[JOYSTICK_CONTROLS_MAX];
};

/* It asks for set-points. */
bool config_joystick_pilots(const struct joystick_config *j);
/* Its sticks are on the live page. */
bool config_joystick_on_page(const struct joystick_config *j);
/* As in a rig file. */
const char *config_joystick_drives_name(enum joystick_drives drives);

struct vehicle_config {
        char name[NAME_MAX_LEN];
        struct vehicle_params params; /* not yet prepared */
        struct vec3 start_ned_m;
        double start_yaw_rad;
        struct fc_config fc; /* of a twin without codec and links */
        struct twin_config twin;
        struct pilot_params pilot; /* period_ns 0: none */
        struct joystick_config joystick;
        int ports;
        struct port_config port[PORTS_MAX];
        struct pads_config pads;
};

/* How late the host may be before the run is void. */
struct realtime_config {
        int priority; /* SCHED_FIFO 1..99; 0: leave the scheduler alone */
        int cpu; /* -1: any */
        bool lock_memory;
        bool hold_cpu_latency; /* /dev/cpu_dma_latency */
        int threads; /* that step the vehicles; 0: as many as pay */
        double missed_max_ratio; /* of all periods */
        int64_t stall_max_ns; /* longest lateness of one wake-up */
        double starved_max_ratio; /* of the flight, that a firmware's process waits to run */
};

/* What becomes of two vehicles that touch. */
struct meeting_config {
        double restitution, friction; /* of both together */
};

struct log_config {
        int64_t truth_period_ns;
        bool wire; /* write wire.cap */
};

enum mission_place { PLACE_AS_WRITTEN, PLACE_AT_START };

struct mission_settings {
        char source[160]; /* name of the file; "": it stands in the rig file */
        int vehicle;
        enum mission_place place;
        double radius_m, speed_mps, climb_mps;
        struct mission_limits limits;
};

/* What a vehicle flies in place of what a scenario's steps ask. */
struct mission_config {
        struct mission_settings settings;
        struct mission_plan plan; /* where it is flown */
        struct route route;
};

struct rig_config {
        char name[NAME_MAX_LEN];
        uint64_t seed;
        enum pace pace;
        int64_t period_ns;
        int64_t plant_step_ns; /* divides period_ns */
        struct world world;
        struct scenery *scenery; /* of that world, owned; NULL: nothing stands in it */
        int64_t stop_after_ns; /* the run ends then, if its scenario does not before */
        int vehicles;
        /* Radios that stand at a place and belong to no vehicle: each a board of which only name, start, fc and ports are
         * used, or only its ports. */
        int stations;
        struct vehicle_config
                *vehicle; /* the vehicles, and behind them the stations, owned */
        struct hub_params *hub; /* of each station, owned; without groups: it is none */
        struct realtime_config realtime;
        struct log_config log;
        struct meeting_config meeting;
        bool has_radio;
        struct radio_params radio; /* between the vehicles */
        bool wash; /* vehicles feel each other's rotors */
        struct scenario scenario;
        struct mission_config *mission; /* owned; NULL: none */
};

/* Not so a twin. */
static inline bool config_has_fc(const struct vehicle_config *v)
{
        return v->fc.codec[0] != '\0';
}

/* More vehicles than that are told of by the worst and the median, not one by one. */
#define CONFIG_EACH_MAX 4
static inline bool config_is_fleet(const struct rig_config *rig)
{
        return rig->vehicles > CONFIG_EACH_MAX;
}

/* Vehicles and stations: whatever has a link. */
static inline int config_boards(const struct rig_config *rig)
{
        return rig->vehicles + rig->stations;
}

/* What a user gave on the command line on top of the file. */
#define OVERRIDES_MAX (VEHICLES_MAX + 32)

struct config_overrides {
        const char *scenario; /* path or NULL */
        const char *mission; /* the same */
        int sets;
        const char *set
                [OVERRIDES_MAX]; /* "key.path=value"; value as JSON, or else a string */
};

#define CONFIG_ERRORS_MAX 20 /* that are told one by one */
#define CONFIG_ERROR_SIZE 512 /* of one, with its end */
#define CONFIG_ERROR_TEXT ((CONFIG_ERRORS_MAX + 2) * CONFIG_ERROR_SIZE) /* of all */
#define CONFIG_PLACES_MAX 500 /* of which one is told or counted */

/* What is wrong with files and what they name, each place once. */
struct config_error {
        /* A line for each of the first, in the order of the files: "file: key.path: expectation, is value";
         * of more there is another, "and 3 more". The last one ends without a newline. */
        char text[CONFIG_ERROR_TEXT];
        int count; /* of all */
        struct {
                uint32_t place, key, line; /* the last two are hashes */
        } told[CONFIG_PLACES_MAX];
};

void config_error_clear(struct config_error *why);

/* Reads and checks a rig file with everything it includes; false with all that is wrong in *why, which need
 * not be cleared. On success *resolved (freed by the
 * caller) is the whole configuration as one JSON text with every default written out; reading it
 * again gives the same rig. After a failure it is NULL. */
bool config_read(struct rig_config *rig, const char *path,
                 const struct config_overrides *o, char **resolved,
                 struct config_error *why);

/* Frees what a configuration owns after a config_read() of any result. The rest is plain data. */
void config_free(struct rig_config *rig);

/* What the world file calls a struct world_touch's obstacle; "ground" for what is none. */
const char *config_obstacle_name(const struct rig_config *rig, int obstacle);

/* The same from memory; files that it names are looked for beside `name`. */
bool config_read_text(struct rig_config *rig, const char *name, const char *text,
                      size_t len, const struct config_overrides *o, char **resolved,
                      struct config_error *why);

/* A flight-controller parameter file alone, for `hilrig fc`. */
bool config_read_fc(struct fc_params *params, const char *path, struct config_error *why);
/* A hub file alone, for `hilrig hub`. */
bool config_read_hub(struct hub_params *params, const char *path,
                     struct config_error *why);

/* The JSON Schema of a kind of file: "rig", "vehicle", "world", "scenario", "flight_controller"; freed
 * by the caller. NULL: no such kind, or no memory. It is what stands in
 * rig_configs/schema/KIND.schema.json. */
char *config_schema_text(const char *kind);

/* What the tables know: "list", a line for each path that --set takes; "kinds" of files, a line each; or
 * "page", docs/keys.md. Freed by the caller. NULL: no such form, or no memory. */
char *config_keys_text(const char *form);

/* Text of a whole file, bounded; NULL with a reason. */
char *config_load_text(const char *path, size_t *len, struct config_error *why);
/* The same of a file that is named on the command line: also one of the installed files. */
char *config_load_named(const char *name, size_t *len, struct config_error *why);

struct json;

/* "rig", "suite", ... by the schema that the file names, else by its keys; NULL: it could be any. */
const char *config_kind_name(const struct json *root);

/* The same of a file that is named on the command line; "": it could be any, or cannot be read. */
void config_kind_of_file(const char *path, char *kind, size_t cap);

/* Where the file is of a known kind and no rig: replaces the reason why `hilrig COMMAND` could not read it
 * as one by which kind it is, and what to do with it. */
void config_kind_explain(const char *command, const char *path, struct config_error *why);
