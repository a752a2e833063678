/* A program on a machine with one logic analyzer at USB port 1-4, that umockdev plays:
 *
 *   usb_bus [--bare FIRMWARE] COMMAND [ARGUMENT]...
 *
 * runs the command there: sysfs, udev and the device's node are made up, usbfs's requests come here and go to the
 * model of tests/usb/emulated_fx2.h. Sample k of its pads is k / 24, low byte, and they come as fast as they are
 * taken. Bare, it leaves the bus once the bytes of that file are in it, and comes back under another address. Ends
 * with the command's exit status. */
#include <errno.h>
#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <umockdev.h>
#include <unistd.h>

#include "io/le.h"
#include "tests/usb/emulated_fx2.h"

#define URBS    4096
#define PRELOAD "libumockdev-preload.so.0"

/* A transfer, as the other process has it in its memory. */
struct transfer {
        UMockdevIoctlData *urb, *buffer;
};

static struct {
        UMockdevTestbed *bed;
        int address;
        int gate; /* the node, a pipe: full until a transfer has ended */
        bool open; /* the gate */
        struct transfer waiting[URBS], ended[URBS];
        int waits, ends;
        GMainLoop *loop;
        int status;
} bus;

static struct emulated_fx2 fx2;
static uint8_t firmware[EMULATED_FX2_MEMORY];

static void set_gate(bool open)
{
        char byte = 0;

        if (open == bus.open)
                return;
        if (open ? read(bus.gate, &byte, 1) == 1 : write(bus.gate, &byte, 1) == 1)
                bus.open = open;
}

static struct transfer take(struct transfer *list, int *count, int at)
{
        struct transfer taken = list[at];

        memmove(list + at, list + at + 1, (size_t)(--*count - at) * sizeof *list);
        return taken;
}

static struct usbdevfs_urb *urb_of(const struct transfer *t)
{
        return (struct usbdevfs_urb *)t->urb->data;
}

static void end(struct transfer t, int status)
{
        urb_of(&t)->status = status;
        if (bus.ends == URBS)
                abort();
        bus.ended[bus.ends++] = t;
        set_gate(true);
}

static void end_waiting(int status)
{
        while (bus.waits > 0)
                end(take(bus.waiting, &bus.waits, 0), status);
}

/* The pads at work, until the first transfer is full. */
static void fill_waiting(void)
{
        while (bus.waits > 0 && fx2.running) {
                struct usbdevfs_urb *urb = urb_of(&bus.waiting[0]);
                uint8_t sample = (uint8_t)(fx2.fed / 24);
                int moved;

                emulated_fx2_feed(&fx2, &sample, 1);
                moved = fx2.model.ops->in(&fx2.model, urb->endpoint & 15,
                                          bus.waiting[0].buffer->data,
                                          (size_t)urb->buffer_length);
                if (moved == USB_NAK)
                        continue;
                urb->actual_length = moved > 0 ? moved : 0;
                end(take(bus.waiting, &bus.waits, 0), moved > 0 ? 0 : -EPIPE);
                return;
        }
}

static gboolean come_back(gpointer nothing);

static void control(struct transfer t)
{
        struct usbdevfs_urb *urb = urb_of(&t);
        uint8_t *bytes = t.buffer->data;
        const struct usb_setup setup = { bytes[0], bytes[1], le_get_u16(bytes + 2),
                                         le_get_u16(bytes + 4), le_get_u16(bytes + 6) };
        int moved = usb_standard_control(&fx2.model, &setup, bytes + 8);

        urb->actual_length = (setup.type & 0x80) != 0 ? moved : setup.len;
        end(t, moved < 0 ? -EPIPE : 0);
        if (fx2.model.replaced)
                g_timeout_add(100, come_back, NULL);
}

static int submit(UMockdevIoctlData *data)
{
        struct usbdevfs_urb *urb = (struct usbdevfs_urb *)data->data;
        struct transfer t = { data, NULL };

        if (urb->buffer_length > 0)
                t.buffer = umockdev_ioctl_data_resolve(
                        data, offsetof(struct usbdevfs_urb, buffer),
                        (gsize)urb->buffer_length, NULL);
        if (t.buffer == NULL || bus.waits == URBS)
                return EINVAL;
        g_object_ref(data);
        urb->actual_length = 0;
        if (urb->type == USBDEVFS_URB_TYPE_CONTROL)
                control(t);
        else
                bus.waiting[bus.waits++] = t;
        if (bus.ends == 0)
                fill_waiting();
        return 0;
}

