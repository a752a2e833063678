/* JSON as a tree of our own: read, looked up, built and printed. cJSON parses; nothing
 * outside json_parse.c knows it. The tree remembers which file each value came from, so
 * that an error can name the file in which the value stands and the path within it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX   32 /* objects and arrays inside each other */
#define JSON_MEMBERS_MAX 1000 /* of one object */
#define JSON_VALUES_MAX  400000 /* of one text */

enum json_type {
        JSON_NULL,
        JSON_BOOL,
        JSON_NUMBER,
        JSON_STRING,
        JSON_ARRAY,
        JSON_OBJECT
};

/* A value with its place among its siblings. Read it as you like; change it with the
 * functions below. */
struct json {
        enum json_type type;
        char *key; /* of a member of an object, else NULL */
        char *text; /* a string's bytes; a number's digits where a double cannot hold them
                     */
        double number; /* a number's value; 0 or 1 of a boolean */
        struct json *parent, *next, *first, *last;
        int count; /* of members or items */
        const char *file; /* not owned; NULL: made by the program */
        int depth; /* keys and indices from the root of that file to here */
        uint32_t place; /* in the order in which a reader met it; 0: none gave it one */
        bool whole; /* stands for a whole file: replaces what it is merged onto */
        bool refused; /* a reader has said what is wrong with it, and reads it no more */
        bool failed; /* of a root: memory ran out while it was built */
};

/* Why a text is no JSON, with line and column, or with the path of a key given twice. */
struct json_error {
        char text[240];
};

/* A tree, or NULL. Every value gets `file` as its origin. Strict: no duplicate keys, no
 * NaN or infinity, nothing after the value, valid UTF-8, bounded in depth and number. */
struct json *json_parse(const char *text, size_t len, const char *file,
                        struct json_error *why);
/* Frees a root and all below it; NULL is allowed. */
void json_free(struct json *root);

/* Building. The add functions append to an object under a key, or to an array (key NULL),
 * and a NULL parent swallows them; memory that ran out on the way shows when the tree is
 * printed. Keys are taken as they are: adding one twice is a mistake of the caller. */
struct json *json_new_object(void);
struct json *json_new_array(void);
struct json *json_add_object(struct json *parent, const char *key);
struct json *json_add_array(struct json *parent, const char *key);
void json_add_number(struct json *parent, const char *key,
                     double value); /* not finite: null */
void json_add_u64(struct json *parent, const char *key, uint64_t value);
void json_add_i64(struct json *parent, const char *key, int64_t value);
void json_add_string(struct json *parent, const char *key,
                     const char *value); /* NULL: null */
void json_add_bool(struct json *parent, const char *key, bool value);
/* A copy of a value with all below it. */
void json_add_copy(struct json *parent, const char *key, const struct json *value);

/* Text that the caller frees, or NULL when memory ran out here or while building. Numbers
 * read back to the same bits. json_print() indents and ends with a newline;
 * json_print_line() is one line without one. */
char *json_print(const struct json *root);
char *json_print_line(const struct json *root);
/* The same, and frees `root`. */
char *json_print_free(struct json *root);
char *json_print_line_free(struct json *root);
/* A number in the fewest digits, 15 to 17, that read back to the same bits. */
void json_format_number(char *buf, size_t cap, double value);

/* Reading. All take NULL for "not there". */
struct json *json_member(const struct json *object, const char *key);
struct json *json_item(const struct json *array, int index);
/* Along keys and indices: "vehicles.0.fc.link"; NULL where it is not there. "" is the
 * root. */
struct json *json_at(const struct json *root, const char *path);
bool json_is(const struct json *value, enum json_type type);
/* NaN when there is no number; NULL when there is no string; the fallback when no
 * boolean. */
double json_number(const struct json *root, const char *path);
const char *json_string(const struct json *root, const char *path);
/* Cut to `cap`; "" when there is no string. */
void json_copy_string(const struct json *root, const char *path, char *to, size_t cap);
bool json_bool(const struct json *root, const char *path, bool fallback);
/* A whole number 0 to 2^53; false leaves *value alone. */
bool json_u64(const struct json *root, const char *path, uint64_t *value);

/* "vehicle.mass_kg", "vehicles.0.name": the path within the file that the value came
 * from. */
void json_path(const struct json *value, char *buf, size_t cap);
/* The value in a few words for a message: -1.2, "abc", an object. */
void json_describe(const struct json *value, char *buf, size_t cap);

/* Surgery, for what joins trees. */
struct json *json_copy(const struct json *value); /* a root; NULL: no memory */
/* Takes the root `with` into the place, key and parent of `old`, and frees old. */
void json_replace(struct json *old, struct json *with);
/* Appends a root to an object (under a copy of key) or array. False: no memory, and it is
 * freed. */
bool json_attach(struct json *parent, const char *key, struct json *value);
/* Takes a value with all below it out of its parent; it becomes a root. */
struct json *json_detach(struct json *value);
/* Every value below and the root itself get this origin; depth counts on from `depth`. */
void json_set_origin(struct json *root, const char *file, int depth);
