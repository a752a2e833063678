/* ArduPilot's DataFlash log as a log of a flight: what its estimator's first core says, or POS where it has none, its
 * first IMU, and the pulses of the outputs that its parameters name as motors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/dataflash.h"
#include "io/log/dataflash_outputs.h"
#include "io/log/flight_reader.h"

#define OUTPUTS                 DATAFLASH_OUTPUTS
#define EVENT_ARMED             10
#define EVENT_DISARMED          11
#define EVENT_AUTO_ARMED        15
#define FIX_OF_THREE_DIMENSIONS 3 /* Status of GPS */
#define EARTH_M_PER_DEG         111319.49079327358 /* 6378137 m */
#define RAD_PER_DEG             (1.0 / DEG_PER_RAD)

enum what {
        WHAT_ATTITUDE,
        WHAT_ESTIMATE,
        WHAT_POSITION,
        WHAT_IMU,
        WHAT_RATE,
        WHAT_OUTPUTS,
        WHAT_BATTERY,
        WHAT_RC,
        WHAT_ARM,
        WHAT_EVENT,
        WHAT_PRESSURE,
        WHAT_FIX
};

/* What several say, the one that stands first says. */
static const struct subject {
        const char *message;
        enum what what;
        enum flight_log_has has;
        const char *instance; /* field that must be 0, where there is one of that name */
        const char *field[7];
} subjects[] = {
        { "BARO", WHAT_PRESSURE, FLIGHT_LOG_PRESSURE, "I", { "Press" } },
        { "GPS",
          WHAT_FIX,
          FLIGHT_LOG_FIX,
          "I",
          { "Status", "Lat", "Lng", "Alt", "Spd", "GCrs", "VZ" } },
        { "XKF1",
          WHAT_ESTIMATE,
          FLIGHT_LOG_POSITION,
          "C",
          { "PN", "PE", "PD", "VN", "VE", "VD" } },
        { "NKF1",
          WHAT_ESTIMATE,
          FLIGHT_LOG_POSITION,
          "C",
          { "PN", "PE", "PD", "VN", "VE", "VD" } },
        { "POS", WHAT_POSITION, FLIGHT_LOG_POSITION, NULL, { "Lat", "Lng", "Alt" } },
        { "ATT", WHAT_ATTITUDE, FLIGHT_LOG_ATTITUDE, NULL, { "Roll", "Pitch", "Yaw" } },
        { "IMU",
          WHAT_IMU,
          FLIGHT_LOG_ACCEL,
          "I",
          { "GyrX", "GyrY", "GyrZ", "AccX", "AccY", "AccZ" } },
        { "RATE", WHAT_RATE, FLIGHT_LOG_ACCEL, NULL, { "R", "P", "Y" } },
        { "RCOU", WHAT_OUTPUTS, FLIGHT_LOG_MOTORS, NULL, { "C1" } },
        { "BAT", WHAT_BATTERY, FLIGHT_LOG_VOLTAGE, "Inst", { "Volt", "Curr" } },
        { "CURR", WHAT_BATTERY, FLIGHT_LOG_VOLTAGE, NULL, { "Volt", "Curr" } },
        { "RCIN", WHAT_RC, FLIGHT_LOG_RC, NULL, { "C1" } },
        { "ARM", WHAT_ARM, FLIGHT_LOG_ARMED, NULL, { "ArmState" } },
        { "EV", WHAT_EVENT, FLIGHT_LOG_ARMED, NULL, { "Id" } },
};
#define SUBJECTS (int)(sizeof subjects / sizeof subjects[0])

/* A message's fields, found once. */
struct place {
        int subject; /* -1: not read */
        int time, scale; /* of the time: 1 us, or 1000 */
        int instance;
        int field[OUTPUTS];
        int fields;
};

struct flight_dataflash {
        struct flight_log log;
        struct dataflash dataflash;
        bool sensors; /* wanted are pressure and fixes, too */
        bool estimated; /* velocity: by the estimator, not by the GPS alone */
        bool said[SUBJECTS]; /* by one before it */
        struct dataflash_outputs outputs;
        bool origin_known;
        double origin_deg[2], origin_m;
        bool looked[256];
        struct place place[256];
};

static int find_subject(const struct flight_dataflash *f,
                        const struct dataflash_format *format)
{
        for (int i = 0; i < SUBJECTS; i++)
                if (!f->said[i] && strcmp(subjects[i].message, format->name) == 0)
                        return i;
        return -1;
}

/* "C1" to "C14" and so on. */
static int numbered_fields(const struct dataflash_format *format, int field[OUTPUTS])
{
        char label[] = "C1";
        int count = 0;

        for (int i = 0; i < format->fields && count < OUTPUTS; i++) {
                if (count < 9)
                        label[1] = (char)('1' + count);
                if (format->label[i][0] == 'C' &&
                    (count >= 9 || strcmp(format->label[i], label) == 0))
                        field[count++] = i;
        }
        return count;
}

