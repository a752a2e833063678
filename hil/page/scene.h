/* What a view of a flight in three dimensions draws that does not change (scene.js): the live page and reports have the same.
 * Lengths in metres, north, east and down of the world's origin; q turns from a body to that, w first.
 *
 *   vehicles      [{ name, colour, mass_kg, start, rotors: [{ p, direction, radius }], sonars: [{ p, axis, opening_rad, reach_m }] }]
 *   ground_down_m
 *   obstacles     [{ shape: "box", "sphere" or "cylinder", name, p, q, size }], whole along its own axes
 *   triangles     of meshes: nine numbers each, to the millimetre
 *   solids_more   obstacles and triangles beyond those that are listed
 *   regions       [{ p, q, size, wind }]
 *   wind          the steady one
 *   requirements  [{ id, name, form: "always", "eventually", "formula" or "metric", text, vehicle, from_s, to_s, min, max }];
 *                 a formula has no window, and it and a metric no bounds of a signal */
#pragma once

#include "hil/config/config.h"
#include "hil/text/json.h"

void page_scene_add(struct json *to, const struct rig_config *rig);
