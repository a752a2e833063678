/* The stream's documents: what a page hears in which order, what it is told that it missed, values as the log has them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/live/stream.h"
#include "io/le.h"

#include "tests/suites.h"

static struct rig_config rig;
static struct config_error error;
static struct live_stream stream;
static struct live_frame *frame;

static void open_stream(void)
{
        const struct config_overrides none = { 0 };
        char *resolved;

        ck_assert_msg(
                config_read(&rig, "rig_configs/default.json", &none, &resolved, &error),
                "%s", error.text);
        free(resolved);
        ck_assert(live_stream_open(&stream, &rig, NULL));
        frame = calloc(1, live_frame_size(rig.vehicles));
        frame->vehicles = rig.vehicles;
}

static void close_stream(void)
{
        live_stream_close(&stream);
        config_free(&rig);
        free(frame);
}

FIXTURE(open_stream, close_stream)

static void give_frame(uint64_t number)
{
        frame->number = number;
        frame->t_ns = (int64_t)number * 1000000;
        live_stream_take_frame(&stream, frame);
}

/* The next document, which must be there and be one. */
static struct json *hear(struct live_viewer *v, const char *kind)
{
        struct json_error why;
        char *text = live_viewer_next(v, &stream);
        struct json *document;

        ck_assert_msg(text != NULL, "no %s", kind);
        document = json_parse(text, strlen(text), NULL, &why);
        ck_assert_msg(document != NULL, "%s: %s", why.text, text);
        ck_assert_str_eq(json_string(document, "kind"), kind);
        free(text);
        return document;
}

static void hear_nothing(struct live_viewer *v)
{
        char *text = live_viewer_next(v, &stream);

        ck_assert_msg(text == NULL, "%s", text);
}

static void tell_verdict(int requirement, enum judge_outcome outcome)
{
        struct {
                struct watched head;
                struct live_verdict body;
        } word = { { LIVE_VERDICT, 0, 0 },
                   { requirement, outcome, false, 1.5, -0.25, 7000000, "as \"said\"" } };

        live_stream_take_word(&stream, &word.head, sizeof word);
}

TEST(the_scene_comes_first_and_names_all_there_is)
{
        struct live_viewer v = { 0 };
        struct json *scene = hear(&v, "scene");

        ck_assert_str_eq(json_string(scene, "rig"), rig.name);
        ck_assert_int_eq(json_member(scene, "vehicles")->count, rig.vehicles);
        ck_assert_int_eq(json_at(scene, "vehicles.0.rotors")->count,
                         rig.vehicle[0].params.rotors);
        ck_assert_int_eq(json_member(scene, "requirements")->count,
                         rig.scenario.requirements);
        ck_assert_int_eq(json_member(scene, "steps")->count, rig.scenario.steps);
        ck_assert_double_eq(json_number(scene, "vehicles.0.mass_kg"),
                            rig.vehicle[0].params.body.mass_kg);
        json_free(scene);
        hear_nothing(&v);
        live_viewer_close(&v);
}

TEST(a_slow_one_is_told_how_many_frames_it_missed)
{
        static const int each[] = { 1, 2, 3, 7, 8, 20 };
        struct live_viewer fast = { 0 }, slow = { 0 };
        struct json *d;

        json_free(hear(&fast, "scene"));
        json_free(hear(&slow, "scene"));
        for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
                give_frame((uint64_t)each[i]);
                json_free(hear(&fast, "frame"));
                hear_nothing(&fast);
                if (each[i] == 2 || each[i] == 20) {
                        d = hear(&slow, "frame");
                        /* The first one it sees is where it counts from. */
                        ck_assert_double_eq(json_number(d, "lost"),
                                            each[i] == 2 ? 0.0 : 17.0);
                        ck_assert_double_eq(json_number(d, "number"), each[i]);
                        json_free(d);
                }
        }
        give_frame(21);
        d = hear(&fast, "frame");
        ck_assert_double_eq(json_number(d, "lost"), 3.0 + 11.0);
        json_free(d);
}

