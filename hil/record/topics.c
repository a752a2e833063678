/* Fields of the topics' table as ULog's formats, and between their structs and the log's bytes. */
#include "hil/record/topics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"

static const struct {
        const char *name;
        size_t size;
} types[] = {
        [TOPIC_F32] = { "float", 4 },    [TOPIC_F64] = { "double", 8 },
        [TOPIC_U8] = { "uint8_t", 1 },   [TOPIC_I32] = { "int32_t", 4 },
        [TOPIC_U32] = { "uint32_t", 4 }, [TOPIC_I64] = { "int64_t", 8 },
        [TOPIC_U64] = { "uint64_t", 8 }, [TOPIC_BOOL] = { "bool", 1 },
        [TOPIC_FLAG] = { "uint8_t", 1 }, [TOPIC_PERCENT] = { "int8_t", 1 },
        [TOPIC_CHARS] = { "char", 1 },
};

/* What the writer may put in, every reader finds room for. */
_Static_assert(TOPIC_COUNT + SONAR_TOPICS - 1 <= ULOG_FORMATS_MAX,
               "a reader knows every format");
_Static_assert(VEHICLES_MAX *(TOPIC_COUNT - 1 + SONARS_MAX) <= ULOG_TOPICS_MAX,
               "a reader knows every vehicle's topics");
_Static_assert(VEHICLES_MAX <= UINT8_MAX + 1 &&
                       SONAR_TOPIC_VEHICLES * SONARS_MAX <= UINT8_MAX + 1,
               "an instance is a byte");
_Static_assert(EVENT_TEXT_MAX + 32 <= ULOG_MESSAGE_MAX &&
                       SONARS_MAX * sizeof(double) + 32 <= ULOG_MESSAGE_MAX &&
                       ROTORS_MAX * (3 * sizeof(float) + 4 + 1) + 8 <= ULOG_MESSAGE_MAX,
               "a message holds the longest records");

static int field_count(const struct topic *t)
{
        int n = 0;

        while (n < TOPIC_FIELDS_MAX && t->field[n].name != NULL)
                n++;
        return n;
}

/* The next of names with a space between them, and its length; NULL: no more. */
static const char *next_name(const char *names, int *len)
{
        names += strspn(names, " ");
        *len = (int)strcspn(names, " ");
        return *len > 0 ? names : NULL;
}

static bool is_side_by_side(const struct topic_field *f)
{
        return strchr(f->name, ' ') != NULL;
}

/* "float", or "float[3]". */
static void type_name(const struct topic_field *f, size_t count, char *name, size_t cap)
{
        if (f->count == 1 || is_side_by_side(f))
                snprintf(name, cap, "%s", types[f->type].name);
        else
                snprintf(name, cap, "%s[%zu]", types[f->type].name, count);
}

void topic_name(enum record_topic topic, int vehicle, char *name, size_t cap)
{
        int group = topic == TOPIC_DISTANCE ? vehicle / SONAR_TOPIC_VEHICLES : 0;

        snprintf(name, cap, "%s", record_topic_table[topic].name);
        if (group > 0)
                snprintf(name + strlen(name), cap - strlen(name), "_%d", group + 1);
}

/* Which topic of ours has that name; -1: none. *first: the vehicle whose instances begin at 0. */
static int find_topic(const char *name, int *first)
{
        const char *sonars = record_topic_table[TOPIC_DISTANCE].name;
        size_t len = strlen(sonars);
        char own[ULOG_NAME_MAX];

        *first = 0;
        for (int i = 0; i < TOPIC_COUNT; i++)
                if (strcmp(record_topic_table[i].name, name) == 0)
                        return i;
        if (strncmp(name, sonars, len) != 0 || name[len] != '_')
                return -1;
        for (; *first < VEHICLES_MAX; *first += SONAR_TOPIC_VEHICLES) {
                topic_name(TOPIC_DISTANCE, *first, own, sizeof own);
                if (strcmp(own, name) == 0)
                        return TOPIC_DISTANCE;
        }
        return -1;
}

void topic_format(enum record_topic topic, int vehicle, char *format, size_t cap)
{
        const struct topic *t = &record_topic_table[topic];
        char name[ULOG_NAME_MAX];
        size_t n;

        topic_name(topic, vehicle, name, sizeof name);
        n = (size_t)snprintf(format, cap, "%s:uint64_t timestamp;%s", name,
                             t->sampled ? "uint64_t timestamp_sample;" : "");

        for (int i = 0; i < field_count(t); i++) {
                const char *field = t->field[i].name;
                char type[32];
                int len;

                type_name(&t->field[i], (size_t)t->field[i].count, type, sizeof type);
                for (; (field = next_name(field, &len)) != NULL && n < cap; field += len)
                        n += (size_t)snprintf(format + n, cap - n, "%s %.*s;", type, len,
                                              field);
        }
        assert(n < cap);
}

