/* What a reader of flight logs is: flight_log.c finds the one for a file, and each stands in a file of its own. */
#pragma once

#include "io/log/flight_log.h"

#define GRAVITY_MPS2 9.80665

struct flight_log {
        const struct flight_reader *reader;
        const uint8_t *bytes;
        size_t len;
        char firmware[120];
        bool own;
        uint64_t skipped;
};

/* What a file is read with. The struct of a reader begins with its struct flight_log. */
struct flight_open {
        const uint8_t *bytes;
        size_t len;
        const char *name;
        int number;
        bool measured; /* of an own run: as flight_log_open_measured() says */
        bool sensors; /* as flight_log_open_sensors() says; then `measured` as well */
        char *why;
        size_t cap;
};

struct flight_reader {
        const char *format;
        bool (*is)(const uint8_t *bytes, size_t len); /* NULL: of any text */
        struct flight_log *(*open)(const struct flight_open *of);
        bool (*next)(struct flight_log *log, struct flight_log_sample *sample);
        void (*close)(struct flight_log *log);
};

extern const struct flight_reader flight_ulog_reader;
extern const struct flight_reader flight_dataflash_reader;
extern const struct flight_reader flight_blackbox_reader;
extern const struct flight_reader flight_csv_reader;

/* "NAME: " and what is wrong; NULL. */
struct flight_log *flight_log_refuse(const struct flight_open *of, const char *format,
                                     ...) __attribute__((format(printf, 2, 3)));
/* A reader's struct, cleared, with what is known of it; NULL after saying that there is no memory. */
void *flight_log_new(const struct flight_open *of, size_t size,
                     const struct flight_reader *reader);
/* Printable text of a log as its firmware's name. */
void flight_log_name_firmware(struct flight_log *log, const uint8_t *text, size_t len);
/* A pulse of 1000 to 2000 us. */
double flight_log_pulse_ratio(double us);
/* Whether all that the sample has are numbers of a possible size. */
bool flight_log_is_sane(const struct flight_log_sample *sample);
