#include "hil/live/web.h"

#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

#include "hil/live/request.h"
#include "io/library.h"

/* Loaded with the first page. */
#ifndef WEBSOCKETS_LIBRARY
#define WEBSOCKETS_LIBRARY "libwebsockets.so"
#endif
/* clang-format off */
#define FUNCTIONS(F)                                                           \
        F(lws_add_http_common_headers) F(lws_add_http_header_by_name)          \
        F(lws_callback_http_dummy) F(lws_callback_on_writable)                 \
        F(lws_callback_on_writable_all_protocol) F(lws_context_destroy)        \
        F(lws_context_user) F(lws_create_context) F(lws_create_vhost)          \
        F(lws_finalize_write_http_header) F(lws_frame_is_binary)               \
        F(lws_get_context) F(lws_get_urlarg_by_name)                           \
        F(lws_get_vhost_listen_port) F(lws_hdr_copy) F(lws_hdr_total_length)   \
        F(lws_http_transaction_completed) F(lws_is_final_fragment)             \
        F(lws_is_first_fragment) F(lws_remaining_packet_payload)               \
        F(lws_return_http_status) F(lws_service) F(lws_set_log_level)          \
        F(lws_sul_schedule) F(lws_write)
/* clang-format on */

static struct {
        FUNCTIONS(LIBRARY_FUNCTION)
} lib;

static const char *const names[] = { FUNCTIONS(LIBRARY_NAME) };

#define ROUND_US    15000
#define CHUNK_BYTES 16384
/* Requests for the page, beside those who watch. */
#define REQUESTS_MAX 64
/* One that says nothing for so long is asked whether it is there, and is given up. */
#define PING_S   10
#define HANGUP_S 25

/* libwebsockets clears it for each connection. */
struct connection {
        struct connection *next; /* of those who watch */
        struct live_viewer viewer;
        bool watches;
        size_t page_sent;
        size_t heard;
        char hears[LIVE_HEARD_MAX + 1];
};

struct live_web {
        struct live_web_setup *setup;
        struct lws_context *context;
        struct lws_vhost *vhost;
        struct lws_protocols protocol[2];
        lws_sorted_usec_list_t round;
        lws_retry_bo_t patience;
        struct connection *first;
        int viewers;
};

static const char head_safety[] =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "img-src data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri "
        "'none'; form-action 'none'";

/* What the request says under a head; "" where it is not there. False: too long to be ours. */
static bool head_of(struct lws *wsi, enum lws_token_indexes which, char *text, int cap)
{
        text[0] = '\0';
        return lib.lws_hdr_total_length(wsi, which) == 0 ||
               lib.lws_hdr_copy(wsi, text, cap, which) > 0;
}

static bool has_token(struct lws *wsi, const char *token)
{
        char given[3 * LIVE_TOKEN_LEN];
        const char *found;

        if (token[0] == '\0')
                return true;
        found = lib.lws_get_urlarg_by_name(wsi, "token=", given, sizeof given);
        return found != NULL && live_token_is(token, found);
}

/* The status of an answer; 200: it may go on. */
static unsigned int judge_request(const struct live_web *w, struct lws *wsi,
                                  bool to_watch)
{
        char host[128], origin[160];

        if (!head_of(wsi, WSI_TOKEN_HOST, host, sizeof host) ||
            !live_host_is_ours(&w->setup->address, host))
                return HTTP_STATUS_FORBIDDEN;
        if (!head_of(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) ||
            (origin[0] != '\0' && !live_origin_is_ours(origin, host)))
                return HTTP_STATUS_FORBIDDEN;
        if (!has_token(wsi, w->setup->token))
                return HTTP_STATUS_FORBIDDEN;
        if (to_watch && w->viewers >= LIVE_VIEWERS_MAX)
                return HTTP_STATUS_SERVICE_UNAVAILABLE;
        return HTTP_STATUS_OK;
}

static bool add_head(struct lws *wsi, const char *name, const char *value,
                     unsigned char **at, unsigned char *end)
{
        return lib.lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                               (const unsigned char *)value,
                                               (int)strlen(value), at, end) == 0;
}