TEST(who_comes_late_hears_what_was_said_and_of_a_requirement_the_newest)
{
        struct live_viewer early = { 0 }, late = { 0 };
        struct json *d;

        json_free(hear(&early, "scene"));
        tell_verdict(0, JUDGE_OPEN);
        json_free(hear(&early, "verdict"));
        live_stream_say(&stream, -1, live_said_text(5000000, '4', "a word"));
        tell_verdict(1, JUDGE_PASSED);
        tell_verdict(0, JUDGE_FAILED);
        give_frame(1);

        json_free(hear(&late, "scene"));
        d = hear(&late, "event");
        ck_assert_str_eq(json_string(d, "what"), "a word");
        ck_assert_double_eq(json_number(d, "level"), 4.0);
        ck_assert_double_eq_tol(json_number(d, "time_s"), 0.005, 1e-15);
        json_free(d);
        d = hear(&late, "verdict");
        ck_assert_double_eq(json_number(d, "rows.0.requirement"), 1.0);
        json_free(d);
        d = hear(&late, "verdict");
        ck_assert_double_eq(json_number(d, "rows.0.requirement"), 0.0);
        ck_assert_str_eq(json_string(d, "rows.0.outcome"), "failed");
        ck_assert_str_eq(json_string(d, "rows.0.detail"), "as \"said\"");
        json_free(d);
        ck_assert(live_viewer_is_done(&late, &stream));
        ck_assert(!live_viewer_is_done(&early, &stream));
        json_free(hear(&late, "frame"));
        for (int i = 0; i < 3; i++)
                free(live_viewer_next(&early, &stream));
        ck_assert(live_viewer_is_done(&early, &stream));
}

TEST(what_came_from_outside_stands_as_text)
{
        struct live_viewer v = { 0 };
        struct json *d;

        json_free(hear(&v, "scene"));
        live_stream_say(
                &stream, -1,
                live_said_text(0, '6', "\xff\xc3(\"\\</script>\x01\n\xe2\x80\xae"));
        d = hear(&v, "event");
        ck_assert(strstr(json_string(d, "what"), "\"\\</script>") != NULL);
        json_free(d);
}

/* The value where topic_encode() puts it: another way from the struct to the number. */
static double encoded(const struct live_quantity *q, const void *from)
{
        static const size_t size[] = {
                [TOPIC_F32] = 4,  [TOPIC_F64] = 8,     [TOPIC_U8] = 1,   [TOPIC_I32] = 4,
                [TOPIC_U32] = 4,  [TOPIC_I64] = 8,     [TOPIC_U64] = 8,  [TOPIC_BOOL] = 1,
                [TOPIC_FLAG] = 1, [TOPIC_PERCENT] = 1, [TOPIC_CHARS] = 1
        };
        const struct topic *t = &record_topic_table[q->topic];
        struct ulog_message m = { 0 };
        size_t at = 0;
        enum topic_type type = t->field[q->field].type;

        topic_encode(q->topic, from, &m);
        for (int i = 0; i < q->field; i++)
                at += size[t->field[i].type] * (size_t)t->field[i].count;
        at += size[type] * (size_t)q->element;
        switch (type) {
        case TOPIC_F32:
                return (double)le_get_f32(m.bytes + at);
        case TOPIC_F64:
                return le_get_f64(m.bytes + at);
        case TOPIC_I32:
                return (int32_t)le_get_u32(m.bytes + at);
        case TOPIC_U32:
                return le_get_u32(m.bytes + at);
        case TOPIC_I64:
        case TOPIC_U64:
                return (double)le_get_u64(m.bytes + at);
        default:
                return m.bytes[at];
        }
}

static void fill_vehicle(struct live_vehicle *v)
{
        double *number = (double *)&v->tick.command;

        v->tick.tick = 123456;
        v->tick.compute_ns = -77;
        v->tick.armed = v->tick.contact = true;
        for (int i = 0; i < ROTORS_MAX; i++)
                number[i] = 0.1 * (i + 1);
        for (int i = 0; i < ROTORS_MAX; i++)
                v->tick.rotor_speed_radps[i] = 100.1 + i;
        v->tick.truth = (struct body_state){ .pos_ned_m = { 1.1, -2.2, 3.3 },
                                             .vel_ned_mps = { 4.4, 5.5, -6.6 },
                                             .q_body_to_ned = { 0.1, 0.7, -0.1, 0.7 },
                                             .rate_body_radps = { 7.7, 8.8, 9.9 } };
        v->estimate.state = v->tick.truth;
        v->estimate.state.pos_ned_m.x = 1.25;
        v->estimated = true;
        v->tick.frame.gps.lat_rad = 0.8;
        v->tick.frame.sonar[0] = (struct sonar_sample){ 5, 2.5, true };
        v->tick.frame.sonar[3] = (struct sonar_sample){ 5, 3.75, false };
        v->setpoint.setpoint = (struct setpoint){ MODE_GOTO, { 1.0, 2.0, -3.0 }, 0.5 };
}