static int reap(UMockdevIoctlData *data)
{
        if (bus.ends == 0)
                fill_waiting();
        if (bus.ends == 0) {
                set_gate(false);
                return EAGAIN;
        }
        umockdev_ioctl_data_set_ptr(data, 0, take(bus.ended, &bus.ends, 0).urb);
        return 0;
}

static int discard(UMockdevIoctlClient *client)
{
        gulong address;

        memcpy(&address, umockdev_ioctl_client_get_arg(client)->data, sizeof address);
        for (int i = 0; i < bus.waits; i++)
                if (bus.waiting[i].urb->client_addr == address) {
                        end(take(bus.waiting, &bus.waits, i), -ENOENT);
                        return 0;
                }
        return EINVAL;
}

static int answer(UMockdevIoctlClient *client, gulong request, UMockdevIoctlData *data)
{
        switch (request) {
        case USBDEVFS_GET_CAPABILITIES:
                *(guint32 *)data->data = USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                         USBDEVFS_CAP_BULK_SCATTER_GATHER;
                return 0;
        case USBDEVFS_SUBMITURB:
                return submit(data);
        case USBDEVFS_REAPURBNDELAY:
                return reap(data);
        case USBDEVFS_DISCARDURB:
                return discard(client);
        case USBDEVFS_CLAIMINTERFACE:
        case USBDEVFS_DISCONNECT_CLAIM:
        case USBDEVFS_RELEASEINTERFACE:
        case USBDEVFS_SETCONFIGURATION:
        case USBDEVFS_CLEAR_HALT:
                return 0;
        default: /* no kernel driver here to ask for or to attach */
                return ENODATA;
        }
}

static gboolean on_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client,
                         gpointer nothing)
{
        gulong request = umockdev_ioctl_client_get_request(client);
        gsize size = _IOC_SIZE(request);
        UMockdevIoctlData *data = NULL;
        int error;

        (void)handler, (void)nothing;
        if (size > 0)
                data = umockdev_ioctl_data_resolve(umockdev_ioctl_client_get_arg(client),
                                                   0, size, NULL);
        error = size > 0 && data == NULL ? EFAULT : answer(client, request, data);
        umockdev_ioctl_client_complete(client, error == 0 ? 0 : -1, error);
        return TRUE;
}

/* A program that was killed leaves nothing queued. */
static void on_vanished(UMockdevIoctlBase *handler, UMockdevIoctlClient *client,
                        gpointer nothing)
{
        (void)handler, (void)client, (void)nothing;
        bus.waits = bus.ends = 0;
        set_gate(false);
}

static void put_hex(GString *to, const uint8_t *bytes, size_t len)
{
        for (size_t i = 0; i < len; i++)
                g_string_append_printf(to, "%02X", bytes[i]);
}

/* The regular file that umockdev makes would always be ready. */
static void make_node(const char *node)
{
        char *root = umockdev_testbed_get_root_dir(bus.bed);
        char *path = g_strconcat(root, node, NULL);

        if (unlink(path) != 0 || mkfifo(path, 0666) != 0)
                abort();
        bus.gate = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        if (bus.gate < 0 || fcntl(bus.gate, F_SETPIPE_SZ, 4096) < 0)
                abort();
        bus.open = true;
        set_gate(false);
        g_free(path);
        g_free(root);
}

