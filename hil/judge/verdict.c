#include "hil/judge/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hil/formula/tree.h"

static bool values_open(struct judge_values *v, int vehicles)
{
        size_t all = (size_t)(vehicles * quantity_count);

        *v = (struct judge_values){ .number = calloc(all, sizeof *v->number),
                                    .value = malloc(all * sizeof *v->value) };
        if (v->number == NULL || v->value == NULL) {
                judge_values_close(v);
                return false;
        }
        for (size_t i = 0; i < all; i++)
                v->value[i] = NAN;
        return true;
}

static bool is_used(const struct judge_values *v, int number)
{
        for (int i = 0; i < v->used; i++)
                if (v->number[i] == number)
                        return true;
        return false;
}

static void values_use(struct judge_values *v, const struct formula *f, int vehicles)
{
        for (int i = 0; i < vehicles * quantity_count; i++)
                if (formula_uses(f, i) && !is_used(v, i))
                        v->number[v->used++] = i;
}

bool judge_conditions_open(struct judge_values *v, const struct scenario *s, int vehicles)
{
        if (!values_open(v, vehicles))
                return false;
        for (int i = 0; i < s->steps; i++)
                if (s->step[i].when != NULL)
                        values_use(v, s->step[i].when, vehicles);
        return true;
}

void judge_values_close(struct judge_values *v)
{
        free(v->number);
        free(v->value);
        *v = (struct judge_values){ 0 };
}

void judge_values_observe(struct judge_values *v, const struct observation *vehicle)
{
        for (int i = 0; i < v->used; i++) {
                int number = v->number[i];

                v->value[number] = quantity_value(&quantities[quantity_of(number)],
                                                  &vehicle[quantity_vehicle(number)]);
        }
        v->observed = true;
}

const double *judge_values_newest(const struct judge_values *v)
{
        return v->observed ? v->value : NULL;
}

/* False: no memory. */
static bool watch_formula(struct judge_state *s, const struct formula *f,
                          int64_t period_ns, int64_t end_ns)
{
        s->monitor = monitor_create(f, period_ns, end_ns);
        if (s->monitor == NULL || !formula_witness(f, &s->witness))
                return false;
        if (s->witness != NULL)
                s->tested = monitor_create(s->witness, period_ns, end_ns);
        return s->witness == NULL || s->tested != NULL;
}

bool judge_open(struct judge *j, const struct requirement *list, int count, int vehicles,
                int64_t period_ns, int64_t end_ns, char *why, size_t cap)
{
        *j = (struct judge){ .list = list, .count = count, .vehicles = vehicles };
        j->state = calloc((size_t)count + 1, sizeof *j->state);
        j->ground = calloc((size_t)vehicles, sizeof *j->ground);
        if (j->state == NULL || j->ground == NULL || !values_open(&j->values, vehicles)) {
                snprintf(why, cap, "out of memory");
                judge_close(j);
                return false;
        }
        for (int i = 0; i < count; i++) {
                values_use(&j->values, list[i].formula, vehicles);
                if (list[i].form != REQUIRE_FORMULA ||
                    watch_formula(&j->state[i], list[i].formula, period_ns, end_ns))
                        continue;
                snprintf(why, cap,
                         "requirement \"%s\": no memory for its windows, of which those "
                         "inside others may have %d ticks together",
                         list[i].name, MONITOR_VALUES_MAX);
                judge_close(j);
                return false;
        }
        return true;
}

void judge_close(struct judge *j)
{
        for (int i = 0; j->state != NULL && i < j->count; i++) {
                monitor_free(j->state[i].monitor);
                monitor_free(j->state[i].tested);
                formula_free(j->state[i].witness);
        }
        judge_values_close(&j->values);
        free(j->state);
        free(j->ground);
        *j = (struct judge){ 0 };
}

/* NaN is outside of everything. */
static double margin_of(const struct requirement *r, double value)
{
        double margin = fmin(value - r->min, r->max - value);

        return isnan(value) ? -INFINITY : margin;
}

