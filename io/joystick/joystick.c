/* Joysticks through libevdev, and sticks that somebody moves on a page. */
#include "io/joystick/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RETRY_NS        1000000000LL
#define FED_PATIENCE_NS 2000000000LL

/* Of one that is moved on a page: at rest at 0. */
static const struct {
        const char *name;
        int least, most;
} fed_inputs[] = {
        { "ABS_X", -1000, 1000 },  { "ABS_Y", -1000, 1000 },    { "ABS_RX", -1000, 1000 },
        { "ABS_RY", -1000, 1000 }, { "ABS_THROTTLE", 0, 1000 }, { "BTN_TRIGGER", 0, 1 },
        { "BTN_THUMB", 0, 1 },     { "BTN_THUMB2", 0, 1 },      { "BTN_TOP", 0, 1 },
};

bool joystick_code_from_name(const char *name, struct joystick_code *out)
{
        int type = strncmp(name, "ABS_", 4) == 0 ? EV_ABS : EV_KEY;
        int code = libevdev_event_code_from_name((unsigned)type, name);

        if (code < 0)
                return false;
        *out = (struct joystick_code){ (uint16_t)type, (uint16_t)code };
        return true;
}

struct input *joystick_find_input(struct joystick *j, struct joystick_code of)
{
        for (int i = 0; i < j->inputs; i++)
                if (is_same_input(j->input[i].of, of))
                        return &j->input[i];
        return NULL;
}

bool joystick_add_input(struct joystick *j, struct joystick_code of,
                        struct joystick_range range)
{
        if (j->inputs == INPUTS_MAX || joystick_find_input(j, of) != NULL)
                return false;
        j->input[j->inputs++] = (struct input){ of, range };
        return true;
}

static void keep_inputs(struct joystick *j)
{
        j->inputs = 0;
        for (unsigned code = 0; code <= ABS_MAX; code++)
                if (libevdev_has_event_code(j->device, EV_ABS, code) &&
                    libevdev_event_code_get_name(EV_ABS, code) != NULL &&
                    libevdev_get_abs_minimum(j->device, code) <
                            libevdev_get_abs_maximum(j->device, code))
                        joystick_add_input(
                                j, (struct joystick_code){ EV_ABS, (uint16_t)code },
                                (struct joystick_range){
                                        libevdev_get_abs_minimum(j->device, code),
                                        libevdev_get_abs_maximum(j->device, code),
                                        libevdev_get_event_value(j->device, EV_ABS,
                                                                 code) });
        for (unsigned code = BTN_MISC; code <= BTN_TRIGGER_HAPPY40; code++)
                if (libevdev_has_event_code(j->device, EV_KEY, code) &&
                    libevdev_event_code_get_name(EV_KEY, code) != NULL)
                        joystick_add_input(
                                j, (struct joystick_code){ EV_KEY, (uint16_t)code },
                                (struct joystick_range){
                                        0, 1,
                                        libevdev_get_event_value(j->device, EV_KEY,
                                                                 code) });
}

/* Whether an open device is the one that the source names. */
static bool is_meant(const char *source, const struct libevdev *device)
{
        unsigned vendor, product;
        int len = 0;

        if (strncmp(source, "name:", 5) == 0)
                return strcmp(source + 5, libevdev_get_name(device)) == 0;
        if (sscanf(source, "%4x:%4x%n", &vendor, &product, &len) == 2 &&
            source[len] == '\0')
                return (int)vendor == libevdev_get_id_vendor(device) &&
                       (int)product == libevdev_get_id_product(device);
        return source[0] == '/';
}

/* 0, or the errno. */
static int open_node(struct joystick *j, const char *path)
{
        int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error;

        if (fd < 0)
                return errno;
        error = -libevdev_new_from_fd(fd, &j->device);
        if (error == 0 && is_meant(j->source, j->device)) {
                j->fd = fd;
                snprintf(j->name, sizeof j->name, "%s", libevdev_get_name(j->device));
                return 0;
        }
        if (error == 0)
                libevdev_free(j->device);
        j->device = NULL;
        close(fd);
        return error != 0 ? error : ENODEV;
}

