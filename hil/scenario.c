/* Which of a scenario's steps are in force. */
#include "hil/scenario.h"

#include <string.h>

bool scenario_input(const struct scenario *s, int vehicle, int64_t t_ns, int *next,
                    struct pilot_input *out)
{
        bool news = false;

        for (; *next < s->steps && s->step[*next].t_ns <= t_ns; ++*next) {
                const struct scenario_step *step = &s->step[*next];

                if (step->vehicle >= 0 && step->vehicle != vehicle)
                        continue;
                out->setpoint = step->setpoint;
                memcpy(out->rc_us, step->rc_us, sizeof(out->rc_us));
                news = true;
        }
        return news;
}

enum scenario_jig scenario_jig(const struct scenario *s, int vehicle, int64_t t_ns,
                               int *next, struct quat *q_body_to_ned)
{
        enum scenario_jig news = JIG_AS_BEFORE;

        for (; *next < s->steps && s->step[*next].t_ns <= t_ns; ++*next) {
                const struct scenario_step *step = &s->step[*next];

                if (step->jig == JIG_AS_BEFORE ||
                    (step->vehicle >= 0 && step->vehicle != vehicle))
                        continue;
                news = step->jig;
                if (news == JIG_HOLD)
                        *q_body_to_ned = step->q_body_to_ned;
        }
        return news;
}
