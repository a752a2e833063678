/* Steps the rig's vehicle with the commands of a log. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hil/retrace/retrace.h"
#include "hil/retrace/span.h"
#include "models/vehicle/vehicle.h"

#define WARM_UP_NS 500000000 /* of motors and battery, before the vehicle is let go */
#define POINTS_MAX 5000000
#define CLOSE_NS   100000000 /* before speeds have gone apart */

const struct retrace_name retrace_names[RETRACE_QUANTITIES] = {
        { "roll rate", "deg/s", "rates" },
        { "pitch rate", "deg/s", "rates" },
        { "yaw rate", "deg/s", "rates" },
        { "roll", "deg", "attitude" },
        { "pitch", "deg", "attitude" },
        { "yaw", "deg", "attitude" },
        { "velocity north", "m/s", "velocity" },
        { "velocity east", "m/s", "velocity" },
        { "velocity down", "m/s", "velocity" },
        { "north", "m", "position" },
        { "east", "m", "position" },
        { "down", "m", "position" },
        { "force forward", "m/s^2", "specific force" },
        { "force right", "m/s^2", "specific force" },
        { "force down", "m/s^2", "specific force" },
};

struct flight {
        const struct retrace_job *job;
        const struct vehicle_config *config;
        struct vehicle_params params;
        struct vehicle vehicle;
        struct vec3 offset_ned_m; /* from the log's positions to the world's */
        int64_t period_ns;
};

/* Of the rotors, from the log's outputs. */
static struct motor_command command_at(const struct flight *f, int64_t t_ns)
{
        const double *ratio = track_motors(f->job->track, t_ns);
        struct motor_command c = { { 0 } };

        for (int i = 0; i < f->params.rotors; i++)
                c.duty[i] = f->job->track->own ? ratio[i]
                                               : ratio[f->config->fc.motor_order[i]];
        return c;
}

static bool init_flight(struct flight *f, const struct retrace_job *job, char *why,
                        size_t cap)
{
        const struct rig_config *rig = job->rig;
        const struct track_samples *places = &job->track->of[TRACK_POSITION];

        *f = (struct flight){ .job = job, .config = &rig->vehicle[job->vehicle] };
        f->period_ns = rig->period_ns;
        f->params = f->config->params;
        if (!vehicle_params_prepare(&f->params, rig->plant_step_ns, rig->seed,
                                    (uint32_t)job->vehicle)) {
                snprintf(why, cap, "vehicle %s: its inertia cannot belong to a body",
                         f->config->name);
                return false;
        }
        for (int i = 0; !job->track->own && i < f->params.rotors; i++)
                if (f->config->fc.motor_order[i] >= job->track->motors) {
                        snprintf(why, cap,
                                 "rotor %d of %s is driven by output %d "
                                 "(fc.motor_order), the log has %d motors",
                                 i, f->config->name, f->config->fc.motor_order[i] + 1,
                                 job->track->motors);
                        return false;
                }
        vehicle_init(&f->vehicle, &f->params, &rig->world, rig->seed,
                     (uint32_t)job->vehicle, f->config->start_ned_m,
                     f->config->start_yaw_rad);
        if (!job->track->own && places->count > 0)
                f->offset_ned_m =
                        vec3_sub(f->vehicle.body.pos_ned_m, track_vector(places->value));
        return true;
}

static void step_vehicle(struct flight *f, int64_t t_ns)
{
        struct motor_command command = command_at(f, t_ns);

        vehicle_step(&f->vehicle, &f->params, &f->job->rig->world, NULL, &command,
                     (int)(f->period_ns / f->params.step_ns));
}

/* Where the log says that the vehicle is; what it does not say stays. */
static void anchor(struct flight *f, int64_t t_ns)
{
        const struct track *t = f->job->track;
        struct body_state *b = &f->vehicle.body;
        double v[ROTORS_MAX];

        if (track_at(t, TRACK_POSITION, t_ns, v))
                b->pos_ned_m = vec3_add(track_vector(v), f->offset_ned_m);
        if (track_at(t, TRACK_VELOCITY, t_ns, v))
                b->vel_ned_mps = track_vector(v);
        if (track_at(t, TRACK_ATTITUDE, t_ns, v))
                b->q_body_to_ned = (struct quat){ v[0], v[1], v[2], v[3] };
        if (track_at(t, TRACK_RATE, t_ns, v))
                b->rate_body_radps = track_vector(v);
        f->vehicle.contact = (struct contact){ .obstacle = -2 };
}

