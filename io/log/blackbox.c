/* Frames of a blackbox log. After damage nothing is believed until a frame that needs none before it. */
#include "io/log/blackbox.h"

#include <string.h>

static const char product[] =
        "H Product:Blackbox flight data recorder by Nicholas Sherlock";
#define PRODUCT (sizeof product - 1)

/* Between two frames. */
#define JUMP_MAX_US 10000000
#define FRAME_MAX   512
#define CLOCK_US    0x100000000

enum predictor {
        PREDICT_ZERO,
        PREDICT_PREVIOUS,
        PREDICT_STRAIGHT_LINE,
        PREDICT_AVERAGE_2,
        PREDICT_MINTHROTTLE,
        PREDICT_MOTOR_0,
        PREDICT_INCREMENT,
        PREDICT_HOME,
        PREDICT_1500,
        PREDICT_VBATREF,
        PREDICT_LAST_MAIN_TIME,
        PREDICT_MINMOTOR
};

enum event {
        EVENT_SYNC_BEEP = 0,
        EVENT_ADJUSTMENT = 13,
        EVENT_RESUME = 14,
        EVENT_DISARM = 15,
        EVENT_FLIGHT_MODE = 30,
        EVENT_IMU_FAILURE = 40,
        EVENT_END = 255
};

bool blackbox_is(const uint8_t *bytes, size_t len)
{
        return len >= PRODUCT && memcmp(bytes, product, PRODUCT) == 0;
}

/* Where the next log begins; len: there is none. */
static size_t find_log(const uint8_t *bytes, size_t len, size_t at)
{
        const uint8_t *found =
                at < len ? memmem(bytes + at, len - at, product, PRODUCT) : NULL;

        return found != NULL ? (size_t)(found - bytes) : len;
}

int blackbox_logs(const uint8_t *bytes, size_t len)
{
        int count = 0;

        for (size_t at = find_log(bytes, len, 0); at < len;
             at = find_log(bytes, len, at + 1))
                count++;
        return count;
}

int blackbox_field(const struct blackbox *b, enum blackbox_kind kind, const char *name)
{
        const struct blackbox_fields *f =
                &b->fields[kind == BLACKBOX_INTER ? BLACKBOX_INTRA : kind];

        for (int i = 0; i < f->count; i++)
                if (strcmp(f->name[i], name) == 0)
                        return i;
        return -1;
}

const char *blackbox_open(struct blackbox *b, const uint8_t *bytes, size_t len,
                          int number)
{
        size_t at = find_log(bytes, len, 0);

        for (int i = 1; i < number && at < len; i++)
                at = find_log(bytes, len, at + 1);
        *b = (struct blackbox){ .bytes = bytes,
                                .len = find_log(bytes, len, at + 1),
                                .at = at,
                                .last_us = -1,
                                .candidate_us = -1 };
        return blackbox_read_header(b);
}

/* Iterations of the loop that the log leaves out on purpose before the next main frame. */
static int64_t count_left_out(const struct blackbox *b)
{
        const struct blackbox_header *h = &b->header;
        int64_t count = 0, at = b->past[0][0] + 1;

        while (count < h->inter_denom &&
               (at % h->intra_interval + h->inter_num - 1) % h->inter_denom >=
                       h->inter_num) {
                count++;
                at++;
        }
        return count;
}

/* What a value is counted from. */
static int64_t predict(const struct blackbox *b, int predictor, int field, int homes,
                       const struct blackbox_frame *frame)
{
        const int64_t *last = b->past[0], *before = b->past[1];

        switch (predictor) {
        case PREDICT_PREVIOUS:
                return last[field];
        case PREDICT_STRAIGHT_LINE:
                return 2 * last[field] - before[field];
        case PREDICT_AVERAGE_2:
                return (last[field] + before[field]) / 2;
        case PREDICT_MINTHROTTLE:
                return b->header.minthrottle;
        case PREDICT_MOTOR_0:
                return b->motor0 >= 0 ? frame->value[b->motor0] : 0;
        case PREDICT_HOME:
                return b->home[homes & 1] >= 0 ? b->home_at[b->home[homes & 1]] : 0;
        case PREDICT_1500:
                return 1500;
        case PREDICT_VBATREF:
                return b->header.vbat_reference;
        case PREDICT_LAST_MAIN_TIME:
                return b->last_us > 0 ? b->last_us : 0;
        case PREDICT_MINMOTOR:
                return b->header.motor_low;
        default:
                return 0;
        }
}

/* What no field holds, so that sums of them cannot overflow. */
static int64_t within_32_bits(int64_t value)
{
        return value >= INT32_MIN && value <= UINT32_MAX ? value : (int32_t)value;
}

static bool read_frame(struct blackbox *b, enum blackbox_kind kind,
                       struct blackbox_bytes *from, struct blackbox_frame *frame)
{
        const struct blackbox_fields *f = &b->fields[kind];
        int64_t raw[8];
        int homes = 0;

        if (f->count == 0)
                return false;
        for (int i = 0, n; i < f->count; i += n) {
                if (f->predictor[i] == PREDICT_INCREMENT) {
                        frame->value[i] = b->past[0][i] + 1 + count_left_out(b);
                        n = 1;
                        continue;
                }
                n = blackbox_read_group(from, f, i, b->header.version, raw);
                if (n == 0)
                        return false;
                for (int k = 0; k < n; k++) {
                        int predictor = f->predictor[i + k];

                        frame->value[i + k] = within_32_bits(
                                raw[k] + predict(b, predictor, i + k, homes, frame));
                        homes += predictor == PREDICT_HOME;
                }
        }
        return true;
}

