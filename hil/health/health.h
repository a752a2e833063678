/* The health of a board: it is switched off and on again and again, and each time it is looked at whether it comes back, as
 * the same device, says who it is, has its parameters and its storage, and loses nothing on its link. What cannot be looked at
 * is not judged, with the reason. Each boot becomes a run folder, which `hilrig compare` and `hilrig history` read. */
#pragma once

#include "hil/farm/equip.h"
#include "hil/health/soak.h"

#define HEALTH_BOOTS_MAX 1000
#define HEALTH_TEXT_MAX  400

enum health_claim {
        HEALTH_RETURNS, /* its device goes with the power, and comes back */
        HEALTH_USB, /* at the same path, with the same ids */
        HEALTH_ANSWERS, /* it says who it is, and the same as before */
        HEALTH_PARAMETERS, /* they are those of before the boot */
        HEALTH_LINK, /* nothing is lost, damaged or left unanswered */
        HEALTH_STORAGE, /* it counts no errors */
        HEALTH_CLAIMS
};

enum health_is { HEALTH_NOT_JUDGED, HEALTH_PASSED, HEALTH_FAILED };

struct health_judged {
        enum health_is is;
        char text[HEALTH_TEXT_MAX]; /* what was seen, or why it is not judged */
};

enum health_figure {
        HEALTH_GONE_S, /* from the switch to the device's end */
        HEALTH_BACK_S, /* from the switch to the device's return */
        HEALTH_ANSWER_S, /* from the same to the first answer; without a switch, from the question */
        HEALTH_CHANGED, /* parameters */
        HEALTH_P50_US, /* round trips */
        HEALTH_P99_US,
        HEALTH_P999_US,
        HEALTH_DRIFT_US, /* of their median, from the first quarter of the soak to the last */
        HEALTH_UNANSWERED, /* frames of the soak */
        HEALTH_CRC_ERRORS,
        HEALTH_LOST,
        HEALTH_ODD,
        HEALTH_DROPPED, /* bytes */
        HEALTH_FREE_BYTES,
        HEALTH_STORAGE_ERRORS,
        HEALTH_FIGURES
};

extern const struct health_figure_info {
        const char *name, *unit, *better;
} health_figure_info[HEALTH_FIGURES];

extern const char *const health_claim_name[HEALTH_CLAIMS];
const char *health_is_name(enum health_is is); /* "passed", as summaries have it */

struct health_boot {
        struct health_judged claim[HEALTH_CLAIMS];
        double figure[HEALTH_FIGURES]; /* NAN: not measured */
        char says[FARM_WHY_MAX]; /* who it is; "": it did not answer */
        char parameters_sha256[65]; /* "": not read */
        double wall_s;
        struct health_soak soak;
};

struct health_options {
        int boots; /* 1 to HEALTH_BOOTS_MAX */
        double soak_s; /* 0: none */
        int64_t period_ns; /* of the rig's loop */
        int rotors; /* of the vehicle, as its hello says */
        const char *out; /* folder; results go to OUT/BOARD */
        int stop_fd; /* of hil/time/stop_signals.h */
};

struct health {
        const struct farm_board *board;
        struct health_options options;
        int boots; /* that were done */
        struct health_boot *boot; /* owned */
        bool interrupted;

        /* What the next boot is held against. */
        struct farm_usb usb;
        char says[FARM_WHY_MAX];
        char *parameters; /* owned; NULL: could not be read */
        char parameters_why[FARM_WHY_MAX]; /* then */
};

/* Whoever calls has the board's lock. False: a tool is not there or failed, or a folder could not be made or written; boots that
 * were done before are there. Freed by the caller on any result. */
bool health_run(struct health *h, const struct farm_board *board,
                const struct health_options *o, char why[FARM_WHY_MAX]);
void health_free(struct health *h);

/* One boot, from off to the last question. False: could not be done. */
bool health_boot(struct health *h, struct health_boot *b, char why[FARM_WHY_MAX]);
/* Who it is, and the soak of its link; on_ns: host time at which it was switched on. */
void health_ask_who(struct health *h, struct health_boot *b, int64_t on_ns);
/* Before the first one: the board as it is, switched on if it was not. */
bool health_before(struct health *h, char why[FARM_WHY_MAX]);
__attribute__((format(printf, 4, 5))) void health_judge(struct health_boot *b,
                                                        enum health_claim claim,
                                                        enum health_is is,
                                                        const char *format, ...);
/* It is not judged. */
void health_skip(struct health_boot *b, enum health_claim claim, const char *why);

/* What came of it: DIR/BOARD/boot/N-1/summary.json for each, DIR/BOARD/health.json for all. */
bool health_leave_boot(const struct health *h, int i, char *why, size_t cap);
bool health_leave_all(const struct health *h, char *why, size_t cap);
void health_boot_folder(const struct health *h, int i, char *path, size_t cap);
void health_print(const struct health *h, FILE *out);
/* HEALTH_FAILED: something did; else HEALTH_PASSED, if anything was judged. */
enum health_is health_sum(const struct health_boot *b);
