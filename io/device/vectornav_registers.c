/* The unit's commands and registers. What the drivers read and write is here; any other register, command or value is
 * answered with an error and changes nothing. */
#include "io/device/vectornav.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TERMS_MAX 16
#define TERM_MAX  40

/* A command cut at its commas; the first term is its name. */
struct terms {
        int count;
        char term[TERMS_MAX][TERM_MAX + 1];
};

static bool cut(struct terms *t, const char *body)
{
        t->count = 0;
        for (;;) {
                size_t len = strcspn(body, ",");

                if (t->count == TERMS_MAX || len > TERM_MAX)
                        return false;
                memcpy(t->term[t->count], body, len);
                t->term[t->count++][len] = '\0';
                if (body[len] == '\0')
                        return true;
                body += len + 1;
        }
}

/* False: no number, or above the limit. */
static bool read_number(const char *text, int base, unsigned long most, unsigned long *n)
{
        char *end;

        if (!isxdigit((unsigned char)text[0]))
                return false;
        *n = strtoul(text, &end, base);
        return *end == '\0' && *n <= most;
}

/* Of the outputs together, sync to CRC, ten bits a byte. */
static bool is_fast_enough(const struct vectornav *v, const struct vectornav_settings *s)
{
        int64_t bits_per_s = 0;

        for (int i = 0; i < VECTORNAV_OUTPUTS; i++) {
                const struct vectornav_output *o = &s->output[i];

                if (o->ports != 0 && o->divisor > 0)
                        bits_per_s += 10 * (int64_t)vectornav_packet_size(o) *
                                      v->device.ops->imu_hz / o->divisor;
        }
        return bits_per_s <= s->baud;
}

static enum vectornav_error adopt(struct vectornav *v, const struct vectornav_settings *s)
{
        if (!is_fast_enough(v, s))
                return VECTORNAV_TOO_SLOW;
        v->now = *s;
        return VECTORNAV_DONE;
}

/* 75,ports,divisor,groups,mask...: the last ones in hexadecimal. */
static enum vectornav_error write_output(struct vectornav *v, int index,
                                         const struct terms *t)
{
        struct vectornav_settings s = v->now;
        struct vectornav_output o = { 0 };
        unsigned long ports, divisor, groups, mask;
        int at = 5;

        if (t->count < 5)
                return VECTORNAV_TOO_FEW;
        if (!read_number(t->term[2], 10, 3, &ports) ||
            !read_number(t->term[3], 10, UINT16_MAX, &divisor) ||
            !read_number(t->term[4], 16, 0x7F, &groups))
                return VECTORNAV_BAD_PARAMETER;
        o.ports = (int)ports;
        o.divisor = (int)divisor;
        o.groups = (uint8_t)groups;
        for (int i = 0; i < VECTORNAV_GROUPS; i++) {
                if ((o.groups >> i & 1) == 0)
                        continue;
                if (at == t->count)
                        return VECTORNAV_TOO_FEW;
                if (!read_number(t->term[at++], 16, UINT16_MAX, &mask))
                        return VECTORNAV_BAD_PARAMETER;
                o.mask[i] = (uint16_t)mask;
        }
        if (at < t->count)
                return VECTORNAV_TOO_MANY;
        if (vectornav_packet_size(&o) == 0)
                return VECTORNAV_BAD_PARAMETER;
        s.output[index] = o;
        return adopt(v, &s);
}

static void read_output(const struct vectornav_output *o, char *text, size_t cap)
{
        size_t used = (size_t)snprintf(text, cap, "%d,%d,%02X", o->ports, o->divisor,
                                       o->groups);

        for (int i = 0; i < VECTORNAV_GROUPS && used < cap; i++)
                if (o->groups >> i & 1)
                        used += (size_t)snprintf(text + used, cap - used, ",%04X",
                                                 o->mask[i]);
}

static enum vectornav_error write_baud(struct vectornav *v, const struct terms *t)
{
        static const uint32_t bauds[] = { 9600,   19200,  38400,  57600, 115200,
                                          128000, 230400, 460800, 921600 };
        struct vectornav_settings s = v->now;
        unsigned long baud;

        if (t->count < 3)
                return VECTORNAV_TOO_FEW;
        if (t->count > 4)
                return VECTORNAV_TOO_MANY;
        if (!read_number(t->term[2], 10, 921600, &baud))
                return VECTORNAV_BAD_PARAMETER;
        for (size_t i = 0; i < sizeof bauds / sizeof bauds[0]; i++)
                if (baud == bauds[i]) {
                        s.baud = bauds[i];
                        return adopt(v, &s);
                }
        return VECTORNAV_BAD_PARAMETER;
}

/* 6,type,port: type 0 switches the text messages off, of which there are none here. */
static enum vectornav_error write_text_output(const struct terms *t)
{
        unsigned long type, port;

        if (t->count < 3)
                return VECTORNAV_TOO_FEW;
        if (t->count > 4)
                return VECTORNAV_TOO_MANY;
        if (!read_number(t->term[2], 10, 0, &type) ||
            (t->count == 4 && !read_number(t->term[3], 10, 2, &port)))
                return VECTORNAV_BAD_PARAMETER;
        return VECTORNAV_DONE;
}

/* 35,enable,heading mode,filtering,tuning: each 0 to 2. */
static enum vectornav_error write_heading(struct vectornav *v, const struct terms *t)
{
        unsigned long n[4];

        if (t->count < 6)
                return VECTORNAV_TOO_FEW;
        if (t->count > 6)
                return VECTORNAV_TOO_MANY;
        for (int i = 0; i < 4; i++)
                if (!read_number(t->term[2 + i], 10, 2, &n[i]))
                        return VECTORNAV_BAD_PARAMETER;
        snprintf(v->now.heading, sizeof v->now.heading, "%lu,%lu,%lu,%lu", n[0], n[1],
                 n[2], n[3]);
        return VECTORNAV_DONE;
}

