/* Missions by MAVLink against an autopilot written from the protocol's description, over wires that lose, double and
 * reorder: held whole, or refused with the reason; never stuck, never half a mission unnoticed. */
#include <math.h>
#include <string.h>

#include "io/codec/mavlink_mission.h"
#include "tests/boards/mission_autopilot.h"
#include "tests/suites.h"

#define MS        1000000LL
#define CAPABLE   (1ULL << 14 | 1ULL << 15)
#define ON_WAY    512
#define FOREVER_S 4000 /* of virtual time */

static const struct mavlink_sender ground = { 2, 255, 190, 0 };

static struct mission_item items[MISSION_ITEMS_MAX], corners[4], rally[2];

struct wire_frame {
        bool used;
        bool to_autopilot;
        int64_t due_ns;
        struct mavlink_frame frame;
};

struct air {
        double loss, twice;
        int64_t delay_ns, jitter_ns;
        uint64_t random;
        struct wire_frame way[ON_WAY];
};

static struct mission_autopilot autopilot;
static struct air air;

static double draw(void)
{
        air.random = air.random * 6364136223846793005U + 1442695040888963407U;
        return (double)(air.random >> 40) / (double)(1 << 24);
}

static void put_on_way(bool to_autopilot, int64_t t_ns, const struct mavlink_frame *frame)
{
        int copies = draw() < air.loss ? 0 : draw() < air.twice ? 2 : 1;

        for (int i = 0; i < ON_WAY && copies > 0; i++)
                if (!air.way[i].used) {
                        air.way[i] = (struct wire_frame){
                                true, to_autopilot,
                                t_ns + air.delay_ns +
                                        (int64_t)(draw() * (double)air.jitter_ns),
                                *frame
                        };
                        copies--;
                }
}

static struct mission_plan plan_of(int count)
{
        struct mission_plan plan = { .has_home = true,
                                     .home_lat_deg = 47.0707,
                                     .home_lon_deg = 15.4395,
                                     .home_altitude_m = 353 };

        for (int i = 0; i < count; i++)
                items[i] = (struct mission_item){ .command = i == 0 ? MISSION_TAKEOFF
                                                                    : MISSION_WAYPOINT,
                                                  .frame = MISSION_FRAME_RELATIVE,
                                                  .autocontinue = true,
                                                  .param = { i % 3, 0, 0, (double)NAN },
                                                  .lat_deg = 47.07 + i * 1e-5,
                                                  .lon_deg = 15.44 - i * 1e-5,
                                                  .altitude_m = 10 + i % 50 };
        plan.list[MISSION_LIST_ITEMS] = (struct mission_list){ count, items };
        return plan;
}

/* Until it is over; virtual time. */
static struct mission_progress transfer(struct mavlink_mission *m)
{
        struct mavlink_sender own = ground;
        struct mavlink_mission_words say;

        for (int64_t t_ns = 0; t_ns < FOREVER_S * 1000 * MS; t_ns += 10 * MS) {
                for (int i = 0; i < ON_WAY; i++) {
                        if (!air.way[i].used || air.way[i].due_ns > t_ns)
                                continue;
                        air.way[i].used = false;
                        if (air.way[i].to_autopilot)
                                autopilot_take(&autopilot, t_ns, &air.way[i].frame);
                        else
                                mavlink_mission_take(m, &air.way[i].frame);
                }
                autopilot_poll(&autopilot, t_ns);
                for (int i = 0; i < autopilot.out_count; i++)
                        put_on_way(false, t_ns, &autopilot.out[i]);
                autopilot.out_count = 0;
                if (mavlink_mission_poll(m, t_ns, &say)) {
                        uint8_t bytes[MAVLINK_FRAME_MAX];
                        struct mavlink_frame f;
                        enum mavlink_found found;
                        size_t len = mavlink_send(&own, say.id, &say.as, bytes);

                        mavlink_find(bytes, len, &f, &found);
                        put_on_way(true, t_ns, &f);
                }
                if (!mavlink_mission_under_way(m))
                        return m->progress;
        }
        ck_abort_msg("stuck in step %d at item %d", m->step, m->seq);
        return m->progress;
}

static struct mavlink_mission begin(const struct mission_plan *plan,
                                    struct mavlink_mission_rules rules)
{
        struct mavlink_mission m;

        mavlink_mission_begin(&m, plan, &rules, 1, 1, &ground);
        return m;
}

static void reset(uint64_t seed, double loss)
{
        memset(&autopilot, 0, sizeof autopilot);
        autopilot.sender = (struct mavlink_sender){ 2, 1, 1, 0 };
        autopilot.items_max = AUTOPILOT_ITEMS_MAX;
        memset(&air, 0, sizeof air);
        air.random = seed;
        air.loss = loss;
        air.twice = loss;
        air.delay_ns = 10 * MS;
        air.jitter_ns = loss > 0 ? 100 * MS : 0;
}

