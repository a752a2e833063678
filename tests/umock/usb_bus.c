/* A program on a machine with one logic analyzer at USB port 1-4, that umockdev plays:
 *
 *   usb_bus [OPTION VALUE]... COMMAND [ARGUMENT]...
 *
 * runs the command there: sysfs, udev and the device's node are made up, and usbfs's requests come here, to the usbfs of
 * tests/usb/stage_transfers.h and the model of tests/usb/emulated_fx2.h. Sample k of its pads is k / 24, low byte, and
 * they come as fast as they are taken; or with --link LINK --params FILE they are those of a board behind that link,
 * in simulated time, with the other options of tests/usb/pad_analyzer.h. With --firmware FILE it is bare, leaves the
 * bus once the bytes of that file are in it, and comes back under another address; unplugged in flight it comes back
 * after --replug-ms MS, bare again, or not at all. Ends with the command's exit status; a board says before in a line
 * what the host did. */
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <umockdev.h>

#include "tests/umock/usbfs.h"
#include "tests/usb/pad_analyzer.h"

#define PRELOAD   "libumockdev-preload.so.0"
#define PORT      "/devices/pci0000:00/0000:00:14.0/usb1/1-4"
#define RETURN_MS 100 /* of one that lets go of the bus by itself */
#define PIECE     512 /* samples */

/* umockdev asks in a thread of its own, the board flies in another, devices come back in the first: stage_mutex. */
static struct {
        UMockdevTestbed *bed;
        struct stage_device *device; /* the newest plugging-in */
        struct usbfs usbfs;
        int replug_ms; /* -1: unplugged for good */
        uint64_t plugged;
        bool flies; /* there is a board */
        atomic_bool stop;
        GMainLoop *loop;
        int status;
} bus = { .replug_ms = -1 };

static struct pad_analyzer analyzer;

/* umockdev's sender of events (uevent_sender.c, sendmsg_one(), in 0.17) aborts where a listener's socket is not there, as
 * while libusb opens its monitor anew: the old one is removed, and the new one not made yet. It is waited for. */
int connect(int fd, const struct sockaddr *to, socklen_t len)
{
        for (int tries = 0; tries < 1000; tries++) {
                if (syscall(SYS_connect, fd, to, len) == 0)
                        return 0;
                if (errno != ENOENT)
                        return -1;
                g_usleep(100);
        }
        errno = ECONNREFUSED;
        return -1;
}

/* Pads that nobody drives, until a transfer has ended. */
static void count_up(struct stage_device *d)
{
        struct emulated_fx2 *fx2 = &analyzer.fx2;
        uint8_t samples[PIECE];

        while (!bus.flies && fx2->running && d->ended_count == 0 &&
               d->queue[16 + 2].count > 0) {
                for (unsigned i = 0; i < PIECE; i++)
                        samples[i] = (uint8_t)((fx2->fed + i) / 24);
                emulated_fx2_feed(fx2, samples, PIECE);
                stage_run();
        }
}

static void leave(void)
{
        umockdev_testbed_uevent(bus.bed, "/sys" PORT, "remove");
        umockdev_testbed_remove_device(bus.bed, "/sys" PORT);
}

static gboolean come_back(gpointer nothing);

static gboolean on_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client,
                         gpointer device)
{
        gsize size = _IOC_SIZE(umockdev_ioctl_client_get_request(client));
        struct stage_device *d = device;
        UMockdevIoctlData *data = NULL;
        bool was_there;
        int error;

        (void)handler;
        if (size > 0)
                data = umockdev_ioctl_data_resolve(umockdev_ioctl_client_get_arg(client),
                                                   0, size, NULL);
        pthread_mutex_lock(&stage_mutex);
        was_there = !d->away;
        count_up(d);
        error = usbfs_answer(&bus.usbfs, d, client, data);
        count_up(d);
        if (was_there && d->away) {
                leave();
                g_timeout_add(RETURN_MS, come_back, NULL);
        }
        pthread_mutex_unlock(&stage_mutex);
        umockdev_ioctl_client_complete(client, error == 0 ? 0 : -1, error);
        return TRUE;
}

static void on_opened(UMockdevIoctlBase *handler, UMockdevIoctlClient *client,
                      gpointer device)
{
        (void)handler, (void)client;
        pthread_mutex_lock(&stage_mutex);
        usbfs_forget(&bus.usbfs, device);
        pthread_mutex_unlock(&stage_mutex);
}

/* A regular file, as umockdev makes, would always be ready. Whoever opens this holds both ends of a pipe, so that it
 * never hangs up: that the device is gone is told by the transfers and by ENODEV. */
static void make_node(struct stage_device *d, const char *node)
{
        char *root = umockdev_testbed_get_root_dir(bus.bed);
        char *path = g_strconcat(root, node, NULL);

        if (mkfifo(path, 0666) != 0)
                abort();
        d->node = d->drain = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
        if (d->node < 0 || fcntl(d->node, F_SETPIPE_SZ, 4096) < 0)
                abort();
        d->signalled = true;
        stage_lower(d);
        g_free(path);
        g_free(root);
}

