/* Any MAVLink messages to a mission that is being sent: it says at most one message a poll, counts inside its list, and
 * comes to an end. */
#include <assert.h>

#include "io/codec/mavlink_mission.h"
#include "tests/fuzz/fuzz.h"

static void check_state(const struct mavlink_mission *m)
{
        assert(m->step != MAVLINK_MISSION_OVER || !mavlink_mission_under_way(m));
        assert(m->progress.transfer != MISSION_FAILED || m->progress.why[0] != '\0');
        assert(m->progress.reached < 3 && m->progress.reached >= -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct mission_item item[3] = { { .command = MISSION_TAKEOFF, .frame = 3 },
                                        { .command = MISSION_JUMP, .frame = 2 },
                                        { .command = MISSION_LAND, .frame = 3 } };
        struct mission_plan plan = { .list = { { 3, item } } };
        const struct mavlink_sender own = { 2, 255, 190, 0 };
        struct mavlink_mission m;
        struct mavlink_mission_words say;
        int64_t t_ns = 0;

        mavlink_mission_begin(
                &m, &plan, size % 2 ? &mavlink_mission_px4 : &mavlink_mission_ardupilot,
                1, 1, &own);
        while (size >= 2) {
                struct mavlink_frame frame = { .version = 2,
                                               .system = 1,
                                               .component = 1 };
                size_t len = data[1] < size - 2 ? data[1] : size - 2;

                frame.id = data[0];
                frame.len = (uint8_t)len;
                memcpy(frame.payload, data + 2, len);
                data += len + 2;
                size -= len + 2;
                mavlink_mission_take(&m, &frame);
                check_state(&m);
                mavlink_mission_poll(&m, t_ns += 100000000, &say);
                check_state(&m);
        }
        for (int i = 0; i < 100000 && mavlink_mission_under_way(&m); i++)
                mavlink_mission_poll(&m, t_ns += 100000000, &say);
        assert(!mavlink_mission_under_way(&m));
        return 0;
}
