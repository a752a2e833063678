/* Any readings at any times as an accelerometer's: what is said to be a calibration is finite, and
 * every window belongs to a position that there is. */
#include <math.h>

#include "hil/calibrate/calibrate.h"
#include "tests/fuzz/fuzz.h"

struct reading {
        uint16_t after_ms, times; /* as often, a millisecond apart */
        float a[3];
};

static void take(struct calibration_data *d, const uint8_t *data, size_t len)
{
        uint64_t t_us = 0;

        for (; len >= sizeof(struct reading);
             data += sizeof(struct reading), len -= sizeof(struct reading)) {
                struct reading r;

                memcpy(&r, data, sizeof r);
                t_us += 1000 * (uint64_t)r.after_ms;
                for (int i = 0; i <= r.times % 1024; i++, t_us += 1000) {
                        struct vec3 a = { (double)r.a[0], (double)r.a[1],
                                          (double)r.a[2] };

                        if (!calibration_add(d, t_us, a))
                                return;
                }
        }
}

static void check_fit(const struct calibration_data *d)
{
        struct calibration c;

        if (!calibration_fit(d, 9.80665, &c))
                return;
        for (int i = 0; i < 3; i++)
                if (!isfinite(c.bias_mps2[i]) || !isfinite(c.scale[i]) ||
                    !(c.scale[i] > 0.0) || !(c.bias_se_mps2[i] >= 0.0) ||
                    !(c.scale_se[i] >= 0.0))
                        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        struct calibration_data d = { 0 };
        int positions;

        take(&d, data, len);
        positions = calibration_find_positions(&d);
        for (int i = 0; i < d.count; i++)
                if (d.window[i].position < -1 || d.window[i].position >= positions)
                        abort();
        calibration_missing(&d);
        check_fit(&d);
        calibration_free(&d);
        return 0;
}
