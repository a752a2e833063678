#include "hil/rig/summary.h"

#include "hil/time/clock.h"
#include "hil/text/json.h"
#include "hil/text/version.h"
#include "hil/text/terminal.h"

struct link_totals {
        uint64_t frames_sent, frames_received, crc_errors, lost, bytes_sent,
                bytes_received;
        struct histogram loop, wire;
};

static void add_up(struct link_totals *sum, const struct rig *rig)
{
        *sum = (struct link_totals){ 0 };
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

static double us(int64_t ns)
{
        return (double)ns / 1e3;
}

/* Of every bucket that is not empty: its lower edge and its count. */
static void add_bins(struct json *parent, const struct histogram *h)
{
        struct json *list = json_add_array(parent, "bins");

        for (int i = 0; i < HISTOGRAM_BUCKETS; i++) {
                struct json *bin;

                if (h->bucket[i] == 0)
                        continue;
                bin = json_add_array(list, NULL);
                json_add_number(bin, NULL, us(histogram_edge_ns(i)));
                json_add_u64(bin, NULL, h->bucket[i]);
        }
}

static void add_latency(struct json *parent, const char *key, const struct histogram *h)
{
        struct json *o = json_add_object(parent, key);

        json_add_u64(o, "count", h->count);
        json_add_number(o, "p50", us(histogram_quantile_ns(h, 0.5)));
        json_add_number(o, "p99", us(histogram_quantile_ns(h, 0.99)));
        json_add_number(o, "p99_9", us(histogram_quantile_ns(h, 0.999)));
        json_add_number(o, "max", us(h->max_ns));
        add_bins(o, h);
}

static const char *outcome_word(enum judge_outcome o)
{
        static const char *const word[] = { "passed", "failed", "not judged" };

        return word[o];
}

static void add_requirements(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "requirements");
        char detail[200];

        for (int i = 0; i < rig->config->scenario.requirements; i++) {
                struct json *r = json_add_object(list, NULL);
                int64_t at_ns = judge_at_ns(&rig->judge, i);

                judge_detail(&rig->judge, i, detail, sizeof detail);
                json_add_string(r, "name", rig->config->scenario.requirement[i].name);
                json_add_bool(r, "passed", judge_result(&rig->judge, i) == JUDGE_PASSED);
                json_add_string(r, "outcome", outcome_word(judge_result(&rig->judge, i)));
                json_add_string(r, "detail", detail);
                json_add_number(r, "robustness", judge_robustness(&rig->judge, i));
                json_add_number(r, "value", judge_value(&rig->judge, i));
                if (at_ns >= 0)
                        json_add_number(r, "at_s", (double)at_ns / 1e9);
        }
}

static void add_metrics(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "metrics");

        for (int i = 0; i < rig->config->vehicles; i++)
                for (int m = 0; m < METRIC_COUNT; m++) {
                        struct json *o = json_add_object(list, NULL);

                        json_add_string(o, "name", metric_info[m].name);
                        json_add_string(o, "vehicle", rig->config->vehicle[i].name);
                        json_add_number(
                                o, "value",
                                metrics_value(&rig->vehicle[i].metrics, (enum metric)m));
                        json_add_string(o, "unit", metric_info[m].unit);
                        json_add_string(o, "better", metric_info[m].better);
                }
}

/* What each fault of a wire has done. */
static void add_wire_faults(struct json *parent, const struct rig *rig)
{
        const struct scenario *s = &rig->config->scenario;
        struct json *list = json_add_array(parent, "wire_faults");

        for (int k = 0; k < s->steps; k++)
                for (int i = 0; i < rig->config->vehicles; i++) {
                        const struct scenario_step *step = &s->step[k];
                        struct wire_fault_counts acted;
                        struct json *o;

                        if (step->action != ACTION_WIRE_FAULT ||
                            !scenario_step_is_for(step, i))
                                continue;
                        acted = fc_faults_counts(&rig->vehicle[i].port.links.faults, k);
                        o = json_add_object(list, NULL);
                        json_add_i64(o, "step", k);
                        json_add_string(o, "vehicle", rig->config->vehicle[i].name);
                        json_add_u64(o, "frames", acted.frames);
                        json_add_u64(o, "bytes", acted.bytes);
                }
}

