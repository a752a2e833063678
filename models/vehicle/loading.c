#include "models/vehicle/loading.h"

void loading_init(struct inertia_sum *sum, const struct vehicle_params *p)
{
        const struct inertia_part middle = { .shape = INERTIA_POINT,
                                             .mass_kg = p->body.mass_kg,
                                             .pos_m = p->centre_body_m,
                                             .q_part_to_body = { 1.0, 0.0, 0.0, 0.0 } };

        *sum = (struct inertia_sum){ 0 };
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        sum->about_origin_kgm2[i][j] = p->body.inertia_kgm2[i][j];
        inertia_add(sum, &middle);
}

void loading_add(struct inertia_sum *sum, const struct load *load, double sign)
{
        const struct inertia_part box = {
                .shape = INERTIA_CUBOID,
                .mass_kg = sign * load->mass_kg,
                .size_m = { load->size_m.x, load->size_m.y, load->size_m.z },
                .pos_m = load->at_m,
                .q_part_to_body = { 1.0, 0.0, 0.0, 0.0 },
        };

        inertia_add(sum, &box);
}

/* A product of inertia that is rounding alone would cost the plant its principal axes. */
static void take_inertia(struct body_params *body, const struct inertia_sum *sum)
{
        const double(*m)[3] = sum->about_centre_kgm2;
        double trace = m[0][0] + m[1][1] + m[2][2];

        body->mass_kg = sum->mass_kg;
        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        body->inertia_kgm2[i][j] =
                                fabs(m[i][j]) > 1e-12 * trace ? m[i][j] : 0.0;
}

static void move_sensors(struct sensors_params *s, struct vec3 way_m)
{
        struct vec3 *arm_m[] = { &s->imu.lever_arm_body_m, &s->gps.lever_arm_body_m,
                                 &s->baro.lever_arm_body_m, &s->flow.lever_arm_body_m,
                                 &s->ins.lever_arm_body_m };

        for (size_t i = 0; i < sizeof arm_m / sizeof arm_m[0]; i++)
                *arm_m[i] = vec3_add(*arm_m[i], way_m);
        for (int i = 0; i < s->sonar.count; i++)
                s->sonar.unit[i].lever_arm_body_m =
                        vec3_add(s->sonar.unit[i].lever_arm_body_m, way_m);
}

static void move_places(struct vehicle_params *p, struct vec3 way_m)
{
        for (int i = 0; i < p->rotors; i++)
                p->rotor[i].pos_body_m = vec3_add(p->rotor[i].pos_body_m, way_m);
        for (int i = 0; i < p->contact.points; i++)
                p->contact.point_body_m[i] = vec3_add(p->contact.point_body_m[i], way_m);
        p->surroundings.box_centre_body_m =
                vec3_add(p->surroundings.box_centre_body_m, way_m);
        /* However it is turned, the hubs may be lower by as much. */
        if (p->surroundings.ground_effect_m > 0.0)
                p->surroundings.ground_effect_m += vec3_norm(way_m);
        move_sensors(&p->sensors, way_m);
}

bool loading_apply(struct vehicle_params *p, struct inertia_sum *sum, struct vec3 shift_m)
{
        struct body_params body = p->body;
        struct vec3 centre_m;

        if (!(sum->mass_kg > 0.0))
                return false;
        inertia_finish(sum);
        take_inertia(&body, sum);
        if (!body_params_prepare(&body))
                return false;
        p->body = body;
        /* Only now: a load is taken off where it was put on. */
        centre_m = vec3_add(sum->centre_m, shift_m);
        move_places(p, vec3_sub(p->centre_body_m, centre_m));
        p->centre_body_m = centre_m;
        return true;
}

bool loading_put_on(struct vehicle_params *p, const struct load *const *load, int count)
{
        struct inertia_sum sum;

        if (count == 0)
                return true;
        loading_init(&sum, p);
        for (int i = 0; i < count; i++)
                loading_add(&sum, load[i], 1.0);
        return loading_apply(p, &sum, (struct vec3){ 0.0, 0.0, 0.0 });
}

void loading_carry(struct body_state *s, struct vec3 from_m, struct vec3 to_m)
{
        struct vec3 way_m = vec3_sub(to_m, from_m);
        struct vec3 swing_mps = vec3_cross(s->rate_body_radps, way_m);

        s->pos_ned_m = vec3_add(s->pos_ned_m, quat_rotate(s->q_body_to_ned, way_m));
        s->vel_ned_mps =
                vec3_add(s->vel_ned_mps, quat_rotate(s->q_body_to_ned, swing_mps));
}
