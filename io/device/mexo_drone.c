/* MEXO commands, one after another: when each may begin, what it asks of the flight controller, and when it is done. */
#include "io/device/mexo_drone.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MS_NS 1000000LL
/* Chosen: the print names none. LAND is done when ten heights in a row differ by less than this. */
#define STILL_M     0.02
#define STILL_TIMES 10
#define STILL_NS    INT64_C(1500000000)
/* How far a StartingPose may be from where the vehicle stands. */
#define START_NEAR_M 10.0
#define DEG          (180.0 / 3.14159265358979323846)

__attribute__((format(printf, 2, 3))) static void note_command(struct mexo_drone *d,
                                                               const char *format, ...)
{
        size_t used = strlen(d->note);
        va_list list;

        if (used > 0)
                used += (size_t)snprintf(d->note + used, sizeof d->note - used, "; ");
        if (used >= sizeof d->note)
                return;
        va_start(list, format);
        vsnprintf(d->note + used, sizeof d->note - used, format, list);
        va_end(list);
}

static bool refuse_command(struct mexo_refusal *why, enum mexo_error code,
                           const char *text)
{
        why->code = code;
        snprintf(why->text, sizeof why->text, "%s", text);
        return false;
}

static void ask_for(struct mexo_drone *d, enum flight_mode mode, struct vec3 pos_ned_m,
                    double yaw_rad)
{
        d->asked = (struct setpoint){ mode, pos_ned_m, yaw_rad };
        d->asked_anew = true;
}

static void ask_for_mode(struct mexo_drone *d, enum flight_mode mode)
{
        ask_for(d, mode, d->asked.pos_ned_m, d->asked.yaw_rad);
}

static bool power_on(struct mexo_drone *d, const struct mexo_settings *s,
                     const struct mexo_command *c, const struct mexo_pose *at,
                     int64_t t_ns, struct mexo_refusal *why)
{
        if (c->has_place && at != NULL) {
                struct vec3 wanted = mexo_to_ned(&s->at, &c->place);
                double away_m = vec3_norm(vec3_sub(wanted, at->pos_ned_m));

                if (away_m > START_NEAR_M) {
                        why->code = MEXO_BROKE;
                        snprintf(why->text, sizeof why->text,
                                 "Robot broke, StartingPose is %.0f m from where it "
                                 "stands",
                                 away_m);
                        return false;
                }
        }
        *d = (struct mexo_drone){ .powered = true, .powered_ns = t_ns };
        note_command(d, "POWER %s", c->name);
        return true;
}

/* Ignored while they run. */
static void start_engines(struct mexo_drone *d, int64_t t_ns)
{
        if (d->engines)
                return;
        d->engines = true;
        d->started_ns = t_ns;
        ask_for_mode(d, MODE_ARMED);
        note_command(d, "STARTENGINE");
}

/* Of the air: there it stays where it is now. */
static void clear_commands(struct mexo_drone *d, const struct mexo_pose *at)
{
        int dropped = d->count;
        bool flies = d->asked.mode == MODE_GOTO || d->asked.mode == MODE_LAND;

        d->first = d->count = 0;
        d->busy = false;
        if (d->engines && flies && at != NULL)
                ask_for(d, MODE_GOTO, at->pos_ned_m, at->euler_rad.z);
        note_command(d, "CLEAR dropped %d commands", dropped);
}

static bool enqueue(struct mexo_drone *d, const struct mexo_command *c,
                    struct mexo_refusal *why)
{
        if (d->count == MEXO_QUEUE_MAX)
                return refuse_command(why, MEXO_FULL,
                                      "Memory is full, too many commands");
        d->queue[(d->first + d->count) % MEXO_QUEUE_MAX] = *c;
        d->count++;
        return true;
}

bool mexo_drone_take(struct mexo_drone *d, const struct mexo_settings *s,
                     const struct mexo_command *c, const struct mexo_pose *at,
                     int64_t t_ns, struct mexo_refusal *why)
{
        if (c->verb == MEXO_POWER)
                return d->powered ? refuse_command(why, MEXO_NAME_EXISTS,
                                                   "Robot name already exists")
                                  : power_on(d, s, c, at, t_ns, why);
        if (!d->powered)
                return refuse_command(why, MEXO_BAD_VALUE,
                                      "Expected POWER before any other command");
        if (c->verb == MEXO_STARTENGINE)
                start_engines(d, t_ns);
        else if (c->verb == MEXO_CLEAR)
                clear_commands(d, at);
        else
                return enqueue(d, c, why);
        return true;
}

static void finish_command(struct mexo_drone *d)
{
        d->first = (d->first + 1) % MEXO_QUEUE_MAX;
        d->count--;
        d->busy = false;
}

static void begin_goto(struct mexo_drone *d, const struct mexo_settings *s,
                       const struct mexo_command *c, const struct mexo_pose *at)
{
        struct vec3 to = at->pos_ned_m;

        if (c->verb == MEXO_GOTOWAYPOINT)
                to = mexo_to_ned(&s->at, &c->place);
        else
                to.z = mexo_to_ned(&s->at,
                                   &(struct mexo_place){ .altitude_m = c->height_m })
                               .z;
        ask_for(d, MODE_GOTO, to,
                d->asked.mode == MODE_GOTO ? d->asked.yaw_rad : at->euler_rad.z);
}

