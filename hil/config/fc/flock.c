/* How the reference flight controller flies among others. */
#include "hil/config/fc/fc.h"

#define IN(member) AT(fc_file, params.flock.member)

static const struct config_field micklisch_fields[] = {
        { "separation_m", CONFIG_NUMBER, "Distance below which others repel, d_s.",
          ABOVE(0), AT_MOST(1000), .preset = "2.5", IN(micklisch.separation_m) },
        { "separation_m2ps", CONFIG_NUMBER, "How fast at 1 m, w_s.", BETWEEN(0, 1000),
          .preset = "1", IN(micklisch.separation_m2ps) },
        { "alignment", CONFIG_NUMBER,
          "Weight of the difference from the mean velocity, w_a.", BETWEEN(0, 10),
          .preset = "0.2", IN(micklisch.alignment) },
        { "cohesion_per_s", CONFIG_NUMBER,
          "Gain towards the centre of the neighbours, w_c.", BETWEEN(0, 100),
          .preset = "0.3", IN(micklisch.cohesion_per_s) },
        { "targeting_per_s", CONFIG_NUMBER,
          "Gain from that centre towards the target, w_t.", BETWEEN(0, 100),
          .preset = "0.4", IN(micklisch.targeting_per_s) },
        { "obstacle_m", CONFIG_NUMBER, "Distance below which obstacles repel, d_o.",
          ABOVE(0), AT_MOST(1000), .preset = "2", IN(micklisch.obstacle_m) },
        { "obstacle_m2ps", CONFIG_NUMBER, "How fast at 1 m, w_o.", BETWEEN(0, 1000),
          .preset = "1", IN(micklisch.obstacle_m2ps) },
        { "speed_max_mps", CONFIG_NUMBER, "Limit of each behaviour by itself.", ABOVE(0),
          AT_MOST(100), .preset = "1", IN(micklisch.speed_max_mps) },
        { NULL },
};

static const struct config_table micklisch_table = {
        .name = "fc_flock_micklisch",
        .about = "Separation, alignment, cohesion, targeting and informed avoidance "
                 "(Micklisch 8), for flock micklisch.",
        .field = micklisch_fields,
};

static const struct config_field olfati_saber_fields[] = {
        { "distance_m", CONFIG_NUMBER, "Spacing of the lattice, d.", ABOVE(0),
          AT_MOST(1000), .preset = "2", IN(olfati_saber.distance_m) },
        { "range_ratio", CONFIG_NUMBER, "Range of interaction over spacing, r/d.",
          ABOVE(1), AT_MOST(10), .preset = "1.2", IN(olfati_saber.range_ratio) },
        { "epsilon", CONFIG_NUMBER, "Parameter of the sigma norm.", ABOVE(0), AT_MOST(1),
          .preset = "0.1", IN(olfati_saber.epsilon) },
        { "a", CONFIG_NUMBER, "Parameter a of the action function; at most b.", ABOVE(0),
          AT_MOST(1000), .preset = "5", IN(olfati_saber.a) },
        { "b", CONFIG_NUMBER, "Parameter b of the action function.", ABOVE(0),
          AT_MOST(1000), .preset = "5", IN(olfati_saber.b) },
        { "h", CONFIG_NUMBER, "Parameter of the bump function.", AT_LEAST(0), BELOW(1),
          .preset = "0.2", IN(olfati_saber.h) },
        { "c1_per_s2", CONFIG_NUMBER, "Gain towards the leader's position.",
          BETWEEN(0, 100), .preset = "1", IN(olfati_saber.c1_per_s2) },
        { "c2_per_s", CONFIG_NUMBER, "Gain towards the leader's velocity.",
          BETWEEN(0, 100), .preset = "2", IN(olfati_saber.c2_per_s) },
        { "informed", CONFIG_BOOL, "It knows of the leader, h_i.", .preset = "true",
          IN(olfati_saber.informed) },
        { "accel_max_mps2", CONFIG_NUMBER, "Limit of what the law asks for.", ABOVE(0),
          AT_MOST(100), .preset = "2", IN(olfati_saber.accel_max_mps2) },
        { NULL },
};

static const struct config_table olfati_saber_table = {
        .name = "fc_flock_olfati_saber",
        .about = "A lattice with a virtual leader at the target (Olfati-Saber 2006; Su, "
                 "Wang and Lin 2009), for flock olfati_saber.",
        .field = olfati_saber_fields,
};

