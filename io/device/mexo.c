/* A MEXO server (Gruber, appendix B) at a port of a vehicle: one connection, lines in, an answer to each, STAT, POSE and
 * DEL out, and set-points for the flight controller in place of the scenario's. What a peer sends is bounded: a line,
 * the queue of commands, and the answers that wait. What exceeds that is dropped and counted. */
#include "io/device/device.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS_NS   1000000LL
#define S_NS    (1000 * MS_NS)
#define STAT_NS S_NS /* chosen: the print's came as the battery's sensor did */
#define DEG     (180.0 / 3.14159265358979323846)

#define OUT_BYTES 4096
/* Left to answers: messages do not take the last of it. */
#define OUT_SPARE 1024
/* On its back and at rest for so long, it is broken. */
#define BROKEN_NS     (2 * S_NS)
#define BROKEN_COS    0.0
#define AT_REST_MPS   0.1
#define GPS_FIX_LEAST 4 /* satellites */

struct mexo {
        struct device device;
        struct mexo_settings settings;
        struct codec_origin origin;
        char name[64]; /* of the vehicle: which RobotName this port has */
        double battery_c;
        struct mexo_drone drone;
        int64_t t_ns, pose_due_ns, stat_due_ns;
        bool known; /* the chosen sensor has said something, */
        bool fresh; /* and that since the last POSE */
        bool fix;
        int64_t upright_ns; /* when it last was not on its back */
        struct mexo_pose pose; /* as the chosen sensor has it */
        double current_a, used_c;
        bool metered; /* the power module has said so */
        bool leaving; /* DEL is under way, then it hangs up */
        bool overlong; /* the rest of a line that is too long */
        size_t line_len, out_len;
        char line[MEXO_LINE_MAX];
        char out[OUT_BYTES];
};

/* Whole or not at all. */
__attribute__((format(printf, 3, 4))) static void say_line(struct mexo *m, size_t spare,
                                                           const char *format, ...)
{
        char text[300];
        va_list list;
        int len;

        va_start(list, format);
        len = vsnprintf(text, sizeof text - 2, format, list);
        va_end(list);
        if (len < 0 || (size_t)len >= sizeof text - 2 ||
            m->out_len + (size_t)len + 2 + spare > sizeof m->out) {
                m->device.counts.errors++;
                return;
        }
        memcpy(text + len, "\r\n", 2);
        memcpy(m->out + m->out_len, text, (size_t)len + 2);
        m->out_len += (size_t)len + 2;
        m->device.counts.messages_out++;
}

static bool is_other_name(const struct mexo *m, const struct mexo_command *c,
                          struct mexo_refusal *why)
{
        if (c->verb != MEXO_POWER || strcmp(c->name, m->name) == 0)
                return false;
        why->code = MEXO_BAD_VALUE;
        snprintf(why->text, sizeof why->text, "RobotName of this port is %s", m->name);
        return true;
}

static void answer_line(struct mexo *m)
{
        struct mexo_refusal why = { 0 };
        struct mexo_command c;

        if (mexo_parse(m->line, m->line_len, &c, &why) && !is_other_name(m, &c, &why) &&
            mexo_drone_take(&m->drone, &m->settings, &c, m->known ? &m->pose : NULL,
                            m->t_ns, &why)) {
                m->device.counts.messages_in++;
                say_line(m, 0, "ACK");
                return;
        }
        m->device.counts.errors++;
        say_line(m, 0, "ERR %d %s", (int)why.code, why.text);
}

static void end_line(struct mexo *m)
{
        if (m->overlong) {
                m->device.counts.errors++;
                say_line(m, 0, "ERR %d Line is longer than %d characters",
                         (int)MEXO_UNREADABLE, MEXO_LINE_MAX);
        } else if (m->line_len > 0) {
                answer_line(m);
        }
        m->overlong = false;
        m->line_len = 0;
}

/* CR LF, LF CR, or one of them: what lies between two is an empty line. */
static void mexo_take(struct device *d, const uint8_t *bytes, size_t len,
                      struct packets *out)
{
        struct mexo *m = (struct mexo *)d;

        (void)out;
        for (size_t i = 0; i < len && !m->leaving; i++) {
                if (bytes[i] == '\n' || bytes[i] == '\r')
                        end_line(m);
                else if (m->line_len < sizeof m->line)
                        m->line[m->line_len++] = (char)bytes[i];
                else
                        m->overlong = true;
        }
}

/* The receiver's degrees are WGS-84's; the port's own may be the print's. */
static struct vec3 gps_to_ned(const struct mexo *m, const struct gps_sample *s)
{
        const struct codec_origin *o = &m->origin;

