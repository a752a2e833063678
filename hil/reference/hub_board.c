#include "hil/reference/hub_board.h"

#include <string.h>

#include "hil/reference/hub_words.h"
#include "hil/reference/peer_bytes.h"

void hub_board_init(struct hub_board *b, const struct hub_params *p, const char *name,
                    uint32_t unique)
{
        memset(b, 0, sizeof *b);
        b->params = p;
        hilp_board_init(&b->hilp, name, 1, 1, unique);
        b->hilp.self.sensors_used = 0;
        hub_init(&b->hub, p);
}

static size_t say_to_group(struct hub_board *b, int g, uint8_t *out)
{
        const struct hub_group_params *of = &b->params->group[g];
        struct peer_word w = { .says = PEER_SAYS_HUB,
                               .hub = { .go = !hub_is_paused(&b->hub, b->params, g),
                                        .behaviours = b->hub.group[g].behaviours } };
        uint8_t bytes[PEER_BYTES_LONGEST];

        for (int i = 0; i < of->members; i++)
                w.hub.named[of->member[i] / 8] |= (uint8_t)(1U << of->member[i] % 8);
        return hilp_board_peer_send(&b->hilp, HILP_PEER_ALL, bytes,
                                    peer_bytes_pack(&w, bytes), out);
}

static size_t add_words(struct hub_board *b, uint8_t *out)
{
        size_t len = 0;
        int g;

        while ((g = hub_due(&b->hub, b->params)) >= 0)
                len += say_to_group(b, g, out + len);
        return len;
}

static void take_peer(struct hub_board *b, const struct hilp_peer *peer)
{
        struct peer_word w;

        if (peer_bytes_unpack(&w, peer->bytes, peer->len) && w.says == PEER_SAYS_STATE)
                hub_hear(&b->hub, peer->peer);
}

/* In lockstep the motors are the last that is heard of a frame. It has none: those are an answer that drives nothing. */
static size_t take_time(struct hub_board *b, int64_t t_ns, uint8_t *out)
{
        struct motor_command none = { 0 };
        char text[HUB_TEXT_MAX];
        size_t len;

        hub_step(&b->hub, b->params, t_ns);
        len = add_words(b, out);
        if (hub_words_news(&b->hub, b->params, text))
                len += hilp_board_text(&b->hilp, 0, text, out + len);
        return len + hilp_board_motors(&b->hilp, &none, 1, false, false, MODE_DISARMED,
                                       out + len);
}

static size_t handle_news(struct hub_board *b, const struct hilp_board_news *news,
                          uint8_t *out)
{
        switch (news->event) {
        case HILP_BOARD_HELLO:
                hub_init(&b->hub, b->params);
                break;
        case HILP_BOARD_PEER:
                take_peer(b, &news->peer);
                break;
        case HILP_BOARD_SENSORS:
                return take_time(b, news->sensors.t_ns, out);
        case HILP_BOARD_OPTION:
                return hilp_board_option_ack(&b->hilp, news->option.key, false, out);
        case HILP_BOARD_GOODBYE:
                b->goodbye = true;
                break;
        case HILP_BOARD_NOTHING:
        case HILP_BOARD_INPUT:
                break;
        }
        return 0;
}

size_t hub_board_receive(struct hub_board *b, const uint8_t *bytes, size_t len,
                         int64_t now_ns, uint8_t *out, size_t *out_len)
{
        struct hilp_board_news news;
        size_t used = hilp_board_receive(&b->hilp, bytes, len, (uint64_t)(now_ns / 1000),
                                         &news);

        memcpy(out, news.out, news.out_len);
        *out_len = news.out_len + handle_news(b, &news, out + news.out_len);
        return used;
}
