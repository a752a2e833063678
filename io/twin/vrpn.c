/* The twin of a tracker's sensor, by VRPN over TCP: position and attitude, and its velocity where the server sends one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/twin/mocap.h"
#include "io/twin/source.h"
#include "io/twin/vrpn_message.h"

#define MESSAGES_MAX 256 /* read in one call */
#define NONE         (-1)

struct twin_vrpn {
        struct twin_source source;
        struct mocap_place place;
        char tracker[100];
        int32_t sensor; /* NONE: any */
        struct link *link;
        int32_t sender, pose, velocity; /* as the server numbers them; NONE */
        struct vrpn_stream stream;
};

static void close_vrpn(struct twin_source *source)
{
        struct twin_vrpn *v = (struct twin_vrpn *)source;

        if (v->link != NULL)
                link_close(v->link);
        free(v);
}

/* "Tracker0", or "Tracker0:2" for its sensor 2. */
static bool name_tracker(struct twin_vrpn *v, const char *aircraft,
                         struct link_error *why)
{
        const char *colon = strrchr(aircraft, ':');
        size_t len = colon != NULL ? (size_t)(colon - aircraft) : strlen(aircraft);
        char *end;
        long sensor;

        v->sensor = NONE;
        if (len == 0 || len >= sizeof v->tracker) {
                snprintf(why->text, sizeof why->text,
                         "%.60s: must be a tracker's name of 1 to 99 characters",
                         aircraft);
                return false;
        }
        memcpy(v->tracker, aircraft, len);
        v->tracker[len] = '\0';
        if (colon == NULL)
                return true;
        sensor = strtol(colon + 1, &end, 10);
        if (end != colon + 1 && *end == '\0' && sensor >= 0 && sensor <= 100000) {
                v->sensor = (int32_t)sensor;
                return true;
        }
        snprintf(why->text, sizeof why->text,
                 "%.60s: behind the colon must be a sensor's number, 0 to 100000",
                 aircraft);
        return false;
}

static bool open_link(struct twin_vrpn *v, const char *where, int patience_ms,
                      struct link_error *why)
{
        uint8_t cookie[VRPN_COOKIE_LEN];
        struct link_spec spec;

        if (!mocap_place_parse(&v->place, where, MOCAP_Z_UP, why) ||
            !link_spec_parse(&spec, v->place.link, why))
                return false;
        if (spec.kind != LINK_TCP || v->place.data_port != 0) {
                snprintf(why->text, sizeof why->text,
                         "%.100s: must be tcp:HOST:PORT of the server (3883), without "
                         "data=",
                         where);
                return false;
        }
        spec.patience_ms = patience_ms;
        v->link = link_open(&spec, why);
        if (v->link == NULL)
                return false;
        vrpn_write_cookie(cookie);
        if (link_write(v->link, cookie, sizeof cookie) == (int)sizeof cookie)
                return true;
        snprintf(why->text, sizeof why->text, "%s: did not take our greeting",
                 v->place.link);
        return false;
}

struct twin_source *twin_vrpn_open(const struct twin_setup *setup, struct link_error *why)
{
        struct twin_vrpn *v = calloc(1, sizeof *v);

        if (v == NULL) {
                snprintf(why->text, sizeof why->text, "out of memory");
                return NULL;
        }
        v->source.ops = &twin_vrpn_ops;
        v->sender = v->pose = v->velocity = NONE;
        if (!name_tracker(v, setup->aircraft, why) ||
            !open_link(v, setup->where, setup->patience_ms, why)) {
                close_vrpn(&v->source);
                return NULL;
        }
        v->source.fd = v->link->fd;
        return &v->source;
}

/* The server says once which number stands for which name. */
static void take_name(struct twin_vrpn *v, const struct vrpn_message *m)
{
        char name[128];

        if (!vrpn_read_name(m, name, sizeof name)) {
                v->source.counts.errors++;
                return;
        }
        if (m->type == VRPN_SENDER && strcmp(name, v->tracker) == 0)
                v->sender = m->sender;
        if (m->type == VRPN_TYPE && strcmp(name, "vrpn_Tracker Pos_Quat") == 0)
                v->pose = m->sender;
        if (m->type == VRPN_TYPE && strcmp(name, "vrpn_Tracker Velocity") == 0)
                v->velocity = m->sender;
}

