/* Verdicts in words: what happened, when, by how much. */
#include <math.h>
#include <stdio.h>

#include "hil/formula/tree.h"
#include "hil/judge/verdict.h"

const char *judge_result_name(enum judge_outcome o)
{
        static const char *const name[] = { "passed", "FAILED", "not judged" };

        return name[o];
}

static double seconds(int64_t t_ns)
{
        return (double)t_ns * 1e-9;
}

/* Of a range that was judged. */
static void describe_range(const struct judge *j, int i, char *text, size_t cap)
{
        const struct judge_state *s = &j->state[i];
        bool always = j->list[i].form == REQUIRE_ALWAYS;
        double t_s = seconds(s->decided ? s->decided_ns : s->t_ns);

        if (isnan(s->value) && always)
                snprintf(text, cap,
                         "broken at %.3f s; the signal was not a number at %.3f s", t_s,
                         seconds(s->t_ns));
        else if (isnan(s->value))
                snprintf(text, cap, "did not happen; the signal was never a number");
        else if (always && s->decided)
                snprintf(text, cap,
                         "broken at %.3f s; worst at %.3f s, value %.6g, outside by %.6g",
                         t_s, seconds(s->t_ns), s->value, -s->margin);
        else if (always)
                snprintf(text, cap, "held; closest at %.3f s, value %.6g, margin %.6g",
                         t_s, s->value, s->margin);
        else if (s->decided)
                snprintf(text, cap, "happened at %.3f s; best value %.6g, margin %.6g",
                         t_s, s->value, s->margin);
        else
                snprintf(text, cap,
                         "did not happen; closest at %.3f s, value %.6g, off by %.6g",
                         t_s, s->value, -s->margin);
}

static void describe_metric(const struct judge *j, int i, char *text, size_t cap)
{
        const struct requirement *r = &j->list[i];
        const char *name = figure_names[r->figure.kind];
        double value = judge_value(j, i), margin = judge_robustness(j, i);
        double at_s = seconds(judge_at_ns(j, i));

        if (j->state[i].figure.undefined)
                snprintf(text, cap, "the signal was not a number at %.3f s", at_s);
        else if (isnan(value))
                snprintf(text, cap, "the step has no height: it began at its target %.6g",
                         r->figure.target);
        else if (isinf(value))
                snprintf(text, cap, "%s",
                         r->figure.kind == FIGURE_RISE_TIME
                                 ? "never reached 90 % of the step"
                                 : "was outside of its band at the end of the window");
        else if (margin >= 0.0)
                snprintf(text, cap, "%s %.6g at %.3f s, margin %.6g", name, value, at_s,
                         margin);
        else
                snprintf(text, cap, "%s %.6g at %.3f s, %.6g too %s", name, value, at_s,
                         -margin, value > r->max ? "much" : "little");
}

/* ", worst at 5.100 s by 1.5", or nothing of states. */
static void describe_moment(char *text, size_t cap, const char *which, const char *by,
                            const struct monitor_result *m)
{
        if (isinf(m->robustness))
                text[0] = '\0';
        else
                snprintf(text, cap, "; %s at %.3f s, %s %.6g", which, seconds(m->at_ns),
                         by, fabs(m->robustness));
}

static void describe_formula(const struct judge *j, int i, char *text, size_t cap)
{
        const struct formula *f = j->list[i].formula;
        const struct monitor_result *m = &j->state[i].result;
        bool always = f->node[f->root].op == FORMULA_ALWAYS;
        bool eventually = f->node[f->root].op == FORMULA_EVENTUALLY;
        /* What is certain only at the end is said of its deciding moment. */
        double t_s = seconds(m->decided_ns >= 0 ? m->decided_ns : m->at_ns);
        char moment[100];

        describe_moment(moment, sizeof moment,
                        m->holds == always ? "closest"
                        : always           ? "worst"
                                           : "best",
                        m->holds ? "margin"
                        : always ? "outside by"
                                 : "off by",
                        m);
        if (!m->holds && !always)
                describe_moment(moment, sizeof moment, "closest", "off by", m);
        if (m->holds && (always || !eventually))
                snprintf(text, cap, "held%s", moment);
        else if (m->holds)
                snprintf(text, cap, "happened at %.3f s%s", t_s, moment);
        else if (always)
                snprintf(text, cap, "broken at %.3f s%s", t_s, moment);
        else
                snprintf(text, cap, "did not %s%s", eventually ? "happen" : "hold",
                         moment);
}

void judge_detail(const struct judge *j, int i, char *text, size_t cap)
{
        if (judge_result(j, i) == JUDGE_OPEN)
                snprintf(text, cap, "%s",
                         judge_untested(j, i) != NULL
                                 ? judge_untested(j, i)
                                 : "the flight ended before its window did");
        else if (j->list[i].form == REQUIRE_METRIC)
                describe_metric(j, i, text, cap);
        else if (j->list[i].form == REQUIRE_FORMULA)
                describe_formula(j, i, text, cap);
        else
                describe_range(j, i, text, cap);
}
