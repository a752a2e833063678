/* Any bytes as a log of a flight of each format: every sample is a number of a possible size, and there are no more of
 * them than bytes. The first byte chooses the format and the log in the file. */
#include <assert.h>

#include "io/log/flight_reader.h"
#include "tests/fuzz/fuzz.h"

/* A header that lets most bytes be frames. */
static const char blackbox[] =
        "H Product:Blackbox flight data recorder by Nicholas Sherlock\n"
        "H Data version:2\nH gyro_scale:0x3f800000\nH acc_1G:2048\n"
        "H Field I name:loopIteration,time,gyroADC[0],gyroADC[1],gyroADC[2],"
        "accSmooth[0],accSmooth[1],accSmooth[2],motor[0]\n"
        "H Field I predictor:0,0,0,0,0,9,8,4,11\nH Field I encoding:1,1,0,0,0,3,6,6,1\n"
        "H Field P predictor:6,2,3,3,3,1,1,1,3\nH Field P encoding:9,0,7,7,7,10,10,10,0\n"
        "H Field S name:a,b,c,d\nH Field S predictor:0,0,0,0\nH Field S "
        "encoding:8,8,8,8\n";

static const struct {
        const char *head;
        size_t len;
} heads[] = { { "", 0 },
              { "ULog\x01\x12\x35\x01\0\0\0\0\0\0\0\0", 16 },
              { "\xA3\x95\x80", 3 },
              { blackbox, sizeof blackbox - 1 },
              { "t_s,north_m,east_m,down_m,motor_0\n", 34 } };

static void read_all(const uint8_t *bytes, size_t len, int number, bool sensors)
{
        struct flight_log_sample s;
        char why[300] = "";
        size_t samples = 0;
        struct flight_log *log = (sensors ? flight_log_open_sensors : flight_log_open)(
                bytes, len, "log", number, why, sizeof why);

        if (log == NULL) {
                assert(strncmp(why, "log: ", 5) == 0);
                return;
        }
        while (flight_log_next(log, &s)) {
                assert(flight_log_is_sane(&s));
                assert(s.motors >= 0 && s.motors <= ROTORS_MAX);
                assert(++samples <= len);
        }
        assert(!flight_log_next(log, &s));
        flight_log_close(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        size_t which = size > 0 ? data[0] % (sizeof heads / sizeof heads[0]) : 0;
        size_t len = size > 0 ? heads[which].len + size - 1 : 0;
        uint8_t *bytes = malloc(len + 1);
        int number = size > 0 ? 1 + data[0] / 128 : 1;

        if (bytes == NULL)
                return 0;
        if (size > 0) {
                memcpy(bytes, heads[which].head, heads[which].len);
                memcpy(bytes + heads[which].len, data + 1, size - 1);
        }
        read_all(bytes, len, number, size > 0 && data[0] / 64 % 2 != 0);
        free(bytes);
        return 0;
}
