#include "hil/reference/fc_board.h"

#include <string.h>

#include "hil/reference/peer_bytes.h"
#include "models/fc/option.h"

#define NS_PER_MS       1000000LL
#define SILENCE_NS      (20 * NS_PER_MS)
#define STATE_PERIOD_NS (20 * NS_PER_MS)
#define TEXT_PERIOD_NS  (1000 * NS_PER_MS)

/* As if just switched on: no option of the last conversation holds in this one. */
static void switch_on(struct fc_board *b)
{
        b->params = *b->given;
        fc_init(&b->fc, &b->params);
        b->flown = false;
        b->state_ns = 0;
}

void fc_board_init(struct fc_board *b, const struct fc_params *p, const char *name,
                   uint32_t unique)
{
        memset(b, 0, sizeof *b);
        b->given = p;
        hilp_board_init(&b->hilp, name, p->rotors, 1, unique);
        switch_on(b);
}

static size_t add_state(struct fc_board *b, int64_t t_ns, uint8_t *out)
{
        const struct fc_estimator *e = &b->fc.estimator;
        struct fc_estimate estimate = { .q_body_to_ned = e->q_body_to_ned,
                                        .pos_ned_m = e->pos_ned_m,
                                        .vel_ned_mps = e->vel_ned_mps };

        if (!e->aligned || t_ns - b->state_ns < STATE_PERIOD_NS)
                return 0;
        b->state_ns = t_ns;
        return hilp_board_state(&b->hilp, &estimate, out);
}

/* News at once, the same words again only after a while. */
static size_t add_text(struct fc_board *b, int64_t now_ns, uint8_t *out)
{
        bool same = strcmp(b->fc.text, b->text) == 0;

        if (b->fc.text[0] == '\0' || (same && now_ns - b->text_ns < TEXT_PERIOD_NS))
                return 0;
        memcpy(b->text, b->fc.text, sizeof b->text);
        b->text_ns = now_ns;
        b->fc.text[0] = '\0';
        return hilp_board_text(&b->hilp, 0, b->text, out);
}

static size_t add_own(struct fc_board *b, uint8_t *out)
{
        size_t len;

        if (b->own[0] == '\0')
                return 0;
        len = hilp_board_text(&b->hilp, 0, b->own, out);
        b->own[0] = '\0';
        return len;
}

/* Before the motors, which in lockstep are the last that is heard of a frame. */
static size_t add_peer(struct fc_board *b, uint8_t *out)
{
        uint8_t said[PEER_BYTES_LONGEST];
        struct peer_word word;

        if (b->hilp.radio.radios == 0)
                return 0;
        fc_join_radio(&b->fc, b->hilp.radio.address, b->hilp.radio.radios);
        if (!fc_say_peer(&b->fc, &b->params, &word))
                return 0;
        return hilp_board_peer_send(&b->hilp, HILP_PEER_ALL, said,
                                    peer_bytes_pack(&word, said), out);
}

static size_t write_answer(struct fc_board *b, const struct motor_command *command,
                           int64_t t_ns, int64_t now_ns, uint8_t *out)
{
        size_t len = add_peer(b, out);

        len += hilp_board_motors(&b->hilp, command, b->params.rotors, fc_armed(&b->fc),
                                 b->fc.failsafe, fc_mode(&b->fc), out + len);
        len += add_state(b, t_ns, out + len);
        len += add_text(b, now_ns, out + len);
        return len + add_own(b, out + len);
}

static size_t take_option(struct fc_board *b, const struct hilp_option *o, uint8_t *out)
{
        bool accepted = fc_option(&b->fc, &b->params, b->given, o->key, o->value);

        return hilp_board_option_ack(&b->hilp, o->key, accepted, out);
}

static size_t take_sensors(struct fc_board *b, const struct sensor_frame *frame,
                           int64_t now_ns, uint8_t *out)
{
        struct motor_command command = { 0 };

        b->flown = true;
        b->silence_ns = now_ns;
        fc_step(&b->fc, &b->params, frame, &command);
        return write_answer(b, &command, frame->t_ns, now_ns, out);
}

static void take_peer(struct fc_board *b, const struct hilp_peer *peer)
{
        struct peer_word word;

        if (peer_bytes_unpack(&word, peer->bytes, peer->len))
                fc_hear_peer(&b->fc, &b->params, peer->peer, &word);
}

static size_t handle_news(struct fc_board *b, const struct hilp_board_news *news,
                          int64_t now_ns, uint8_t *out)
{
        switch (news->event) {
        case HILP_BOARD_NOTHING:
                break;
        case HILP_BOARD_HELLO:
                switch_on(b);
                break;
        case HILP_BOARD_OPTION:
                return take_option(b, &news->option, out);
        case HILP_BOARD_PEER:
                take_peer(b, &news->peer);
                break;
        case HILP_BOARD_INPUT:
                fc_input(&b->fc, &news->input);
                break;
        case HILP_BOARD_SENSORS:
                return take_sensors(b, &news->sensors, now_ns, out);
        case HILP_BOARD_GOODBYE:
                switch_on(b);
                b->goodbye = true;
                break;
        }
        return 0;
}

size_t fc_board_receive(struct fc_board *b, const uint8_t *bytes, size_t len,
                        int64_t now_ns, uint8_t *out, size_t *out_len)
{
        struct hilp_board_news news;
        size_t used = hilp_board_receive(&b->hilp, bytes, len, (uint64_t)(now_ns / 1000),
                                         &news);

        memcpy(out, news.out, news.out_len);
        *out_len = news.out_len + handle_news(b, &news, now_ns, out + news.out_len);
        return used;
}

size_t fc_board_silence(struct fc_board *b, int64_t now_ns, uint8_t *out)
{
        struct motor_command command = { 0 };

        if (!b->hilp.ready || hilp_board_lockstep(&b->hilp) || !b->flown ||
            now_ns - b->silence_ns < SILENCE_NS)
                return 0;
        fc_silence(&b->fc, &b->params, (double)(now_ns - b->silence_ns) * 1e-9, &command);
        b->silence_ns = now_ns;
        if (!fc_armed(&b->fc) && !b->fc.failsafe)
                return 0;
        return write_answer(b, &command, 0, now_ns, out);
}

void fc_board_tell(struct fc_board *b, const char *text)
{
        size_t len = strnlen(text, sizeof b->own - 1);

        memcpy(b->own, text, len);
        b->own[len] = '\0';
}
