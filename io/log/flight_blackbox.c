/* A blackbox log as a log of a flight: gyroscope, accelerometer, motors and battery; position and attitude where INAV
 * writes them. Betaflight's says no attitude, and none is made up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/blackbox.h"
#include "io/log/flight_reader.h"

#define RAD_PER_DEG (1.0 / DEG_PER_RAD)

/* Of DShot: 0 to 47 are commands. */
#define DSHOT_LOW      48.0
#define DSHOT_HIGH     2047.0
#define FIRST_DSHOT    5 /* of motor_pwm_protocol */
#define DSHOT_ONLY_TOP 2001

struct axes {
        int field[3]; /* field[0] < 0: none */
};

struct flight_blackbox {
        struct flight_log log;
        struct blackbox blackbox;
        struct axes gyro, accel, attitude, position, velocity;
        int motors, motor[ROTORS_MAX];
        int voltage, current;
        bool dshot;
        struct blackbox_frame frame;
};

static void find_axes(struct flight_blackbox *f, const char *name, struct axes *axes)
{
        char full[24];

        for (int i = 0; i < 3; i++) {
                snprintf(full, sizeof full, "%s[%d]", name, i);
                axes->field[i] = blackbox_field(&f->blackbox, BLACKBOX_INTRA, full);
        }
        if (axes->field[1] < 0 || axes->field[2] < 0)
                axes->field[0] = -1;
}

/* Old versions log what the converter said, which needs a scale that is not in the log. */
static int find_power(const struct flight_blackbox *f, const char *latest,
                      const char *plain)
{
        const char *firmware = f->blackbox.header.firmware;
        bool old = strncmp(firmware, "Betaflight 3", 12) == 0 ||
                   strncmp(firmware, "Betaflight 2.", 13) == 0 ||
                   (strncmp(firmware, "Betaflight ", 11) != 0 &&
                    strncmp(firmware, "INAV ", 5) != 0);
        int at = blackbox_field(&f->blackbox, BLACKBOX_INTRA, latest);

        if (old)
                return -1;
        return at >= 0 ? at : blackbox_field(&f->blackbox, BLACKBOX_INTRA, plain);
}

static void find_fields(struct flight_blackbox *f)
{
        const struct blackbox_header *h = &f->blackbox.header;
        char name[24];

        find_axes(f, "gyroADC", &f->gyro);
        if (f->gyro.field[0] < 0)
                find_axes(f, "gyroData", &f->gyro);
        find_axes(f, "accSmooth", &f->accel);
        find_axes(f, "attitude", &f->attitude);
        find_axes(f, "navPos", &f->position);
        find_axes(f, "navVel", &f->velocity);
        if (h->gyro_scale <= 0.0)
                f->gyro.field[0] = -1;
        if (h->accel_1g <= 0.0)
                f->accel.field[0] = -1;
        for (f->motors = 0; f->motors < ROTORS_MAX; f->motors++) {
                snprintf(name, sizeof name, "motor[%d]", f->motors);
                f->motor[f->motors] = blackbox_field(&f->blackbox, BLACKBOX_INTRA, name);
                if (f->motor[f->motors] < 0)
                        break;
        }
        f->dshot = h->motor_high > DSHOT_ONLY_TOP || h->motor_protocol >= FIRST_DSHOT;
        /* INAV counts its protocols in another way, and logs pulses for DShot, too. */
        if (strncmp(h->firmware, "INAV", 4) == 0)
                f->dshot = false;
        f->voltage = find_power(f, "vbatLatest", "vbat");
        f->current = find_power(f, "amperageLatest", "amperage");
        flight_log_name_firmware(&f->log, (const uint8_t *)h->firmware,
                                 strlen(h->firmware));
}

static struct flight_log *open_blackbox(const struct flight_open *of)
{
        struct flight_blackbox *f;
        const char *wrong;
        int logs = blackbox_logs(of->bytes, of->len);

