/* The receiver's search and loss of satellites. No noise: it draws nothing. */
#include "models/sensors/gps_tracking.h"

#include <string.h>

void gps_tracking_init(struct gps_tracking *t)
{
        memset(t, 0, sizeof(*t));
        for (int prn = 0; prn <= SATELLITES_MAX; prn++)
                t->seen_ns[prn] = GPS_UNSEEN;
}

static void look_up(struct gps_tracking *t, const struct gps_tracking_params *p,
                    const struct world *world, struct vec3 pos_ned_m, int64_t t_ns)
{
        satellites_above(&t->above, &almanac_shipped, &world->origin, pos_ned_m,
                         world->gps_time_s + (double)t_ns * 1e-9, p->mask_rad);
        t->above_ns = t_ns;
}

/* How many the receiver has found since it was switched on. */
static int found(const struct gps_tracking_params *p, int64_t t_ns)
{
        int64_t more;

        if (t_ns < p->first_fix_ns)
                return (int)(4 * t_ns / p->first_fix_ns);
        if (p->first_fix_ns == 0 || p->reacquire_ns == 0)
                return SATELLITES_MAX;
        more = (t_ns - p->first_fix_ns) / p->reacquire_ns;
        return more < SATELLITES_MAX ? 4 + (int)more : SATELLITES_MAX;
}

/* Keeps the time of the PRN up to date; true: in sight for long enough. */
static bool is_locked(struct gps_tracking *t, const struct gps_tracking_params *p,
                      int prn, bool in_sight, bool first, int64_t t_ns)
{
        int64_t *since = &t->seen_ns[prn];

        if (!in_sight) {
                *since = GPS_UNSEEN;
                return false;
        }
        if (*since == GPS_UNSEEN)
                *since = first ? t_ns - p->reacquire_ns : t_ns;
        return t_ns - *since >= p->reacquire_ns;
}

static bool is_received(const struct gps_tracking_params *p, const struct world *world,
                        struct vec3 pos_ned_m, struct vec3 up_ned, struct vec3 towards)
{
        return vec3_dot(up_ned, towards) >= p->antenna_mask_sin &&
               satellites_in_sight(world, pos_ned_m, towards);
}

/* Satellites that have set since are not in `above` any more. */
static void forget_set(struct gps_tracking *t)
{
        bool up[SATELLITES_MAX + 1] = { false };

        for (int i = 0; i < t->above.count; i++)
                up[t->above.satellite[i].prn] = true;
        for (int prn = 0; prn <= SATELLITES_MAX; prn++)
                if (!up[prn])
                        t->seen_ns[prn] = GPS_UNSEEN;
}

void gps_tracking_step(struct gps_tracking *t, const struct gps_tracking_params *p,
                       const struct world *world, struct vec3 pos_ned_m,
                       struct quat q_body_to_ned, int64_t t_ns)
{
        struct vec3 up_ned = quat_rotate(q_body_to_ned, (struct vec3){ 0.0, 0.0, -1.0 });
        bool first = !t->looked;
        int most = found(p, t_ns);

        if (first || t_ns - t->above_ns >= GPS_SKY_NS) {
                look_up(t, p, world, pos_ned_m, t_ns);
                forget_set(t);
                t->looked = true;
        }
        if (most > p->channels)
                most = p->channels;
        t->used.count = 0;
        for (int i = 0; i < t->above.count; i++) {
                const struct sky_satellite *s = &t->above.satellite[i];
                bool received = is_received(p, world, pos_ned_m, up_ned, s->towards_ned);

                if (is_locked(t, p, s->prn, received, first, t_ns) &&
                    t->used.count < most)
                        t->used.satellite[t->used.count++] = *s;
        }
        satellites_geometry(&t->used);
}
