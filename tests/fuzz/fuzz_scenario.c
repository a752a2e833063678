/* Any JSON as a scenario with parameters and loops: it is refused in one line, or nothing of them is
 * left, within the bounds, and the text of it expands to itself. */
#include "hil/config/scenario/expand.h"
#include "tests/fuzz/fuzz.h"

static void check_tree(const struct json *value)
{
        const struct json *last = NULL;
        char path[200];
        int count = 0;

        json_path(value, path, sizeof(path));
        expect(strnlen(path, sizeof(path)) < sizeof(path));
        for (const struct json *c = value->first; c; c = c->next) {
                expect(c->parent == value);
                check_tree(c);
                last = c;
                count++;
        }
        expect(value->last == last && value->count == count);
}

static void check_expanded(struct json *root, const char *name)
{
        char *first = json_print(root), *second;
        struct json_error error;
        struct config_error why = { "" };
        struct json *again;

        expect(first != NULL);
        expect(!json_member(root, "parameters"));
        again = json_parse(first, strlen(first), name, &error);
        expect(again != NULL);
        /* A text in which ${} made another ${ or a first "=" may be refused. */
        if (!strstr(first, "${") && !strstr(first, "\"=")) {
                expect(scenario_expand(again, &why));
                second = json_print(again);
                expect(second && strcmp(first, second) == 0);
                free(second);
        }
        json_free(again);
        free(first);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
        struct json_error error;
        struct config_error why = { "" };
        struct json *root =
                json_parse(len > 0 ? (const char *)bytes : "", len, "s.json", &error);

        if (!root)
                return 0;
        if (scenario_expand(root, &why)) {
                check_tree(root);
                if (json_is(root, JSON_OBJECT))
                        check_expanded(root, "s.json");
        } else {
                check_text(why.text, sizeof why.text);
        }
        json_free(root);
        return 0;
}
