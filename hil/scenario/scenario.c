/* Which of a scenario's steps have fired. */
#include "hil/scenario/scenario.h"

static bool due(const struct scenario_step *step, int64_t above_ns, int64_t t_ns,
                const double *value)
{
        switch (step->trigger) {
        case TRIGGER_TIME:
                return t_ns >= step->t_ns;
        case TRIGGER_AFTER:
                return t_ns - above_ns >= step->t_ns;
        default:
                return t_ns >= step->t_ns ||
                       (value != NULL && formula_holds(step->when, value));
        }
}

/* The next step of a track, or the number of steps. */
static int next_of(const struct timeline *t, int track)
{
        int step = t->track[track].next;

        while (step < t->scenario->steps && t->scenario->step[step].track != track)
                step++;
        return step;
}

int timeline_due(struct timeline *t, int64_t t_ns, const double *value)
{
        const struct scenario *s = t->scenario;

        for (int track = 0; track <= s->tracks; track++) {
                int step = next_of(t, track);

                t->track[track].next = step;
                if (step < s->steps &&
                    due(&s->step[step], t->track[track].fired_ns, t_ns, value)) {
                        timeline_fire(t, step, t_ns);
                        return step;
                }
        }
        return -1;
}

bool timeline_fire(struct timeline *t, int step, int64_t t_ns)
{
        int track;

        if (step < 0 || step >= t->scenario->steps)
                return false;
        track = t->scenario->step[step].track;
        if (step != next_of(t, track))
                return false;
        t->track[track].next = step + 1;
        t->track[track].fired_ns = t_ns;
        return true;
}

int timeline_left(const struct timeline *t, int *first)
{
        const struct scenario *s = t->scenario;
        int left = 0;

        for (int i = s->steps - 1; i >= 0; i--)
                if (i >= t->track[s->step[i].track].next) {
                        *first = i;
                        left++;
                }
        return left;
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
