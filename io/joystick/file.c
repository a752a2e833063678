/* What came of a joystick, as a file that can be played. It has a line for each thing:
 *
 *   axis ABS_X -32768 32767 0     what it has: name, least, most, reading at first
 *   1.250000000 ABS_X 12000       from that second on it reads so
 *   2.500000000 lost              it was unplugged; later, perhaps, "back"
 *
 * and comments behind "#". */
#include "io/joystick/inside.h"

#include <errno.h>
#include <string.h>

static bool read_axis_line(struct joystick *j, const char *line)
{
        struct joystick_range range = { 0 };
        struct joystick_code of;
        char name[JOYSTICK_CODE_MAX];

        return sscanf(line, "axis %31s %d %d %d", name, &range.least, &range.most,
                      &range.now) == 4 &&
               range.least < range.most && joystick_code_from_name(name, &of) &&
               joystick_add_input(j, of, range);
}

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

        if (words < 2 || !(t_s >= 0.0) || !(t_s < 1e6) ||
            j->events == JOYSTICK_EVENTS_MAX)
                return false;
        if (!(words == 2 && read_state(name, &e)) &&
            (words != 3 || !joystick_code_from_name(name, &e.of) ||
             joystick_find_input(j, e.of) == NULL))
                return false;
        e.t_ns = (int64_t)(t_s * 1e9 + 0.5);
        if (j->events > 0 && e.t_ns < j->event[j->events - 1].t_ns)
                return false;
        j->event[j->events++] = e;
        return true;
}

bool joystick_read_file(struct joystick *j, const char *path, char *why, size_t cap)
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

int joystick_read_played(struct joystick *j, int64_t t_ns, struct joystick_event *out,
                         int cap)
{
        int count = 0;

        while (count < cap && j->next < j->events && j->event[j->next].t_ns <= t_ns) {
                const struct joystick_event *e = &j->event[j->next++];

                if (is_same_input(e->of, no_input))
                        j->state = (enum joystick_state)e->value;
                else
                        out[count++] = *e;
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

                if (is_same_input(e->of, no_input))
                        fprintf(out, "%.9f %s\n", (double)e->t_ns * 1e-9,
                                state_names[e->value]);
                else
                        fprintf(out, "%.9f %s %d\n", (double)e->t_ns * 1e-9,
                                code_name(e->of), e->value);
        }
        return !ferror(out);
}
