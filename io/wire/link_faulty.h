/* A wrapper around any link, in the rig, that does to the frames on it what the faults in force say: in
 * both directions, exact to the tick. While none looks at a direction, its bytes pass as they are.
 *
 * On a stream the faults act on frames, which the codec finds; on a packet link on datagrams; without a codec on what is
 * written or read at once. What a
 * fault delays leaves in the order in which it came. A frame that was half through when a fault began is
 * not touched.
 *
 * It also listens to what it lets through, as the FC does: struct wire_talk says whether a sensor frame
 * has reached the FC whole and its answer has not come back to the wrapper. In lockstep (but for the
 * greeting) it takes bytes from the FC only while it awaits such an answer, up to and including it, and
 * what stands behind it with the next: so that the bytes of a tick are the same whatever the host's load. */
#pragma once

#include "io/link/link.h"
#include "io/wire/fault.h"

/* Owns `inner` from now on, which may be NULL; `faults` are shared and outlive it. Without a codec (NULL), faults->lockstep
 * must be false. NULL: no memory, and inner is still the caller's. */
struct link *link_faulty_open(struct link *inner, const struct codec_ops *codec,
                              struct wire_faults *faults, int channel);

/* These take a link that link_faulty_open() made. */

/* Hands on what is due at faults->tick and what the inner link did not take before. False: gone. */
bool link_faulty_push(struct link *l);
/* Nothing is due that the inner link has not taken. */
bool link_faulty_pushed(const struct link *l);
/* Bytes wait that a read would give without asking the inner link. */
bool link_faulty_readable(const struct link *l);
/* The fault at that place of faults->order is about to end: what it holds back goes on. */
void link_faulty_let_go(struct link *l, int place);
/* A new conversation: what is on its way is lost. */
void link_faulty_clear(struct link *l);
/* Closes the inner link; without another one (NULL) this link is gone until it is given one. */
void link_faulty_plug(struct link *l, struct link *inner);
/* Units that were delayed for so long that no room was left for them. */
uint64_t link_faulty_lost(const struct link *l);

/* A tap: keeps a copy of what the inner link has taken; from then on the caller must ask for it again and
 * again, as nothing more is handed on when its store is full. Returns how many bytes it wrote. */
void link_faulty_tap(struct link *l, bool on);
size_t link_faulty_tapped(struct link *l, uint8_t *bytes, size_t cap);