static void plug(void)
{
        UMockdevIoctlBase *handler = umockdev_ioctl_base_new();
        GString *text = g_string_new(NULL);
        char node[40];

        usb_standard_reset(&fx2.model);
        fx2.model.configured = 1;
        snprintf(node, sizeof node, "/dev/bus/usb/001/%03d", ++bus.address);
        g_string_append_printf(
                text,
                "P: /devices/pci0000:00/0000:00:14.0/usb1/1-4\nN: %s\nE: DEVNAME=%s\n"
                "E: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\nE: BUSNUM=001\nE: DEVNUM=%03d\n"
                "A: busnum=1\\n\nA: devnum=%d\\n\nA: speed=480\\n\n"
                "A: bConfigurationValue=1\\n\nA: idVendor=%04x\\n\nA: "
                "idProduct=%04x\\n\n",
                node + 5, node, bus.address, bus.address, fx2.vid, fx2.pid);
        g_string_append(text, "H: descriptors=");
        put_hex(text, fx2.model.device, 18);
        put_hex(text, fx2.model.configuration, le_get_u16(fx2.model.configuration + 2));
        g_string_append(text, "\n\n");
        if (!umockdev_testbed_add_from_string(bus.bed, text->str, NULL))
                abort();
        make_node(node);
        g_signal_connect(handler, "handle-ioctl", G_CALLBACK(on_ioctl), NULL);
        g_signal_connect(handler, "client-vanished", G_CALLBACK(on_vanished), NULL);
        if (!umockdev_testbed_attach_ioctl(bus.bed, node, handler, NULL))
                abort();
        umockdev_testbed_uevent(bus.bed, "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-4",
                                "add");
        g_string_free(text, TRUE);
}

static gboolean come_back(gpointer nothing)
{
        static const char path[] = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-4";

        (void)nothing;
        end_waiting(-ESHUTDOWN);
        umockdev_testbed_uevent(bus.bed, path, "remove");
        umockdev_testbed_remove_device(bus.bed, path);
        bus.waits = bus.ends = 0;
        if (!fx2.hung)
                plug();
        return G_SOURCE_REMOVE;
}

static void on_exit_of_command(GPid pid, gint status, gpointer nothing)
{
        (void)pid, (void)nothing;
        bus.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        g_main_loop_quit(bus.loop);
}

/* umockdev is for programs that have its library in front of the C library; this one sends events through it. */
static void begin_anew(char **argv)
{
        const char *before = getenv("LD_PRELOAD");

        if (before != NULL && strstr(before, PRELOAD) != NULL)
                return;
        setenv("LD_PRELOAD", PRELOAD, 1);
        /* A program with AddressSanitizer in it minds that something was loaded before. */
        setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 0);
        execv("/proc/self/exe", argv);
}

static bool run(char **command)
{
        GPid pid;
        bool ok;

        ok = g_spawn_async(NULL, command, NULL,
                           G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH |
                                   G_SPAWN_CHILD_INHERITS_STDIN,
                           NULL, NULL, &pid, NULL);
        if (ok)
                g_child_watch_add(pid, on_exit_of_command, NULL);
        return ok;
}

static bool load(const char *path)
{
        FILE *f = fopen(path, "rb");

        if (f == NULL)
                return false;
        fx2.firmware = firmware;
        fx2.firmware_len = fread(firmware, 1, sizeof firmware, f);
        fclose(f);
        return true;
}

int main(int argc, char **argv)
{
        bool bare = argc > 3 && strcmp(argv[1], "--bare") == 0;
        char **command = argv + (bare ? 3 : 1);

        begin_anew(argv);
        emulated_fx2_init(&fx2, 0x0925, 0x3881, bare);
        if (argc < 2 || (bare && !load(argv[2]))) {
                fputs("usage: usb_bus [--bare FIRMWARE] COMMAND [ARGUMENT]...\n", stderr);
                return 2;
        }
        bus.loop = g_main_loop_new(NULL, FALSE);
        bus.bed = umockdev_testbed_new();
        bus.address = 1;
        if (!umockdev_testbed_add_from_string(
                    bus.bed,
                    "P: /devices/pci0000:00/0000:00:14.0/usb1\nN: bus/usb/001/001\n"
                    "E: DEVNAME=/dev/bus/usb/001/001\nE: DEVTYPE=usb_device\n"
                    "E: SUBSYSTEM=usb\nA: busnum=1\\n\nA: devnum=1\\n\nA: speed=480\\n\n"
                    "A: bConfigurationValue=1\\n\n"
                    "H: "
                    "descriptors=12010002090000406B1D020001010000000109021900010100E000"
                    "0904000001090000000705810304000C\n\n",
                    NULL))
                return 2;
        plug();
        if (!run(command))
                return 2;
        g_main_loop_run(bus.loop);
        g_object_unref(bus.bed);
        return bus.status;
}