static bool is_place(struct vec3 at, double limit)
{
        return fabs(at.x) < limit && fabs(at.y) < limit && fabs(at.z) < limit;
}

static bool refuse_message(struct twin_vrpn *v)
{
        v->source.counts.errors++;
        return false;
}

static bool take_pose(struct twin_vrpn *v, const struct vrpn_message *m,
                      struct twin_word *word, int32_t *sensor)
{
        double position[3], orientation[4];

        if (!vrpn_read_pose(m, sensor, position, orientation))
                return refuse_message(v);
        word->pos_ned_m = mocap_to_ned(v->place.axes, position);
        word->said = TWIN_POSITION | TWIN_ATTITUDE;
        return (is_place(word->pos_ned_m, 1e5) &&
                mocap_quat_to_ned(v->place.axes, orientation, &word->q_body_to_ned)) ||
               refuse_message(v);
}

static bool take_velocity(struct twin_vrpn *v, const struct vrpn_message *m,
                          struct twin_word *word, int32_t *sensor)
{
        double velocity[3];

        if (!vrpn_read_velocity(m, sensor, velocity))
                return refuse_message(v);
        word->vel_ned_mps = mocap_to_ned(v->place.axes, velocity);
        word->said = TWIN_VELOCITY;
        return is_place(word->vel_ned_mps, 1e4) || refuse_message(v);
}

static bool take_message(struct twin_vrpn *v, const struct vrpn_message *m,
                         struct twin_word *word)
{
        int32_t sensor = NONE;
        bool ok;

        if (m->type == VRPN_SENDER || m->type == VRPN_TYPE)
                take_name(v, m);
        if (m->type < 0)
                return false;
        if (m->sender != v->sender || (m->type != v->pose && m->type != v->velocity)) {
                v->source.counts.overheard++;
                return false;
        }
        ok = m->type == v->pose ? take_pose(v, m, word, &sensor)
                                : take_velocity(v, m, word, &sensor);
        if (!ok)
                return false;
        if (v->sensor != NONE && sensor != v->sensor) {
                v->source.counts.overheard++;
                return false;
        }
        word->said |= TWIN_TIME;
        word->measured_ns = m->t_ns;
        v->source.counts.words++;
        return true;
}

/* False: nothing more has come. */
static bool receive(struct twin_vrpn *v)
{
        size_t room;
        uint8_t *at = vrpn_stream_room(&v->stream, &room);
        int got = link_read(v->link, at, room < INT32_MAX ? room : INT32_MAX);

        v->source.gone |= got == LINK_GONE;
        if (got <= 0)
                return false;
        vrpn_stream_add(&v->stream, (size_t)got);
        return true;
}

static bool take_vrpn(struct twin_source *source, int64_t now_ns, struct twin_word *word)
{
        struct twin_vrpn *v = (struct twin_vrpn *)source;

        for (int i = 0; i < MESSAGES_MAX && !v->source.gone; i++) {
                struct vrpn_message m;
                enum vrpn_found found = vrpn_stream_next(&v->stream, &m);

                *word = (struct twin_word){ .arrived_ns = now_ns };
                if (found == VRPN_MESSAGE && take_message(v, &m, word))
                        return true;
                if (found == VRPN_BROKEN) {
                        v->source.counts.errors++;
                        v->source.gone = true;
                }
                if (found == VRPN_NOTHING && !receive(v))
                        return false;
        }
        return false;
}

const struct twin_source_ops twin_vrpn_ops = {
        .name = "vrpn",
        .what = "a tracker's sensor, by VRPN 7 over TCP",
        .open = twin_vrpn_open,
        .take = take_vrpn,
        .close = close_vrpn,
};
