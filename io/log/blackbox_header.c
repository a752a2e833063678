/* The header of a blackbox log: lines "H name:value". */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/blackbox.h"

#define LINE_MAX 4096

/* "Field I name" and so on; -1: no such frame. */
static int kind_of(char letter)
{
        static const char letters[] = "IPGHS";
        const char *at = letter != '\0' ? strchr(letters, letter) : NULL;

        return at != NULL ? (int)(at - letters) : -1;
}

/* Without the index where the firmware leaves it out. */
static const char *take_names(struct blackbox_fields *f, char *text)
{
        f->count = 0;
        for (char *name = strtok(text, ","); name != NULL; name = strtok(NULL, ",")) {
                if (f->count == BLACKBOX_FIELDS_MAX)
                        return "its frames have more than 128 fields";
                snprintf(f->name[f->count++], sizeof f->name[0], "%s", name);
        }
        return NULL;
}

static const char *take_codes(uint8_t code[BLACKBOX_FIELDS_MAX], const char *text)
{
        for (int i = 0; i < BLACKBOX_FIELDS_MAX && *text != '\0'; i++) {
                char *end;
                long value = strtol(text, &end, 10);

                if (end == text || value < 0 || value > 255)
                        return "a predictor or an encoding is no number from 0 to 255";
                code[i] = (uint8_t)value;
                text = *end == ',' ? end + 1 : end;
                if (*end != ',' && *end != '\0')
                        return "predictors and encodings must have commas between them";
        }
        return NULL;
}

static const char *take_fields(struct blackbox *b, const char *name, char *value)
{
        int kind = kind_of(name[0]);

        if (kind < 0 || name[1] != ' ')
                return NULL;
        name += 2;
        if (strcmp(name, "name") == 0)
                return take_names(&b->fields[kind], value);
        if (strcmp(name, "predictor") == 0)
                return take_codes(b->fields[kind].predictor, value);
        if (strcmp(name, "encoding") == 0)
                return take_codes(b->fields[kind].encoding, value);
        return NULL;
}

/* The bits of a float in hexadecimal. */
static double read_float_bits(const char *text)
{
        uint32_t bits = (uint32_t)strtoul(text, NULL, 16);
        float value;

        memcpy(&value, &bits, sizeof value);
        return isfinite(value) && value > 0.0F && value < 1e6F ? (double)value : 0.0;
}

static long clamped(const char *text)
{
        long value = strtol(text, NULL, 10);

        return value < -65535 ? -65535 : value > 65535 ? 65535 : value;
}

static void take_interval(struct blackbox_header *h, const char *value)
{
        const char *slash = strchr(value, '/');
        long first = clamped(value), second = slash != NULL ? clamped(slash + 1) : 0;

        h->inter_num = slash != NULL && first > 0 ? (int)first : 1;
        h->inter_denom = slash == NULL ? (int)first : (int)second;
        if (h->inter_denom < h->inter_num)
                h->inter_denom = h->inter_num;
}

static const char *take_value(struct blackbox *b, const char *name, char *value)
{
        struct blackbox_header *h = &b->header;
        const char *comma = strchr(value, ',');

        if (strncmp(name, "Field ", 6) == 0)
                return take_fields(b, name + 6, value);
        if (strcmp(name, "Data version") == 0)
                h->version = (int)clamped(value);
        else if (strcmp(name, "I interval") == 0)
                h->intra_interval = clamped(value) > 0 ? (int)clamped(value) : 1;
        else if (strcmp(name, "P interval") == 0)
                take_interval(h, value);
        else if (strcmp(name, "Firmware revision") == 0)
                snprintf(h->firmware, sizeof h->firmware, "%s", value);
        else if (strcmp(name, "minthrottle") == 0)
                h->minthrottle = clamped(value);
        else if (strcmp(name, "vbatref") == 0)
                h->vbat_reference = clamped(value);
        else if (strcmp(name, "gyro_scale") == 0 || strcmp(name, "gyro.scale") == 0)
                h->gyro_scale = read_float_bits(value);
        else if (strcmp(name, "acc_1G") == 0)
                h->accel_1g = (double)clamped(value);
        else if (strcmp(name, "blackbox_high_resolution") == 0)
                h->high_resolution = clamped(value) == 1;
        else if (strcmp(name, "motor_pwm_protocol") == 0)
                h->motor_protocol = (int)clamped(value);
        else if (strcmp(name, "motorOutput") == 0) {
                h->motor_low = clamped(value);
                h->motor_high = comma != NULL ? clamped(comma + 1) : 0;
        }
        return NULL;
}

/* A line without "H " and its end; false: no line is there. */
static bool take_line(struct blackbox *b, char line[LINE_MAX])
{
        const uint8_t *p = b->bytes + b->at, *end;
        size_t left = b->len - b->at;

        if (left < 3 || p[0] != 'H' || p[1] != ' ')
                return false;
        end = memchr(p, '\n', left < LINE_MAX ? left : LINE_MAX);
        if (end == NULL)
                return false;
        for (const uint8_t *at = p; at < end; at++)
                if (!isprint(*at) && *at < 0x80)
                        return false;
        memcpy(line, p + 2, (size_t)(end - p - 2));
        line[end - p - 2] = '\0';
        b->at += (size_t)(end - p) + 1;
        return true;
}

static const char *check_encodings(const struct blackbox_fields *f)
{
        for (int i = 0; i < f->count; i++)
                if (f->predictor[i] > 11 || !blackbox_knows_encoding(f->encoding[i]))
                        return "a field has a predictor or an encoding that no "
                               "firmware is known to write";
        return NULL;
}

const char *blackbox_read_header(struct blackbox *b)
{
        struct blackbox_fields *f = b->fields;
        const char *wrong = NULL;
        char line[LINE_MAX];

        b->header = (struct blackbox_header){ .version = 1,
                                              .intra_interval = 32,
                                              .inter_num = 1,
                                              .inter_denom = 1,
                                              .minthrottle = 1150,
                                              .motor_protocol = -1 };
        while (wrong == NULL && take_line(b, line)) {
                char *colon = strchr(line, ':');

                if (colon == NULL)
                        continue;
                *colon = '\0';
                wrong = take_value(b, line, colon + 1);
        }
        f[BLACKBOX_INTER].count = f[BLACKBOX_INTRA].count;
        for (int i = 0; wrong == NULL && i < BLACKBOX_KINDS; i++)
                wrong = check_encodings(&f[i]);
        b->time = blackbox_field(b, BLACKBOX_INTRA, "time");
        b->motor0 = blackbox_field(b, BLACKBOX_INTRA, "motor[0]");
        b->home[0] = blackbox_field(b, BLACKBOX_HOME, "GPS_home[0]");
        b->home[1] = blackbox_field(b, BLACKBOX_HOME, "GPS_home[1]");
        if (wrong == NULL && b->time < 0)
                wrong = "its header names no field \"time\"";
        return wrong;
}