/* As the autopilot holds it, not as the rig was told. */
static void is_held(const struct mission_plan *plan, int list, bool home_first)
{
        int first =
                home_first && list == MISSION_LIST_ITEMS && plan->list[list].count > 0;

        ck_assert_int_eq(autopilot.count[list], plan->list[list].count + first);
        for (int i = 0; i < plan->list[list].count; i++) {
                const struct mission_item *want = &plan->list[list].item[i];
                const struct mavlink_mission_item_int *got =
                        &autopilot.item[list][i + first];

                ck_assert_int_eq(got->seq, i + first);
                ck_assert_uint_eq(got->command, want->command);
                ck_assert_int_eq(got->x, lround(want->lat_deg * 1e7));
                ck_assert_int_eq(got->y, lround(want->lon_deg * 1e7));
                ck_assert(fabs((double)got->z - want->altitude_m) < 1e-3);
        }
}

static const int sizes[] = { 1, 2, 220, MISSION_ITEMS_MAX };

/* 10 % of the messages are lost each way, 10 % come twice, and later ones overtake. */
TEST_EACH(a_mission_arrives_whole_over_a_bad_wire, 40)
{
        int count = sizes[_i / 10];
        struct mavlink_mission_rules rules =
                _i % 2 ? mavlink_mission_ardupilot : mavlink_mission_px4;
        struct mission_plan plan = plan_of(count);
        struct mission_progress end;
        struct mavlink_mission m;

        reset((uint64_t)_i + 1, 0.1);
        autopilot.by_request = _i % 4 == 0;
        m = begin(&plan, rules);
        end = transfer(&m);
        ck_assert_msg(end.transfer == MISSION_HELD, "%d items: %s", count, end.why);
        ck_assert_int_eq(end.done, count);
        is_held(&plan, MISSION_LIST_ITEMS, rules.home_first);
        ck_assert_uint_eq(autopilot.current, rules.home_first);
}

/* Whatever ends a transfer over a wire that hardly lets anything through: never HELD with something else there. */
TEST_EACH(what_is_held_is_true_over_a_dreadful_wire, 20)
{
        struct mission_plan plan = plan_of(20);
        struct mavlink_mission m;

        reset((uint64_t)_i + 100, 0.6);
        m = begin(&plan, mavlink_mission_px4);
        if (transfer(&m).transfer == MISSION_HELD)
                is_held(&plan, MISSION_LIST_ITEMS, false);
        else
                ck_assert_str_ne(m.progress.why, "");
}

TEST(every_list_is_sent_and_an_empty_one_cleared)
{
        struct mission_plan plan = plan_of(3);
        struct mavlink_mission_rules rules = mavlink_mission_px4;
        struct mavlink_mission m;

        for (int i = 0; i < 4; i++)
                corners[i] =
                        (struct mission_item){ .command = MISSION_FENCE_POLYGON_INSIDE,
                                               .frame = MISSION_FRAME_RELATIVE,
                                               .param = { 4 },
                                               .lat_deg = 47.0 + i % 2 * 0.1,
                                               .lon_deg = i < 2 ? 15.0 : 15.1 };
        rally[0] = (struct mission_item){ .command = MISSION_RALLY_POINT,
                                          .frame = MISSION_FRAME_RELATIVE,
                                          .lat_deg = 47.07,
                                          .lon_deg = 15.43,
                                          .altitude_m = 20 };
        plan.list[MISSION_LIST_FENCE] = (struct mission_list){ 4, corners };
        plan.list[MISSION_LIST_RALLY] = (struct mission_list){ 1, rally };
        rules.capabilities = CAPABLE;
        reset(1, 0.1);
        m = begin(&plan, rules);
        ck_assert_int_eq(transfer(&m).transfer, MISSION_HELD);
        for (int i = 0; i < MISSION_LISTS; i++)
                is_held(&plan, i, false);

        plan = plan_of(3);
        m = begin(&plan, rules);
        ck_assert_int_eq(transfer(&m).transfer, MISSION_HELD);
        for (int i = 0; i < MISSION_LISTS; i++)
                is_held(&plan, i, false);
}

static void fails_with(const struct mission_plan *plan,
                       struct mavlink_mission_rules rules, const char *words)
{
        struct mavlink_mission m = begin(plan, rules);
        struct mission_progress end = transfer(&m);

        ck_assert_int_eq(end.transfer, MISSION_FAILED);
        ck_assert_msg(strstr(end.why, words) != NULL, "\"%s\" does not say \"%s\"",
                      end.why, words);
}

TEST(a_refusal_is_told_with_its_reason)
{
        struct mission_plan plan = plan_of(3);

        reset(1, 0);
        autopilot.items_max = 2;
        fails_with(&plan, mavlink_mission_px4, "mission: refused: no space");
        reset(1, 0);
        autopilot.refused_command = MISSION_WAYPOINT;
        fails_with(&plan, mavlink_mission_px4,
                   "refused at item 2: a command that it does not know");
        reset(1, 1.0);
        fails_with(&plan, mavlink_mission_px4, "it did not answer that items come");

        plan.list[MISSION_LIST_FENCE] = (struct mission_list){ 1, items };
        fails_with(&plan, mavlink_mission_px4, "takes no geofence");
        plan = plan_of(2);
        items[1].lat_deg = (double)NAN;
        fails_with(&plan, mavlink_mission_px4, "item 2 (command 16) has no latitude");
}