static const struct place *look_at(struct flight_dataflash *f, int type,
                                   const struct dataflash_format *format)
{
        struct place *p = &f->place[type];
        const struct subject *s;

        if (f->looked[type])
                return p;
        f->looked[type] = true;
        p->subject = find_subject(f, format);
        if (p->subject < 0)
                return p;
        s = &subjects[p->subject];
        p->time = dataflash_field(format, "TimeUS");
        p->scale = 1;
        if (p->time < 0) {
                p->time = dataflash_field(format, "TimeMS");
                p->scale = 1000;
        }
        p->instance = s->instance != NULL ? dataflash_field(format, s->instance) : -1;
        if (s->what == WHAT_OUTPUTS || s->what == WHAT_RC) {
                p->fields = numbered_fields(format, p->field);
        } else {
                for (int i = 0; i < 7 && s->field[i] != NULL; i++)
                        p->field[p->fields++] = dataflash_field(format, s->field[i]);
        }
        if (p->time < 0 || p->fields == 0)
                p->subject = -1;
        return p;
}

/* The first message that names a version of something. */
static void take_words(struct flight_dataflash *f, const struct dataflash_message *m)
{
        size_t len = 0;
        const uint8_t *text =
                dataflash_text(m, dataflash_field(m->format, "Message"), &len);

        if (text != NULL && len > 4 && f->log.firmware[0] == '\0' &&
            (memcmp(text, "Ardu", 4) == 0 || memcmp(text, "APM:", 4) == 0))
                flight_log_name_firmware(&f->log, text, len);
}

/* Reads the whole file once: what it has of what can be said twice, its parameters, its name. */
static void look_through(struct flight_dataflash *f)
{
        bool have[SUBJECTS] = { false };
        struct dataflash_message m;

        while (dataflash_next(&f->dataflash, &m)) {
                if (strcmp(m.format->name, "PARM") == 0)
                        dataflash_outputs_take(&f->outputs, &m);
                else if (strcmp(m.format->name, "MSG") == 0)
                        take_words(f, &m);
                for (int i = 0; i < SUBJECTS; i++)
                        have[i] |= strcmp(subjects[i].message, m.format->name) == 0;
        }
        f->log.skipped = f->dataflash.skipped;
        for (int i = 0; i < SUBJECTS; i++) {
                f->estimated |= have[i] && subjects[i].what == WHAT_ESTIMATE;
                for (int k = 0; k < i; k++)
                        f->said[i] |= have[k] && subjects[i].has == subjects[k].has;
        }
        dataflash_open(&f->dataflash, f->log.bytes, f->log.len);
}

static struct flight_log *open_dataflash(const struct flight_open *of)
{
        struct flight_dataflash *f;

        if (of->number > 1)
                return flight_log_refuse(of, "holds one log: there is no #%d",
                                         of->number);
        f = flight_log_new(of, sizeof *f, &flight_dataflash_reader);
        if (f == NULL)
                return NULL;
        f->sensors = of->sensors;
        dataflash_outputs_init(&f->outputs);
        dataflash_open(&f->dataflash, of->bytes, of->len);
        look_through(f);
        return &f->log;
}

struct reading {
        const struct place *place;
        const struct dataflash_message *m;
};

static double number(const struct reading *r, int i)
{
        return dataflash_number(r->m, r->place->field[i]);
}

static struct vec3 vector(const struct reading *r, int first)
{
        return (struct vec3){ number(r, first), number(r, first + 1),
                              number(r, first + 2) };
}

static void read_estimate(const struct reading *r, struct flight_log_sample *s)
{
        s->has = FLIGHT_LOG_POSITION | FLIGHT_LOG_VELOCITY;
        s->pos_ned_m = vector(r, 0);
        s->vel_ned_mps = vector(r, 3);
}

static void read_position(struct flight_dataflash *f, const struct reading *r,
                          struct flight_log_sample *s)
{
        double lat = number(r, 0), lon = number(r, 1), height = number(r, 2);

        if (!f->origin_known) {
                f->origin_known = true;
                f->origin_deg[0] = lat;
                f->origin_deg[1] = lon;
                f->origin_m = height;
        }
        s->has = FLIGHT_LOG_POSITION;
        s->pos_ned_m = (struct vec3){
                (lat - f->origin_deg[0]) * EARTH_M_PER_DEG,
                (lon - f->origin_deg[1]) * EARTH_M_PER_DEG *
                        cos(f->origin_deg[0] * RAD_PER_DEG),
                f->origin_m - height,
        };
}

static void read_imu(const struct reading *r, struct flight_log_sample *s)
{
        s->has = FLIGHT_LOG_RATE | FLIGHT_LOG_ACCEL;
        s->rate_body_radps = vector(r, 0);
        s->accel_body_mps2 = vector(r, 3);
}