/* Integers of a struct: those that are logged signed are so there too. */
static int64_t load_integer(const void *from, size_t size)
{
        int64_t wide;
        int32_t narrow;

        if (size == 1)
                return *(const uint8_t *)from;
        if (size == sizeof narrow) {
                memcpy(&narrow, from, sizeof narrow);
                return narrow;
        }
        memcpy(&wide, from, sizeof wide);
        return wide;
}

static void store_integer(void *to, size_t size, int64_t value)
{
        int32_t narrow = (int32_t)value;

        if (size == sizeof narrow)
                memcpy(to, &narrow, size);
        else
                memcpy(to, &value, size);
}

/* From one value of the field to the next in its struct; 0: it has none there. */
static size_t stride_of(const struct topic_field *f)
{
        return f->count == 1 ? f->size : f->size / (size_t)f->count;
}

static void put_integers(const struct topic_field *f, const uint8_t *from,
                         struct ulog_message *m)
{
        size_t stride = stride_of(f), size = types[f->type].size;
        int64_t scale = f->type == TOPIC_PERCENT ? 100 : 1;

        for (int i = 0; i < f->count; i++, from += stride) {
                int64_t value = stride == 0 ? (int64_t)f->number
                                            : scale * load_integer(from, stride);

                if (size == 1)
                        ulog_put_u8(m, (unsigned)value);
                else if (size == 4)
                        ulog_put_u32(m, (uint32_t)value);
                else
                        ulog_put_u64(m, (uint64_t)value);
        }
}

static void put_reals(const struct topic_field *f, const uint8_t *from,
                      struct ulog_message *m)
{
        size_t stride = stride_of(f);
        double scale = f->number != 0.0 ? f->number : 1.0, value = f->number;

        assert(stride == 0 || stride == sizeof value);
        for (int i = 0; i < f->count; i++, from += stride) {
                if (stride > 0) {
                        memcpy(&value, from, sizeof value);
                        value *= scale;
                }
                if (f->type == TOPIC_F32)
                        ulog_put_f32(m, value);
                else
                        ulog_put_f64(m, value);
        }
}

void topic_encode(enum record_topic topic, const void *from, struct ulog_message *m)
{
        const struct topic *t = &record_topic_table[topic];

        for (int i = 0; i < TOPIC_FIELDS_MAX && t->field[i].name != NULL; i++) {
                const struct topic_field *f = &t->field[i];
                const uint8_t *at = (const uint8_t *)from + f->offset;

                if (f->type == TOPIC_CHARS)
                        ulog_put_chars(m, (const char *)at, f->size);
                else if (f->type == TOPIC_F32 || f->type == TOPIC_F64)
                        put_reals(f, at, m);
                else
                        put_integers(f, at, m);
        }
}

/* How much room a text has changes from version to version. */
static bool text_found(const struct ulog_reader *r, int at, const struct topic_field *f,
                       struct topic_source *s, size_t *offset)
{
        const char *fields = r->format[r->topic[at].format].fields, *place;
        size_t len = r->format[r->topic[at].format].fields_len;
        char declared[80], type[32];

        /* What this finds of another field, ulog_field() refuses. */
        snprintf(declared, sizeof declared, "] %s;", f->name);
        place = memmem(fields, len, declared, strlen(declared));
        while (place != NULL && place > fields && place[-1] >= '0' && place[-1] <= '9')
                place--;
        if (place == NULL)
                return false;
        s->text_len = strtoul(place, NULL, 10);
        type_name(f, s->text_len, type, sizeof type);
        return ulog_field(r, at, f->name, type, offset);
}

/* Fields side by side are read as one: they must lie so in this log too. */
static bool field_found(const struct ulog_reader *r, int at, const struct topic_field *f,
                        struct topic_source *s, size_t *offset)
{
        const char *names = f->name;
        size_t begin = 0;
        char type[32];
        int len;

        if (f->type == TOPIC_CHARS)
                return text_found(r, at, f, s, offset);
        type_name(f, (size_t)f->count, type, sizeof type);
        for (int k = 0; (names = next_name(names, &len)) != NULL; k++, names += len) {
                char name[ULOG_NAME_MAX];

                snprintf(name, sizeof name, "%.*s", len, names);
                if (!ulog_field(r, at, name, type, offset))
                        return false;
                begin = k == 0 ? *offset : begin;
                if (*offset != begin + (size_t)k * types[f->type].size)
                        return false;
        }
        *offset = begin;
        return true;
}

