/* Any bytes as a rig file, or after a '=' as a setting on top of one. They are refused in one line,
 * or what they resolve to gives the same rig again. */
#include "hil/config/config.h"
#include "hil/config/world/scenery.h"
#include "tests/fuzz/fuzz.h"

/* Every file reference in it is beside a file of that name. */
#define NAME "rig_configs/fuzz.json"

static struct rig_config rig, again;

/* What a configuration points to; then nothing in it is a pointer. */
static void check_scenery(void)
{
        expect(!rig.scenery == !again.scenery);
        if (rig.scenery) {
                expect(rig.scenery->solids == again.scenery->solids);
                expect(memcmp(rig.scenery->solid, again.scenery->solid,
                              (size_t)rig.scenery->solids * sizeof(struct solid)) == 0);
        }
        config_free(&rig);
        config_free(&again);
}

static void check_resolved(const char *first)
{
        const void *this_rig = &rig, *same_rig = &again;
        struct config_error why = { "" };
        char *second = NULL;

        expect(config_read_text(&again, NAME, first, strlen(first), NULL, &second, &why));
        expect(strcmp(first, second) == 0);
        check_scenery();
        expect(memcmp(this_rig, same_rig, sizeof(rig)) == 0);
        free(second);
}

static void read_file(const char *bytes, size_t len)
{
        struct config_error why = { "" };
        char *resolved = NULL;

        if (config_read_text(&rig, NAME, bytes, len, NULL, &resolved, &why))
                check_resolved(resolved);
        else
                check_text(why.text, sizeof why.text);
        free(resolved);
}

static void read_setting(const char *bytes, size_t len)
{
        static const char base[] = "{\"include\": \"default.json\"}";
        char *set = strndup(bytes, len);
        struct config_overrides o = { .sets = 1, .set = { set } };
        struct config_error why = { "" };
        char *resolved = NULL;

        if (!set)
                return;
        if (config_read_text(&rig, NAME, base, strlen(base), &o, &resolved, &why))
                check_resolved(resolved);
        else
                check_text(why.text, sizeof why.text);
        free(resolved);
        free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
        const char *text = (const char *)bytes;

        if (len > 0 && text[0] == '=')
                read_setting(text + 1, len - 1);
        else
                read_file(len > 0 ? text : "", len);
        return 0;
}
