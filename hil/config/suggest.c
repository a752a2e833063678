/* What was meant by a key that is not there: the same quantity in another unit, or a slip
 * of the finger. */
#include "hil/config/table.h"

#include <stdio.h>
#include <string.h>

#include "hil/text/spelling.h"

/* Suffixes of keys, and the unit in words. Some are no unit of ours: people write them.
 */
static const struct {
        const char *suffix, *unit;
} units[] = {
        { "n_per_radps2", "N/(rad/s)^2" },
        { "nm_per_radps2", "N m/(rad/s)^2" },
        { "nm_per_radps", "N m/(rad/s)" },
        { "nm_per_rad", "N m/rad" },
        { "nm_per_rads", "N m/(rad s)" },
        { "n_per_mps", "N/(m/s)" },
        { "per_s2", "1/s^2" },
        { "mps2_per_s", "(m/s^2)/s" },
        { "dps_per_s", "(degrees/s)/s" },
        { "m_per_s", "m/s" },
        { "pa_per_s", "Pa/s" },
        { "ut_per_s", "uT/s" },
        { "rad_per_s", "rad/s" },
        { "v_per_s", "V/s" },
        { "a_per_s", "A/s" },
        { "per_s", "1/s" },
        { "s", "s" },
        { "ms", "ms" },
        { "us", "us" },
        { "ns", "ns" },
        { "min", NULL },
        { "hz", "Hz" },
        { "khz", NULL },
        { "m", "m" },
        { "g_mm", "g mm" },
        { "mm", NULL },
        { "cm", NULL },
        { "km", NULL },
        { "m2", "m^2" },
        { "mps", "m/s" },
        { "kmph", NULL },
        { "mps2", "m/s^2" },
        { "g", "g (9.80665 m/s^2)" },
        { "mg", NULL },
        { "rad", "rad" },
        { "deg", "degrees" },
        { "radps", "rad/s" },
        { "dps", "degrees/s" },
        { "dps2", "degrees/s^2" },
        { "deg_per_m", "degrees/m" },
        { "deg_per_ms", "degrees/(m s)" },
        { "deg_per_mps", "degrees/(m/s)" },
        { "rpm", "rpm" },
        { "n", "N" },
        { "nm", "N m" },
        { "kg", "kg" },
        { "kgm2", "kg m^2" },
        { "kgpm3", "kg/m^3" },
        { "pa", "Pa" },
        { "hpa", "hPa" },
        { "mbar", NULL },
        { "k", "K" },
        { "degc", "degrees Celsius" },
        { "ut", "uT" },
        { "nt", NULL },
        { "t", NULL },
        { "gauss", NULL },
        { "percent", "%" },
        { "ratio", NULL },
        { "db", "dB" },
        { "db_per_m", "dB/m" },
        { "v", "V" },
        { "a", "A" },
        { "pa_per_k", "Pa/K" },
        { "percent_per_k", "%/K" },
        { "percent_per_m", "%/m" },
        { "percent_per_ms", "%/(m s)" },
        { "percent_per_mps", "%/(m/s)" },
        { "ut_per_k", "uT/K" },
        { "ut_per_a", "uT/A" },
        { "ut_rthz", "uT/sqrt(Hz)" },
        { "ug_rthz", "ug/sqrt(Hz)" },
        { "dps_rthz", "(degrees/s)/sqrt(Hz)" },
        { "mps3_rthz", "(m/s^3)/sqrt(Hz)" },
        { "dps2_rthz", "(degrees/s^2)/sqrt(Hz)" },
        { "mps2_per_k", "(m/s^2)/K" },
        { "dps_per_k", "(degrees/s)/K" },
        { "dps_per_g", "(degrees/s)/g" },
        { "per_k", "1/K" },
};

#define UNITS (sizeof(units) / sizeof(units[0]))

/* Length of the key without "_unit"; its whole length where it ends in no unit. The
 * longest suffix that fits wins. */
static size_t stem_len(const char *key, const char **unit)
{
        size_t len = strlen(key), stem = len;

        *unit = NULL;
        for (size_t i = 0; i < UNITS; i++) {
                size_t n = strlen(units[i].suffix);

                if (len > n + 1 && len - n - 1 < stem && key[len - n - 1] == '_' &&
                    strcmp(key + len - n, units[i].suffix) == 0) {
                        stem = len - n - 1;
                        *unit = units[i].unit;
                }
        }
        return stem;
}

const char *config_unit(const char *key)
{
        const char *unit;

        stem_len(key, &unit);
        return unit;
}

static const struct config_field *same_in_other_unit(const struct config_table *table,
                                                     const char *key)
{
        const char *unit;
        size_t stem = stem_len(key, &unit);

        for (const struct config_field *f = table->field; f->key; f++) {
                size_t n = stem_len(f->key, &unit);

                if (unit && n == stem && strncmp(f->key, key, n) == 0)
                        return f;
        }
        return NULL;
}

static const struct config_field *nearest_key(const struct config_table *table,
                                              const char *key)
{
        const struct config_field *best = NULL;
        int least = spelling_limit(key);

        for (const struct config_field *f = table->field; f->key; f++) {
                int d = spelling_distance(key, f->key);

                if (d < least) {
                        least = d;
                        best = f;
                }
        }
        return best;
}

void config_list_keys(const struct config_table *table, char *buf, size_t cap)
{
        size_t used = 0;

        buf[0] = '\0';
        for (const struct config_field *f = table->field; f->key && used < cap; f++)
                used += (size_t)snprintf(buf + used, cap - used, "%s%s",
                                         f == table->field ? "" : ", ", f->key);
}

/* One of the words that older files have for it. */
static bool was_called(const struct config_field *f, const char *key)
{
        size_t len = strlen(key);

        for (const char *word = f->was; word && *word; word += strspn(word, " ")) {
                size_t n = strcspn(word, " ");

                if (n == len && strncmp(word, key, n) == 0)
                        return true;
                word += n;
        }
        return false;
}

static const struct config_field *renamed_key(const struct config_table *table,
                                              const char *key)
{
        for (const struct config_field *f = table->field; f->key; f++)
                if (was_called(f, key))
                        return f;
        return NULL;
}

static void describe_renamed(const struct config_field *f, char *buf, size_t cap)
{
        char keys[120];

        if (f->type == CONFIG_OBJECT) {
                config_list_keys(f->table, keys, sizeof keys);
                snprintf(buf, cap, "is \"%s\" now, an object with %s", f->key, keys);
        } else {
                snprintf(buf, cap, "is \"%s\" now: %.*s", f->key,
                         (int)strlen(f->about) - 1, f->about);
        }
}

const struct config_field *config_suggested(const struct config_table *table,
                                            const char *key)
{
        const struct config_field *f = renamed_key(table, key);

        f = f ? f : same_in_other_unit(table, key);
        return f ? f : nearest_key(table, key);
}

void config_suggest(const struct config_table *table, const char *key, char *buf,
                    size_t cap)
{
        const struct config_field *f = renamed_key(table, key);
        int len;

        if (f) {
                describe_renamed(f, buf, cap);
                return;
        }
        f = same_in_other_unit(table, key);
        if (f) {
                snprintf(buf, cap,
                         "unknown key, did you mean \"%s\"? The unit here is %s", f->key,
                         config_unit(f->key));
                return;
        }
        f = nearest_key(table, key);
        if (f) {
                snprintf(buf, cap, "unknown key, did you mean \"%s\"?", f->key);
                return;
        }
        len = snprintf(buf, cap, "unknown key; known here: ");
        config_list_keys(table, buf + len, cap - (size_t)len);
}
