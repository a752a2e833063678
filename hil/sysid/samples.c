/* Averages the IMU's samples over blocks, and finds in which of them the vehicle flew. */
#include "hil/sysid/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hil/sysid/supply.h"

#define CLEAR_M     0.5 /* above where the log begins: no ground, hardly its effect */
#define WITHOUT_S   2.0 /* left out at both ends of a flight without a height */
#define MOMENT_S    0.5 /* for which motors may stand in flight */
#define TURNS_RATIO 0.1 /* of the mean command: the motors turn */
#define IDLE                                                                             \
        0.1 /* a command below which a rotor may run on by itself, or be turned by the air */
#define IDLE_S     0.5 /* until it is driven again as before */
#define SPARSE_S   0.03 /* commands that come more seldom: of turning nothing is told */
#define BLOCKS_MAX 2000000

const struct vec3 sysid_unknown = { (double)NAN, (double)NAN, (double)NAN };

/* Means of the samples in each block; NaN where there are none. */
static void average(const struct track_samples *of, int64_t begin_ns, int64_t block_ns,
                    size_t blocks, struct vec3 *mean)
{
        size_t at = 0;

        while (at < of->count && of->t_ns[at] < begin_ns)
                at++;
        for (size_t k = 0; k < blocks; k++) {
                int64_t end_ns = begin_ns + (int64_t)(k + 1) * block_ns;
                struct vec3 sum = { 0 };
                size_t n = 0;

                for (; at < of->count && of->t_ns[at] < end_ns; at++, n++)
                        sum = vec3_add(sum, track_vector(of->value + 3 * at));
                mean[k] = n > 0 ? vec3_scale(1.0 / (double)n, sum) : sysid_unknown;
        }
}

static void note_motion(struct sysid_samples *s, size_t k, const struct track *t,
                        int64_t t_ns)
{
        double v[3], q[4];

        s->vel_ned_mps[k] = s->vel_body_mps[k] = sysid_unknown;
        if (!track_at(t, TRACK_VELOCITY, t_ns, v) ||
            !track_at(t, TRACK_ATTITUDE, t_ns, q))
                return;
        s->moves = true;
        s->q_body_to_ned[k] = (struct quat){ q[0], q[1], q[2], q[3] };
        s->vel_ned_mps[k] = track_vector(v);
        s->vel_body_mps[k] = quat_rotate_inverse(s->q_body_to_ned[k], s->vel_ned_mps[k]);
}

/* Of each fine step of a block; gives the mean command, and the least. */
static double fill_commands(struct sysid_samples *s, struct supply *u,
                            const struct track *t, const int *output, size_t block,
                            int64_t block_begin_ns, double *least)
{
        double fine_s = s->block_s / (double)s->fine, sum = 0.0, target[ROTORS_MAX];
        int64_t fine_ns = llround(fine_s * 1e9);

        *least = 1.0;
        for (size_t j = 0; j < s->fine; j++) {
                int64_t t_ns = block_begin_ns + (int64_t)j * fine_ns;
                const double *duty = track_motors(t, t_ns);
                size_t step = block * s->fine + j;

                s->speed_ratio[step] = supply_ratio(u, t, t_ns);
                s->sag_ratio[step] = supply_sag_ratio(u);
                for (int i = 0; i < s->rotors; i++) {
                        s->duty[step * (size_t)s->rotors + (size_t)i] = duty[output[i]];
                        target[i] =
                                sysid_target_radps(s, &u->start->motor[i], 1.0, step, i);
                        sum += duty[output[i]];
                        *least = fmin(*least, duty[output[i]]);
                }
                supply_drain(u, target, fine_s);
        }
        return sum / ((double)s->fine * s->rotors);
}

/* Blocks of one log. */
struct part {
        const struct track *track;
        size_t first, count;
        int64_t begin_ns;
};

/* The blocks from `begin` to `end` are a flight, as far as the log says all of them. */
static void keep_flight(struct sysid_samples *s, size_t begin, size_t end)
{
        size_t spare = (size_t)(WITHOUT_S / s->block_s);

        for (size_t k = begin; k < end; k++)
                if (k < begin + spare || k + spare >= end)
                        s->flies[k] = false;
}