static enum vectornav_error write_tag(struct vectornav *v, const struct terms *t)
{
        if (t->count != 3)
                return t->count < 3 ? VECTORNAV_TOO_FEW : VECTORNAV_TOO_MANY;
        if (strlen(t->term[2]) > 20)
                return VECTORNAV_BAD_PARAMETER;
        snprintf(v->now.tag, sizeof v->now.tag, "%s", t->term[2]);
        return VECTORNAV_DONE;
}

static enum vectornav_error write_register(struct vectornav *v, unsigned long number,
                                           const struct terms *t)
{
        switch (number) {
        case 0:
                return write_tag(v, t);
        case 1:
        case 2:
        case 3:
        case 4:
        case 8:
                return VECTORNAV_READ_ONLY;
        case 5:
                return write_baud(v, t);
        case 6:
                return write_text_output(t);
        case 35:
                return write_heading(v, t);
        case 75:
        case 76:
        case 77:
                return write_output(v, (int)number - 75, t);
        default:
                return VECTORNAV_BAD_REGISTER;
        }
}

static void read_attitude(const struct vectornav *v, char *text, size_t cap)
{
        struct vec3 e = quat_to_euler(v->samples.q_body_to_ned);

        snprintf(text, cap, "%+08.3f,%+08.3f,%+08.3f", e.z * DEG_PER_RAD,
                 e.y * DEG_PER_RAD, e.x * DEG_PER_RAD);
}

static enum vectornav_error read_register(const struct vectornav *v, unsigned long number,
                                          char *text, size_t cap)
{
        const char *const known[] = { v->now.tag, v->model->number, v->model->revision,
                                      v->model->serial, v->model->firmware };

        if (number < sizeof known / sizeof known[0])
                snprintf(text, cap, "%s", known[number]);
        else if (number == 5)
                snprintf(text, cap, "%u", v->now.baud);
        else if (number == 6)
                snprintf(text, cap, "0");
        else if (number == 8)
                read_attitude(v, text, cap);
        else if (number == 35)
                snprintf(text, cap, "%s", v->now.heading);
        else if (number >= 75 && number < 75 + VECTORNAV_OUTPUTS)
                read_output(&v->now.output[number - 75], text, cap);
        else
                return VECTORNAV_BAD_REGISTER;
        return VECTORNAV_DONE;
}

/* VNRRG,number,port: the number as the board wrote it, padded or not, then the value. */
static enum vectornav_error answer_read(struct vectornav *v, const struct terms *t)
{
        char value[80], answer[VECTORNAV_LINE_MAX];
        unsigned long number;
        enum vectornav_error error;

        if (t->count < 2)
                return VECTORNAV_TOO_FEW;
        if (t->count > 3)
                return VECTORNAV_TOO_MANY;
        if (!read_number(t->term[1], 10, 255, &number))
                return VECTORNAV_BAD_REGISTER;
        error = read_register(v, number, value, sizeof value);
        if (error != VECTORNAV_DONE)
                return error;
        snprintf(answer, sizeof answer, "VNRRG,%s,%s", t->term[1], value);
        vectornav_say(v, answer);
        return VECTORNAV_DONE;
}

/* The answer to a register that was written is the command itself: drivers compare it with what they sent. */
static enum vectornav_error answer_write(struct vectornav *v, const char *body,
                                         const struct terms *t)
{
        unsigned long number;
        enum vectornav_error error;

        if (t->count < 2)
                return VECTORNAV_TOO_FEW;
        if (!read_number(t->term[1], 10, 255, &number))
                return VECTORNAV_BAD_REGISTER;
        error = write_register(v, number, t);
        if (error == VECTORNAV_DONE)
                vectornav_say(v, body);
        return error;
}

static enum vectornav_error pause_outputs(struct vectornav *v, const char *body,
                                          const struct terms *t)
{
        unsigned long on;

        if (t->count < 2)
                return VECTORNAV_TOO_FEW;
        if (t->count > 3)
                return VECTORNAV_TOO_MANY;
        if (!read_number(t->term[1], 10, 1, &on))
                return VECTORNAV_BAD_PARAMETER;
        v->paused = on == 0;
        vectornav_say(v, body);
        return VECTORNAV_DONE;
}

enum vectornav_error vectornav_obey(struct vectornav *v, const char *body)
{
        struct terms t;

        if (!cut(&t, body))
                return VECTORNAV_TOO_MANY;
        if (strcmp(t.term[0], "VNRRG") == 0)
                return answer_read(v, &t);
        if (strcmp(t.term[0], "VNWRG") == 0)
                return answer_write(v, body, &t);
        if (strcmp(t.term[0], "VNASY") == 0)
                return pause_outputs(v, body, &t);
        if (strcmp(t.term[0], "VNWNV") != 0 && strcmp(t.term[0], "VNRFS") != 0 &&
            strcmp(t.term[0], "VNRST") != 0)
                return VECTORNAV_BAD_COMMAND;
        if (t.count > 1)
                return VECTORNAV_TOO_MANY;
        vectornav_say(v, body);
        if (strcmp(t.term[0], "VNRST") != 0)
                v->saved = t.term[0][2] == 'W' ? v->now : v->factory;
        if (strcmp(t.term[0], "VNWNV") != 0)
                vectornav_restart(v);
        return VECTORNAV_DONE;
}

void vectornav_settings_init(struct vectornav_settings *s, uint32_t baud)
{
        *s = (struct vectornav_settings){ .baud = baud, .heading = "1,1,1,1" };
}
