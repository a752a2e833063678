/* One table of fields for each object of a configuration file. From the same table come
 * the reading, its errors, the resolved text with every default, and the JSON Schema. */
#pragma once

#include "hil/config/config.h"
#include "hil/text/json.h"

/* What a field is in the file, and what it becomes in the struct. */
enum config_type {
        CONFIG_NUMBER, /* double */
        CONFIG_VECTOR, /* exactly `size` numbers: double[size] */
        CONFIG_TIME, /* int64_t, ns */
        CONFIG_RATE, /* Hz: int64_t, the period in ns, rounded */
        CONFIG_INTEGER, /* int */
        CONFIG_WHOLE, /* double, a whole number */
        CONFIG_SEED, /* uint64_t */
        CONFIG_INTEGERS, /* up to `size` whole numbers: uint16_t[size], int at `count` */
        CONFIG_BOOL, /* bool */
        CONFIG_TEXT, /* char[size] */
        CONFIG_NAME, /* char[size], of letters, digits, "_", "-" and ".": may name a file
                      */
        CONFIG_TEXTS, /* a string or an array: char[][size], up to stride / size of them (stride
                         0: CODEC_CHANNELS_MAX), int at `count` */
        CONFIG_CHOICE, /* one of `names`: int, its index */
        CONFIG_PAIRS, /* an object of names and strings: up to `size` of char[2][stride / 2],
                         int at `count` */
        CONFIG_OBJECT, /* by `table` */
        CONFIG_OBJECTS /* up to `size` of them, `stride` bytes apart, int at `count` */
};

enum config_bound { CONFIG_NO_BOUND, CONFIG_CLOSED, CONFIG_OPEN };

struct config_field {
        const char *key;
        enum config_type type;
        const char *about; /* one sentence; the unit follows from the key */
        const char
                *was; /* what older files call it, one or several words; NULL: the same */
        const char *preset; /* default as JSON text; NULL: required, unless optional */
        bool optional; /* may be absent, or null: the struct keeps what it held */
        const char *absent; /* what it then gets instead, as JSON text, bounds or not */
        enum config_bound lower, upper;
        double min, max; /* in the unit of the file */
        double scale, shift; /* file -> struct: value * scale + shift; scale 0 is 1 */
        size_t offset; /* of the value */
        size_t given; /* of a bool that says that it was there; 0: none */
        size_t count; /* of an int; 0: none */
        size_t size, stride;
        bool on_heap; /* CONFIG_OBJECTS: the struct has a pointer to them, for config_table_free() */
        int least; /* fewest entries of an array */
        bool named; /* CONFIG_OBJECT: or the name of a file of another kind, which is its own reader's */
        bool numbered; /* CONFIG_NAME: may have a copy's number in it, "{i}" */
        const char *const *names; /* NULL at the end */
        const struct config_table *table;
};

/* What keys of one object ask of each other. A key is there when it is not null and not false. */
#define CONFIG_RULE_KEYS 14

struct config_rule {
        const char *keys[CONFIG_RULE_KEYS]; /* NULL at the end */
        const char *with[5]; /* the keys on which they depend; none: on nothing */
        /* States of those: with these each of `keys` must be there, with those it may, and with all
         * others none may. */
        uint64_t must, may;
        int least, most; /* how many may be there where any may; most 0: all */
};

/* A state: the value of the one choice in `with`, or else whether any of `with` is there. */
#define CONFIG_IS(value) (UINT64_C(1) << (value))
#define CONFIG_THERE     (UINT64_C(1) << 62)
#define CONFIG_ABSENT    (UINT64_C(1) << 63)

struct config_table {
        const char *name; /* unique among tables: its place in a schema */
        const char *kind; /* of a file by itself ("vehicle"), else NULL */
        const char *about;
        const struct config_field *field; /* key NULL at the end */
        const struct config_rule *rule; /* without keys at the end; NULL: none */
};