static const struct config_field vasarhelyi_fields[] = {
        { "speed_mps", CONFIG_NUMBER,
          "Cruise speed of its own, v_flock; 0: it is drawn to the target instead.",
          BETWEEN(0, 100), .preset = "1", IN(vasarhelyi.speed_mps) },
        { "repulsion_m", CONFIG_NUMBER, "Distance below which others repel, r0_rep.",
          ABOVE(0), AT_MOST(1000), .preset = "3", IN(vasarhelyi.repulsion_m) },
        { "repulsion_per_s", CONFIG_NUMBER,
          "Gain of the repulsion over the missing distance, p_rep.", BETWEEN(0, 100),
          .preset = "0.6", IN(vasarhelyi.repulsion_per_s) },
        { "friction_m", CONFIG_NUMBER,
          "Distance within which velocities are matched, r0_frict.", BETWEEN(0, 1000),
          .preset = "6", IN(vasarhelyi.friction_m) },
        { "friction_per_s", CONFIG_NUMBER, "Gain of the braking curve, p_frict.",
          ABOVE(0), AT_MOST(100), .preset = "3.2", IN(vasarhelyi.friction_per_s) },
        { "friction_mps2", CONFIG_NUMBER, "Acceleration of the braking curve, a_frict.",
          ABOVE(0), AT_MOST(100), .preset = "4.16", IN(vasarhelyi.friction_mps2) },
        { "friction_gain", CONFIG_NUMBER, "Gain of the velocity matching, C_frict.",
          BETWEEN(0, 10), .preset = "0.05", IN(vasarhelyi.friction_gain) },
        { "friction_mps", CONFIG_NUMBER,
          "Velocity difference that is tolerated, v_frict.", BETWEEN(0, 100),
          .preset = "0.2", IN(vasarhelyi.friction_mps) },
        { "arena_m", CONFIG_NUMBER,
          "Half the side of a square arena around the target; 0: no walls.",
          BETWEEN(0, 10000), .preset = "0", IN(vasarhelyi.arena_m) },
        { "wall_m", CONFIG_NUMBER, "Distance from the wall at which it acts, r0_shill.",
          BETWEEN(0, 1000), .preset = "0.3", IN(vasarhelyi.wall_m) },
        { "wall_per_s", CONFIG_NUMBER, "Gain of the braking curve at walls, p_shill.",
          ABOVE(0), AT_MOST(100), .preset = "3.55", IN(vasarhelyi.wall_per_s) },
        { "wall_mps2", CONFIG_NUMBER,
          "Acceleration of the braking curve at walls, a_shill.", ABOVE(0), AT_MOST(100),
          .preset = "1", IN(vasarhelyi.wall_mps2) },
        { "wall_mps", CONFIG_NUMBER, "Speed of the shill agents, v_shill.",
          BETWEEN(0, 100), .preset = "2", IN(vasarhelyi.wall_mps) },
        { "cohesion_per_s", CONFIG_NUMBER,
          "Gain towards the target when it has no cruise speed; not in the paper.",
          BETWEEN(0, 100), .preset = "0.3", IN(vasarhelyi.cohesion_per_s) },
        { NULL },
};

static const struct config_table vasarhelyi_table = {
        .name = "fc_flock_vasarhelyi",
        .about = "Repulsion, friction and walls (Vasarhelyi and others 2018), for flock "
                 "vasarhelyi.",
        .field = vasarhelyi_fields,
};

static const struct config_field place_fields[] = {
        { "north", CONFIG_NUMBER, "m from the target.", BETWEEN(-10000, 10000),
          .preset = "0", AT(vec3, x) },
        { "east", CONFIG_NUMBER, "m from the target.", BETWEEN(-10000, 10000),
          .preset = "0", AT(vec3, y) },
        { "up", CONFIG_NUMBER, "m from the target.", BETWEEN(-10000, 10000),
          .scale = -1.0, .preset = "0", AT(vec3, z) },
        { NULL },
};

static const struct config_table place_table = {
        .name = "fc_flock_place",
        .about = "A place in a formation.",
        .field = place_fields,
};

static const struct config_field formation_fields[] = {
        { "places_m", CONFIG_OBJECTS, "In the order of the vehicles' numbers.",
          .table = &place_table, .size = FLOCK_PLACES_MAX, .stride = sizeof(struct vec3),
          .preset = "[]", IN(formation.place_ned_m),
          .count = offsetof(struct fc_file, params.flock.formation.places) },
        { "target_per_s", CONFIG_NUMBER, "Gain towards its own place.", BETWEEN(0, 100),
          .preset = "0.6", IN(formation.target_per_s) },
        { "speed_mps", CONFIG_NUMBER, "Fastest approach to it.", ABOVE(0), AT_MOST(100),
          .preset = "1", IN(formation.speed_mps) },
        { "lattice_per_s", CONFIG_NUMBER,
          "Gain towards the mean offset from its neighbours.", BETWEEN(0, 100),
          .preset = "0.6", IN(formation.lattice_per_s) },
        { NULL },
};