/* What each flight said of how its board is wired; "" for nothing. */
static void add_wiring(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "wiring");

        for (int i = 0; i < rig->config->vehicles; i++) {
                const struct rig_vehicle *v = &rig->vehicle[i];
                char text[WIRING_TEXT_MAX];

                wiring_describe(&v->wiring, text, sizeof text);
                json_add_string(list, NULL, text);
        }
}

/* Whether each board was left armed; "" for not. */
static void add_left_armed(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "left_armed");

        for (int i = 0; i < rig->config->vehicles; i++) {
                char text[200];

                rig_left_armed(&rig->vehicle[i], text, sizeof text);
                json_add_string(list, NULL, text);
        }
}

/* Whose boards were lost in flight, and how; "" for not. */
static void add_lost(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "lost");

        for (int i = 0; i < config_boards(rig->config); i++)
                json_add_string(list, NULL, rig->vehicle[i].lost_why);
}

/* What went over the ports of the parts that the rig emulates. */
static void add_ports(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "ports");

        for (int i = 0; i < rig->config->vehicles; i++)
                for (int p = 0; p < rig->config->vehicle[i].ports; p++) {
                        const struct device_port *port = &rig->vehicle[i].device[p];
                        struct json *o = json_add_object(list, NULL);

                        json_add_string(o, "vehicle", rig->config->vehicle[i].name);
                        json_add_string(o, "device", port->config->device);
                        json_add_string(o, "link", port->config->link_text);
                        json_add_u64(o, "bytes_sent", port->bytes_sent);
                        json_add_u64(o, "bytes_received", port->bytes_received);
                        json_add_u64(o, "bytes_dropped", port->bytes_dropped);
                        json_add_u64(o, "bytes_misheard", port->bytes_misheard);
                        json_add_u64(o, "losses", port->losses);
                        json_add_u64(o, "strangers", port->strangers.count);
                        json_add_string(o, "last_stranger", port->strangers.last);
                        json_add_u64(o, "messages_sent",
                                     port->device->counts.messages_out);
                        json_add_u64(o, "messages_received",
                                     port->device->counts.messages_in);
                        json_add_u64(o, "errors", port->device->counts.errors);
                }
}

static void print_ports(FILE *out, const struct rig_vehicle *v)
{
        for (int p = 0; p < v->config->ports; p++) {
                const struct device_port *port = &v->device[p];

                fprintf(out, "port %s: %llu bytes sent, %llu received",
                        port->config->device, (unsigned long long)port->bytes_sent,
                        (unsigned long long)port->bytes_received);
                if (port->bytes_misheard > 0)
                        fprintf(out, ", %llu while the other end had another speed",
                                (unsigned long long)port->bytes_misheard);
                if (port->bytes_dropped > 0)
                        fprintf(out, ", %llu that the link did not take",
                                (unsigned long long)port->bytes_dropped);
                fprintf(out, "\n");
        }
}

static void add_firmware(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "firmware");

        for (int i = 0; i < rig->config->vehicles; i++)
                json_add_string(list, NULL, rig->vehicle[i].port.report.name);
}