/* What the kernel tells of it. */
static void describe(const struct stage_device *d, const char *node)
{
        const struct emulated_fx2 *fx2 = &analyzer.fx2;
        GString *text = g_string_new(NULL);

        g_string_append_printf(
                text,
                "P: " PORT "\nE: DEVNAME=%s\n"
                "E: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\nE: BUSNUM=001\nE: DEVNUM=%03d\n"
                "A: busnum=1\\n\nA: devnum=%d\\n\nA: speed=480\\n\n"
                "A: bConfigurationValue=1\\n\nA: idVendor=%04x\\n\nA: "
                "idProduct=%04x\\n\nH: descriptors=",
                node, d->address, d->address, fx2->vid, fx2->pid);
        for (int i = 0; i < 18; i++)
                g_string_append_printf(text, "%02X", d->model->device[i]);
        for (int i = 0; i < le_get_u16(d->model->configuration + 2); i++)
                g_string_append_printf(text, "%02X", d->model->configuration[i]);
        g_string_append(text, "\n\n");
        if (!umockdev_testbed_add_from_string(bus.bed, text->str, NULL))
                abort();
        g_string_free(text, TRUE);
}

/* As a device of its own: whoever has the node of an earlier one open is told that it is gone. Its node is made once
 * umockdev listens for it: who opens it in between (libusb looks through sysfs at any time) is ended by umockdev. */
static void plug(void)
{
        UMockdevIoctlBase *handler = umockdev_ioctl_base_new();
        struct stage_device *d;
        char node[40];

        d = bus.device = stage_plug(&analyzer.fx2.model, "1-4");
        if (d->away)
                return; /* it hangs, with the wrong firmware */
        snprintf(node, sizeof node, "/dev/bus/usb/001/%03d", d->address);
        g_signal_connect(handler, "handle-ioctl", G_CALLBACK(on_ioctl), d);
        g_signal_connect(handler, "client-connected", G_CALLBACK(on_opened), d);
        if (!umockdev_testbed_attach_ioctl(bus.bed, node, handler, NULL))
                abort();
        make_node(d, node);
        describe(d, node);
        umockdev_testbed_uevent(bus.bed, "/sys" PORT, "add");
        bus.plugged++;
}

static gboolean come_back(gpointer nothing)
{
        (void)nothing;
        pthread_mutex_lock(&stage_mutex);
        plug();
        pthread_mutex_unlock(&stage_mutex);
        return G_SOURCE_REMOVE;
}

/* Once the host has all that the pads were so far: a board is pulled at a frame, not in the middle of its samples. First
 * from the bus, so that who hears of it by its transfers finds it gone. */
static void pull(void)
{
        if (analyzer.fx2.running && analyzer.fx2.head != analyzer.fx2.tail)
                return;
        analyzer.pull = false;
        leave();
        stage_unplug(bus.device);
        if (bus.replug_ms >= 0)
                g_timeout_add((guint)bus.replug_ms, come_back, NULL);
}

static void *fly(void *nothing)
{
        while (!atomic_load(&bus.stop)) {
                struct pollfd wait = { .fd = pad_analyzer_fd(&analyzer),
                                       .events = POLLIN };

                poll(&wait, 1, 10);
                pthread_mutex_lock(&stage_mutex);
                pad_analyzer_fly(&analyzer);
                stage_run();
                if (analyzer.pull)
                        pull();
                pthread_mutex_unlock(&stage_mutex);
        }
        return nothing;
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

/* The command behind the options. NULL: there is none, or an option is wrong. */
static char **take_options(char **arg)
{
        for (; *arg != NULL && strncmp(*arg, "--", 2) == 0; arg += 2) {
                if (arg[1] == NULL)
                        return NULL;
                bus.flies |= strcmp(*arg, "--link") == 0;
                if (strcmp(*arg, "--replug-ms") == 0)
                        bus.replug_ms = atoi(arg[1]);
                else if (!pad_analyzer_option(&analyzer, arg[0], arg[1]))
                        return NULL;
        }
        return *arg != NULL && bus.flies == (analyzer.params.rotors > 0) ? arg : NULL;
}

static bool open_bus(void)
{
        static const char hub[] =
                "P: /devices/pci0000:00/0000:00:14.0/usb1\nN: bus/usb/001/001\n"
                "E: DEVNAME=/dev/bus/usb/001/001\nE: DEVTYPE=usb_device\n"
                "E: SUBSYSTEM=usb\nA: busnum=1\\n\nA: devnum=1\\n\nA: speed=480\\n\n"
                "A: bConfigurationValue=1\\n\n"
                "H: "
                "descriptors=12010002090000406B1D020001010000000109021900010100E000"
                "0904000001090000000705810304000C\n\n";

        bus.loop = g_main_loop_new(NULL, FALSE);
        bus.bed = umockdev_testbed_new();
        stage.addresses = 1; /* the hub's */
        usbfs_open(&bus.usbfs);
        return umockdev_testbed_add_from_string(bus.bed, hub, NULL);
}

int main(int argc, char **argv)
{
        pthread_t board;
        char **command;

        begin_anew(argv);
        pad_analyzer_init(&analyzer);
        command = take_options(argv + (argc > 0));
        if (command == NULL) {
                fputs("usage: usb_bus [OPTION VALUE]... COMMAND [ARGUMENT]...\n", stderr);
                return 2;
        }
        if (!open_bus() || !pad_analyzer_open(&analyzer))
                return 2;
        plug();
        if (bus.flies && pthread_create(&board, NULL, fly, NULL) != 0)
                return 2;
        if (!run(command))
                return 2;
        g_main_loop_run(bus.loop);
        atomic_store(&bus.stop, true);
        if (bus.flies) {
                pthread_join(board, NULL);
                pad_analyzer_report(&analyzer, bus.plugged, bus.usbfs.broken);
        }
        pad_analyzer_close(&analyzer);
        g_object_unref(bus.bed);
        return bus.status;
}
