#include "hil/bisect/builds.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/bisect/bisect.h"

static bool refuse(char *why, size_t cap, const char *what, const char *is)
{
        snprintf(why, cap, "%s%s%s%s", what, is[0] != '\0' ? ", is \"" : "", is,
                 is[0] != '\0' ? "\"" : "");
        return false;
}

static bool is_name(const char *name)
{
        static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX"
                                      "YZ0123456789._-+";

        return name[0] != '\0' && name[0] != '.' && strlen(name) < BUILD_NAME_MAX &&
               strspn(name, allowed) == strlen(name);
}

bool builds_add(struct builds *b, const char *name, char *why, size_t cap)
{
        struct build *more;

        if (!is_name(name))
                return refuse(why, cap,
                              "a build's name must have 1 to 63 letters, digits, "
                              "\"_\", \"-\", \"+\" and \".\", and not begin with a \".\"",
                              name);
        for (int i = 0; i < b->count; i++)
                if (strcmp(b->build[i].name, name) == 0)
                        return refuse(why, cap, "a build's name must be its own", name);
        if (b->count == BISECT_BUILDS_MAX)
                return refuse(why, cap, "there are more than 4096 builds", "");
        more = realloc(b->build, (size_t)(b->count + 1) * sizeof *more);
        if (more == NULL)
                return refuse(why, cap, "out of memory", "");
        b->build = more;
        more += b->count++;
        *more = (struct build){ .sets = 0 };
        snprintf(more->name, sizeof more->name, "%s", name);
        return true;
}

static bool is_variable(const char *word)
{
        size_t len = strcspn(word, "=");

        for (size_t i = 0; i < len; i++)
                if (!isupper((unsigned char)word[i]) && word[i] != '_' &&
                    (i == 0 || !isdigit((unsigned char)word[i])))
                        return false;
        return len > 0;
}

static bool add_word(struct build *b, const char *word, char *why, size_t cap)
{
        bool variable = is_variable(word);
        int *count = variable ? &b->variables : &b->sets;
        char *copy;

        if (strchr(word, '=') == NULL || word[0] == '=')
                return refuse(why, cap, "must be KEY=VALUE", word);
        if (*count == BUILD_WORDS_MAX)
                return refuse(why, cap, "must have at most 16 settings and 16 variables",
                              word);
        copy = strdup(word);
        if (copy == NULL)
                return refuse(why, cap, "out of memory", "");
        (variable ? b->variable : b->set)[(*count)++] = copy;
        return true;
}

/* The next word of a line, its quotes taken away, in place. NULL: none, or *open: its quote does not end. */
static char *next_word(char **line, bool *open)
{
        char *from = *line + strspn(*line, " \t\r"), *word = from, *to = from;
        bool quoted = false;

        if (*from == '\0' || *from == '#')
                return NULL;
        for (; *from != '\0' && (quoted || strchr(" \t\r", *from) == NULL); from++) {
                if (*from == '"')
                        quoted = !quoted;
                else
                        *to++ = *from;
        }
        *open = quoted;
        *line = from + (*from != '\0');
        *to = '\0';
        return quoted ? NULL : word;
}

static bool take_line(struct builds *b, char *line, char *why, size_t cap)
{
        bool open = false;
        char *word = next_word(&line, &open);

        if (word != NULL && !builds_add(b, word, why, cap))
                return false;
        while (word != NULL && (word = next_word(&line, &open)) != NULL)
                if (!add_word(&b->build[b->count - 1], word, why, cap))
                        return false;
        return !open || refuse(why, cap, "a quote does not end", "");
}

bool builds_parse(struct builds *b, const char *file, const char *text, char *why,
                  size_t cap)
{
        char *copy = strdup(text), *at = copy, *line, reason[200];
        int number = 0;
        bool ok = copy != NULL;

        if (copy == NULL)
                refuse(why, cap, "out of memory", "");
        while (ok && (line = strsep(&at, "\n")) != NULL) {
                number++;
                ok = take_line(b, line, reason, sizeof reason);
                if (!ok)
                        snprintf(why, cap, "%s: line %d: %s", file, number, reason);
        }
        free(copy);
        return ok;
}

void builds_free(struct builds *b)
{
        for (int i = 0; i < b->count; i++) {
                for (int k = 0; k < b->build[i].sets; k++)
                        free(b->build[i].set[k]);
                for (int k = 0; k < b->build[i].variables; k++)
                        free(b->build[i].variable[k]);
        }
        free(b->build);
        *b = (struct builds){ 0 };
}

char *build_expand(const struct build *b, const char *text)
{
        static const char mark[] = "{build}";
        char *out = NULL;
        size_t len;
        FILE *file = open_memstream(&out, &len);
        const char *at;

        if (file == NULL)
                return NULL;
        while ((at = strstr(text, mark)) != NULL) {
                fwrite(text, 1, (size_t)(at - text), file);
                fputs(b->name, file);
                text = at + sizeof mark - 1;
        }
        fputs(text, file);
        if (fclose(file) == 0)
                return out;
        free(out);
        return NULL;
}
