/* What was measured and found, for people and for programs. */
#include <stdio.h>

#include "hil/host/host.h"
#include "hil/text/terminal.h"

static const double quantile[] = { 0.5, 0.99, 0.999 };

static void print_cpu(FILE *out, const struct lateness *l, const struct cyclictest *peer)
{
        fprintf(out, "%5d %8llu %6llu", l->cpu, (unsigned long long)l->wake.count,
                (unsigned long long)l->late);
        for (int i = 0; i < 3; i++)
                fprintf(out, " %7.0f",
                        (double)histogram_quantile_ns(&l->wake, quantile[i]) * 1e-3);
        fprintf(out, " %8.0f", (double)l->wake.max_ns * 1e-3);
        if (peer->count > 0) {
                fprintf(out, "  | %8llu", (unsigned long long)peer->count);
                for (int i = 0; i < 3; i++)
                        fprintf(out, " %7.0f", cyclictest_us(peer, quantile[i]));
                fprintf(out, " %8ld", peer->max_us);
        }
        fputc('\n', out);
}

static void print_lateness(FILE *out, const struct lateness_of_host *m)
{
        fprintf(out, "  CPU wake-ups   late  p50 us  p99 us   p99.9   max us%s\n",
                m->peer[0].count > 0 ? "  | cyclictest p50 us  p99 us   p99.9   max us"
                                     : "");
        for (int i = 0; i < m->cpus; i++)
                print_cpu(out, &m->cpu[i], &m->peer[i]);
        fputc('\n', out);
}

static const char *const state_name[] = { "ok", "change", "not judged" };

static void print_finding(FILE *out, const struct host_finding *f, const char *title)
{
        terminal_print(out, "%-10s  %-14s  %s: %s\n", state_name[f->state], f->name,
                       title, f->figure);
        if (f->state == HOST_CHANGE && f->advice[0] != '\0')
                terminal_print(out, "%-28s%s\n", "", f->advice);
        if (f->changes > 0 && f->changes <= 2)
                for (int i = 0; i < f->changes; i++)
                        terminal_print(out, "%-28snow: echo %s > %s\n", "",
                                       f->change[i].now, f->change[i].path);
        else if (f->changes > 0)
                terminal_print(out, "%-28snow: %d files such as %s\n", "", f->changes,
                               f->change[0].path);
}

void host_print(FILE *out, const struct host *h, const struct host_report *r)
{
        if (h->measured != NULL)
                print_lateness(out, h->measured);
        for (int i = 0; i < r->findings; i++)
                print_finding(out, &r->finding[i], host_checks[i].title);
        fprintf(out, "\n%d to change, %d not judged\n", host_count(r, HOST_CHANGE),
                host_count(r, HOST_NOT_JUDGED));
        if (host_changes(r) > 0)
                fprintf(out,
                        "hilrig host --fix would write %d file%s, until the next boot\n",
                        host_changes(r), host_changes(r) > 1 ? "s" : "");
}

static void add_quantiles(struct json *row, const struct lateness *l,
                          const struct cyclictest *peer)
{
        static const char *const ours[] = { "p50_us", "p99_us", "p99_9_us" };
        struct json *other = NULL;

        for (int i = 0; i < 3; i++)
                json_add_number(row, ours[i],
                                (double)histogram_quantile_ns(&l->wake, quantile[i]) *
                                        1e-3);
        json_add_number(row, "max_us", (double)l->wake.max_ns * 1e-3);
        if (peer->count == 0)
                return;
        other = json_add_object(row, "cyclictest");
        json_add_u64(other, "wake_ups", peer->count);
        for (int i = 0; i < 3; i++)
                json_add_number(other, ours[i], cyclictest_us(peer, quantile[i]));
        json_add_number(other, "max_us", (double)peer->max_us);
}

static void add_lateness(struct json *object, const struct lateness_of_host *m)
{
        struct json *all = json_add_array(object, "lateness");

        for (int i = 0; i < m->cpus; i++) {
                struct json *row = json_add_object(all, NULL);

                json_add_i64(row, "cpu", m->cpu[i].cpu);
                json_add_u64(row, "wake_ups", m->cpu[i].wake.count);
                json_add_u64(row, "late", m->cpu[i].late);
                add_quantiles(row, &m->cpu[i], &m->peer[i]);
        }
}

static void add_finding(struct json *all, const struct host_finding *f)
{
        struct json *row = json_add_object(all, NULL), *fixes;

        json_add_string(row, "name", f->name);
        json_add_string(row, "state", state_name[f->state]);
        json_add_string(row, "figure", f->figure);
        if (f->advice[0] != '\0')
                json_add_string(row, "advice", f->advice);
        fixes = f->changes > 0 ? json_add_array(row, "may_write") : NULL;
        for (int i = 0; i < f->changes; i++) {
                struct json *change = json_add_object(fixes, NULL);

                json_add_string(change, "path", f->change[i].path);
                json_add_string(change, "is", f->change[i].was);
                json_add_string(change, "wanted", f->change[i].now);
        }
}

void host_add_json(struct json *object, const struct host *h, const struct host_report *r)
{
        struct json *all;

        json_add_number(object, "period_us", (double)h->period_ns * 1e-3);
        json_add_i64(object, "priority", h->wants->priority);
        json_add_i64(object, "cpu", h->wants->cpu);
        if (h->measured != NULL)
                add_lateness(object, h->measured);
        all = json_add_array(object, "findings");
        for (int i = 0; i < r->findings; i++)
                add_finding(all, &r->finding[i]);
        json_add_i64(object, "to_change", host_count(r, HOST_CHANGE));
        json_add_i64(object, "not_judged", host_count(r, HOST_NOT_JUDGED));
}
