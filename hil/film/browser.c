#include "hil/film/browser.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hil/process/child.h"
#include "hil/text/tree.h"
#include "hil/time/clock.h"

/* A picture takes a fraction of a second; a long flight that is read on a busy machine takes minutes. */
#define PATIENCE_NS (600 * NS_PER_S)
#define FAREWELL_NS (5 * NS_PER_S)

struct browser {
        struct child process;
        int fd; /* to it and from it: texts that end with a zero byte */
        int stop_fd;
        bool stopped;
        char folder[64]; /* its profile */
        char session[80]; /* of the page; "": none yet */
        int calls;
        char *heard;
        size_t len, room;
};

static bool send_text(struct browser *b, const char *text)
{
        size_t left = strlen(text) + 1;

        while (left > 0) {
                ssize_t n = send(b->fd, text, left, MSG_NOSIGNAL);

                if (n <= 0)
                        return false;
                text += n;
                left -= (size_t)n;
        }
        return true;
}

static bool has_room(struct browser *b)
{
        size_t room = b->room > 0 ? 2 * b->room : 1 << 20;
        char *more;

        if (b->len < b->room)
                return true;
        more = realloc(b->heard, room);
        if (more == NULL)
                return false;
        b->heard = more;
        b->room = room;
        return true;
}

/* More of what it says. False: it is gone, or says nothing until then. */
static bool hear_more(struct browser *b, int64_t until_ns)
{
        struct pollfd from[] = { { .fd = b->fd, .events = POLLIN },
                                 { .fd = b->stop_fd, .events = POLLIN } };
        int64_t left_ms = (until_ns - clock_now_ns()) / NS_PER_MS;
        ssize_t n;

        if (left_ms <= 0 || poll(from, 2, (int)left_ms) <= 0 || !has_room(b))
                return false;
        b->stopped |= from[1].revents != 0;
        if (b->stopped)
                return false;
        n = recv(b->fd, b->heard + b->len, b->room - b->len, 0);
        b->len += n > 0 ? (size_t)n : 0;
        return n > 0;
}

/* The next thing that it says; NULL as above, or where that was no JSON. */
static struct json *hear_document(struct browser *b, int64_t until_ns)
{
        struct json_error error;
        struct json *said;
        size_t searched = 0;
        char *end;

        while ((end = b->len > searched
                              ? memchr(b->heard + searched, '\0', b->len - searched)
                              : NULL) == NULL) {
                searched = b->len;
                if (!hear_more(b, until_ns))
                        return NULL;
        }
        said = json_parse(b->heard, (size_t)(end - b->heard), NULL, &error);
        b->len -= (size_t)(end + 1 - b->heard);
        memmove(b->heard, end + 1, b->len);
        return said;
}

static void explain_silence(struct browser *b, const char *method, char *why, size_t cap)
{
        char end[80] = "does not answer", words[300];

        if (b->stopped) {
                snprintf(why, cap, "stopped");
                return;
        }
        if (child_look(&b->process))
                child_describe_end(&b->process, end, sizeof end);
        child_last_words(b->process.log, words, sizeof words);
        snprintf(why, cap, "%s %s at %s%s%s", b->process.name, end, method,
                 words[0] != '\0' ? ": " : "", words);
}

/* The result of a call, a root; takes the parameters, NULL for none. */
static struct json *call(struct browser *b, const char *method, struct json *params,
                         char *why, size_t cap)
{
        int64_t until_ns = clock_now_ns() + PATIENCE_NS;
        struct json *to = json_new_object(), *said, *result = NULL;
        char *text;

        json_add_i64(to, "id", ++b->calls);
        json_add_string(to, "method", method);
        if (b->session[0] != '\0')
                json_add_string(to, "sessionId", b->session);
        if (params != NULL)
                json_add_copy(to, "params", params);
        text = to != NULL ? json_print_line(to) : NULL;
        json_free(to);
        json_free(params);
        said = text != NULL && send_text(b, text) ? hear_document(b, until_ns) : NULL;
        free(text);
        /* Events, which nobody waits for. */
        while (said != NULL && (int)json_number(said, "id") != b->calls) {
                json_free(said);
                said = hear_document(b, until_ns);
        }
        if (said == NULL)
                explain_silence(b, method, why, cap);
        else if (json_member(said, "result") == NULL)
                snprintf(why, cap, "%s: %s: %s", b->process.name, method,
                         json_string(said, "error.message") != NULL
                                 ? json_string(said, "error.message")
                                 : "no result");
        else
                result = json_detach(json_member(said, "result"));
        json_free(said);
        return result;
}

