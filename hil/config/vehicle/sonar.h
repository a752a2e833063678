/* The sonars of a vehicle file: one under the key "sonar", and a list under "sonars" whose entries are
 * single units or rings of them. */
#ifndef HIL_CONFIG_VEHICLE_SONAR_H
#define HIL_CONFIG_VEHICLE_SONAR_H

#include "hil/config/axes.h"

struct sonar_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m, axis;
        double opening_rad;
        int rays;
        double beam_max_m, incidence_max_rad;
        double margin_db, absorption_dbpm, assumed_mps;
        bool crosstalk, crosstalk_given;
        struct scalar_file range;
        struct {
                int count; /* 0: a single unit */
                double radius_m;
                bool stagger;
        } ring;
};

struct sonars_file {
        struct sonar_file first; /* of the key "sonar" */
        int listed;
        struct sonar_file list[SONARS_MAX];
};

extern const struct config_table config_sonar_part_table;
extern const struct config_table config_sonar_table;
extern const struct config_table config_sonar_listed_table;

/* Units in the order of the files: "sonar", then the list. node is the object that holds both keys. */
bool config_build_sonars(struct sonar_params *p, const struct sonars_file *file,
                         const struct json *node, struct config_error *why);

#endif
