/* Any bytes as what a page says, as the log of a recorded run, and as an address: every document that comes of it is JSON. The first
 * byte chooses. */
#include "hil/live/request.h"
#include "hil/live/stream.h"
#include "tests/fuzz/fuzz.h"

#define VEHICLES 2

static struct vehicle_config vehicle[VEHICLES];
static struct rig_config rig = { .name = "rig",
                                 .vehicles = VEHICLES,
                                 .vehicle = vehicle,
                                 .stop_after_ns = 1000000000 };

static void prepare_rig(void)
{
        for (int i = 0; i < VEHICLES; i++) {
                vehicle[i].params.rotors = 4;
                vehicle[i].params.sensors.sonar.count = 2;
        }
        vehicle[1].joystick = (struct joystick_config){ .used = true, .source = "page" };
}

/* False: there was none. */
static bool check_document(char *text)
{
        struct json_error why;
        struct json *document;

        if (text == NULL)
                return false;
        document = json_parse(text, strlen(text), NULL, &why);
        if (json_string(document, "kind") == NULL)
                abort();
        json_free(document);
        free(text);
        return true;
}

static void hear(const char *text, size_t len)
{
        static const char order[] = "{\"kind\":\"do\",\"what\":\"step\",\"value\":3}";
        struct live_stream stream;
        struct live_viewer viewer = { 0 };
        struct live_frame *frame = calloc(1, live_frame_size(VEHICLES));
        uint64_t memory[1024];
        struct ring orders;
        size_t order_len;

        ring_init(&orders, memory, sizeof memory);
        if (frame == NULL || !live_stream_open(&stream, &rig, &orders))
                abort();
        frame->number = 1;
        frame->vehicles = VEHICLES;
        live_stream_take_frame(&stream, frame);
        live_viewer_hear(&viewer, &stream, text, len);
        while (check_document(live_viewer_next(&viewer, &stream)))
                ;
        if (!live_viewer_is_done(&viewer, &stream) || viewer.asked.count > LIVE_ASKED_MAX)
                abort();
        for (const void *taken; (taken = ring_front(&orders, &order_len)) != NULL;) {
                free(((const struct live_order *)taken)->text);
                ring_release(&orders);
        }
        live_viewer_hear(&viewer, &stream, order, sizeof order - 1);
        if (ring_front(&orders, &order_len) == NULL)
                abort();
        live_viewer_close(&viewer);
        live_stream_close(&stream);
        free(frame);
}

static void read_log(const uint8_t *data, size_t len)
{
        char scene[] = "{\"kind\":\"scene\"}";
        const struct live_recording recording = { .rig = &rig,
                                                  .scene = scene,
                                                  .log = data,
                                                  .log_len = len,
                                                  .frame_ns = 33333333 };
        struct live_reading *reading = live_reading_open(&recording);
        struct live_asked asked = { .count = 1 };
        int first = 0, again = 0;

        /* It is no log. */
        if (reading == NULL)
                return;
        live_quantity_find(&asked.quantity[0], "v1.sensor_combined.gyro_rad[2]",
                           VEHICLES);
        while (check_document(live_reading_next(reading, &asked)))
                first++;
        live_reading_again(reading);
        while (check_document(live_reading_next(reading, &asked)))
                again++;
        /* Frames, and the end. */
        if (again < 1 || again > first)
                abort();
        live_reading_close(reading);
}

static void read_address(const char *text)
{
        struct live_address a;
        char why[300];

        if (live_address_read(&a, text, why, sizeof why) &&
            (a.port < 0 || a.port > 65535))
                abort();
        a = (struct live_address){ "127.0.0.1", 80, false };
        live_host_is_ours(&a, text);
        live_origin_is_ours(text, text);
        live_token_is("0123456789abcdef", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        char *text;

        if (len < 1)
                return 0;
        prepare_rig();
        text = calloc(1, len);
        if (text == NULL)
                abort();
        memcpy(text, data + 1, len - 1);
        if (data[0] % 3 == 0)
                hear(text, len - 1);
        else if (data[0] % 3 == 1)
                read_log(data + 1, len - 1);
        else
                read_address(text);
        free(text);
        return 0;
}
