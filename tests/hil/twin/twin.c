/* A twin by the words of a source that is played here: where it is put, what it refuses, when it counts as silent, what
 * goes back. */
#include <math.h>
#include <string.h>

#include "hil/twin/twin.h"
#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct vehicle_config vehicle;
static struct vehicle body;
static struct twin twin;
static struct twin_told told;
static struct twin_word waiting;
static bool waits;

static bool give_word(struct twin_source *s, int64_t now_ns, struct twin_word *word)
{
        (void)s;
        (void)now_ns;
        if (!waits)
                return false;
        waits = false;
        *word = waiting;
        return true;
}

static void keep_told(struct twin_source *s, int64_t now_ns, const struct twin_told *t)
{
        (void)now_ns;
        s->counts.told++;
        told = *t;
}

static const struct twin_source_ops played_ops = { .name = "played",
                                                   .take = give_word,
                                                   .tell = keep_told };
static struct twin_source played;

static int64_t no_time(void)
{
        return 1;
}

static void set_up(void)
{
        static const struct world world = { .gravity_mps2 = 9.81 };

        memset(&vehicle, 0, sizeof vehicle);
        memset(&body, 0, sizeof body);
        body.body.q_body_to_ned.w = 1.0;
        vehicle.start_ned_m = (struct vec3){ 10.0, 20.0, -0.1 };
        vehicle.twin =
                (struct twin_config){ .used = true,
                                      .timeout_ns = 200 * MS,
                                      .expects = { 3.0, 10.0, 0.01, 0.1, 0.01, 0.1 } };
        played = (struct twin_source){ .ops = &played_ops, .fd = -1 };
        waits = false;
        twin_init(&twin, &vehicle, &world);
        twin.source = &played;
}

FIXTURE(set_up, NULL)