        return (struct vec3){ (s->lat_rad - o->lat_rad) * o->north_m_per_rad,
                              (s->lon_rad - o->lon_rad) * o->east_m_per_rad,
                              o->height_m - s->height_m };
}

/* Keeps the attitude that it has: a receiver gives none, the print's took it from elsewhere too. */
static void sense_place(struct mexo *m, const struct sensor_frame *f)
{
        struct vec3 euler_rad = quat_to_euler(f->pose.q_body_to_ned);
        struct mexo_pose pose = { f->pose.pos_ned_m, euler_rad };

        if (m->settings.sensor == MEXO_SEN_GPS) {
                if ((f->fresh & SENSOR_BIT(SENSOR_GPS)) == 0 || !m->fix)
                        return;
                pose.pos_ned_m = gps_to_ned(m, &f->gps);
        } else if (m->settings.sensor == MEXO_SEN_INS) {
                if ((f->fresh & SENSOR_BIT(SENSOR_INS)) == 0)
                        return;
                pose = (struct mexo_pose){ f->ins.pos_ned_m, f->ins.euler_rad };
        }
        if (!isfinite(vec3_norm(pose.pos_ned_m)) || !isfinite(vec3_norm(pose.euler_rad)))
                return;
        m->pose = pose;
        m->known = m->fresh = true;
}

static void sense_vehicle(struct mexo *m, const struct device_feed *feed)
{
        const struct sensor_frame *f = feed->frame;
        struct vec3 up = quat_rotate(f->pose.q_body_to_ned, (struct vec3){ 0, 0, -1 });

        m->t_ns = feed->t_ns;
        if (f->fresh & SENSOR_BIT(SENSOR_GPS))
                m->fix = f->gps.fix == GPS_FIX_3D && f->gps.satellites >= GPS_FIX_LEAST;
        if (f->fresh & SENSOR_BIT(SENSOR_POWER)) {
                m->metered = true;
                m->current_a = f->power.current_a;
                m->used_c = f->power.charge_used_c;
        }
        sense_place(m, f);
        if (-up.z > BROKEN_COS || vec3_norm(f->pose.vel_ned_mps) > AT_REST_MPS)
                m->upright_ns = feed->t_ns;
}

static int64_t ms_since(const struct mexo *m, int64_t since_ns)
{
        return (m->t_ns - since_ns) / MS_NS;
}

/* " {FlightTime 1200}" while the engines run, and always the time since POWER. */
static void write_times(const struct mexo *m, char out[80])
{
        int used = 0;

        if (m->drone.engines)
                used = snprintf(out, 80, " {FlightTime %lld}",
                                (long long)ms_since(m, m->drone.started_ns));
        snprintf(out + used, 80 - (size_t)used, " {OpTime %lld}",
                 (long long)ms_since(m, m->drone.powered_ns));
}

static void say_pose(struct mexo *m)
{
        struct mexo_place at = mexo_from_ned(&m->settings.at, m->pose.pos_ned_m);
        struct vec3 angle = vec3_scale(DEG, m->pose.euler_rad);
        char times[80];

        write_times(m, times);
        say_line(m, OUT_SPARE,
                 "POSE {Location %.8f,%.8f,%.3f} {Orientation %.3f,%.3f,%.3f} {GPSfix "
                 "%d}%s",
                 at.lat_deg, at.lon_deg, at.altitude_m, angle.x, angle.y, angle.z, m->fix,
                 times);
}

/* Remaining charge over current. Without a meter, or without a current, nothing is known of it, and Batt left out. */
static void say_stat(struct mexo *m)
{
        double left_s = fmax(m->battery_c - m->used_c, 0.0) / m->current_a;
        char times[80], batt[40] = "";

        write_times(m, times);
        if (m->metered && m->battery_c > 0.0 && m->current_a > 0.0 && left_s < 1e9)
                snprintf(batt, sizeof batt, " {Batt %.0f}", left_s);
        say_line(m, OUT_SPARE, "STAT%s%s", batt, times);
}

static void say_deleted(struct mexo *m)
{
        say_line(m, 0, "DEL {Robotname %s}", m->name);
        m->leaving = true;
}

static bool is_due(int64_t *due_ns, int64_t t_ns, int64_t every_ns)
{
        if (t_ns < *due_ns)
                return false;
        *due_ns += every_ns;
        if (*due_ns <= t_ns)
                *due_ns = t_ns + every_ns;
        return true;
}

