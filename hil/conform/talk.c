#include "hil/conform/talk.h"

#include <string.h>

#include "hil/time/clock.h"
#include "io/codec/hilp/hilp_si.h"

#define PATIENCE_NS (5 * NS_PER_S)
#define QUIET_NS    (60 * NS_PER_MS)
#define HELLO_NS    (100 * NS_PER_MS)
#define LATE_MIN_NS 200000 /* less is what any host takes */
#define FLOWN_KNOWN 20 /* answers that tell how long one takes */

/* Roll, pitch, throttle, yaw, then switches: low is off. */
#define RC_CHANNELS 8
#define RC_THROTTLE 2
#define RC_SWITCHES 4

void conform_talk_init(struct conform_talk *t, struct conform_wire *wire, int rotors,
                       int64_t period_ns)
{
        *t = (struct conform_talk){ .wire = wire,
                                    .rotors = rotors,
                                    .patience_ns = PATIENCE_NS,
                                    .quiet_ns = QUIET_NS };
        conform_scene_init(&t->scene, period_ns);
}

void conform_talk_forget(struct conform_talk *t)
{
        memset(&t->heard, 0, sizeof t->heard);
        memset(t->window, 0, sizeof t->window);
        t->any_answer = false;
}

void conform_talk_punctual(struct conform_talk *t)
{
        t->late_ns = t->late_sum_ns = t->left_ns = 0;
}

static void note_lateness(struct conform_talk *t, int64_t late_ns)
{
        if (late_ns < LATE_MIN_NS)
                return;
        t->late_sum_ns += late_ns;
        t->late_ns = late_ns > t->late_ns ? late_ns : t->late_ns;
}

/* Between two uses of the wire nothing is waited for: that takes long only where the thread does not run. Returns the
 * time. */
static int64_t enter_wire(struct conform_talk *t)
{
        int64_t now_ns = conform_wire_now(t->wire);

        if (t->left_ns != 0)
                note_lateness(t, now_ns - t->left_ns);
        return now_ns;
}

static bool write_bytes(struct conform_talk *t, const uint8_t *bytes, size_t len)
{
        bool written;

        enter_wire(t);
        written = t->wire->ops->write(t->wire, bytes, len);
        t->left_ns = conform_wire_now(t->wire);
        return written;
}

static void flush(struct conform_talk *t)
{
        if (t->batched > 0)
                write_bytes(t, t->batch, t->batched);
        t->batched = 0;
}

bool conform_talk_bytes(struct conform_talk *t, const uint8_t *bytes, size_t len)
{
        flush(t);
        return write_bytes(t, bytes, len);
}

void conform_talk_batch(struct conform_talk *t, struct hilp_message *m)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t len;

        m->sequence = t->sequence++;
        len = hilp_write(m, frame);
        if (t->batched + len > sizeof t->batch)
                flush(t);
        memcpy(t->batch + t->batched, frame, len);
        t->batched += len;
}

void conform_talk_say(struct conform_talk *t, struct hilp_message *m)
{
        conform_talk_batch(t, m);
        flush(t);
}

size_t conform_talk_frame(const uint8_t *payload, size_t len, uint16_t crc, uint8_t *out)
{
        const uint8_t end[] = { (uint8_t)crc, (uint8_t)(crc >> 8) };
        size_t distance = 0, at = 1;

        for (size_t i = 0; i < len + sizeof end; i++) {
                uint8_t byte = i < len ? payload[i] : end[i - len];

                if (byte == 0) {
                        out[distance] = (uint8_t)(at - distance);
                        distance = at;
                }
                out[at++] = byte;
        }
        out[distance] = (uint8_t)(at - distance);
        out[at++] = 0;
        return at;
}

/* ---- Waiting for what comes back */

static bool read_until(struct conform_talk *t, int64_t until_ns)
{
        uint8_t bytes[2048];
        int64_t begin_ns = enter_wire(t);
        size_t n = t->wire->ops->read(t->wire, bytes, sizeof bytes, until_ns);

        t->left_ns = conform_wire_now(t->wire);
        note_lateness(t, t->left_ns - (until_ns > begin_ns ? until_ns : begin_ns));
        conform_heard_bytes(t, bytes, n, t->left_ns);
        return n > 0;
}

void conform_talk_listen(struct conform_talk *t, int64_t until_ns)
{
        while (!t->wire->gone && conform_wire_now(t->wire) < until_ns)
                read_until(t, until_ns);
}

bool conform_talk_await(struct conform_talk *t, const uint32_t *count, uint32_t enough,
                        int64_t timeout_ns)
{
        int64_t until_ns = conform_wire_now(t->wire) + timeout_ns;

        while (*count < enough && !t->wire->gone)
                if (!read_until(t, until_ns))
                        break;
        return *count >= enough;
}

void conform_talk_quiet(struct conform_talk *t)
{
        conform_talk_listen(t, conform_wire_now(t->wire) + t->quiet_ns);
}

/* ---- What we say */