static int begin_page(const struct live_web *w, struct lws *wsi, const char *path)
{
        unsigned char head[LWS_PRE + 2048], *start = head + LWS_PRE, *at = start,
                                            *end = head + sizeof head - 1;
        unsigned int status = judge_request(w, wsi, false);

        if (status == HTTP_STATUS_OK && strcmp(path, "/") != 0)
                status = HTTP_STATUS_NOT_FOUND;
        if (status != HTTP_STATUS_OK) {
                if (lib.lws_return_http_status(wsi, status, NULL) != 0)
                        return -1;
                return lib.lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
        }
        if (lib.lws_add_http_common_headers(wsi, status, "text/html; charset=utf-8",
                                            w->setup->page_len, &at, end) != 0 ||
            !add_head(wsi, "content-security-policy:", head_safety, &at, end) ||
            !add_head(wsi, "x-content-type-options:", "nosniff", &at, end) ||
            !add_head(wsi, "referrer-policy:", "no-referrer", &at, end) ||
            !add_head(wsi, "cross-origin-resource-policy:", "same-origin", &at, end) ||
            !add_head(wsi, "cache-control:", "no-store", &at, end) ||
            lib.lws_finalize_write_http_header(wsi, start, &at, end) != 0)
                return -1;
        lib.lws_callback_on_writable(wsi);
        return 0;
}