static void note_begin(struct mexo_drone *d, const struct mexo_command *c)
{
        const char *name = mexo_verb_name(c->verb);

        if (c->verb == MEXO_TAKEPICTURE)
                note_command(d, "%s, camera tilted by %g degrees: no image is made", name,
                             c->tilt_deg);
        else if (c->verb == MEXO_FORMATION || c->verb == MEXO_EXECUTETASKS)
                note_command(d, "%s does nothing", name);
        else
                note_command(d, "%s", name);
}

static void begin_command(struct mexo_drone *d, const struct mexo_settings *s,
                          const struct mexo_pose *at, int64_t t_ns)
{
        const struct mexo_command *c = &d->queue[d->first];

        d->busy = true;
        d->turning = false;
        d->still = 0;
        d->began_ns = t_ns;
        note_begin(d, c);
        switch (c->verb) {
        case MEXO_TAKEOFF:
        case MEXO_GOTOWAYPOINT:
                begin_goto(d, s, c, at);
                break;
        case MEXO_LAND:
                ask_for_mode(d, MODE_LAND);
                break;
        case MEXO_STOPENGINE:
                ask_for_mode(d, MODE_DISARMED);
                d->engines = false;
                break;
        case MEXO_SHUTDOWN:
                if (d->engines)
                        ask_for_mode(d, MODE_DISARMED);
                d->engines = d->powered = false;
                d->removed = true;
                break;
        default:
                break;
        }
}

/* Position first, then heading (B.2.8). */
static bool goto_is_done(struct mexo_drone *d, const struct mexo_settings *s,
                         const struct mexo_command *c, const struct mexo_pose *at)
{
        double off_m = vec3_norm(vec3_sub(d->asked.pos_ned_m, at->pos_ned_m));
        double yaw_rad = remainder(c->yaw_deg, 360.0) / DEG;

        if (!d->turning && off_m <= s->reached_m) {
                d->turning = true;
                ask_for(d, MODE_GOTO, d->asked.pos_ned_m, yaw_rad);
        }
        return d->turning &&
               fabs(remainder(at->euler_rad.z - yaw_rad, 360.0 / DEG)) <= s->reached_rad;
}

/* However short its steps are: a slow descent moves by less than that in one of them. */
static bool has_landed(struct mexo_drone *d, const struct mexo_pose *at, int64_t t_ns)
{
        double height_m = -at->pos_ned_m.z;

        d->still++;
        if (fabs(height_m - d->height_m) >= STILL_M) {
                d->height_m = height_m;
                d->began_ns = t_ns;
                d->still = 0;
        }
        return d->still >= STILL_TIMES && t_ns - d->began_ns >= STILL_NS;
}

static bool command_is_done(struct mexo_drone *d, const struct mexo_settings *s,
                            const struct mexo_pose *at, int64_t t_ns)
{
        const struct mexo_command *c = &d->queue[d->first];

        switch (c->verb) {
        case MEXO_TAKEOFF:
                return fabs(d->asked.pos_ned_m.z - at->pos_ned_m.z) <= s->reached_m;
        case MEXO_GOTOWAYPOINT:
                return goto_is_done(d, s, c, at);
        case MEXO_LAND:
                return has_landed(d, at, t_ns);
        default:
                return true;
        }
}

static bool needs_place(const struct mexo_command *c)
{
        return c->verb == MEXO_TAKEOFF || c->verb == MEXO_GOTOWAYPOINT ||
               c->verb == MEXO_LAND;
}

/* A drone whose engines do not run can still be removed. */
static bool may_begin(const struct mexo_drone *d, const struct mexo_pose *at,
                      int64_t t_ns)
{
        const struct mexo_command *c = &d->queue[d->first];

        if (needs_place(c) && at == NULL)
                return false;
        if (!d->engines)
                return c->verb == MEXO_SHUTDOWN;
        return (double)(t_ns - d->started_ns) >= c->time_stamp_ms * (double)MS_NS;
}

void mexo_drone_step(struct mexo_drone *d, const struct mexo_settings *s,
                     const struct mexo_pose *at, int64_t t_ns)
{
        if (!d->powered || d->count == 0)
                return;
        if (!d->busy) {
                if (may_begin(d, at, t_ns))
                        begin_command(d, s, at, t_ns);
                return;
        }
        if (at == NULL && needs_place(&d->queue[d->first]))
                return;
        if (command_is_done(d, s, at, t_ns))
                finish_command(d);
}

void mexo_drone_abandon(struct mexo_drone *d)
{
        bool flies = d->engines && d->asked.mode == MODE_GOTO;

        if (!d->powered)
                return;
        d->powered = d->engines = d->busy = false;
        d->first = d->count = 0;
        if (flies)
                ask_for_mode(d, MODE_LAND);
        note_command(d, flies ? "its mission executor has gone: lands"
                              : "its mission executor has gone");
}
