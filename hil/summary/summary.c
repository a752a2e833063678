#include "hil/summary/summary.h"

#include <math.h>

#include "hil/time/clock.h"
#include "hil/text/json.h"
#include "hil/text/version.h"

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
                        acted = fc_faults_counts(
                                rig_vehicle_wire(&rig->vehicle[i], step->wire_fault.port),
                                k);
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

void summary_add_difference(struct json *o, const struct motor_comparison *c, int rotors,
                            int i)
{
        int better = motor_comparison_better(c, rotors, i);

        json_add_number(o, "difference_rms", motor_difference_rms(&c->of[i][i]));
        json_add_number(o, "difference_max", c->of[i][i].max);
        json_add_i64(o, "moves_as_rotor", better < 0 ? i : better);
}

/* As in the part on motor pads; empty where the device hears of no motors, or the flight controller reports none. */
static void add_motors(struct json *parent, const struct motor_comparison *c, int rotors)
{
        struct json *list = json_add_array(parent, "motors");

        for (int i = 0; i < rotors && c->of[i][i].ticks > 0; i++) {
                struct json *o = json_add_object(list, NULL);

                json_add_u64(o, "ticks", c->of[i][i].ticks);
                summary_add_difference(o, c, rotors, i);
        }
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
                        json_add_string(o, "last_error", port->device->refused);
                        add_motors(o, &port->motors,
                                   rig->config->vehicle[i].params.rotors);
                }
}

static void add_firmware(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "firmware");

        for (int i = 0; i < rig->config->vehicles; i++)
                json_add_string(list, NULL, rig->vehicle[i].port.report.name);
}

static double ms_between(int64_t from_ns, int64_t to_ns)
{
        return from_ns > 0 && to_ns > 0 ? (double)(to_ns - from_ns) * 1e-6 : (double)NAN;
}

/* How the answers of lockstep were waited for. */
static void add_waiting(struct json *root, const struct rig *rig)
{
        struct json *o = json_add_object(root, "waiting");

        json_add_number(o, "looked_at_most_us", us(rig->busy.most_ns));
        json_add_u64(o, "looked", rig->busy.looked);
        json_add_u64(o, "slept", rig->busy.slept);
        json_add_u64(o, "napped", rig->busy.nap.taken);
}

/* From main() to the first frame, by parts. */
static void add_start(struct json *root, const struct summary_start *s,
                      const struct rig *rig)
{
        struct json *o = json_add_object(root, "start");
        int64_t first_ns = 0;

        for (int i = 0; i < rig->config->vehicles; i++) {
                int64_t at_ns = rig->vehicle[i].port.talk.first_ns;

                if (at_ns > 0 && (first_ns == 0 || at_ns < first_ns))
                        first_ns = at_ns;
        }
        json_add_i64(o, "main_monotonic_ns", s->main_ns);
        json_add_number(o, "configuration_ms", ms_between(s->main_ns, s->read_ns));
        json_add_number(o, "links_ms", ms_between(s->read_ns, s->opened_ns));
        json_add_number(o, "processes_ms", ms_between(s->opened_ns, s->ready_ns));
        json_add_number(o, "handshake_ms", ms_between(s->ready_ns, rig->met_ns));
        json_add_number(o, "first_frame_ms", ms_between(rig->met_ns, first_ns));
        json_add_number(o, "whole_ms", ms_between(s->main_ns, first_ns));
        json_add_number(o, "processor_ms", (double)rig->met_cpu_ns * 1e-6);
}

char *summary_json(const struct summary *s, const struct rig *rig)
{
        struct json *root = json_new_object(), *o;
        struct summary_link_totals sum;

        summary_links_add_up(&sum, rig);
        json_add_string(root, "verdict", verdict_name(s->verdict));
        json_add_string(root, "end_reason", s->reason);
        json_add_bool(root, "settings_refused", rig->end == END_SETTINGS_REFUSED);
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
        json_add_number(root, "processor_time_s",
                        (double)(rig->end_cpu_ns - rig->met_cpu_ns) / 1e9);
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
        add_start(root, &s->start, rig);
        if (rig->config->pace == PACE_LOCKSTEP)
                add_waiting(root, rig);
        json_add_string(root, "realtime_missing", rig->realtime.missing);
        add_wiring(root, rig);
        add_lost(root, rig);
        add_left_armed(root, rig);
        return json_print_free(root);
}
