#include "hil/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEG_PER_RAD 57.29577951308232

void judge_init(struct judge *j, const struct scenario *s)
{
        *j = (struct judge){ .scenario = s };
}

static double tilt_deg(struct quat q)
{
        /* The angle between the body's z axis and down. */
        double c = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);

        return DEG_PER_RAD * acos(fmin(fmax(c, -1.0), 1.0));
}

static double signal_value(enum scenario_signal signal, const struct observation *o)
{
        const struct body_state *b = o->truth;

        switch (signal) {
        case SIGNAL_NORTH_M:
                return b->pos_ned_m.x;
        case SIGNAL_EAST_M:
                return b->pos_ned_m.y;
        case SIGNAL_ALTITUDE_M:
                return o->altitude_m;
        case SIGNAL_SPEED_MPS:
                return vec3_norm(b->vel_ned_mps);
        case SIGNAL_CLIMB_MPS:
                return -b->vel_ned_mps.z;
        case SIGNAL_TILT_DEG:
                return tilt_deg(b->q_body_to_ned);
        case SIGNAL_YAW_DEG:
                return DEG_PER_RAD * quat_to_euler(b->q_body_to_ned).z;
        case SIGNAL_ARMED:
                return o->armed;
        case SIGNAL_CONTACT:
                return o->contact;
        case SIGNAL_IMPACT_MPS:
                return o->impact_mps;
        case SIGNAL_COUNT:
                break;
        }
        return NAN;
}

static void observe(struct requirement_state *s, const struct scenario_requirement *r,
                    int64_t t_ns, double value)
{
        double margin = fmin(value - r->min, r->max - value);
        bool always = r->quantifier == REQUIRE_ALWAYS;
        /* NaN is outside of everything. */
        bool inside = margin >= 0.0;

        if (isnan(margin))
                margin = -INFINITY;
        if (!s->seen || (always ? margin < s->margin : margin > s->margin)) {
                s->margin = margin;
                s->value = value;
                /* A requirement once decided keeps the time at which it was. */
                if (!s->decided)
                        s->t_ns = t_ns;
        }
        s->seen = true;
        if (!s->decided && inside != always) {
                s->decided = true;
                s->t_ns = t_ns;
        }
}

void judge_observe(struct judge *j, int vehicle, int64_t t_ns,
                   const struct observation *o)
{
        for (int i = 0; i < j->scenario->requirements; i++) {
                const struct scenario_requirement *r = &j->scenario->requirement[i];

                if (r->vehicle == vehicle && t_ns >= r->from_ns && t_ns <= r->to_ns)
                        observe(&j->state[i], r, t_ns, signal_value(r->signal, o));
        }
}

void judge_finish(struct judge *j, int64_t end_ns)
{
        j->end_ns = end_ns;
}

enum judge_outcome judge_result(const struct judge *j, int i)
{
        const struct scenario_requirement *r = &j->scenario->requirement[i];
        const struct requirement_state *s = &j->state[i];
        bool always = r->quantifier == REQUIRE_ALWAYS;

        if (s->decided)
                return always ? JUDGE_FAILED : JUDGE_PASSED;
        if (!s->seen || j->end_ns < r->to_ns)
                return JUDGE_OPEN;
        return always ? JUDGE_PASSED : JUDGE_FAILED;
}

const char *judge_result_name(enum judge_outcome o)
{
        static const char *const name[] = { "passed", "FAILED", "not judged" };

        return name[o];
}

void judge_detail(const struct judge *j, int i, char *text, size_t cap)
{
        const struct scenario_requirement *r = &j->scenario->requirement[i];
        const struct requirement_state *s = &j->state[i];
        bool always = r->quantifier == REQUIRE_ALWAYS;
        double t_s = (double)s->t_ns * 1e-9;

        if (!s->seen || judge_result(j, i) == JUDGE_OPEN)
                snprintf(text, cap, "the flight ended before its window did");
        else if (always && s->decided)
                snprintf(text, cap, "broken at %.3f s; worst value %.6g, outside by %.6g",
                         t_s, s->value, -s->margin);
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
