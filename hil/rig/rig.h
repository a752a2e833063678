/* The rig: every vehicle with its flight controller in one world, and the loop that ties
 * them, in real time or in lockstep. One period reads top to bottom as the path of the
 * signal. */
#pragma once

#include "hil/scenario/action.h"
#include "hil/port/device_port.h"
#include "hil/config/config.h"
#include "hil/port/fc_port.h"
#include "hil/time/histogram.h"
#include "hil/time/crew.h"
#include "hil/live/server.h"
#include "hil/rig/live.h"
#include "hil/judge/metrics.h"
#include "hil/pads/pads.h"
#include "hil/process/child.h"
#include "hil/process/standstill.h"
#include "hil/rig/realtime.h"
#include "hil/record/record.h"
#include "hil/twin/twin.h"
#include "hil/time/busy_wait.h"
#include "hil/judge/verdict.h"
#include "hil/judge/wiring.h"
#include "hil/mission/flight.h"
#include "io/joystick/joystick.h"
#include "models/sensors/unit_attitude.h"
#include "models/vehicle/vehicle.h"
#include "models/world/radio.h"

/* Packets that one radio hands over in a tick, so that no link is full when its frame is due; more wait. */
#define HEARD_MAX 8

/* What the scenario asks of a flight controller, and what became of it. */
struct claim {
        enum flight_mode asked;
        bool reached; /* it has done so */
        bool left; /* and does something else, of its own accord, which has been said */
};

/* What a board was told at the end, and whether it has confirmed it. */
struct farewell {
        bool awaited, confirmed;
        uint32_t words, frame; /* of its talk, when the goodbye began */
};

enum left_armed {
        LEFT_SAFE,
        LEFT_ARMED, /* as it says, though it was told to disarm */
        LEFT_UNHEARD /* it was armed, and has said nothing since it was told */
};

enum fc_lost {
        FC_NOT_LOST,
        FC_LOST, /* it stopped answering, or its link broke */
        FC_LOST_HELD /* it stopped answering because the host kept its process from running */
};

/* One of a joystick's that moves something. */
struct stick {
        struct joystick_code code;
        struct stick_params
                params; /* with the device's range where the file leaves it open */
        double raw;
};

struct rig_vehicle {
        const struct vehicle_config *config;
        struct vehicle_params pristine; /* prepared, and as it is without faults */
        struct vehicle_params params; /* what it flies with */
        struct vehicle vehicle;
        /* As this tick began: who is near, what the others meet of it, the radius of its sphere, how far it may hear
         * or be touched, how far its wash may be felt. */
        struct neighbours others;
        struct presence presence;
        double radius_m, reach_m, wash_m;
        int by_north; /* not its own: the k-th vehicle from the south, where this is number k */
        double met_mps; /* speed at which another vehicle was met at this tick; 0: none was */
        int met; /* which */
        struct actions actions; /* what the scenario does to it */
        struct metrics metrics;
        struct twin
                *twin; /* in place of its flight controller, owned; NULL: it has one */
        bool met_twin; /* its source has been heard */
        struct fc_port port;
        uint64_t
                motors_compared; /* of the messages of the port, with what is seen of its motors */
        struct wiring wiring; /* what its flight says of how the board is wired */
        struct device_port device[PORTS_MAX]; /* config->ports of them */
        struct pads *pads; /* the board's motor pads; NULL: not watched */
        struct joystick *joystick; /* NULL: none */
        enum joystick_state joystick_state; /* as was said */
        int64_t joystick_due_ns; /* simulated time of the next look */
        struct stick sticks[JOYSTICK_CONTROLS_MAX];
        struct setpoint
                hand; /* NED of the world: what its joystick has moved the set-point to */
        bool setpoint_unrecorded; /* of those that move, the newest */
        uint32_t new_fresh, new_sonars; /* samples of this very tick */
        struct pilot_input asked; /* by the scenario's steps */
        struct pilot pilot; /* who moves the sticks as it asks, where there is one */
        struct pilot_input input; /* the same with stimuli on top */
        bool input_pending; /* not yet handed to the codec */
        int heards;
        struct peer_packet heard[HEARD_MAX]; /* by its radio, for this tick */
        struct motor_command command; /* of this tick, as the flight controller gave it */
        struct sensor_frame frame; /* of this tick, as it goes out */
        struct unit_attitude attitude; /* of the inertial units at its ports */
        bool whole; /* all of it is a number */
        bool sent; /* it went out */
        bool rests; /* and its FC is to have more host time for it, in lockstep */
        bool frame_sent; /* in this period */
        int64_t compute_ns; /* from its wake-up to the frame's last byte handed over */
        uint32_t unsent_fresh; /* samples of ticks whose frame the FC did not ask for */
        uint32_t unsent_sonars;
        int touched; /* obstacle that it touched at the last tick, as in struct contact */
        uint32_t restarts; /* of its FC, known so far */
        int64_t arm_asked_ns; /* simulated time at which it was first asked to arm; -1: it was not */
        bool fly_asked; /* to go somewhere, or with the throttle above its middle */
        bool was_armed; /* its FC said so */
        bool upset; /* by the scenario: a fault has begun, or a jig or a stimulus had it upside down */
        int64_t pushed_ns; /* simulated time at which a stimulus was last in force */
        int64_t lies_since_ns; /* simulated time at which it came to lie upside down */
        int64_t lies_ns; /* how long it has touched something since, so; 0: it does not */
        char words[200]; /* what its FC said last of why it does not arm; "": nothing */
        pid_t process; /* of its FC on this machine; 0: it has none, or it is not known */
        int process_fd; /* readable once that has ended; -1: the rig has started it itself */
        bool ended_known; /* that the process has ended which the rig had started */
        bool watched; /* such a process was known when it was met */
        bool met_late; /* greeted in flight, it has been heard: its process was looked for then */
        struct standstill standstill; /* of that, while an answer is due */
        struct standstill
                flight; /* in real time, from the first tick until it was disarmed */
        int64_t flight_ns; /* how long that was, of the host's time; 0: not looked at */
        int64_t idle_ns; /* of the host's processors when it began */
        int64_t crowded_ns; /* of it, so long none of them was idle */
        int64_t held_ns; /* the longest that the host kept it from running while one was */
        char held[80]; /* "was stopped for 1.2 s" */
        int64_t gone_ns; /* simulated time since when the FC is gone; -1 */
        enum fc_lost lost; /* for good */
        bool failed; /* with that: its process ended, or it began anew */
        char lost_why[600];
        int64_t retry_ns; /* host time of the next try to reopen */
        struct claim claim;
        bool arming_known; /* it has said whether it is armed */
        struct farewell farewell;
        enum left_armed left; /* by the end of the run */
};

