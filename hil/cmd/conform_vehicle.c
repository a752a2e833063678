#include "hil/cmd/conform_vehicle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/console/options.h"
#include "hil/config/config.h"
#include "hil/config/load.h"
#include "hil/text/json.h"

/* A rig around a vehicle file, with nothing in it that matters here. */
static struct json *rig_around(const char *path)
{
        struct json *root = json_new_object(), *at, *vehicle;

        json_add_string(root, "name", "conform");
        at = json_add_object(root, "world");
        json_add_string(at, "name", "conform");
        at = json_add_object(at, "origin");
        json_add_number(at, "latitude_deg", 0.0);
        json_add_number(at, "longitude_deg", 0.0);
        json_add_number(at, "height_m", 0.0);
        at = json_add_object(root, "scenario");
        json_add_string(at, "name", "conform");
        json_add_number(at, "duration_s", 1.0);
        json_add_array(at, "steps");
        vehicle = json_add_object(json_add_array(root, "vehicles"), NULL);
        json_add_string(vehicle, "name", "conform");
        json_add_string(vehicle, "vehicle", path);
        at = json_add_object(vehicle, "fc");
        json_add_string(at, "codec", "hilp");
        json_add_string(at, "link", "pty");
        return root;
}

static bool read_around(struct rig_config *rig, const char *path,
                        struct config_error *why)
{
        const struct config_overrides none = { NULL };
        char *found = config_file_named(path), *text = NULL, *resolved = NULL;
        char *real = found != NULL ? realpath(found, NULL) : NULL;
        struct json *root = real != NULL ? rig_around(real) : NULL;
        bool done = false;

        snprintf(why->text, sizeof why->text, "%s: no such file", path);
        if (root != NULL)
                text = json_print(root);
        if (text != NULL)
                done = config_read_text(rig, path, text, strlen(text), &none, &resolved,
                                        why);
        free(resolved);
        free(text);
        json_free(root);
        free(real);
        free(found);
        return done;
}

static bool is_rig(const char *path)
{
        struct config_error why;
        struct json_error broken;
        struct json *root = NULL;
        size_t len;
        char *text = config_load_named(path, &len, &why);
        const char *kind;
        bool rig = false;

        if (text != NULL)
                root = json_parse(text, len, path, &broken);
        if (root != NULL) {
                kind = config_kind_name(root);
                rig = kind != NULL && strcmp(kind, "rig") == 0;
        }
        json_free(root);
        free(text);
        return rig;
}

static void take_rotors(struct conform_options *o, const struct vehicle_config *v)
{
        o->has_vehicle = true;
        o->rotors = v->params.rotors;
        for (int i = 0; i < v->params.rotors; i++) {
                const struct rotor_params *r = &v->params.rotor[i];

                o->rotor[v->fc.motor_order[i]] =
                        (struct conform_rotor){ r->pos_body_m.x, r->pos_body_m.y, r->spin,
                                                i };
        }
}

bool conform_read_vehicle(struct conform_options *o, const char *path)
{
        const struct config_overrides none = { NULL };
        struct rig_config *rig = calloc(1, sizeof *rig);
        struct config_error why = { "out of memory" };
        char *resolved = NULL;
        bool done = false;

        if (rig != NULL) {
                done = is_rig(path) ? config_read(rig, path, &none, &resolved, &why)
                                    : read_around(rig, path, &why);
                if (done)
                        take_rotors(o, &rig->vehicle[0]);
                config_free(rig);
        }
        if (!done)
                options_complain("conform", why.text);
        free(resolved);
        free(rig);
        return done;
}
