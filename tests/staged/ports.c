/* What `hilrig ports` lists: the real libserialport on the stage of serial_stage.h, and USB devices
 * that this program plays in libusb's place. */
#include "tests/staged/serial_stage.h"
#include "tests/suites.h"

#include <cjson/cJSON.h>
#include <libusb-1.0/libusb.h>

#include "hil/attached/ports_scan.h"
#include "io/joystick/joystick.h"

PROCESS_EACH

/* libusb's side. */
struct libusb_device {
        uint16_t vid, pid;
        const char *serial;
        bool permitted;
        bool bulk; /* of its maker's own class */
};

static struct libusb_device attached[8];
static int attached_count;
static int usb_error; /* what libusb_init() fails with: a kernel without USB */
static int usb_open; /* contexts, lists and handles that were not given back */

int libusb_init(libusb_context **context)
{
        *context = NULL;
        usb_open += usb_error == 0;
        return usb_error;
}

void libusb_exit(libusb_context *context)
{
        (void)context;
        usb_open--;
}

ssize_t libusb_get_device_list(libusb_context *context, libusb_device ***list)
{
        (void)context;
        *list = calloc((size_t)attached_count + 1, sizeof(libusb_device *));
        for (int i = 0; i < attached_count; i++)
                (*list)[i] = &attached[i];
        usb_open++;
        return attached_count;
}

void libusb_free_device_list(libusb_device **list, int unref)
{
        ck_assert_int_eq(unref, 1);
        free(list);
        usb_open--;
}

int libusb_get_device_descriptor(libusb_device *device,
                                 struct libusb_device_descriptor *d)
{
        *d = (struct libusb_device_descriptor){ .idVendor = device->vid,
                                                .idProduct = device->pid,
                                                .iProduct = 1,
                                                .iSerialNumber = 2 };
        return 0;
}

int libusb_get_active_config_descriptor(libusb_device *device,
                                        struct libusb_config_descriptor **config)
{
        static const struct libusb_endpoint_descriptor endpoint[2] = {
                { .bEndpointAddress = 0x81, .bmAttributes = 2, .wMaxPacketSize = 64 },
                { .bEndpointAddress = 0x01, .bmAttributes = 2, .wMaxPacketSize = 64 },
        };
        static struct libusb_interface_descriptor setting = {
                .bInterfaceClass = LIBUSB_CLASS_VENDOR_SPEC,
                .bNumEndpoints = 2,
                .endpoint = endpoint,
        };
        static const struct libusb_interface interface = { &setting, 1 };
        static struct libusb_config_descriptor own = { .bNumInterfaces = 1,
                                                       .interface = &interface };

        if (!device->bulk)
                return LIBUSB_ERROR_NOT_FOUND;
        *config = &own;
        usb_open++;
        return 0;
}

void libusb_free_config_descriptor(struct libusb_config_descriptor *config)
{
        (void)config;
        usb_open--;
}

uint8_t libusb_get_bus_number(libusb_device *device)
{
        (void)device;
        return 1;
}

/* One behind the other at the ports of a hub. */
int libusb_get_port_numbers(libusb_device *device, uint8_t *ports, int max)
{
        ck_assert_int_ge(max, 7);
        ports[0] = 4;
        ports[1] = (uint8_t)(device - attached + 1);
        return 2;
}

int libusb_open(libusb_device *device, libusb_device_handle **handle)
{
        if (!device->permitted)
                return LIBUSB_ERROR_ACCESS;
        *handle = (libusb_device_handle *)device;
        usb_open++;
        return 0;
}

void libusb_close(libusb_device_handle *handle)
{
        (void)handle;
        usb_open--;
}

int libusb_get_string_descriptor_ascii(libusb_device_handle *handle, uint8_t index,
                                       unsigned char *text, int size)
{
        const struct libusb_device *device = (const struct libusb_device *)handle;

        return snprintf((char *)text, (size_t)size, "%s",
                        index == 1 ? "Gadget" : device->serial);
}

static void attach(uint16_t vid, uint16_t pid, const char *serial, bool permitted)
{
        attached[attached_count++] =
                (struct libusb_device){ vid, pid, serial, permitted, false };
}

static char printed[4096];

static const char *print(bool json)
{
        FILE *out = fmemopen(printed, sizeof printed, "w");

        ck_assert_int_eq(ports_print(out, json), 0);
        fclose(out);
        ck_assert_int_eq(usb_open, 0);
        return printed;
}

/* In place of this machine's own. */
static int joysticks;

int joystick_list(struct joystick_found *out, int max, bool *denied)
{
        *denied = false;
        if (joysticks > 0 && max > 0)
                out[0] = (struct joystick_found){ "/dev/input/event5", "Bench\x1b pad",
                                                  0x046d, 0xc216 };
        return joysticks;
}

static struct link *board;

static void plug_bridge(void)
{
        board = opened_text("pty");
        plug(0, board, "0403", "6001", "A1");
}

static void tear_down(void)
{
        if (board != NULL)
                link_close(board);
        strike_stage();
}

FIXTURE(set_stage, tear_down)

TEST(ports_names_joysticks)
{
        joysticks = 1;
        ck_assert_str_eq(print(false),
                         "/dev/input/event5 046d:c216  joystick, gamepad or radio in "
                         "joystick mode  Bench? pad\n");
        ck_assert_ptr_nonnull(strstr(print(true), "{\"kind\": \"joystick\", "));
        joysticks = 0;
}

TEST(ports_says_that_nothing_is_attached)
{
        ck_assert_str_eq(print(false),
                         "no serial or USB devices and no joysticks found\n");
        ck_assert_str_eq(print(true), "{\"ports\": []}\n");
        usb_error = LIBUSB_ERROR_NOT_FOUND;
        ck_assert_str_eq(print(false),
                         "no serial or USB devices and no joysticks found\n");
}

