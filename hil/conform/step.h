/* What the steps of the conformance test (conform_*.c) share. */
#pragma once

#include "hil/time/clock.h"
#include "hil/conform/conform.h"

/* The steps, in the order in which they are asked. */
enum conform_is conform_hello(struct conform *c);
enum conform_is conform_answers(struct conform *c);
enum conform_is conform_versions(struct conform *c);
enum conform_is conform_hello_again(struct conform *c);
enum conform_is conform_byte_order(struct conform *c);
enum conform_is conform_sequence(struct conform *c);
enum conform_is conform_duplicates(struct conform *c);
enum conform_is conform_framing(struct conform *c);
enum conform_is conform_damage(struct conform *c);
enum conform_is conform_malformed(struct conform *c);
enum conform_is conform_unknown(struct conform *c);
enum conform_is conform_numbers(struct conform *c);
enum conform_is conform_losses(struct conform *c);
enum conform_is conform_blocks(struct conform *c);
enum conform_is conform_disarmed(struct conform *c);
enum conform_is conform_extremes(struct conform *c);
enum conform_is conform_rates(struct conform *c);
enum conform_is conform_time_sync(struct conform *c);
enum conform_is conform_options_step(struct conform *c);
enum conform_is conform_arm(struct conform *c);
enum conform_is conform_input(struct conform *c);
enum conform_is conform_duty(struct conform *c);
enum conform_is conform_motion(struct conform *c);
enum conform_is conform_recovery(struct conform *c);
enum conform_is conform_restart(struct conform *c);
enum conform_is conform_goodbye(struct conform *c);
enum conform_is conform_failsafe(struct conform *c);
enum conform_is conform_rearm(struct conform *c);
enum conform_is conform_lockstep(struct conform *c);
enum conform_is conform_repeats(struct conform *c);
enum conform_is conform_signs(struct conform *c);

/* So long without SENSORS is a failure of the sensors, not in lockstep. */
#define CONFORM_SILENCE_NS (100 * NS_PER_MS)
/* Orders are repeated so often, in simulated time. */
#define CONFORM_ASK_EVERY_S 0.25

/* What a step returns. `section` is the heading of docs/protocol.md that demands it. */
enum conform_is conform_failed(struct conform *c, const char *section, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));
/* As conform_failed(), of something that this host may have caused itself by being late for longer than this since
 * the step began: then nothing is judged. */
enum conform_is conform_failed_in_time(struct conform *c, int64_t late_ns,
                                       const char *section, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
/* The words follow on "not judged: ". */
enum conform_is conform_unjudged(struct conform *c, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
enum conform_is conform_skipped(struct conform *c, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
enum conform_is conform_passed(struct conform *c, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

/* A conversation of the step's own. False: the step has failed, in words. */
bool conform_begin(struct conform *c, bool lockstep);
/* So many frames, each answered before the next. False: the step has failed, in words. */
bool conform_fly(struct conform *c, int frames);
/* Nothing is wrong with the answers since conform_begin(), and nothing more comes. False: the step has
 * failed, in words. */
bool conform_answers_fit(struct conform *c);
/* Begins, at rest, and arms. False: the step has failed, in words. */
bool conform_begin_armed(struct conform *c, bool lockstep);
/* Then up, for 2 s of simulated time or more, until its outputs have risen. False: the step has failed, in words. */
bool conform_climb(struct conform *c);
/* Both. */
bool conform_begin_climbing(struct conform *c, bool lockstep);
/* As its newest answer says. */
static inline bool conform_is_armed(const struct conform_talk *t)
{
        return (t->motors.flags & HILP_ARMED) != 0;
}
/* Since conform_begin() no output was turning while it was disarmed, and mode and armed flag went together.
 * False: the step has failed, in words. */
bool conform_motors_fit(struct conform *c);
/* Asks until it has armed. False: the step has failed, in words. */
bool conform_arm_now(struct conform *c);
/* So many frames of the scene last seconds of simulated time. */
int conform_frames(const struct conform *c, double seconds);
/* Of its outputs together, 0 to 1 each. */
double conform_duty_sum(const struct hilp_motors *m);
/* "0 0 0 0.25": the duties of a message, for a text. */
const char *conform_duties(const struct hilp_motors *m, char *text, size_t cap);