static void read_outputs(const struct flight_dataflash *f, const struct reading *r,
                         struct flight_log_sample *s)
{
        for (int i = 0; i < r->place->fields; i++) {
                double us = number(r, i);
                int motor = dataflash_outputs_motor(&f->outputs, i, us);

                if (motor < 0)
                        continue;
                s->motor_ratio[motor] = dataflash_outputs_ratio(&f->outputs, us);
                if (motor >= s->motors)
                        s->motors = motor + 1;
        }
        s->has = s->motors > 0 ? FLIGHT_LOG_MOTORS : 0;
}

static void read_rc(const struct reading *r, struct flight_log_sample *s)
{
        for (int i = 0; i < r->place->fields; i++) {
                double us = number(r, i);

                s->rc_us[i] = us > 0.0 && us < 65536.0 ? (uint16_t)us : 0;
        }
        s->has = FLIGHT_LOG_RC;
}

static void read_battery(const struct reading *r, struct flight_log_sample *s)
{
        s->voltage_v = number(r, 0);
        s->current_a = number(r, 1);
        s->has = FLIGHT_LOG_VOLTAGE |
                 (isnan(s->current_a) ? 0U : (uint32_t)FLIGHT_LOG_CURRENT);
}

static void read_event(const struct reading *r, struct flight_log_sample *s)
{
        double id = number(r, 0);

        s->armed = id != EVENT_DISARMED;
        if (id == EVENT_ARMED || id == EVENT_DISARMED || id == EVENT_AUTO_ARMED)
                s->has = FLIGHT_LOG_ARMED;
}

/* The velocity is also that of the flight where no estimate is. */
static void read_fix(const struct flight_dataflash *f, const struct reading *r,
                     struct flight_log_sample *s)
{
        struct vec3 v = vector(r, 4); /* speed, course, down */

        v = (struct vec3){ v.x * cos(v.y * RAD_PER_DEG), v.x * sin(v.y * RAD_PER_DEG),
                           v.z };
        if (!f->estimated) {
                s->has = FLIGHT_LOG_VELOCITY;
                s->vel_ned_mps = v;
        }
        if (!f->sensors || !(number(r, 0) >= FIX_OF_THREE_DIMENSIONS))
                return;
        s->has |= FLIGHT_LOG_FIX | FLIGHT_LOG_FIX_VELOCITY;
        s->fix_lat_deg = number(r, 1);
        s->fix_lon_deg = number(r, 2);
        s->fix_height_m = number(r, 3);
        s->fix_vel_ned_mps = v;
}

static void read_subject(struct flight_dataflash *f, const struct reading *r,
                         struct flight_log_sample *s)
{
        struct vec3 v;

        switch (subjects[r->place->subject].what) {
        case WHAT_ESTIMATE:
                read_estimate(r, s);
                break;
        case WHAT_POSITION:
                read_position(f, r, s);
                break;
        case WHAT_ATTITUDE:
                v = vec3_scale(RAD_PER_DEG, vector(r, 0));
                s->has = FLIGHT_LOG_ATTITUDE;
                s->q_body_to_ned = quat_from_euler(v.x, v.y, v.z);
                break;
        case WHAT_IMU:
                read_imu(r, s);
                break;
        case WHAT_RATE:
                s->has = FLIGHT_LOG_RATE;
                s->rate_body_radps = vec3_scale(RAD_PER_DEG, vector(r, 0));
                break;
        case WHAT_OUTPUTS:
                read_outputs(f, r, s);
                break;
        case WHAT_BATTERY:
                read_battery(r, s);
                break;
        case WHAT_RC:
                read_rc(r, s);
                break;
        case WHAT_ARM:
                s->has = FLIGHT_LOG_ARMED;
                s->armed = number(r, 0) == 1.0;
                break;
        case WHAT_EVENT:
                read_event(r, s);
                break;
        case WHAT_PRESSURE:
                s->has = f->sensors ? FLIGHT_LOG_PRESSURE : 0;
                s->pressure_pa = number(r, 0);
                break;
        case WHAT_FIX:
                read_fix(f, r, s);
                break;
        }
}

static bool next_dataflash(struct flight_log *log, struct flight_log_sample *sample)
{
        struct flight_dataflash *f = (struct flight_dataflash *)log;
        struct dataflash_message m;

        while (dataflash_next(&f->dataflash, &m)) {
                const struct place *p = look_at(f, m.type, m.format);
                struct reading r = { p, &m };
                double t_us;

                if (p->subject < 0 ||
                    (p->instance >= 0 && dataflash_number(&m, p->instance) != 0.0))
                        continue;
                t_us = p->scale * dataflash_number(&m, p->time);
                *sample = (struct flight_log_sample){
                        .t_ns = t_us >= 0.0 && t_us < 1e15 ? (int64_t)(t_us * 1e3) : -1
                };
                read_subject(f, &r, sample);
                if (sample->has != 0)
                        return true;
        }
        return false;
}

const struct flight_reader flight_dataflash_reader = {
        .format = "ArduPilot DataFlash",
        .is = dataflash_is,
        .open = open_dataflash,
        .next = next_dataflash,
};
