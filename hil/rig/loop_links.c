/* What the loop says of links that a flight controller can do without, and of strangers on any link. */
#include <stdio.h>
#include <string.h>

#include "hil/rig/loop.h"

/* By then a firmware that speaks by itself has spoken: a heartbeat comes every second. */
#define UNHEARD_NS (10 * NS_PER_S)

/* Whether it was said before. */
static bool is_told(uint32_t *told, int channel)
{
        bool before = (*told & 1U << channel) != 0;

        *told |= 1U << channel;
        return before;
}

static bool is_needed(const struct rig_vehicle *v, int channel)
{
        return codec_lists(v->port.links.ops->channel[channel].needed_by,
                           v->config->fc.dialect);
}

/* The run goes on without an optional channel, and says so. */
static void notice_loss(struct rig *rig, struct rig_vehicle *v, int channel)
{
        struct fc_links *l = &v->port.links;
        char text[300];

        if (!(l->fell_silent & 1U << channel))
                return;
        l->fell_silent &= ~(1U << channel);
        is_told(&l->unheard_told, channel);
        snprintf(text, sizeof text, "%s: %s (%s) lost at %.3f s, flown on without",
                 v->config->name, v->config->fc.link_text[channel],
                 l->ops->channel[channel].name, (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, '4', text);
}

bool loop_channel_unheard(const struct rig_vehicle *v, int channel, int64_t t_ns)
{
        const struct fc_links *l = &v->port.links;
        int64_t due_ns = l->ops->channel[channel].answers_at_once ? 0 : UNHEARD_NS;

        return fc_links_optional(l, channel) && !l->heard[channel] &&
               (l->silent[channel] || t_ns >= due_ns);
}

void loop_describe_unheard(const struct rig_vehicle *v, int channel, char *text,
                           size_t cap)
{
        const struct fc_links *l = &v->port.links;

        snprintf(text, cap, "%s: %s (%s) %s: %s", v->config->name,
                 v->config->fc.link_text[channel], l->ops->channel[channel].name,
                 l->silent[channel] ? "is not there"
                                    : "is silent, no valid message has come from there",
                 l->ops->channel[channel].without);
}

static void notice_unheard(struct rig *rig, struct rig_vehicle *v, int channel)
{
        char text[sizeof rig->end_reason];

        if (!loop_channel_unheard(v, channel, loop_sim_ns(rig)) ||
            is_told(&v->port.links.unheard_told, channel))
                return;
        loop_describe_unheard(v, channel, text, sizeof text);
        loop_say(rig, '4', text);
        if (!is_needed(v, channel))
                return;
        v->port.loss = FC_LOSS_NO_HELLO;
        loop_finish(rig, END_NO_HELLO, text);
}

static void notice_strangers(struct rig *rig, struct rig_vehicle *v, int channel)
{
        const struct link_strangers *s = &v->port.links.strangers[channel];
        char text[300];

        if (s->count == 0 || is_told(&v->port.links.strangers_told, channel))
                return;
        snprintf(text, sizeof text, "%s: a stranger at %s: %s", v->config->name,
                 v->config->fc.link_text[channel], s->last);
        loop_say(rig, '4', text);
}

void loop_notice_links(struct rig *rig, struct rig_vehicle *v)
{
        for (int c = 0; c < v->config->fc.links; c++) {
                notice_loss(rig, v, c);
                if (v->port.state == FC_PORT_READY)
                        notice_unheard(rig, v, c);
                notice_strangers(rig, v, c);
        }
}
