/* Lines are "<type> <number>\x02<text>\n". Expressions are PCRE's, as other nodes write them; PCRE2 stops a match
 * that takes too many steps, which the regular expressions of the C library cannot. One that was stopped is thrown
 * out. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdio.h>
#include <stdlib.h>

#include "io/twin/ivy_peer.h"

enum {
        STEPS_MAX = 5000, /* of one match */
        DEPTH_MAX = 500,
        HEAP_MAX_KIB = 256,
        STRIKES_MAX = 100 /* then the peer is done with */
};

struct ivy_regexp {
        int id;
        pcre2_code *code;
        pcre2_match_data *found;
        pcre2_match_context *limits;
};

static void strike(struct ivy_peer *p, struct ivy_counts *counts)
{
        counts->errors++;
        if (++p->strikes == STRIKES_MAX)
                p->over = true;
}

bool ivy_announcement_read(const char *text, uint16_t *port, char id[IVY_ID_MAX])
{
        unsigned version, number;

        id[0] = '\0';
        if (sscanf(text, "%4u %6u %63s", &version, &number, id) < 2 || version != 3 ||
            number == 0 || number > UINT16_MAX)
                return false;
        *port = (uint16_t)number;
        return true;
}

static void free_regexp(struct ivy_regexp *r)
{
        pcre2_code_free(r->code);
        pcre2_match_data_free(r->found);
        pcre2_match_context_free(r->limits);
        free(r);
}

static struct ivy_regexp *make_regexp(int id, const char *pattern)
{
        struct ivy_regexp *r = calloc(1, sizeof *r);
        PCRE2_SIZE where;
        int error;

        if (r == NULL)
                return NULL;
        r->id = id;
        r->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                                PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &where,
                                NULL);
        if (r->code != NULL)
                r->found = pcre2_match_data_create_from_pattern(r->code, NULL);
        r->limits = pcre2_match_context_create(NULL);
        if (r->code == NULL || r->found == NULL || r->limits == NULL) {
                free_regexp(r);
                return NULL;
        }
        pcre2_set_match_limit(r->limits, STEPS_MAX);
        pcre2_set_depth_limit(r->limits, DEPTH_MAX);
        pcre2_set_heap_limit(r->limits, HEAP_MAX_KIB);
        return r;
}

static void remove_regexp(struct ivy_peer *p, int at)
{
        free_regexp(p->regexp[at]);
        p->regexp[at] = p->regexp[--p->regexps];
}

static void delete_regexp(struct ivy_peer *p, int id)
{
        for (int i = 0; i < p->regexps; i++)
                if (p->regexp[i]->id == id) {
                        remove_regexp(p, i);
                        return;
                }
}

/* An id that comes again replaces what it stood for. */
static void add_regexp(struct ivy_peer *p, struct ivy_counts *counts, int id,
                       const char *pattern)
{
        struct ivy_regexp *r = NULL;

        delete_regexp(p, id);
        if (p->regexps < IVY_REGEXPS_MAX && strlen(pattern) <= IVY_REGEXP_MAX)
                r = make_regexp(id, pattern);
        if (r == NULL) {
                strike(p, counts);
                ivy_peer_queue(p, IVY_ERROR, id, "regular expression refused");
                return;
        }
        p->regexp[p->regexps++] = r;
}

static const char *obey_line(struct ivy_peer *p, struct ivy_counts *counts, int type,
                             int number, const char *text)
{
        switch (type) {
        case IVY_BYE:
                p->over = true;
                break;
        case IVY_ADD_REGEXP:
                add_regexp(p, counts, number, text);
                break;
        case IVY_MSG:
                if (number == 0) {
                        counts->heard++;
                        return text;
                }
                strike(p, counts);
                break;
        case IVY_DEL_REGEXP:
                delete_regexp(p, number);
                break;
        case IVY_START_INIT:
                p->introduced = number > 0 && number <= UINT16_MAX;
                p->port = (uint16_t)(p->introduced ? number : 0);
                p->over |= !p->introduced;
                break;
        case IVY_DIE:
                counts->dies++;
                break;
        case IVY_PING:
                ivy_peer_queue(p, IVY_PONG, number, "");
                break;
        case IVY_END_INIT:
        case IVY_DIRECT_MSG:
        case IVY_PONG:
                break;
        default: /* IVY_ERROR too */
                strike(p, counts);
        }
        return NULL;
}

