/* Which of a scenario's steps have fired. */
#include "hil/scenario/scenario.h"

static bool due(const struct timeline *t, const struct scenario_step *step, int64_t t_ns,
                const double *value)
{
        switch (step->trigger) {
        case TRIGGER_TIME:
                return t_ns >= step->t_ns;
        case TRIGGER_AFTER:
                return t_ns - t->fired_ns >= step->t_ns;
        default:
                return t_ns >= step->t_ns ||
                       (value != NULL && formula_holds(step->when, value));
        }
}

int timeline_due(struct timeline *t, int64_t t_ns, const double *value)
{
        int step = t->next;

        if (step >= t->scenario->steps || !due(t, &t->scenario->step[step], t_ns, value))
                return -1;
        timeline_fire(t, step, t_ns);
        return step;
}

bool timeline_fire(struct timeline *t, int step, int64_t t_ns)
{
        if (step != t->next || step >= t->scenario->steps)
                return false;
        t->next++;
        t->fired_ns = t_ns;
        return true;
}

void scenario_free(struct scenario *s)
{
        for (int i = 0; i < s->steps; i++) {
                formula_free(s->step[i].when);
                s->step[i].when = NULL;
        }
        for (int i = 0; i < s->requirements; i++)
                requirement_free(&s->requirement[i]);
        s->steps = s->requirements = 0;
}
