/* Lists of items, and what the formats have in common. */
#include "hil/mission/mission.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const mission_format_name[MISSION_FORMATS] = { "plan", "wpl", "mexo" };

int mission_format_find(const char *name)
{
        for (int i = 0; i < MISSION_FORMATS; i++)
                if (strcmp(name, mission_format_name[i]) == 0)
                        return i;
        return -1;
}

struct mission_item *mission_add(struct mission_plan *p, enum mission_list_kind list)
{
        struct mission_list *l = &p->list[list];
        struct mission_item *item = l->item;

        if (l->count == MISSION_ITEMS_MAX)
                return NULL;
        /* Room doubles at each power of two. */
        if ((l->count & (l->count - 1)) == 0)
                item = realloc(item,
                               (l->count ? 2 * (size_t)l->count : 1) * sizeof *item);
        if (item == NULL)
                return NULL;
        l->item = item;
        item += l->count++;
        *item = (struct mission_item){ .autocontinue = true };
        return item;
}

void mission_plan_free(struct mission_plan *p)
{
        for (int i = 0; i < MISSION_LISTS; i++)
                free(p->list[i].item);
        *p = (struct mission_plan){ 0 };
}

static bool read_format(struct mission_plan *p, const char *file, const char *text,
                        size_t len, struct mission_error *why)
{
        size_t at = 0;

        while (at < len && strchr(" \t\r\n", text[at]) != NULL)
                at++;
        if (at < len && text[at] == '{')
                return mission_read_plan(p, file, text, len, why);
        if (len - at >= 7 && memcmp(text + at, "QGC WPL", 7) == 0)
                return mission_read_wpl(p, file, text + at, len - at, why);
        if (mission_is_mexo(text + at, len - at))
                return mission_read_mexo(p, file, text, len, why);
        snprintf(why->text, sizeof why->text,
                 "%s: must begin with \"{\" (QGroundControl's .plan), \"QGC WPL 110\" or "
                 "a command line of MEXO",
                 file);
        return false;
}

static bool check_jumps(const struct mission_plan *p, const char *file,
                        struct mission_error *why)
{
        const struct mission_list *items = &p->list[MISSION_LIST_ITEMS];

        for (int i = 0; i < items->count; i++) {
                double to = items->item[i].param[0];

                if (items->item[i].command != MISSION_JUMP ||
                    (to >= 1.0 && to <= items->count && to == floor(to)))
                        continue;
                snprintf(why->text, sizeof why->text,
                         "%s: item %d (jump): must jump to an item, 1 to %d, is %g", file,
                         i + 1, items->count, to);
                return false;
        }
        return true;
}

bool mission_read(struct mission_plan *p, const char *file, const char *text, size_t len,
                  struct mission_error *why)
{
        *p = (struct mission_plan){ 0 };
        if (len > MISSION_BYTES_MAX) {
                snprintf(why->text, sizeof why->text, "%s: is larger than 4 MiB", file);
                return false;
        }
        return read_format(p, file, text, len, why) && check_jumps(p, file, why);
}

char *mission_write(const struct mission_plan *p, enum mission_format format,
                    struct mission_losses *losses)
{
        switch (format) {
        case MISSION_PLAN:
                return mission_write_plan(p, losses);
        case MISSION_WPL:
                return mission_write_wpl(p, losses);
        default:
                return mission_write_mexo(p, losses);
        }
}

void mission_lose(struct mission_losses *l, bool grave, const char *format, ...)
{
        va_list args;

        l->grave += grave;
        if (l->count++ >= MISSION_LOSSES_TOLD)
                return;
        va_start(args, format);
        vsnprintf(l->text[l->count - 1], sizeof l->text[0], format, args);
        va_end(args);
}

const char *mission_command_name(unsigned command)
{
        switch (command) {
        case MISSION_WAYPOINT:
                return "way-point";
        case MISSION_LOITER_UNLIMITED:
                return "loiter without end";
        case MISSION_LOITER_TURNS:
                return "loiter turns";
        case MISSION_LOITER_TIME:
                return "loiter time";
        case MISSION_RETURN:
                return "return";
        case MISSION_LAND:
                return "land";
        case MISSION_TAKEOFF:
                return "take-off";
        case MISSION_DELAY:
                return "delay";
        case MISSION_JUMP:
                return "jump";
        case MISSION_SPEED:
                return "speed";
        case MISSION_PICTURE:
                return "picture";
        default:
                return NULL;
        }
}

bool mission_has_place(const struct mission_item *item)
{
        switch (item->command) {
        case MISSION_WAYPOINT:
        case MISSION_LOITER_UNLIMITED:
        case MISSION_LOITER_TURNS:
        case MISSION_LOITER_TIME:
        case MISSION_LAND:
        case MISSION_TAKEOFF:
                return true;
        default:
                return false;
        }
}

bool mission_place_given(const struct mission_item *item)
{
        return isfinite(item->lat_deg) && isfinite(item->lon_deg) &&
               (item->lat_deg != 0.0 || item->lon_deg != 0.0);
}

double mission_param(const struct mission_item *item, int n)
{
        return isfinite(item->param[n]) ? item->param[n] : 0.0;
}
