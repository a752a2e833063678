/* What became of twins: how often and how late their sources spoke, and how wrong what was shown turned out to be. */
#include <math.h>

#include "hil/config/table.h"
#include "hil/summary/summary.h"
#include "hil/text/terminal.h"

static double rms(const struct twin_error *e)
{
        return e->count > 0 ? sqrt(e->square_sum / (double)e->count) : (double)NAN;
}

static void add_times(struct json *o, const char *key, const struct histogram *h)
{
        struct json *t = json_add_object(o, key);

        json_add_u64(t, "count", h->count);
        if (h->count == 0)
                return;
        json_add_number(t, "p50", (double)histogram_quantile_ns(h, 0.5) * 1e-3);
        json_add_number(t, "p99", (double)histogram_quantile_ns(h, 0.99) * 1e-3);
        json_add_number(t, "max", (double)h->max_ns * 1e-3);
}

static void add_error(struct json *o, const char *key, const struct twin_error *e,
                      double scale)
{
        struct json *w = json_add_object(o, key);

        json_add_u64(w, "count", e->count);
        json_add_number(w, "rms", scale * rms(e));
        json_add_number(w, "max", e->count > 0 ? scale * e->most : (double)NAN);
        json_add_number(w, "expected_rms",
                        e->count > 0 ? scale * sqrt(e->expected_sum / (double)e->count)
                                     : (double)NAN);
}

static void add_clock(struct json *o, const struct source_clock *c)
{
        double ppm = (double)NAN, sigma_ppm = (double)NAN;
        struct json *clock = json_add_object(o, "clock");

        if (!source_clock_drift(c, &ppm, &sigma_ppm))
                ppm = sigma_ppm = (double)NAN;
        json_add_number(clock, "drift_ppm", ppm);
        json_add_number(clock, "drift_sigma_ppm", sigma_ppm);
        json_add_u64(clock, "set", c->jumps);
}

static void add_vector(struct json *o, const char *key, struct vec3 v)
{
        struct json *list = json_add_array(o, key);

        json_add_number(list, NULL, v.x);
        json_add_number(list, NULL, v.y);
        json_add_number(list, NULL, v.z);
}

static void add_overlap(struct json *o, const struct twin *t)
{
        struct overlap_fit fit;
        struct json *a;
        bool known;

        if (t->config->beside[0] == '\0')
                return;
        a = json_add_object(o, "beside");
        json_add_string(a, "vehicle", t->config->beside);
        known = overlap_solve(&t->overlap, &fit);
        json_add_bool(a, "known", known);
        json_add_number(a, "overlap_s", fit.length_s);
        if (!known)
                return;
        add_vector(a, "offset_ned_m", fit.offset_m);
        json_add_number(a, "yaw_deg", fit.yaw_rad / RAD_PER_DEG);
        json_add_bool(a, "yaw_by_track", fit.turned);
        json_add_number(a, "rms_m", fit.rms_m);
        add_vector(a, "drift_ned_mps", fit.drift_mps);
        json_add_number(a, "yaw_drift_dps", fit.yaw_drift_radps / RAD_PER_DEG);
}

static void add_twin(struct json *list, const struct rig_vehicle *v)
{
        const struct twin *t = v->twin;
        const struct twin_counts *c = &t->source->counts;
        struct json *o = json_add_object(list, NULL);

        json_add_string(o, "vehicle", v->config->name);
        json_add_string(o, "source", t->config->source);
        json_add_u64(o, "words", c->words);
        json_add_u64(o, "of_others", c->overheard);
        json_add_u64(o, "errors", c->errors);
        json_add_u64(o, "impossible", t->impossible);
        json_add_u64(o, "late", t->late);
        json_add_u64(o, "told", c->told);
        json_add_u64(o, "dropped", c->dropped);
        json_add_u64(o, "silences", t->silences);
        json_add_number(o, "longest_silence_s", (double)t->silent_ns * 1e-9);
        add_times(o, "interval_us", &t->interval);
        add_times(o, "later_than_fastest_us", &t->delay);
        add_times(o, "answer_us", &t->answer);
        add_error(o, "wrong_m", &t->place, 1.0);
        add_error(o, "wrong_deg", &t->turn, 1.0 / RAD_PER_DEG);
        add_clock(o, &t->clock);
        add_overlap(o, t);
}

void summary_twins_json(struct json *root, const struct rig *rig)
{
        struct json *list = NULL;

        for (int i = 0; i < rig->config->vehicles; i++) {
                if (rig->vehicle[i].twin == NULL || rig->vehicle[i].twin->source == NULL)
                        continue;
                if (list == NULL)
                        list = json_add_array(root, "twins");
                add_twin(list, &rig->vehicle[i]);
        }
}

static void print_overlap(FILE *out, const struct twin *t)
{
        struct overlap_fit fit;

        if (t->config->beside[0] == '\0')
                return;
        terminal_print(out, "  beside %s", t->config->beside);
        if (!overlap_solve(&t->overlap, &fit))
                fprintf(out,
                        " for %.3g s, which is too short to say how the two lie: at "
                        "least %.3g s\n",
                        fit.length_s, OVERLAP_LEAST_S);
        else
                fprintf(out,
                        " for %.3g s: turned by %.3g degrees (%s), then %.3g m apart\n",
                        fit.length_s, fit.yaw_rad / RAD_PER_DEG,
                        fit.turned ? "by the tracks" : "by the headings: too short a way",
                        fit.rms_m);
}

void summary_twin_print(FILE *out, const struct rig_vehicle *v)
{
        const struct twin *t = v->twin;

        if (t == NULL || t->source == NULL)
                return;
        terminal_print(out, "%s, twin by %s: %llu words", v->config->name,
                       t->config->source, (unsigned long long)t->source->counts.words);
        if (t->interval.count > 0)
                fprintf(out, ", one each %.1f ms (99 %% within %.1f ms)",
                        (double)histogram_quantile_ns(&t->interval, 0.5) * 1e-6,
                        (double)histogram_quantile_ns(&t->interval, 0.99) * 1e-6);
        if (t->delay.count > 0)
                fprintf(out, ", 99 %% within %.1f ms later than the fastest",
                        (double)histogram_quantile_ns(&t->delay, 0.99) * 1e-6);
        fprintf(out, ", silent %llu times\n", (unsigned long long)t->silences);
        if (t->place.count > 0)
                fprintf(out,
                        "  what was shown was wrong by %.3g m, at most %.3g m (the "
                        "filter expected %.3g m)\n",
                        rms(&t->place), t->place.most,
                        sqrt(t->place.expected_sum / (double)t->place.count));
        print_overlap(out, t);
}