static struct topic_source find_source(const struct ulog_reader *r, int at)
{
        struct topic_source s = { .topic = -1 };
        int instance = r->topic[at].instance, first;
        const struct topic *t;

        s.topic = find_topic(r->format[r->topic[at].format].name, &first);
        if (s.topic < 0)
                return s;
        t = &record_topic_table[s.topic];
        s.vehicle = s.topic == TOPIC_DISTANCE ? first + instance / SONARS_MAX : instance;
        s.sonar = s.topic == TOPIC_DISTANCE ? instance % SONARS_MAX : 0;
        s.unread = s.vehicle >= VEHICLES_MAX ||
                   (t->sampled &&
                    !ulog_field(r, at, "timestamp_sample", "uint64_t", &s.sample_at));
        for (int i = 0; i < field_count(t); i++)
                if (t->field[i].read &&
                    !field_found(r, at, &t->field[i], &s, &s.offset[i]))
                        s.unread = true;
        return s;
}

struct topic_reader *topic_reader_open(const void *bytes, size_t len, bool *readable)
{
        struct topic_reader *r = calloc(1, sizeof *r);

        *readable = r != NULL && ulog_open(&r->ulog, bytes, len);
        return r;
}

const char *topic_reader_refusal(const void *bytes, size_t len)
{
        return ulog_is_header_cut(bytes, len)
                       ? "ends inside its header: nothing was recorded"
                       : "is not a ULog file";
}

/* A record's topic is subscribed before it, so that none is unknown here. */
bool topic_reader_next(struct topic_reader *r, struct ulog_record *record,
                       const struct topic_source **source)
{
        *source = NULL;
        if (!ulog_next(&r->ulog, record))
                return false;
        for (; r->known < r->ulog.topics; r->known++)
                r->source[r->known] = find_source(&r->ulog, r->known);
        if (record->type == 'D' && r->source[record->topic].topic >= 0)
                *source = &r->source[record->topic];
        return true;
}

static void get_reals(const struct topic_field *f, const uint8_t *data, uint8_t *to)
{
        double scale = f->number != 0.0 ? f->number : 1.0;

        for (int i = 0; i < f->count; i++, to += sizeof scale) {
                double value = f->type == TOPIC_F32 ? (double)le_get_f32(data + 4 * i)
                                                    : le_get_f64(data + 8 * i);

                value /= scale;
                memcpy(to, &value, sizeof value);
        }
}

static void get_integer(enum topic_type type, const uint8_t *data, uint8_t *to,
                        size_t size)
{
        switch (type) {
        case TOPIC_U8:
                store_integer(to, size, *data);
                break;
        case TOPIC_I32:
                store_integer(to, size, (int32_t)le_get_u32(data));
                break;
        case TOPIC_U32:
                store_integer(to, size, le_get_u32(data));
                break;
        case TOPIC_I64:
        case TOPIC_U64:
                store_integer(to, size, (int64_t)le_get_u64(data));
                break;
        case TOPIC_BOOL:
        case TOPIC_FLAG:
        case TOPIC_PERCENT:
                *(bool *)to = *data != 0;
                break;
        case TOPIC_F32:
        case TOPIC_F64:
        case TOPIC_CHARS:
                break;
        }
}

static void get_field(const struct topic_field *f, const uint8_t *data, uint8_t *to)
{
        size_t stride = stride_of(f), size = types[f->type].size;

        if (f->type == TOPIC_F32 || f->type == TOPIC_F64)
                get_reals(f, data, to);
        else
                for (int i = 0; i < f->count; i++, data += size, to += stride)
                        get_integer(f->type, data, to, stride);
}

void topic_decode(const struct topic_source *s, const uint8_t *data,
                  struct topic_record *to)
{
        const struct topic *t = &record_topic_table[s->topic];

        for (int i = 0; i < TOPIC_FIELDS_MAX && t->field[i].name != NULL; i++) {
                const struct topic_field *f = &t->field[i];
                uint8_t *at = (uint8_t *)to + t->place + f->offset;

                if (!f->read)
                        continue;
                if (f->type == TOPIC_CHARS) {
                        memset(at, 0, f->size);
                        memcpy(at, data + s->offset[i],
                               s->text_len < f->size ? s->text_len : f->size - 1);
                        continue;
                }
                get_field(f, data + s->offset[i], at);
        }
}

int64_t topic_sample_us(const struct topic_source *s, const uint8_t *data)
{
        uint64_t t_us = le_get_u64(data + s->sample_at);

        return t_us > INT64_MAX ? -1 : (int64_t)t_us;
}
