/* Source "mavlink": an autopilot, or what forwards its telemetry. Asks for what does not come. To the aircraft go the
 * ranges of its twin's sonars, to everybody behind the link where the simulated vehicles are. */
#include <stdio.h>
#include <stdlib.h>

#include "io/codec/mavlink_values.h"
#include "io/twin/mavlink_words.h"

#define NEVER_NS         (INT64_MIN / 2)
#define SECOND_NS        INT64_C(1000000000)
#define RANGES_PERIOD_NS INT64_C(50000000)
#define OTHERS_PERIOD_NS INT64_C(200000000)
#define READS_MAX        16 /* a call */
#define WAITING_MAX      4096

enum {
        STATION = 255,
        INTERVAL_US = 20000, /* asked for */
        FIRST_ID = 254, /* of simulated vehicles, downwards */
        OTHERS_MAX = 64,
        LEAST_CM = 1,
        MOST_CM = 6000, /* further than that: nothing */
        ASKS = 3 /* for all of them at first: some come already, but seldom */
};

struct mavlink_source {
        struct twin_source source;
        struct link *link;
        struct mavlink_stream stream;
        struct mavlink_words words;
        struct mavlink_sender sender[OTHERS_MAX + 1]; /* [0]: the rig itself */
        uint8_t in[2048];
        size_t in_first, in_len;
        uint8_t waiting[WAITING_MAX]; /* what a stream did not accept yet */
        size_t waiting_len;
        int asks;
        int64_t beat_ns, ranges_ns, others_ns, alive_ns; /* last sent, host time */
        int64_t ranges_every_ns, others_every_ns;
        int sonars;
        uint8_t orientation[SONARS_MAX];
};

/* False: the link has no room yet. */
static bool flush_waiting(struct mavlink_source *s)
{
        int n;

        if (s->waiting_len == 0)
                return true;
        n = link_write(s->link, s->waiting, s->waiting_len);
        if (n == LINK_GONE)
                s->source.gone = true;
        if (n <= 0)
                return false;
        s->waiting_len -= (size_t)n;
        memmove(s->waiting, s->waiting + n, s->waiting_len);
        return s->waiting_len == 0;
}

/* A message goes out whole, or is dropped and counted. */
static void send_message(struct mavlink_source *s, int sender, uint32_t id,
                         const void *values)
{
        uint8_t bytes[MAVLINK_FRAME_MAX];
        size_t len = mavlink_send(&s->sender[sender], id, values, bytes);
        bool clear = flush_waiting(s);
        int n = clear && !s->source.gone ? link_write(s->link, bytes, len) : 0;

        if (n == LINK_GONE)
                s->source.gone = true;
        if (n <= 0 && (s->link->packets || clear || s->source.gone ||
                       s->waiting_len + len > sizeof s->waiting)) {
                s->source.counts.dropped++;
                return;
        }
        memcpy(s->waiting + s->waiting_len, bytes + n, len - (size_t)n);
        s->waiting_len += len - (size_t)n;
        s->source.counts.told++;
}

static void send_heartbeat(struct mavlink_source *s, int sender)
{
        struct mavlink_heartbeat beat = {
                .type = sender == 0 ? MAV_TYPE_GCS : MAV_TYPE_QUADROTOR,
                .autopilot = sender == 0 ? MAV_AUTOPILOT_INVALID : MAV_AUTOPILOT_GENERIC,
                .base_mode = sender == 0 ? 0 : MAV_MODE_FLAG_SAFETY_ARMED,
                .system_status = MAV_STATE_ACTIVE,
                .mavlink_version = 3,
        };

        send_message(s, sender, MAVLINK_HEARTBEAT, &beat);
}

static void ask_for(struct mavlink_source *s, uint32_t id)
{
        struct mavlink_command_long command = {
                .param1 = (float)id,
                .param2 = INTERVAL_US,
                .command = MAV_CMD_SET_MESSAGE_INTERVAL,
                .target_system = s->words.aircraft,
                .target_component = MAV_COMP_ID_AUTOPILOT1,
        };

        send_message(s, 0, MAVLINK_COMMAND_LONG, &command);
}

/* Each second: that a station is there, and what is missing. */
static void keep_alive(struct mavlink_source *s, int64_t now_ns)
{
        bool all;

        if (now_ns - s->alive_ns < SECOND_NS || s->source.gone)
                return;
        s->alive_ns = now_ns;
        send_heartbeat(s, 0);
        if (!s->words.alive)
                return;
        all = s->asks < ASKS;
        s->asks += all;
        if (all || now_ns - s->words.position_ns > SECOND_NS)
                ask_for(s, MAVLINK_LOCAL_POSITION_NED);
        if (all || now_ns - s->words.attitude_ns > SECOND_NS)
                ask_for(s, MAVLINK_ATTITUDE_QUATERNION);
        if (all || now_ns - s->words.throttle_ns > SECOND_NS)
                ask_for(s, MAVLINK_VFR_HUD);
}

