/* Where the rig waits for its flight controllers, and what is at its ports. */
#include "hil/console/announce.h"

#include <stdio.h>

#include "hil/text/terminal.h"

/* The link is one that reaches out for who listens, not the other way round. */
static bool calls(const struct fc_config *fc, int channel)
{
        return !fc->spawn && !fc->start.used &&
               (fc->link[channel].kind == LINK_TCP ||
                fc->link[channel].kind == LINK_UNIX) &&
               !codec_find(fc->codec)->channel[channel].optional;
}

/* A firmware that is called on may start after the rig: opening waits for it. */
void announce_wait(const struct rig_config *config)
{
        for (int i = 0; i < config_boards(config); i++) {
                const struct fc_config *fc = &config->vehicle[i].fc;

                for (int c = 0; c < fc->links; c++)
                        if (calls(fc, c))
                                terminal_print(
                                        stderr,
                                        "%s: its flight controller is looked for at %s, "
                                        "for %g s\n",
                                        config->vehicle[i].name, fc->link_text[c],
                                        1e-3 * fc->link[c].patience_ms);
        }
}

/* No serial port of a computer inverts its line. */
static void announce_device(const char *vehicle, const struct device_port *d)
{
        const struct device_ops *ops = d->device->ops;
        bool serial = d->config->link.kind == LINK_UART;

        terminal_print(stderr, "%s: %s at %s", vehicle, d->config->device, d->link->name);
        if (serial && ops->framing != NULL)
                fprintf(stderr, ", %s", ops->framing);
        if (serial && ops->inverted)
                fprintf(stderr, ", to be inverted by the adapter");
        fputc('\n', stderr);
}

void announce_links(const struct rig *rig)
{
        for (int i = 0; i < config_boards(rig->config); i++) {
                const struct fc_port *port = &rig->vehicle[i].port;

                for (int c = 0; c < port->config->links; c++) {
                        const struct link *link = port->links.link[c];

                        if (link == NULL) {
                                terminal_print(stderr, "%s: %s is not there yet\n",
                                               rig->config->vehicle[i].name,
                                               port->config->link_text[c]);
                                continue;
                        }
                        if (!port->config->spawn && !port->config->start.used &&
                            !calls(port->config, c))
                                terminal_print(
                                        stderr,
                                        "%s: its flight controller is expected at %s\n",
                                        rig->config->vehicle[i].name, link->name);
                        if (link->note[0] != '\0')
                                terminal_print(stderr, "link: %s: %s\n", link->name,
                                               link->note);
                }
                for (int p = 0; p < rig->config->vehicle[i].ports; p++)
                        announce_device(rig->config->vehicle[i].name,
                                        &rig->vehicle[i].device[p]);
        }
}
