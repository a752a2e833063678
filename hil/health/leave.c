/* What a board's health leaves behind: a summary for each boot, in the form of a run's, and the spread over all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/health/health.h"
#include "hil/latency/latency.h"
#include "hil/text/files.h"
#include "hil/text/json.h"
#include "hil/text/terminal.h"
#include "hil/text/version.h"

static const char *verdict_of(enum health_is is)
{
        return is == HEALTH_NOT_JUDGED ? "void" : health_is_name(is);
}

static void add_claims(struct json *root, const struct health_boot *b)
{
        struct json *list = json_add_array(root, "requirements");

        for (int i = 0; i < HEALTH_CLAIMS; i++) {
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "name", health_claim_name[i]);
                json_add_string(o, "outcome", health_is_name(b->claim[i].is));
                json_add_string(o, "why", b->claim[i].text);
        }
}

static void add_figures(struct json *root, const struct health_boot *b)
{
        struct json *list = json_add_array(root, "metrics");

        for (int i = 0; i < HEALTH_FIGURES; i++) {
                const struct health_figure_info *info = &health_figure_info[i];
                struct json *o;

                if (isnan(b->figure[i]))
                        continue;
                o = json_add_object(list, NULL);
                json_add_string(o, "name", info->name);
                json_add_number(o, "value", b->figure[i]);
                json_add_string(o, "unit", info->unit);
                json_add_string(o, "better", info->better);
        }
}

static void add_soak(struct json *root, const struct health_soak *s)
{
        struct json *o = json_add_object(root, "soak");

        json_add_u64(o, "frames", s->sent);
        json_add_u64(o, "answered", s->answered);
        json_add_number(o, "host_late_ratio", s->late_ratio);
        json_add_bool(o, "link_ended", s->gone);
        json_add_bool(o, "restarted", s->restarted);
        json_add_bool(o, "fell_silent", s->silent);
}

/* A claim that failed, or else why none was judged. */
static const char *end_reason(const struct health_boot *b)
{
        enum health_is sum = health_sum(b);

        for (int i = 0; i < HEALTH_CLAIMS && sum != HEALTH_PASSED; i++)
                if (b->claim[i].is == sum)
                        return b->claim[i].text;
        return "looked at all that can be looked at";
}

static bool leave(struct json *root, const char *folder, const char *file, char *why,
                  size_t cap)
{
        char *text = json_print(root);
        bool ok = text != NULL;

        json_free(root);
        if (!ok)
                snprintf(why, cap, "out of memory");
        ok = ok && folder_make(folder, why, cap) &&
             run_folder_write(folder, file, text, why, cap);
        free(text);
        return ok;
}

bool health_leave_boot(const struct health *h, int i, char *why, size_t cap)
{
        const struct health_boot *b = &h->boot[i];
        struct json *root = json_new_object(), *firmware;
        char folder[700];

        health_boot_folder(h, i, folder, sizeof folder);
        json_add_string(root, "verdict", verdict_of(health_sum(b)));
        json_add_string(root, "end_reason", end_reason(b));
        json_add_string(root, "config", h->board->name);
        json_add_u64(root, "seed", (uint64_t)i + 1);
        json_add_string(root, "pace", "realtime");
        json_add_string(root, "version", hilrig_version());
        firmware = json_add_array(root, "firmware");
        if (b->says[0] != '\0')
                json_add_string(firmware, NULL, b->says);
        json_add_number(root, "wall_time_s", b->wall_s);
        if (b->parameters_sha256[0] != '\0')
                json_add_string(root, "parameters_sha256", b->parameters_sha256);
        add_claims(root, b);
        add_figures(root, b);
        if (b->soak.sent > 0)
                add_soak(root, &b->soak);
        return leave(root, folder, "summary.json", why, cap);
}

/* ---- Over all boots */

struct spread {
        int count;
        double least, median, most;
};

static struct spread spread_of(const struct health *h, enum health_figure figure)
{
        struct latency_samples l = { 0 };
        struct spread s = { .least = (double)NAN, (double)NAN, (double)NAN };

        for (int i = 0; i < h->boots; i++)
                latency_add(&l, h->boot[i].figure[figure]);
        latency_sort(&l);
        s.count = l.count;
        if (l.count > 0) {
                s.least = l.s[0];
                s.median = latency_quantile(&l, 0.5).s;
                s.most = l.s[l.count - 1];
        }
        latency_free(&l);
        return s;
}

