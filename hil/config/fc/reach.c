/* What reaches a vehicle's firmware: by the frames of its codec, and by the devices at its ports. */
#include "hil/config/fc/reach.h"

#include <stdio.h>
#include <string.h>

static const char *const sample_names[CODEC_SAMPLES] = {
        [SAMPLE_ACCEL] = "accel",       [SAMPLE_GYRO] = "gyro",
        [SAMPLE_GPS] = "gps",           [SAMPLE_BARO] = "baro",
        [SAMPLE_MAG] = "mag",           [SAMPLE_SONAR] = "sonar",
        [SAMPLE_FLOW] = "flow",         [SAMPLE_VOLTAGE] = "voltage",
        [SAMPLE_CURRENT] = "current",   [SAMPLE_INS] = "ins",
        [SAMPLE_RELATIVE] = "relative",
};

/* What needs a vector's length has CARRIES_DIRECTION among its needs. */
static bool carries(const struct codec_carries *c, const struct reach *r)
{
        return ((c->of[r->sample] ^ CARRIES_DIRECTION) & r->needs) == r->needs;
}

const struct device_ops *reach_device(const char *name)
{
        const struct device_ops *const *d = device_all();

        while (*d != NULL && strcmp((*d)->name, name) != 0)
                d++;
        return *d;
}

static bool reach_by_codec(const struct fc_config *fc, const struct reach *r)
{
        const struct codec_carries *c = codec_carries(codec_find(fc->codec), fc->dialect);

        return carries(c, r) && (r->sample != SAMPLE_SONAR || r->sonar < c->sonars);
}

bool reach_firmware(const struct vehicle_config *v, const struct reach *r)
{
        /* What a twin's sonars see goes back to the real aircraft. */
        bool reached =
                config_has_fc(v) ? reach_by_codec(&v->fc, r) : r->sample == SAMPLE_SONAR;

        for (int i = 0; i < v->ports && !reached; i++) {
                const struct device_ops *d = reach_device(v->port[i].device);

                reached = d != NULL && carries(&d->carries, r) &&
                          (r->sample != SAMPLE_SONAR || r->sonar < 0 ||
                           r->sonar == v->port[i].sonar);
        }
        return reached;
}

int reach_channels(const struct vehicle_config *v)
{
        int most = config_has_fc(v)
                           ? codec_carries(codec_find(v->fc.codec), v->fc.dialect)->rc
                           : 0;

        for (int i = 0; i < v->ports; i++) {
                const struct device_ops *d = reach_device(v->port[i].device);

                if (d != NULL && d->carries.rc > most)
                        most = d->carries.rc;
        }
        return most;
}

bool reach_has_receiver(const struct vehicle_config *v)
{
        for (int i = 0; i < v->ports; i++) {
                const struct device_ops *d = reach_device(v->port[i].device);

                if (d != NULL && d->carries.rc > 0)
                        return true;
        }
        return false;
}

uint32_t reach_external(const struct vehicle_config *v)
{
        static const struct {
                enum codec_sample sample;
                enum sensor kind;
        } kinds[] = { { SAMPLE_ACCEL, SENSOR_IMU },
                      { SAMPLE_BARO, SENSOR_BARO },
                      { SAMPLE_MAG, SENSOR_MAG } };
        uint32_t found = 0;

        for (int i = 0; i < v->ports; i++) {
                const struct device_ops *d = reach_device(v->port[i].device);

                for (size_t k = 0; d != NULL && k < sizeof kinds / sizeof kinds[0]; k++)
                        if (d->carries.of[kinds[k].sample] & CARRIES_VALUE)
                                found |= SENSOR_BIT(kinds[k].kind);
        }
        return found;
}

static void list_one(char *text, size_t cap, const char *before, const char *name)
{
        size_t used = strlen(text);

        snprintf(text + used, cap - used, "%s%s%s", used > 0 ? ", " : "", before, name);
}

void reach_alternatives(const struct fc_config *fc, const struct reach *r, char *text,
                        size_t cap)
{
        const struct codec_ops *ops = codec_find(fc->codec);

        text[0] = '\0';
        /* Firmware as shipped is not exchanged for one that is simulated. */
        for (int i = 0; ops->dialects != NULL && ops->dialects[i] != NULL &&
                        !codec_is_shipped(ops, fc->dialect);
             i++) {
                struct fc_config other = *fc;

                snprintf(other.dialect, sizeof other.dialect, "%s", ops->dialects[i]);
                if (reach_by_codec(&other, r))
                        list_one(text, cap, "fc.dialect ", ops->dialects[i]);
        }
        for (const struct device_ops *const *d = device_all(); *d != NULL; d++)
                if (carries(&(*d)->carries, r))
                        list_one(text, cap, "", (*d)->name);
}

void reach_describe(const struct codec_carries *c, char *text, size_t cap)
{
        static const struct {
                enum codec_carry what;
                const char *word;
        } more[] = { { CARRIES_DIRECTION, "direction alone" },
                     { CARRIES_FIX, "fix" },
                     { CARRIES_TIME, "time" },
                     { CARRIES_NAN, "NaN" } };

        text[0] = '\0';
        for (int i = 0; i < CODEC_SAMPLES; i++) {
                char words[60] = "";

                if (c->of[i] == 0)
                        continue;
                if (i == SAMPLE_SONAR && c->sonars > 0)
                        snprintf(words, sizeof words, "%d", c->sonars);
                for (size_t k = 0; k < sizeof more / sizeof more[0]; k++)
                        if (c->of[i] & more[k].what)
                                list_one(words, sizeof words, "", more[k].word);
                list_one(text, cap, "", sample_names[i]);
                if (words[0] != '\0')
                        snprintf(text + strlen(text), cap - strlen(text), " (%s)", words);
        }
        if (c->rc > 0)
                snprintf(text + strlen(text), cap - strlen(text), "%s%d RC channels",
                         text[0] != '\0' ? ", " : "", c->rc);
        if (text[0] == '\0')
                snprintf(text, cap, "nothing");
}
