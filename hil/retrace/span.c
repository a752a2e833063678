/* Which part of a log is a flight. */
#include <math.h>
#include <stdio.h>

#include "hil/retrace/span.h"

#define TAKE_OFF_M 0.1
#define SPINS      0.05 /* ratios of all motors together */

static bool spins(const struct track_samples *m, const double *ratio)
{
        double sum = 0.0;

        for (int k = 0; k < m->columns; k++)
                sum += ratio[k];
        return sum > SPINS;
}

/* From the first height above the ground with motors that spin to the last; without heights from the first motor that
 * spins to the last. */
static bool find_flight(const struct track *t, struct retrace_span *span)
{
        const struct track_samples *p = &t->of[TRACK_POSITION], *m = &t->of[TRACK_MOTORS];
        bool found = false;

        for (size_t i = 0; i < p->count; i++) {
                /* A receiver at rest wanders, too. */
                if (!(p->value[2] - p->value[3 * i + 2] > TAKE_OFF_M) ||
                    !spins(m, track_motors(t, p->t_ns[i])))
                        continue;
                span->begin_ns = found ? span->begin_ns : p->t_ns[i];
                span->end_ns = p->t_ns[i];
                found = true;
        }
        for (size_t i = 0; p->count == 0 && i < m->count; i++) {
                if (!spins(m, m->value + i * (size_t)m->columns))
                        continue;
                span->begin_ns = found ? span->begin_ns : m->t_ns[i];
                span->end_ns = m->t_ns[i];
                found = true;
        }
        if (span->begin_ns < m->t_ns[0])
                span->begin_ns = m->t_ns[0];
        if (span->end_ns > m->t_ns[m->count - 1])
                span->end_ns = m->t_ns[m->count - 1];
        return found;
}

/* So that the two are compared at moments at which the log says something. */
static int64_t snap_to_sample(const struct track *t, int64_t t_ns)
{
        static const enum track_kind kinds[] = { TRACK_ATTITUDE, TRACK_RATE,
                                                 TRACK_POSITION };

        for (int k = 0; k < 3; k++) {
                const struct track_samples *s = &t->of[kinds[k]];

                for (size_t i = 0; i < s->count; i++)
                        if (s->t_ns[i] >= t_ns)
                                return s->t_ns[i];
        }
        return t_ns;
}

bool retrace_find_span(const struct retrace_job *job, struct retrace_span *span,
                       char *why, size_t cap)
{
        const struct track *t = job->track;
        const struct track_samples *m = &t->of[TRACK_MOTORS];
        bool found;

        if (m->count == 0) {
                snprintf(why, cap, "says nothing of the motors, which fly the vehicle");
                return false;
        }
        if (t->of[TRACK_ATTITUDE].count + t->of[TRACK_RATE].count +
                    t->of[TRACK_POSITION].count ==
            0) {
                snprintf(why, cap,
                         "says neither rates, nor attitude, nor position, with which the "
                         "vehicle is compared");
                return false;
        }
        span->first_ns = m->t_ns[0];
        found = find_flight(t, span);
        if (job->from_s >= 0.0) {
                span->begin_ns = span->first_ns + llround(job->from_s * 1e9);
                if (!found || span->end_ns <= span->begin_ns)
                        span->end_ns = m->t_ns[m->count - 1];
                found = true;
        }
        if (!found) {
                snprintf(why, cap, "has no take-off: give --from");
                return false;
        }
        if (job->for_s > 0.0 &&
            (double)(span->end_ns - span->begin_ns) > job->for_s * 1e9)
                span->end_ns = span->begin_ns + llround(job->for_s * 1e9);
        if (span->end_ns - span->begin_ns >= 100 * RETRACE_STEP_NS) {
                span->begin_ns = snap_to_sample(t, span->begin_ns);
                return true;
        }
        snprintf(why, cap, "has less than 0.4 s of flight from %.3f s on",
                 (double)(span->begin_ns - span->first_ns) * 1e-9);
        return false;
}