static const struct config_table formation_table = {
        .name = "fc_flock_formation",
        .about = "Places about the target, for flock formation.",
        .field = formation_fields,
};

static const struct config_field finken_fields[] = {
        { "near_m", CONFIG_NUMBER, "Distance below which an echo repels.", ABOVE(0),
          AT_MOST(100), .preset = "1.5", IN(finken.near_m) },
        { "push_per_s", CONFIG_NUMBER, "Gain over the missing distance.", BETWEEN(0, 100),
          .preset = "1", IN(finken.push_per_s) },
        { NULL },
};

static const struct config_table finken_table = {
        .name = "fc_flock_finken",
        .about = "Moves away from what the ring of sonars hears (FINken report 5.2), for "
                 "flock finken.",
        .field = finken_fields,
};

static const struct config_field flock_fields[] = {
        { "radius_m", CONFIG_NUMBER,
          "Others within this distance are neighbours (Micklisch 9).", ABOVE(0),
          AT_MOST(10000), .preset = "5", IN(radius_m) },
        { "silent_s", CONFIG_NUMBER,
          "A neighbour that is silent for longer is forgotten.", ABOVE(0), AT_MOST(60),
          .preset = "1", IN(silent_s) },
        { "period_s", CONFIG_NUMBER, "Period of its own message by radio.",
          BETWEEN(0.01, 60), .preset = "0.1", IN(period_s) },
        { "speed_max_mps", CONFIG_NUMBER, "Limit of what the law asks for.", ABOVE(0),
          AT_MOST(100), .preset = "1.5", IN(speed_max_mps) },
        { "level", CONFIG_BOOL,
          "The law moves it horizontally only; it flies at the target's height.",
          .preset = "true", IN(level) },
        { "safe_m", CONFIG_NUMBER,
          "It never flies nearer to another vehicle than this, whatever the law says; 0: "
          "no limit.",
          BETWEEN(0, 1000), .preset = "1", IN(safe_m) },
        { "safe_per_s", CONFIG_NUMBER, "How fast it may approach that distance.",
          ABOVE(0), AT_MOST(100), .preset = "1", IN(safe_per_s) },
        { "micklisch", CONFIG_OBJECT, "Five behaviours.", .table = &micklisch_table,
          .preset = "{}" },
        { "olfati_saber", CONFIG_OBJECT, "A lattice.", .table = &olfati_saber_table,
          .preset = "{}" },
        { "vasarhelyi", CONFIG_OBJECT, "Repulsion and friction.",
          .table = &vasarhelyi_table, .preset = "{}" },
        { "formation", CONFIG_OBJECT, "Places.", .table = &formation_table,
          .preset = "{}" },
        { "finken", CONFIG_OBJECT, "Sonars alone.", .table = &finken_table,
          .preset = "{}" },
        { NULL },
};

const struct config_table config_flock_table = {
        .name = "fc_flock",
        .about = "Flying among others that it hears by radio, or by its sonars.",
        .field = flock_fields,
};

#define OF(member) AT(fc_file, params.collective.member)

static const struct config_field collective_fields[] = {
        { "start_m", CONFIG_NUMBER,
          "Standard deviation of the place where it takes off, in each axis.", ABOVE(0),
          AT_MOST(100), .preset = "0.05", OF(start_m) },
        { "drift_mps2_rthz", CONFIG_NUMBER,
          "White acceleration by which dead reckoning errs.", ABOVE(0), AT_MOST(100),
          .preset = "0.02", OF(drift_mps2) },
        { "range_m", CONFIG_NUMBER, "Standard deviation of a distance.", ABOVE(0),
          AT_MOST(100), .preset = "0.1", OF(range_m) },
        { "gate", CONFIG_NUMBER,
          "A distance that is off by more standard deviations is rejected.", ABOVE(0),
          AT_MOST(1000), .preset = "4", OF(gate) },
        { NULL },
};

const struct config_table config_collective_table = {
        .name = "fc_collective",
        .about = "Position by dead reckoning and the distances to others, for navigation "
                 "collective.",
        .field = collective_fields,
};
