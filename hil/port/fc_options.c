#include "hil/port/fc_options.h"

#include <string.h>

_Static_assert(FC_OPTIONS_MAX <= CODEC_OPTIONS_MAX,
               "a codec has room for those of the rig file");

void fc_options_open(struct fc_options *o, const struct fc_config *config,
                     struct codec *codec)
{
        o->config = config;
        o->codec = codec;
        o->count = 0;
        for (int i = 0; i < config->options; i++)
                codec->ops->option(codec, config->option[i].key, config->option[i].value);
}

/* "": nobody sets it. */
static const char *configured_value(const struct fc_options *o, const char *key)
{
        for (int i = 0; i < o->config->options; i++)
                if (strcmp(o->config->option[i].key, key) == 0)
                        return o->config->option[i].value;
        return "";
}

/* By the newest of that key that is in force, or else as the rig file has it. */
static const char *value_in_force(const struct fc_options *o, const char *key)
{
        for (int i = o->count - 1; i >= 0; i--) {
                const struct fc_option *option = o->entry[i].option;

                if (strcmp(option->key, key) == 0 && option->value[0] != '\0')
                        return option->value;
                if (strcmp(option->key, key) == 0)
                        break;
        }
        return configured_value(o, key);
}

static bool tell_codec(struct fc_options *o, const char *key)
{
        return o->codec->ops->option(o->codec, key, value_in_force(o, key));
}

bool fc_options_begin(struct fc_options *o, const struct fc_option *option, int id,
                      int64_t end_ns)
{
        if (o->codec == NULL || o->count == SCENARIO_STEPS_MAX)
                return false;
        o->entry[o->count++] = (struct fc_option_entry){ id, option, end_ns };
        return tell_codec(o, option->key);
}

int fc_options_end_due(struct fc_options *o, int64_t t_ns)
{
        for (int i = 0; i < o->count; i++) {
                struct fc_option_entry over = o->entry[i];

                if (over.end_ns > t_ns)
                        continue;
                o->count--;
                memmove(&o->entry[i], &o->entry[i + 1],
                        (size_t)(o->count - i) * sizeof o->entry[0]);
                tell_codec(o, over.option->key);
                return over.id;
        }
        return -1;
}

const char *fc_options_unheard(const struct fc_options *o)
{
        if (o->codec == NULL || o->codec->ops->option_unheard == NULL)
                return NULL;
        return o->codec->ops->option_unheard(o->codec);
}