TEST(a_value_is_the_one_that_the_log_would_hold)
{
        struct live_quantity_place at = { 0 };
        struct live_vehicle *v = &frame->vehicle[0];
        struct topic_pose truth;
        const char *unit;
        char name[96];
        int count = 0, none = 0;

        fill_vehicle(v);
        truth = (struct topic_pose){ v->tick.truth, 0.0 };
        while (live_quantity_next(&at, name, sizeof name, &unit)) {
                struct live_quantity q;
                const void *from = &v->tick;
                struct tick_record moved = v->tick;
                double value;

                ck_assert_msg(live_quantity_find(&q, name, 1), "%s", name);
                if (q.topic >= TOPIC_ATTITUDE_TRUTH && q.topic <= TOPIC_RATE_TRUTH)
                        from = &truth;
                else if (q.topic == TOPIC_ATTITUDE || q.topic == TOPIC_POSITION)
                        from = &v->estimate;
                else if (q.topic == TOPIC_SETPOINT)
                        from = &v->setpoint;
                else if (q.topic == TOPIC_DISTANCE) {
                        moved.frame.sonar[0] = v->tick.frame.sonar[q.sonar];
                        from = &moved;
                }
                value = live_quantity_value(&q, frame);
                ck_assert_msg(value == encoded(&q, from), "%s: %.17g is %.17g in the log",
                              name, value, encoded(&q, from));
                none += value == 0.0;
                count++;
        }
        ck_assert_int_gt(count, 80);
        ck_assert_int_gt(count - none, 35);
}

TEST(what_is_no_quantity_is_not_found)
{
        static const char *const name[] = {
                "",
                ".",
                "hilrig_tick",
                "hilrig_tick.",
                "hilrig_tick.duty[8]",
                "hilrig_tick.duty[-1]",
                "hilrig_tick.duty[1",
                "hilrig_tick.duty[1]]",
                "hilrig_tick.dut",
                "hilrig_tick.dutyx",
                "hilrig_event.what",
                "v1.hilrig_tick.tick",
                "v99999999999999999999.hilrig_tick.tick",
                "v.hilrig_tick.tick",
                "vehicle_local_position_groundtruth.x[0]",
                "vehicle_local_position_groundtruth.x y",
                "distance_sensor[99].current_distance",
                "distance_sensor[-1].current_distance",
                "distance_sensor[].current_distance",
        };
        struct live_quantity q;

        for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
                ck_assert_msg(!live_quantity_find(&q, name[i], 1), "%s", name[i]);
        ck_assert(live_quantity_find(&q, "v0.hilrig_tick.tick", 1));
}

TEST(a_page_gets_the_values_that_it_asked_for_and_no_other)
{
        static const char ask[] =
                "{\"kind\":\"ask\",\"quantities\":[\"hilrig_tick.tick\","
                "\"no.such\",\"vehicle_attitude.q[0]\"]}";
        struct live_viewer asks = { 0 }, quiet = { 0 };
        struct json *d;

        json_free(hear(&asks, "scene"));
        json_free(hear(&quiet, "scene"));
        live_viewer_hear(&asks, &stream, ask, strlen(ask));
        frame->vehicle[0].tick.tick = 42;
        give_frame(1);
        d = hear(&asks, "frame");
        ck_assert_int_eq(json_member(d, "values")->count, 2);
        ck_assert_double_eq(
                json_member(json_member(d, "values"), "hilrig_tick.tick")->number, 42.0);
        /* Nobody has estimated anything. */
        ck_assert(json_is(json_member(json_member(d, "values"), "vehicle_attitude.q[0]"),
                          JSON_NULL));
        json_free(d);
        d = hear(&quiet, "frame");
        ck_assert(json_member(d, "values") == NULL);
        json_free(d);
}

TEST(the_distribution_has_every_sample_in_its_eighth_of_an_octave)
{
        struct live_latency l = { 0 };
        struct json_error why;
        struct json *d;
        double count = 0.0;
        char *text;

        for (int i = 1; i <= 2000; i++)
                histogram_add(&l.loop, i * INT64_C(997));
        text = live_latency_text(&l);
        d = json_parse(text, strlen(text), NULL, &why);
        ck_assert_msg(d != NULL, "%s", why.text);
        for (const struct json *bin = json_member(d, "bins")->first; bin != NULL;
             bin = bin->next) {
                double low = json_item(bin, 0)->number, high = low * exp2(1.0 / 8.0);
                int between = 0;

                for (int i = 1; i <= 2000; i++)
                        between += i * 0.997 >= low * 0.98 && i * 0.997 < high * 1.02;
                ck_assert_msg(json_item(bin, 1)->number <= between, "%g: %g of %d", low,
                              json_item(bin, 1)->number, between);
                count += json_item(bin, 1)->number;
        }
        ck_assert_double_eq(count, 2000.0);
        ck_assert_double_eq_tol(json_number(d, "p50_us"), 997.0, 20.0);
        json_free(d);
        free(text);
}
