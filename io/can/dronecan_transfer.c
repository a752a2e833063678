/* DroneCAN's transfers: split into CAN frames, and joined from those of many nodes at a time. A frame that is
 * lost costs its transfer, and no other. */
#include "io/can/dronecan.h"

#include <assert.h>
#include <string.h>

#include "io/le.h"

#define TAIL_FIRST  0x80
#define TAIL_LAST   0x40
#define TAIL_TOGGLE 0x20
#define TAIL_NUMBER 0x1F
#define FRAME_BYTES (CAN_DATA_MAX - 1) /* beside the tail */

const struct dronecan_type dronecan_types[DRONECAN_TYPES] = {
        [DRONECAN_NODE_STATUS] = { "uavcan.protocol.NodeStatus", 341, false,
                                   0x0F0868D0C1A7C6F1 },
        [DRONECAN_GET_NODE_INFO] = { "uavcan.protocol.GetNodeInfo", 1, true,
                                     0xEE468A8121C46A9E },
        [DRONECAN_ALLOCATION] = { "uavcan.protocol.dynamic_node_id.Allocation", 1, false,
                                  0x0B2A812620A11D40 },
        [DRONECAN_RAW_IMU] = { "uavcan.equipment.ahrs.RawIMU", 1003, false,
                               0x8280632C40E574B5 },
        [DRONECAN_MAG] = { "uavcan.equipment.ahrs.MagneticFieldStrength2", 1002, false,
                           0xB6AC0C442430297E },
        [DRONECAN_PRESSURE] = { "uavcan.equipment.air_data.StaticPressure", 1028, false,
                                0xCDC7C43412BDC89A },
        [DRONECAN_TEMPERATURE] = { "uavcan.equipment.air_data.StaticTemperature", 1029,
                                   false, 0x49272A6477D96271 },
        [DRONECAN_FIX2] = { "uavcan.equipment.gnss.Fix2", 1063, false,
                            0xCA41E7000F37435F },
        [DRONECAN_AUXILIARY] = { "uavcan.equipment.gnss.Auxiliary", 1061, false,
                                 0x9BE8BDC4C3DBBFD2 },
        [DRONECAN_RANGE] = { "uavcan.equipment.range_sensor.Measurement", 1050, false,
                             0x68FFFE70FC771952 },
        [DRONECAN_BATTERY] = { "uavcan.equipment.power.BatteryInfo", 1092, false,
                               0x249C26548A711966 },
        [DRONECAN_RAW_COMMAND] = { "uavcan.equipment.esc.RawCommand", 1030, false,
                                   0x217F5C87D7EC951D },
        [DRONECAN_ESC_STATUS] = { "uavcan.equipment.esc.Status", 1034, false,
                                  0xA9AF28AEA2FBB254 },
        [DRONECAN_ARMING_STATUS] = { "uavcan.equipment.safety.ArmingStatus", 1100, false,
                                     0x8700F375556A8003 },
};

/* -1: none of those above. */
static int dronecan_type_find(uint16_t id, bool service)
{
        for (int i = 0; i < DRONECAN_TYPES; i++)
                if (dronecan_types[i].id == id && dronecan_types[i].service == service)
                        return i;
        return -1;
}

static uint16_t begin_crc(int type)
{
        uint8_t signature[8];

        le_put_u64(signature, dronecan_types[type].signature);
        return can_crc(CAN_CRC_BEGIN, signature, sizeof signature);
}

static uint32_t frame_id(const struct dronecan_transfer *t)
{
        uint32_t id = (uint32_t)t->priority << 24 | t->source;
        uint32_t type = dronecan_types[t->type].id;

        if (t->kind == DRONECAN_MESSAGE)
                return id | type << 8;
        return id | type << 16 | (t->kind == DRONECAN_REQUEST ? 0x8000U : 0U) |
               (uint32_t)t->destination << 8 | 0x80;
}

int dronecan_split(const struct dronecan_transfer *t,
                   struct can_frame frames[DRONECAN_FRAMES_MAX])
{
        uint8_t bytes[2 + DRONECAN_PAYLOAD_MAX];
        bool single = t->len <= FRAME_BYTES;
        size_t skip = single ? 2 : 0, len = t->len + 2 - skip, used = 0;
        int count = 0;

        assert(t->len <= DRONECAN_PAYLOAD_MAX && t->source > 0);
        le_put_u16(bytes, can_crc(begin_crc(t->type), t->payload, t->len));
        memcpy(bytes + 2, t->payload, t->len);
        do {
                struct can_frame *f = &frames[count];
                size_t n = len - used < FRAME_BYTES ? len - used : FRAME_BYTES;
                unsigned tail = t->number & TAIL_NUMBER;

                *f = (struct can_frame){ .id = frame_id(t), .len = (uint8_t)(n + 1) };
                memcpy(f->data, bytes + skip + used, n);
                used += n;
                tail |= (count == 0 ? TAIL_FIRST : 0U) | (used == len ? TAIL_LAST : 0U) |
                        (count % 2 == 1 ? TAIL_TOGGLE : 0U);
                f->data[n] = (uint8_t)tail;
                count++;
        } while (used < len);
        return count;
}