static bool start_process(struct browser *b, int talk_fd, char *why, size_t cap)
{
        static const char *const names[] = { "chromium", "chromium-browser",
                                             "google-chrome", "chromium-headless-shell" };
        char profile[sizeof b->folder + 20], log[sizeof b->folder + 10];
        char *argv[] = { NULL, "--headless", "--remote-debugging-pipe", profile,
                         "--no-first-run", "--disable-extensions",
                         "--disable-background-networking", "--disable-component-update",
                         "--disable-sync", "--disable-dev-shm-usage",
                         "--disable-breakpad", "--disable-renderer-backgrounding",
                         "--hide-scrollbars",
                         /* Without a graphics processor WebGL is drawn in software. */
                         "--enable-unsafe-swiftshader",
                         /* Its sandbox does not start as root. The page is our own. */
                         geteuid() == 0 ? "--no-sandbox" : NULL, NULL };
        struct child_command command = { .argv = argv,
                                         .environment = environ,
                                         .folder = b->folder,
                                         .log = log,
                                         .talk_fd = talk_fd };

        snprintf(profile, sizeof profile, "--user-data-dir=%s", b->folder);
        snprintf(log, sizeof log, "%s/log", b->folder);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                argv[0] = (char *)names[i];
                if (child_start(&b->process, &command, why, cap))
                        return true;
        }
        snprintf(why, cap,
                 "needs Chromium, and none of chromium, chromium-browser, google-chrome "
                 "and chromium-headless-shell is in PATH (Debian: apt install chromium)");
        return false;
}

static bool start(struct browser *b, char *why, size_t cap)
{
        const char *temporary = getenv("TMPDIR");
        int pair[2];
        bool ok;

        if (temporary == NULL || strlen(temporary) > 30)
                temporary = "/tmp";
        snprintf(b->folder, sizeof b->folder, "%s/hilrig-browser-XXXXXX", temporary);
        if (mkdtemp(b->folder) == NULL) {
                snprintf(why, cap, "%s: cannot be made", b->folder);
                b->folder[0] = '\0';
                return false;
        }
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
                snprintf(why, cap, "no sockets could be had");
                return false;
        }
        b->fd = pair[0];
        ok = start_process(b, pair[1], why, cap);
        close(pair[1]);
        return ok;
}

static struct json *with_text(const char *key, const char *value)
{
        struct json *o = json_new_object();

        json_add_string(o, key, value);
        return o;
}

/* A page, which is spoken to from here on. */
static bool make_page(struct browser *b, int wide, int high, char *why, size_t cap)
{
        struct json *made, *attached, *o;

        made = call(b, "Target.createTarget", with_text("url", "about:blank"), why, cap);
        if (made == NULL)
                return false;
        o = with_text("targetId", json_string(made, "targetId"));
        json_add_bool(o, "flatten", true);
        json_free(made);
        attached = call(b, "Target.attachToTarget", o, why, cap);
        if (attached == NULL)
                return false;
        if (json_string(attached, "sessionId") != NULL)
                snprintf(b->session, sizeof b->session, "%s",
                         json_string(attached, "sessionId"));
        json_free(attached);
        o = json_new_object();
        json_add_i64(o, "width", wide);
        json_add_i64(o, "height", high);
        json_add_i64(o, "deviceScaleFactor", 1);
        json_add_bool(o, "mobile", false);
        o = call(b, "Emulation.setDeviceMetricsOverride", o, why, cap);
        json_free(o);
        return o != NULL;
}

struct browser *browser_start(int wide, int high, int stop_fd, char *why, size_t cap)
{
        struct browser *b = calloc(1, sizeof *b);

        if (b == NULL) {
                snprintf(why, cap, "out of memory");
                return NULL;
        }
        b->fd = -1;
        b->stop_fd = stop_fd;
        if (start(b, why, cap) && make_page(b, wide, high, why, cap))
                return b;
        browser_end(b);
        return NULL;
}

void browser_end(struct browser *b)
{
        if (b == NULL)
                return;
        if (b->fd >= 0) {
                /* It ends by itself when nobody is at the other end. */
                close(b->fd);
                child_await(&b->process, FAREWELL_NS);
        }
        child_end(&b->process);
        if (b->folder[0] != '\0')
                tree_remove(b->folder);
        free(b->heard);
        free(b);
}

bool browser_open(struct browser *b, const char *url, char *why, size_t cap)
{
        struct json *o = call(b, "Page.navigate", with_text("url", url), why, cap);
        const char *error = json_string(o, "errorText");
        bool ok = o != NULL && error == NULL;

        if (error != NULL)
                snprintf(why, cap, "%s: %s", url, error);
        json_free(o);
        return ok;
}

struct json *browser_evaluate(struct browser *b, const char *expression, char *why,
                              size_t cap)
{
        struct json *o = with_text("expression", expression), *value = NULL;
        const char *thrown;

        json_add_bool(o, "awaitPromise", true);
        json_add_bool(o, "returnByValue", true);
        o = call(b, "Runtime.evaluate", o, why, cap);
        if (o == NULL)
                return NULL;
        thrown = json_string(o, "exceptionDetails.exception.description");
        value = json_at(o, "result.value");
        if (json_member(o, "exceptionDetails") != NULL || value == NULL) {
                snprintf(why, cap, "the page: %s",
                         thrown != NULL ? thrown : "says nothing");
                value = NULL;
        } else
                value = json_detach(value);
        json_free(o);
        return value;
}

char *browser_picture(struct browser *b, char *why, size_t cap)
{
        struct json *o = with_text("format", "png");
        char *data = NULL;

        json_add_bool(o, "optimizeForSpeed", true);
        o = call(b, "Page.captureScreenshot", o, why, cap);
        if (o == NULL)
                return NULL;
        if (json_string(o, "data") != NULL)
                data = strdup(json_string(o, "data"));
        if (data == NULL)
                snprintf(why, cap, "%s: no picture", b->process.name);
        json_free(o);
        return data;
}
