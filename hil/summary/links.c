/* What a run's end says of the links: counts of each flight controller, and warnings of what was not as it should
 * be, though the flight went on. Nothing is said of what a fault of the scenario's may have done. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>

#include "hil/rig/loop.h"
#include "hil/summary/summary.h"
#include "hil/text/terminal.h"

/* Of the median: a host that stalls now and then does not reach it, and no multicopter flies well with it. */
#define LOOP_SLOW_NS (25 * NS_PER_MS)

/* A fleet's are often the same for every vehicle. */
#define FLEET_WARNINGS 8

struct warnings {
        struct json *list; /* NULL: none is made */
        FILE *out; /* NULL: not printed */
        int most, count; /* printed of a fleet's, and how many there are */
};

static void __attribute__((format(printf, 2, 3)))
add_warning(struct warnings *w, const char *format, ...)
{
        char text[900];
        va_list args;

        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        if (w->list != NULL)
                json_add_string(w->list, NULL, text);
        if (w->out != NULL && w->count++ < w->most)
                terminal_print(w->out, "warning: %s\n", text);
}

/* Now and then one jumps because much was lost at once. */
static bool summary_knows_lost(const struct fc_port *port)
{
        const struct codec_counts *counts = &port->codec->counts;

        return counts->jumps * 100 <= counts->frames_decoded;
}

static void warn_of_numbers(struct warnings *w, const struct rig_vehicle *v)
{
        const struct codec_counts *c = &v->port.codec->counts;
        const char *name = v->config->name;

        if (c->jumps > 0)
                add_warning(w,
                            "%s: jumps of more than %d in the numbers of its messages: "
                            "%llu of %llu%s",
                            name, CODEC_JUMP_LEAST, (unsigned long long)c->jumps,
                            (unsigned long long)c->frames_decoded,
                            summary_knows_lost(&v->port)
                                    ? ""
                                    : "; how many were lost cannot be told from them");
        if (c->repeated > 0)
                add_warning(w,
                            "%s: messages that came twice, or answered a frame again: "
                            "%llu of %llu",
                            name, (unsigned long long)c->repeated,
                            (unsigned long long)c->frames_decoded);
        if (c->astray > 0)
                add_warning(w,
                            "%s: motors for frames that were never sent, or are older "
                            "than one already answered: %llu messages of %llu",
                            name, (unsigned long long)c->astray,
                            (unsigned long long)c->frames_decoded);
}

static void warn_of_malformed(struct warnings *w, const struct rig *rig,
                              const struct rig_vehicle *v)
{
        const struct codec_counts *c = &v->port.codec->counts;
        char hint[400] = "";

        if (c->malformed == 0)
                return;
        loop_hint_conform(rig, v, hint, sizeof hint);
        add_warning(
                w,
                "%s: malformed messages, with a right checksum around what cannot be: "
                "%llu of %llu%s",
                v->config->name, (unsigned long long)c->malformed,
                (unsigned long long)c->frames_decoded, hint);
}

/* In lockstep it is the host's time, which no flight feels. */
static void warn_of_slow_loop(struct warnings *w, const struct rig *rig,
                              const struct rig_vehicle *v)
{
        int64_t loop_ns = histogram_quantile_ns(&v->port.talk.loop, 0.5);

        if (rig->config->pace == PACE_REALTIME && loop_ns > LOOP_SLOW_NS)
                add_warning(w,
                            "%s: half of its motor commands came %.1f ms or more after "
                            "their sensor frame",
                            v->config->name, (double)loop_ns * 1e-6);
}

static void warn_of_strangers(struct warnings *w, const char *vehicle, const char *link,
                              bool packets, const struct link_strangers *s)
{
        if (s->count > 0)
                add_warning(w, "%s: %s: %s: %llu, the last from %s", vehicle, link,
                            packets ? "packets of strangers, dropped"
                                    : "connections of strangers, closed",
                            (unsigned long long)s->count, s->last);
}

static void warn_of_links(struct warnings *w, const struct rig *rig,
                          const struct rig_vehicle *v)
{
        const struct fc_config *fc = &v->config->fc;
        char text[400];

        for (int c = 0; c < fc->links; c++) {
                warn_of_strangers(w, v->config->name, fc->link_text[c],
                                  fc->link[c].kind == LINK_UDP_LISTEN,
                                  &v->port.links.strangers[c]);
                if (!loop_channel_unheard(v, c, loop_sim_ns(rig)) || rig->tick == 0)
                        continue;
                loop_describe_unheard(v, c, text, sizeof text);
                add_warning(w, "%s", text);
        }
        for (int p = 0; p < v->config->ports; p++)
                warn_of_strangers(w, v->config->name, v->device[p].config->link_text,
                                  v->device[p].config->link.kind == LINK_UDP_LISTEN,
                                  &v->device[p].strangers);
}

static void warn_of_all(struct warnings *w, const struct rig *rig)
{
        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];

                warn_of_links(w, rig, v);
                if (v->twin != NULL)
                        continue;
                if (v->port.links.faults.all != NULL)
                        continue;
                warn_of_malformed(w, rig, v);
                warn_of_numbers(w, v);
                warn_of_slow_loop(w, rig, v);
        }
}