/* False: not for this node, or of no known type. */
static bool read_id(const struct dronecan_reader *r, uint32_t id,
                    struct dronecan_transfer *t)
{
        uint16_t type = (uint16_t)(id >> 8);
        bool service = (id & 0x80) != 0;

        t->priority = id >> 24 & 31;
        t->source = id & 127;
        t->destination = service ? id >> 8 & 127 : 0;
        t->kind = DRONECAN_MESSAGE;
        if (service) {
                type = id >> 16 & 255;
                t->kind = (id & 0x8000) != 0 ? DRONECAN_REQUEST : DRONECAN_RESPONSE;
        } else if (t->source == 0) {
                type &= 3; /* the rest is a random discriminator */
        }
        t->type = dronecan_type_find(type, service);
        if (service && (t->source == 0 || r->node == 0 || t->destination != r->node))
                return false;
        return t->type >= 0;
}

static struct dronecan_join *find_join(struct dronecan_reader *r, uint32_t id)
{
        for (int i = 0; i < DRONECAN_JOINS_MAX; i++)
                if (r->join[i].busy && r->join[i].id == id)
                        return &r->join[i];
        return NULL;
}

/* A free one, or the oldest, which then is broken. */
static struct dronecan_join *take_join(struct dronecan_reader *r)
{
        struct dronecan_join *oldest = &r->join[0];

        for (int i = 0; i < DRONECAN_JOINS_MAX; i++) {
                if (!r->join[i].busy)
                        return &r->join[i];
                if (r->join[i].begun_ns < oldest->begun_ns)
                        oldest = &r->join[i];
        }
        r->counts.broken++;
        return oldest;
}

static bool read_single(struct dronecan_reader *r, const struct can_frame *f,
                        struct dronecan_transfer *t)
{
        if ((f->data[f->len - 1] & TAIL_TOGGLE) != 0) {
                r->counts.malformed++;
                return false;
        }
        t->len = f->len - 1U;
        memcpy(t->payload, f->data, t->len);
        r->counts.transfers++;
        return true;
}

static bool begin_join(struct dronecan_reader *r, const struct can_frame *f, int64_t t_ns)
{
        unsigned tail = f->data[f->len - 1];
        struct dronecan_join *j;

        if (f->len < CAN_DATA_MAX || (tail & TAIL_TOGGLE) != 0 || (f->id & 127) == 0) {
                r->counts.malformed++;
                return false;
        }
        j = take_join(r);
        *j = (struct dronecan_join){
                .busy = true,
                .id = f->id,
                .number = tail & TAIL_NUMBER,
                .toggle = true,
                .begun_ns = t_ns,
                .crc = le_get_u16(f->data),
                .len = FRAME_BYTES - 2,
        };
        memcpy(j->payload, f->data + 2, j->len);
        return false;
}

static bool drop_join(struct dronecan_reader *r, struct dronecan_join *j)
{
        j->busy = false;
        r->counts.broken++;
        return false;
}

static bool go_on(struct dronecan_reader *r, struct dronecan_join *j,
                  const struct can_frame *f, struct dronecan_transfer *t)
{
        unsigned tail = f->data[f->len - 1];
        size_t n = f->len - 1U;

        if ((tail & TAIL_NUMBER) != j->number)
                return drop_join(r, j);
        if (((tail & TAIL_TOGGLE) != 0) != j->toggle) {
                r->counts.repeated++;
                return false;
        }
        if (j->len + n > sizeof j->payload ||
            ((tail & TAIL_LAST) == 0 && f->len < CAN_DATA_MAX))
                return drop_join(r, j);
        memcpy(j->payload + j->len, f->data, n);
        j->len += n;
        j->toggle = !j->toggle;
        if ((tail & TAIL_LAST) == 0)
                return false;
        if (can_crc(begin_crc(t->type), j->payload, j->len) != j->crc)
                return drop_join(r, j);
        j->busy = false;
        t->len = j->len;
        memcpy(t->payload, j->payload, j->len);
        r->counts.transfers++;
        return true;
}

bool dronecan_read(struct dronecan_reader *r, const struct can_frame *frame, int64_t t_ns,
                   struct dronecan_transfer *out)
{
        struct dronecan_join *j = find_join(r, frame->id);
        unsigned tail;

        *out = (struct dronecan_transfer){ 0 };
        if (frame->len == 0 || frame->len > CAN_DATA_MAX) {
                r->counts.malformed++;
                return false;
        }
        if (!read_id(r, frame->id, out)) {
                r->counts.foreign++;
                return false;
        }
        tail = frame->data[frame->len - 1];
        out->number = tail & TAIL_NUMBER;
        if (j != NULL &&
            ((tail & TAIL_FIRST) != 0 || t_ns - j->begun_ns > DRONECAN_PATIENCE_NS)) {
                drop_join(r, j);
                j = NULL;
        }
        if ((tail & TAIL_FIRST) != 0 && (tail & TAIL_LAST) != 0)
                return read_single(r, frame, out);
        if ((tail & TAIL_FIRST) != 0)
                return begin_join(r, frame, t_ns);
        if (j == NULL) { /* its beginning was lost, or came before the rig */
                r->counts.broken += (tail & TAIL_LAST) != 0;
                return false;
        }
        return go_on(r, j, frame, out);
}