static struct twin_word word_at(int64_t t_ns, double north_m)
{
        return (struct twin_word){ .said = TWIN_POSITION | TWIN_ATTITUDE,
                                   .arrived_ns = t_ns,
                                   .pos_ned_m = { north_m, 0.0, -2.0 },
                                   .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
}

/* Takes it as the loop does, at that simulated time. */
static bool hear(struct twin_word word, int64_t sim_ns)
{
        struct twin_heard heard;
        struct twin_word taken;

        waiting = word;
        waits = true;
        ck_assert(twin_take(&twin, word.arrived_ns, 0, sim_ns, &taken));
        return twin_hear(&twin, &taken, &heard);
}

TEST(it_is_where_its_words_say_extrapolated_to_now)
{
        for (int i = 0; i <= 40; i++)
                ck_assert(hear(word_at(i * 50 * MS, 0.1 * i), i * 50 * MS));
        twin_place(&twin, &body, 2030 * MS);
        ck_assert_double_eq_tol(body.body.pos_ned_m.x, 4.06, 1e-4);
        ck_assert_double_eq_tol(body.body.pos_ned_m.z, -2.0, 1e-9);
        ck_assert_double_eq_tol(body.body.vel_ned_mps.x, 2.0, 1e-3);
        ck_assert_uint_eq(twin.place.count, 40);
        ck_assert_int_eq(twin_listen(&twin, 2030 * MS), TWIN_AS_BEFORE);
}

TEST(a_word_older_than_the_newest_is_heard_and_moves_nothing)
{
        struct twin_word new = word_at(100 * MS, 1.0), old = word_at(110 * MS, 9.0);

        new.said |= TWIN_TIME | TWIN_THROTTLE;
        new.measured_ns = 100 * MS;
        new.throttle_ratio = 0.5;
        old.said |= TWIN_TIME | TWIN_THROTTLE;
        old.measured_ns = 60 * MS;
        old.throttle_ratio = 0.02;
        ck_assert(hear(new, 100 * MS));
        ck_assert(hear(old, 110 * MS));
        ck_assert_uint_eq(twin.late, 1);
        ck_assert_double_eq(twin.throttle_ratio, 0.5);
        ck_assert_int_eq(twin.heard_ns, 110 * MS);
        twin_place(&twin, &body, 120 * MS);
        ck_assert_double_eq_tol(body.body.pos_ned_m.x, 1.0, 1e-9);
}

TEST(a_throttle_without_a_time_makes_no_place_late)
{
        for (int i = 0; i <= 40; i++) {
                struct twin_word throttle = { .said = TWIN_THROTTLE,
                                              .arrived_ns = (i * 50 + 7) * MS,
                                              .throttle_ratio = 0.5 };
                struct twin_word place = word_at((i * 50 + 7) * MS, 0.1 * i);

                place.said |= TWIN_TIME;
                place.measured_ns = i * 50 * MS + (i % 2 ? 3 * MS : 0);
                ck_assert(hear(throttle, throttle.arrived_ns));
                ck_assert(hear(place, place.arrived_ns));
        }
        ck_assert_uint_eq(twin.late, 0);
        ck_assert_uint_eq(twin.place.count, 40);
}

TEST(its_axes_are_turned_and_moved)
{
        vehicle.twin.yaw_rad = 1.5707963267948966;
        vehicle.twin.offset_ned_m = twin.offset_ned_m = (struct vec3){ 100.0, 0.0, 0.5 };
        ck_assert(hear(word_at(0, 3.0), 0));
        twin_place(&twin, &body, 0);
        ck_assert_double_eq_tol(body.body.pos_ned_m.x, 100.0, 1e-9);
        ck_assert_double_eq_tol(body.body.pos_ned_m.y, 3.0, 1e-9);
        ck_assert_double_eq_tol(body.body.pos_ned_m.z, -1.5, 1e-9);
        ck_assert_double_eq_tol(quat_to_euler(body.body.q_body_to_ned).z,
                                1.5707963267948966, 1e-9);
}

TEST(its_first_word_may_be_its_start)
{
        vehicle.twin.from_start = true;
        twin.placed = false;
        ck_assert(hear(word_at(0, 3.0), 0));
        ck_assert(hear(word_at(50 * MS, 3.5), 50 * MS));
        ck_assert_double_eq_tol(twin.track.now.pos_ned_m.x, 10.5, 0.1);
        ck_assert_double_eq_tol(twin.track.now.pos_ned_m.y, 20.0, 1e-9);
        ck_assert_double_eq_tol(twin.track.now.pos_ned_m.z, -0.1, 1e-9);
}

TEST(what_cannot_be_is_counted_and_changes_nothing)
{
        struct twin_word w[7];

        ck_assert(hear(word_at(0, 1.0), 0));
        for (int i = 0; i < 7; i++)
                w[i] = word_at(10 * MS, 1.0);
        w[0].pos_ned_m.x = NAN;
        w[1].pos_ned_m.y = 1e9;
        w[2].q_body_to_ned.w = 0.0;
        w[3].said |= TWIN_VELOCITY;
        w[3].vel_ned_mps.z = INFINITY;
        w[4].said |= TWIN_THROTTLE;
        w[4].throttle_ratio = -1.0;
        w[5].said |= TWIN_RATE;
        w[5].rate_body_radps.x = 1e6;
        w[6].said |= TWIN_HEIGHT;
        w[6].height_m = NAN;
        for (int i = 0; i < 7; i++)
                ck_assert(!hear(w[i], 10 * MS));
        ck_assert_uint_eq(twin.impossible, 7);
        ck_assert_int_eq(twin.heard_ns, 0);
        ck_assert_double_eq(twin.track.now.pos_ned_m.x, 1.0);
}

TEST(silence_is_told_once_and_so_is_its_end)
{
        for (int i = 0; i <= 10; i++)
                ck_assert(hear(word_at(i * 50 * MS, 0.1 * i), i * 50 * MS));
        ck_assert_int_eq(twin_listen(&twin, 700 * MS), TWIN_AS_BEFORE);
        ck_assert_int_eq(twin_listen(&twin, 701 * MS), TWIN_FELL_SILENT);
        ck_assert_int_eq(twin_listen(&twin, 900 * MS), TWIN_AS_BEFORE);
        /* It stays where it was extrapolated to when it fell silent, and stands. */
        twin_place(&twin, &body, 900 * MS);
        ck_assert_double_eq_tol(body.body.pos_ned_m.x, 1.4, 0.01);
        ck_assert_double_eq(body.body.vel_ned_mps.x, 0.0);
        ck_assert(!twin_is_away(&twin, 900 * MS));
        vehicle.twin.when_silent = TWIN_LEAVES;
        ck_assert(twin_is_away(&twin, 900 * MS));
        ck_assert(hear(word_at(1000 * MS, 2.0), 1000 * MS));
        ck_assert_int_eq(twin_listen(&twin, 1000 * MS), TWIN_IS_BACK);
        ck_assert(!twin_is_away(&twin, 1000 * MS));
        ck_assert_uint_eq(twin.silences, 1);
        ck_assert_int_eq(twin.silent_ns, 400 * MS);
}

TEST(before_its_first_word_nothing_sees_it)
{
        ck_assert(twin_is_away(&twin, 0));
        ck_assert(hear(word_at(0, 0.0), 0));
        ck_assert(!twin_is_away(&twin, 0));
}

TEST(its_sonars_and_the_others_are_told_after_each_word)
{
        const struct twin_other other = { .name = "quad", .number = 3 };
        struct sensor_frame frame = { 0 };

        frame.sonar[0] = (struct sonar_sample){ .range_m = 1.25, .echo = true };
        frame.sonar[1] = (struct sonar_sample){ .range_m = 2.5, .echo = false };
        ck_assert(!twin_tell(&twin, 0, &frame, 2, 1, &other, no_time));
        ck_assert(hear(word_at(0, 0.0), 0));
        ck_assert(twin_tell(&twin, 0, &frame, 2, 1, &other, no_time));
        ck_assert(!twin_tell(&twin, 4 * MS, &frame, 2, 1, &other, no_time));
        ck_assert_int_eq(told.sonars, 2);
        ck_assert_double_eq(told.range_m[0], 1.25);
        ck_assert(isinf(told.range_m[1]));
        ck_assert_int_eq(told.others, 1);
        ck_assert_int_eq(told.other[0].number, 3);
        ck_assert_uint_eq(played.counts.told, 1);
}

TEST(or_they_are_told_as_often_as_asked)
{
        struct sensor_frame frame = { 0 };

        vehicle.twin.tell_ns = 50 * MS;
        twin.told_ns = -50 * MS;
        for (int i = 0; i < 1000; i++)
                twin_tell(&twin, i * MS, &frame, 1, 0, NULL, no_time);
        ck_assert_uint_eq(played.counts.told, 20);
}

TEST(an_arrival_of_before_the_flight_is_at_its_beginning)
{
        struct twin_word w = word_at(0, 0.0);

        w.arrived_ns = -5 * MS;
        ck_assert(hear(w, 10 * MS));
        ck_assert_int_eq(twin.heard_ns, 0);
}
