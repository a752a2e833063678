/* Reads and writes the INI text of a sigrok session, in the forms written by sigrok-cli, PulseView
 * and their older versions. */
#include "io/log/sr_metadata.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct section {
        struct sr_info info;
        char capture[SR_CAPTURE_MAX + 1];
        long probes, unit;
        bool device;
};

static bool refuse(struct link_error *why, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

static bool refuse(struct link_error *why, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        vsnprintf(why->text, sizeof why->text, format, args);
        va_end(args);
        return false;
}

double sr_rate_parse(const char *text)
{
        static const struct {
                char letter;
                double factor;
        } prefixes[] = { { 'k', 1e3 }, { 'm', 1e6 }, { 'g', 1e9 } };
        char *end;
        double value;

        /* Not hexadecimal, which strtod() also accepts. */
        if (!isdigit((unsigned char)*text) || tolower((unsigned char)text[1]) == 'x')
                return 0.0;
        value = strtod(text, &end);
        while (*end == ' ')
                end++;
        for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
                if (tolower((unsigned char)*end) == prefixes[i].letter) {
                        value *= prefixes[i].factor;
                        end++;
                        break;
                }
        if (strcasecmp(end, "hz") == 0)
                end += 2;
        return *end == '\0' && value > 0.0 && value <= SR_RATE_MAX_HZ ? value : 0.0;
}

static bool parse_whole(const char *text, long most, long *out)
{
        char *end;

        if (!isdigit((unsigned char)*text))
                return false;
        *out = strtol(text, &end, 10);
        return *end == '\0' && *out <= most;
}

/* Length of the UTF-8 character at the beginning of s, which is not empty; 0: invalid, or a
 * terminal control character. */
static size_t character(const char *s)
{
        const unsigned char *b = (const unsigned char *)s;
        size_t n = b[0] < 0x80   ? 1
                   : b[0] < 0xC2 ? 0
                   : b[0] < 0xE0 ? 2
                   : b[0] < 0xF0 ? 3
                   : b[0] < 0xF5 ? 4
                                 : 0;

        for (size_t i = 1; i < n; i++)
                if ((b[i] & 0xC0) != 0x80)
                        return 0;
        /* Overlong, half of a surrogate pair, or out of range. */
        if ((b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xED && b[1] >= 0xA0) ||
            (b[0] == 0xF0 && b[1] < 0x90) || (b[0] == 0xF4 && b[1] >= 0x90))
                return 0;
        return iscntrl(b[0]) || (b[0] == 0xC2 && b[1] < 0xA0) ? 0 : n;
}

/* GLib, which writes these files for sigrok, escapes blanks and backslashes. A name goes to
 * terminals and into JSON. */
static void take_name(char name[SR_NAME_MAX + 1], const char *value)
{
        size_t used = 0;

        for (const char *p = value; *p != '\0';) {
                size_t n = character(p);
                char one = n == 0 ? '?' : *p;

                if (*p == '\\' && p[1] != '\0')
                        one = *++p == '\\' ? '\\' : ' ';
                if (n < 2) {
                        n = 1;
                        name[used] = one;
                } else if (used + n <= SR_NAME_MAX) {
                        memcpy(name + used, p, n);
                }
                if (used + n > SR_NAME_MAX)
                        break;
                used += n;
                p += n;
        }
        name[used] = '\0';
}

static bool take_probe(struct section *s, const char *number, const char *value)
{
        long n;

        if (parse_whole(number, 100000, &n) && n >= 1 && n <= MOTOR_PADS_MAX)
                take_name(s->info.pad_name[n - 1], value);
        return true;
}

static bool take(struct section *s, const char *key, const char *value,
                 struct link_error *why)
{
        if (strcmp(key, "samplerate") == 0) {
                s->info.rate_hz = sr_rate_parse(value);
                return s->info.rate_hz > 0.0 ||
                       refuse(why, "samplerate: must be a number of Hz above 0, is %.40s",
                              value);
        }
        if (strcmp(key, "total probes") == 0)
                return parse_whole(value, 1024, &s->probes) ||
                       refuse(why, "total probes: must be 0 to 1024, is %.40s", value);
        if (strcmp(key, "unitsize") == 0)
                return (parse_whole(value, SR_UNIT_MAX, &s->unit) && s->unit > 0) ||
                       refuse(why, "unitsize: must be 1 to %d, is %.40s", SR_UNIT_MAX,
                              value);
        if (strcmp(key, "capturefile") == 0) {
                if (strlen(value) > SR_CAPTURE_MAX)
                        return refuse(why, "capturefile: is too long");
                snprintf(s->capture, sizeof s->capture, "%s", value);
                return true;
        }
        return strncmp(key, "probe", 5) != 0 || take_probe(s, key + 5, value);
}

static char *strip(char *text)
{
        char *end;

        while (isspace((unsigned char)*text))
                text++;
        end = text + strlen(text);
        while (end > text && isspace((unsigned char)end[-1]))
                *--end = '\0';
        return text;
}

static bool is_logic(const struct section *s)
{
        return s->device && s->capture[0] != '\0' && s->probes != 0;
}

static bool take_line(struct section *s, char *line, struct link_error *why)
{
        char *text = strip(line), *equals;

        if (!s->device || *text == '\0' || *text == '#' || *text == ';')
                return true;
        equals = strchr(text, '=');
        if (equals == NULL)
                return refuse(why, "metadata: expected KEY=VALUE, is %.40s", text);
        *equals = '\0';
        return take(s, strip(text), strip(equals + 1), why);
}

/* A section begins; true: the previous one is the one searched for. */
static bool begin_section(struct section *s, const char *line)
{
        if (is_logic(s))
                return true;
        *s = (struct section){ .probes = -1, .device = strncmp(line, "[device", 7) == 0 };
        return false;
}

static bool settle(struct section *s, struct link_error *why)
{
        if (!is_logic(s))
                return refuse(why, "has no logic channels (a section [device 1] with "
                                   "capturefile and total probes)");
        if (s->info.rate_hz <= 0.0)
                return refuse(why, "samplerate: is missing");
        if (s->probes < 0)
                return refuse(why, "total probes: is missing");
        if (s->unit == 0)
                s->unit = (s->probes + 7) / 8;
        s->info.unit_bytes = (int)s->unit;
        /* sigrok also counts unused channels: with a device of 16 channels, 8 of them in use, a
         * sample is a byte. */
        if (s->probes > 8 * s->unit)
                s->probes = 8 * s->unit;
        s->info.pads = s->probes < MOTOR_PADS_MAX ? (int)s->probes : MOTOR_PADS_MAX;
        s->info.more_pads = (int)s->probes - s->info.pads;
        return true;
}

bool sr_metadata_parse(const char *text, size_t len, struct sr_info *info,
                       char capture[SR_CAPTURE_MAX + 1], struct link_error *why)
{
        struct section s = { .probes = -1 };
        const char *end = text + len;

        while (text < end) {
                const char *stop = memchr(text, '\n', (size_t)(end - text));
                size_t n = (size_t)((stop != NULL ? stop : end) - text);
                char line[256];

                /* Anything longer is not one of these keys. */
                snprintf(line, sizeof line, "%.*s", (int)(n < 255 ? n : 255), text);
                text += n + 1;
                if (line[0] == '[' ? begin_section(&s, line)
                                   : !take_line(&s, line, why)) {
                        if (line[0] != '[')
                                return false;
                        break;
                }
        }
        if (!settle(&s, why))
                return false;
        *info = s.info;
        memcpy(capture, s.capture, sizeof s.capture);
        return true;
}

/* In the largest unit that gives an integer, as sigrok writes it. */
static void print_rate(double rate_hz, char *text, size_t cap)
{
        uint64_t hz = (uint64_t)llround(rate_hz);

        if (hz >= 1000000 && hz % 1000000 == 0)
                snprintf(text, cap, "%llu MHz", (unsigned long long)(hz / 1000000));
        else if (hz >= 1000 && hz % 1000 == 0)
                snprintf(text, cap, "%llu kHz", (unsigned long long)(hz / 1000));
        else
                snprintf(text, cap, "%llu Hz", (unsigned long long)hz);
}

/* Without characters that would need to be escaped. */
static void print_name(const struct sr_info *info, int pad, char name[SR_NAME_MAX + 1])
{
        char text[SR_NAME_MAX + 1];

        snprintf(text, sizeof text, "%s", info->pad_name[pad]);
        for (char *p = text; *p != '\0'; p++)
                if (*p == '\\' || iscntrl((unsigned char)*p))
                        *p = '/';
        snprintf(name, SR_NAME_MAX + 1, "%s", strip(text));
        if (name[0] == '\0')
                snprintf(name, SR_NAME_MAX + 1, "D%d", pad);
}

size_t sr_metadata_print(const struct sr_info *info, char *text, size_t cap)
{
        char rate[40];
        int n;

        print_rate(info->rate_hz, rate, sizeof rate);
        n = snprintf(text, cap,
                     "[global]\nwritten by=hilrig\n\n[device 1]\ncapturefile=logic-1\n"
                     "total probes=%d\nsamplerate=%s\ntotal analog=0\n",
                     info->pads, rate);
        for (int i = 0; i < info->pads; i++) {
                char name[SR_NAME_MAX + 1];

                print_name(info, i, name);
                n += snprintf(text + n, cap - (size_t)n, "probe%d=%s\n", i + 1, name);
        }
        n += snprintf(text + n, cap - (size_t)n, "unitsize=1\n");
        return (size_t)n;
}