char *summary_json(const struct summary *s, const struct rig *rig)
{
        struct json *root = json_new_object(), *o;
        struct link_totals sum;
        char *text;

        add_up(&sum, rig);
        json_add_string(root, "verdict", verdict_name(s->verdict));
        json_add_string(root, "end_reason", s->reason);
        json_add_string(root, "config", s->config_path);
        json_add_string(root, "config_sha256", s->config_sha256);
        json_add_string(root, "version", hilrig_version());
        json_add_u64(root, "seed", rig->config->seed);
        json_add_string(root, "pace",
                        rig->config->pace == PACE_LOCKSTEP ? "lockstep" : "realtime");
        json_add_i64(root, "period_ns", rig->config->period_ns);
        json_add_number(root, "sim_time_s",
                        (double)(rig->tick * rig->config->period_ns) / 1e9);
        json_add_number(root, "wall_time_s", (double)(rig->end_ns - rig->start_ns) / 1e9);
        json_add_i64(root, "ticks", rig->tick);
        json_add_u64(root, "overruns", rig->missed);
        json_add_u64(root, "record_drops", s->record.drops);
        json_add_string(root, "signal_sha256", s->record.signal_sha256);
        o = json_add_object(root, "link");
        json_add_u64(o, "frames_sent", sum.frames_sent);
        json_add_u64(o, "frames_received", sum.frames_received);
        json_add_u64(o, "crc_errors", sum.crc_errors);
        json_add_u64(o, "lost", sum.lost);
        json_add_u64(o, "bytes_sent", sum.bytes_sent);
        json_add_u64(o, "bytes_received", sum.bytes_received);
        summary_links_json(root, rig);
        o = json_add_object(root, "latency_us");
        add_latency(o, "loop", &sum.loop);
        add_latency(o, "wake", &rig->wake);
        add_latency(o, "compute", &rig->compute);
        add_requirements(root, rig);
        summary_mission_json(root, rig);
        add_metrics(root, rig);
        summary_fleet_json(root, rig);
        add_wire_faults(root, rig);
        add_firmware(root, rig);
        add_ports(root, rig);
        summary_pads_json(root, rig);
        summary_process_json(root, rig);
        summary_twins_json(root, rig);
        json_add_string(root, "realtime_missing", rig->realtime.missing);
        add_wiring(root, rig);
        add_lost(root, rig);
        add_left_armed(root, rig);
        text = json_print(root);
        json_free(root);
        return text;
}

static void print_latency(FILE *out, const char *name, const struct histogram *h)
{
        if (h->count == 0)
                return;
        fprintf(out, "  %-8s %9llu %9.1f %9.1f %9.1f %9.1f\n", name,
                (unsigned long long)h->count, us(histogram_quantile_ns(h, 0.5)),
                us(histogram_quantile_ns(h, 0.99)), us(histogram_quantile_ns(h, 0.999)),
                us(h->max_ns));
}

static void print_wiring(FILE *out, const struct rig_vehicle *v)
{
        char text[WIRING_TEXT_MAX];

        wiring_describe(&v->wiring, text, sizeof text);
        if (text[0] != '\0')
                terminal_print(out, "wiring of %s: %s\n", v->config->name, text);
}

/* Of a fleet, with how many others it is the same; what has been told is not told again. */
static void describe_whose(const struct rig *rig, int vehicle, char *whose, size_t cap)
{
        int others = summary_fleet_alike(rig, vehicle) - 1;
        const char *name = rig->config->vehicle[vehicle].name;

        if (others > 0)
                snprintf(whose, cap, " of %s and %d other%s:", name, others,
                         others == 1 ? "" : "s");
        else
                snprintf(whose, cap, " of %s:", name);
}

static void print_firmware(FILE *out, const struct rig *rig, int vehicle)
{
        const struct rig_vehicle *v = &rig->vehicle[vehicle];
        const struct fc_report *r = &v->port.report;
        const struct fc_gravest *g = &v->port.gravest;
        char whose[NAME_MAX_LEN + 40] = "";

        if (r->name[0] == '\0' ||
            (summary_is_fleet(rig->config) && summary_fleet_alike(rig, vehicle) == 0))
                return;
        if (summary_is_fleet(rig->config))
                describe_whose(rig, vehicle, whose, sizeof whose);
        terminal_print(out, "\nflight controller%s %s%s%s%s\n", whose, r->name,
                       r->text[0] != '\0' ? ", last said: \"" : "", r->text,
                       r->text[0] != '\0' ? "\"" : "");
        if (g->text[0] != '\0')
                terminal_print(out, "  it gave a warning (%s) at %.3f s: \"%s\"\n",
                               fc_severity_name(g->severity), (double)g->t_ns / 1e9,
                               g->text);
}

