#include "hil/live/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a frame's vehicle, what a topic's fields count in; NULL: a frame does not hold it. */
static const void *topic_struct(const struct live_vehicle *v, enum record_topic topic,
                                struct topic_pose *truth)
{
        switch (topic) {
        case TOPIC_ATTITUDE_TRUTH:
        case TOPIC_POSITION_TRUTH:
        case TOPIC_RATE_TRUTH:
                *truth = (struct topic_pose){
                        v->tick.truth, quat_to_euler(v->tick.truth.q_body_to_ned).z
                };
                return truth;
        case TOPIC_ATTITUDE:
        case TOPIC_POSITION:
                return v->estimated ? &v->estimate : NULL;
        case TOPIC_SETPOINT:
                return &v->setpoint;
        default:
                return record_topic_table[topic].place ==
                                       offsetof(struct topic_record, tick)
                               ? &v->tick
                               : NULL;
        }
}

/* Of a frame: neither words nor what only the log knows. */
static bool is_held(enum record_topic topic)
{
        return topic != TOPIC_EVENT && topic != TOPIC_RANGES && topic != TOPIC_TWIN &&
               topic != TOPIC_PADS && topic != TOPIC_ACTUATOR_OUTPUTS &&
               topic != TOPIC_VEHICLE_STATUS && topic != TOPIC_SETPOINT_POSITION &&
               topic != TOPIC_TIMESYNC;
}

/* The element's number at the end: "[2]"; false: it is none, or beyond `count`. */
static bool take_element(const char *at, int count, int *element)
{
        char *end;
        long n;

        *element = 0;
        if (at[0] == '\0')
                return true;
        if (at[0] != '[' || at[1] < '0' || at[1] > '9')
                return false;
        n = strtol(at + 1, &end, 10);
        *element = (int)n;
        return strcmp(end, "]") == 0 && n < count;
}

/* "x y z" are fields side by side, whose place in it is their element. */
static bool take_field(struct live_quantity *q, const struct topic_field *f,
                       const char *name)
{
        size_t len = strcspn(name, "[");
        const char *word = f->name;
        bool several = strchr(word, ' ') != NULL;
        int n = 0;

        if (!f->read || f->type == TOPIC_CHARS)
                return false;
        for (; *word != '\0'; word += strspn(word, " "), n++) {
                size_t own = strcspn(word, " ");

                if (own == len && memcmp(word, name, len) == 0) {
                        if (!several)
                                return take_element(name + len, f->count, &q->element);
                        q->element = n;
                        return name[len] == '\0';
                }
                word += own;
        }
        return false;
}

static bool take_topic(struct live_quantity *q, enum record_topic topic, const char *name)
{
        const struct topic *t = &record_topic_table[topic];
        size_t len = strlen(t->name);
        char *end;

        if (!is_held(topic) || strncmp(name, t->name, len) != 0)
                return false;
        name += len;
        /* Each sonar is one of its own. */
        if (topic == TOPIC_DISTANCE && *name == '[') {
                long n = strtol(name + 1, &end, 10);

                if (name[1] < '0' || name[1] > '9' || n >= SONARS_MAX || *end != ']')
                        return false;
                q->sonar = (int)n;
                name = end + 1;
        }
        if (*name++ != '.')
                return false;
        for (int i = 0; i < TOPIC_FIELDS_MAX && t->field[i].name != NULL; i++)
                if (take_field(q, &t->field[i], name)) {
                        q->topic = topic;
                        q->field = i;
                        return true;
                }
        return false;
}

bool live_quantity_find(struct live_quantity *q, const char *name, int vehicles)
{
        char *end;

        *q = (struct live_quantity){ 0 };
        if (strlen(name) >= sizeof q->name)
                return false;
        snprintf(q->name, sizeof q->name, "%s", name);
        if (name[0] == 'v' && name[1] >= '0' && name[1] <= '9') {
                long n = strtol(name + 1, &end, 10);

                if (*end != '.' || n >= vehicles)
                        return false;
                q->vehicle = (int)n;
                name = end + 1;
        }
        for (int t = 0; t < TOPIC_COUNT; t++)
                if (take_topic(q, (enum record_topic)t, name))
                        return true;
        return false;
}