/* Of the flight, how long its FC's process was stopped or waited for a processor or a disk, of the thread that
 * waited longest. 0: it was not looked at. */
double rig_starved_share(const struct rig_vehicle *v);

/* The faults of a port's wire, or with -1 of those to the FC. */
static inline struct fc_faults *rig_vehicle_wire(struct rig_vehicle *v, int port)
{
        return port >= 0 ? &v->device[port].faults : &v->port.links.faults;
}

/* The live page, if there is one: the frame that is being filled, what it knows of the requirements, and when it was told
 * last of what changes slowly. */
struct live_page {
        struct live_server *server; /* NULL: nobody is to watch; the caller's */
        struct live_frame *frame; /* of this tick; NULL: none is due */
        struct {
                bool told, open;
                enum judge_outcome outcome;
                double robustness;
        } row[SCENARIO_REQUIREMENTS_MAX];
        int64_t slow_due_ns; /* host time */
        int latency_next; /* vehicle */
        bool held; /* in lockstep: time stands still once steps_left are done */
        int64_t steps_left;
        struct scenario *
                scenario; /* the configuration's, to which faults may be added; NULL: none */
        int faults;
        struct {
                int step;
                int64_t tick; /* at which it began; -1: it found no room */
                int64_t lifted; /* tick at which it was ended by hand; 0: it was not */
                char *text; /* the step as JSON, the caller's to free */
        } fault[LIVE_FAULTS_MAX];
        double pace; /* as in struct live_hands */
        int64_t pace_host_ns, pace_sim_ns; /* from where it counts */
};

enum end_kind {
        END_COMPLETED,
        END_INTERRUPTED, /* SIGINT or SIGTERM */
        END_NO_HELLO, /* the FC never answered: could not run */
        END_FC_GONE, /* it stopped answering, or its link broke */
        END_ARMED, /* it was armed before anything asked it to be: could not run */
        END_FC_HELD, /* it stopped answering because the host kept its process from running */
        END_SETTINGS_REFUSED, /* the FC has not the setting that was asked of it, or one that the vehicle needs: could not run */
        END_PLANT_LOST, /* a vehicle's state became no number, or it left the modelled air: could not run */
        END_WRECKED, /* every vehicle that was to fly lies on its back */
        END_TWIN_SILENT, /* a twin's source is, and the rig file ends the run then */
        END_PADS_GONE, /* what watches the motor pads is gone, and they drive the vehicle */
        END_RECORD_FAILED /* run.ulg or wire.cap could not be written */
};

