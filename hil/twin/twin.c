#include "hil/twin/twin.h"

#include <math.h>
#include <string.h>

#include "hil/time/clock.h"

/* The duty at which the rotors carry the weight, for what is only to look and blow as if it flew. */
static double hover_duty(const struct vehicle_params *p, const struct world *world)
{
        double share =
                p->body.mass_kg * world->gravity_mps2 / vehicle_full_thrust_n(p, world);
        double wanted, low = 0.0, high = 1.0;

        if (p->rotors == 0 || !(share < 1.0))
                return 1.0;
        wanted = sqrt(share) * motor_target_radps(&p->motor[0], 1.0, 1.0);
        for (int i = 0; i < 40; i++) {
                double middle = 0.5 * (low + high);

                if (motor_target_radps(&p->motor[0], middle, 1.0) < wanted)
                        low = middle;
                else
                        high = middle;
        }
        return low;
}

void twin_init(struct twin *t, const struct vehicle_config *vehicle,
               const struct world *world)
{
        *t = (struct twin){ .config = &vehicle->twin,
                            .vehicle = vehicle,
                            .offset_ned_m = vehicle->twin.offset_ned_m,
                            .placed = !vehicle->twin.from_start,
                            .throttle_ratio = (double)NAN,
                            .ground_down_m = world->ground_down_m,
                            .told_ns = -vehicle->twin.tell_ns,
                            .ask.q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        t->hover_duty = hover_duty(&vehicle->params, world);
        if (vehicle->twin.law == TWIN_AS_REPORTED)
                attitude_twin_init(&t->attitude, &vehicle->fc.reference);
}

static const char *name_or_none(const char *name)
{
        return name[0] != '\0' ? name : NULL;
}

bool twin_open(struct twin *t, const struct codec_origin *origin, struct link_error *why)
{
        const struct sonar_params *sonar = &t->vehicle->params.sensors.sonar;
        struct vec3 axis_body[SONARS_MAX];
        struct twin_setup setup = { .where = t->config->where,
                                    .aircraft = t->config->aircraft,
                                    .messages = name_or_none(t->config->messages),
                                    .conf = name_or_none(t->config->conf),
                                    .origin = *origin,
                                    .sonars = sonar->count,
                                    .sonar_axis_body = axis_body,
                                    .needs = twin_needs(t->config),
                                    .patience_ms = (int)(t->config->hello_timeout_ns /
                                                         NS_PER_MS),
                                    .paced = t->config->tell_ns > 0 };

        for (int i = 0; i < sonar->count; i++)
                axis_body[i] = sonar->unit[i].axis_body;
        t->source = twin_source_open(t->config->source, &setup, why);
        return t->source != NULL;
}

void twin_close(struct twin *t)
{
        if (t->source != NULL)
                t->source->ops->close(t->source);
        t->source = NULL;
}

static bool is_real(struct vec3 v, double most)
{
        /* False of NaN. */
        return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most;
}

static bool is_rotation(struct quat q)
{
        return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 0.01;
}

/* Farther, faster: no aircraft of this rig. */
#define PLACE_MOST_M    1e6
#define SPEED_MOST_MPS  1e3
#define RATE_MOST_RADPS 1e3

static bool is_possible(const struct twin_word *w)
{
        return ((w->said & TWIN_POSITION) == 0 || is_real(w->pos_ned_m, PLACE_MOST_M)) &&
               ((w->said & TWIN_VELOCITY) == 0 ||
                is_real(w->vel_ned_mps, SPEED_MOST_MPS)) &&
               ((w->said & TWIN_ATTITUDE) == 0 || is_rotation(w->q_body_to_ned)) &&
               ((w->said & TWIN_RATE) == 0 ||
                is_real(w->rate_body_radps, RATE_MOST_RADPS)) &&
               ((w->said & TWIN_THROTTLE) == 0 ||
                (w->throttle_ratio >= 0.0 && w->throttle_ratio <= 1.0)) &&
               ((w->said & TWIN_HEIGHT) == 0 || fabs(w->height_m) <= PLACE_MOST_M);
}

static struct quat turn_about_down(double yaw_rad)
{
        return quat_from_euler(0.0, 0.0, yaw_rad);
}

/* From the telemetry's axes to the rig's. */
static void align(struct twin *t, struct twin_word *w)
{
        struct quat turn = turn_about_down(t->config->yaw_rad);

        w->pos_ned_m = quat_rotate(turn, w->pos_ned_m);
        if (!t->placed && (w->said & TWIN_POSITION) != 0 && is_possible(w)) {
                t->offset_ned_m = vec3_sub(t->vehicle->start_ned_m, w->pos_ned_m);
                t->placed = true;
        }
        if ((w->said & TWIN_POSITION) != 0)
                w->pos_ned_m = vec3_add(w->pos_ned_m, t->offset_ned_m);
        w->vel_ned_mps = quat_rotate(turn, w->vel_ned_mps);
        if ((w->said & TWIN_ATTITUDE) != 0)
                w->q_body_to_ned = quat_multiply(turn, w->q_body_to_ned);
}

bool twin_take(struct twin *t, int64_t host_ns, int64_t start_ns, int64_t sim_ns,
               struct twin_word *word)
{
        bool recorded = t->source != NULL && t->source->ops->recorded;

        if (t->source == NULL ||
            !t->source->ops->take(t->source, recorded ? sim_ns : host_ns, word))
                return false;
        t->host_ns = host_ns;
        if (!recorded)
                word->arrived_ns -= start_ns;
        /* What waited in a queue before the run, and what comes while a missed period is made up for. */
        word->arrived_ns = word->arrived_ns < 0        ? 0
                           : word->arrived_ns > sim_ns ? sim_ns
                                                       : word->arrived_ns;
        align(t, word);
        return true;
}

static void count_error(struct twin_error *e, double wrong, double sigma)
{
        if (isnan(wrong))
                return;
        e->count++;
        e->square_sum += wrong * wrong;
        e->expected_sum += 3.0 * sigma * sigma;
        e->most = fmax(e->most, wrong);
}

/* Its own sonar's height counts; else that of its position above the ground. */
static void hear_height(struct twin *t, const struct twin_word *w)
{
        if ((w->said & (TWIN_HEIGHT | TWIN_POSITION)) == 0)
                return;
        t->ask.height_m = (w->said & TWIN_HEIGHT) != 0
                                  ? w->height_m
                                  : t->ground_down_m - w->pos_ned_m.z;
        t->height_ns = w->arrived_ns;
}

static void hear_ask(struct twin *t, const struct twin_word *w)
{
        if ((w->said & TWIN_ATTITUDE) != 0)
                t->ask.q_body_to_ned = w->q_body_to_ned;
        if ((w->said & TWIN_THROTTLE) != 0)
                t->throttle_ratio = w->throttle_ratio;
        hear_height(t, w);
}

static void count_interval(struct twin *t, int64_t arrived_ns)
{
        if (!t->heard)
                t->began_ns = arrived_ns;
        /* Of words that come together one counts. */
        else if (arrived_ns != t->heard_ns)
                histogram_add(&t->interval, arrived_ns - t->heard_ns);
        t->heard = t->news = true;
        t->heard_ns = arrived_ns;
}

bool twin_hear(struct twin *t, const struct twin_word *w, struct twin_heard *heard)
{
        struct pose_word said = {
                .said = ((w->said & TWIN_POSITION) != 0 ? POSE_PLACE : 0) |
                        ((w->said & TWIN_VELOCITY) != 0 ? POSE_VELOCITY : 0) |
                        ((w->said & TWIN_ATTITUDE) != 0 ? POSE_ATTITUDE : 0) |
                        ((w->said & TWIN_RATE) != 0 ? POSE_RATE : 0),
                .heard_ns = w->arrived_ns,
                .pos_ned_m = w->pos_ned_m,
                .vel_ned_mps = w->vel_ned_mps,
                .q_body_to_ned = w->q_body_to_ned,
                .rate_body_radps = w->rate_body_radps
        };
        int64_t late_ns = 0;

        if (!is_possible(w)) {
                t->impossible++;
                return false;
        }
        count_interval(t, w->arrived_ns);
        if ((w->said & TWIN_TIME) != 0) {
                late_ns = source_clock_hear(&t->clock, w->measured_ns, w->arrived_ns);
                histogram_add(&t->delay, late_ns);
        }
        heard->delay_ns = late_ns + t->config->delay_ns;
        said.t_ns = w->arrived_ns - heard->delay_ns;
        if (!pose_track_hear(&t->track, &t->config->expects, &said, &heard->surprise)) {
                t->late++;
                return true;
        }
        hear_ask(t, w);
        count_error(&t->place, heard->surprise.pos_m, heard->surprise.pos_sigma_m);
        count_error(&t->turn, heard->surprise.attitude_rad,
                    heard->surprise.attitude_sigma_rad);
        return true;
}

/* By the words alone, so that a replay knows it, too. */
static bool is_silent(const struct twin *t, int64_t sim_ns)
{
        return sim_ns - t->heard_ns > t->config->timeout_ns;
}

enum twin_change twin_listen(struct twin *t, int64_t sim_ns)
{
        int64_t since_ns = sim_ns - t->heard_ns;
        bool silent = is_silent(t, sim_ns);

        if (silent && since_ns > t->silent_ns)
                t->silent_ns = since_ns;
        if (silent == t->silent)
                return TWIN_AS_BEFORE;
        t->silent = silent;
        t->silences += silent ? 1 : 0;
        return silent ? TWIN_FELL_SILENT : TWIN_IS_BACK;
}

bool twin_is_away(const struct twin *t, int64_t sim_ns)
{
        return !t->heard ||
               (is_silent(t, sim_ns) && t->config->when_silent == TWIN_LEAVES);
}

/* (3.5) has the hover in the middle. */
static struct attitude_twin_ask ask_at(const struct twin *t, int64_t end_ns)
{
        struct attitude_twin_ask ask = t->ask;

        ask.throttle_percent =
                isnan(t->throttle_ratio)
                        ? 50.0
                        : fmin(50.0 * t->throttle_ratio / t->config->hover_ratio, 100.0);
        if (end_ns - t->height_ns > t->config->timeout_ns)
                ask.height_m = 0.0;
        return ask;
}

void twin_motor_command(struct twin *t, const struct vehicle *v, int64_t end_ns,
                        double period_s, struct motor_command *command)
{
        double duty = isnan(t->throttle_ratio) ? t->hover_duty : t->throttle_ratio;

        *command = (struct motor_command){ { 0.0 } };
        if (!t->heard)
                return;
        if (t->config->law == TWIN_AS_REPORTED) {
                struct attitude_twin_ask ask = ask_at(t, end_ns);

                attitude_twin_step(&t->attitude, &t->vehicle->fc.reference, &ask,
                                   &v->body, t->ground_down_m, v->contact.touching,
                                   period_s, command);
                return;
        }
        for (int i = 0; i < t->vehicle->params.rotors; i++)
                command->duty[i] = duty;
}

void twin_place(struct twin *t, struct vehicle *v, int64_t end_ns)
{
        /* One that is silent is not taken to fly on for ever. */
        int64_t most_ns = t->heard_ns + t->config->timeout_ns;
        struct pose_estimate e = pose_track_at(&t->track, &t->config->expects,
                                               end_ns < most_ns ? end_ns : most_ns);

        if (t->config->law != TWIN_POSE)
                return;
        vehicle_hold(v, e.turned ? e.q_body_to_ned : v->body.q_body_to_ned);
        if (!e.placed)
                return;
        v->body.pos_ned_m = e.pos_ned_m;
        if (is_silent(t, end_ns))
                return;
        v->body.vel_ned_mps = e.vel_ned_mps;
        v->body.rate_body_radps = e.rate_body_radps;
}

bool twin_tell(struct twin *t, int64_t sim_ns, const struct sensor_frame *frame,
               int sonars, int others, const struct twin_other *other,
               int64_t (*host_ns)(void))
{
        struct twin_told told = {
                .t_ns = sim_ns, .sonars = sonars, .others = others, .other = other
        };
        bool due = t->config->tell_ns > 0 ? sim_ns - t->told_ns >= t->config->tell_ns
                                          : t->news;
        int64_t now_ns;

        if (!due || t->source == NULL || t->source->ops->tell == NULL)
                return false;
        for (int i = 0; i < sonars; i++)
                told.range_m[i] =
                        frame->sonar[i].echo ? frame->sonar[i].range_m : (double)INFINITY;
        now_ns = host_ns();
        t->source->ops->tell(t->source, now_ns, &told);
        if (t->news && t->host_ns != 0)
                histogram_add(&t->answer, host_ns() - t->host_ns);
        t->news = false;
        t->told_ns = sim_ns;
        return true;
}

void twin_overlap(struct twin *t, int64_t sim_ns, const struct body_state *is,
                  const struct body_state *other)
{
        if (!t->heard || t->silent)
                return;
        overlap_add(&t->overlap, sim_ns, is->pos_ned_m,
                    quat_to_euler(is->q_body_to_ned).z, other->pos_ned_m,
                    quat_to_euler(other->q_body_to_ned).z);
}
