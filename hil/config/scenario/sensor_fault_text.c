/* A sensor fault in words, for log and report. */
#include "hil/config/scenario/scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
        char *text;
        size_t cap, len;
};

static void say(struct line *l, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

static void say(struct line *l, const char *format, ...)
{
        va_list args;
        int n;

        va_start(args, format);
        n = vsnprintf(l->text + l->len, l->cap - l->len, format, args);
        va_end(args);
        if (n > 0)
                l->len += (size_t)n < l->cap - l->len ? (size_t)n : l->cap - l->len - 1;
}

/* Left out where all are faulty. */
static void say_axes(struct line *l, const struct sensor_fault *p)
{
        const char *letters = sensor_fault_letters(p->target, p->kind);
        unsigned all = letters != NULL ? (1U << strlen(letters)) - 1 : 0;

        if ((p->axes & all) == all)
                return;
        for (int i = 0; letters[i] != '\0'; i++)
                if (p->axes >> i & 1)
                        say(l, " %c", letters[i]);
}

static void say_kind(struct line *l, enum sensor_fault_kind kind)
{
        say(l, " ");
        for (const char *c = sensor_fault_kinds[kind]; *c; c++)
                say(l, "%c", *c == '_' ? ' ' : *c);
}

static void say_amount(struct line *l, const struct sensor_fault *p)
{
        enum fault_amount which = sensor_fault_amount(p->target, p->kind);
        const struct sensor_fault_unit *u = &sensor_fault_units[which % AMOUNT_UNITS];

        if (which < AMOUNT_MPS)
                say(l, " %.6g %s%s", p->amount / u->scale, u->text,
                    which < AMOUNT_UNITS ? "" : "/s");
        else if (which == AMOUNT_MPS)
                say(l, " %.6g m/s", p->amount);
        else if (which == AMOUNT_RATIO)
                say(l, " %.6g", p->amount);
}

static void say_rest(struct line *l, const struct sensor_fault *p)
{
        switch (p->kind) {
        case SENSOR_DROPOUT:
                say(l, " %.6g %%", 100.0 * p->probability);
                break;
        case SENSOR_SPIKE:
                say(l, ", %.6g %%", 100.0 * p->probability);
                break;
        case SENSOR_DELAY:
        case GPS_TIME_JUMP:
                say(l, " %.6g ms", (double)p->delay_ns / MS_TO_NS);
                break;
        case GPS_FEW_SATELLITES:
                say(l, ", %d left", p->count);
                break;
        default:
                break;
        }
}

void sensor_fault_describe(const struct sensor_fault *p, char *text, size_t cap)
{
        struct line l = { text, cap, 0 };

        if (cap == 0)
                return;
        text[0] = '\0';
        say(&l, "%s", sensor_fault_sensors[p->target]);
        if (p->target == FAULT_SONAR && p->sonar >= 0)
                say(&l, " %d", p->sonar);
        say_axes(&l, p);
        say_kind(&l, p->kind);
        say_amount(&l, p);
        say_rest(&l, p);
}