static void say_to(struct mavlink_mission *m, uint8_t system, uint32_t id,
                   const void *values)
{
        struct mavlink_sender other = { 2, system, 1, 0 };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_frame f;
        enum mavlink_found found;

        mavlink_find(bytes, mavlink_send(&other, id, values, bytes), &f, &found);
        mavlink_mission_take(m, &f);
}

TEST(an_item_that_came_back_as_another_is_no_mission_held)
{
        struct mission_plan plan = plan_of(2);
        struct mavlink_mission m = begin(&plan, mavlink_mission_px4);
        struct mavlink_mission_item_int sent, held;
        char why[80];
        int unkept = 0;

        mavlink_mission_item(&m, 0, 1, &sent);
        held = sent;
        held.frame = 6;
        ck_assert(mavlink_mission_same(&sent, &held, &unkept, why, sizeof why));
        ck_assert_int_eq(unkept, 0);
        held.param1 = 0;
        ck_assert(mavlink_mission_same(&sent, &held, &unkept, why, sizeof why));
        ck_assert_int_eq(unkept, 1);
        held.x++;
        ck_assert(!mavlink_mission_same(&sent, &held, &unkept, why, sizeof why));
        held = sent;
        held.z += 1.0F;
        ck_assert(!mavlink_mission_same(&sent, &held, &unkept, why, sizeof why));
        held = sent;
        held.z = NAN;
        ck_assert(!mavlink_mission_same(&sent, &held, &unkept, why, sizeof why));
        held = sent;
        held.command = 17;
        ck_assert(!mavlink_mission_same(&sent, &held, &unkept, why, sizeof why));
        sent.command = held.command = MISSION_JUMP;
        held.param1 = 7;
        ck_assert(!mavlink_mission_same(&sent, &held, &unkept, why, sizeof why));
}

/* A jump's target counts from 1 in a plan, and as the autopilot's own items do there. */
TEST(home_in_front_moves_the_targets_of_jumps)
{
        struct mission_plan plan = plan_of(2);
        struct mavlink_mission m;
        struct mavlink_mission_item_int item;

        items[1] = (struct mission_item){ .command = MISSION_JUMP,
                                          .frame = MISSION_FRAME_NONE,
                                          .param = { 1, 3 } };
        m = begin(&plan, mavlink_mission_ardupilot);
        mavlink_mission_item(&m, 0, 0, &item);
        ck_assert_int_eq(item.x, 470707000);
        mavlink_mission_item(&m, 0, 2, &item);
        ck_assert_uint_eq(item.command, MISSION_JUMP);
        ck_assert_double_eq((double)item.param1, 1.0);
        m = begin(&plan, mavlink_mission_px4);
        mavlink_mission_item(&m, 0, 1, &item);
        ck_assert_double_eq((double)item.param1, 0.0);
}

TEST(who_asks_without_end_is_told_off_and_strangers_are_not_heard)
{
        struct mission_plan plan = plan_of(2);
        struct mavlink_mission m = begin(&plan, mavlink_mission_px4);
        struct mavlink_mission_request ask = { 0, 255, 190, 0 };
        struct mavlink_mission_ack no = { 255, 190, 4, 0, 0 };
        struct mavlink_mission_words say;

        say_to(&m, 7, MAVLINK_MISSION_ACK, &no);
        no.target_system = 9;
        say_to(&m, 1, MAVLINK_MISSION_ACK, &no);
        no.target_system = 255;
        no.mission_type = 1;
        say_to(&m, 1, MAVLINK_MISSION_ACK, &no);
        ck_assert_int_eq(m.progress.transfer, MISSION_SENDING);
        for (int i = 0; i < 10000; i++) {
                say_to(&m, 1, MAVLINK_MISSION_REQUEST_INT, &ask);
                mavlink_mission_poll(&m, i * MS, &say);
        }
        ck_assert_int_eq(m.progress.transfer, MISSION_FAILED);
        ck_assert_ptr_nonnull(strstr(m.progress.why, "without end"));
}

TEST(what_is_reached_is_told_once_and_counts_from_the_plans_first)
{
        struct mission_plan plan = plan_of(2);
        struct mavlink_mission m;
        struct mavlink_mission_item_reached reached = { 2 };
        struct mavlink_mission_current current = { .seq = 2 };

        reset(1, 0);
        m = begin(&plan, mavlink_mission_ardupilot);
        ck_assert_int_eq(transfer(&m).transfer, MISSION_HELD);
        say_to(&m, 1, MAVLINK_MISSION_CURRENT, &current);
        ck_assert_int_eq(m.progress.current, 1);
        say_to(&m, 1, MAVLINK_MISSION_ITEM_REACHED, &reached);
        ck_assert_int_eq(m.progress.reached, 1);
        reached.seq = 3;
        say_to(&m, 1, MAVLINK_MISSION_ITEM_REACHED, &reached);
        ck_assert_int_eq(m.progress.reached, 1);
        mavlink_mission_restart(&m);
        ck_assert_int_eq(m.progress.reached, -1);
        ck_assert_int_eq(transfer(&m).transfer, MISSION_HELD);
}
