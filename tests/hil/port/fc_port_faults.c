/* Faulty wires in lockstep: no tick hangs, and what happens does not depend on how fast the board and the
 * host are. The board is in this program and may be slow: then it takes and gives a few bytes at a time, at
 * some of the times when it is asked. Host time stands still, so that no time-out can end a wait. */
#include "tests/hil/port/fc_port_stage.h"
#include "tests/suites.h"

#define TICKS      60
#define FAULT_FROM 10
#define FAULT_TO   40
#define NOW        (5 * MS)

static struct codec_setup stepwise;
static bool slow, twice; /* the board: answers each frame twice */
static uint8_t outbox[65536];
static size_t waiting;
static int calls;

/* A flight as the rig saw it: the motor command and the state after each tick. */
struct trail {
        double duty[TICKS];
        enum fc_port_state state[TICKS];
        struct wire_fault_counts counts;
        int waits; /* longest */
        uint32_t board_frames; /* that it answered */
};

static struct trail first, second;
static uint32_t board_frames;

static void board_say(const uint8_t *bytes, size_t len)
{
        ck_assert_uint_le(waiting + len, sizeof outbox);
        memcpy(outbox + waiting, bytes, len);
        waiting += len;
}

/* The command tells which frame it answers. */
static void board_answer(uint32_t number)
{
        const struct motor_command command = { { (double)(number % 1000) / 1000.0 } };
        const struct fc_estimate estimate = { .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        uint8_t out[HILP_FRAME_MAX];

        for (int i = 0; i < (twice ? 2 : 1); i++)
                board_say(out, hilp_board_motors(&board, &command, 4, true, false,
                                                 MODE_ARMED, out));
        if (number % 3 == 0)
                board_say(out, hilp_board_state(&board, &estimate, out));
        board_frames++;
}

static void board_give(size_t most)
{
        size_t n = waiting < most ? waiting : most;
        int sent = link_write(board_link, outbox, n);

        if (sent <= 0)
                return;
        waiting -= (size_t)sent;
        memmove(outbox, outbox + sent, waiting);
}

static void board_run(void)
{
        uint8_t bytes[4096];
        int n;

        if (board_link == NULL || (slow && ++calls % 3 != 0))
                return;
        n = link_read(board_link, bytes, slow ? 11 : sizeof bytes);
        for (size_t at = 0; n > 0 && at < (size_t)n;) {
                struct hilp_board_news news;

                at += hilp_board_receive(&board, bytes + at, (size_t)n - at, 0, &news);
                board_say(news.out, news.out_len);
                if (news.event == HILP_BOARD_SENSORS)
                        board_answer(board.newest_frame);
        }
        board_give(slow ? 5 : sizeof outbox);
}

static void greet_slowly(void)
{
        for (int i = 0; i < 1000 && port.state != FC_PORT_READY; i++) {
                fc_port_receive(&port, NOW, false);
                fc_port_poll(&port, NOW);
                board_run();
        }
        ck_assert_int_eq(port.state, FC_PORT_READY);
}

static void open_port(void)
{
        struct link_error why;

        config = (struct fc_config){ .codec = "hilp",
                                     .links = 1,
                                     .timeout_ns = 100 * MS,
                                     .hello_timeout_ns = 1000 * MS };
        snprintf(config.link_text[0], sizeof config.link_text[0],
                 "unix-listen:/tmp/test_fc_port-%d.sock", getpid());
        ck_assert(link_spec_parse(&config.link[0], config.link_text[0], &why));
        stepwise = setup;
        stepwise.lockstep = true;
        ck_assert_msg(fc_port_open(&port, &config, &stepwise, 0, &why), "%s", why.text);
        ck_assert(fc_links_make_faulty(&port.links, 8, port.lockstep));
        waiting = 0;
        calls = 0;
        board_frames = 0;
        board_connect();
        greet_slowly();
        port.talk.heard_ns = NOW;
}

/* As hil/rig/pace_lockstep.c and hil/rig/loop_end.c do it. */
static void come_back(void)
{
        if (port.state == FC_PORT_READY || fc_port_unplugged(&port))
                return;
        ck_assert(fc_port_may_return(&port));
        if (port.state == FC_PORT_GONE) {
                uint8_t byte;

                ck_assert_int_eq(link_read(board_link, &byte, 1), LINK_GONE);
                link_close(board_link);
                ck_assert(fc_port_reopen(&port, NOW));
                waiting = 0;
                board_connect();
        }
        greet_slowly();
}

static int wait_for_answer(void)
{
        int waits = 0;

        for (;; waits++) {
                fc_port_receive(&port, NOW, true);
                if (port.state == FC_PORT_GONE || fc_port_settled(&port))
                        return waits;
                ck_assert_msg(waits < 2000, "hangs");
                fc_port_poll(&port, NOW);
                board_run();
        }
}

/* What no tick waited for must not wait for one either: the board gets time in between. */
static void idle(int64_t tick)
{
        for (int i = 0; i < (slow ? (int)(tick * 7 % 5) : 50); i++)
                board_run();
}

static void fly(struct trail *trail, const struct wire_fault *fault, int faults,
                uint64_t seed)
{
        *trail = (struct trail){ 0 };
        open_port();
        for (int64_t tick = 1; tick <= TICKS; tick++) {
                int waits;

                come_back();
                while (fc_faults_end_due(&port.links.faults, tick) >= 0)
                        ;
                for (int i = 0; i < faults && tick == FAULT_FROM; i++)
                        ck_assert(
                                fc_port_fault_begin(&port, &fault[i], i, seed, FAULT_TO));
                fc_port_tick(&port, tick, NOW);
                fc_port_send(&port, NOW, &frame, NULL);
                waits = wait_for_answer();
                trail->waits = waits > trail->waits ? waits : trail->waits;
                trail->duty[tick - 1] = port.command.duty[0];
                trail->state[tick - 1] = port.state;
                idle(tick);
        }
        trail->counts = fc_faults_counts(&port.links.faults, 0);
        trail->board_frames = board_frames;
        close_all();
}

static void fly_both(const struct wire_fault *fault, int faults, uint64_t seed)
{
        slow = false;
        fly(&first, fault, faults, seed);
        slow = true;
        fly(&second, fault, faults, seed);
        for (int i = 0; i < TICKS; i++) {
                ck_assert_msg(first.duty[i] == second.duty[i],
                              "kind %d seed %d tick %d: %g, slowly %g", (int)fault->kind,
                              (int)seed, i + 1, first.duty[i], second.duty[i]);
                ck_assert_int_eq(first.state[i], second.state[i]);
        }
        ck_assert_uint_eq(first.board_frames, second.board_frames);
        ck_assert_uint_eq(first.counts.frames, second.counts.frames);
        ck_assert_uint_eq(first.counts.bytes, second.counts.bytes);
}

static struct wire_fault fault_of(enum wire_fault_kind kind, unsigned directions)
{
        return (struct wire_fault){ .kind = kind,
                                    .directions = directions,
                                    .probability = 1.0,
                                    .frame = -1,
                                    .channel = -1,
                                    .ticks = 3,
                                    .bytes = 9,
                                    .bits = kind == WIRE_BIT_FLIPS,
                                    .clock_error = 0.055 };
}

/* Frame n is sent at tick n + 1, on a wire without faults. */
static double duty_of_tick(int64_t tick)
{
        return (double)(tick - 1) / 1000.0;
}

static void check_duty(int64_t tick, double wanted)
{
        ck_assert_msg(fabs(first.duty[tick - 1] - wanted) < 1e-4,
                      "tick %d: %g, expected %g", (int)tick, first.duty[tick - 1],
                      wanted);
}

/* Ticks since the frame that the command of that tick answers. */
static int64_t age(int64_t tick)
{
        return tick - 1 - llround(1000.0 * first.duty[tick - 1]);
}

TEST(every_kind_of_fault_gives_the_same_whatever_the_speed)
{
        for (int kind = 0; kind < WIRE_UNPLUG; kind++) {
                for (unsigned ways = 1; ways <= WIRE_BOTH; ways++) {
                        struct wire_fault f = fault_of((enum wire_fault_kind)kind, ways);

                        fly_both(&f, 1, 1);
                        f.probability = 0.3;
                        fly_both(&f, 1, (uint64_t)kind);
                        ck_assert_uint_gt(first.counts.frames, 0);
                        check_duty(TICKS, duty_of_tick(TICKS));
                }
        }
}

TEST(a_board_that_answers_twice_is_taken_in_at_the_same_ticks)
{
        twice = true;
        for (int kind = 0; kind < WIRE_UNPLUG; kind++) {
                struct wire_fault f = fault_of((enum wire_fault_kind)kind, WIRE_BOTH);

                f.probability = 0.4;
                fly_both(&f, 1, 7);
        }
        twice = false;
}

TEST(all_faults_together_give_the_same_whatever_the_speed)
{
        struct wire_fault f[7];
        const enum wire_fault_kind kinds[7] = { WIRE_DROP,      WIRE_DUPLICATE,
                                                WIRE_REORDER,   WIRE_JITTER,
                                                WIRE_BIT_FLIPS, WIRE_GARBAGE,
                                                WIRE_TRUNCATE };

        for (int i = 0; i < 7; i++) {
                f[i] = fault_of(kinds[i], WIRE_BOTH);
                f[i].probability = 0.15;
        }
        for (uint64_t seed = 0; seed < 20; seed++)
                fly_both(f, 7, seed);
}

TEST(another_seed_is_another_flight)
{
        struct wire_fault drop = fault_of(WIRE_DROP, WIRE_BOTH);

        drop.probability = 0.5;
        slow = false;
        fly(&first, &drop, 1, 1);
        fly(&second, &drop, 1, 2);
        ck_assert_mem_ne(first.duty, second.duty, sizeof first.duty);
        fly(&second, &drop, 1, 1);
        ck_assert_mem_eq(first.duty, second.duty, sizeof first.duty);
}

TEST(frames_that_are_lost_are_not_waited_for)
{
        struct wire_fault drop = fault_of(WIRE_DROP, WIRE_BIT(WIRE_TO_FC));

        slow = false;
        fly(&first, &drop, 1, 1);
        for (int64_t tick = 1; tick <= TICKS; tick++)
                check_duty(tick, tick >= FAULT_FROM && tick < FAULT_TO
                                         ? duty_of_tick(FAULT_FROM - 1)
                                         : duty_of_tick(tick));
        ck_assert_uint_eq(first.board_frames, TICKS - (FAULT_TO - FAULT_FROM));
        ck_assert_int_lt(first.waits, 5);
}

/* Either way the command is so many ticks older. What follows the fault does not overtake. */
TEST(delayed_frames_and_delayed_answers_make_the_command_as_late)
{
        for (unsigned way = 1; way <= 2; way++) {
                struct wire_fault late = fault_of(WIRE_DELAY, way);

                slow = false;
                fly(&first, &late, 1, 1);
                for (int64_t tick = 1; tick < FAULT_FROM; tick++)
                        ck_assert_int_eq(age(tick), 0);
                for (int64_t tick = FAULT_FROM; tick < FAULT_FROM + 3; tick++)
                        ck_assert_int_eq(age(tick), tick - FAULT_FROM + 1);
                for (int64_t tick = FAULT_FROM + 3; tick < FAULT_TO + 2; tick++)
                        ck_assert_int_eq(age(tick), 3);
                for (int64_t tick = FAULT_TO + 2; tick <= TICKS; tick++)
                        ck_assert_int_eq(age(tick), 0);
                ck_assert_uint_eq(first.board_frames, TICKS);
        }
}

TEST(unplugged_the_time_goes_on_without_motors_and_the_board_is_taken_back)
{
        struct wire_fault pulled = fault_of(WIRE_UNPLUG, WIRE_BOTH);

        fly_both(&pulled, 1, 1);
        for (int64_t tick = FAULT_FROM; tick <= FAULT_TO; tick++) {
                check_duty(tick, 0.0);
                ck_assert_int_eq(first.state[tick - 1], FC_PORT_GONE);
        }
        /* Frames that were not sent have no number. */
        for (int64_t tick = FAULT_TO + 1; tick <= TICKS; tick++)
                check_duty(tick, duty_of_tick(tick - (FAULT_TO - FAULT_FROM + 1)));
}

TEST(a_silent_wire_is_not_a_silent_board)
{
        struct wire_fault silence = fault_of(WIRE_SILENCE, WIRE_BIT(WIRE_FROM_FC));

        slow = false;
        stepwise = setup;
        open_port();
        port.links.faults.all->lockstep = false; /* as in real time */
        for (unsigned way = 1; way <= WIRE_BOTH; way++) {
                silence.directions = way;
                ck_assert(fc_port_fault_begin(&port, &silence, 0, 1, INT64_MAX));
                for (int64_t t = 1; t < 1000; t++) {
                        fc_port_tick(&port, t, t * MS);
                        fc_port_send(&port, t * MS, &frame, NULL);
                        board_run();
                        fc_port_receive(&port, t * MS, false);
                        fc_port_check_silence(&port, t * MS);
                        ck_assert_int_eq(port.state, FC_PORT_READY);
                }
        }
        close_all();
}

TEST(goodbye_passes_every_fault)
{
        struct wire_fault silence = fault_of(WIRE_SILENCE, WIRE_BOTH);
        struct hilp_board_news news;
        uint8_t bytes[4096];
        int n;

        slow = false;
        open_port();
        ck_assert(fc_port_fault_begin(&port, &silence, 0, 1, INT64_MAX));
        fc_port_leave(&port);
        fc_port_goodbye(&port, NOW);
        n = link_read(board_link, bytes, sizeof bytes);
        ck_assert_int_gt(n, 0);
        hilp_board_receive(&board, bytes, (size_t)n, 0, &news);
        ck_assert_int_eq(news.event, HILP_BOARD_GOODBYE);
        close_all();
}
