/* Any bytes from an aircraft: words are finite, and what is sent to it fits. */
#include <assert.h>

#include "io/twin/mavlink_words.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        const struct codec_origin origin = { .north_m_per_rad = 6.37e6,
                                             .east_m_per_rad = 4.4e6 };
        struct mavlink_stream stream = { 0 };
        struct mavlink_words words;
        int64_t now_ns = 0;

        mavlink_words_init(&words, 1, &origin);
        while (size > 0) {
                struct mavlink_frame frame;
                struct twin_word word;
                bool got;
                size_t used = mavlink_stream_take(&stream, data, size, &frame, &got);

                data += used;
                size -= used;
                now_ns += 22000000;
                if (!got)
                        continue;
                frame.system = frame.component = 1;
                if (mavlink_words_take(&words, now_ns, &frame, &word) != MAVLINK_WORD)
                        continue;
                assert(word.said != 0 && isfinite(vec3_norm(word.vel_ned_mps)));
                assert(isfinite(vec3_norm(word.pos_ned_m)));
                assert(isfinite(vec3_norm(word.rate_body_radps)));
                assert(word.throttle_ratio <= 1.0);
        }
        return 0;
}