/* Opens the next node that may be it; 0, or the errno. `looked` is 0 again after the last. */
static int look_on(struct joystick *j)
{
        char path[32];
        int error;

        if (j->source[0] == '/')
                return open_node(j, j->source);
        snprintf(path, sizeof path, "/dev/input/event%d", j->looked);
        error = access(path, F_OK) == 0 ? open_node(j, path) : ENOENT;
        j->looked = error == 0 ? 0 : (j->looked + 1) % JOYSTICK_NODES_MAX;
        return error == ENOENT ? ENODEV : error;
}

static int open_device(struct joystick *j)
{
        int error, denied = 0;

        do {
                error = look_on(j);
                if (error == EACCES)
                        denied = EACCES;
        } while (error != 0 && j->looked > 0);
        return error == 0 || denied == 0 ? error : denied;
}

static void lay_out_page(struct joystick *j)
{
        struct joystick_code of;

        snprintf(j->name, sizeof j->name, "page");
        j->fed = true;
        j->fed_ns = INT64_MIN;
        for (size_t i = 0; i < sizeof fed_inputs / sizeof fed_inputs[0]; i++)
                if (joystick_code_from_name(fed_inputs[i].name, &of))
                        joystick_add_input(j, of,
                                           (struct joystick_range){ fed_inputs[i].least,
                                                                    fed_inputs[i].most,
                                                                    0 });
}

struct joystick *joystick_open(const char *source, char *why, size_t cap)
{
        struct joystick *j = calloc(1, sizeof *j);
        int error;

        if (j == NULL) {
                snprintf(why, cap, "out of memory");
                return NULL;
        }
        snprintf(j->source, sizeof j->source, "%s", source);
        if (strcmp(source, "page") == 0) {
                lay_out_page(j);
                return j;
        }
        j->played = strncmp(source, "played:", 7) == 0;
        if (j->played) {
                snprintf(j->name, sizeof j->name, "%.120s", source);
                if (joystick_read_file(j, source + 7, why, cap))
                        return j;
                free(j);
                return NULL;
        }
        error = open_device(j);
        if (error == 0) {
                keep_inputs(j);
                return j;
        }
        snprintf(why, cap, "%s: %s%s", source, strerror(error),
                 error == EACCES ? "; members of the group \"input\" may read it: sudo "
                                   "usermod -aG input $USER, then log in anew"
                                 : "");
        free(j);
        return NULL;
}

static void let_go(struct joystick *j)
{
        if (j->device != NULL) {
                libevdev_free(j->device);
                close(j->fd);
        }
        j->device = NULL;
}

void joystick_close(struct joystick *j)
{
        if (j == NULL)
                return;
        let_go(j);
        free(j);
}

const char *joystick_name(const struct joystick *j)
{
        return j->name;
}

bool joystick_range(const struct joystick *j, struct joystick_code of,
                    struct joystick_range *out)
{
        for (int i = 0; i < j->inputs; i++)
                if (is_same_input(j->input[i].of, of)) {
                        *out = j->input[i].range;
                        return true;
                }
        return false;
}

enum joystick_state joystick_state(const struct joystick *j)
{
        return j->state;
}

/* Of several at one look the last counts, so that a device of 1,000 reports a second does not fill it. */
static void keep_event(struct joystick *j, const struct joystick_event *e)
{
        for (int i = j->events - 1; i >= 0 && j->event[i].t_ns == e->t_ns; i--)
                if (is_same_input(j->event[i].of, e->of)) {
                        j->event[i].value = e->value;
                        return;
                }
        if (j->events < JOYSTICK_EVENTS_MAX)
                j->event[j->events++] = *e;
        else
                j->overrun = true;
}

