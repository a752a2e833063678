/* What a run prints at its end, for people. */
#include "hil/summary/summary.h"

#include "hil/text/terminal.h"

static double us(int64_t ns)
{
        return (double)ns / 1e3;
}

/* What the device heard that the motors are to do, beside what the flight controller says of itself. */
static void print_motors(FILE *out, const struct motor_comparison *c, int rotors)
{
        for (int i = 0; i < rotors && c->of[i][i].ticks > 0; i++) {
                int better = motor_comparison_better(c, rotors, i);

                fprintf(out,
                        "  rotor %d on the bus: against reported %.4f rms, %.4f max\n", i,
                        motor_difference_rms(&c->of[i][i]), c->of[i][i].max);
                if (better >= 0)
                        fprintf(out, "  it moves as rotor %d is reported: swapped?\n",
                                better);
        }
}

static void print_ports(FILE *out, const struct rig_vehicle *v)
{
        for (int p = 0; p < v->config->ports; p++) {
                const struct device_port *port = &v->device[p];
                const struct device *d = port->device;
                char text[DEVICE_TELL_MAX];

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
                if (d->ops->tell != NULL) {
                        d->ops->tell(d, text, sizeof text);
                        terminal_print(out, "  %s\n", text);
                }
                print_motors(out, &port->motors, v->config->params.rotors);
                if (d->refused[0] != '\0')
                        terminal_print(out, "  %llu errors, the last: %s\n",
                                       (unsigned long long)d->counts.errors, d->refused);
        }
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
            (config_is_fleet(rig->config) && summary_fleet_alike(rig, vehicle) == 0))
                return;
        if (config_is_fleet(rig->config))
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
                if (config_is_fleet(rig->config) &&
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
        struct summary_link_totals sum;

        summary_links_add_up(&sum, rig);
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
