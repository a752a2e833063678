/* What is wrong with files: each place once, in the order in which the files were read. */
#include "hil/config/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Behind all files: of the command line as a whole, of the host. */
#define PLACE_LAST UINT32_MAX

void config_error_clear(struct config_error *why)
{
        why->text[0] = '\0';
        why->count = 0;
}

/* Names from a file may hold anything; a terminal should not obey it. */
static void make_printable(char *text)
{
        for (; *text; text++)
                if ((unsigned char)*text < 0x20 || *text == 0x7F)
                        *text = '?';
}

/* FNV-1a. */
static uint32_t hash_text(const char *text)
{
        uint32_t hash = 2166136261U;

        for (; *text; text++)
                hash = (hash ^ (unsigned char)*text) * 16777619U;
        return hash;
}

/* A file that is named twice, or an entry that a loop made twice, is wrong once. */
static bool is_told(const struct config_error *why, uint32_t place, uint32_t key,
                    uint32_t line)
{
        for (int i = 0; i < why->count; i++)
                if (why->told[i].line == line ||
                    (place != PLACE_LAST && why->told[i].place == place &&
                     why->told[i].key == key))
                        return true;
        return false;
}

static char *find_line(char *text, int index)
{
        while (index-- > 0 && *text)
                text = strchr(text, '\n') + 1;
        return text;
}

static void insert_line(struct config_error *why, int index, const char *line)
{
        size_t len = strlen(line);
        char *at;

        if (why->count > 0)
                strcat(why->text, "\n");
        /* Of those that only count there is a line of their own. */
        *find_line(why->text, CONFIG_ERRORS_MAX) = '\0';
        at = find_line(why->text, index);
        if (index < CONFIG_ERRORS_MAX) {
                memmove(at + len + 1, at, strlen(at) + 1);
                memcpy(at, line, len);
                at[len] = '\n';
        }
        at = find_line(why->text, CONFIG_ERRORS_MAX);
        *at = '\0';
        if (why->count >= CONFIG_ERRORS_MAX)
                snprintf(at, CONFIG_ERROR_SIZE, "and %d more\n",
                         why->count + 1 - CONFIG_ERRORS_MAX);
        why->text[strlen(why->text) - 1] = '\0';
}

static void tell(struct config_error *why, uint32_t place, const char *key,
                 const char *line)
{
        uint32_t of_key = hash_text(key), of_line = hash_text(line);
        int index = why->count;

        if (why->count == CONFIG_PLACES_MAX || is_told(why, place, of_key, of_line))
                return;
        while (index > 0 && why->told[index - 1].place > place)
                index--;
        insert_line(why, index, line);
        memmove(&why->told[index + 1], &why->told[index],
                (size_t)(why->count - index) * sizeof why->told[0]);
        why->told[index].place = place;
        why->told[index].key = of_key;
        why->told[index].line = of_line;
        why->count++;
}

static void refuse_words(struct config_error *why, uint32_t place, const char *format,
                         va_list args)
{
        char line[CONFIG_ERROR_SIZE];

        if (vsnprintf(line, sizeof line, format, args) >= (int)sizeof line)
                memcpy(line + sizeof line - 4, "...", 4);
        make_printable(line);
        tell(why, place, "", line);
}

bool config_refuse_line(struct config_error *why, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        refuse_words(why, PLACE_LAST, format, args);
        va_end(args);
        return false;
}

bool config_refuse_file(struct config_error *why, uint32_t place, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        refuse_words(why, place, format, args);
        va_end(args);
        return false;
}

static void refuse_value(struct config_error *why, const struct json *value,
                         const char *key, const char *format, va_list args)
{
        char path[200], text[400], line[CONFIG_ERROR_SIZE];
        const char *file = value->file ? value->file : "configuration";
        const char *more = key ? key : "";
        bool dot, named;

        json_path(value, path, sizeof(path));
        vsnprintf(text, sizeof(text), format, args);
        dot = path[0] && more[0];
        named = path[0] || more[0];
        if (snprintf(line, sizeof line, "%s: %s%s%s%s%s", file, path, dot ? "." : "",
                     more, named ? ": " : "", text) >= (int)sizeof line)
                memcpy(line + sizeof line - 4, "...", 4);
        make_printable(line);
        tell(why, value->place > 0 ? value->place : PLACE_LAST, more, line);
        /* Readers look at the tree and leave it alone, but for this mark. */
        ((struct json *)value)->refused = true;
}

bool config_refuse(struct config_error *why, const struct json *value, const char *key,
                   const char *format, ...)
{
        va_list args;

        va_start(args, format);
        refuse_value(why, value, key, format, args);
        va_end(args);
        return false;
}

bool config_refuse_at(struct config_error *why, const struct json *root, const char *path,
                      const char *format, ...)
{
        char upto[200];
        const struct json *value = root;
        const char *rest = path;
        va_list args;

        for (size_t len = strlen(path); len > 0 && len < sizeof(upto); len--) {
                if (path[len] != '\0' && path[len] != '.')
                        continue;
                memcpy(upto, path, len);
                upto[len] = '\0';
                if (json_at(root, upto)) {
                        value = json_at(root, upto);
                        rest = path[len] ? path + len + 1 : "";
                        break;
                }
        }
        va_start(args, format);
        refuse_value(why, value, rest, format, args);
        va_end(args);
        return false;
}

bool config_lacks_include(const struct json *node)
{
        for (; node; node = node->whole ? NULL : node->parent) {
                const struct json *name = json_member(node, "include");

                if (name && name->refused)
                        return true;
        }
        return false;
}

static bool is_refused(const struct json *node)
{
        if (node->refused)
                return true;
        for (const struct json *c = node->first; c; c = c->next)
                if (is_refused(c))
                        return true;
        return false;
}

bool config_is_sound(const struct json *node)
{
        return !node || (!is_refused(node) && !config_lacks_include(node));
}

bool config_is_built(const struct vehicle_config *v)
{
        return v->name[0] != '\0';
}
