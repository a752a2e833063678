/* MEXO command lines: RequestLine := COMMAND ([ ] {Key [ ] Value(,Value)*})*. A value is a letter or digit and what
 * follows, as printed, and may begin with a sign: longitudes to the west need one. */
#include "io/codec/mexo.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define VALUES_MAX 6
#define VALUE_MAX  64

enum key {
        KEY_TIME_STAMP,
        KEY_ROBOT_NAME,
        KEY_STARTING_POSE,
        KEY_USARSIM_SERVER,
        KEY_USARSIM_PORT,
        KEY_DESTINATION_HEIGHT,
        KEY_POSE,
        KEY_TILT,
        KEYS
};

#define KEY_BIT(key) (1U << (key))

static const struct {
        const char *name;
        int values;
        bool text; /* else numbers */
        double least, most; /* of numbers that are no place */
} keys[KEYS] = {
        [KEY_TIME_STAMP] = { "TimeStamp", 1, false, 0.0, 1e9 },
        [KEY_ROBOT_NAME] = { "RobotName", 1, true, 0.0, 0.0 },
        [KEY_STARTING_POSE] = { "StartingPose", 6, false, -1e5, 1e5 },
        [KEY_USARSIM_SERVER] = { "USARSimServer", 1, true, 0.0, 0.0 },
        [KEY_USARSIM_PORT] = { "USARSimPort", 1, false, 0.0, 65535.0 },
        [KEY_DESTINATION_HEIGHT] = { "DestinationHeight", 1, false, -1e5, 1e5 },
        [KEY_POSE] = { "Pose", 4, false, -1e5, 1e5 },
        [KEY_TILT] = { "Tilt", 1, false, -360.0, 360.0 },
};

static const struct {
        const char *name;
        unsigned may, must;
} verbs[MEXO_VERBS] = {
        [MEXO_POWER] = { "POWER",
                         KEY_BIT(KEY_ROBOT_NAME) | KEY_BIT(KEY_STARTING_POSE) |
                                 KEY_BIT(KEY_USARSIM_SERVER) | KEY_BIT(KEY_USARSIM_PORT),
                         0 },
        [MEXO_STARTENGINE] = { "STARTENGINE", 0, 0 },
        [MEXO_STOPENGINE] = { "STOPENGINE", KEY_BIT(KEY_TIME_STAMP), 0 },
        [MEXO_SHUTDOWN] = { "SHUTDOWN", KEY_BIT(KEY_TIME_STAMP), 0 },
        [MEXO_CLEAR] = { "CLEAR", 0, 0 },
        [MEXO_TAKEOFF] = { "TAKEOFF",
                           KEY_BIT(KEY_TIME_STAMP) | KEY_BIT(KEY_DESTINATION_HEIGHT),
                           KEY_BIT(KEY_DESTINATION_HEIGHT) },
        [MEXO_LAND] = { "LAND", KEY_BIT(KEY_TIME_STAMP), 0 },
        [MEXO_GOTOWAYPOINT] = { "GOTOWAYPOINT",
                                KEY_BIT(KEY_TIME_STAMP) | KEY_BIT(KEY_POSE),
                                KEY_BIT(KEY_POSE) },
        [MEXO_HOLD] = { "HOLD", KEY_BIT(KEY_TIME_STAMP), 0 },
        [MEXO_TAKEPICTURE] = { "TAKEPICTURE", KEY_BIT(KEY_TIME_STAMP) | KEY_BIT(KEY_TILT),
                               0 },
        [MEXO_EXECUTETASKS] = { "EXECUTETASKS", 0, 0 },
        [MEXO_FORMATION] = { "FORMATION", 0, 0 },
};

/* What is left of the line. */
struct text {
        const char *at, *end;
};

struct values {
        int count;
        char text[VALUES_MAX][VALUE_MAX];
        double number[VALUES_MAX];
};

__attribute__((format(printf, 3, 4))) static bool refuse_line(struct mexo_refusal *why,
                                                              enum mexo_error code,
                                                              const char *format, ...)
{
        va_list list;

        why->code = code;
        va_start(list, format);
        vsnprintf(why->text, sizeof why->text, format, list);
        va_end(list);
        return false;
}

