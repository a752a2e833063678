/* Which way of being wired explains what a flight showed, and that in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/judge/wiring.h"

#define SAID_MAX  3
#define TICKS_MIN 50
#define TIE       0.01 /* that much more or less explains as well */
#define UNCERTAIN 0.3 /* and of what remains unexplained */
#define SHARE_MIN 0.6 /* of what is said to be found */
#define ROUNDS    60
#define MARGIN    0.25 /* by which it must be better than a right wiring */

/* How a rotor's command must follow a term: its thrust pushes against it. */
static double wanted_way(const struct wiring *w, int term, int rotor)
{
        switch (term) {
        case WIRING_RATE_X:
        case WIRING_LEAN_X:
                return w->pos_body_m[rotor].y;
        case WIRING_RATE_Y:
        case WIRING_LEAN_Y:
                return -w->pos_body_m[rotor].x;
        default:
                return w->spin[rotor];
        }
}

/* One way in which a board may be wired: rotor i is commanded as if it stood where order[i] does, and a
 * term is felt as it is (1), the wrong way round (-1) or unknown, one or the other (0). */
struct guess {
        enum wiring_finding finding;
        uint8_t order[ROTORS_MAX];
        int sign[WIRING_ONE];
};

/* The commands as sums of the terms, each with a gain of its own that is 0 or more: the normal equations of
 * the least squares. */
struct equations {
        double a[WIRING_ONE][WIRING_ONE], b[WIRING_ONE];
        double all; /* squares of the commands about their means */
};

static double about_means(const struct wiring_sums *s, double sum, double x, double y)
{
        return sum - x * y / s->xx[WIRING_ONE][WIRING_ONE];
}

static void write_down(const struct wiring *w, const struct wiring_sums *s,
                       const struct guess *g, struct equations *e)
{
        double way[WIRING_ONE][ROTORS_MAX];

        e->all = s->yy;
        for (int i = 0; i < w->rotors; i++)
                e->all -= s->xy[WIRING_ONE][i] * s->xy[WIRING_ONE][i] /
                          s->xx[WIRING_ONE][WIRING_ONE];
        for (int k = 0; k < WIRING_ONE; k++)
                for (int i = 0; i < w->rotors; i++)
                        way[k][i] = g->sign[k] * wanted_way(w, k, g->order[i]);
        for (int k = 0; k < WIRING_ONE; k++) {
                e->b[k] = 0.0;
                for (int i = 0; i < w->rotors; i++)
                        e->b[k] += way[k][i] * about_means(s, s->xy[k][i],
                                                           s->xx[k][WIRING_ONE],
                                                           s->xy[WIRING_ONE][i]);
                for (int l = 0; l < WIRING_ONE; l++) {
                        double along = 0.0;

                        for (int i = 0; i < w->rotors; i++)
                                along += way[k][i] * way[l][i];
                        e->a[k][l] =
                                along * about_means(s, s->xx[k][l], s->xx[k][WIRING_ONE],
                                                    s->xx[l][WIRING_ONE]);
                }
        }
}

/* Share of the commands that the best gains explain: coordinate by coordinate, each at its best with the
 * others as they are, until nothing moves. */
static double explained(const struct equations *e)
{
        double gain[WIRING_ONE] = { 0 }, share = 0.0;

        for (int round = 0; round < ROUNDS; round++)
                for (int k = 0; k < WIRING_ONE; k++) {
                        double rest = e->b[k];

                        if (!(e->a[k][k] > 0.0))
                                continue;
                        for (int l = 0; l < WIRING_ONE; l++)
                                rest -= l != k ? e->a[k][l] * gain[l] : 0.0;
                        gain[k] = fmax(rest / e->a[k][k], 0.0);
                }
        for (int k = 0; k < WIRING_ONE; k++) {
                share += 2.0 * gain[k] * e->b[k];
                for (int l = 0; l < WIRING_ONE; l++)
                        share -= gain[k] * gain[l] * e->a[k][l];
        }
        return e->all > 0.0 ? share / e->all : 0.0;
}

/* At the delay that suits it best. */
static double explained_share(const struct wiring *w, const struct guess *g)
{
        double best = 0.0;

        for (int d = 0; d < WIRING_DELAYS; d++) {
                struct equations e;

                if (!(w->sums[d].xx[WIRING_ONE][WIRING_ONE] > 0.0))
                        continue;
                write_down(w, &w->sums[d], g, &e);
                best = fmax(best, explained(&e));
        }
        return best;
}

