/* Joysticks through libevdev, and from files. A file has a line for each thing:
 *
 *   axis ABS_X -32768 32767 0     what it has: name, least, most, reading at first
 *   1.250000000 ABS_X 12000       from that second on it reads so
 *   2.500000000 lost              it was unplugged; later, perhaps, "back"
 *
 * and comments behind "#". */
#include "io/joystick/joystick.h"

#include <errno.h>
#include <fcntl.h>
#include <libevdev-1.0/libevdev/libevdev.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS_MAX JOYSTICK_EVENTS_MAX
#define INPUTS_MAX 64
#define RETRY_NS   1000000000LL

struct input {
        struct joystick_code of;
        struct joystick_range range;
};

struct joystick {
        char source[256], name[128];
        struct libevdev *device; /* NULL: played, or lost */
        int fd;
        bool played;
        enum joystick_state state;
        int64_t retry_ns;
        int looked; /* nodes, since it was lost or looked for last */
        int inputs;
        struct input input[INPUTS_MAX];
        int next; /* of those that are played */
        int events;
        bool overrun;
        struct joystick_event event[EVENTS_MAX];
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

static bool is_same(struct joystick_code a, struct joystick_code b)
{
        return a.type == b.type && a.code == b.code;
}

static struct input *find_input(struct joystick *j, struct joystick_code of)
{
        for (int i = 0; i < j->inputs; i++)
                if (is_same(j->input[i].of, of))
                        return &j->input[i];
        return NULL;
}

static bool add_input(struct joystick *j, struct joystick_code of,
                      struct joystick_range range)
{
        if (j->inputs == INPUTS_MAX || find_input(j, of) != NULL)
                return false;
        j->input[j->inputs++] = (struct input){ of, range };
        return true;
}

static bool read_axis_line(struct joystick *j, const char *line)
{
        struct joystick_range range = { 0 };
        struct joystick_code of;
        char name[JOYSTICK_CODE_MAX];

        return sscanf(line, "axis %31s %d %d %d", name, &range.least, &range.most,
                      &range.now) == 4 &&
               range.least < range.most && joystick_code_from_name(name, &of) &&
               add_input(j, of, range);
}

/* In place of an input: that it was unplugged, or is back. */
static const struct joystick_code no_input = { EV_SYN, 0 };
static const char *const state_names[] = {
        [JOYSTICK_THERE] = "back", [JOYSTICK_LOST] = "lost"
};

static bool read_state(const char *name, struct joystick_event *e)
{
        for (int state = JOYSTICK_THERE; state <= JOYSTICK_LOST; state++)
                if (strcmp(name, state_names[state]) == 0) {
                        e->of = no_input;
                        e->value = state;
                        return true;
                }
        return false;
}

static bool read_event_line(struct joystick *j, const char *line)
{
        struct joystick_event e = { 0 };
        char name[JOYSTICK_CODE_MAX];
        double t_s;
        int words = sscanf(line, "%lf %31s %d", &t_s, name, &e.value);

        if (words < 2 || !(t_s >= 0.0) || !(t_s < 1e6) || j->events == EVENTS_MAX)
                return false;
        if (!(words == 2 && read_state(name, &e)) &&
            (words != 3 || !joystick_code_from_name(name, &e.of) ||
             find_input(j, e.of) == NULL))
                return false;
        e.t_ns = (int64_t)(t_s * 1e9 + 0.5);
        if (j->events > 0 && e.t_ns < j->event[j->events - 1].t_ns)
                return false;
        j->event[j->events++] = e;
        return true;
}

static bool read_file(struct joystick *j, const char *path, char *why, size_t cap)
{
        FILE *file = fopen(path, "re");
        char line[200];
        bool good = true;

        if (file == NULL) {
                snprintf(why, cap, "%s: %s", path, strerror(errno));
                return false;
        }
        for (int at = 1; good && fgets(line, sizeof line, file) != NULL; at++) {
                line[strcspn(line, "#\n")] = '\0';
                if (line[strspn(line, " \t\r")] == '\0')
                        continue;
                good = strncmp(line, "axis ", 5) == 0 ? read_axis_line(j, line)
                                                      : read_event_line(j, line);
                if (!good)
                        snprintf(why, cap,
                                 "%s:%d: expected \"axis NAME LEAST MOST FIRST\", "
                                 "\"SECONDS NAME VALUE\" of one of these, or \"SECONDS "
                                 "lost\" or \"back\", in order",
                                 path, at);
        }
        fclose(file);
        return good;
}

static void keep_inputs(struct joystick *j)
{
        j->inputs = 0;
        for (unsigned code = 0; code <= ABS_MAX; code++)
                if (libevdev_has_event_code(j->device, EV_ABS, code) &&
                    libevdev_event_code_get_name(EV_ABS, code) != NULL &&
                    libevdev_get_abs_minimum(j->device, code) <
                            libevdev_get_abs_maximum(j->device, code))
                        add_input(j, (struct joystick_code){ EV_ABS, (uint16_t)code },
                                  (struct joystick_range){
                                          libevdev_get_abs_minimum(j->device, code),
                                          libevdev_get_abs_maximum(j->device, code),
                                          libevdev_get_event_value(j->device, EV_ABS,
                                                                   code) });
        for (unsigned code = BTN_MISC; code <= BTN_TRIGGER_HAPPY40; code++)
                if (libevdev_has_event_code(j->device, EV_KEY, code) &&
                    libevdev_event_code_get_name(EV_KEY, code) != NULL)
                        add_input(j, (struct joystick_code){ EV_KEY, (uint16_t)code },
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

struct joystick *joystick_open(const char *source, char *why, size_t cap)
{
        struct joystick *j = calloc(1, sizeof *j);
        int error;

        if (j == NULL) {
                snprintf(why, cap, "out of memory");
                return NULL;
        }
        snprintf(j->source, sizeof j->source, "%s", source);
        j->played = strncmp(source, "played:", 7) == 0;
        if (j->played) {
                snprintf(j->name, sizeof j->name, "%.120s", source);
                if (read_file(j, source + 7, why, cap))
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
                if (is_same(j->input[i].of, of)) {
                        *out = j->input[i].range;
                        return true;
                }
        return false;
}

enum joystick_state joystick_state(const struct joystick *j)
{
        return j->state;
}

static int read_played(struct joystick *j, int64_t t_ns, struct joystick_event *out,
                       int cap)
{
        int count = 0;

        while (count < cap && j->next < j->events && j->event[j->next].t_ns <= t_ns) {
                const struct joystick_event *e = &j->event[j->next++];

                if (is_same(e->of, no_input))
                        j->state = (enum joystick_state)e->value;
                else
                        out[count++] = *e;
        }
        return count;
}

/* Of several at one look the last counts, so that a device of 1,000 reports a second does not fill it. */
static void keep_event(struct joystick *j, const struct joystick_event *e)
{
        for (int i = j->events - 1; i >= 0 && j->event[i].t_ns == e->t_ns; i--)
                if (is_same(j->event[i].of, e->of)) {
                        j->event[i].value = e->value;
                        return;
                }
        if (j->events < EVENTS_MAX)
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

int joystick_read(struct joystick *j, int64_t t_ns, int64_t now_ns,
                  struct joystick_event *out, int cap)
{
        unsigned flag = LIBEVDEV_READ_FLAG_NORMAL;
        int count = 0;

        if (j->played)
                return read_played(j, t_ns, out, cap);
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
                    find_input(j, (struct joystick_code){ e.type, e.code }) == NULL)
                        continue;
                out[count] = (struct joystick_event){ t_ns, { e.type, e.code }, e.value };
                keep_event(j, &out[count++]);
        }
        return count;
}

static const char *code_name(struct joystick_code of)
{
        const char *name = libevdev_event_code_get_name(of.type, of.code);

        return name != NULL ? name : "?";
}

bool joystick_write(const struct joystick *j, FILE *out)
{
        fprintf(out, "# %s\n", j->name);
        for (int i = 0; i < j->inputs; i++)
                fprintf(out, "axis %s %d %d %d\n", code_name(j->input[i].of),
                        j->input[i].range.least, j->input[i].range.most,
                        j->input[i].range.now);
        for (int i = 0; i < j->events; i++) {
                const struct joystick_event *e = &j->event[i];

                if (is_same(e->of, no_input))
                        fprintf(out, "%.9f %s\n", (double)e->t_ns * 1e-9,
                                state_names[e->value]);
                else
                        fprintf(out, "%.9f %s %d\n", (double)e->t_ns * 1e-9,
                                code_name(e->of), e->value);
        }
        return !ferror(out);
}

bool joystick_overrun(const struct joystick *j)
{
        return j->overrun;
}
