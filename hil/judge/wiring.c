/* What a flight shows, summed up: the commands against the true rates, leaning and turning. */
#include "hil/judge/wiring.h"

#include <math.h>
#include <string.h>

#define WINDOW_NS     INT64_C(1000000000)
#define WATCH_NS      INT64_C(5000000000) /* control that was lost later was had before */
#define UPRIGHT       0.7 /* cosine of the tilt that is lost control */
#define SPIN_RADPS    6.0 /* and the turn */
#define LEAN_BEGIN    0.05 /* sine of the lean on the ground that counts as flying */
#define LEAN_END      0.95
#define SAME          1e-3 /* commands nearer than that */
#define LIMIT_TICKS   8
#define COMMAND_NOISE 0.02
#define SMOOTH_NS     15e6

static const int64_t delays_ns[WIRING_DELAYS] = { 0, 2000000, 5000000, 10000000,
                                                  20000000 };

void wiring_init(struct wiring *w, const struct vehicle_params *p, int64_t period_ns,
                 const uint8_t order[ROTORS_MAX], const uint8_t *usual)
{
        *w = (struct wiring){ .rotors = p->rotors,
                              .period_ns = period_ns,
                              .order_key = "fc.motor_order",
                              .has_usual = usual != NULL };
        memcpy(w->order, order, sizeof w->order);
        if (usual != NULL)
                memcpy(w->usual, usual, sizeof w->usual);
        for (int i = 0; i < p->rotors; i++) {
                w->pos_body_m[i] = p->rotor[i].pos_body_m;
                w->spin[i] = p->rotor[i].spin;
        }
}

/* Leaning: what gravity says along the body's axes, about 0 when level. */
static struct vec3 lean_of(const struct body_state *truth)
{
        struct vec3 down =
                quat_rotate_inverse(truth->q_body_to_ned, (struct vec3){ 0, 0, 1 });

        return (struct vec3){ down.y, -down.x, down.z };
}

static double smoothing(const struct wiring *w)
{
        return -expm1(-(double)w->period_ns / SMOOTH_NS);
}

static void keep_terms(struct wiring *w, const struct body_state *truth, struct vec3 lean)
{
        double x[WIRING_TERMS];

        w->turned_rad += truth->rate_body_radps.z * 1e-9 * (double)w->period_ns;
        x[WIRING_RATE_X] = truth->rate_body_radps.x;
        x[WIRING_RATE_Y] = truth->rate_body_radps.y;
        x[WIRING_RATE_Z] = truth->rate_body_radps.z;
        x[WIRING_LEAN_X] = lean.x;
        x[WIRING_LEAN_Y] = lean.y;
        x[WIRING_TURN_Z] = w->turned_rad;
        x[WIRING_ONE] = 1.0;
        for (int k = 0; k < WIRING_TERMS; k++)
                w->term[k] += (w->ticks == 0 ? 1.0 : smoothing(w)) * (x[k] - w->term[k]);
        memcpy(w->past[w->ticks % WIRING_HISTORY], w->term, sizeof w->term);
}

/* Every tick counts alike, so that the end of a crash does not drown its beginning. */
static void add_products(struct wiring_sums *s, const double *x, const double *y,
                         int rotors)
{
        double square = COMMAND_NOISE * COMMAND_NOISE, weight;

        for (int i = 0; i < rotors; i++)
                square += y[i] * y[i];
        weight = 1.0 / square;
        for (int a = 0; a < WIRING_TERMS; a++) {
                for (int b = 0; b < WIRING_TERMS; b++)
                        s->xx[a][b] += weight * x[a] * x[b];
                for (int i = 0; i < rotors; i++)
                        s->xy[a][i] += weight * x[a] * y[i];
        }
        for (int i = 0; i < rotors; i++)
                s->yy += weight * y[i] * y[i];
}

/* Whether a command has come to a limit and stays there. */
static bool is_limited(struct wiring *w, const struct motor_command *command)
{
        double high = command->duty[0], low = high;

        for (int i = 1; i < w->rotors; i++) {
                high = fmax(high, command->duty[i]);
                low = fmin(low, command->duty[i]);
        }
        if (w->ticks == 0 || high > w->highest + SAME)
                w->at_highest = 0;
        if (w->ticks == 0 || low < w->lowest - SAME)
                w->at_lowest = 0;
        w->highest = w->ticks == 0 ? high : fmax(w->highest, high);
        w->lowest = w->ticks == 0 ? low : fmin(w->lowest, low);
        w->at_highest += high >= w->highest - SAME;
        w->at_lowest += low <= w->lowest + SAME;
        return (w->at_highest > LIMIT_TICKS && high >= w->highest - SAME) ||
               (w->at_lowest > LIMIT_TICKS && low <= w->lowest + SAME);
}

static void sum_up(struct wiring *w, const struct motor_command *command, bool limited)
{
        double y[ROTORS_MAX], mean = 0.0;

        for (int i = 0; i < w->rotors; i++)
                mean += command->duty[i] / w->rotors;
        for (int i = 0; i < w->rotors; i++)
                y[i] = w->command[i] += (w->ticks == 0 ? 1.0 : smoothing(w)) *
                                        (command->duty[i] - mean - w->command[i]);
        for (int d = 0; d < WIRING_DELAYS && !limited; d++) {
                int64_t ago = delays_ns[d] / w->period_ns;

                if (ago < WIRING_HISTORY && ago <= w->ticks)
                        add_products(&w->sums[d],
                                     w->past[(w->ticks - ago) % WIRING_HISTORY], y,
                                     w->rotors);
        }
}

void wiring_observe(struct wiring *w, const struct body_state *truth,
                    const struct motor_command *command, bool touching, int64_t t_ns)
{
        struct vec3 lean = lean_of(truth);
        double leans = hypot(lean.x, lean.y);
        bool turns = false;

        if (w->done)
                return;
        for (int i = 0; i < w->rotors; i++)
                turns |= command->duty[i] > 0.0;
        if (!w->flying && (!turns || (touching && leans < LEAN_BEGIN)))
                return;
        if (!w->flying) {
                w->flying = true;
                w->begin_ns = t_ns;
        }
        if (!w->seen) {
                keep_terms(w, truth, lean);
                sum_up(w, command, !turns || is_limited(w, command));
                w->ticks++;
                w->seen = t_ns - w->begin_ns >= WINDOW_NS || leans > LEAN_END ||
                          lean.z < 0.0;
        }
        w->lost |= lean.z < UPRIGHT || fabs(truth->rate_body_radps.z) > SPIN_RADPS;
        w->done = (w->seen && w->lost) || t_ns - w->begin_ns >= WATCH_NS;
}

void wiring_disturb(struct wiring *w)
{
        w->done = true;
}