void summary_warnings_print(FILE *out, const struct rig *rig)
{
        struct warnings w = { .out = out,
                              .most = config_is_fleet(rig->config) ? FLEET_WARNINGS
                                                                   : INT_MAX };

        warn_of_all(&w, rig);
        if (w.count > w.most)
                fprintf(out, "and %d more warnings: summary.json has all\n",
                        w.count - w.most);
}

static void add_link(struct json *list, const struct rig_vehicle *v, int channel)
{
        const struct fc_links *l = &v->port.links;
        struct json *o = json_add_object(list, NULL);

        json_add_string(o, "channel", l->ops->channel[channel].name);
        json_add_string(o, "link", v->config->fc.link_text[channel]);
        json_add_bool(o, "heard", l->heard[channel]);
        json_add_u64(o, "strangers", l->strangers[channel].count);
        json_add_string(o, "last_stranger", l->strangers[channel].last);
}

static void add_gravest(struct json *parent, const struct fc_gravest *g)
{
        struct json *o;

        if (g->text[0] == '\0')
                return;
        o = json_add_object(parent, "warned");
        json_add_string(o, "severity", fc_severity_name(g->severity));
        json_add_number(o, "at_s", (double)g->t_ns / 1e9);
        json_add_string(o, "text", g->text);
}

/* What the firmware said of its own settings. */
static void add_settings(struct json *parent, const struct codec *codec)
{
        struct json *list = json_add_array(parent, "settings");

        for (int i = 0; i < codec->settings; i++) {
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "name", codec->setting[i].name);
                json_add_string(o, "value", codec->setting[i].value);
        }
}

/* What became of the packets that a vehicle's board offered, and of those of others on their way to it. */
static void add_radio(struct json *parent, const struct rig *rig,
                      const struct rig_vehicle *v)
{
        const struct radio_counts *c;
        struct json *o;

        if (rig->radio == NULL)
                return;
        c = radio_counts(rig->radio, v->port.vehicle);
        o = json_add_object(parent, "radio");
        json_add_u64(o, "offered", c->offered + v->port.peers.dropped);
        json_add_u64(o, "dropped", c->dropped + v->port.peers.dropped);
        json_add_u64(o, "sent", c->sent);
        json_add_u64(o, "heard", c->heard);
        json_add_u64(o, "too_faint", c->faint);
        json_add_u64(o, "collided", c->collided);
        json_add_u64(o, "lost", c->lost);
        json_add_u64(o, "jammed", c->jammed);
}

/* One without a board, of ports alone, has no codec. */
static void add_stations(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "stations");

        for (int i = rig->config->vehicles; i < config_boards(rig->config); i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "station", v->config->name);
                json_add_string(o, "board", v->port.report.name);
                json_add_string(o, "loss", fc_loss_name(v->port.loss));
                json_add_u64(o, "frames_sent", v->port.talk.frames_sent);
                json_add_u64(o, "messages_received",
                             v->port.codec != NULL ? v->port.codec->counts.frames_decoded
                                                   : 0);
                add_radio(o, rig, v);
        }
}

void summary_links_json(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "flight_controllers"), *links;

        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                const struct codec_counts *c;
                struct json *o;

                if (v->twin != NULL)
                        continue;
                c = &v->port.codec->counts;
                o = json_add_object(list, NULL);
                json_add_string(o, "vehicle", v->config->name);
                json_add_string(o, "loss", fc_loss_name(v->port.loss));
                json_add_u64(o, "frames_sent", v->port.talk.frames_sent);
                json_add_u64(o, "messages_received", c->frames_decoded);
                json_add_u64(o, "crc_errors", c->crc_errors);
                json_add_u64(o, "malformed", c->malformed);
                json_add_u64(o, "out_of_step", c->astray);
                json_add_u64(o, "repeated", c->repeated);
                json_add_u64(o, "jumps", c->jumps);
                json_add_number(o, "lost",
                                summary_knows_lost(&v->port) ? (double)c->lost
                                                             : (double)NAN);
                json_add_u64(o, "restarts", v->port.restarts);
                add_gravest(o, &v->port.gravest);
                add_settings(o, v->port.codec);
                add_radio(o, rig, v);
                links = json_add_array(o, "links");
                for (int k = 0; k < v->config->fc.links; k++)
                        add_link(links, v, k);
        }
        add_stations(parent, rig);
        warn_of_all(&(struct warnings){ .list = json_add_array(parent, "warnings") },
                    rig);
}

void summary_links_add_up(struct summary_link_totals *sum, const struct rig *rig)
{
        *sum = (struct summary_link_totals){ 0 };
        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct fc_port *port = &rig->vehicle[i].port;
                const struct codec_counts *counts;

                if (port->codec == NULL)
                        continue; /* a twin */
                counts = &port->codec->counts;
                sum->frames_sent += port->talk.frames_sent;
                sum->frames_received += counts->frames_decoded;
                sum->crc_errors += counts->crc_errors;
                sum->lost += summary_knows_lost(port) ? counts->lost : 0;
                sum->bytes_sent += port->links.bytes_sent;
                sum->bytes_received += port->links.bytes_received;
                histogram_merge(&sum->loop, &port->talk.loop);
                histogram_merge(&sum->wire, &port->talk.wire);
        }
}