struct rig {
        const struct rig_config *config;
        /* The vehicles, and behind them the stations, of which only what belongs to a board is used: config_boards(). */
        struct rig_vehicle *vehicle;
        struct timeline timeline; /* of the scenario */
        struct mission_flight mission; /* of config->mission, where there is one */
        struct judge_values conditions; /* that its steps wait for */
        struct radio *radio; /* of all; NULL: there is none */
        struct radio_antenna *antenna; /* of each board */
        struct fleet fleet; /* of several */
        struct twin_other *other; /* room for all vehicles */
        struct crew *crew; /* that steps them; NULL: the loop's own thread does */
        bool step_missed; /* of the tick that it works on */
        struct observation *observed; /* of each, at the last tick */
        struct recorder *recorder; /* NULL: none */
        struct live *live; /* NULL: none */
        struct live_page page;
        struct child *child; /* of each board, the FC that was started; the caller's */
        struct pollfd *fds; /* room for all that the loop waits for */
        int stop_fd; /* signalfd for SIGINT and SIGTERM, or -1 */
        struct judge judge;
        struct realtime realtime;
        struct busy_wait busy; /* of lockstep */
        int64_t met_ns; /* host time when every board had answered; 0: not yet */
        int64_t met_cpu_ns,
                end_cpu_ns; /* processor time of this process up to then, to the flight's end */

        int64_t start_ns; /* host time of tick 0 */
        int64_t end_ns; /* host time after the last tick */
        int64_t tick; /* periods done */
        int64_t ticks; /* periods to do */
        bool ended; /* by a step of the scenario */
        int64_t stall_ns; /* the scenario holds the loop up for so long, once; 0: not */
        int64_t clock_fault_ns; /* the scenario pretends that the clock has jumped so far */
        int64_t clock_ahead_ns; /* of the raw one, at the last look; 0: none yet */
        int64_t clock_step_ns; /* by how much the host's clock was seen to jump, most of all */
        uint64_t missed; /* periods whose deadline had passed by a period or more */
        int64_t longest_late_ns;
        struct histogram wake; /* lateness of wake-ups, real time only */
        struct histogram compute; /* from wake-up to the frame handed over */

        int refused; /* faults that the scenario asked for and that could not begin */

        enum end_kind end;
        char end_reason[600];
};

/* Prepares vehicles and opens every FC's links. child: config_boards() of them, as rig_start() left them or
 * cleared, which the rig uses until rig_reap(). False with a reason: could not run. */
bool rig_open(struct rig *rig, const struct rig_config *config, struct child *child,
              char *why, size_t cap);

/* Greets every FC, then runs the loop to its end, whatever that is. */
void rig_run(struct rig *rig);

/* The flight is over: what became of the requirements, for the live page. Of rig_run(). */
void rig_conclude_page(struct rig *rig);

void rig_close(struct rig *rig);

/* What came of each vehicle's joystick, as joystick-VEHICLE.txt in the folder: a file that can be played. Between
 * rig_run() and rig_close(). */
bool rig_write_joysticks(const struct rig *rig, const char *folder, char *why,
                         size_t cap);
/* Of one vehicle that is being opened. */
bool rig_joystick_open(struct rig_vehicle *v, char *why, size_t cap);

/* Of any vehicle of the rig. */
int rig_most_rotors(const struct rig_config *config);

/* What replay shares with the loop: a vehicle without its flight controller. */
bool rig_vehicle_init(struct rig_vehicle *v, const struct rig_config *config, int index,
                      char *why, size_t cap);
/* What vehicles do to each other: every one learns where those near it are, and those that touch are
 * pushed apart. Once a tick, before the first of them moves. */
void rig_vehicles_meet(struct rig_vehicle *vehicle, const struct rig_config *config);
/* What the scenario's step does to this vehicle itself, from this tick on. */
void rig_vehicle_begin(struct rig_vehicle *v, int index, const struct rig_config *config,
                       int step, int64_t t_ns);
/* Ends one action of a step whose time is over, and says which step's; -1: none is left. */
int rig_vehicle_end(struct rig_vehicle *v, int index, const struct rig_config *config,
                    int64_t t_ns);
/* Of actions, before the vehicle is freed. */
void rig_vehicle_close(struct rig_vehicle *v);

/* One period, from a motor command to v->frame. In a period that was missed the frame is not meant
 * to be sent; else it also has what earlier frames could not carry. */
void rig_vehicle_tick(struct rig_vehicle *v, int index, const struct rig_config *config,
                      const struct motor_command *command, bool missed);
/* The same of `count` vehicles from the first on, up to BATCH_LANES, each under its own command: their plants move
 * together, which costs less and gives the same bits. */
void rig_vehicles_tick(struct rig_vehicle *vehicle, int first, int count,
                       const struct rig_config *config, bool missed);
/* Whether v->frame went out; what did not stays fresh for the next. */
void rig_vehicle_sent(struct rig_vehicle *v, bool sent);

/* In what state the run left the vehicle's board, in words; "": disarmed. */
void rig_left_armed(const struct rig_vehicle *v, char *text, size_t cap);

/* The run is void when it shows nothing about the flight controller: it was cut short, records were
 * lost, the host was late beyond the budget, the scenario's faults and steps did not all happen, or
 * a requirement was not judged. Why, in a line, in every case. */
enum verdict rig_verdict(const struct rig *rig, uint64_t record_drops, char *why,
                         size_t cap);