static int send_page(const struct live_web *w, struct lws *wsi, struct connection *c)
{
        unsigned char chunk[LWS_PRE + CHUNK_BYTES];
        size_t left = w->setup->page_len - c->page_sent;
        size_t len = left < CHUNK_BYTES ? left : CHUNK_BYTES;
        bool last = len == left;

        memcpy(chunk + LWS_PRE, w->setup->page + c->page_sent, len);
        if (lib.lws_write(wsi, chunk + LWS_PRE, len,
                          last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)len)
                return -1;
        c->page_sent += len;
        if (!last) {
                lib.lws_callback_on_writable(wsi);
                return 0;
        }
        c->page_sent = 0;
        return lib.lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

static int send_document(struct live_web *w, struct lws *wsi, struct connection *c)
{
        char *text = live_viewer_next(&c->viewer, w->setup->stream);
        size_t len = text != NULL ? strlen(text) : 0;
        unsigned char *room;
        int sent;

        if (text == NULL)
                return 0;
        room = malloc(LWS_PRE + len);
        if (room == NULL) {
                free(text);
                return -1;
        }
        memcpy(room + LWS_PRE, text, len);
        sent = lib.lws_write(wsi, room + LWS_PRE, len, LWS_WRITE_TEXT);
        free(room);
        free(text);
        if (sent < (int)len)
                return -1;
        /* One document each time: others have their turn. */
        lib.lws_callback_on_writable(wsi);
        return 0;
}

/* Pieces of one document; what is too long ends the connection. */
static int hear(struct live_web *w, struct lws *wsi, struct connection *c,
                const char *bytes, size_t len)
{
        if (lib.lws_is_first_fragment(wsi))
                c->heard = 0;
        if (len > LIVE_HEARD_MAX - c->heard || lib.lws_frame_is_binary(wsi))
                return -1;
        memcpy(c->hears + c->heard, bytes, len);
        c->heard += len;
        if (!lib.lws_is_final_fragment(wsi) || lib.lws_remaining_packet_payload(wsi) > 0)
                return 0;
        live_viewer_hear(&c->viewer, w->setup->stream, c->hears, c->heard);
        c->heard = 0;
        lib.lws_callback_on_writable(wsi);
        return 0;
}

static void begin_watching(struct live_web *w, struct lws *wsi, struct connection *c)
{
        c->watches = true;
        c->next = w->first;
        w->first = c;
        w->viewers++;
        lib.lws_callback_on_writable(wsi);
}

static void end_watching(struct live_web *w, struct connection *c)
{
        struct connection **at = &w->first;

        if (!c->watches)
                return;
        while (*at != c)
                at = &(*at)->next;
        *at = c->next;
        c->watches = false;
        w->viewers--;
        live_viewer_close(&c->viewer);
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user,
                    void *in, size_t len)
{
        struct live_web *w = lib.lws_context_user(lib.lws_get_context(wsi));
        struct connection *c = user;

        switch (reason) {
        case LWS_CALLBACK_HTTP:
                return begin_page(w, wsi, in);
        case LWS_CALLBACK_HTTP_WRITEABLE:
                return send_page(w, wsi, c);
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
                return judge_request(w, wsi, true) == HTTP_STATUS_OK ? 0 : -1;
        case LWS_CALLBACK_ESTABLISHED:
                begin_watching(w, wsi, c);
                return 0;
        case LWS_CALLBACK_SERVER_WRITEABLE:
                return send_document(w, wsi, c);
        case LWS_CALLBACK_RECEIVE:
                return hear(w, wsi, c, in, len);
        case LWS_CALLBACK_CLOSED:
                end_watching(w, c);
                return 0;
        default:
                /* Files, forms, proxies: there are none. */
                return lib.lws_callback_http_dummy(wsi, reason, user, in, len);
        }
}

static void end_round(lws_sorted_usec_list_t *round)
{
        struct live_web *w = lws_container_of(round, struct live_web, round);

        lib.lws_sul_schedule(w->context, 0, &w->round, end_round, ROUND_US);
}

static bool listen_there(struct live_web *w, char *why, size_t cap)
{
        struct live_address *a = &w->setup->address;
        struct lws_context_creation_info info = { 0 };

        info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
        info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                       LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8;
        info.fd_limit_per_thread = LIVE_VIEWERS_MAX + REQUESTS_MAX + 8;
        info.user = w;
        info.gid = -1;
        info.uid = -1;
        lib.lws_set_log_level(0, NULL);
        w->context = lib.lws_create_context(&info);
        if (w->context == NULL) {
                snprintf(why, cap, "the live page: libwebsockets does not start");
                return false;
        }
        w->protocol[0] = (struct lws_protocols){ .name = "hilrig",
                                                 .callback = on_event,
                                                 .per_session_data_size =
                                                         sizeof(struct connection),
                                                 .rx_buffer_size = LIVE_HEARD_MAX };
        w->patience = (lws_retry_bo_t){ .secs_since_valid_ping = PING_S,
                                        .secs_since_valid_hangup = HANGUP_S };
        info.port = a->port;
        info.iface = a->ip;
        info.protocols = w->protocol;
        info.retry_and_idle_policy = &w->patience;
        w->vhost = lib.lws_create_vhost(w->context, &info);
        if (w->vhost == NULL || lib.lws_get_vhost_listen_port(w->vhost) <= 0) {
                snprintf(why, cap,
                         "the live page: cannot listen at %s:%d: in use, or no address "
                         "of this machine",
                         a->ip, a->port);
                return false;
        }
        a->port = lib.lws_get_vhost_listen_port(w->vhost);
        return true;
}

struct live_web *live_web_open(struct live_web_setup *setup, char *why, size_t cap)
{
        struct live_web *w = calloc(1, sizeof *w);

        if (w == NULL) {
                snprintf(why, cap, "out of memory");
                return NULL;
        }
        if (!library_load(&lib, names, sizeof names / sizeof names[0], WEBSOCKETS_LIBRARY,
                          why, cap)) {
                free(w);
                return NULL;
        }
        w->setup = setup;
        if (!listen_there(w, why, cap)) {
                live_web_close(w);
                return NULL;
        }
        lib.lws_sul_schedule(w->context, 0, &w->round, end_round, ROUND_US);
        return w;
}

void live_web_close(struct live_web *w)
{
        if (w == NULL)
                return;
        if (w->context != NULL)
                lib.lws_context_destroy(w->context);
        free(w);
}

void live_web_serve(struct live_web *w)
{
        lib.lws_service(w->context, 0);
}

void live_web_wake(struct live_web *w)
{
        lib.lws_callback_on_writable_all_protocol(w->context, w->protocol);
}

bool live_web_is_done(const struct live_web *w)
{
        for (const struct connection *c = w->first; c != NULL; c = c->next)
                if (!live_viewer_is_done(&c->viewer, w->setup->stream))
                        return false;
        return true;
}
