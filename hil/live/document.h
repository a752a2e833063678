/* The stream's documents, each one line of JSON (docs/live.md). Texts are freed by the caller; NULL: no memory. */
#pragma once

#include <stdio.h>

#include "hil/live/frame.h"
#include "hil/text/json.h"

/* What does not change in a flight. */
char *live_scene_text(const struct rig_config *rig, bool control);

/* What one page has asked for on top of what every frame holds. */
#define LIVE_ASKED_MAX 32
struct live_asked {
        int count;
        struct live_quantity quantity[LIVE_ASKED_MAX];
};

/* The names of an "ask"; those that are none are left out. False: it is no such document. */
bool live_asked_read(struct live_asked *a, const struct json *ask, int vehicles);

/* A fault of the scenario's language, "sensor_fault" or "vehicle_fault" with "vehicle" and "for_s", as an order. False with the
 * reason. */
bool live_fault_read(struct live_order *order, const struct json *step,
                     const struct rig_config *rig, char *why, size_t cap);

/* All of a frame but its end, the same for every page: live_frame_end_put() closes it. */
char *live_frame_text(const struct live_frame *f, const struct rig_config *rig);
void live_frame_end_put(FILE *out, const struct live_frame *f, const struct live_asked *a,
                        uint64_t lost);

char *live_event_text(const struct event_record *e);
char *live_said_text(int64_t t_ns, char level, const char *text);
char *live_verdict_text(const struct live_verdict *v);
char *live_latency_text(const struct live_latency *l);
char *live_hands_text(const struct live_hands *h);
char *live_refused_text(const char *why);
char *live_end_text(const char *verdict, const char *reason);
