/* The rig's side of a HILP conversation, shared by codec_hilp*.c: codec_hilp_say.c speaks,
 * codec_hilp_take.c listens, codec_hilp_option.c knows the board's own settings, codec_hilp.c is the
 * codec around them. */
#pragma once

#include "io/codec/codec.h"
#include "io/codec/hilp/hilp.h"

struct codec_hilp_option {
        struct hilp_option is;
        bool acknowledged;
        int said; /* how often, since it became so */
        int owed; /* answers to it and to what it was before, */
        int stale; /* of which the first are to that */
        int frames_to_repeat;
};

struct codec_hilp {
        struct codec codec; /* first: a struct codec * points here */
        struct codec_setup setup;
        struct hilp_units units;
        int outputs; /* motor outputs that the FC must have */
        uint32_t fitted; /* SENSOR_BIT() of the vehicle's sensors */

        /* The conversation; forgotten by start_over() */
        bool ready; /* answered, and can fly this vehicle */
        bool hello_sent;
        int64_t hello_ns; /* host time of the last one */
        struct hilp_hello_ack board; /* its answer; all zero until then */
        struct hilp_sequence heard;
        bool frame_sent;
        uint32_t first_frame, newest_frame;
        bool motors_heard;
        uint32_t newest_answer;
        int64_t answered_ns; /* host time at which it came first */
        int frames_to_input; /* until the input is sent again */
        int frames_to_parts; /* and the parts */
        bool options_told; /* answered, or asked for often enough: frames may go out */
        int options_asked; /* how often, before the first frame */
        int64_t options_ns; /* host time of the last time */

        int goodbyes; /* how often it was told that the run is over, since it last answered a frame */

        /* Time sync; sync_open while the answer to sync_id is awaited */
        bool sync_open;
        uint16_t sync_id;
        int64_t sync_ns;

        bool have_input;
        struct hilp_input input;
        int options;
        struct codec_hilp_option option[CODEC_OPTIONS_MAX];
        uint8_t sequence; /* of the next message out */
        struct hilp_receiver receiver;
        bool bytes_heard, message_heard, echo_heard;
        char refusal[160]; /* why an answered hello was not enough */
};

static inline struct codec_hilp *codec_hilp_self(struct codec *c)
{
        return (struct codec_hilp *)c;
}

/* A board need not answer GOODBYE. After so many without a word it is greeted, which disarms, too, and
 * which it does answer. */
#define CODEC_HILP_GOODBYES_ALONE 10

/* Back to hello; the input is kept for the first frame that follows. */
void codec_hilp_start_over(struct codec_hilp *h);

/* Out: three functions of struct codec_ops. */
void codec_hilp_poll(struct codec *c, int64_t t_ns, struct packets *out);
void codec_hilp_encode(struct codec *c, uint32_t number, int64_t t_ns,
                       const struct sensor_frame *frame, const struct pilot_input *input,
                       struct packets *out);
void codec_hilp_goodbye(struct codec *c, struct packets *out);

extern const char *const codec_hilp_frame_names[];

/* The board's own settings: two functions of struct codec_ops. */
bool codec_hilp_option(struct codec *c, const char *key, const char *value);
const char *codec_hilp_option_unheard(const struct codec *c);
/* All of them are news to the board: a new conversation. */
void codec_hilp_options_forget(struct codec_hilp *h);
/* Before the first frame: those that wait for an answer, into *out, after the parts; when it is time,
 * host time t_ns. */
void codec_hilp_options_greet(struct codec_hilp *h, int64_t t_ns, struct packets *out);
/* In flight: those that are due at a frame. */
void codec_hilp_options_say(struct codec_hilp *h, struct packets *out);
/* The board has answered one. */
uint32_t codec_hilp_options_take(struct codec_hilp *h, const struct hilp_option_ack *ack,
                                 struct fc_report *report);

/* Puts a message at the end of the outbox: into its last packet, or a new one where that is full or
 * there is none. */
void codec_hilp_say(struct codec_hilp *h, struct hilp_message *m, struct packets *out);
/* What is fitted, with the same. */
void codec_hilp_say_parts(struct codec_hilp *h, struct packets *out);

/* A function of struct codec_ops. */
int codec_hilp_hear_peers(struct codec *c, const struct peer_packet *packet, int count,
                          struct packets *out);

/* Every so many frames what holds is said again: a lossy link must not swallow an order to land. */
#define CODEC_HILP_REPEAT_EVERY 250

/* From outside the conversation: a function of struct codec_ops. */
size_t codec_hilp_frame_find(const uint8_t *bytes, size_t len, struct codec_frame *frame);

/* In: one payload with the right CRC. Returns the news that it put into the report. */
uint32_t codec_hilp_hear(struct codec_hilp *h, int64_t t_ns, const uint8_t *payload,
                         size_t len, struct fc_report *report);
