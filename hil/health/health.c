#include "hil/health/health.h"

#include <stdlib.h>
#include <string.h>

#include "hil/text/files.h"
#include "hil/time/stop_signals.h"

const struct health_figure_info health_figure_info[HEALTH_FIGURES] = {
        [HEALTH_GONE_S] = { "device_gone", "s", "none" },
        [HEALTH_BACK_S] = { "device_back", "s", "less" },
        [HEALTH_ANSWER_S] = { "first_answer", "s", "less" },
        [HEALTH_CHANGED] = { "parameters_changed", "", "less" },
        [HEALTH_P50_US] = { "link_p50", "us", "less" },
        [HEALTH_P99_US] = { "link_p99", "us", "less" },
        [HEALTH_P999_US] = { "link_p99_9", "us", "less" },
        [HEALTH_DRIFT_US] = { "link_drift", "us", "less" },
        [HEALTH_UNANSWERED] = { "link_unanswered", "", "less" },
        [HEALTH_CRC_ERRORS] = { "link_crc_errors", "", "less" },
        [HEALTH_LOST] = { "link_lost", "", "less" },
        [HEALTH_ODD] = { "link_odd", "", "less" },
        [HEALTH_DROPPED] = { "link_bytes_dropped", "", "less" },
        [HEALTH_FREE_BYTES] = { "storage_free", "bytes", "more" },
        [HEALTH_STORAGE_ERRORS] = { "storage_errors", "", "less" },
};

const char *const health_claim_name[HEALTH_CLAIMS] = {
        [HEALTH_RETURNS] = "goes and comes back",
        [HEALTH_USB] = "is the same USB device",
        [HEALTH_ANSWERS] = "says who it is",
        [HEALTH_PARAMETERS] = "keeps its parameters",
        [HEALTH_LINK] = "loses nothing on its link",
        [HEALTH_STORAGE] = "has no storage errors",
};

const char *health_is_name(enum health_is is)
{
        static const char *const name[] = { "not judged", "passed", "failed" };

        return name[is];
}

enum health_is health_sum(const struct health_boot *b)
{
        enum health_is sum = HEALTH_NOT_JUDGED;

        for (int i = 0; i < HEALTH_CLAIMS; i++)
                if (b->claim[i].is > sum)
                        sum = b->claim[i].is;
        return sum;
}

void health_boot_folder(const struct health *h, int i, char *path, size_t cap)
{
        snprintf(path, cap, "%.500s/%s/boot/%d-1", h->options.out, h->board->name, i + 1);
}

/* Results that are there are somebody's. */
static bool make_folder(const struct health *h, char *why, size_t cap)
{
        char path[700], made[700];

        health_boot_folder(h, 0, path, sizeof path);
        return run_folder_make(path, "", made, sizeof made, why, cap);
}

static bool go_on(struct health *h, char why[FARM_WHY_MAX])
{
        for (int i = 0; i < h->options.boots; i++) {
                h->interrupted = stop_signals_came(h->options.stop_fd);
                if (h->interrupted)
                        break;
                if (!health_boot(h, &h->boot[i], why))
                        return false;
                /* Half a boot is none. */
                h->interrupted = stop_signals_came(h->options.stop_fd);
                if (h->interrupted)
                        break;
                h->boots++;
                if (!health_leave_boot(h, i, why, FARM_WHY_MAX))
                        return false;
        }
        return health_leave_all(h, why, FARM_WHY_MAX);
}

bool health_run(struct health *h, const struct farm_board *board,
                const struct health_options *o, char why[FARM_WHY_MAX])
{
        *h = (struct health){ .board = board, .options = *o };
        h->boot = calloc((size_t)o->boots, sizeof *h->boot);
        if (h->boot == NULL) {
                snprintf(why, FARM_WHY_MAX, "out of memory");
                return false;
        }
        return farm_tools_are_there(board, why, FARM_WHY_MAX) &&
               make_folder(h, why, FARM_WHY_MAX) && health_before(h, why) &&
               go_on(h, why);
}

void health_free(struct health *h)
{
        free(h->boot);
        free(h->parameters);
        h->boot = NULL;
        h->parameters = NULL;
}
