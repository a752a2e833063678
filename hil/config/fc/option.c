/* A flight controller's own settings in rig files and steps. */
#include "hil/config/fc/fc.h"
#include "hil/config/fc/option_words.h"

static const struct json *find_option_node(const struct json *node, const char *key)
{
        return json_member(json_at(node, "fc.options"), key);
}

bool config_check_options(const struct fc_config *fc, const struct json *node,
                          struct config_error *why)
{
        char text[FC_OPTION_WORDS_MAX];
        bool ok = true;

        if (fc->options > 0 && codec_find(fc->codec)->option == NULL)
                return config_refuse_at(why, node, "fc.options",
                                        "the codec \"%s\" has no options, is with %d",
                                        fc->codec, fc->options);
        for (int i = 0; fc->spawn && i < fc->options; i++)
                if (fc_option_check(&fc->reference, fc->option[i].key,
                                    fc->option[i].value, text,
                                    sizeof(text)) != FC_OPTION_TAKEN)
                        ok = config_refuse(why, find_option_node(node, fc->option[i].key),
                                           NULL, "%s", text);
        return ok;
}

bool config_check_fc_option(const struct fc_option *option,
                            const struct vehicle_config *v, const struct json *node,
                            struct config_error *why)
{
        char text[FC_OPTION_WORDS_MAX];
        enum fc_option_fault fault;

        if (codec_find(v->fc.codec)->option == NULL)
                return config_refuse_at(why, node, "fc_option",
                                        "the codec \"%s\" of %s has no options",
                                        v->fc.codec, v->name);
        for (const char *c = option->value; *c; c++)
                if (*c < ' ' || *c > '~')
                        return config_refuse_at(why, node, "fc_option.value",
                                                "must be of printable ASCII characters");
        if (!v->fc.spawn)
                return true;
        fault = fc_option_check(&v->fc.reference, option->key, option->value, text,
                                sizeof(text));
        return fault == FC_OPTION_TAKEN ||
               config_refuse_at(why, node,
                                fault == FC_OPTION_KEY ? "fc_option.key"
                                                       : "fc_option.value",
                                "%s", text);
}