/* The order that would suit what the board does. */
static void find_suited(const struct wiring *w, const struct wiring_explanation *e,
                        uint8_t order[ROTORS_MAX])
{
        for (int i = 0; i < w->rotors; i++)
                order[e->meant_for[i]] = w->order[i];
}

/* How far an explanation is fetched: the order that the firmware usually has least of all, then what
 * leaves every motor where it is. */
static int fetched_far(const struct wiring *w, const struct wiring_explanation *e)
{
        uint8_t order[ROTORS_MAX] = { 0 };
        int count = 0;

        find_suited(w, e, order);
        if (w->has_usual && e->finding == WIRING_MOTOR_ORDER &&
            memcmp(order, w->usual, (size_t)w->rotors) == 0)
                return -1;

        for (int i = 0; i < w->rotors; i++)
                count += e->meant_for[i] != i;
        return count;
}

static bool is_known(const struct wiring *w, const struct wiring_explanation *e)
{
        for (int i = 0; i < w->explanations; i++)
                if (w->explanation[i].finding == e->finding &&
                    memcmp(w->explanation[i].meant_for, e->meant_for,
                           (size_t)w->rotors) == 0)
                        return true;
        return false;
}

static void consider(struct wiring *w, const struct guess *g)
{
        struct wiring_explanation e = { .finding = g->finding,
                                        .share = explained_share(w, g) };

        memcpy(e.meant_for, g->order, sizeof e.meant_for);
        if (g->finding == WIRING_RIGHT)
                w->right_share = e.share;
        if (w->explanations < WIRING_EXPLANATIONS && !is_known(w, &e))
                w->explanation[w->explanations++] = e;
}

static struct guess plain_guess(enum wiring_finding finding)
{
        struct guess g = { .finding = finding };

        for (int i = 0; i < ROTORS_MAX; i++)
                g.order[i] = (uint8_t)i;
        for (int k = 0; k < WIRING_ONE; k++)
                g.sign[k] = 1;
        return g;
}

/* A board that feels a rate the wrong way round may take its lean from that, or from elsewhere. */
static void consider_flips(struct wiring *w)
{
        static const struct {
                enum wiring_finding finding;
                int first, second;
        } flips[] = {
                { WIRING_GYRO_X, WIRING_RATE_X, -1 },
                { WIRING_GYRO_X, WIRING_RATE_X, WIRING_LEAN_X },
                { WIRING_GYRO_Y, WIRING_RATE_Y, -1 },
                { WIRING_GYRO_Y, WIRING_RATE_Y, WIRING_LEAN_Y },
                { WIRING_GYRO_Z, WIRING_RATE_Z, -1 },
                { WIRING_GYRO_Z, WIRING_RATE_Z, WIRING_TURN_Z },
                { WIRING_ATTITUDE_X, WIRING_LEAN_X, -1 },
                { WIRING_ATTITUDE_Y, WIRING_LEAN_Y, -1 },
        };

        for (size_t i = 0; i < sizeof flips / sizeof flips[0]; i++) {
                struct guess g = plain_guess(flips[i].finding);

                g.sign[flips[i].first] = -1;
                if (flips[i].second >= 0)
                        g.sign[flips[i].second] = -1;
                consider(w, &g);
        }
}

static void swap_places(uint8_t *order, int i, int j)
{
        uint8_t was = order[i];

        order[i] = order[j];
        order[j] = was;
}

/* Every order of four rotors; of more, those in which two are exchanged. */
static void consider_orders(struct wiring *w, struct guess *g, int from)
{
        bool all = w->rotors <= 4;

        for (int i = from; all && i < w->rotors; i++) {
                swap_places(g->order, from, i);
                if (from + 1 < w->rotors)
                        consider_orders(w, g, from + 1);
                else
                        consider(w, g);
                swap_places(g->order, from, i);
        }
        for (int i = 0; !all && i < w->rotors; i++)
                for (int j = i + 1; j < w->rotors; j++) {
                        swap_places(g->order, i, j);
                        consider(w, g);
                        swap_places(g->order, i, j);
                }
}

/* Leaves what explains the flight about as well as the best does, the simplest first, and of those that are
 * as simple the better. What nothing explains (limits, what the board does besides) makes shares uncertain. */
