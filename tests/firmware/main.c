/* The reference flight controller on a Cortex-M4: sleeps, and answers every sensor frame. What it
 * computes and says is hil/reference/fc_board.c, as `hilrig fc` does; here is only when. Simulated time comes with the
 * frames; the board's own clock serves the time sync and notices when they stop. */
#include <string.h>

#include "hil/reference/fc_board.h"
#include "tests/firmware/board.h"
#include "tests/firmware/core.h"
#include "tests/firmware/load.h"
#include "tests/firmware/params.h"

/* Too large for the stack. */
static struct fc_board fc;
static uint8_t out[FC_BOARD_OUT_MAX];

static void say(size_t len)
{
        if (len > 0)
                board_uart_write(out, len);
}

/* When it came in and when an answer goes out, for the time sync: a message may have waited behind a frame's
 * arithmetic, and an answer waits for what is on its way before it. */
static void tell_line(int64_t arrived_ns_ago)
{
        fc.hilp.arrived_us_ago = (uint32_t)(arrived_ns_ago / 1000);
        fc.hilp.leaves_us_later = (uint32_t)(board_uart_queue_ns() / 1000);
}

/* One message, or what there is of it. */
static void receive(const uint8_t *bytes, size_t len, uint32_t stamp, struct load *load)
{
        uint32_t before = fc.hilp.newest_frame;
        uint64_t begun = core_cycles();
        size_t out_len;

        tell_line(bytes[len - 1] == 0 ? core_since_ns(stamp) : 0);
        fc_board_receive(&fc, bytes, len, core_now_ns(), out, &out_len);
        say(out_len);
        if (fc.hilp.newest_frame != before)
                load_frame(load, core_cycles() - begun);
}

/* Interrupts off from the last look until asleep: a byte that comes in between ends the sleep. */
static void sleep(struct load *load)
{
        core_interrupts_off();
        if (board_uart_idle()) {
                load_sleeps(load, core_cycles());
                core_sleep();
                load_wakes(load, core_cycles());
        }
        core_interrupts_on();
}

/* After each flight, what it took. */
static void tell_load(struct load *load, bool *was_armed)
{
        bool armed = fc_armed(&fc.fc);
        char text[FC_TEXT_MAX];

        if (armed && !*was_armed)
                load_begin(load, core_cycles());
        if (!armed && *was_armed) {
                load_text(load, core_cycles(), text, sizeof text);
                fc_board_tell(&fc, text);
        }
        *was_armed = armed;
}

/* Whatever the rig should tell two starts apart by: how many there were, and when the first byte came. */
static uint32_t unique(void)
{
        while (board_uart_idle())
                ;
        return core_starts() << 24 ^ (uint32_t)core_cycles();
}

int main(void)
{
        struct load load = { 0 };
        bool armed = false;

        core_clock_start(board_start());
        board_uart_start();
        fc_board_init(&fc, &firmware_params, board_name, unique());
        fc.hilp.self.frame_every = (uint8_t)board_frame_every;
        for (;;) {
                uint8_t bytes[256];
                uint32_t stamp = 0;
                size_t len = board_uart_read(bytes, sizeof bytes, &stamp);

                if (len > 0)
                        receive(bytes, len, stamp, &load);
                say(fc_board_silence(&fc, core_now_ns(), out));
                tell_load(&load, &armed);
                if (len == 0)
                        sleep(&load);
        }
}
