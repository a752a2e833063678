/* Mission files: QGroundControl's .plan, Mission Planner's "QGC WPL 110" and MEXO's command lines, read into a struct
 * mission_plan and written from one. Input is bounded; nothing here flies. */
#pragma once

#include <stdio.h>

#include "io/codec/mission.h"

enum mission_format { MISSION_PLAN, MISSION_WPL, MISSION_MEXO, MISSION_FORMATS };

#define MISSION_BYTES_MAX (4U << 20) /* of one file */

struct mission_error {
        char text[300]; /* "file: line or key: what is expected, what it is" */
};

/* What a conversion could not keep. */
#define MISSION_LOSSES_TOLD 40

struct mission_losses {
        int count;
        int grave; /* of them: the flight would be another one */
        char text[MISSION_LOSSES_TOLD][160];
};

/* "plan", "wpl", "mexo"; -1: no such format. */
int mission_format_find(const char *name);
extern const char *const mission_format_name[MISSION_FORMATS];

/* A whole file; which format it is follows from its first bytes. False with the reason; the plan is freed by
 * the caller after either. Items count from 1 where one is told, and where MISSION_JUMP names one. */
bool mission_read(struct mission_plan *p, const char *file, const char *text, size_t len,
                  struct mission_error *why);
void mission_plan_free(struct mission_plan *p);

/* A cleared item at the end of a list; NULL: it is full, or there is no memory. */
struct mission_item *mission_add(struct mission_plan *p, enum mission_list_kind list);

/* Text that the caller frees; NULL: no memory. */
char *mission_write(const struct mission_plan *p, enum mission_format format,
                    struct mission_losses *losses);
void mission_lose(struct mission_losses *l, bool grave, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* Of one format each. */
bool mission_read_plan(struct mission_plan *p, const char *file, const char *text,
                       size_t len, struct mission_error *why);
bool mission_read_wpl(struct mission_plan *p, const char *file, const char *text,
                      size_t len, struct mission_error *why);
/* It begins with a line that is one. */
bool mission_is_mexo(const char *text, size_t len);
bool mission_read_mexo(struct mission_plan *p, const char *file, const char *text,
                       size_t len, struct mission_error *why);
char *mission_write_plan(const struct mission_plan *p, struct mission_losses *losses);
char *mission_write_wpl(const struct mission_plan *p, struct mission_losses *losses);
char *mission_write_mexo(const struct mission_plan *p, struct mission_losses *losses);

/* "way-point", "take-off"; NULL: none that the rig knows. */
const char *mission_command_name(unsigned command);
/* It names a place that the vehicle flies to; without coordinates of its own, where it is. */
bool mission_has_place(const struct mission_item *item);
/* Its coordinates are given, and not both 0, which is how the formats say that they are not. */
bool mission_place_given(const struct mission_item *item);
/* params that are not given are 0. */
double mission_param(const struct mission_item *item, int n);