/* Without a height: as long as the motors turn, or stand for a moment, less the ends. */
static void find_flights_by_motors(struct sysid_samples *s, const struct part *of,
                                   const bool *turns)
{
        size_t moment = (size_t)(MOMENT_S / s->block_s), last = of->first + of->count;
        size_t begin = of->first, end = begin;

        for (size_t k = of->first; k < last; k++) {
                if (!turns[k])
                        continue;
                if (k > end + moment) {
                        keep_flight(s, begin, end);
                        for (size_t i = end; i < k; i++)
                                s->flies[i] = false;
                        begin = k;
                }
                end = k + 1;
        }
        keep_flight(s, begin, end);
        for (size_t i = end; i < last; i++)
                s->flies[i] = false;
}

/* What of a block the motors and the height say. */
static bool is_in_flight(const struct sysid_samples *s, const struct part *of, size_t k,
                         int64_t t_ns)
{
        const struct track_samples *places = &of->track->of[TRACK_POSITION];
        double place[3];

        return track_motors_known(of->track, t_ns) &&
               isfinite(s->rate_body_radps[k].x + s->accel_body_mps2[k].x) &&
               (places->count == 0 || (track_at(of->track, TRACK_POSITION, t_ns, place) &&
                                       places->value[2] - place[2] > CLEAR_M));
}

static void fill(struct sysid_samples *s, const struct part *of,
                 const struct vehicle_params *start, double air_density_kgpm3,
                 const int *output, bool *turns)
{
        const struct track *t = of->track;
        int64_t block_ns = llround(s->block_s * 1e9);
        struct quat mount = start->sensors.imu.q_body_to_sensor;
        struct supply supply;
        size_t driven = of->first;

        supply_init(&supply, start, air_density_kgpm3);
        average(&t->of[TRACK_RATE], of->begin_ns, block_ns, of->count,
                s->rate_body_radps + of->first);
        average(&t->of[TRACK_ACCEL], of->begin_ns, block_ns, of->count,
                s->accel_body_mps2 + of->first);
        for (size_t k = of->first; k < of->first + of->count; k++) {
                int64_t t_ns = of->begin_ns + (int64_t)(k - of->first) * block_ns;
                double least;

                turns[k] = fill_commands(s, &supply, t, output, k, t_ns, &least) >
                           TURNS_RATIO;
                if (least < IDLE)
                        driven = k + 1 + (size_t)(IDLE_S / s->block_s);
                if (t->own) {
                        s->rate_body_radps[k] =
                                quat_rotate_inverse(mount, s->rate_body_radps[k]);
                        s->accel_body_mps2[k] =
                                quat_rotate_inverse(mount, s->accel_body_mps2[k]);
                }
                note_motion(s, k, t, t_ns + block_ns / 2);
                s->flies[k] = is_in_flight(s, of, k, t_ns);
                s->driven[k] = k >= driven;
        }
        if (t->of[TRACK_POSITION].count == 0)
                find_flights_by_motors(s, of, turns);
        else
                for (size_t k = of->first; k < of->first + of->count; k++)
                        s->flies[k] = s->flies[k] && turns[k];
        /* No stretch of flight goes over from one log into the next. */
        s->flies[of->first + of->count - 1] = false;
}

static bool has_enough(const struct track *t, const struct vehicle_params *start,
                       const int *output, char *why, size_t cap)
{
        static const struct {
                enum track_kind kind;
                const char *what;
        } needs[] = { { TRACK_MOTORS, "the motors' commands" },
                      { TRACK_RATE, "the gyroscope" },
                      { TRACK_ACCEL, "the accelerometer" } };

        for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
                if (t->of[needs[i].kind].count < 3) {
                        snprintf(why, cap, "says nothing of %s", needs[i].what);
                        return false;
                }
        for (int i = 0; i < start->rotors; i++)
                if (output[i] >= t->motors) {
                        snprintf(why, cap,
                                 "has %d motors, rotor %d of the vehicle is driven by "
                                 "output %d",
                                 t->motors, i, output[i]);
                        return false;
                }
        return true;
}

/* Usual times between samples, the longest of all logs. */
static double find_interval_s(const struct track *t, int logs, enum track_kind kind)
{
        double every_s = 0.0;

        for (int i = 0; i < logs; i++) {
                const struct track_samples *of = &t[i].of[kind];

                every_s = fmax(every_s, track_interval_s(&t[i], kind, of->t_ns[0],
                                                         of->t_ns[of->count - 1]));
        }
        return every_s;
}