/* The vehicle as it is at the beginning of a run of the rig, or held by a jig until its motors turn as in the log. */
static void begin_flight(struct flight *f, int64_t t_ns, int64_t first_ns)
{
        int64_t at_ns = t_ns - WARM_UP_NS / f->period_ns * f->period_ns;

        if (f->job->track->own && t_ns - first_ns < RETRACE_STEP_NS) {
                for (at_ns = first_ns; at_ns < t_ns; at_ns += f->period_ns)
                        step_vehicle(f, at_ns);
                return;
        }
        anchor(f, t_ns);
        vehicle_hold(&f->vehicle, f->vehicle.body.q_body_to_ned);
        for (; at_ns < t_ns; at_ns += f->period_ns)
                step_vehicle(f, at_ns);
        vehicle_release(&f->vehicle);
        f->vehicle.body.vel_ned_mps = f->vehicle.body.rate_body_radps =
                (struct vec3){ 0 };
        anchor(f, t_ns);
}

static void note_vector(double *const to[], int first, size_t at, struct vec3 v)
{
        to[first][at] = v.x;
        to[first + 1][at] = v.y;
        to[first + 2][at] = v.z;
}

static void note_log(const struct flight *f, struct retrace_series *s, size_t at,
                     int64_t t_ns)
{
        const struct track *t = f->job->track;
        struct vec3 none = { (double)NAN, (double)NAN, (double)NAN };
        double v[ROTORS_MAX];

        note_vector(s->log, RETRACE_P, at,
                    track_at(t, TRACK_RATE, t_ns, v)
                            ? vec3_scale(DEG_PER_RAD, track_vector(v))
                            : none);
        note_vector(s->log, RETRACE_ROLL, at,
                    track_at(t, TRACK_ATTITUDE, t_ns, v)
                            ? vec3_scale(DEG_PER_RAD, quat_to_euler((struct quat){
                                                              v[0], v[1], v[2], v[3] }))
                            : none);
        note_vector(s->log, RETRACE_VEL_NORTH, at,
                    track_at(t, TRACK_VELOCITY, t_ns, v) ? track_vector(v) : none);
        note_vector(s->log, RETRACE_NORTH, at,
                    track_at(t, TRACK_POSITION, t_ns, v)
                            ? vec3_add(track_vector(v), f->offset_ned_m)
                            : none);
        note_vector(s->log, RETRACE_AX, at,
                    track_at(t, TRACK_ACCEL, t_ns, v) ? track_vector(v) : none);
}

static void note_sim(const struct flight *f, struct retrace_series *s, size_t at)
{
        const struct body_state *b = &f->vehicle.body;
        struct vec3 force = { b->accel_ned_mps2.x, b->accel_ned_mps2.y,
                              b->accel_ned_mps2.z - b->gravity_mps2 };

        note_vector(s->sim, RETRACE_P, at, vec3_scale(DEG_PER_RAD, b->rate_body_radps));
        note_vector(s->sim, RETRACE_ROLL, at,
                    vec3_scale(DEG_PER_RAD, quat_to_euler(b->q_body_to_ned)));
        note_vector(s->sim, RETRACE_VEL_NORTH, at, b->vel_ned_mps);
        note_vector(s->sim, RETRACE_NORTH, at, b->pos_ned_m);
        note_vector(s->sim, RETRACE_AX, at, quat_rotate_inverse(b->q_body_to_ned, force));
        s->flies[at] = f->vehicle.contact.obstacle == -2;
}

void retrace_series_free(struct retrace_series *s)
{
        for (int i = 0; i < RETRACE_QUANTITIES; i++) {
                free(s->log[i]);
                free(s->sim[i]);
        }
        free(s->begins);
        free(s->flies);
        *s = (struct retrace_series){ .count = 0 };
}

static bool make_series(struct retrace_series *s, size_t count)
{
        bool ok;

        s->begins = calloc(count, sizeof *s->begins);
        s->flies = calloc(count, sizeof *s->flies);
        ok = s->begins != NULL && s->flies != NULL;
        for (int i = 0; i < RETRACE_QUANTITIES; i++) {
                s->log[i] = calloc(count, sizeof *s->log[i]);
                s->sim[i] = calloc(count, sizeof *s->sim[i]);
                ok = ok && s->log[i] != NULL && s->sim[i] != NULL;
        }
        s->count = ok ? count : 0;
        return ok;
}

