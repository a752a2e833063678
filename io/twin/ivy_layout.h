/* What the fields of Paparazzi's messages mean: as its messages.xml is known to have them, or as the user's own has
 * them. A field is known by its name; its unit is alt_unit with alt_unit_coef, or unit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/link/link.h"
#include "models/signals.h"

#define IVY_FIELDS_MAX   64 /* of one message */
#define IVY_LAYOUTS      3
#define IVY_AIRCRAFT_MAX 256
#define IVY_NAME_MAX     64

/* In m, m/s, rad and parts of full thrust. */
enum ivy_quantity {
        IVY_EAST,
        IVY_NORTH,
        IVY_UP,
        IVY_EAST_SPEED,
        IVY_NORTH_SPEED,
        IVY_UP_SPEED,
        IVY_ROLL,
        IVY_PITCH,
        IVY_YAW,
        IVY_THRUST,
        IVY_HEIGHT,
        IVY_QUANTITIES,
        IVY_OTHER = IVY_QUANTITIES /* read, and not used */
};

struct ivy_field {
        enum ivy_quantity is;
        double scale; /* a field's number times this is the quantity */
};

/* ROTORCRAFT_FP, ATTITUDE, FINKEN_ROTORCRAFT_FP; the last is defined by the user's file alone. */
struct ivy_layout {
        const char *name;
        int fields; /* 0: not defined, and not asked for */
        struct ivy_field field[IVY_FIELDS_MAX];
};

struct ivy_layouts {
        struct ivy_layout of[IVY_LAYOUTS];
};

/* As Paparazzi has them. */
void ivy_layouts_init(struct ivy_layouts *l);
/* Those that a messages.xml has, in place of the ones before. False: which file, line and field, and what it must be. */
bool ivy_layouts_read(struct ivy_layouts *l, const char *path, struct link_error *why);

/* The aircraft of a conf.xml. */
struct ivy_fleet {
        int count;
        struct {
                char name[IVY_NAME_MAX];
                int id; /* ac_id */
        } aircraft[IVY_AIRCRAFT_MAX];
};

bool ivy_fleet_read(struct ivy_fleet *f, const char *path, struct link_error *why);
/* 0: there is none of that name. */
int ivy_fleet_find(const struct ivy_fleet *f, const char *name);
bool ivy_fleet_has(const struct ivy_fleet *f, int id);

/* A field as messages.xml has it; NULL where an attribute is missing. */
struct ivy_field_text {
        const char *name, *type, *unit, *alt_unit, *alt_unit_coef;
};

/* False: its unit is not one of its quantity, `expected`. */
bool ivy_field_make(struct ivy_field *f, const struct ivy_field_text *text,
                    const char **expected);
/* Of enum twin_said: what a message of this layout says. */
uint32_t ivy_layout_says(const struct ivy_layout *l);