static void observe_range(struct judge_state *s, const struct requirement *r,
                          int64_t t_ns, double value)
{
        double margin = margin_of(r, value);
        bool always = r->form == REQUIRE_ALWAYS;

        if (!s->seen || (always ? margin < s->margin : margin > s->margin)) {
                s->margin = margin;
                s->value = value;
                s->t_ns = t_ns;
        }
        s->seen = true;
        if (!s->decided && (margin >= 0.0) != always) {
                s->decided = true;
                s->decided_ns = t_ns;
        }
}

static void observe_requirement(struct judge_state *s, const struct requirement *r,
                                int64_t t_ns, const double *value)
{
        if (r->form == REQUIRE_FORMULA) {
                monitor_observe(s->monitor, t_ns, value);
                if (s->tested != NULL)
                        monitor_observe(s->tested, t_ns, value);
                return;
        }
        if (t_ns < r->from_ns || t_ns > r->to_ns)
                return;
        if (r->form == REQUIRE_METRIC && r->figure.kind == FIGURE_HOLDS_SINCE)
                figure_add(&s->figure, &r->figure, t_ns,
                           formula_holds(r->formula, value) ? 1.0 : 0.0);
        else if (r->form == REQUIRE_METRIC)
                figure_add(&s->figure, &r->figure, t_ns,
                           formula_value(r->formula, value));
        else
                observe_range(s, r, t_ns, formula_value(r->formula, value));
}

void judge_observe(struct judge *j, const struct observation *vehicle)
{
        judge_values_observe(&j->values, vehicle);
        for (int i = 0; i < j->count; i++)
                observe_requirement(&j->state[i], &j->list[i], vehicle[0].t_ns,
                                    j->values.value);
}

void judge_grounded(struct judge *j, int vehicle, bool armed)
{
        j->ground[vehicle] = (struct judge_ground){ .grounded = true, .armed = armed };
}

void judge_dismiss(struct judge *j)
{
        j->dismissed = true;
}

void judge_finish(struct judge *j, int64_t end_ns)
{
        j->end_ns = end_ns;
        for (int i = 0; i < j->count; i++) {
                struct judge_state *s = &j->state[i];
                struct monitor_result came;

                if (s->monitor != NULL)
                        monitor_judge(s->monitor, &s->result);
                if (s->tested == NULL)
                        continue;
                monitor_judge(s->tested, &came);
                s->unasked = !came.holds;
        }
}

static bool is_always(const struct requirement *r)
{
        return r->form == REQUIRE_ALWAYS ||
               (r->form == REQUIRE_FORMULA &&
                r->formula->node[r->formula->root].op == FORMULA_ALWAYS);
}

/* About a vehicle that was to fly and did not. One that names nothing but its state and asks it to stay so,
 * `always contact == 1`, says itself what it wants of a vehicle on the ground; and of a board that armed what it
 * reports is its own doing. */
static bool is_about_grounded(const struct judge *j, int i)
{
        bool about = false, state_alone = true;

        for (int n = 0; n < j->values.used; n++) {
                int number = j->values.number[n];
                const struct quantity *q = &quantities[quantity_of(number)];
                const struct judge_ground *g = &j->ground[quantity_vehicle(number)];
                bool state = quantity_of_state(q);

                if (!g->grounded || !formula_uses(j->list[i].formula, number) ||
                    (q->place == QUANTITY_REPORT && g->armed))
                        continue;
                about |= state || quantity_of_flight(q);
                state_alone &= state;
        }
        return about && !(state_alone && is_always(&j->list[i]));
}

static enum judge_outcome range_result(const struct judge *j, int i)
{
        const struct judge_state *s = &j->state[i];
        bool always = j->list[i].form == REQUIRE_ALWAYS;