/* Whole samples in each block, two at least, and steps of a millisecond, as the rig's are. */
static void choose_block(struct sysid_samples *s, const struct track *t, int logs)
{
        double rate_s = find_interval_s(t, logs, TRACK_RATE);
        double accel_s = find_interval_s(t, logs, TRACK_ACCEL);
        double every_s = fmax(fmax(rate_s, accel_s), 1e-5);

        s->block_s = every_s * fmax(2.0, ceil(SYSID_BLOCK_S / every_s - 0.01));
        s->rates = (int)lround(s->block_s / fmax(rate_s, 1e-5));
        s->accels = (int)lround(s->block_s / fmax(accel_s, 1e-5));
        s->fine = (size_t)fmax(8.0, fmin((double)SYSID_FINE, round(s->block_s * 1e3)));
        s->window =
                (size_t)fmax(6.0, fmin((double)SYSID_WINDOW, round(0.5 / s->block_s)));
        s->sparse = find_interval_s(t, logs, TRACK_MOTORS) > SPARSE_S;
}

static bool allocate(struct sysid_samples *s)
{
        s->flies = calloc(s->blocks, sizeof *s->flies);
        s->driven = calloc(s->blocks, sizeof *s->driven);
        s->rate_body_radps = calloc(s->blocks, sizeof *s->rate_body_radps);
        s->accel_body_mps2 = calloc(s->blocks, sizeof *s->accel_body_mps2);
        s->q_body_to_ned = calloc(s->blocks, sizeof *s->q_body_to_ned);
        s->vel_ned_mps = calloc(s->blocks, sizeof *s->vel_ned_mps);
        s->vel_body_mps = calloc(s->blocks, sizeof *s->vel_body_mps);
        s->stretch = calloc(s->blocks, sizeof *s->stretch);
        s->duty = calloc(s->blocks, s->fine * (size_t)s->rotors * sizeof *s->duty);
        s->speed_ratio = calloc(s->blocks, s->fine * sizeof *s->speed_ratio);
        s->sag_ratio = calloc(s->blocks, s->fine * sizeof *s->sag_ratio);
        return s->flies != NULL && s->driven != NULL && s->rate_body_radps != NULL &&
               s->accel_body_mps2 != NULL && s->vel_body_mps != NULL &&
               s->q_body_to_ned != NULL && s->vel_ned_mps != NULL && s->stretch != NULL &&
               s->duty != NULL && s->speed_ratio != NULL && s->sag_ratio != NULL;
}

/* Where each log's blocks are. */
static bool lay_out(struct sysid_samples *s, const struct track *t, int logs,
                    struct part *part, char *why, size_t cap)
{
        for (int i = 0; i < logs; i++) {
                const struct track_samples *rates = &t[i].of[TRACK_RATE];
                double long_s =
                        (double)(rates->t_ns[rates->count - 1] - rates->t_ns[0]) * 1e-9;
                size_t count = (size_t)(long_s / s->block_s);

                s->wrong = i;
                if (count == 0 || count + s->blocks > BLOCKS_MAX) {
                        snprintf(why, cap, "is too %s: %.3g s",
                                 count == 0 ? "short" : "long", long_s);
                        return false;
                }
                part[i] = (struct part){ &t[i], s->blocks, count, rates->t_ns[0] };
                s->held_from = logs > 1 ? s->blocks : 0;
                s->blocks += count;
        }
        return true;
}

bool sysid_samples_make(struct sysid_samples *s, const struct track *t, int logs,
                        const struct vehicle_params *start, double air_density_kgpm3,
                        const int *output, char *why, size_t cap)
{
        struct part part[SYSID_LOGS];
        bool *turns;
        bool ok;

        *s = (struct sysid_samples){ .rotors = start->rotors };
        for (s->wrong = 0; s->wrong < logs; s->wrong++)
                if (!has_enough(&t[s->wrong], start, output, why, cap))
                        return false;
        choose_block(s, t, logs);
        if (!lay_out(s, t, logs, part, why, cap))
                return false;
        s->wrong = 0;
        turns = calloc(s->blocks, sizeof *turns);
        ok = allocate(s) && turns != NULL;
        for (int i = 0; ok && i < logs; i++)
                fill(s, &part[i], start, air_density_kgpm3, output, turns);
        if (ok)
                sysid_path_rebuild(s);
        else
                snprintf(why, cap, "out of memory");
        free(turns);
        return ok;
}

void sysid_samples_free(struct sysid_samples *s)
{
        free(s->flies);
        free(s->driven);
        free(s->rate_body_radps);
        free(s->accel_body_mps2);
        free(s->q_body_to_ned);
        free(s->vel_ned_mps);
        free(s->vel_body_mps);
        free(s->stretch);
        free(s->duty);
        free(s->speed_ratio);
        free(s->sag_ratio);
        *s = (struct sysid_samples){ .blocks = 0 };
}
