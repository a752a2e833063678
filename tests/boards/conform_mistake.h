/* What the board in tests/boards/conform_board.h does wrong: one mistake of the kind that a firmware's author makes. */
#pragma once

enum mistake {
        NONE,
        SILENT, /* nothing at all */
        HANGS_UP,
        ECHOES, /* what it gets */
        BABBLES, /* bytes that mean nothing */
        CRC_FROM_ZERO, /* both ways */
        CRC_HIGH_FIRST,
        SENDS_CRC_HIGH_FIRST, /* and takes it low first */
        SENDS_CRC_KERMIT,
        NO_HELLO_ACK, /* TEXT instead */
        ACK_TOO_LONG,
        ANY_VERSION, /* says 3, whatever was offered */
        NO_VERSION, /* says nothing where none fits */
        OLD_VERSION, /* speaks version 1 */
        FRAME_EVERY_ZERO,
        THREE_OUTPUTS,
        ACKS_TWICE,
        NO_NAME,
        ONE_HELLO, /* answers the first one alone */
        SPEAKS_FIRST, /* motors before sensors */
        UNIQUE_CHANGES, /* at each hello */
        REMEMBERS_NUMBERS, /* over a hello */
        ANSWERS_NEXT, /* answers = number + 1 */
        ANSWERS_TWICE,
        COUNT_SHORT, /* three duties, though it has four */
        SEQUENCE_STUCK,
        SEQUENCE_SKIPS,
        SEQUENCE_RANDOM,
        SEQUENCE_BY_TYPE, /* one for each type */
        SENDS_BUFFERS_TWICE, /* the same bytes */
        ANSWERS_SWAPPED, /* with the high byte first */
        READS_SWAPPED, /* frame numbers, and answers them so */
        TIMES_SWAPPED,
        STATE_SWAPPED,
        DUTY_SWAPPED,
        LOSES_SYNC, /* after more bytes than its buffer holds */
        NO_CRC_CHECK,
        ANY_LENGTH,
        FALLS_OVER_UNKNOWN, /* restarts on a type that it does not know */
        NO_WRAP, /* compares numbers as they are */
        ANSWERS_OLD, /* frames that are not newer */
        IMU_ALONE, /* answers frames with an IMU block only */
        TWITCHES, /* a duty on invalid counts, though disarmed */
        STAYS_POISONED, /* one invalid count, and its outputs never move again */
        LATE_HOST, /* as SLOW, and the rig's host wakes up 60 ms late at times */
        BUSY_HOST, /* as SLOW, on the rig's host, where everybody waits for a processor */
        SLOW, /* takes 3.3 ms for a frame; the others wait */
        LATE, /* 300 ms */
        THIN_LINE, /* of 115200 baud */
        SYNC_SILENT,
        SYNC_TWICE,
        SYNC_NO_ECHO, /* rig_transmit is 0 */
        SYNC_OTHER_ID,
        SYNC_BACKWARDS, /* sends before it receives */
        SYNC_MILLISECONDS,
        SYNC_GOES_BACK,
        OPTION_ALWAYS, /* accepts any */
        OPTION_OTHER_KEY,
        IDLES_DISARMED,
        ARMS_ALONE,
        MODE_STUCK, /* 0, though armed */
        NEVER_ARMS,
        TOGGLES, /* an order to arm that is repeated disarms */
        STAYS_ARMED, /* whatever is asked */
        FLAT, /* outputs never rise */
        BLIND, /* outputs are all alike */
        ONE_AXIS, /* roll does nothing */
        SUMS_AXES, /* takes a pitch for a roll */
        OUTPUTS_EXCHANGED, /* the first two */
        OUTPUTS_TURNED, /* each where the one opposite should be */
        GYRO_X_FLIPPED,
        GYRO_Z_FLIPPED,
        ACCEL_Y_FLIPPED,
        AXES_EXCHANGED, /* roll and pitch */
        HEADING_FLIPPED,
        HELLO_KEEPS_ARMED,
        IGNORES_GOODBYE,
        NO_FAILSAFE,
        FAILSAFE_ON_GROUND, /* alone */
        FAILSAFE_FLAG, /* alone: it goes on */
        FAILSAFE_MUTE, /* stops, and does not say why */
        REARMS, /* after a failsafe, as soon as it is asked */
        LATCHED_FOR_GOOD,
        AIR_KEEPS_MODE, /* in flight neither mode 0 nor */
        AIR_KEEPS_GOODBYE, /* GOODBYE nor */
        AIR_KEEPS_HELLO, /* HELLO disarms */
        LOCKSTEP_TIMES_OUT,
        LOCKSTEP_TALKS, /* by itself while time stands still */
        UNSEEDED /* noise of its own in the outputs */
};