static void put_name(const struct live_quantity_place *at, char *name, size_t cap)
{
        const struct topic *t = &record_topic_table[at->topic];
        const struct topic_field *f = &t->field[at->field];
        const char *word = f->name;
        char sonar[16] = "", element[16] = "";

        if (at->topic == TOPIC_DISTANCE)
                snprintf(sonar, sizeof sonar, "[%d]", at->sonar);
        if (strchr(f->name, ' ') == NULL && f->count > 1)
                snprintf(element, sizeof element, "[%d]", at->element);
        for (int i = 0; strchr(f->name, ' ') != NULL && i < at->element; i++)
                word += strcspn(word, " ") + 1;
        snprintf(name, cap, "%s%s.%.*s%s", t->name, sonar, (int)strcspn(word, " "), word,
                 element);
}

static void step_on(struct live_quantity_place *at)
{
        const struct topic *t = &record_topic_table[at->topic];

        if (++at->element < t->field[at->field].count)
                return;
        at->element = 0;
        if (++at->field < TOPIC_FIELDS_MAX && t->field[at->field].name != NULL)
                return;
        at->field = 0;
        if (at->topic == TOPIC_DISTANCE && ++at->sonar < SONARS_MAX)
                return;
        at->sonar = 0;
        at->topic++;
}

bool live_quantity_next(struct live_quantity_place *at, char *name, size_t cap,
                        const char **unit)
{
        while (at->topic < TOPIC_COUNT) {
                const struct topic_field *f =
                        &record_topic_table[at->topic].field[at->field];
                bool named = is_held((enum record_topic)at->topic) && f->read &&
                             f->type != TOPIC_CHARS;

                if (named) {
                        put_name(at, name, cap);
                        *unit = f->unit;
                }
                step_on(at);
                if (named)
                        return true;
        }
        return false;
}

/* Integers of any size, and enums. */
static double whole_number(const void *at, size_t size)
{
        int64_t i64;
        int32_t i32;
        uint8_t u8;

        if (size == sizeof i64) {
                memcpy(&i64, at, sizeof i64);
                return (double)i64;
        }
        if (size == sizeof i32) {
                memcpy(&i32, at, sizeof i32);
                return i32;
        }
        memcpy(&u8, at, sizeof u8);
        return u8;
}

static double as_logged(const struct topic_field *f, const uint8_t *at, size_t size)
{
        double scale = f->number != 0.0 ? f->number : 1.0;
        double value;
        bool flag;

        switch (f->type) {
        case TOPIC_F32:
        case TOPIC_F64:
                memcpy(&value, at, sizeof value);
                value *= scale;
                return f->type == TOPIC_F32 ? (double)(float)value : value;
        case TOPIC_BOOL:
        case TOPIC_FLAG:
        case TOPIC_PERCENT:
                memcpy(&flag, at, sizeof flag);
                return (f->type == TOPIC_PERCENT ? 100.0 : 1.0) * flag;
        default:
                return whole_number(at, size);
        }
}

double live_quantity_value(const struct live_quantity *q, const struct live_frame *f)
{
        const struct topic_field *field = &record_topic_table[q->topic].field[q->field];
        size_t size = field->size / (size_t)field->count;
        struct topic_pose truth;
        const uint8_t *from;

        if (q->vehicle >= f->vehicles)
                return NAN;
        from = topic_struct(&f->vehicle[q->vehicle], q->topic, &truth);
        if (from == NULL)
                return NAN;
        if (q->topic == TOPIC_DISTANCE)
                from += (size_t)q->sonar * sizeof(struct sonar_sample);
        return as_logged(field, from + field->offset + (size_t)q->element * size, size);
}

bool live_vehicle_take(struct live_vehicle *v, const struct topic_source *s,
                       const struct ulog_record *record)
{
        struct topic_record in = { .tick = v->tick, .setpoint = v->setpoint };
        bool estimate = s->topic == TOPIC_ATTITUDE || s->topic == TOPIC_POSITION;

        if (s->unread || !is_held((enum record_topic)s->topic))
                return false;
        if (estimate)
                in.pose = v->estimate;
        else
                in.pose.state = v->tick.truth;
        if (s->topic == TOPIC_DISTANCE)
                in.tick.frame.sonar[0] = v->tick.frame.sonar[s->sonar];
        topic_decode(s, record->data, &in);
        if (s->topic == TOPIC_DISTANCE) {
                v->tick.frame.sonar[s->sonar] = in.tick.frame.sonar[0];
                return true;
        }
        v->tick = in.tick;
        v->setpoint = in.setpoint;
        if (estimate)
                v->estimate = in.pose;
        else if (record_topic_table[s->topic].place ==
                 offsetof(struct topic_record, pose))
                v->tick.truth = in.pose.state;
        v->estimated |= estimate;
        return true;
}