/* The drone is deleted: once it lies on its back, nothing can be asked of it. */
static void notice_broken(struct mexo *m)
{
        if (m->t_ns - m->upright_ns < BROKEN_NS || m->leaving)
                return;
        mexo_drone_abandon(&m->drone);
        say_line(m, 0, "ERR %d Robot broke", (int)MEXO_BROKE);
        say_deleted(m);
}

static void say_messages(struct mexo *m)
{
        if (m->drone.removed) {
                m->drone.removed = false;
                say_deleted(m);
        }
        if (!m->drone.powered)
                return;
        notice_broken(m);
        if (m->leaving)
                return;
        if (is_due(&m->stat_due_ns, m->t_ns, STAT_NS))
                say_stat(m);
        if (is_due(&m->pose_due_ns, m->t_ns, m->settings.sample_ns)) {
                mexo_drone_step(&m->drone, &m->settings, m->fresh ? &m->pose : NULL,
                                m->t_ns);
                /* Only valid measurements, and each once. */
                if (m->fresh)
                        say_pose(m);
                m->fresh = false;
        }
}

static void send_out(struct mexo *m, struct packets *out)
{
        size_t sent = 0;

        while (sent < m->out_len && out->count < CODEC_PACKETS_MAX) {
                struct packet *p = &out->packet[out->count++];
                size_t len = m->out_len - sent;

                p->channel = 0;
                p->len = (uint16_t)(len < PACKET_MAX ? len : PACKET_MAX);
                memcpy(p->bytes, m->out + sent, p->len);
                sent += p->len;
        }
        m->out_len -= sent;
        memmove(m->out, m->out + sent, m->out_len);
}

static void mexo_feed(struct device *d, const struct device_feed *feed,
                      struct packets *out)
{
        struct mexo *m = (struct mexo *)d;

        sense_vehicle(m, feed);
        say_messages(m);
        send_out(m, out);
}

static bool mexo_ask(struct device *d, struct device_wish *out)
{
        struct mexo_drone *drone = &((struct mexo *)d)->drone;

        if (!drone->asked_anew && drone->note[0] == '\0')
                return false;
        *out = (struct device_wish){ .flies = drone->asked_anew,
                                     .setpoint = drone->asked };
        snprintf(out->what, sizeof out->what, "%s", drone->note);
        drone->asked_anew = false;
        drone->note[0] = '\0';
        return true;
}

static void mexo_peer_left(struct device *d)
{
        struct mexo *m = (struct mexo *)d;

        mexo_drone_abandon(&m->drone);
        m->leaving = m->overlong = false;
        m->line_len = m->out_len = 0;
}

static bool mexo_hangs_up(const struct device *d)
{
        const struct mexo *m = (const struct mexo *)d;

        return m->leaving && m->out_len == 0;
}

static void mexo_destroy(struct device *d)
{
        free(d);
}

const struct device_ops device_mexo_ops = {
        .name = "mexo",
        .what = "a MEXO server: a mission executor flies the vehicle by lines of text",
        .feed = mexo_feed,
        .take = mexo_take,
        .ask = mexo_ask,
        .peer_left = mexo_peer_left,
        .hangs_up = mexo_hangs_up,
        .destroy = mexo_destroy,
};

/* Where a rig file leaves it open: the world's own. */
static void settle_earth(struct mexo *m)
{
        const struct codec_origin *o = &m->origin;
        struct mexo_earth *earth = &m->settings.at;
        bool printed = m->settings.earth == MEXO_DEGREES_PRINTED;

        if (!m->settings.has_reference)
                earth->reference = (struct mexo_place){ o->lat_rad * DEG,
                                                        o->lon_rad * DEG, o->height_m };
        earth->north_m_per_deg = printed ? 111200.0 : o->north_m_per_rad / DEG;
        earth->east_m_per_deg = printed ? 71670.0 : o->east_m_per_rad / DEG;
}

struct device *device_mexo_create(const struct device_setup *setup)
{
        struct mexo *m = calloc(1, sizeof *m);

        if (m == NULL)
                return NULL;
        m->device.ops = &device_mexo_ops;
        if (setup->mexo != NULL)
                m->settings = *setup->mexo;
        m->origin = setup->origin;
        m->battery_c = setup->battery_c;
        snprintf(m->name, sizeof m->name, "%s",
                 setup->vehicle_name != NULL ? setup->vehicle_name : "Drone1");
        settle_earth(m);
        if (m->settings.sample_ns <= 0)
                m->settings.sample_ns = 100 * MS_NS;
        return &m->device;
}
