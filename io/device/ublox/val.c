/* CFG-VALSET, VALGET and VALDEL, CFG-CFG, and the saved configuration. Refuses transactions, and
 * flash memory, which M10 modules do not have. */
#include "io/device/ublox/ublox.h"

#include <string.h>

#include "io/le.h"

enum { LAYER_RAM = 1, LAYER_BBR = 2 };
enum { GET_RAM = 0, GET_BBR = 1, GET_DEFAULT = 7 };

#define HEAD     4 /* bytes before the keys */
#define KEYS_MAX 64 /* in one message */

static uint64_t get_value(const uint8_t *p, size_t size)
{
        uint64_t v = 0;

        for (size_t i = 0; i < size; i++)
                v |= (uint64_t)p[i] << 8 * i;
        return v;
}

static void save_item(struct ublox_config *c, int item, uint64_t value)
{
        c->saved[item] = value;
        c->is_saved[item] = true;
}

/* Reads every pair into value and marks them; false when one is unknown or cut off. */
static bool read_pairs(const struct ublox *u, const uint8_t *p, size_t len,
                       uint64_t value[UBLOX_ITEMS], bool set[UBLOX_ITEMS])
{
        for (int n = 0; len > 0; n++) {
                size_t size;
                int item;

                if (len < 4 || n == KEYS_MAX)
                        return false;
                size = ublox_key_size(le_get_u32(p));
                item = ublox_config_find(&u->config, le_get_u32(p));
                if (item < 0 || len < 4 + size)
                        return false;
                value[item] = get_value(p + 4, size);
                set[item] = true;
                p += 4 + size;
                len -= 4 + size;
        }
        return true;
}

/* A copy is checked first, so that an impossible message changes nothing. */
bool ublox_valset(struct ublox *u, const uint8_t *p, size_t len)
{
        bool set[UBLOX_ITEMS] = { false };
        struct ublox_config wanted = u->config;
        uint64_t value[UBLOX_ITEMS];

        if (len < HEAD || p[0] > 1 || (p[0] == 1 && p[2] != 0) ||
            (p[1] & (LAYER_RAM | LAYER_BBR)) == 0)
                return false;
        memcpy(value, u->config.value, sizeof value);
        if (!read_pairs(u, p + HEAD, len - HEAD, value, set) ||
            !ublox_config_change(&wanted, value))
                return false;
        for (int i = 0; i < UBLOX_ITEMS && (p[1] & LAYER_BBR) != 0; i++)
                if (set[i])
                        save_item(&u->config, i, value[i]);
        return (p[1] & LAYER_RAM) == 0 || ublox_change(u, value);
}

static bool is_in_layer(const struct ublox_config *c, int item, uint8_t layer)
{
        return layer != GET_BBR || c->is_saved[item];
}

static uint64_t value_in_layer(const struct ublox_config *c, int item, uint8_t layer)
{
        if (layer == GET_BBR)
                return c->saved[item];
        return layer == GET_DEFAULT ? ublox_config_default(c, item) : c->value[item];
}

/* An item number of all ones stands for every item of a group; so does a group's for every group. */
static bool asks_for(uint32_t asked, uint32_t key)
{
        if ((asked & 0xFFFF) != 0xFFFF)
                return asked == key;
        return (asked >> 16 & 0xFFF) == 0xFFF ||
               (asked >> 16 & 0xFFF) == (key >> 16 & 0xFF);
}

struct answer {
        uint8_t bytes[HEAD + KEYS_MAX * 12];
        size_t len;
        int keys, to_skip;
};

static void answer_item(struct answer *a, const struct ublox_config *c, int item,
                        uint8_t layer)
{
        uint32_t key = ublox_config_key(c, item);
        uint64_t v = value_in_layer(c, item, layer);

        if (a->to_skip > 0) {
                a->to_skip--;
                return;
        }
        if (a->keys == KEYS_MAX)
                return;
        le_put_u32(a->bytes + a->len, key);
        a->len += 4;
        for (size_t i = 0; i < ublox_key_size(key); i++)
                a->bytes[a->len++] = (uint8_t)(v >> 8 * i);
        a->keys++;
}

/* Returns how many items there are. */
static int answer_key(struct answer *a, const struct ublox_config *c, uint32_t asked,
                      uint8_t layer)
{
        int found = 0;

        for (int i = 0; i < UBLOX_ITEMS; i++) {
                uint32_t key = ublox_config_key(c, i);

                if (key != 0 && asks_for(asked, key) && is_in_layer(c, i, layer)) {
                        answer_item(a, c, i, layer);
                        found++;
                }
        }
        return found;
}

bool ublox_valget(struct ublox *u, const uint8_t *p, size_t len)
{
        struct answer a = { .bytes = { 1 }, .len = HEAD };

        if (len < HEAD + 4 || len % 4 != 0 || len > HEAD + 4 * KEYS_MAX || p[0] != 0 ||
            (p[1] != GET_RAM && p[1] != GET_BBR && p[1] != GET_DEFAULT))
                return false;
        a.bytes[1] = p[1];
        memcpy(a.bytes + 2, p + 2, 2);
        a.to_skip = le_get_u16(p + 2);
        for (size_t at = HEAD; at < len; at += 4)
                if (answer_key(&a, &u->config, le_get_u32(p + at), p[1]) == 0)
                        return false;
        ublox_reply(u, UBX_CFG, 0x8B, a.bytes, a.len);
        return true;
}

bool ublox_valdel(struct ublox *u, const uint8_t *p, size_t len)
{
        struct ublox_config *c = &u->config;

        if (len < HEAD || len % 4 != 0 || len > HEAD + 4 * KEYS_MAX || p[0] > 1 ||
            (p[0] == 1 && p[2] != 0) || (p[1] & LAYER_BBR) == 0)
                return false;
        for (size_t at = HEAD; at < len; at += 4)
                for (int i = 0; i < UBLOX_ITEMS; i++)
                        if (ublox_config_key(c, i) != 0 &&
                            asks_for(le_get_u32(p + at), ublox_config_key(c, i)))
                                c->is_saved[i] = false;
        return true;
}

void ublox_load(struct ublox *u)
{
        struct ublox_config *c = &u->config;
        uint64_t value[UBLOX_ITEMS];

        for (int i = 0; i < UBLOX_ITEMS; i++)
                value[i] = c->is_saved[i] ? c->saved[i] : ublox_config_default(c, i);
        /* Values that were saved one by one need not be possible together. */
        if (!ublox_change(u, value)) {
                for (int i = 0; i < UBLOX_ITEMS; i++)
                        value[i] = ublox_config_default(c, i);
                ublox_change(u, value);
        }
        ublox_reset_records(u);
}

/* Masks: clear, save, load. Their bits are not distinguished: any bit means everything. */
bool ublox_save(struct ublox *u, const uint8_t *p, size_t len)
{
        struct ublox_config *c = &u->config;

        if (len != 12 && len != 13)
                return false;
        if (le_get_u32(p) != 0)
                memset(c->is_saved, 0, sizeof c->is_saved);
        for (int i = 0; i < UBLOX_ITEMS && le_get_u32(p + 4) != 0; i++)
                save_item(c, i, c->value[i]);
        if (le_get_u32(p + 8) != 0)
                ublox_load(u);
        return true;
}