/* Uses up what was read until a word is whole. */
static bool take_word(struct mavlink_source *s, int64_t now_ns, struct twin_word *word)
{
        while (s->in_first < s->in_len) {
                uint64_t wrong = s->stream.bad_crc;
                struct mavlink_frame frame;
                bool got;

                s->in_first += mavlink_stream_take(&s->stream, s->in + s->in_first,
                                                   s->in_len - s->in_first, &frame, &got);
                s->source.counts.errors += s->stream.bad_crc - wrong;
                if (!got)
                        continue;
                link_confirm(s->link);
                switch (mavlink_words_take(&s->words, now_ns, &frame, word)) {
                case MAVLINK_WORD:
                        s->source.counts.words++;
                        return true;
                case MAVLINK_OVERHEARD:
                        s->source.counts.overheard++;
                        break;
                case MAVLINK_MALFORMED:
                        s->source.counts.errors++;
                        break;
                }
        }
        return false;
}

static bool mavlink_take(struct twin_source *source, int64_t now_ns,
                         struct twin_word *word)
{
        struct mavlink_source *s = (struct mavlink_source *)source;

        link_at(s->link, now_ns);
        keep_alive(s, now_ns);
        for (int i = 0; i < READS_MAX; i++) {
                int n;

                if (take_word(s, now_ns, word))
                        return true;
                if (source->gone)
                        return false;
                n = link_read(s->link, s->in, sizeof s->in);
                source->gone = n == LINK_GONE;
                source->fd = s->link->fd;
                if (n <= 0)
                        return false;
                s->in_first = 0;
                s->in_len = (size_t)n;
        }
        return false;
}

/* MAV_SENSOR_ROTATION_... nearest to where a sonar looks. */
static uint8_t orientation_of(struct vec3 axis_body)
{
        double level = hypot(axis_body.x, axis_body.y);

        if (fabs(axis_body.z) > level)
                return axis_body.z > 0.0 ? MAV_SENSOR_ROTATION_PITCH_270
                                         : MAV_SENSOR_ROTATION_PITCH_90;
        return (uint8_t)((lrint(atan2(axis_body.y, axis_body.x) / (M_PI / 4.0)) + 8) % 8);
}

static void send_ranges(struct mavlink_source *s, const struct twin_told *told)
{
        for (int i = 0; i < told->sonars && i < s->sonars; i++) {
                double range_cm = told->range_m[i] * 100.0;
                struct mavlink_distance_sensor m = {
                        .time_boot_ms = (uint32_t)(told->t_ns / 1000000),
                        .min_distance = LEAST_CM,
                        .max_distance = MOST_CM,
                        .type = MAV_DISTANCE_SENSOR_ULTRASOUND,
                        .id = (uint8_t)i,
                        .orientation = s->orientation[i],
                };

                /* Written so that NaN is nothing. */
                m.current_distance = range_cm <= MOST_CM
                                             ? (uint16_t)fmax(range_cm, LEAST_CM)
                                             : MOST_CM + 1;
                send_message(s, 0, MAVLINK_DISTANCE_SENSOR, &m);
        }
}

static int32_t to_degrees_e7(double rad)
{
        return (int32_t)lrint(remainder(rad, 2.0 * M_PI) * DEG_PER_RAD * 1e7);
}

static int16_t to_cm(double mps)
{
        return (int16_t)lrint(fmax(-32767.0, fmin(mps * 100.0, 32767.0)));
}

static void send_other(struct mavlink_source *s, int sender, int64_t t_ns,
                       const struct twin_other *other)
{
        const struct codec_origin *o = &s->words.origin;
        struct vec3 pos = other->pose.pos_ned_m;
        double yaw = quat_to_euler(other->pose.q_body_to_ned).z;
        struct mavlink_global_position_int m = {
                .time_boot_ms = (uint32_t)(t_ns / 1000000),
                .lat = to_degrees_e7(o->lat_rad + pos.x / o->north_m_per_rad),
                .lon = to_degrees_e7(o->lon_rad + pos.y / o->east_m_per_rad),
                .alt = (int32_t)lrint((o->height_m - pos.z) * 1e3),
                .relative_alt = (int32_t)lrint(-pos.z * 1e3),
                .vx = to_cm(other->vel_ned_mps.x),
                .vy = to_cm(other->vel_ned_mps.y),
                .vz = to_cm(other->vel_ned_mps.z),
                .hdg = (uint16_t)(lrint((yaw < 0.0 ? yaw + 2.0 * M_PI : yaw) *
                                        DEG_PER_RAD * 100.0) %
                                  36000),
        };

        send_message(s, sender, MAVLINK_GLOBAL_POSITION_INT, &m);
}

