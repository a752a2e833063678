/* What the rotors take from the battery says how its voltage sags between a log's samples: so samples are made anew with
 * each better guess of the rotors. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/sysid/sysid.h"

struct work {
        const struct sysid_search *of;
        struct vehicle_params supplied; /* whose battery and rotors the samples have */
        struct sysid_samples samples;
        struct sysid_model model;
        double guess[SYSID_PARAMETERS];
};

static void take_rotors(struct work *w)
{
        w->supplied = *w->of->start;
        for (int i = 0; i < w->supplied.rotors; i++) {
                sysid_motor(&w->supplied.motor[i], w->guess);
                w->supplied.rotor[i].thrust_n_per_radps2 *= w->guess[SYSID_THRUST];
                w->supplied.rotor[i].torque_nm_per_radps2 *= w->guess[SYSID_TORQUE];
        }
}

static bool sample(struct work *w, const struct vehicle_params *supplied, char *why,
                   size_t cap)
{
        sysid_samples_free(&w->samples);
        return sysid_samples_make(&w->samples, w->of->tracks, w->of->logs, supplied,
                                  w->of->air_density_kgpm3, w->of->output, why, cap);
}

static bool search(struct work *w, struct sysid_result *r, char *why, size_t cap)
{
        if (!sample(w, w->of->start, why, cap) ||
            !sysid_guess(&w->model, w->guess, why, cap))
                return false;
        take_rotors(w);
        if (!sample(w, &w->supplied, why, cap) ||
            !sysid_refine(&w->model, w->guess, why, cap))
                return false;
        take_rotors(w);
        return sample(w, &w->supplied, why, cap) &&
               sysid_identify(&w->model, w->guess, r, why, cap);
}

bool sysid_search(const struct sysid_search *of, struct sysid_result *r, int *wrong,
                  char *why, size_t cap)
{
        struct work *w = calloc(1, sizeof *w);
        bool ok = w != NULL;

        *wrong = 0;
        if (ok) {
                w->of = of;
                w->model = (struct sysid_model){ &w->samples, of->start, of->world,
                                                 of->air_density_kgpm3, 0 };
                ok = search(w, r, why, cap);
                *wrong = w->samples.wrong;
                sysid_samples_free(&w->samples);
        } else {
                snprintf(why, cap, "out of memory");
        }
        free(w);
        return ok;
}