struct tally {
        int count[HEALTH_FAILED + 1];
        int shown; /* the boot that says most: the first that failed, else was judged, else any */
};

static struct tally tally_of(const struct health *h, enum health_claim claim)
{
        enum health_is worst = HEALTH_NOT_JUDGED;
        struct tally t = { { 0 } };

        for (int i = 0; i < h->boots; i++) {
                enum health_is is = h->boot[i].claim[claim].is;

                t.count[is]++;
                if (is > worst) {
                        worst = is;
                        t.shown = i;
                }
        }
        return t;
}

static void add_tallies(struct json *root, const struct health *h)
{
        struct json *list = json_add_array(root, "claims");

        for (int i = 0; i < HEALTH_CLAIMS; i++) {
                struct tally t = tally_of(h, (enum health_claim)i);
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "name", health_claim_name[i]);
                json_add_i64(o, "passed", t.count[HEALTH_PASSED]);
                json_add_i64(o, "failed", t.count[HEALTH_FAILED]);
                json_add_i64(o, "not_judged", t.count[HEALTH_NOT_JUDGED]);
                if (h->boots > 0) {
                        json_add_i64(o, "boot", t.shown + 1);
                        json_add_string(o, "why", h->boot[t.shown].claim[i].text);
                }
        }
}

static void add_spreads(struct json *root, const struct health *h)
{
        struct json *list = json_add_array(root, "figures");

        for (int i = 0; i < HEALTH_FIGURES; i++) {
                struct spread s = spread_of(h, (enum health_figure)i);
                struct json *o;

                if (s.count == 0)
                        continue;
                o = json_add_object(list, NULL);
                json_add_string(o, "name", health_figure_info[i].name);
                json_add_string(o, "unit", health_figure_info[i].unit);
                json_add_i64(o, "boots", s.count);
                json_add_number(o, "least", s.least);
                json_add_number(o, "median", s.median);
                json_add_number(o, "most", s.most);
        }
}

bool health_leave_all(const struct health *h, char *why, size_t cap)
{
        struct json *root = json_new_object();
        char folder[700];

        snprintf(folder, sizeof folder, "%.500s/%s", h->options.out, h->board->name);
        json_add_string(root, "board", h->board->name);
        json_add_string(root, "family", h->board->family);
        json_add_string(root, "version", hilrig_version());
        json_add_string(root, "says", h->says);
        json_add_i64(root, "boots", h->boots);
        json_add_i64(root, "boots_asked_for", h->options.boots);
        json_add_number(root, "soak_s", h->options.soak_s);
        json_add_number(root, "period_us", 1e-3 * (double)h->options.period_ns);
        json_add_bool(root, "interrupted", h->interrupted);
        add_tallies(root, h);
        add_spreads(root, h);
        return leave(root, folder, "health.json", why, cap);
}

static void print_claim(const struct health *h, int claim, FILE *out)
{
        struct tally t = tally_of(h, (enum health_claim)claim);
        const char *text = h->boots > 0 ? h->boot[t.shown].claim[claim].text : "";

        if (t.count[HEALTH_FAILED] > 0)
                terminal_print(out, "  failed      %s: %d of %d; boot %d: %s\n",
                               health_claim_name[claim], t.count[HEALTH_FAILED], h->boots,
                               t.shown + 1, text);
        else if (t.count[HEALTH_PASSED] > 0)
                terminal_print(out, "  passed      %s: %d of %d\n",
                               health_claim_name[claim], t.count[HEALTH_PASSED],
                               h->boots);
        else
                terminal_print(out, "  not judged  %s: %s\n", health_claim_name[claim],
                               text);
}

void health_print(const struct health *h, FILE *out)
{
        terminal_print(out, "%s: %d of %d boots%s%s%s\n", h->board->name, h->boots,
                       h->options.boots, h->says[0] != '\0' ? ", says \"" : "", h->says,
                       h->says[0] != '\0' ? "\"" : "");
        for (int i = 0; i < HEALTH_CLAIMS && h->boots > 0; i++)
                print_claim(h, i, out);
        for (int i = 0; i < HEALTH_FIGURES; i++) {
                struct spread s = spread_of(h, (enum health_figure)i);

                if (s.count > 0)
                        fprintf(out, "  %-20s %.6g to %.6g, median %.6g%s%s\n",
                                health_figure_info[i].name, s.least, s.most, s.median,
                                health_figure_info[i].unit[0] != '\0' ? " " : "",
                                health_figure_info[i].unit);
        }
}
