/* A world's time, gravity and magnetic field. */
#include "hil/config/world/world.h"

#include <stdio.h>

#include "models/world/geomagnetism.h"
#include "models/world/gravity.h"

/* UTC has been 18 s behind GPS time since 2017 began; no further leap second is announced (IERS
 * Bulletin C). */
#define GPS_MINUS_UTC_S 18.0
#define YEAR_FIRST      2017
#define YEAR_LAST       2099
#define S_PER_DAY       86400.0

/* Five years from the model's epoch. */
#define WMM_YEARS 5.0

enum { GIVEN, MODELLED };

const char *const config_gravity_names[] = { "given", "wgs84", NULL };
static const char *const field_names[] = { "given", "wmm", NULL };

static const struct config_field field_fields[] = {
        { "model", CONFIG_CHOICE,
          "given: the keys below. wmm: of the World Magnetic Model 2025 at the origin "
          "and "
          "the time; the keys below are not used.",
          .names = field_names, .preset = "\"given\"",
          AT(earth_file, magnetic_field.model) },
        { "strength_ut", CONFIG_NUMBER, "Magnitude of the field.", BETWEEN(0, 1000),
          .scale = 1e-6, .preset = "48.6", AT(earth_file, magnetic_field.strength_t) },
        { "inclination_deg", CONFIG_NUMBER, "Below the horizon, positive downwards.",
          BETWEEN(-90, 90), .scale = RAD_PER_DEG, .preset = "63.6",
          AT(earth_file, magnetic_field.inclination_rad) },
        { "declination_deg", CONFIG_NUMBER, "Of magnetic from true north, east positive.",
          BETWEEN(-180, 180), .scale = RAD_PER_DEG, .preset = "4.6",
          AT(earth_file, magnetic_field.declination_rad) },
        { NULL },
};

const struct config_table config_magnetic_field_table = {
        .name = "magnetic_field",
        .about =
                "The earth's magnetic field. The defaults are those of southern Austria.",
        .field = field_fields,
};

struct date {
        int year, month, day, hour, minute, second;
};

static bool is_leap(int year)
{
        return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int month_days(int year, int month)
{
        static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

        return days[month - 1] + (month == 2 && is_leap(year));
}

static bool is_date(const struct date *d)
{
        return d->year >= YEAR_FIRST && d->year <= YEAR_LAST && d->month >= 1 &&
               d->month <= 12 && d->day >= 1 && d->day <= month_days(d->year, d->month) &&
               d->hour <= 23 && d->minute <= 59 && d->second <= 59;
}

static bool has_form(const char *text)
{
        static const char form[] = "####-##-##T##:##:##Z";
        size_t i;

        for (i = 0; form[i]; i++)
                if (form[i] == '#' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
                        return false;
        return text[i] == '\0';
}

static bool read_date(struct date *d, const char *text)
{
        return has_form(text) &&
               sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &d->year, &d->month, &d->day,
                      &d->hour, &d->minute, &d->second) == 6 &&
               is_date(d);
}

static int year_days(int year)
{
        return is_leap(year) ? 366 : 365;
}

static double s_into_year(const struct date *d)
{
        int days = d->day - 1;

        for (int month = 1; month < d->month; month++)
                days += month_days(d->year, month);
        return S_PER_DAY * days + d->hour * 3600 + d->minute * 60 + d->second;
}

static double decimal_year(const struct date *d)
{
        return d->year + s_into_year(d) / (S_PER_DAY * year_days(d->year));
}

/* GPS time began with 1980-01-06. */
static double gps_time_s(const struct date *d)
{
        int days = -5;

        for (int year = 1980; year < d->year; year++)
                days += year_days(year);
        return S_PER_DAY * days + s_into_year(d) + GPS_MINUS_UTC_S;
}

static bool build_field(struct world *world, const struct earth_file *file,
                        const struct earth_position *at, double year,
                        const struct json *node, struct config_error *why)
{
        double dip = file->magnetic_field.inclination_rad;
        double declination = file->magnetic_field.declination_rad;

        world->magnetic_field_ned_t =
                vec3_scale(file->magnetic_field.strength_t,
                           (struct vec3){ cos(dip) * cos(declination),
                                          cos(dip) * sin(declination), sin(dip) });
        if (file->magnetic_field.model == GIVEN)
                return true;
        if (year < geomagnetism_epoch_year || year >= geomagnetism_epoch_year + WMM_YEARS)
                return config_refuse_at(
                        why, node, "time_utc",
                        "must be from %.0f to %.0f with magnetic_field.model \"wmm\", is "
                        "\"%s\"",
                        geomagnetism_epoch_year,
                        geomagnetism_epoch_year + WMM_YEARS - 1.0, file->time_utc);
        world->magnetic_field_ned_t = geomagnetism_field_ned_t(*at, year);
        return true;
}

bool config_build_earth(struct world *world, const struct earth_file *file,
                        const struct json *node, struct config_error *why)
{
        struct earth_position at = { world->origin.lat_rad, world->origin.lon_rad,
                                     world->origin.height_m };
        struct date date;

        if (!read_date(&date, file->time_utc))
                return config_refuse_at(
                        why, node, "time_utc",
                        "must be a date and time such as \"2026-07-27T12:00:00Z\", from "
                        "%d to %d, is \"%s\"",
                        YEAR_FIRST, YEAR_LAST, file->time_utc);
        world->gps_time_s = gps_time_s(&date);
        world->gravity_per_m = 0.0;
        if (file->gravity_model == MODELLED) {
                world->gravity_mps2 = gravity_mps2(at.lat_rad, at.height_m);
                world->gravity_per_m = gravity_per_m(at.lat_rad, at.height_m);
        }
        return build_field(world, file, &at, decimal_year(&date), node, why);
}
