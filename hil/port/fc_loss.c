/* When a flight controller (FC) is given up, and why, from what came since it last answered: a link that is open
 * is not gone, and bytes that nobody understands are no silence. */
#include <stdio.h>

#include "hil/port/fc_port.h"

struct fc_heard fc_port_heard(const struct fc_port *port)
{
        const struct codec_counts *counts = &port->codec->counts;

        return (struct fc_heard){ port->links.bytes_received, counts->frames_decoded,
                                  counts->crc_errors + counts->malformed, counts->astray,
                                  port->motors_heard };
}

static struct fc_heard heard_since(const struct fc_port *port)
{
        struct fc_heard now = fc_port_heard(port);

        return (struct fc_heard){ now.bytes - port->heard.bytes,
                                  now.messages - port->heard.messages,
                                  now.wrong - port->heard.wrong,
                                  now.astray - port->heard.astray,
                                  now.motors - port->heard.motors };
}

enum fc_loss fc_port_loss(const struct fc_port *port)
{
        struct fc_heard since = heard_since(port);

        if (fc_port_unplugged(port))
                return FC_LOSS_UNPLUGGED;
        if (port->links.broken)
                return FC_LOSS_GONE;
        if (since.bytes == 0)
                return FC_LOSS_SILENT;
        if (port->state == FC_PORT_GREETING && port->report.refused)
                return FC_LOSS_REFUSED;
        if (port->state == FC_PORT_GREETING && since.messages > 0)
                return FC_LOSS_NO_HELLO;
        if (since.astray > 0 || since.motors > 0)
                return FC_LOSS_OUT_OF_STEP;
        if (since.messages == 0 || since.wrong > since.messages / 2)
                return FC_LOSS_MALFORMED;
        return FC_LOSS_NO_MOTORS;
}

void fc_port_check_silence(struct fc_port *port, int64_t now_ns)
{
        int64_t silent_ns = now_ns - port->talk.heard_ns;

        if (port->state == FC_PORT_READY && fc_port_owes(port) && !port->mute &&
            silent_ns - port->talk.held_ns > port->config->timeout_ns)
                fc_port_give_up(port);
        /* A board that starts needs as long as it does at the start of a run. */
        if (port->state == FC_PORT_GREETING && silent_ns > port->config->hello_timeout_ns)
                fc_port_give_up(port);
}

const char *fc_loss_name(enum fc_loss loss)
{
        static const char *const names[] = { [FC_LOSS_NONE] = "",
                                             [FC_LOSS_GONE] = "gone",
                                             [FC_LOSS_UNPLUGGED] = "unplugged",
                                             [FC_LOSS_SILENT] = "silent",
                                             [FC_LOSS_MALFORMED] = "malformed",
                                             [FC_LOSS_OUT_OF_STEP] = "out of step",
                                             [FC_LOSS_NO_MOTORS] = "without motors",
                                             [FC_LOSS_NO_HELLO] = "no hello",
                                             [FC_LOSS_REFUSED] = "refused" };

        return names[loss];
}

void fc_port_describe_loss(const struct fc_port *port, const char *when, char *text,
                           size_t cap)
{
        struct fc_heard since = heard_since(port);
        const char *name = fc_loss_name(port->loss);

        switch (port->loss) {
        case FC_LOSS_UNPLUGGED:
                snprintf(text, cap, "unplugged by the scenario%s", when);
                return;
        case FC_LOSS_SILENT:
                snprintf(text, cap, "silent%s: it is open, but nothing came", when);
                return;
        case FC_LOSS_MALFORMED:
                if (since.messages == 0)
                        snprintf(text, cap,
                                 "malformed%s: %llu bytes came, but no valid message",
                                 when, (unsigned long long)since.bytes);
                else
                        snprintf(text, cap,
                                 "malformed%s: messages came that were wrong (%llu) or "
                                 "had no motors (%llu)",
                                 when, (unsigned long long)since.wrong,
                                 (unsigned long long)since.messages);
                return;
        case FC_LOSS_OUT_OF_STEP:
                snprintf(text, cap,
                         "out of step%s: motors came for other frames than those that "
                         "wait",
                         when);
                return;
        case FC_LOSS_NO_MOTORS:
                snprintf(text, cap,
                         "without motors%s: valid messages came (%llu), but none with "
                         "motors",
                         when, (unsigned long long)since.messages);
                return;
        default:
                snprintf(text, cap, "%s%s", name, when);
        }
}
