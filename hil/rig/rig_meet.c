/* Vehicles among each other: which are near, and what becomes of those that touch. A pair is found by sweeping from south
 * to north, so that many vehicles that are far apart cost little more each than two. */
#include "hil/rig/rig.h"

#include <math.h>

#include "models/plant/collision.h"
#include "models/vehicle/presence.h"

_Static_assert(VEHICLES_MAX - 1 <= NEIGHBOURS_MAX, "a vehicle may know of all others");

/* What vehicles may be moved by within a period, beyond their own speed: by being parted from others. */
#define MARGIN_M 1.0

static double north_m(const struct rig_vehicle *vehicle, int rank)
{
        return vehicle[vehicle[rank].by_north].vehicle.body.pos_ned_m.x;
}

static void sort_by_north(struct rig_vehicle *vehicle, int count)
{
        int by_north[VEHICLES_MAX];
        double at_m[VEHICLES_MAX] = { 0.0 };

        for (int i = 0; i < count; i++) {
                by_north[i] = vehicle[i].by_north;
                at_m[i] = vehicle[i].vehicle.body.pos_ned_m.x;
        }
        presence_order(by_north, at_m, count);
        for (int i = 0; i < count; i++)
                vehicle[i].by_north = by_north[i];
}

/* How far its sensors notice others. */
static double noticing_m(const struct sensors_params *sensors)
{
        const struct relative_params *relative = &sensors->relative;
        const struct sonar_params *sonar = &sensors->sonar;
        double far_m = 0.0;

        if (relative->schedule.period_ns > 0)
                far_m = relative->reach_m + vec3_norm(relative->lever_arm_body_m);
        for (int i = 0; i < sonar->count; i++)
                far_m = fmax(far_m, sonar->unit[i].beam_max_m +
                                            vec3_norm(sonar->unit[i].lever_arm_body_m));
        return far_m;
}

static void measure(struct rig_vehicle *v, const struct rig_config *config)
{
        double speed_mps = vec3_norm(v->vehicle.body.vel_ned_mps);

        vehicle_presence(&v->presence, &v->vehicle, &v->params, &config->world,
                         config->wash);
        v->others.count = 0;
        v->met_mps = 0.0;
        v->radius_m = v->params.shape.radius_m;
        v->reach_m = fmax(v->radius_m, noticing_m(&v->params.sensors)) +
                     speed_mps * (double)config->period_ns * 1e-9 + MARGIN_M;
        v->wash_m = wash_reach_m(&v->presence.wash);
}

/* In the order of their numbers, whatever way they were found in. */
static void learn_of(struct rig_vehicle *v, const struct rig_vehicle *other, int index)
{
        struct neighbours *others = &v->others;
        int at = others->count++;

        for (; at > 0 && others->at[at - 1].index > index; at--)
                others->at[at] = others->at[at - 1];
        others->at[at] = (struct neighbour){ other->vehicle.body.pos_ned_m,
                                             other->radius_m, index, &other->presence };
}

static bool is_away(const struct rig_vehicle *v)
{
        return v->twin != NULL && twin_is_away(v->twin, v->vehicle.t_ns);
}

/* Seen from above: that one may hear, touch or blow at the other. */
static bool near_each_other(const struct rig_vehicle *a, const struct rig_vehicle *b)
{
        struct vec3 way = vec3_sub(a->vehicle.body.pos_ned_m, b->vehicle.body.pos_ned_m);
        double near_m = fmax(a->reach_m + b->reach_m,
                             fmax(a->wash_m + b->radius_m, b->wash_m + a->radius_m));

        if (is_away(a) || is_away(b))
                return false;
        return way.x * way.x + way.y * way.y <= near_m * near_m;
}

static void learn_of_others(struct rig_vehicle *vehicle, int count)
{
        double reach_m = 0.0, wash_m = 0.0, most_m;

        for (int i = 0; i < count; i++) {
                reach_m = fmax(reach_m, vehicle[i].reach_m);
                wash_m = fmax(wash_m, vehicle[i].wash_m);
        }
        most_m = reach_m + fmax(reach_m, wash_m);
        for (int i = 0; i < count; i++)
                for (int k = i + 1; k < count; k++) {
                        int a = vehicle[i].by_north, b = vehicle[k].by_north;

                        if (north_m(vehicle, k) - north_m(vehicle, i) > most_m)
                                break;
                        if (!near_each_other(&vehicle[a], &vehicle[b]))
                                continue;
                        learn_of(&vehicle[a], &vehicle[b], b);
                        learn_of(&vehicle[b], &vehicle[a], a);
                }
}

static void feel_jolt(struct rig_vehicle *v, const struct body_state *before, int met,
                      double met_mps)
{
        struct vehicle *now = &v->vehicle;

        if (met_mps > v->met_mps) {
                v->met_mps = met_mps;
                v->met = met;
        }
        now->jolt_ned_mps = vec3_add(
                now->jolt_ned_mps, vec3_sub(now->body.vel_ned_mps, before->vel_ned_mps));
        now->jolt_body_radps =
                vec3_add(now->jolt_body_radps,
                         vec3_sub(now->body.rate_body_radps, before->rate_body_radps));
}

/* What a jig holds does not move, whatever pushes it. */
static const struct body_params immovable = { .mass_kg = (double)INFINITY };

static struct collision_body collision_body(struct rig_vehicle *v)
{
        return (struct collision_body){ v->vehicle.held ? &immovable : &v->params.body,
                                        &v->vehicle.body, &v->params.shape };
}

static void meet_pair(struct rig_vehicle *vehicle, int first, int second,
                      const struct meeting_config *m)
{
        struct rig_vehicle *a = &vehicle[first], *b = &vehicle[second];
        struct collision_body one = collision_body(a), other = collision_body(b);
        const struct body_state before[2] = { a->vehicle.body, b->vehicle.body };
        double met_mps;

        if (a->vehicle.held && b->vehicle.held)
                return;
        met_mps = collision_step(&one, &other, m->restitution, m->friction);
        feel_jolt(a, &before[0], second, met_mps);
        feel_jolt(b, &before[1], first, met_mps);
}

void rig_vehicles_meet(struct rig_vehicle *vehicle, const struct rig_config *config)
{
        int count = config->vehicles;

        if (count < 2)
                return;
        for (int i = 0; i < count; i++)
                measure(&vehicle[i], config);
        sort_by_north(vehicle, count);
        learn_of_others(vehicle, count);
        for (int i = 0; i < count; i++)
                for (int k = 0;
                     k < vehicle[i].others.count && vehicle[i].others.at[k].index < i;
                     k++)
                        meet_pair(vehicle, vehicle[i].others.at[k].index, i,
                                  &config->meeting);
}