/* A vehicle keeps its number, and so its id; the aircraft's is left out. */
static void send_others(struct mavlink_source *s, int64_t now_ns,
                        const struct twin_told *told)
{
        bool beat = now_ns - s->beat_ns >= SECOND_NS;

        if (beat)
                s->beat_ns = now_ns;
        for (int i = 0; i < told->others; i++) {
                int number = told->other[i].number;

                if (number < 0 || number >= OTHERS_MAX)
                        continue;
                if (beat)
                        send_heartbeat(s, number + 1);
                send_other(s, number + 1, told->t_ns, &told->other[i]);
        }
}

static void mavlink_tell(struct twin_source *source, int64_t now_ns,
                         const struct twin_told *told)
{
        struct mavlink_source *s = (struct mavlink_source *)source;

        if (!source->gone && now_ns - s->ranges_ns >= s->ranges_every_ns) {
                s->ranges_ns = now_ns;
                send_ranges(s, told);
        }
        if (!source->gone && now_ns - s->others_ns >= s->others_every_ns) {
                s->others_ns = now_ns;
                send_others(s, now_ns, told);
        }
}

static void mavlink_close(struct twin_source *source)
{
        struct mavlink_source *s = (struct mavlink_source *)source;

        link_close(s->link);
        free(s);
}

const struct twin_source_ops twin_mavlink_ops = {
        .name = "mavlink",
        .what = "an autopilot's MAVLink, over a link",
        .open = twin_mavlink_open,
        .take = mavlink_take,
        .tell = mavlink_tell,
        .close = mavlink_close,
};

static bool read_aircraft(const char *text, uint8_t *aircraft, struct link_error *why)
{
        char *end;
        long id = text != NULL ? strtol(text, &end, 10) : 0;

        if (id < 1 || id > FIRST_ID || *end != '\0') {
                snprintf(why->text, sizeof why->text,
                         "aircraft: must be a MAVLink system id, 1 to %d, is \"%s\"",
                         FIRST_ID, text != NULL ? text : "");
                return false;
        }
        *aircraft = (uint8_t)id;
        return true;
}

struct twin_source *twin_mavlink_open(const struct twin_setup *setup,
                                      struct link_error *why)
{
        struct mavlink_source *s;
        struct link_spec spec;
        uint8_t aircraft;

        if (!read_aircraft(setup->aircraft, &aircraft, why) ||
            !link_spec_parse(&spec, setup->where, why))
                return NULL;
        s = calloc(1, sizeof *s);
        if (s == NULL) {
                snprintf(why->text, sizeof why->text, "mavlink: no memory");
                return NULL;
        }
        spec.patience_ms = setup->patience_ms;
        s->link = link_open(&spec, why);
        if (s->link == NULL) {
                free(s);
                return NULL;
        }
        s->source = (struct twin_source){ .ops = &twin_mavlink_ops, .fd = s->link->fd };
        s->beat_ns = s->ranges_ns = s->others_ns = s->alive_ns = NEVER_NS;
        s->ranges_every_ns = setup->paced ? 0 : RANGES_PERIOD_NS;
        s->others_every_ns = setup->paced ? 0 : OTHERS_PERIOD_NS;
        for (; s->sonars < setup->sonars && s->sonars < SONARS_MAX; s->sonars++)
                s->orientation[s->sonars] =
                        orientation_of(setup->sonar_axis_body[s->sonars]);
        mavlink_words_init(&s->words, aircraft, &setup->origin);
        for (int i = 0; i <= OTHERS_MAX; i++) {
                int id = i == 0 ? STATION : FIRST_ID - (i - 1);

                /* Ids below the aircraft's move down by one. */
                if (i > 0 && id <= aircraft)
                        id--;
                s->sender[i] = (struct mavlink_sender){
                        .version = 2,
                        .system = (uint8_t)id,
                        .component = i == 0 ? MAV_COMP_ID_MISSIONPLANNER
                                            : MAV_COMP_ID_AUTOPILOT1,
                };
        }
        return &s->source;
}