static void say_parts(struct conform_talk *t)
{
        struct hilp_message m = { .type = HILP_PARTS };

        m.u.parts.sonars = (uint8_t)t->scene.params.sonar.count;
        conform_talk_say(t, &m);
}

static void begin(struct conform_talk *t, bool lockstep)
{
        conform_scene_init(&t->scene, t->scene.period_ns);
        conform_scene_turn(&t->scene, t->rest_rad, (struct vec3){ 0.0, 0.0, 0.0 });
        conform_talk_forget(t);
        t->next_number = 0;
        t->hello = (struct hilp_hello){ .version_min = HILP_VERSION_MIN,
                                        .version_max = HILP_VERSION_MAX,
                                        .flags = lockstep ? HILP_FLAG_LOCKSTEP : 0,
                                        .rotors = (uint8_t)t->rotors };
        conform_scene_hello(&t->scene, &t->hello);
}

bool conform_talk_hello(struct conform_talk *t, bool lockstep, int64_t timeout_ns)
{
        int64_t give_up_ns = conform_wire_now(t->wire) + timeout_ns;
        struct hilp_message m = { .type = HILP_HELLO };
        const uint8_t zero = 0;
        uint32_t asked = 0;

        begin(t, lockstep);
        m.u.hello = t->hello;
        do {
                /* Ends whatever half frame the board may have from before. */
                conform_talk_bytes(t, &zero, 1);
                conform_talk_say(t, &m);
                asked++;
        } while (!conform_talk_await(t, &t->heard.acks, 1, HELLO_NS) && !t->wire->gone &&
                 conform_wire_now(t->wire) < give_up_ns);
        if (t->heard.acks == 0)
                return false;
        t->greeted_ns = t->left_ns;
        /* A board that thinks about it answers those that were repeated later. */
        conform_talk_await(t, &t->heard.acks, asked, asked * HELLO_NS);
        /* What came before the answer belonged to another conversation. */
        t->board = t->heard.ack;
        conform_talk_forget(t);
        say_parts(t);
        return true;
}

static int frame_every(const struct conform_talk *t)
{
        return t->board.frame_every > 0 ? t->board.frame_every : 1;
}

/* The sonars' samples go before them, in a message of their own. */
void conform_talk_sensors(struct conform_talk *t, struct hilp_message *m)
{
        const struct sensor_frame *frame = conform_scene_step(&t->scene, frame_every(t));
        struct hilp_message sonars = { .type = HILP_SONARS };

        if (frame->fresh_sonars != 0) {
                hilp_si_to_sonars(&sonars.u.sonars, &t->hello.units, t->next_number,
                                  frame);
                conform_talk_batch(t, &sonars);
        }
        *m = (struct hilp_message){ .type = (uint8_t)hilp_sensors_type(
                                            t->board.version) };
        hilp_si_to_sensors(&m->u.sensors, &t->hello.units, t->next_number, frame);
        t->next_number++;
}

void conform_talk_expect(struct conform_talk *t, uint32_t number)
{
        uint32_t place = number % CONFORM_WINDOW;

        t->window[place].number = number;
        t->window[place].open = true;
        t->window[place].answered = false;
        t->heard.sent++;
        t->frames++;
}

void conform_talk_send_frame(struct conform_talk *t)
{
        struct hilp_message m;

        conform_talk_sensors(t, &m);
        conform_talk_expect(t, m.u.sensors.number);
        conform_talk_say(t, &m);
}

bool conform_talk_settle(struct conform_talk *t)
{
        return conform_talk_await(t, &t->heard.answered, t->heard.sent, t->patience_ns);
}

bool conform_talk_fly(struct conform_talk *t, int frames)
{
        for (int i = 0; i < frames; i++) {
                int64_t begin_ns = conform_wire_now(t->wire);

                conform_talk_send_frame(t);
                if (!conform_talk_settle(t))
                        return false;
                t->flown_ns += conform_wire_now(t->wire) - begin_ns;
                t->flown++;
        }
        return true;
}

double conform_talk_answer_s(const struct conform_talk *t)
{
        return t->flown < FLOWN_KNOWN ? 0.0
                                      : 1e-9 * (double)t->flown_ns / (double)t->flown;
}

void conform_talk_ask(struct conform_talk *t, enum hilp_mode mode, double up_m)
{
        struct hilp_message m = { .type = HILP_INPUT };
        struct hilp_input *input = &m.u.input;

        input->mode = (uint8_t)mode;
        input->pos_ned_mm[2] = (int32_t)(up_m * -1000.0);
        input->channels = RC_CHANNELS;
        for (int i = 0; i < RC_CHANNELS; i++)
                input->rc_us[i] = 1500;
        input->rc_us[RC_THROTTLE] = mode == HILP_MODE_GOTO ? 1650 : 1000;
        for (int i = RC_SWITCHES; i < RC_CHANNELS; i++)
                input->rc_us[i] = mode == HILP_MODE_DISARMED ? 1000 : 2000;
        conform_talk_batch(t, &m);
}
