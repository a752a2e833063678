/* Any bytes as NatNet's packets of any version and as VRPN's stream in any pieces: nothing outside them is read, and what
 * is found lies within them. The first byte chooses, the second is version or piece. */
#include <assert.h>

#include "io/twin/mocap.h"
#include "io/twin/natnet_packet.h"
#include "io/twin/vrpn_message.h"
#include "tests/fuzz/fuzz.h"

static void read_natnet(const uint8_t *data, size_t size, struct natnet_version version)
{
        struct natnet_server server;
        struct natnet_frame frame;
        int32_t id = 0;
        uint8_t *copy = malloc(size + 1);

        if (copy == NULL)
                return;
        memcpy(copy, data, size);
        if (natnet_read_server(copy, size, &server))
                assert(strlen(server.name) < sizeof server.name);
        if (natnet_read_frame(copy, size, version, 0, &frame))
                assert(frame.timed);
        natnet_find_body(copy, size, version, "Drone", &id);
        free(copy);
}

static void read_vrpn(const uint8_t *data, size_t size, size_t piece)
{
        static struct vrpn_stream stream;
        struct vrpn_message m;
        enum vrpn_found found = VRPN_NOTHING;
        double position[3], orientation[4];
        struct quat q;
        char name[16];
        int32_t sensor;

        stream.greeted = size % 2 == 1;
        stream.len = stream.read = 0;
        while (size > 0 && found != VRPN_BROKEN) {
                size_t room, len = piece < size ? piece : size;
                uint8_t *at = vrpn_stream_room(&stream, &room);

                if (len > room)
                        len = room;
                assert(len > 0);
                memcpy(at, data, len);
                vrpn_stream_add(&stream, len);
                data += len;
                size -= len;
                while ((found = vrpn_stream_next(&stream, &m)) == VRPN_MESSAGE) {
                        assert(m.body >= stream.bytes &&
                               m.body + m.len <= stream.bytes + stream.len);
                        if (vrpn_read_name(&m, name, sizeof name))
                                assert(strlen(name) < sizeof name);
                        if (vrpn_read_pose(&m, &sensor, position, orientation))
                                mocap_quat_to_ned(MOCAP_Z_UP, orientation, &q);
                        vrpn_read_velocity(&m, &sensor, position);
                }
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        static const struct natnet_version versions[] = { { 3, 0 }, { 4, 0 }, { 4, 1 } };

        if (size < 2)
                return 0;
        if (data[0] % 2 == 0)
                read_natnet(data + 2, size - 2, versions[data[1] % 3]);
        else
                read_vrpn(data + 2, size - 2, 1 + data[1]);
        return 0;
}
