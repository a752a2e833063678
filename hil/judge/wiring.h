/* What the first second in the air says of how a board is wired, if the vehicle was out of control within the first
 * five: whether its motors answered to how the vehicle truly turned and leaned as they must. A flight controller pushes against what it feels, each
 * rotor by its place and sense of rotation; fitted to the truth, the commands show for which place
 * each was meant, and which axis the board feels the wrong way round. Judges nothing, and needs no
 * knowledge of the firmware. */
#pragma once

#include "models/vehicle/vehicle.h"

#define WIRING_DELAYS       5 /* from the truth to the command, of which the best is taken */
#define WIRING_HISTORY      64
#define WIRING_EXPLANATIONS 48
#define WIRING_TEXT_MAX     600

/* What the commands may be made of: rates about x, y, z; leaning about x, y; turn about z; 1. */
enum wiring_term {
        WIRING_RATE_X,
        WIRING_RATE_Y,
        WIRING_RATE_Z,
        WIRING_LEAN_X,
        WIRING_LEAN_Y,
        WIRING_TURN_Z,
        WIRING_ONE,
        WIRING_TERMS
};

enum wiring_finding {
        WIRING_UNKNOWN, /* it has not flown, or too little moved */
        WIRING_RIGHT,
        WIRING_MOTOR_ORDER, /* meant_for[] tells which */
        WIRING_GYRO_X, /* felt the wrong way round */
        WIRING_GYRO_Y,
        WIRING_GYRO_Z, /* or every rotor turns the other way */
        WIRING_ATTITUDE_X,
        WIRING_ATTITUDE_Y
};

struct wiring_explanation {
        enum wiring_finding finding;
        uint8_t meant_for[ROTORS_MAX]; /* rotor i is commanded as if it stood there */
        double share; /* of the commands' squares that it explains, 0 to 1 */
};

struct wiring_sums {
        double xx[WIRING_TERMS][WIRING_TERMS];
        double xy[WIRING_TERMS][ROTORS_MAX];
        double yy;
};

struct wiring {
        int rotors;
        struct vec3 pos_body_m[ROTORS_MAX];
        double spin[ROTORS_MAX];
        const char *order_key; /* in the rig file, for messages */
        uint8_t order[ROTORS_MAX], usual[ROTORS_MAX];
        bool has_usual;
        int64_t period_ns;

        bool flying;
        bool seen; /* the first second, or all of it until it lay */
        bool lost; /* out of control: tilted by more than 45 degrees, or spinning */
        bool done; /* nothing more is looked at */
        int64_t begin_ns;
        double turned_rad; /* about z, since then */
        /* The highest and lowest command so far, and for how many ticks: what stays there is at a
         * limit, and says nothing of what the board wants. */
        double highest, lowest;
        int at_highest, at_lowest;
        int64_t ticks;
        /* Both sides go through the same low-pass, which leaves how they hang together as it is. */
        double term[WIRING_TERMS], command[ROTORS_MAX];
        double past[WIRING_HISTORY][WIRING_TERMS];
        struct wiring_sums sums[WIRING_DELAYS];

        /* Once decided: what explains the commands, and what does so as well, the simplest first. */
        int explanations; /* 0: none */
        struct wiring_explanation explanation[WIRING_EXPLANATIONS];
        double right_share; /* that a right wiring explains */
};

/* order: fc.motor_order, or another whose key is put into w->order_key then; usual: the one that such firmware has as a rule, which is believed before
 * others that explain a flight as well, NULL: none. */
void wiring_init(struct wiring *w, const struct vehicle_params *p, int64_t period_ns,
                 const uint8_t order[ROTORS_MAX], const uint8_t *usual);

/* One tick of the five seconds after the vehicle left the ground or leaned over on it; less, when it is out of
 * control. */
void wiring_observe(struct wiring *w, const struct body_state *truth,
                    const struct motor_command *command, bool touching, int64_t t_ns);

/* A scenario's step does something to the vehicle, its sensors or the wire: if control is lost from now on it may be
 * that. */
void wiring_disturb(struct wiring *w);

/* Makes up its mind, after the flight. */
void wiring_decide(struct wiring *w);

/* WIRING_UNKNOWN when nothing explains the flight. */
enum wiring_finding wiring_found(const struct wiring *w);

/* What is wrong in words, with what to change. "" for a right wiring, and
 * for nothing found. */
void wiring_describe(const struct wiring *w, char *text, size_t cap);
