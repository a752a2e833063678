/* A fleet in a summary: of each metric the least, the median and the most, each with its vehicle; and which vehicles are
 * the worst, the median and the best. */
#include <math.h>
#include <string.h>

#include "hil/summary/summary.h"
#include "hil/text/terminal.h"

/* The vehicles that have a value of a metric, by rising value; of equal ones the first vehicle first. */
struct ranking {
        int count;
        int vehicle[VEHICLES_MAX];
        double value[VEHICLES_MAX];
};

static void rank_by_metric(struct ranking *r, const struct rig *rig, enum metric m)
{
        r->count = 0;
        for (int i = 0; i < rig->config->vehicles; i++) {
                double value = metrics_value(&rig->vehicle[i].metrics, m);
                int at = r->count;

                if (!isfinite(value))
                        continue;
                for (; at > 0 && r->value[at - 1] > value; at--) {
                        r->value[at] = r->value[at - 1];
                        r->vehicle[at] = r->vehicle[at - 1];
                }
                r->value[at] = value;
                r->vehicle[at] = i;
                r->count++;
        }
}

static bool is_less_better(enum metric m)
{
        return strcmp(metric_info[m].better, "less") == 0;
}

/* It tells vehicles apart, and which of them is better. */
static bool ranks_vehicles(const struct ranking *r, enum metric m)
{
        return is_less_better(m) && m != METRIC_MISSED && r->count > 1 &&
               r->value[0] < r->value[r->count - 1];
}

/* Of an even number the lower one: it is somebody's. */
static int middle_of(const struct ranking *r)
{
        return (r->count - 1) / 2;
}

static void add_ranked(struct json *to, const char *key, const struct rig *rig,
                       const struct ranking *r, int rank)
{
        struct json *o = json_add_object(to, key);

        json_add_string(o, "vehicle", rig->config->vehicle[r->vehicle[rank]].name);
        json_add_number(o, "value", r->value[rank]);
}

static void add_metric(struct json *list, const struct rig *rig, const struct ranking *r,
                       enum metric m)
{
        struct json *o = json_add_object(list, NULL);

        json_add_string(o, "name", metric_info[m].name);
        json_add_string(o, "unit", metric_info[m].unit);
        json_add_string(o, "better", metric_info[m].better);
        json_add_i64(o, "vehicles", r->count);
        add_ranked(o, "least", rig, r, 0);
        add_ranked(o, "median", rig, r, middle_of(r));
        add_ranked(o, "most", rig, r, r->count - 1);
}

void summary_fleet_json(struct json *parent, const struct rig *rig)
{
        struct json *fleet, *list;
        struct ranking r;

        if (!config_is_fleet(rig->config))
                return;
        fleet = json_add_object(parent, "fleet");
        for (enum metric m = 0; m < METRIC_COUNT; m++) {
                rank_by_metric(&r, rig, m);
                if (!ranks_vehicles(&r, m))
                        continue;
                json_add_string(fleet, "by", metric_info[m].name);
                json_add_i64(fleet, "worst", r.vehicle[r.count - 1]);
                json_add_i64(fleet, "median", r.vehicle[middle_of(&r)]);
                json_add_i64(fleet, "best", r.vehicle[0]);
                break;
        }
        list = json_add_array(fleet, "metrics");
        for (enum metric m = 0; m < METRIC_COUNT; m++) {
                rank_by_metric(&r, rig, m);
                if (r.count > 0)
                        add_metric(list, rig, &r, m);
        }
}

void summary_fleet_print(FILE *out, const struct rig *rig)
{
        struct ranking r;
        int all = rig->config->vehicles;
        bool headed = false;

        for (enum metric m = 0; config_is_fleet(rig->config) && m < METRIC_COUNT; m++) {
                const struct metric_info *info = &metric_info[m];

                rank_by_metric(&r, rig, m);
                if (!ranks_vehicles(&r, m))
                        continue;
                if (!headed)
                        fprintf(out, "\n  %d vehicles\n", all);
                headed = true;
                terminal_print(out, "  %-22s worst %.4g%s%s (%s), median %.4g (%s)",
                               info->name, r.value[r.count - 1],
                               info->unit[0] != '\0' ? " " : "", info->unit,
                               rig->config->vehicle[r.vehicle[r.count - 1]].name,
                               r.value[middle_of(&r)],
                               rig->config->vehicle[r.vehicle[middle_of(&r)]].name);
                if (r.count < all)
                        fprintf(out, "; %d have none", all - r.count);
                fprintf(out, "\n");
        }
}

static bool says_the_same(const struct fc_port *a, const struct fc_port *b)
{
        return strcmp(a->report.name, b->report.name) == 0 &&
               strcmp(a->report.text, b->report.text) == 0 &&
               a->gravest.severity == b->gravest.severity &&
               strcmp(a->gravest.text, b->gravest.text) == 0;
}

static bool said_before(const struct rig *rig, int vehicle)
{
        for (int i = 0; i < vehicle; i++)
                if (says_the_same(&rig->vehicle[i].port, &rig->vehicle[vehicle].port))
                        return true;
        return false;
}

int summary_fleet_alike(const struct rig *rig, int vehicle)
{
        int alike = 0;

        if (said_before(rig, vehicle))
                return 0;
        for (int i = vehicle; i < rig->config->vehicles; i++)
                alike +=
                        says_the_same(&rig->vehicle[i].port, &rig->vehicle[vehicle].port);
        return alike;
}
