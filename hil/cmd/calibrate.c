/* `hilrig calibrate`: scale and bias of an accelerometer from a recorded run in which its vehicle was
 * held still in six or more positions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/calibrate/calibrate.h"
#include "hil/cmd/commands.h"
#include "hil/config/config.h"
#include "hil/console/options.h"
#include "hil/record/topics.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

struct job {
        const char *folder;
        int vehicle;
        bool json;
        struct rig_config *config;
        const uint8_t *log;
        size_t log_len;
        struct calibration_data data;
        char why[1600];
};

static const struct option_spec specs[] = {
        { "--vehicle", "N", "index of the vehicle; 0 if left out",
          WHOLE(job, vehicle, 0, VEHICLES_MAX - 1) },
        { "--json", NULL, "as JSON", FLAG(job, json) },
        { NULL },
};

static const struct options options = {
        .command = "calibrate",
        .specs = specs,
        .operand = { "run", .help = "a run folder", TEXT(job, folder) },
        .usage = "calibrate RUN [--vehicle N] [--json]\n\nRUN is the folder of a run in "
                 "which the vehicle lay still, for seconds each, on each of\nits six "
                 "sides, as in rig_configs/rigs/calibrate.json. Exit status 0: here is "
                 "the\ncalibration; 2: there is none, or the run could not be read.\n",
};

static bool read_config(struct job *j)
{
        struct config_error error;
        char path[1024];

        snprintf(path, sizeof path, "%s/config.json", j->folder);
        if (!config_read(j->config, path, NULL, NULL, &error)) {
                snprintf(j->why, sizeof j->why, "%s", error.text);
                return false;
        }
        if (j->vehicle >= j->config->vehicles) {
                snprintf(j->why, sizeof j->why,
                         "--vehicle: must be less than %d, the number of vehicles of "
                         "that run, is %d",
                         j->config->vehicles, j->vehicle);
                return false;
        }
        return true;
}

static bool map_log(struct job *j)
{
        char path[1024];
        const char *why;

        snprintf(path, sizeof path, "%s/run.ulg", j->folder);
        j->log = mapped_file_open(path, &j->log_len, &why);
        if (j->log == NULL)
                snprintf(j->why, sizeof j->why, "%s: %s", path, why);
        return j->log != NULL;
}

/* Singles are enough: at 10 m/s^2 they resolve 1e-6 m/s^2, the least LSB that a rig file allows. */
static bool read_samples(struct job *j)
{
        bool readable, ok = true;
        struct topic_reader *reader = topic_reader_open(j->log, j->log_len, &readable);
        const struct topic_source *source;
        struct topic_record in;
        struct ulog_record record;

        while (ok && readable && topic_reader_next(reader, &record, &source)) {
                if (source == NULL || source->unread ||
                    source->topic != TOPIC_SENSOR_COMBINED ||
                    source->vehicle != (int)j->vehicle)
                        continue;
                topic_decode(source, record.data, &in);
                ok = calibration_add(&j->data, record.t_us,
                                     in.tick.frame.imu.accel_body_mps2);
        }
        free(reader);
        if (!readable)
                snprintf(j->why, sizeof j->why, "%s/run.ulg: %s", j->folder,
                         topic_reader_refusal(j->log, j->log_len));
        else if (!ok)
                snprintf(j->why, sizeof j->why, "out of memory");
        else if (j->data.count == 0)
                snprintf(j->why, sizeof j->why,
                         "%s/run.ulg: has no half second of vehicle %d's accelerometer",
                         j->folder, j->vehicle);
        return readable && ok && j->data.count > 0;
}

static void refuse_missing(struct job *j, unsigned missing)
{
        static const char *const face[6] = {
                "+x (nose up)",         "-x (nose down)",   "+y (left side down)",
                "-y (right side down)", "+z (upside down)", "-z (level)"
        };
        size_t n = (size_t)snprintf(j->why, sizeof j->why,
                                    "%s: it never lay still with gravity felt along",
                                    j->folder);
        const char *separator = " ";

        for (int i = 0; i < 6; i++) {
                if (!(missing & 1U << i) || n >= sizeof j->why)
                        continue;
                n += (size_t)snprintf(j->why + n, sizeof j->why - n, "%s%s", separator,
                                      face[i]);
                separator = ", ";
        }
}

static bool calibrate(struct job *j, struct calibration_result *r)
{
        const struct vehicle_config *v = &j->config->vehicle[j->vehicle];
        unsigned missing;

        r->vehicle = (int)j->vehicle;
        r->name = v->name;
        r->lsb_mps2 = v->params.sensors.imu.accel.lsb;
        r->gravity_mps2 = world_gravity_mps2(&j->config->world, v->start_ned_m.z);
        r->positions = calibration_find_positions(&j->data);
        missing = calibration_missing(&j->data);
        if (missing != 0) {
                refuse_missing(j, missing);
                return false;
        }
        if (calibration_fit(&j->data, r->gravity_mps2, &r->fit))
                return true;
        snprintf(j->why, sizeof j->why,
                 "%s: its positions do not determine scale and bias; hold more, and "
                 "longer",
                 j->folder);
        return false;
}

static int run(struct job *j)
{
        struct calibration_result result;
        int status = 2;

        j->config = calloc(1, sizeof *j->config);
        if (j->config == NULL)
                snprintf(j->why, sizeof j->why, "out of memory");
        else if (read_config(j) && map_log(j) && read_samples(j) && calibrate(j, &result))
                status = calibrate_print(stdout, &result, j->json) ? 0 : 2;
        if (status != 0)
                terminal_complain("calibrate", "%s",
                                  j->why[0] != '\0' ? j->why : "could not be printed");
        mapped_file_close(j->log, j->log_len);
        calibration_free(&j->data);
        if (j->config != NULL)
                config_free(j->config);
        free(j->config);
        return status;
}

int calibrate_command(int argc, char **argv)
{
        struct job j = { 0 };
        int status = options_read(&options, argc, argv, &j);

        return status == OPTIONS_READ ? run(&j) : status;
}
