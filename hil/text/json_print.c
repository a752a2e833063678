/* The tree as text. */
#include "hil/text/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/utf8.h"

void json_format_number(char *buf, size_t cap, double value)
{
        for (int digits = 15; digits <= 17; digits++) {
                snprintf(buf, cap, "%.*g", digits, value);
                if (strtod(buf, NULL) == value)
                        return;
        }
}

/* Nothing in it moves a terminal's cursor, and it is UTF-8 whatever the text was. */
static void print_string(FILE *out, const char *text)
{
        fputc('"', out);
        while (*text != '\0') {
                const char *from = text;
                unsigned code = utf8_next(&text);

                if (code == '"' || code == '\\')
                        fprintf(out, "\\%c", (char)code);
                else if (code == '\n')
                        fputs("\\n", out);
                else if (code == '\t')
                        fputs("\\t", out);
                else if (utf8_is_control(code) || code == UTF8_REPLACEMENT)
                        fprintf(out, "\\u%04x", code);
                else
                        fwrite(from, 1, (size_t)(text - from), out);
        }
        fputc('"', out);
}

static void print_scalar(FILE *out, const struct json *n)
{
        char number[40];

        switch (n->type) {
        case JSON_BOOL:
                fputs(n->number != 0.0 ? "true" : "false", out);
                break;
        case JSON_NUMBER:
                json_format_number(number, sizeof(number), n->number);
                fputs(n->text ? n->text : number, out);
                break;
        case JSON_STRING:
                print_string(out, n->text ? n->text : "");
                break;
        default:
                fputs("null", out);
                break;
        }
}

/* An array of numbers and words stands on one line even where objects do not. */
static bool is_flat(const struct json *n)
{
        if (n->type != JSON_ARRAY)
                return false;
        for (const struct json *c = n->first; c; c = c->next)
                if (c->type == JSON_ARRAY || c->type == JSON_OBJECT)
                        return false;
        return true;
}

static void break_line(FILE *out, int indent)
{
        fprintf(out, "\n%*s", 2 * indent, "");
}

/* indent < 0: all on one line. */
static void print_value(FILE *out, const struct json *n, int indent)
{
        bool object = n->type == JSON_OBJECT;
        bool lines = indent >= 0 && n->count > 0 && !is_flat(n);
        int inner = lines ? indent + 1 : -1;

        if (!object && n->type != JSON_ARRAY) {
                print_scalar(out, n);
                return;
        }
        fputc(object ? '{' : '[', out);
        for (const struct json *c = n->first; c; c = c->next) {
                if (lines)
                        break_line(out, inner);
                if (object) {
                        print_string(out, c->key);
                        fputs(": ", out);
                }
                print_value(out, c, inner);
                if (c->next)
                        fputs(lines ? "," : ", ", out);
        }
        if (lines)
                break_line(out, indent);
        fputc(object ? '}' : ']', out);
}

static char *print(const struct json *root, int indent, const char *end)
{
        char *text = NULL;
        size_t len = 0;
        FILE *out;
        bool failed;

        if (!root || root->failed)
                return NULL;
        out = open_memstream(&text, &len);
        if (!out)
                return NULL;
        print_value(out, root, indent);
        fputs(end, out);
        failed = ferror(out) != 0;
        if (fclose(out) != 0 || failed) {
                free(text);
                return NULL;
        }
        return text;
}

char *json_print(const struct json *root)
{
        return print(root, 0, "\n");
}

char *json_print_line(const struct json *root)
{
        return print(root, -1, "");
}

char *json_print_free(struct json *root)
{
        char *text = json_print(root);

        json_free(root);
        return text;
}

char *json_print_line_free(struct json *root)
{
        char *text = json_print_line(root);

        json_free(root);
        return text;
}
