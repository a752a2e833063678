#include "hil/calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "hil/text/json.h"
#include "hil/text/terminal.h"

/* Paparazzi counts accelerations in 1/1024 m/s^2 (INT32_ACCEL_FRAC 10). */
#define PAPARAZZI_PER_MPS2 1024.0

static const char *const axis[3] = { "x", "y", "z" };

/* What a register says that should say 0, and what one count of it is worth. */
static double neutral_lsb(const struct calibration_result *r, int i)
{
        return r->fit.bias_mps2[i] / r->lsb_mps2;
}

static double sensitivity(const struct calibration_result *r, int i)
{
        return PAPARAZZI_PER_MPS2 * r->lsb_mps2 / r->fit.scale[i];
}

static void print_text(FILE *out, const struct calibration_result *r)
{
        const struct calibration *c = &r->fit;

        terminal_print(out,
                       "accelerometer of vehicle %d (%s): %d still half seconds in %d "
                       "positions, "
                       "gravity %.7g m/s^2\n\n",
                       r->vehicle, r->name, c->windows, r->positions, r->gravity_mps2);
        fprintf(out, "  axis   bias m/s^2              scale\n");
        for (int i = 0; i < 3; i++)
                fprintf(out, "  %s      %+8.5f +- %.5f     %.6f +- %.6f\n", axis[i],
                        c->bias_mps2[i], c->bias_se_mps2[i], c->scale[i], c->scale_se[i]);
        fprintf(out,
                "\n  truth = (reading - bias) / scale\n"
                "  |a| - g: %.3g m/s^2 rms before, %.3g m/s^2 after\n\n",
                c->before_mps2, c->after_mps2);
        fprintf(out, "Paparazzi, of readings in LSB of %.6g m/s^2:\n\n", r->lsb_mps2);
        for (int i = 0; i < 3; i++)
                fprintf(out, "  <define name=\"ACCEL_%c_NEUTRAL\" value=\"%.0f\"/>\n",
                        'X' + i, neutral_lsb(r, i));
        for (int i = 0; i < 3; i++)
                fprintf(out,
                        "  <define name=\"ACCEL_%c_SENS\" value=\"%.6f\" "
                        "integer=\"16\"/>\n",
                        'X' + i, sensitivity(r, i));
}

static struct json *to_json(const struct calibration_result *r)
{
        const struct calibration *c = &r->fit;
        struct json *root = json_new_object(), *list;

        json_add_i64(root, "vehicle", r->vehicle);
        json_add_string(root, "name", r->name);
        json_add_number(root, "gravity_mps2", r->gravity_mps2);
        json_add_number(root, "lsb_mps2", r->lsb_mps2);
        json_add_i64(root, "windows", c->windows);
        json_add_i64(root, "positions", r->positions);
        json_add_number(root, "residual_before_mps2", c->before_mps2);
        json_add_number(root, "residual_after_mps2", c->after_mps2);
        list = json_add_array(root, "axes");
        for (int i = 0; i < 3; i++) {
                struct json *a = json_add_object(list, NULL);

                json_add_string(a, "axis", axis[i]);
                json_add_number(a, "bias_mps2", c->bias_mps2[i]);
                json_add_number(a, "bias_se_mps2", c->bias_se_mps2[i]);
                json_add_number(a, "scale", c->scale[i]);
                json_add_number(a, "scale_se", c->scale_se[i]);
                json_add_number(a, "neutral_lsb", neutral_lsb(r, i));
                json_add_number(a, "paparazzi_sens", sensitivity(r, i));
        }
        return root;
}

bool calibrate_print(FILE *out, const struct calibration_result *r, bool json)
{
        if (json) {
                struct json *root = to_json(r);
                char *text = json_print(root);
                bool ok = text != NULL && fputs(text, out) >= 0;

                free(text);
                json_free(root);
                return ok && fflush(out) == 0;
        }
        print_text(out, r);
        return fflush(out) == 0 && !ferror(out);
}