static void note_nothing(struct retrace_series *s, size_t at)
{
        for (int i = 0; i < RETRACE_QUANTITIES; i++)
                s->log[i][at] = s->sim[i][at] = (double)NAN;
        s->flies[at] = false;
}

/* every_ns 0: it never begins anew, and ends where the log says for a while nothing of the motors. */
static void fly_series(struct flight *f, struct retrace_series *s, int64_t first_ns,
                       int64_t every_ns)
{
        int64_t step_ns = llround(s->step_s * 1e9);
        int64_t next_ns = s->begin_ns + every_ns, t_ns = s->begin_ns;
        bool blind = false;

        begin_flight(f, t_ns, first_ns);
        for (size_t i = 0; i < s->count; i++) {
                bool resumes = blind && every_ns > 0;

                if (!track_motors_known(f->job->track, t_ns) || (blind && !resumes)) {
                        blind = true;
                        note_nothing(s, i);
                        t_ns += step_ns;
                        continue;
                }
                blind = false;
                s->begins[i] = i == 0 || resumes || (every_ns > 0 && t_ns >= next_ns);
                if (s->begins[i] && i > 0) {
                        anchor(f, t_ns);
                        next_ns = resumes ? t_ns + every_ns : next_ns + every_ns;
                }
                vehicle_update_acceleration(&f->vehicle, &f->params);
                note_log(f, s, i, t_ns);
                note_sim(f, s, i);
                for (int64_t end_ns = t_ns + step_ns; t_ns < end_ns; t_ns += f->period_ns)
                        step_vehicle(f, t_ns);
        }
}

/* In which the log says nothing of the motors. */
static double blind_s(const struct track *t, const struct retrace_span *span)
{
        int64_t blind_ns = 0;

        for (int64_t at = span->begin_ns; at < span->end_ns; at += RETRACE_STEP_NS)
                blind_ns += track_motors_known(t, at) ? 0 : RETRACE_STEP_NS;
        return (double)blind_ns * 1e-9;
}

static void describe(const struct retrace_job *job, const struct retrace_span *span,
                     struct retrace_result *r)
{
        const struct track *t = job->track;

        *r = (struct retrace_result){
                .begin_s = (double)(span->begin_ns - span->first_ns) * 1e-9,
                .seconds = (double)(span->end_ns - span->begin_ns) * 1e-9,
                .every_s = job->every_s,
                .blind_s = blind_s(t, span),
                .motors_every_s =
                        track_interval_s(t, TRACK_MOTORS, span->begin_ns, span->end_ns),
                .rates_every_s =
                        track_interval_s(t, TRACK_RATE, span->begin_ns, span->end_ns),
                .forces_every_s =
                        track_interval_s(t, TRACK_ACCEL, span->begin_ns, span->end_ns)
        };
}

static bool fly_runs(const struct retrace_job *job, const struct retrace_span *span,
                     struct retrace_series series[RETRACE_RUNS], char *why, size_t cap)
{
        const int64_t every_ns[RETRACE_RUNS] = { llround(job->every_s * 1e9), 0,
                                                 CLOSE_NS };
        int64_t period_ns = job->rig->period_ns;
        int64_t step_ns = (RETRACE_STEP_NS + period_ns - 1) / period_ns * period_ns;
        size_t count = (size_t)((span->end_ns - span->begin_ns) / step_ns);
        struct flight *f = calloc(1, sizeof *f);
        bool ok = f != NULL && count <= POINTS_MAX;

        for (int i = 0; ok && i < RETRACE_RUNS; i++) {
                series[i].begin_ns = span->begin_ns;
                series[i].step_s = (double)step_ns * 1e-9;
                ok = make_series(&series[i], count);
        }
        if (!ok)
                snprintf(why, cap, "%.0f s of flight: out of memory",
                         (double)(span->end_ns - span->begin_ns) * 1e-9);
        for (int i = 0; ok && i < RETRACE_RUNS; i++) {
                ok = init_flight(f, job, why, cap);
                if (ok)
                        fly_series(f, &series[i], span->first_ns, every_ns[i]);
        }
        free(f);
        return ok;
}

bool retrace_fly(const struct retrace_job *job,
                 struct retrace_series series[RETRACE_RUNS],
                 struct retrace_result *result, char *why, size_t cap)
{
        struct retrace_span span = { 0 };

        if (!retrace_find_span(job, &span, why, cap))
                return false;
        if (!fly_runs(job, &span, series, why, cap))
                return false;
        describe(job, &span, result);
        return true;
}