static void keep_best(struct wiring *w)
{
        double most = 0.0;
        int kept = 0;

        for (int i = 0; i < w->explanations; i++)
                most = fmax(most, w->explanation[i].share);
        for (int i = 0; i < w->explanations; i++) {
                struct wiring_explanation e = w->explanation[i];
                int at = kept;

                if (e.share < most - TIE - UNCERTAIN * (1.0 - most))
                        continue;
                for (; at > 0; at--) {
                        const struct wiring_explanation *before = &w->explanation[at - 1];
                        int further = fetched_far(w, before) - fetched_far(w, &e);

                        if (further < 0 || (further == 0 && before->share >= e.share))
                                break;
                        w->explanation[at] = *before;
                }
                w->explanation[at] = e;
                kept++;
        }
        w->explanations = kept;
}

void wiring_decide(struct wiring *w)
{
        struct guess right = plain_guess(WIRING_RIGHT),
                     order = plain_guess(WIRING_MOTOR_ORDER);
        double most = 0.0;

        w->done = true;
        w->explanations = 0;
        if (w->ticks < TICKS_MIN)
                return;
        consider(w, &right);
        consider_flips(w);
        consider_orders(w, &order, 0);
        keep_best(w);
        for (int i = 0; i < w->explanations; i++)
                most = fmax(most, w->explanation[i].share);
        /* A board that is wired wrong loses the vehicle at once: one that keeps it is not, whatever its commands
         * look like. */
        if (w->lost && most - w->right_share >= MARGIN && most >= SHARE_MIN)
                return;
        w->explanations = w->right_share >= SHARE_MIN;
        w->explanation[0] = (struct wiring_explanation){ .finding = WIRING_RIGHT,
                                                         .share = w->right_share };
}

enum wiring_finding wiring_found(const struct wiring *w)
{
        return w->explanations > 0 ? w->explanation[0].finding : WIRING_UNKNOWN;
}

static int print_order(char *text, size_t cap, const uint8_t *order, int rotors)
{
        int n = 0;

        for (int i = 0; i < rotors && (size_t)n < cap; i++)
                n += snprintf(text + n, cap - (size_t)n, "%s%d", i > 0 ? ", " : "",
                              order[i]);
        return n;
}

static void describe_one(const struct wiring *w, const struct wiring_explanation *e,
                         char *text, size_t cap)
{
        static const char *const said[] = {
                [WIRING_GYRO_X] =
                        "the board feels the roll rate the wrong way round: its "
                        "gyroscope's x axis is flipped",
                [WIRING_GYRO_Y] = "the board feels the pitch rate the wrong way round: "
                                  "its gyroscope's y axis is flipped",
                [WIRING_GYRO_Z] =
                        "the board pushes the wrong way about yaw: its "
                        "gyroscope's z axis is flipped, or it takes every rotor "
                        "to turn the other way",
                [WIRING_ATTITUDE_X] =
                        "the board takes roll the wrong way round: the sign "
                        "of its attitude about x is flipped",
                [WIRING_ATTITUDE_Y] = "the board takes pitch the wrong way round: the "
                                      "sign of its attitude about y is flipped",
        };
        uint8_t better[ROTORS_MAX];
        char is[48], fits[48];

        if (e->finding != WIRING_MOTOR_ORDER) {
                snprintf(text, cap, "%s", said[e->finding]);
                return;
        }
        find_suited(w, e, better);
        print_order(is, sizeof is, w->order, w->rotors);
        print_order(fits, sizeof fits, better, w->rotors);
        snprintf(text, cap,
                 "the motors are in the wrong order: %s is [%s], and the board "
                 "flies as if it were [%s]",
                 w->order_key, is, fits);
}

void wiring_describe(const struct wiring *w, char *text, size_t cap)
{
        size_t used = 0;

        text[0] = '\0';
        if (wiring_found(w) == WIRING_UNKNOWN || wiring_found(w) == WIRING_RIGHT)
                return;
        for (int i = 0; i < w->explanations && i < SAID_MAX; i++) {
                char one[220];

                describe_one(w, &w->explanation[i], one, sizeof one);
                if (used < cap)
                        used += (size_t)snprintf(text + used, cap - used, "%s%s",
                                                 i > 0 ? "; or " : "", one);
        }
}
