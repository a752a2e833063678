#include "hil/summary/summary.h"

#include "hil/text/terminal.h"

static double us(int64_t ns)
{
        return (double)ns / 1e3;
}

/* Of a pad on which nothing was ever recognised. */
static void print_nothing(FILE *out, const struct pads *p, int i)
{
        uint8_t pad = p->config->pad_of_rotor[i];
        uint64_t edges = motor_pad_counted(&p->decode.words.pad[pad])->edges;

        fprintf(out, "  rotor %d on input %d: ", i, pad);
        if (edges == 0)
                fprintf(out, "nothing, not one edge: not connected, or not driven?\n");
        else if (p->config->protocol == MOTOR_UNKNOWN)
                fprintf(out, "no protocol in %llu edges\n", (unsigned long long)edges);
        else
                fprintf(out,
                        "no %s in %llu edges; hilrig capture tells what they look like\n",
                        motor_protocol_name(p->config->protocol),
                        (unsigned long long)edges);
}

static void print_rotor(FILE *out, const struct pads *p, int i)
{
        uint8_t pad = p->config->pad_of_rotor[i];
        const struct motor_pad *m = &p->decode.words.pad[pad];
        const struct motor_pad_counts *n = motor_pad_counted(m);
        const struct motor_difference *d = &p->comparison.of[i][i];
        int better = motor_comparison_better(&p->comparison, p->config->rotors, i);

        if (motor_pad_protocol(m) == MOTOR_UNKNOWN && p->now.pad[pad].words == 0) {
                print_nothing(out, p, i);
                return;
        }
        fprintf(out,
                "  rotor %d on input %d: %s%s %.1f Hz, %llu frames, %llu commands, %llu "
                "damaged, "
                "%llu odd; against reported %.4f rms, %.4f max%s\n",
                i, pad, motor_protocol_name(motor_pad_protocol(m)),
                motor_pad_inverted(m) ? " inverted" : "", motor_pad_rate_hz(m),
                (unsigned long long)p->now.pad[pad].words,
                (unsigned long long)n->commands, (unsigned long long)n->damaged,
                (unsigned long long)n->odd, motor_difference_rms(d), d->max,
                p->rotor[i].silent ? "; silent" : "");
        if (better >= 0)
                fprintf(out, "  input %d moves as rotor %d is reported: swapped?\n", pad,
                        better);
}

static void print_part(FILE *out, const char *name, const struct histogram *h)
{
        if (h->count > 0)
                fprintf(out, "  %-8s %9llu %9.1f %9.1f %9.1f %9.1f\n", name,
                        (unsigned long long)h->count, us(histogram_quantile_ns(h, 0.5)),
                        us(histogram_quantile_ns(h, 0.99)),
                        us(histogram_quantile_ns(h, 0.999)), us(h->max_ns));
}

void summary_pads_print(FILE *out, const struct rig_vehicle *v)
{
        const struct pads *p = v->pads;

        if (p == NULL)
                return;
        terminal_print(out, "\nmotor pads of %s by %s: %s, %llu gaps, %llu losses",
                       v->config->name, p->config->source_text,
                       p->config->drives ? "driving" : "watched",
                       (unsigned long long)p->now.gaps,
                       (unsigned long long)p->losses_said);
        if (p->misfits > 0)
                fprintf(out, ", %llu other devices in its place, not taken",
                        (unsigned long long)p->misfits);
        fputc('\n', out);
        for (int i = 0; i < p->config->rotors; i++)
                print_rotor(out, p, i);
        if (p->latency.whole.count > 0)
                fprintf(out, "\n  us, edge to  count       p50       p99     p99.9       "
                             "max\n");
        print_part(out, "device", &p->latency.fill);
        print_part(out, "transfer", &p->latency.transfer);
        print_part(out, "decode", &p->latency.decode);
        print_part(out, "tick", &p->latency.wait);
        print_part(out, "whole", &p->latency.whole);
        print_part(out, "age", &p->latency.age);
        if (p->latency.whole.count > 0)
                fprintf(out,
                        "  device to whole: of the commands that a tick took (%llu were "
                        "overtaken by a newer one first)\n"
                        "  age: at each tick, of the command in force, new or old\n",
                        (unsigned long long)p->latency.overtaken);
}

static void add_part(struct json *parent, const char *key, const struct histogram *h)
{
        struct json *o = json_add_object(parent, key);

        json_add_u64(o, "count", h->count);
        json_add_number(o, "p50", us(histogram_quantile_ns(h, 0.5)));
        json_add_number(o, "p99", us(histogram_quantile_ns(h, 0.99)));
        json_add_number(o, "p99_9", us(histogram_quantile_ns(h, 0.999)));
        json_add_number(o, "max", us(h->max_ns));
}

static void add_rotor(struct json *list, const struct pads *p, int i)
{
        uint8_t pad = p->config->pad_of_rotor[i];
        const struct motor_pad *m = &p->decode.words.pad[pad];
        const struct motor_pad_counts *n = motor_pad_counted(m);
        struct json *o = json_add_object(list, NULL);

        json_add_i64(o, "input", pad);
        json_add_string(o, "protocol", motor_protocol_name(motor_pad_protocol(m)));
        json_add_bool(o, "inverted", motor_pad_inverted(m));
        json_add_u64(o, "edges", n->edges);
        json_add_number(o, "rate_hz", motor_pad_rate_hz(m));
        json_add_number(o, "jitter_us", motor_pad_jitter_s(m) * 1e6);
        json_add_u64(o, "frames", p->now.pad[pad].words);
        json_add_u64(o, "commands", n->commands);
        json_add_u64(o, "damaged", n->damaged);
        json_add_u64(o, "odd", n->odd);
        json_add_u64(o, "telemetry", n->telemetry);
        json_add_u64(o, "silences", p->rotor[i].silences);
        summary_add_difference(o, &p->comparison, p->config->rotors, i);
}

static void add_vehicle(struct json *list, const struct rig *rig, int vehicle)
{
        const struct pads *p = rig->vehicle[vehicle].pads;
        struct json *o = json_add_object(list, NULL), *part;

        json_add_string(o, "vehicle", rig->config->vehicle[vehicle].name);
        json_add_string(o, "source", p->config->source_text);
        json_add_string(o, "use", p->config->drives ? "drive" : "watch");
        json_add_u64(o, "gaps", p->now.gaps);
        json_add_u64(o, "losses", p->losses_said);
        json_add_u64(o, "misfits", p->misfits);
        json_add_number(o, "clock_ppm", device_clock_ppm(&p->decode.clock));
        part = json_add_object(o, "latency_us");
        add_part(part, "device", &p->latency.fill);
        add_part(part, "transfer", &p->latency.transfer);
        add_part(part, "decode", &p->latency.decode);
        add_part(part, "tick", &p->latency.wait);
        add_part(part, "whole", &p->latency.whole);
        add_part(part, "age", &p->latency.age);
        json_add_u64(o, "overtaken", p->latency.overtaken);
        part = json_add_array(o, "rotors");
        for (int i = 0; i < p->config->rotors; i++)
                add_rotor(part, p, i);
}

void summary_pads_json(struct json *parent, const struct rig *rig)
{
        struct json *list = json_add_array(parent, "pads");

        for (int i = 0; i < rig->config->vehicles; i++)
                if (rig->vehicle[i].pads != NULL)
                        add_vehicle(list, rig, i);
}