static void keep_state(struct joystick *j, int64_t t_ns, enum joystick_state state)
{
        struct joystick_event e = { t_ns, no_input, (int32_t)state };

        j->state = state;
        keep_event(j, &e);
}

/* Back again: what it reads now is what has changed meanwhile. One node a call: the loop waits for it. */
static int come_back(struct joystick *j, int64_t t_ns, int64_t now_ns,
                     struct joystick_event *out, int cap)
{
        int count = 0;

        if (now_ns < j->retry_ns)
                return 0;
        if (look_on(j) != 0) {
                if (j->looked == 0)
                        j->retry_ns = now_ns + RETRY_NS;
                return 0;
        }
        keep_state(j, t_ns, JOYSTICK_THERE);
        for (; count < j->inputs && count < cap; count++) {
                struct joystick_code of = j->input[count].of;

                out[count] = (struct joystick_event){
                        t_ns, of, libevdev_get_event_value(j->device, of.type, of.code)
                };
                keep_event(j, &out[count]);
        }
        return count;
}

bool joystick_feed(struct joystick *j, const char *name, double value, int64_t now_ns)
{
        struct joystick_code of;
        struct input *input = NULL;

        if (j->fed && joystick_code_from_name(name, &of))
                input = joystick_find_input(j, of);
        if (input == NULL || !(value >= input->range.least && value <= input->range.most))
                return false;
        input->moved = input->moved || input->fed != (int32_t)value;
        input->fed = (int32_t)value;
        j->fed_ns = now_ns;
        return true;
}

/* One that comes back says where all of it is. */
static int read_fed(struct joystick *j, int64_t t_ns, int64_t now_ns,
                    struct joystick_event *out, int cap)
{
        bool lost = j->fed_ns == INT64_MIN || now_ns - j->fed_ns > FED_PATIENCE_NS;
        bool back = !lost && j->state == JOYSTICK_LOST;
        int count = 0;

        if (lost && j->state == JOYSTICK_THERE)
                keep_state(j, t_ns, JOYSTICK_LOST);
        else if (back)
                keep_state(j, t_ns, JOYSTICK_THERE);
        for (int i = 0; !lost && i < j->inputs && count < cap; i++) {
                struct input *input = &j->input[i];

                if (!input->moved && !back)
                        continue;
                input->moved = false;
                out[count] = (struct joystick_event){ t_ns, input->of, input->fed };
                keep_event(j, &out[count++]);
        }
        return count;
}

int joystick_read(struct joystick *j, int64_t t_ns, int64_t now_ns,
                  struct joystick_event *out, int cap)
{
        unsigned flag = LIBEVDEV_READ_FLAG_NORMAL;
        int count = 0;

        if (j->played)
                return joystick_read_played(j, t_ns, out, cap);
        if (j->fed)
                return read_fed(j, t_ns, now_ns, out, cap);
        if (j->device == NULL)
                return come_back(j, t_ns, now_ns, out, cap);
        while (count < cap) {
                struct input_event e;
                int status = libevdev_next_event(j->device, flag, &e);

                if (status < 0 && status != -EAGAIN) {
                        let_go(j);
                        keep_state(j, t_ns, JOYSTICK_LOST);
                        j->retry_ns = now_ns + RETRY_NS;
                        break;
                }
                if (status == -EAGAIN && flag == LIBEVDEV_READ_FLAG_NORMAL)
                        break;
                /* The kernel dropped some: libevdev gives what differs. */
                flag = status == LIBEVDEV_READ_STATUS_SYNC ? LIBEVDEV_READ_FLAG_SYNC
                                                           : LIBEVDEV_READ_FLAG_NORMAL;
                if (status < 0 ||
                    joystick_find_input(j, (struct joystick_code){ e.type, e.code }) ==
                            NULL)
                        continue;
                out[count] = (struct joystick_event){ t_ns, { e.type, e.code }, e.value };
                keep_event(j, &out[count++]);
        }
        return count;
}

bool joystick_overrun(const struct joystick *j)
{
        return j->overrun;
}
