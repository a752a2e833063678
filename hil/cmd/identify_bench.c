/* `hilrig identify --bench`: what to do on a bench, and what the tables of a thrust stand tell. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/identify.h"
#include "hil/stand/stand.h"

static bool read_tables(const struct identify_request *q, struct track *tables)
{
        struct flight_log_place place;

        for (int i = 0; i < q->logs; i++)
                if (!flight_log_place_parse(&place, q->log[i], q->why,
                                            CONFIG_ERROR_TEXT) ||
                    !track_read_sensors(&tables[i], &place, q->why, CONFIG_ERROR_TEXT))
                        return false;
        return true;
}

static bool find(const struct identify_request *q, const struct vehicle_params *start,
                 struct stand_result *r)
{
        struct track tables[STAND_TABLES] = { { .motors = 0 } };
        char why[300];
        bool ok = read_tables(q, tables);

        if (ok && !stand_find(tables, q->logs, start, r, why, sizeof why)) {
                snprintf(q->why, CONFIG_ERROR_TEXT, "%s: %s", q->log[0], why);
                ok = false;
        }
        for (int i = 0; i < q->logs; i++)
                track_free(&tables[i]);
        return ok;
}

static bool tell(const struct identify_request *q, const struct stand_result *r)
{
        if (q->json)
                return identify_print_json(stand_json(r));
        stand_print(stdout, r);
        return true;
}

static bool write_new(const struct identify_request *q, const struct stand_result *r)
{
        char *full = identify_find_file(q, q->start);
        bool ok = full != NULL && identify_write_vehicle(q, stand_vehicle_file(r, full));

        free(full);
        return ok;
}

int identify_bench(const struct identify_request *q)
{
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct stand_result r;
        char *resolved = NULL;
        bool ok = rig != NULL;

        if (q->logs == 0) {
                free(rig);
                stand_print_plan(stdout);
                return 0;
        }
        if (q->start == NULL || q->logs > STAND_TABLES) {
                snprintf(q->why, CONFIG_ERROR_TEXT,
                         q->start == NULL ? "--bench with a table needs --vehicle with a "
                                            "vehicle file"
                                          : "--bench takes %d tables at most",
                         STAND_TABLES);
                ok = false;
        }
        ok = ok && identify_read_vehicle(q, q->start, rig, &resolved) &&
             find(q, &rig->vehicle[0].params, &r) && tell(q, &r) &&
             (q->out == NULL || write_new(q, &r));
        free(resolved);
        if (rig != NULL)
                config_free(rig);
        free(rig);
        return ok ? 0 : 2;
}