TEST(ports_lists_a_serial_port_with_what_it_could_be)
{
        plug_bridge();
        ck_assert_str_eq(print(false),
                         "/dev/ttyUSB0   0403:6001:A1  USB-UART bridge (FTDI "
                         "FT232R)  ACME Adapter\n");
}

TEST(ports_lists_a_usb_device_once)
{
        plug_bridge();
        attach(0x0403, 0x6001, "A1", true); /* the same adapter as libusb sees it */
        attach(0x0403, 0x6001, "", false); /* and where its strings are not for us */
        attach(0x0403, 0x6001, "B2", true); /* another, without a driver */
        print(false);
        ck_assert_ptr_nonnull(strstr(printed, "/dev/ttyUSB0   0403:6001:A1  "));
        ck_assert_ptr_null(strstr(printed, "usb 1-4.1"));
        ck_assert_ptr_null(strstr(printed, "usb 1-4.2"));
        ck_assert_ptr_nonnull(
                strstr(printed, "\nusb 1-4.3      0403:6001:B2  USB-UART bridge"));
}

TEST(ports_lists_analyzers_and_leaves_keyboards_out)
{
        attach(0x046d, 0xc31c, "K1", true);
        attach(0x0925, 0x3881, "", false);
        attach(0x1d50, 0x608c, "S1", true);
        ck_assert_str_eq(
                print(false),
                "usb 1-4.2      0925:3881  logic analyzer (fx2lafw, Saleae Logic kind) "
                "as fx2:1-4.2\n"
                "usb 1-4.3      1d50:608c:S1  logic analyzer (fx2lafw, firmware loaded) "
                "as "
                "fx2:1-4.3  Gadget\n");
}

static const char *member(const cJSON *object, const char *key)
{
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

        ck_assert_msg(item != NULL, "no %s in %s", key, printed);
        return cJSON_IsString(item) ? item->valuestring : NULL;
}

TEST(ports_lists_a_board_of_unknown_ids_that_a_usb_link_could_open)
{
        attach(0x1209, 0x0001, "B7", true);
        attached[0].bulk = true;
        ck_assert_ptr_nonnull(strstr(print(false), "usb 1-4.1"));
        ck_assert_ptr_nonnull(strstr(
                printed,
                "1209:0001:B7  USB device with bulk endpoints of its own as usb:1-4.1"));
        ck_assert_ptr_nonnull(strstr(print(true), "\"link\": \"usb:1-4.1\""));
}

TEST(ports_json_holds_the_same_and_the_link_to_write)
{
        const cJSON *list, *serial, *usb;
        cJSON *root;

        plug_bridge();
        attach(0x08a9, 0x0014, "", false);
        root = cJSON_Parse(print(true));
        list = cJSON_GetObjectItemCaseSensitive(root, "ports");
        ck_assert_int_eq(cJSON_GetArraySize(list), 2);
        serial = cJSON_GetArrayItem(list, 0);
        usb = cJSON_GetArrayItem(list, 1);
        ck_assert_str_eq(member(serial, "kind"), "serial");
        ck_assert_str_eq(member(serial, "path"), "/dev/ttyUSB0");
        ck_assert_str_eq(member(serial, "usb"), "0403:6001");
        ck_assert_str_eq(member(serial, "serial"), "A1");
        ck_assert_str_eq(member(serial, "manufacturer"), "ACME");
        ck_assert_str_eq(member(serial, "product"), "Adapter");
        ck_assert_str_eq(member(serial, "guess"), "USB-UART bridge (FTDI FT232R)");
        link_close(opened_text(member(serial, "link")));
        ck_assert_str_eq(member(usb, "kind"), "usb");
        ck_assert_ptr_null(member(usb, "serial"));
        ck_assert_ptr_null(member(usb, "link"));
        ck_assert_str_eq(member(usb, "capture"), "fx2:1-4.1");
        ck_assert_ptr_null(member(serial, "capture"));
        cJSON_Delete(root);
}

TEST(ports_prints_no_byte_of_a_device_that_acts_on_a_terminal_or_in_json)
{
        struct port p = {
                .serial = true, .path = "/dev/ttyUSB0", .usb_vid = 1, .usb_pid = 2
        };
        cJSON *root;

        strcpy(p.product, "\033]0;gotcha\a\",\n\\\xff");
        strcpy(p.usb_serial, "\"}]}");
        for (int json = 0; json < 2; json++) {
                FILE *out = fmemopen(printed, sizeof printed, "w");

                ports_write(out, json != 0, &p, 1);
                fclose(out);
                for (const char *c = printed; c[1] != '\0'; c++)
                        ck_assert(*c >= ' ' && *c <= '~');
        }
        root = cJSON_Parse(printed);
        ck_assert_ptr_nonnull(root);
        cJSON_Delete(root);
}

TEST(ports_guess_tells_boards_bridges_and_analyzers_apart)
{
        ck_assert_ptr_nonnull(strstr(ports_guess(0x0483, 0x5740), "flight controller"));
        ck_assert_ptr_nonnull(strstr(ports_guess(0x26ac, 0x0032), "flight controller"));
        ck_assert_ptr_nonnull(strstr(ports_guess(0x10c4, 0xea60), "bridge"));
        ck_assert_ptr_nonnull(strstr(ports_guess(0x1a86, 0x7523), "bridge"));
        ck_assert_ptr_nonnull(strstr(ports_guess(0x04b4, 0x8613), "analyzer"));
        ck_assert_ptr_null(ports_guess(0x0483, 0x5741));
        ck_assert_ptr_null(ports_guess(-1, -1));
}