        if (s->decided)
                return always ? JUDGE_FAILED : JUDGE_PASSED;
        if (!s->seen || j->end_ns < j->list[i].to_ns)
                return JUDGE_OPEN;
        return always ? JUDGE_PASSED : JUDGE_FAILED;
}

/* Before the end of its window a metric can only have failed. */
static enum judge_outcome metric_result(const struct judge *j, int i)
{
        const struct requirement *r = &j->list[i];
        const struct judge_state *s = &j->state[i];
        double least, most;

        if (s->figure.undefined)
                return JUDGE_FAILED;
        if (s->figure.count > 0 && j->end_ns >= r->to_ns)
                return margin_of(r, figure_value(&s->figure, &r->figure)) >= 0.0
                               ? JUDGE_PASSED
                               : JUDGE_FAILED;
        figure_bounds(&s->figure, &r->figure, &least, &most);
        return least > r->max || most < r->min ? JUDGE_FAILED : JUDGE_OPEN;
}

static enum judge_outcome formula_result(const struct judge *j, int i)
{
        const struct monitor_result *m = &j->state[i].result;

        return m->open ? JUDGE_OPEN : m->holds ? JUDGE_PASSED : JUDGE_FAILED;
}

/* By what happened alone. */
static enum judge_outcome outcome_of(const struct judge *j, int i)
{
        switch (j->list[i].form) {
        case REQUIRE_FORMULA:
                return formula_result(j, i);
        case REQUIRE_METRIC:
                return metric_result(j, i);
        default:
                return range_result(j, i);
        }
}

const char *judge_untested(const struct judge *j, int i)
{
        if (j->dismissed)
                return "the vehicle became no number";
        if (outcome_of(j, i) != JUDGE_PASSED)
                return NULL;
        if (j->state[i].unasked)
                return "its condition never came";
        return is_about_grounded(j, i) ? "the vehicle never left the ground" : NULL;
}

enum judge_outcome judge_result(const struct judge *j, int i)
{
        return judge_untested(j, i) != NULL ? JUDGE_OPEN : outcome_of(j, i);
}

static bool was_observed(const struct judge *j, int i)
{
        const struct judge_state *s = &j->state[i];

        if (judge_untested(j, i) != NULL)
                return false;
        switch (j->list[i].form) {
        case REQUIRE_FORMULA:
                return isfinite(s->result.robustness) || !s->result.open;
        case REQUIRE_METRIC:
                return s->figure.count > 0 || s->figure.undefined;
        default:
                return s->seen;
        }
}

double judge_value(const struct judge *j, int i)
{
        const struct judge_state *s = &j->state[i];

        if (!was_observed(j, i) || j->list[i].form == REQUIRE_FORMULA)
                return NAN;
        if (j->list[i].form == REQUIRE_METRIC)
                return figure_value(&s->figure, &j->list[i].figure);
        return s->value;
}

double judge_robustness(const struct judge *j, int i)
{
        if (!was_observed(j, i))
                return NAN;
        if (j->list[i].form == REQUIRE_FORMULA)
                return j->state[i].result.robustness;
        return margin_of(&j->list[i], judge_value(j, i));
}

int64_t judge_at_ns(const struct judge *j, int i)
{
        const struct judge_state *s = &j->state[i];

        if (!was_observed(j, i))
                return -1;
        if (j->list[i].form == REQUIRE_FORMULA)
                return s->result.at_ns;
        return j->list[i].form == REQUIRE_METRIC ? s->figure.at_ns : s->t_ns;
}

int64_t judge_decided_ns(const struct judge *j, int i)
{
        const struct judge_state *s = &j->state[i];

        if (j->list[i].form == REQUIRE_FORMULA)
                return s->result.decided_ns;
        return s->decided ? s->decided_ns : -1;
}

const char *verdict_name(enum verdict v)
{
        static const char *const name[] = { "passed", "failed", "void", "error" };

        return name[v];
}

int verdict_exit_status(enum verdict v)
{
        static const int status[] = { 0, 1, 3, 2 };

        return status[v];
}
