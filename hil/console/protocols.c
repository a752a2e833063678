#include "hil/console/protocols.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/fc/motor_layout.h"
#include "hil/config/fc/reach.h"
#include "io/device/device.h"
#include "io/twin/source.h"

/* Each list under the dialects that share it. */
static void print_carried(const struct codec_ops *ops)
{
        int lists = 0;
        char text[400];

        for (int i = 0; i < CODEC_DIALECTS_MAX; i++)
                lists += ops->carries[i] != NULL;
        for (int i = 0; i < CODEC_DIALECTS_MAX; i++) {
                if (ops->carries[i] == NULL)
                        continue;
                printf("  carries");
                for (int k = i;
                     lists > 1 && k < CODEC_DIALECTS_MAX && ops->dialects[k] != NULL &&
                     (k == i || ops->carries[k] == NULL);
                     k++)
                        printf("%s %s", k == i ? " with" : ",", ops->dialects[k]);
                reach_describe(ops->carries[i], text, sizeof text);
                printf(": %s\n", text);
        }
}

static void print_codec(const struct codec_ops *ops)
{
        const struct motor_layout *layout = motor_layout_of(ops->name);

        printf("%s%s\n", ops->name, ops->realtime_only ? ": in real time only" : "");
        for (int i = 0; i < ops->channels; i++)
                printf("  link %d: %s%s\n", i, ops->channel[i].name,
                       ops->channel[i].optional ? ", may be left out" : "");
        for (int i = 0; ops->dialects != NULL && ops->dialects[i] != NULL; i++)
                printf("  dialect %s%s%s\n", ops->dialects[i],
                       i == 0 ? " (unless the rig file says otherwise)" : "",
                       codec_lists(ops->realtime_dialects, ops->dialects[i])
                               ? ", in real time only"
                               : "");
        if (layout != NULL)
                printf("  motors: %s (%s)\n", layout->name, layout->source);
        print_carried(ops);
        printf("  frames:");
        for (int i = 0; ops->frame_names[i] != NULL; i++)
                printf(" %s", ops->frame_names[i]);
        printf("\n");
}

void protocols_print_codecs(void)
{
        for (const char *const *name = codec_names(); *name != NULL; name++)
                print_codec(codec_find(*name));
}

void protocols_print_devices(void)
{
        for (const struct device_ops *const *d = device_all(); *d != NULL; d++) {
                printf("%-16s %s", (*d)->name, (*d)->what);
                if ((*d)->baud != 0)
                        printf(", %u baud", (*d)->baud);
                printf("\n");
        }
}

void protocols_print_sources(void)
{
        for (const struct twin_source_ops *const *s = twin_source_all(); *s != NULL; s++)
                printf("%-14s %s%s\n", (*s)->name, (*s)->what,
                       (*s)->recorded ? "; at its own pace, in lockstep, too" : "");
}
