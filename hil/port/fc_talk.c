#include "hil/port/fc_talk.h"

void fc_talk_start_over(struct fc_talk *t, int64_t now_ns)
{
        t->answered_number = t->next_number;
        t->owed_ns = 0;
        t->blocked = false;
        t->heard_ns = now_ns;
        t->held_ns = 0;
}

void fc_talk_sent(struct fc_talk *t, int64_t now_ns)
{
        if (t->first_ns == 0)
                t->first_ns = now_ns;
        if (t->owed_ns == 0)
                t->owed_ns = now_ns;
        t->next_number++;
        t->frames_sent += !t->over;
        t->excused = false;
}

void fc_talk_motors(struct fc_talk *t, const struct fc_report *r, int64_t now_ns)
{
        uint32_t age;

        if (t->owed_ns > 0 && now_ns - t->owed_ns > t->longest_owed_ns && !t->over)
                t->longest_owed_ns = now_ns - t->owed_ns;
        t->owed_ns = 0;
        t->heard_ns = now_ns;
        t->held_ns = 0;
        if (!r->answers_frame) {
                t->answered_number = t->next_number;
                return;
        }
        /* Unsigned: frames from 1 to FC_SENT_MAX ago; anything else was never sent. */
        age = t->next_number - r->answered_frame;
        if (age == 0 || age > FC_SENT_MAX || age > t->next_number)
                return;
        if (r->answered_frame + 1 <= t->answered_number)
                return;
        t->answered_number = r->answered_frame + 1;
        if (t->over)
                return;
        t->loop_ns = now_ns - t->sent_ns[r->answered_frame % FC_SENT_MAX];
        histogram_add(&t->loop, t->loop_ns);
}

void fc_talk_arming(struct fc_talk *t, const struct fc_report *r)
{
        t->arming = (struct fc_arming){ .armed = r->armed,
                                        .words = t->arming.words + 1,
                                        .answers = (r->fresh & FC_MOTORS) != 0 &&
                                                   r->answers_frame,
                                        .frame = r->answered_frame };
}

bool fc_talk_answered(const struct fc_talk *t)
{
        return t->excused || t->answered_number == t->next_number;
}

uint32_t fc_talk_unanswered(const struct fc_talk *t)
{
        return t->next_number - t->answered_number;
}
