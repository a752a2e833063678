#include "models/fc/law_option.h"

#include <string.h>

/* The index of a name, or `given` for none; -1: no such name. */
static int find(const char *const *names, const char *value, int given)
{
        if (value[0] == '\0')
                return given;
        for (int i = 0; names[i] != NULL; i++)
                if (strcmp(names[i], value) == 0)
                        return i;
        return -1;
}

static bool set_attitude(struct fc *fc, struct fc_params *p,
                         const struct fc_params *given, const char *value)
{
        int law = find(attitude_law_names, value, (int)given->law.attitude);

        if (law < 0 || !attitude_law_ready(p, (enum attitude_law)law))
                return false;
        if (p->law.attitude != (enum attitude_law)law)
                fc->attitude = (struct attitude_law_state){ 0 };
        p->law.attitude = (enum attitude_law)law;
        return true;
}

static bool set_position(struct fc *fc, struct fc_params *p,
                         const struct fc_params *given, const char *value)
{
        int law = find(position_law_names, value, (int)given->law.position);

        if (law < 0)
                return false;
        if (p->law.position != (enum position_law)law) {
                fc->position = (struct position){ 0 };
                fc->finken_target = (struct finken_target){ 0 };
        }
        p->law.position = (enum position_law)law;
        return true;
}

static bool set_height(struct fc *fc, struct fc_params *p, const struct fc_params *given,
                       const char *value)
{
        int law = find(height_law_names, value, (int)given->law.height);

        if (law < 0)
                return false;
        if (p->law.height != (enum height_law)law) {
                fc->altitude = (struct altitude){ 0 };
                fc->finken_height = (struct finken_height){ 0 };
        }
        p->law.height = (enum height_law)law;
        return true;
}

static bool set_takeoff(struct fc *fc, struct fc_params *p, const struct fc_params *given,
                        const char *value)
{
        int law = find(takeoff_law_names, value, (int)given->law.takeoff);

        (void)fc;
        if (law >= 0)
                p->law.takeoff = (enum takeoff_law)law;
        return law >= 0;
}

static bool set_landing(struct fc *fc, struct fc_params *p, const struct fc_params *given,
                        const char *value)
{
        int law = find(landing_law_names, value, (int)given->law.landing);

        (void)fc;
        if (law >= 0)
                p->law.landing = (enum landing_law)law;
        return law >= 0;
}

static bool set_avoidance(struct fc *fc, struct fc_params *p,
                          const struct fc_params *given, const char *value)
{
        int law = find(avoidance_law_names, value, (int)given->law.avoidance);

        (void)fc;
        if (law < 0 || (law != AVOIDANCE_OFF && p->sonar_ring.count == 0))
                return false;
        p->law.avoidance = (enum avoidance_law)law;
        return true;
}

static bool set_navigation(struct fc *fc, struct fc_params *p,
                           const struct fc_params *given, const char *value)
{
        int law = find(navigation_law_names, value, (int)given->law.navigation);

        (void)fc;
        if (law >= 0)
                p->law.navigation = (enum navigation_law)law;
        return law >= 0;
}

static bool set_ground(struct fc *fc, struct fc_params *p, const struct fc_params *given,
                       const char *value)
{
        int law = find(ground_law_names, value, (int)given->law.ground);

        (void)fc;
        if (law >= 0)
                p->law.ground = (enum ground_law)law;
        return law >= 0;
}

static bool set_flock(struct fc *fc, struct fc_params *p, const struct fc_params *given,
                      const char *value)
{
        int law = find(flock_law_names, value, (int)given->law.flock);

        if (law < 0 || (law == FLOCK_FINKEN && p->sonar_ring.count == 0) ||
            (law == FLOCK_FORMATION && p->flock.formation.places == 0))
                return false;
        if (p->law.flock != (enum flock_law)law)
                fc->way.flock = (struct flocking){ 0 };
        p->law.flock = (enum flock_law)law;
        return true;
}

const struct fc_option_row law_option_rows[] = {
        { "attitude_law", attitude_law_names, set_attitude },
        { "position_law", position_law_names, set_position },
        { "height_law", height_law_names, set_height },
        { "takeoff_law", takeoff_law_names, set_takeoff },
        { "landing_law", landing_law_names, set_landing },
        { "avoidance_law", avoidance_law_names, set_avoidance },
        { "navigation_law", navigation_law_names, set_navigation },
        { "ground_law", ground_law_names, set_ground },
        { "flock_law", flock_law_names, set_flock },
        { NULL, NULL, NULL },
};