        if (of->number > logs)
                return flight_log_refuse(of, "holds %d log%s: there is no #%d", logs,
                                         logs == 1 ? "" : "s", of->number);
        f = flight_log_new(of, sizeof *f, &flight_blackbox_reader);
        if (f == NULL)
                return NULL;
        wrong = blackbox_open(&f->blackbox, of->bytes, of->len, of->number);
        if (wrong != NULL) {
                free(f);
                return flight_log_refuse(of, "#%d: %s", of->number, wrong);
        }
        find_fields(f);
        while (blackbox_next(&f->blackbox, &f->frame))
                ;
        f->log.skipped = f->blackbox.skipped;
        blackbox_open(&f->blackbox, of->bytes, of->len, of->number);
        return &f->log;
}

static struct vec3 read_axes(const struct flight_blackbox *f, const struct axes *axes,
                             double scale)
{
        return vec3_scale(scale, (struct vec3){ (double)f->frame.value[axes->field[0]],
                                                (double)f->frame.value[axes->field[1]],
                                                (double)f->frame.value[axes->field[2]] });
}

/* Its body axes are forward, left, up. */
static struct vec3 to_body(struct vec3 v)
{
        return (struct vec3){ v.x, -v.y, -v.z };
}

static double duty_of(const struct flight_blackbox *f, double value)
{
        double ratio = (value - DSHOT_LOW) / (DSHOT_HIGH - DSHOT_LOW);

        if (!f->dshot)
                return flight_log_pulse_ratio(value);
        return ratio > 0.0 ? (ratio < 1.0 ? ratio : 1.0) : 0.0;
}

static void read_motion(const struct flight_blackbox *f, struct flight_log_sample *s)
{
        const struct blackbox_header *h = &f->blackbox.header;
        double fine = h->high_resolution ? 0.1 : 1.0;
        struct vec3 v;

        if (f->gyro.field[0] >= 0) {
                s->has |= FLIGHT_LOG_RATE;
                s->rate_body_radps = to_body(
                        read_axes(f, &f->gyro, fine * h->gyro_scale * RAD_PER_DEG));
        }
        if (f->accel.field[0] >= 0) {
                s->has |= FLIGHT_LOG_ACCEL;
                s->accel_body_mps2 =
                        to_body(read_axes(f, &f->accel, GRAVITY_MPS2 / h->accel_1g));
        }
        /* INAV: tenths of a degree, nose up negative; cm north, east, up. */
        if (f->attitude.field[0] >= 0) {
                v = read_axes(f, &f->attitude, 0.1 * RAD_PER_DEG);
                s->has |= FLIGHT_LOG_ATTITUDE;
                s->q_body_to_ned = quat_from_euler(v.x, -v.y, v.z);
        }
        if (f->position.field[0] >= 0) {
                v = read_axes(f, &f->position, 0.01);
                s->has |= FLIGHT_LOG_POSITION;
                s->pos_ned_m = (struct vec3){ v.x, v.y, -v.z };
        }
        if (f->velocity.field[0] >= 0) {
                v = read_axes(f, &f->velocity, 0.01);
                s->has |= FLIGHT_LOG_VELOCITY;
                s->vel_ned_mps = (struct vec3){ v.x, v.y, -v.z };
        }
}

static bool next_blackbox(struct flight_log *log, struct flight_log_sample *s)
{
        struct flight_blackbox *f = (struct flight_blackbox *)log;

        do {
                if (!blackbox_next(&f->blackbox, &f->frame))
                        return false;
        } while (f->frame.kind != BLACKBOX_INTRA);
        *s = (struct flight_log_sample){ .t_ns = f->frame.t_us * 1000,
                                         .motors = f->motors };
        read_motion(f, s);
        for (int i = 0; i < f->motors; i++)
                s->motor_ratio[i] = duty_of(f, (double)f->frame.value[f->motor[i]]);
        if (f->motors > 0)
                s->has |= FLIGHT_LOG_MOTORS;
        if (f->voltage >= 0) {
                s->voltage_v = 0.01 * (double)f->frame.value[f->voltage];
                s->has |= FLIGHT_LOG_VOLTAGE;
        }
        if (f->current >= 0) {
                s->current_a = 0.01 * (double)f->frame.value[f->current];
                s->has |= FLIGHT_LOG_CURRENT;
        }
        return true;
}

const struct flight_reader flight_blackbox_reader = {
        .format = "Betaflight blackbox",
        .is = blackbox_is,
        .open = open_blackbox,
        .next = next_blackbox,
};