/* Of the C locale, whatever the program's is. */
static bool is_letter(char c)
{
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_value_char(char c)
{
        return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '\'' ||
               c == '-' || c == '+' || c == '_';
}

static void skip_spaces(struct text *t)
{
        while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
                t->at++;
}

/* False: there is none, or it does not fit. */
static bool take_word(struct text *t, bool (*belongs)(char c), char *out, size_t cap)
{
        size_t len = 0;

        skip_spaces(t);
        for (; t->at < t->end && belongs(*t->at); t->at++) {
                if (len + 1 >= cap)
                        return false;
                out[len++] = *t->at;
        }
        out[len] = '\0';
        return len > 0;
}

static bool take_mark(struct text *t, char mark)
{
        skip_spaces(t);
        if (t->at == t->end || *t->at != mark)
                return false;
        t->at++;
        return true;
}

static bool take_values(struct text *t, struct values *v)
{
        v->count = 0;
        do {
                if (v->count == VALUES_MAX ||
                    !take_word(t, is_value_char, v->text[v->count], VALUE_MAX))
                        return false;
                v->count++;
        } while (take_mark(t, ','));
        return true;
}

/* Digits with a sign, a point, an exponent: no "nan", no "inf", no "0x10". */
static bool read_number(const char *text, double *out)
{
        char *end;

        if (text[strspn(text, "+-.0123456789eE")] != '\0')
                return false;
        *out = strtod(text, &end);
        return end != text && *end == '\0' && isfinite(*out);
}

static bool read_numbers(enum key key, struct values *v, struct mexo_refusal *why)
{
        if (v->count < keys[key].values)
                return refuse_line(
                        why, MEXO_TOO_FEW,
                        "Not enough Parameters specified for MEXO command, %s needs %d",
                        keys[key].name, keys[key].values);
        if (v->count > keys[key].values)
                return refuse_line(why, MEXO_BAD_VALUE, "Key %s has %d values, needs %d",
                                   keys[key].name, v->count, keys[key].values);
        for (int i = 0; i < v->count && !keys[key].text; i++)
                if (!read_number(v->text[i], &v->number[i]) ||
                    !(v->number[i] >= keys[key].least && v->number[i] <= keys[key].most))
                        return refuse_line(why, MEXO_BAD_VALUE,
                                           "Key %s value %d is no number from %g to %g",
                                           keys[key].name, i + 1, keys[key].least,
                                           keys[key].most);
        return true;
}

static bool read_place(struct mexo_command *c, double lat_deg, double lon_deg,
                       double altitude_m, struct mexo_refusal *why)
{
        c->has_place = true;
        c->place = (struct mexo_place){ lat_deg, lon_deg, altitude_m };
        if (fabs(lat_deg) > 90.0 || fabs(lon_deg) > 180.0)
                return refuse_line(why, MEXO_BAD_VALUE,
                                   "Latitude must be within 90, longitude within 180");
        return true;
}

static bool read_name(struct mexo_command *c, const char *name, struct mexo_refusal *why)
{
        if (strlen(name) >= sizeof c->name)
                return refuse_line(why, MEXO_BAD_VALUE,
                                   "RobotName is longer than %d characters",
                                   MEXO_NAME_MAX - 1);
        memcpy(c->name, name, strlen(name) + 1);
        return true;
}

static bool set_value(struct mexo_command *c, enum key key, const struct values *v,
                      struct mexo_refusal *why)
{
        const double *n = v->number;

        switch (key) {
        case KEY_TIME_STAMP:
                c->time_stamp_ms = n[0];
                return true;
        case KEY_ROBOT_NAME:
                return read_name(c, v->text[0], why);
        case KEY_STARTING_POSE: /* B.2.1: longitude first */
                c->yaw_deg = n[3];
                c->pitch_deg = n[4];
                c->roll_deg = n[5];
                return read_place(c, n[1], n[0], n[2], why);
        case KEY_POSE: /* B.2.8: latitude first */
                c->yaw_deg = n[3];
                if (!(n[3] >= 0.0 && n[3] <= 360.0))
                        return refuse_line(why, MEXO_BAD_VALUE,
                                           "Heading must be from 0 to 360");
                return read_place(c, n[0], n[1], n[2], why);
        case KEY_DESTINATION_HEIGHT:
                c->height_m = n[0];
                return true;
        case KEY_TILT:
                c->tilt_deg = n[0];
                return true;
        default:
                return true;
        }
}

static bool find_key(const char *name, enum key *out)
{
        for (int i = 0; i < KEYS; i++)
                if (strcasecmp(name, keys[i].name) == 0) {
                        *out = (enum key)i;
                        return true;
                }
        return false;
}

/* One {Key Value,Value}. */
static bool read_parameter(struct text *t, struct mexo_command *c, unsigned *given,
                           struct mexo_refusal *why)
{
        struct values v;
        char name[VALUE_MAX];
        enum key key;

        if (!take_mark(t, '{') || !take_word(t, is_letter, name, sizeof name))
                return refuse_line(why, MEXO_UNREADABLE,
                                   "Expected a key in braces after %s",
                                   verbs[c->verb].name);
        if (!find_key(name, &key) || (verbs[c->verb].may & KEY_BIT(key)) == 0)
                return refuse_line(why, MEXO_BAD_VALUE, "Command %s has no key %.40s",
                                   verbs[c->verb].name, name);
        if (*given & KEY_BIT(key))
                return refuse_line(why, MEXO_BAD_VALUE, "Key %s is given twice",
                                   keys[key].name);
        if (!take_values(t, &v) || !take_mark(t, '}'))
                return refuse_line(why, MEXO_UNREADABLE,
                                   "Key %s needs values with commas, then a brace",
                                   keys[key].name);
        *given |= KEY_BIT(key);
        return read_numbers(key, &v, why) && set_value(c, key, &v, why);
}

static bool read_verb(struct text *t, struct mexo_command *c, struct mexo_refusal *why)
{
        char name[VALUE_MAX];

        if (!take_word(t, is_letter, name, sizeof name))
                return refuse_line(why, MEXO_UNREADABLE, "Expected a command");
        for (int i = 0; i < MEXO_VERBS; i++)
                if (strcasecmp(name, verbs[i].name) == 0) {
                        c->verb = (enum mexo_verb)i;
                        return true;
                }
        return refuse_line(why, MEXO_BAD_VALUE,
                           "Unknown command %.40s, there is no USARSim to forward it to",
                           name);
}

bool mexo_parse(const char *line, size_t len, struct mexo_command *out,
                struct mexo_refusal *why)
{
        struct text t = { line, line + len };
        unsigned given = 0;

        *out = (struct mexo_command){ .tilt_deg = 90.0, .name = "Drone1" };
        if (len > MEXO_LINE_MAX)
                return refuse_line(why, MEXO_UNREADABLE,
                                   "Line is longer than %d characters", MEXO_LINE_MAX);
        if (!read_verb(&t, out, why))
                return false;
        for (skip_spaces(&t); t.at < t.end; skip_spaces(&t))
                if (!read_parameter(&t, out, &given, why))
                        return false;
        if ((verbs[out->verb].must & ~given) != 0)
                return refuse_line(why, MEXO_TOO_FEW,
                                   "Not enough Parameters specified for MEXO command");
        return true;
}

const char *mexo_verb_name(enum mexo_verb verb)
{
        return verbs[verb].name;
}

__attribute__((format(printf, 4, 5))) static void add_text(char *out, size_t cap,
                                                           size_t *used,
                                                           const char *format, ...)
{
        va_list list;

        va_start(list, format);
        if (*used < cap)
                *used += (size_t)vsnprintf(out + *used, cap - *used, format, list);
        va_end(list);
}

size_t mexo_print(const struct mexo_command *c, char *out, size_t cap)
{
        const struct mexo_place *p = &c->place;
        size_t used = 0;

        add_text(out, cap, &used, "%s", verbs[c->verb].name);
        if (c->time_stamp_ms > 0.0)
                add_text(out, cap, &used, " {TimeStamp %.0f}", c->time_stamp_ms);
        if (c->verb == MEXO_POWER)
                add_text(out, cap, &used, " {RobotName %s}", c->name);
        if (c->verb == MEXO_POWER && c->has_place)
                add_text(out, cap, &used, " {StartingPose %.8f,%.8f,%.3f,%.3f,%.3f,%.3f}",
                         p->lon_deg, p->lat_deg, p->altitude_m, c->yaw_deg, c->pitch_deg,
                         c->roll_deg);
        if (c->verb == MEXO_TAKEOFF)
                add_text(out, cap, &used, " {DestinationHeight %.3f}", c->height_m);
        if (c->verb == MEXO_GOTOWAYPOINT)
                add_text(out, cap, &used, " {Pose %.8f,%.8f,%.3f,%.3f}", p->lat_deg,
                         p->lon_deg, p->altitude_m, c->yaw_deg);
        if (c->verb == MEXO_TAKEPICTURE)
                add_text(out, cap, &used, " {Tilt %.3f}", c->tilt_deg);
        add_text(out, cap, &used, "\r\n");
        return used < cap ? used : 0;
}

struct vec3 mexo_to_ned(const struct mexo_earth *earth, const struct mexo_place *place)
{
        const struct mexo_place *at = &earth->reference;
        struct vec3 off_m = { (place->lat_deg - at->lat_deg) * earth->north_m_per_deg,
                              (place->lon_deg - at->lon_deg) * earth->east_m_per_deg,
                              at->altitude_m - place->altitude_m };

        return vec3_add(earth->reference_ned_m, off_m);
}

struct mexo_place mexo_from_ned(const struct mexo_earth *earth, struct vec3 pos_ned_m)
{
        struct vec3 off_m = vec3_sub(pos_ned_m, earth->reference_ned_m);

        return (struct mexo_place){
                .lat_deg = earth->reference.lat_deg + off_m.x / earth->north_m_per_deg,
                .lon_deg = earth->reference.lon_deg + off_m.y / earth->east_m_per_deg,
                .altitude_m = earth->reference.altitude_m - off_m.z,
        };
}
