#include <math.h>
#include <stdio.h>

#include "hil/text/json.h"
#include "hil/latency/measure.h"
#include "hil/text/version.h"

const struct latency_quantile_name latency_quantiles[LATENCY_QUANTILES] = {
        { "p50", "p50", 0.5 },
        { "p90", "p90", 0.9 },
        { "p99", "p99", 0.99 },
        { "p99.9", "p99_9", 0.999 },
};

const char *const latency_axes[3] = { "roll", "pitch", "yaw" };

void latency_filter_text(const struct response_model *m, char *text, size_t cap)
{
        static const char *const name[FILTER_COUNT] = { "none", "lag", "pt1", "pt2",
                                                        "biquad" };

        if (m->filter == FILTER_NONE)
                snprintf(text, cap, "fit, filters included");
        else
                snprintf(text, cap, "fit behind %s:%.6g", name[m->filter], m->corner_hz);
}

static void add_us(struct json *o, const char *key, double s)
{
        json_add_number(o, key, 1e6 * s);
}

static void add_interval(struct json *parent, const char *key, struct latency_figure f)
{
        struct json *pair = json_add_array(parent, key);

        add_us(pair, NULL, f.low_s);
        add_us(pair, NULL, f.high_s);
}

static void add_samples(struct json *parent, const char *key,
                        const struct latency_samples *l)
{
        struct json *o = json_add_object(parent, key), *intervals;
        struct latency_figure mean = latency_mean(l);

        json_add_i64(o, "count", l->count);
        if (l->count == 0)
                return;
        add_us(o, "min", l->s[0]);
        for (int i = 0; i < LATENCY_QUANTILES; i++)
                add_us(o, latency_quantiles[i].key,
                       latency_quantile(l, latency_quantiles[i].p).s);
        add_us(o, "max", l->s[l->count - 1]);
        add_us(o, "mean", mean.s);
        intervals = json_add_object(o, "interval_95");
        for (int i = 0; i < LATENCY_QUANTILES; i++)
                add_interval(intervals, latency_quantiles[i].key,
                             latency_quantile(l, latency_quantiles[i].p));
        add_interval(intervals, "mean", mean);
}

static void add_histogram(struct json *parent, const struct latency_samples *l)
{
        struct json *o = json_add_object(parent, "histogram"), *list;
        struct latency_bins b;

        latency_bin(l, &b);
        add_us(o, "from_us", b.from_s);
        add_us(o, "step_us", b.step_s);
        json_add_i64(o, "below", b.below);
        json_add_i64(o, "above", b.above);
        list = json_add_array(o, "count");
        for (int i = 0; i < LATENCY_BINS; i++)
                json_add_i64(list, NULL, b.count[i]);
}

static void add_delays(struct json *parent, const struct latency_result *r)
{
        struct json *o = json_add_object(parent, "average_us");

        add_us(o, "fit", r->fit.s);
        add_us(o, "fit_standard_error", r->fit.se_s);
        json_add_number(o, "fit_misfit", r->fit.misfit);
        json_add_number(o, "gain_per_radps", r->fit.gain);
        add_us(o, "cross_correlation", r->peak.found ? r->peak.s : NAN);
        add_us(o, "phase_slope", r->slope.found ? r->slope.s : NAN);
}

static void add_loop(struct json *root, const struct latency_result *r)
{
        const struct response_margins *m = &r->margins;
        struct json *o;

        if (!r->closed)
                return;
        o = json_add_object(root, "open_loop");
        json_add_number(o, "crossover_hz", m->crosses ? m->crossover_hz : NAN);
        json_add_number(o, "phase_margin_deg", m->crosses ? m->phase_margin_deg : NAN);
        json_add_number(o, "phase_margin_standard_error_deg", m->phase_margin_se_deg);
        json_add_number(o, "delay_margin_ms", m->crosses ? 1e3 * m->delay_margin_s : NAN);
        json_add_number(o, "delay_margin_standard_error_ms", 1e3 * m->delay_margin_se_s);
        json_add_number(o, "turn_hz", m->turns ? m->turn_hz : NAN);
        json_add_number(o, "gain_margin_db", m->turns ? m->gain_margin_db : NAN);
        json_add_number(o, "gain_margin_standard_error_db", m->gain_margin_se_db);
}

static void add_shares(struct json *root, const struct latency_run *run,
                       const struct latency_result *r)
{
        struct json *o = json_add_object(root, "frames_us");

        add_samples(o, "answered", &r->frames);
        add_samples(o, "due_to_answered", &r->frames_intended);
        o = json_add_object(root, "link_us");
        add_samples(o, "time_sync_round_trip", &run->link);
        add_us(o, "line_to_fc", run->bytes_to_fc_s);
        add_us(o, "line_from_fc", run->bytes_from_fc_s);
        o = json_add_object(root, "host_us");
        add_samples(o, "wake", &run->wake);
        add_samples(o, "handed_over", &run->host);
        json_add_i64(o, "frames_due", run->due);
        json_add_i64(o, "frames_not_sent", run->missed);
}

char *latency_json(const struct latency_run *run, const struct latency_result *r)
{
        struct json *root = json_new_object(), *o;
        char filter[40];

        latency_filter_text(&r->model, filter, sizeof filter);
        json_add_string(root, "version", hilrig_version());
        json_add_string(root, "run", run->folder);
        json_add_string(root, "vehicle", run->config->vehicle[run->vehicle].name);
        json_add_string(root, "axis", latency_axes[run->axis]);
        json_add_string(root, "pace", run->realtime ? "realtime" : "lockstep");
        json_add_number(root, "amplitude_dps", DEG_PER_RAD * run->stimulus.amplitude);
        json_add_number(root, "repetition_ms", 1e3 * run->repeat_s);
        json_add_i64(root, "repetitions", r->repeats);
        json_add_string(root, "model", filter);
        json_add_bool(root, "gyro_recorded", run->u_recorded);
        o = json_add_object(root, "latency_us");
        add_samples(o, "raw", &r->raw);
        add_samples(o, "corrected", &r->corrected);
        add_us(o, "noise_of_one", r->noise_s);
        json_add_bool(o, "noise_of_one_is_scatter", r->noise_is_scatter);
        add_delays(root, r);
        add_shares(root, run, r);
        add_loop(root, r);
        add_histogram(root, &r->raw);
        return json_print_free(root);
}