static bool skip_numbers(struct blackbox_bytes *from, int count)
{
        uint32_t word;

        for (int i = 0; i < count; i++)
                if (!blackbox_read_unsigned(from, &word))
                        return false;
        return true;
}

/* Numbers behind the event's own; false: it is of no known kind. */
static bool read_event(struct blackbox *b, struct blackbox_bytes *from)
{
        static const char end[] = "End of log";
        uint8_t adjusted;

        if (from->at == from->end)
                return false;
        switch (*from->at++) {
        case EVENT_SYNC_BEEP:
        case EVENT_DISARM:
        case EVENT_IMU_FAILURE:
                return skip_numbers(from, 1);
        case EVENT_FLIGHT_MODE:
                return skip_numbers(from, 2);
        case EVENT_ADJUSTMENT:
                if (from->end - from->at < 5)
                        return false;
                adjusted = *from->at++;
                if (adjusted < 128)
                        return skip_numbers(from, 1);
                from->at += 4;
                return true;
        case EVENT_RESUME:
                if (!skip_numbers(from, 2))
                        return false;
                b->resumed = true;
                return true;
        case EVENT_END:
                b->ended = (size_t)(from->end - from->at) >= sizeof end - 1 &&
                           memcmp(from->at, end, sizeof end - 1) == 0;
                return b->ended;
        default:
                return false;
        }
}

/* -1: it cannot follow what was there before. */
static int64_t whole_time(struct blackbox *b, int64_t low_us)
{
        int64_t t_us = (low_us & (CLOCK_US - 1)) + b->turns_us;

        if (b->last_us < 0 || b->resumed)
                return t_us;
        if (t_us < b->last_us && t_us + CLOCK_US - b->last_us < JUMP_MAX_US) {
                b->turns_us += CLOCK_US;
                t_us += CLOCK_US;
        }
        return t_us >= b->last_us && t_us - b->last_us < JUMP_MAX_US ? t_us : -1;
}

/* A main frame takes its place in the history; false: its time makes no sense. Two intra frames in a row that agree
 * about another time are believed. */
static bool accept_main(struct blackbox *b, enum blackbox_kind kind,
                        struct blackbox_frame *frame)
{
        int64_t low_us = frame->value[b->time];
        int64_t t_us = whole_time(b, low_us);

        if (t_us < 0 && kind == BLACKBOX_INTRA && b->candidate_us >= 0 &&
            low_us >= b->candidate_us && low_us - b->candidate_us < JUMP_MAX_US)
                t_us = low_us + b->turns_us;
        b->candidate_us = t_us < 0 && kind == BLACKBOX_INTRA ? low_us : -1;
        if (t_us < 0)
                return false;
        frame->t_us = b->last_us = t_us;
        b->resumed = false;
        frame->kind = BLACKBOX_INTRA;
        memcpy(b->past[1], kind == BLACKBOX_INTRA ? frame->value : b->past[0],
               sizeof b->past[1]);
        memcpy(b->past[0], frame->value, sizeof b->past[0]);
        b->valid = true;
        return true;
}

enum found { FOUND_FRAME, FOUND_OTHER, FOUND_DAMAGE };

/* A frame is believed when another one follows it, or nothing. */
static bool ends_well(const struct blackbox *b, const struct blackbox_bytes *from,
                      size_t begin)
{
        return (size_t)(from->at - b->bytes) - begin <= FRAME_MAX &&
               (from->at == b->bytes + b->len || memchr("IPGHSE", *from->at, 6) != NULL);
}

static enum found take_frame(struct blackbox *b, struct blackbox_frame *frame)
{
        static const char letters[] = "IPGHS";
        struct blackbox_bytes from = { b->bytes + b->at + 1, b->bytes + b->len };
        size_t begin = b->at;
        char letter = (char)b->bytes[b->at];
        const char *known = letter != '\0' ? strchr(letters, letter) : NULL;
        enum blackbox_kind kind;

        if (letter == 'E') {
                if (!read_event(b, &from))
                        return FOUND_DAMAGE;
                b->at = (size_t)(from.at - b->bytes);
                return FOUND_OTHER;
        }
        if (known == NULL)
                return FOUND_DAMAGE;
        kind = (enum blackbox_kind)(known - letters);
        *frame = (struct blackbox_frame){ .kind = kind, .t_us = b->last_us };
        if (!read_frame(b, kind, &from, frame) || !ends_well(b, &from, begin))
                return FOUND_DAMAGE;
        b->at = (size_t)(from.at - b->bytes);
        if (kind == BLACKBOX_INTER && !b->valid)
                return FOUND_OTHER;
        if (kind <= BLACKBOX_INTER && !accept_main(b, kind, frame)) {
                b->valid = false;
                b->skipped++;
                return FOUND_OTHER;
        }
        if (kind == BLACKBOX_HOME) {
                memcpy(b->home_at, frame->value, sizeof b->home_at);
                b->home_known = true;
        }
        return FOUND_FRAME;
}

bool blackbox_next(struct blackbox *b, struct blackbox_frame *frame)
{
        bool lost = false;

        while (b->at < b->len && !b->ended) {
                enum found found = take_frame(b, frame);

                if (found == FOUND_FRAME)
                        return true;
                if (found == FOUND_DAMAGE) {
                        b->skipped += !lost;
                        b->valid = false;
                        b->at++;
                }
                lost = found == FOUND_DAMAGE;
        }
        return false;
}
