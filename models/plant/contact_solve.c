#include "models/plant/contact_solve.h"

#define ITERATIONS_MAX 100

/* From this iteration on the friction limits are fixed. While they follow the normal impulses, the
 * two can chase each other for ever if the gear jams; with fixed limits the iteration minimises the
 * kinetic energy, and converges. */
#define ITERATIONS_COUPLED 50

/* A negligible velocity: if an iteration changes less, it was the last. */
#define CONVERGED_MPS 1e-13

/* Cosine between the normals of two steps above which a touch counts as the same one. */
#define SAME_SURFACE 0.99

static struct vec3 any_tangent(struct vec3 n)
{
        struct vec3 t = fabs(n.x) < 0.5 ? (struct vec3){ 1.0, 0.0, 0.0 }
                                        : (struct vec3){ 0.0, 1.0, 0.0 };

        t = vec3_axpy(t, -vec3_dot(t, n), n);
        return vec3_scale(1.0 / vec3_norm(t), t);
}

static struct push push_along(struct vec3 axis_ned, struct vec3 arm_ned_m,
                              const struct body_params *body, struct mat3 body_to_ned)
{
        struct push push = { .axis_ned = axis_ned,
                             .moment_ned = vec3_cross(arm_ned_m, axis_ned) };
        struct vec3 moment_body = mat3_transpose_times(body_to_ned, push.moment_ned);

        push.spin_ned = mat3_times(body_to_ned,
                                   body_matrix_times(body->inverse_kgm2, moment_body));
        push.per_kg = body->per_mass + vec3_dot(push.spin_ned, push.moment_ned);
        return push;
}

/* The largest step along the tangents for which descending the kinetic energy cannot
 * overshoot: one over the larger eigenvalue of the 2x2 matrix that couples them. */
static double tangent_step_kg(const struct push *a, const struct push *b)
{
        double coupling = vec3_dot(a->spin_ned, b->moment_ned);
        double half_difference = 0.5 * (a->per_kg - b->per_kg);

        return 1.0 / (0.5 * (a->per_kg + b->per_kg) +
                      sqrt(half_difference * half_difference + coupling * coupling));
}

void touch_prepare(struct touch *t, struct vec3 arm_ned_m, struct vec3 normal_ned,
                   const struct body_params *body, struct mat3 body_to_ned)
{
        struct vec3 tangent = any_tangent(normal_ned);
        struct vec3 axis[3] = { normal_ned, tangent, vec3_cross(normal_ned, tangent) };

        for (int k = 0; k < 3; k++)
                t->push[k] = push_along(axis[k], arm_ned_m, body, body_to_ned);
        t->tangent_kg = tangent_step_kg(&t->push[1], &t->push[2]);
}

static void apply(struct contact_velocity *v, const struct push *p, double per_mass,
                  double impulse_ns)
{
        v->linear_mps = vec3_axpy(v->linear_mps, per_mass * impulse_ns, p->axis_ned);
        v->angular_radps = vec3_axpy(v->angular_radps, impulse_ns, p->spin_ned);
}

/* Along the normal: the impulse that gives the point the wanted speed, unless the surface would
 * have to pull. Returns how much it changed. */
static double push_out(struct touch *t, struct contact_velocity *v, double per_mass)
{
        const struct push *normal = &t->push[0];
        double missing = (t->wanted_mps - push_speed_mps(normal, v)) / normal->per_kg;
        double total = fmax(t->impulse_ns[0] + missing, 0.0);
        double change = total - t->impulse_ns[0];

        t->impulse_ns[0] = total;
        apply(v, normal, per_mass, change);
        return fabs(change);
}

/* Along the tangents: towards standstill, within the friction cone. One step size for
 * both, so that what slides is braked exactly against its motion. */
static double hold(struct touch *t, struct contact_velocity *v, double per_mass)
{
        double x = t->impulse_ns[1] - t->tangent_kg * push_speed_mps(&t->push[1], v);
        double y = t->impulse_ns[2] - t->tangent_kg * push_speed_mps(&t->push[2], v);
        double wanted = sqrt(x * x + y * y);
        double share = wanted > t->grip_ns ? t->grip_ns / wanted : 1.0;
        double change_x = share * x - t->impulse_ns[1];
        double change_y = share * y - t->impulse_ns[2];

        t->impulse_ns[1] = share * x;
        t->impulse_ns[2] = share * y;
        apply(v, &t->push[1], per_mass, change_x);
        apply(v, &t->push[2], per_mass, change_y);
        return fabs(change_x) + fabs(change_y);
}

void touches_solve(struct touch *touch, int count, const struct body_params *body,
                   struct contact_velocity *v)
{
        const double enough_ns = CONVERGED_MPS * body->mass_kg;

        for (int n = 0; n < ITERATIONS_MAX; n++) {
                double changed_ns = 0.0;

                for (int i = 0; i < count; i++) {
                        struct touch *t = &touch[i];

                        changed_ns += push_out(t, v, body->per_mass);
                        if (n < ITERATIONS_COUPLED)
                                t->grip_ns = t->friction * t->impulse_ns[0];
                        changed_ns += hold(t, v, body->per_mass);
                }
                if (changed_ns < enough_ns)
                        return;
        }
}

static const struct contact_touch *same_touch(const struct contact *before,
                                              const struct touch *t)
{
        for (int i = 0; i < before->touches; i++)
                if (before->touch[i].point == t->point &&
                    vec3_dot(before->touch[i].normal_ned, t->push[0].axis_ned) >
                            SAME_SURFACE)
                        return &before->touch[i];
        return NULL;
}

void touches_start_from(const struct contact *before, struct touch *touch, int count,
                        double per_mass, struct contact_velocity *v)
{
        for (int i = 0; i < count; i++) {
                const struct contact_touch *last = same_touch(before, &touch[i]);

                for (int k = 0; last != NULL && k < 3; k++) {
                        touch[i].impulse_ns[k] = last->impulse_ns[k];
                        apply(v, &touch[i].push[k], per_mass, touch[i].impulse_ns[k]);
                }
        }
}
