/* The quantities of a run that formulas, conditions and reports speak of: truth, what the sensors
 * said, what the flight controller did, what the host did. Of one vehicle at one tick. */
#pragma once

#include "hil/formula/fleet.h"
#include "hil/formula/formula.h"
#include "io/codec/codec.h"
#include "models/vehicle/vehicle.h"

/* One vehicle at one tick. Everything it points to is as it is after the tick. */
struct observation {
        int64_t t_ns; /* simulated time at the end of the period */
        const struct vehicle *truth;
        const struct sensor_frame *frame; /* as it was sent, faults included */
        const struct motor_command *command; /* that drove the period */
        const struct fc_report *report;
        const struct pilot_input *input; /* what the pilot asks */
        struct vec3
                start_ned_m; /* where the flight controller started: its set-points' origin */
        double ground_down_m; /* of the world's ground plane */
        int64_t loop_ns; /* newest sensor-to-motor time, 0: none in this period */
        int64_t lateness_ns; /* of the host's wake-up */
        bool missed, frame_sent;
        int faults; /* in force */
        const struct fleet *fleet; /* measured at the tick; NULL: it is alone */
        int member; /* of it, which one */
};

/* What a quantity is a member of, or made of, and its type there. */
enum quantity_place {
        QUANTITY_TICK, /* the observation itself */
        QUANTITY_TRUTH,
        QUANTITY_FRAME,
        QUANTITY_COMMAND,
        QUANTITY_REPORT,
        QUANTITY_INPUT,
        QUANTITY_MEMBER, /* of the vehicle among the others */
        QUANTITY_FLEET /* of all, and the same for each */
};
enum quantity_type {
        QUANTITY_DOUBLE,
        QUANTITY_INT, /* enums too */
        QUANTITY_BOOL,
        QUANTITY_U16,
        QUANTITY_I64
};

struct quantity {
        const char *name; /* with its unit, as in a formula: "altitude_m" */
        const char *about; /* one sentence */
        /* What works it out, of an array's element or a vector's component; NULL: a member. */
        double (*of)(const struct observation *o, int index);
        int index;
        enum quantity_place place;
        enum quantity_type type;
        size_t offset;
        double factor;
};

/* All of them; the index is the quantity's number. */
extern const struct quantity quantities[];
extern const int quantity_count;

/* -1: there is none of that name. */
int quantity_find(const char *name);
double quantity_value(const struct quantity *q, const struct observation *o);
/* It is of the vehicle's motion, its motors or what it believes of itself: a vehicle that stands on the ground
 * shows nothing of how it flies by it. */
bool quantity_of_flight(const struct quantity *q);
/* It tells whether a vehicle flies: what it touches, or what its flight controller says of its state. */
bool quantity_of_state(const struct quantity *q);

/* For formulas about `vehicles` vehicles: quantity q of vehicle i is value[i * quantity_count + q]. It
 * is called "vI.NAME", and that of vehicle `home` plain NAME too. False: no memory. */
struct quantity_names {
        struct formula_names names;
        char *text;
        const char **name;
        int *number;
};

bool quantity_names_make(struct quantity_names *n, int vehicles, int home);
void quantity_names_free(struct quantity_names *n);

/* Quantity and vehicle of a formula's number. */
static inline int quantity_of(int number)
{
        return number % quantity_count;
}

static inline int quantity_vehicle(int number)
{
        return number / quantity_count;
}
