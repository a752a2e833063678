/* `hilrig identify --rest`: the errors of a vehicle's sensors from logs in which it stands still. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/identify.h"
#include "hil/rest/rest.h"

static bool refuse(const struct identify_request *q, int log, const char *why)
{
        snprintf(q->why, CONFIG_ERROR_TEXT, "%s: %s", q->log[log], why);
        return false;
}

static bool read_logs(const struct identify_request *q, struct track *tracks)
{
        struct flight_log_place place;
        char why[300];

        for (int i = 0; i < q->logs; i++) {
                if (!flight_log_place_parse(&place, q->log[i], q->why,
                                            CONFIG_ERROR_TEXT) ||
                    !track_read_sensors(&tracks[i], &place, q->why, CONFIG_ERROR_TEXT))
                        return false;
                if (q->until_s >= 0.0)
                        rest_cut(&tracks[i], q->until_s);
                if (!rest_is_still(&tracks[i], why, sizeof why))
                        return refuse(q, i, why);
        }
        return true;
}

static bool find(const struct identify_request *q, struct rest_result *r)
{
        struct track tracks[NOISE_RECORDS] = { { .motors = 0 } };
        const struct rest_known known = { q->level_deg };
        char why[300];
        bool ok = read_logs(q, tracks);

        if (ok && !rest_find(tracks, q->logs, &known, r, why, sizeof why))
                ok = refuse(q, 0, why);
        for (int i = 0; i < q->logs; i++)
                track_free(&tracks[i]);
        return ok;
}

static bool tell(const struct identify_request *q, const struct rest_result *r)
{
        if (q->json)
                return identify_print_json(rest_json(r));
        rest_print(stdout, r);
        return true;
}

static bool write_new(const struct identify_request *q, const struct rest_result *r)
{
        struct rig_config *rig = calloc(1, sizeof *rig);
        char *resolved = NULL, *full = identify_find_file(q, q->start);
        struct json *whole = NULL;
        struct json_error wrong;
        bool ok = rig != NULL && identify_read_vehicle(q, q->start, rig, &resolved);

        if (ok)
                whole = json_parse(resolved, strlen(resolved), NULL, &wrong);
        ok = ok && full != NULL && whole != NULL &&
             identify_write_vehicle(
                     q, rest_vehicle_file(r, full, json_at(whole, "vehicles.0.vehicle")));
        json_free(whole);
        free(resolved);
        free(full);
        if (rig != NULL)
                config_free(rig);
        free(rig);
        return ok;
}

int identify_rest(const struct identify_request *q)
{
        struct rest_result *r = calloc(1, sizeof *r);
        bool ok = r != NULL;

        if (q->logs == 0 || (q->out != NULL && q->start == NULL)) {
                snprintf(q->why, CONFIG_ERROR_TEXT,
                         q->logs == 0 ? "--rest needs a log"
                                      : "--out needs --vehicle with a vehicle file");
                ok = false;
        } else if (q->logs > NOISE_RECORDS) {
                snprintf(q->why, CONFIG_ERROR_TEXT, "--rest takes %d logs at most",
                         NOISE_RECORDS);
                ok = false;
        }
        ok = ok && find(q, r) && tell(q, r) && (q->out == NULL || write_new(q, r));
        free(r);
        return ok ? 0 : 2;
}
