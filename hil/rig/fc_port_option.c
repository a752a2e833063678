/* The flight controller's own settings: what the rig file gives them, with what the scenario makes of them
 * on top. */
#include <string.h>

#include "hil/rig/fc_port.h"

/* "": nobody sets it. */
static const char *configured(const struct fc_port *port, const char *key)
{
        for (int i = 0; i < port->config->options; i++)
                if (strcmp(port->config->option[i].key, key) == 0)
                        return port->config->option[i].value;
        return "";
}

/* By the newest of that key that is in force, or else as the rig file has it. */
static const char *value_of(const struct fc_port *port, const char *key)
{
        for (int i = port->options - 1; i >= 0; i--) {
                const struct fc_option *o = port->option[i].option;

                if (strcmp(o->key, key) == 0 && o->value[0] != '\0')
                        return o->value;
                if (strcmp(o->key, key) == 0)
                        break;
        }
        return configured(port, key);
}

static bool tell(struct fc_port *port, const char *key)
{
        return port->codec->ops->option(port->codec, key, value_of(port, key));
}

bool fc_port_option_begin(struct fc_port *port, const struct fc_option *option, int id,
                          int64_t end_ns)
{
        if (port->state == FC_PORT_CLOSED || port->options == SCENARIO_STEPS_MAX)
                return false;
        port->option[port->options++] = (struct fc_option_entry){ id, option, end_ns };
        return tell(port, option->key);
}

int fc_port_option_end_due(struct fc_port *port, int64_t t_ns)
{
        for (int i = 0; i < port->options; i++) {
                struct fc_option_entry over = port->option[i];

                if (over.end_ns > t_ns)
                        continue;
                port->options--;
                memmove(&port->option[i], &port->option[i + 1],
                        (size_t)(port->options - i) * sizeof port->option[0]);
                tell(port, over.option->key);
                return over.id;
        }
        return -1;
}

const char *fc_port_option_unheard(const struct fc_port *port)
{
        if (port->codec == NULL || port->codec->ops->option_unheard == NULL)
                return NULL;
        return port->codec->ops->option_unheard(port->codec);
}
