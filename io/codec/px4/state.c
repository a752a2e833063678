/* Where PX4 believes to be, whether it believes to fly, and its clock, which tells a restart. */
#include <math.h>
#include <stdio.h>

#include "io/codec/px4/px4.h"

#define LANDED_IN_AIR  2 /* MAV_LANDED_STATE */
#define LANDED_LANDING 4

/* Its clock may jitter; a restart sets it back to the beginning. */
#define RESTARTED_MS 1000

uint32_t codec_px4_take_clock(struct codec_px4 *p, uint64_t boot_ms,
                              struct fc_report *report)
{
        bool back = p->board && p->ready && boot_ms + RESTARTED_MS < p->boot_ms;

        if (back || boot_ms > p->boot_ms)
                p->boot_ms = boot_ms;
        if (!back)
                return 0;
        codec_px4_start_over(p);
        report->armed = false;
        report->can_arm = false;
        snprintf(report->text, sizeof report->text, "flight controller restarted");
        return FC_TEXT;
}

uint32_t codec_px4_tell_estimate(struct codec_px4 *p, const struct px4_status *known,
                                 struct fc_report *report)
{
        if (known->estimates == p->estimates_told)
                return 0;
        p->estimates_told = known->estimates;
        report->estimate = known->estimate;
        return FC_STATE;
}

static bool all_finite(const float *values, int count)
{
        for (int i = 0; i < count; i++)
                if (!isfinite(values[i]))
                        return false;
        return true;
}

uint32_t codec_px4_take_attitude(struct codec_px4 *p,
                                 const struct mavlink_attitude_quaternion *m,
                                 struct fc_report *report)
{
        const float q[4] = { m->q1, m->q2, m->q3, m->q4 };
        uint32_t news = codec_px4_take_clock(p, m->time_boot_ms, report);

        if (news != 0)
                return news;
        if (all_finite(q, 4))
                p->heard.estimate.q_body_to_ned =
                        (struct quat){ (double)q[0], (double)q[1], (double)q[2],
                                       (double)q[3] };
        return 0;
}

/* Its position counts from where its estimator began; the rig's from where it armed. */
uint32_t codec_px4_take_position(struct codec_px4 *p,
                                 const struct mavlink_local_position_ned *m,
                                 struct fc_report *report)
{
        const float v[6] = { m->x, m->y, m->z, m->vx, m->vy, m->vz };
        struct fc_estimate *estimate = &p->heard.estimate;
        const struct quat *q = &estimate->q_body_to_ned;
        const struct mavlink_home_position *home = &p->heard.home;
        uint32_t news = codec_px4_take_clock(p, m->time_boot_ms, report);

        if (news != 0)
                return news;
        if (!all_finite(v, 6) || !p->ready)
                return 0;
        estimate->pos_ned_m = (struct vec3){ (double)v[0] - (double)home->x,
                                             (double)v[1] - (double)home->y,
                                             (double)v[2] - (double)home->z };
        estimate->vel_ned_mps = (struct vec3){ (double)v[3], (double)v[4], (double)v[5] };
        if (q->w == 0.0 && q->x == 0.0 && q->y == 0.0 && q->z == 0.0)
                return 0;
        p->heard.estimates++;
        return p->setup.lockstep ? 0 : codec_px4_tell_estimate(p, &p->heard, report);
}

void codec_px4_take_home(struct codec_px4 *p, const struct mavlink_home_position *m)
{
        const float v[3] = { m->x, m->y, m->z };

        if (!all_finite(v, 3)) {
                p->codec.counts.malformed++;
                return;
        }
        p->heard.home = *m;
        p->heard.has_home = true;
}

void codec_px4_take_landed(struct codec_px4 *p,
                           const struct mavlink_extended_sys_state *m)
{
        p->heard.in_air =
                m->landed_state >= LANDED_IN_AIR && m->landed_state <= LANDED_LANDING;
}