static const char *read_line(struct ivy_peer *p, struct ivy_counts *counts)
{
        char *text = strchr(p->line, '\x02'), *end;
        long type = strtol(p->line, &end, 10), number;

        if (text == NULL || end == p->line || *end != ' ') {
                strike(p, counts);
                return NULL;
        }
        number = strtol(end + 1, &end, 10);
        if (end != text || type < 0 || type > IVY_PONG || number < INT32_MIN ||
            number > INT32_MAX) {
                strike(p, counts);
                return NULL;
        }
        return obey_line(p, counts, (int)type, (int)number, text + 1);
}

size_t ivy_peer_take(struct ivy_peer *p, struct ivy_counts *counts, const char *bytes,
                     size_t len, const char **groups)
{
        const char *newline = memchr(bytes, '\n', len);
        size_t part = newline != NULL ? (size_t)(newline - bytes) : len;

        *groups = NULL;
        if (p->line_len + part >= sizeof p->line) {
                counts->errors++;
                p->over = true;
                return len;
        }
        memcpy(p->line + p->line_len, bytes, part);
        p->line_len += part;
        if (newline == NULL)
                return len;
        p->line[p->line_len] = '\0';
        p->line_len = 0;
        *groups = read_line(p, counts);
        return part + 1;
}

bool ivy_peer_queue(struct ivy_peer *p, enum ivy_type type, int number, const char *text)
{
        size_t room = sizeof p->out - p->out_len;
        int n = snprintf(p->out + p->out_len, room, "%d %d\x02%s\n", type, number, text);

        if (n < 0 || (size_t)n >= room)
                return false;
        p->out_len += (size_t)n;
        return true;
}

/* The captured groups, each ended by \x03; a text is no longer than IVY_TEXT_MAX, but groups may overlap. */
static bool queue_groups(struct ivy_peer *p, const struct ivy_regexp *r, const char *text)
{
        const PCRE2_SIZE *at = pcre2_get_ovector_pointer(r->found);
        uint32_t count = pcre2_get_ovector_count(r->found);
        char groups[IVY_LINE_MAX / 2];
        size_t len = 0;

        for (uint32_t i = 1; i < count; i++) {
                size_t n = at[2 * i] == PCRE2_UNSET || at[2 * i + 1] < at[2 * i]
                                   ? 0
                                   : at[2 * i + 1] - at[2 * i];

                if (len + n + 2 > sizeof groups)
                        return false;
                if (n > 0)
                        memcpy(groups + len, text + at[2 * i], n);
                len += n;
                groups[len++] = '\x03';
        }
        groups[len] = '\0';
        return ivy_peer_queue(p, IVY_MSG, r->id, groups);
}

int ivy_peer_offer(struct ivy_peer *p, struct ivy_counts *counts, const char *text)
{
        size_t len = strlen(text);
        int sent = 0;

        for (int i = 0; i < p->regexps; i++) {
                const struct ivy_regexp *r = p->regexp[i];
                int found = pcre2_match(r->code, (PCRE2_SPTR)text, len, 0, 0, r->found,
                                        r->limits);

                if (found > 0 && queue_groups(p, r, text))
                        sent++;
                else if (found > 0)
                        counts->dropped++;
                else if (found != PCRE2_ERROR_NOMATCH) {
                        strike(p, counts);
                        ivy_peer_queue(p, IVY_ERROR, r->id,
                                       "regular expression takes too long");
                        remove_regexp(p, i--);
                }
        }
        counts->sent += (uint64_t)sent;
        return sent;
}

void ivy_peer_clear(struct ivy_peer *p)
{
        while (p->regexps > 0)
                remove_regexp(p, 0);
}
