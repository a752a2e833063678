/* Any bytes as the run.ulg of a flight with a stimulus, in lockstep or real time by the first byte: it is refused with a
 * reason, or every figure of its latency can be printed, and no frame is answered before it was sent. */
#include <math.h>
#include <sys/stat.h>

#include "hil/latency/measure.h"
#include "hil/text/json.h"
#include "tests/fuzz/fuzz.h"

/* 140 periods of 5 ms: a sequence of 7 chips, 20 times. */
static const char rig[] =
        "{\"include\": \"%s/rig_configs/default.json\", \"period_us\": 5000, \"pace\": "
        "\"%s\", "
        "\"scenario\": {\"name\": \"s\", \"duration_s\": 1, \"requirements\": [], "
        "\"steps\": [{\"at_s\": 0.1, "
        "\"mode\": \"disarmed\", \"stimulus\": {\"input\": \"gyro_x_dps\", \"shape\": "
        "\"prbs\", \"amplitude\": 5, \"bits\": 3, \"chip_us\": 5000, \"for_s\": 0.7}}]}}";

static void put_log_file(const char *folder, const char *name, const void *bytes,
                         size_t len)
{
        char path[200];
        int fd;

        snprintf(path, sizeof path, "%s/%s", folder, name);
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        expect(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
        close(fd);
}

/* One folder for each pace, for as long as the process lasts. */
static const char *folder_of(int pace)
{
        static char folder[2][100];
        static const char *const name[2] = { "lockstep", "realtime" };
        const char *tmp = getenv("TMPDIR");
        char cwd[400], text[1200];

        if (folder[pace][0] != '\0')
                return folder[pace];
        snprintf(folder[pace], sizeof folder[pace], "%.60s/fuzz_latency-XXXXXX",
                 tmp ? tmp : "/tmp");
        expect(mkdtemp(folder[pace]) != NULL && getcwd(cwd, sizeof cwd) != NULL);
        snprintf(text, sizeof text, rig, cwd, name[pace]);
        put_log_file(folder[pace], "config.json", text, strlen(text));
        return folder[pace];
}

static void check_frames(const struct latency_run *run)
{
        struct latency_samples trips = { 0 };

        expect(run->ticks > 1 && run->ticks <= 140);
        for (int i = 0; i < run->ticks; i++)
                expect(isnan(run->frame[i].answer_s) ||
                       run->frame[i].answers < run->ticks);
        expect(latency_round_trips(run->frame, run->ticks, &trips));
        for (int i = 0; i < trips.count; i++)
                expect(trips.s[i] >= 0.0);
        latency_free(&trips);
}

static void check_result(const struct latency_run *run, const struct latency_result *r)
{
        char *json = latency_json(run, r), *text = NULL;
        struct json_error why;
        struct json *root;
        size_t len;
        FILE *out = open_memstream(&text, &len);

        expect(json != NULL && out != NULL);
        root = json_parse(json, strlen(json), "latency.json", &why);
        expect(root != NULL);
        json_free(root);
        latency_print(out, run, r);
        latency_print_repeats(out, r);
        latency_print_response(out, r);
        latency_plot(out, r);
        fclose(out);
        expect(strstr(text, "</svg>") != NULL);
        free(text);
        free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        const char *folder = folder_of(size > 0 ? data[0] & 1 : 0);
        struct response_model model = { 0 };
        struct latency_run run = { 0 };
        struct latency_result result = { 0 };

        put_log_file(folder, "run.ulg", data + (size > 0), size - (size > 0));
        expect(response_model_parse(&model, "none"));
        if (latency_run_open(&run, folder, 0)) {
                check_frames(&run);
                if (latency_measure(&run, &model, &result))
                        check_result(&run, &result);
                else
                        expect(result.why[0] != '\0');
        } else {
                expect(run.why[0] != '\0');
        }
        latency_result_free(&result);
        latency_run_close(&run);
        return 0;
}