static void print_station(FILE *out, const struct rig_vehicle *v)
{
        const struct fc_report *r = &v->port.report;

        terminal_print(out, "\nstation %s%s%s%s%s%s\n", v->config->name,
                       r->name[0] != '\0' ? ": " : "", r->name,
                       r->text[0] != '\0' ? ", last said: \"" : "", r->text,
                       r->text[0] != '\0' ? "\"" : "");
        print_ports(out, v);
}

/* It speaks of the fleet, or of others than its own vehicle. */
static bool is_of_fleet(const struct requirement *r, int vehicles)
{
        for (int i = 0; i < vehicles * quantity_count; i++)
                if (formula_uses(r->formula, i) &&
                    (quantity_vehicle(i) != r->vehicle ||
                     quantities[quantity_of(i)].place == QUANTITY_FLEET))
                        return true;
        return false;
}

static void print_requirements(FILE *out, const struct rig *rig)
{
        const struct scenario *s = &rig->config->scenario;
        for (int i = 0; i < s->requirements; i++) {
                char detail[200], whose[NAME_MAX_LEN + 8] = "";

                judge_detail(&rig->judge, i, detail, sizeof detail);
                /* One vehicle's says nothing of the others. */
                if (summary_is_fleet(rig->config) &&
                    !is_of_fleet(&s->requirement[i], rig->config->vehicles))
                        snprintf(whose, sizeof whose, " (%s)",
                                 rig->config->vehicle[s->requirement[i].vehicle].name);
                terminal_print(out, "  %-10s %s%s: %s\n",
                               judge_result_name(judge_result(&rig->judge, i)),
                               s->requirement[i].name, whose, detail);
        }
}

void summary_print(FILE *out, const struct summary *s, const struct rig *rig)
{
        double sim_s = (double)(rig->tick * rig->config->period_ns) / 1e9;
        double wall_s = (double)(rig->end_ns - rig->start_ns) / 1e9;
        struct link_totals sum;

        add_up(&sum, rig);
        terminal_print(out, "\n%s: %s\n", verdict_name(s->verdict), s->reason);
        print_requirements(out, rig);
        summary_mission_print(out, rig);
        summary_fleet_print(out, rig);
        fprintf(out, "\n%.3f s simulated in %.3f s (%.1f x), %lld periods, %llu missed\n",
                sim_s, wall_s, wall_s > 0.0 ? sim_s / wall_s : 0.0, (long long)rig->tick,
                (unsigned long long)rig->missed);
        fprintf(out,
                "link: %llu frames sent, %llu messages received, %llu wrong, %llu lost, "
                "%llu records dropped\n",
                (unsigned long long)sum.frames_sent,
                (unsigned long long)sum.frames_received,
                (unsigned long long)sum.crc_errors, (unsigned long long)sum.lost,
                (unsigned long long)s->record.drops);
        summary_warnings_print(out, rig);
        if (rig->tick > 0)
                fprintf(out, "\n  us           count       p50       p99     p99.9       "
                             "max\n");
        print_latency(out, "loop", &sum.loop);
        print_latency(out, "wire", &sum.wire);
        print_latency(out, "wake", &rig->wake);
        print_latency(out, "compute", &rig->compute);
        for (int i = 0; i < rig->config->vehicles; i++) {
                print_firmware(out, rig, i);
                summary_process_print(out, &rig->vehicle[i]);
                summary_twin_print(out, &rig->vehicle[i]);
                print_ports(out, &rig->vehicle[i]);
                print_wiring(out, &rig->vehicle[i]);
                summary_pads_print(out, &rig->vehicle[i]);
        }
        for (int i = rig->config->vehicles; i < config_boards(rig->config); i++)
                print_station(out, &rig->vehicle[i]);
        fprintf(out, "signal %s\n", s->record.signal_sha256);
}
