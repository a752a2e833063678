/* The board's own settings as the rig sees them: what was configured, and whether the board has said
 * that it is so. A board that knows no options takes them for malformed, and flies without. */
#include <stdio.h>
#include <string.h>

#include "io/codec/hilp/codec_hilp.h"

_Static_assert(CODEC_OPTION_MAX == HILP_OPTION_MAX, "an option is as long everywhere");

/* Before the first frame: how often, and how far apart. */
#define GREETINGS          3
#define GREETING_PERIOD_NS 100000000

static struct codec_hilp_option *find_option(struct codec_hilp *h, const char *key)
{
        for (int i = 0; i < h->options; i++)
                if (strcmp(h->option[i].is.key, key) == 0)
                        return &h->option[i];
        return NULL;
}

static bool all_acknowledged(const struct codec_hilp *h)
{
        for (int i = 0; i < h->options; i++)
                if (!h->option[i].acknowledged)
                        return false;
        return true;
}

bool codec_hilp_option(struct codec *c, const char *key, const char *value)
{
        struct codec_hilp *h = codec_hilp_self(c);
        struct codec_hilp_option *o = find_option(h, key);

        if (o != NULL && strcmp(o->is.value, value) == 0)
                return true;
        if (o == NULL && h->options == CODEC_OPTIONS_MAX)
                return false;
        if (o == NULL)
                o = &h->option[h->options++];
        *o = (struct codec_hilp_option){ .owed = o->owed, .stale = o->owed };
        snprintf(o->is.key, sizeof o->is.key, "%s", key);
        snprintf(o->is.value, sizeof o->is.value, "%s", value);
        /* In flight it goes with the next frame; nobody waits for it. */
        if (!h->ready)
                h->options_told = false;
        return true;
}

const char *codec_hilp_option_unheard(const struct codec *c)
{
        const struct codec_hilp *h = (const struct codec_hilp *)c;

        for (int i = 0; i < h->options; i++)
                if (!h->option[i].acknowledged && h->option[i].said > 1)
                        return h->option[i].is.key;
        return NULL;
}

void codec_hilp_options_forget(struct codec_hilp *h)
{
        for (int i = 0; i < h->options; i++) {
                struct hilp_option is = h->option[i].is;

                h->option[i] = (struct codec_hilp_option){ .is = is };
        }
        h->options_asked = 0;
        h->options_told = h->options == 0;
}

static void say_one(struct codec_hilp *h, struct codec_hilp_option *o,
                    struct packets *out)
{
        struct hilp_message m = { .type = HILP_OPTION };

        m.u.option = o->is;
        o->said++;
        o->owed++;
        o->frames_to_repeat = CODEC_HILP_REPEAT_EVERY - 1;
        codec_hilp_say(h, &m, out);
}

void codec_hilp_options_greet(struct codec_hilp *h, int64_t t_ns, struct packets *out)
{
        if (h->options_asked > 0 && t_ns - h->options_ns < GREETING_PERIOD_NS)
                return;
        if (h->options_asked == GREETINGS) {
                h->options_told = true;
                return;
        }
        h->options_asked++;
        h->options_ns = t_ns;
        codec_hilp_say_parts(h, out);
        for (int i = 0; i < h->options; i++)
                if (!h->option[i].acknowledged)
                        say_one(h, &h->option[i], out);
}

void codec_hilp_options_say(struct codec_hilp *h, struct packets *out)
{
        for (int i = 0; i < h->options; i++) {
                struct codec_hilp_option *o = &h->option[i];

                if (!o->acknowledged && o->frames_to_repeat-- == 0)
                        say_one(h, o, out);
        }
}

/* An answer names the key alone, and comes in the order in which the board was asked: the first may be to
 * values that the option had before. Where one of those was lost, the option is said once more. */
uint32_t codec_hilp_options_take(struct codec_hilp *h, const struct hilp_option_ack *ack,
                                 struct fc_report *report)
{
        struct codec_hilp_option *o = find_option(h, ack->key);

        if (o == NULL || o->owed == 0) {
                h->codec.counts.malformed++;
                return 0;
        }
        o->owed--;
        if (o->stale > 0) {
                o->stale--;
                return 0;
        }
        if (o->acknowledged)
                return 0;
        o->acknowledged = true;
        if (!ack->accepted) {
                report->option_refused = true;
                memcpy(report->option_key, o->is.key, sizeof report->option_key);
                memcpy(report->option_value, o->is.value, sizeof report->option_value);
        } else {
                codec_setting_heard(&h->codec, o->is.key, o->is.value);
        }
        h->options_told = h->options_told || all_acknowledged(h);
        return FC_OPTION;
}