/* For the tables. Bounds are in the file's unit; AT places the value in a struct. */
#define ABOVE(x)         .lower = CONFIG_OPEN, .min = (x)
#define AT_LEAST(x)      .lower = CONFIG_CLOSED, .min = (x)
#define BELOW(x)         .upper = CONFIG_OPEN, .max = (x)
#define AT_MOST(x)       .upper = CONFIG_CLOSED, .max = (x)
#define BETWEEN(a, b)    AT_LEAST(a), AT_MOST(b)
#define AT(type, member) .offset = offsetof(struct type, member)

#define RAD_PER_DEG   (3.14159265358979323846 / 180.0)
#define RADPS_PER_RPM (3.14159265358979323846 / 30.0)
#define MPS2_PER_G    9.80665
#define S_TO_NS       1e9
#define MS_TO_NS      1e6
#define US_TO_NS      1e3

/* Reads an object by its table into a struct that the caller has cleared. Fields that are
 * absent and have a default take it. resolved (may be NULL) gets every value that was
 * given or defaulted, in the table's order. False: something in it is wrong, and what, *why has been
 * told, now or before; everything else in it has been read. */
bool config_table_read(const struct config_table *table, const struct json *node,
                       void *into, struct json *resolved, struct config_error *why);

/* Frees what a read put on the heap, whether it went well or not; `from` itself is the caller's. */
void config_table_free(const struct config_table *table, void *from);

/* A member that is there, and not null. */
const struct json *config_member(const struct json *node, const char *key);

/* Whether the keys of an object that was read into a struct keep the table's rules. */
bool config_rules_check(const struct config_table *table, const struct json *node,
                        const void *into, struct config_error *why);

/* Adds the same rules to the schema of a complete object. */
void config_rules_schema(const struct config_table *table, struct json *then);

/* Puts the members of a resolved object, and of those below it, into the order of the tables. False:
 * no memory. */
bool config_table_sort(const struct config_table *table, struct json *object);

/* The field of that key, or NULL. */
const struct config_field *config_table_find(const struct config_table *table,
                                             const char *key);

/* What a user may have meant by a key that the table does not have: a sentence that
 * starts with "unknown key". */
void config_suggest(const struct config_table *table, const char *key, char *buf,
                    size_t cap);
/* "north, east, up" */
void config_list_keys(const struct config_table *table, char *buf, size_t cap);
/* The one that it suggests; NULL: none is near. */
const struct config_field *config_suggested(const struct config_table *table,
                                            const char *key);

/* Adds a line that is safe on a terminal, cut where it is too long, behind all others, and returns
 * false. */
bool config_refuse_line(struct config_error *why, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
/* The same of a file that has no tree; place: where a tree of it would begin. */
bool config_refuse_file(struct config_error *why, uint32_t place, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
/* Adds "file: path.key: text" in the order of the files, unless something was wrong there before; marks
 * the value as refused and returns false. key may be NULL, or a path that goes on from the value. */
bool config_refuse(struct config_error *why, const struct json *value, const char *key,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same for the value at a path of keys and indices below root, as far down as it is
 * there. */
bool config_refuse_at(struct config_error *why, const struct json *root, const char *path,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Whether nothing at the value or below it has been refused, and nothing above it lacks a file that it
 * includes: what follows from values that are not sound is not said. True of NULL. */
bool config_is_sound(const struct json *node);
bool config_lacks_include(const struct json *node);
/* A vehicle of a rig that is not sound is left zeroed. */
bool config_is_built(const struct vehicle_config *v);

/* The JSON Schema of one kind of file; tables of other kinds are referred to in theirs.
 */
char *config_table_schema(const struct config_table *table);

/* "m/s^2" from the key's suffix, or NULL. */
const char *config_unit(const char *key);

/* Single values of a configuration file: their types, bounds and units. */

/* Reads any field but objects into the struct that starts at `into`. */
bool config_value_read(const struct config_field *f, const struct json *value, char *into,
                       struct config_error *why);

/* How many entries an array of the field may have. */
int config_value_most(const struct config_field *f);
/* An array, with as many entries as the field takes. */
bool config_value_count(const struct config_field *f, const struct json *value,
                        struct config_error *why);
