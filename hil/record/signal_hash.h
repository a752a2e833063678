/* The run's signal as one SHA-256: every motor command and every sensor frame sent, in order, in a
 * fixed little-endian form that holds no padding, no host time and nothing of the codec. */
#pragma once

#include "hil/record/record.h"

struct signal_hash;

struct signal_hash *signal_hash_create(int rotors);
/* In tick order, vehicles in their order within a tick. */
void signal_hash_add(struct signal_hash *h, const struct tick_record *tick);
/* 64 hex digits and a zero; frees h. */
void signal_hash_finish(struct signal_hash *h, char hex[65]);

/* SHA-256 of any bytes, in hex. */
void sha256_hex(const void *bytes, size_t len, char hex[65]);
