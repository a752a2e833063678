/* What the first second in the air says of how a board is wired: the reference flight controller, wired
 * wrong in every way that the rig is to name. */
#include <stdlib.h>

#include "hil/judge/wiring.h"
#include "tests/models/fc/fc_flight.h"
#include "tests/suites.h"

static const uint8_t in_order[ROTORS_MAX] = { 0, 1, 2, 3, 4, 5, 6, 7 };

#define HEADING_RAD 0.3 /* at the start */

/* Seconds, until it has flown for long enough or lies. order[i]: output that drives rotor i. flip: axis of the
 * gyroscope, -1: none. */
static struct wiring flown_to(const uint8_t *order, int flip, const uint8_t *usual,
                              uint64_t seed, double yaw_rad)
{
        static struct flight f;
        struct wiring w;

        flight_init(&f, &finken3, false, MS, seed, HEADING_RAD);
        wiring_init(&w, &f.plant, MS, order, usual);
        flight_ask(&f, MODE_ARMED, 0, 0, 0, HEADING_RAD);
        for (int tick = 0; tick < 8000 && !w.done; tick++) {
                struct motor_command driven;

                if (tick == 2500)
                        flight_ask(&f, MODE_GOTO, 0, 0, -3.0, yaw_rad);
                f.t_ns += MS;
                for (int i = 0; i < 4; i++)
                        driven.duty[i] = f.command.duty[order[i]];
                f.frame = *vehicle_step(&f.vehicle, &f.plant, &f.world, NULL, &driven, 2);
                if (flip == 0)
                        f.frame.imu.gyro_body_radps.x *= -1.0;
                if (flip == 1)
                        f.frame.imu.gyro_body_radps.y *= -1.0;
                if (flip == 2)
                        f.frame.imu.gyro_body_radps.z *= -1.0;
                fc_step(&f.fc, &f.params, &f.frame, &f.command);
                wiring_observe(&w, &f.vehicle.body, &driven, f.vehicle.contact.touching,
                               f.t_ns);
        }
        wiring_decide(&w);
        return w;
}

static struct wiring flown(const uint8_t *order, int flip, const uint8_t *usual,
                           uint64_t seed)
{
        return flown_to(order, flip, usual, seed, HEADING_RAD);
}

static void order_number(int n, uint8_t order[ROTORS_MAX])
{
        uint8_t left[4] = { 0, 1, 2, 3 };

        memcpy(order, in_order, ROTORS_MAX);
        for (int i = 0, ways = 6; i < 4; ways /= i < 2 ? 3 - i : 1, i++) {
                int k = n / ways;

                n %= ways;
                order[i] = left[k];
                memmove(left + k, left + k + 1, (size_t)(3 - k));
        }
}

TEST(a_right_board_is_not_called_wrong)
{
        for (uint64_t seed = 1; seed <= 10; seed++) {
                struct wiring w = flown(in_order, -1, in_order, seed);
                char text[WIRING_TEXT_MAX];

                ck_assert(w.done);
                wiring_describe(&w, text, sizeof text);
                ck_assert_str_eq(text, "");
        }
}

/* Some orders crash before yaw has a say: a mirrored one looks like a flipped gyroscope. But all are called
 * wrong, and most by the order that the board really has. */
TEST(a_wrong_order_of_motors_is_called_wrong_and_mostly_by_the_right_one)
{
        int named = 0;

        for (int n = 1; n < 24; n++) {
                uint8_t order[ROTORS_MAX];
                struct wiring w;
                char text[WIRING_TEXT_MAX];

                order_number(n, order);
                w = flown(order, -1, in_order, 1);
                wiring_describe(&w, text, sizeof text);
                ck_assert_msg(text[0] != '\0', "%d%d%d%d", order[0], order[1], order[2],
                              order[3]);
                named += memcmp(w.explanation[0].meant_for, order, 4) == 0;
        }
        ck_assert_int_ge(named, 16);
}

TEST(the_key_that_sets_the_order_is_named)
{
        const uint8_t order[ROTORS_MAX] = { 1, 0, 2, 3, 4, 5, 6, 7 };
        struct wiring w = flown(order, -1, in_order, 1);
        char text[WIRING_TEXT_MAX];

        wiring_describe(&w, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "fc.motor_order is [1, 0, 2, 3]"));
        w.order_key = "pads.rotors";
        wiring_describe(&w, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "pads.rotors is [1, 0, 2, 3]"));
}

/* What the board is asked to do is no feedback: a turn as it takes off, to any heading. */
TEST(a_turn_that_is_asked_for_is_not_taken_for_a_flipped_axis)
{
        for (int deg = -180; deg < 180; deg += 10) {
                struct wiring w = flown_to(in_order, -1, in_order, 1, deg * M_PI / 180.0);
                char text[WIRING_TEXT_MAX];

                wiring_describe(&w, text, sizeof text);
                ck_assert_msg(text[0] == '\0', "%d degrees: %s", deg, text);
        }
}

/* Out of control within the first seconds, but behind a fault. */
TEST(what_is_lost_behind_a_fault_is_not_the_wiring)
{
        for (int n = 1; n < 24; n++) {
                uint8_t order[ROTORS_MAX];
                struct wiring w;

                order_number(n, order);
                w = flown(order, -1, in_order, 1);
                ck_assert(w.lost);
                w.done = w.lost = false;
                wiring_disturb(&w);
                wiring_decide(&w);
                ck_assert_int_le(wiring_found(&w), WIRING_RIGHT);
        }
}

TEST(a_flipped_gyroscope_is_named)
{
        static const enum wiring_finding wanted[] = { WIRING_GYRO_X, WIRING_GYRO_Y,
                                                      WIRING_GYRO_Z };

        for (int axis = 0; axis < 3; axis++) {
                struct wiring w = flown(in_order, axis, in_order, 1);

                ck_assert_int_eq(wiring_found(&w), wanted[axis]);
        }
}

TEST(who_does_not_fly_is_not_judged)
{
        struct wiring w;
        struct vehicle_params p = { .rotors = 4 };
        struct body_state still = { .q_body_to_ned = { 1, 0, 0, 0 } };
        struct motor_command idle = { { 0.1, 0.1, 0.1, 0.1 } };

        wiring_init(&w, &p, MS, in_order, NULL);
        for (int i = 0; i < 3000; i++)
                wiring_observe(&w, &still, &idle, true, i * MS);
        wiring_decide(&w);
        ck_assert_int_eq(wiring_found(&w), WIRING_UNKNOWN);
}
