/* What boards say to a VectorNav unit before they believe it, line by line as ArduPilot's and PX4's drivers send it; what
 * it refuses; and that no bytes at all upset it. */
#include "tests/io/device/vectornav_bench.h"

#include "tests/suites.h"

static struct vectornav_bench bench;
static struct vectornav_bench *const v = &bench;

struct exchange {
        const char *said, *answered; /* NULL: the same line */
};

static void talk(const struct exchange *e, size_t count)
{
        for (size_t i = 0; i < count; i++)
                ck_assert_str_eq(bench_ask(v, e[i].said),
                                 e[i].answered != NULL ? e[i].answered : e[i].said);
}

#define TALK(...)                                                                        \
        talk((const struct exchange[]){ __VA_ARGS__ },                                   \
             sizeof(const struct exchange[]){ __VA_ARGS__ } / sizeof(struct exchange))

/* AP_ExternalAHRS_VectorNav.cpp of 4.6 and 4.7: initialize(). It takes binary packets for garbage until the end. */
TEST(ardupilot_4_7_has_its_vn100_at_400_hz)
{
        bench_start(v, "vectornav_vn100", 0);
        TALK({ "$VNASY,0*4F\r\n" }, { "$VNWRG,06,0,1*71\r\n" },
             { "$VNWRG,06,0,2*72\r\n" },
             { "$VNRRG,01*72\r\n", "$VNRRG,01,VN-100T-CR*32\r\n" },
             { "$VNWRG,75,3,2,01,0721*70\r\n" },
             { "$VNWRG,76,3,16,11,0001,0106*69\r\n" });
        ck_assert_int_eq(v->packets, 0);
        TALK({ "$VNASY,1*4E\r\n" });
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[82], 400);
        ck_assert_int_eq(v->of_size[56], 50);
        ck_assert_int_eq(v->packets, 450);
        ck_assert_int_eq(v->wrong, 0);
        ck_assert_uint_eq(v->b.device->counts.errors, 0);
        bench_end(&v->b);
}

TEST(ardupilot_4_7_has_its_vn300_with_gnss)
{
        bench_start(v, "vectornav_vn300", 0);
        TALK({ "$VNASY,0*4F\r\n" }, { "$VNWRG,06,0,1*71\r\n" },
             { "$VNWRG,06,0,2*72\r\n" },
             { "$VNRRG,01*72\r\n", "$VNRRG,01,VN-300T-CR*30\r\n" },
             { "$VNWRG,75,3,1,01,0721*73\r\n" },
             { "$VNWRG,76,3,8,31,0001,0106,0613*7C\r\n" },
             { "$VNWRG,77,3,80,49,0003,26B8,0018*34\r\n" }, { "$VNASY,1*4E\r\n" });
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[82], 400);
        ck_assert_int_eq(v->of_size[104], 50);
        ck_assert_int_eq(v->of_size[110], 5);
        ck_assert_int_eq(v->packets, 455);
        ck_assert_int_eq(v->wrong, 0);
        bench_end(&v->b);
}

/* 4.5 does not pad the registers' numbers, and waits for no answer but one. */
TEST(ardupilot_4_5_has_its_packets)
{
        bench_start(v, "vectornav_vn100", 0);
        TALK({ "$VNWRG,6,0*5C\r\n" }, { "$VNRRG,1*42\r\n", "$VNRRG,1,VN-100T-CR*02\r\n" },
             { "$VNWRG,75,3,2,14,073E,0004*29\r\n" });
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[104], 400);
        ck_assert_int_eq(v->packets, 400);
        bench_end(&v->b);
        bench_start(v, "vectornav_vn300", 0);
        TALK({ "$VNWRG,6,0*5C\r\n" }, { "$VNRRG,1*42\r\n", "$VNRRG,1,VN-300T-CR*00\r\n" },
             { "$VNWRG,75,3,1,34,072E,0106,0612*03\r\n" },
             { "$VNWRG,76,3,80,4E,0002,0010,20B8,0018*63\r\n" });
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[170], 400);
        ck_assert_int_eq(v->of_size[92], 5);
        ck_assert_int_eq(v->wrong, 0);
        bench_end(&v->b);
}

/* VectorNav.cpp, init() and configure(): found at 115200, brought to 921600, the answer still at the old speed. */
TEST(px4_has_its_packets_at_921600)
{
        const struct device *d;

        bench_start(v, "vectornav_vn100", 115200);
        d = v->b.device;
        TALK({ "$VNRRG,01*72\r\n", "$VNRRG,01,VN-100T-CR*32\r\n" });
        bench_bytes(v, "$VNWRG,5,921600*63\r\n", 20);
        ck_assert_uint_eq(d->ops->speed(d), 115200);
        bench_fly(v, 1);
        ck_assert_str_eq(v->line, "$VNWRG,5,921600*63\r\n");
        ck_assert_uint_eq(d->ops->speed(d), 115200);
        bench_fly(v, 2); /* 20 bytes are 1.7 ms */
        ck_assert_uint_eq(d->ops->speed(d), 921600);
        TALK({ "$VNRRG,01*72\r\n", "$VNRRG,01,VN-100T-CR*32\r\n" },
             { "$VNRRG,02*71\r\n", "$VNRRG,02,7*6A\r\n" },
             { "$VNRRG,03*70\r\n", "$VNRRG,03,100043215*6C\r\n" },
             { "$VNRRG,04*77\r\n", "$VNRRG,04,3.1.0.0*77\r\n" }, { "$VNWRG,6,0*5C\r\n" },
             { "$VNRRG,35*75\r\n", "$VNRRG,35,1,1,1,1*75\r\n" },
             { "$VNWRG,35,1,0,1,1*71\r\n" },
             { "$VNRRG,35*75\r\n", "$VNRRG,35,1,0,1,1*74\r\n" },
             { "$VNWRG,75,2,1,6,1,600*6A\r\n" },
             { "$VNWRG,76,2,8,36,1,130,84,613*6F\r\n" },
             { "$VNWRG,77,2,80,A,1,26B9*6F\r\n" });
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[40], 800);
        ck_assert_int_eq(v->of_size[114], 100);
        ck_assert_int_eq(v->of_size[106], 10);
        ck_assert_int_eq(v->wrong, 0);
        bench_end(&v->b);
}

static const struct {
        const char *said; /* a body */
        const char *answered;
} refused[] = {
        { "VNXYZ", "$VNERR,04*75\r\n" },
        { "VNTAR", "$VNERR,04*75\r\n" },
        { "", "$VNERR,04*75\r\n" },
        { "VNRRG", "$VNERR,05*74\r\n" },
        { "VNASY", "$VNERR,05*74\r\n" },
        { "VNWRG,75,3", "$VNERR,05*74\r\n" },
        { "VNWRG,75,3,2,03,0001", "$VNERR,05*74\r\n" },
        { "VNRRG,1,2,3", "$VNERR,06*77\r\n" },
        { "VNWRG,75,3,2,01,0721,0001", "$VNERR,06*77\r\n" },
        { "VNWRG,0,aa,aa,aa,aa,aa,aa,aa,aa,aa,aa,aa,aa,aa,aa,aa", "$VNERR,06*77\r\n" },
        { "VNRST,1", "$VNERR,06*77\r\n" },
        { "VNASY,2", "$VNERR,07*76\r\n" },
        { "VNWRG,75,4,2,01,0721", "$VNERR,07*76\r\n" },
        { "VNWRG,75,3,-2,01,0721", "$VNERR,07*76\r\n" },
        { "VNWRG,75,3,2,81,0721", "$VNERR,07*76\r\n" },
        { "VNWRG,75,3,2,01,10721", "$VNERR,07*76\r\n" },
        { "VNWRG,75,3,2,01,2000", "$VNERR,07*76\r\n" }, /* SyncInCnt */
        { "VNWRG,75,3,8,7F,1FFB,004F,07FE,26BB,0186,0613,0018",
          "$VNERR,07*76\r\n" }, /* every field that it knows: 600 bytes */
        { "VNWRG,5,115201", "$VNERR,07*76\r\n" },
        { "VNWRG,6,14", "$VNERR,07*76\r\n" },
        { "VNWRG,35,1,0,1,9", "$VNERR,07*76\r\n" },
        { "VNRRG,99", "$VNERR,08*79\r\n" },
        { "VNRRG,256", "$VNERR,08*79\r\n" },
        { "VNRRG,x", "$VNERR,08*79\r\n" },
        { "VNWRG,99,1", "$VNERR,08*79\r\n" },
        { "VNWRG,1,VN-200", "$VNERR,09*78\r\n" },
        { "VNWRG,5,19200", "$VNERR,0C*02\r\n" },
        { "VNWRG,76,3,1,01,0721", "$VNERR,0C*02\r\n" },
};

/* It sends 400 packets of 82 bytes a second; whatever it refuses, they go on. */
TEST_EACH(what_it_refuses_changes_nothing_and_is_named,
          sizeof refused / sizeof refused[0])
{
        bench_start(v, "vectornav_vn100", 460800);
        TALK({ "$VNWRG,75,3,2,01,0721*70\r\n" });
        ck_assert_str_eq(bench_command(v, refused[_i].said), refused[_i].answered);
        ck_assert_uint_eq(v->b.device->counts.errors, 1);
        if (refused[_i].said[0] != '\0')
                ck_assert_ptr_nonnull(strstr(v->b.device->refused, refused[_i].said));
        bench_count(v, 800);
        ck_assert_int_eq(v->of_size[82], 400);
        ck_assert_int_eq(v->packets, 400);
        bench_end(&v->b);
}

TEST(a_sum_of_two_digits_four_or_xx_is_read_and_no_other)
{
        bench_start(v, "vectornav_vn100", 0);
        /* The CRC is in the comments of ArduPilot's driver. */
        TALK({ "$VNWRG,75,3,16,01,0721*D415\r\n", "$VNWRG,75,3,16,01,0721*45\r\n" },
             { "$VNWRG,75,3,2,01,0721*XX\r\n", "$VNWRG,75,3,2,01,0721*70\r\n" },
             { "$VNRRG,75*71\r\n", "$VNRRG,75,3,2,01,0721*75\r\n" },
             { "$VNWRG,75,3,4,01,0721*77\r\n", "$VNERR,03*72\r\n" },
             { "$VNWRG,75,3,4,01,0721*D415\r\n", "$VNERR,03*72\r\n" },
             { "$VNWRG,75,3,4,01,0721*\r\n", "$VNERR,03*72\r\n" },
             { "$VNWRG,75,3,4,01,0721*7\r\n", "$VNERR,03*72\r\n" },
             { "$VNWRG,75,3,4,01,0721*7G\r\n", "$VNERR,03*72\r\n" },
             { "$VNWRG,75,3,4,01,0721\r\n", "$VNERR,03*72\r\n" },
             { "$\r\n", "$VNERR,03*72\r\n" });
        bench_count(v, 80);
        ck_assert_int_eq(v->of_size[82], 40);
        ck_assert_str_eq(v->b.device->refused, "wrong checksum");
        bench_end(&v->b);
}

TEST(noise_is_counted_when_it_begins_and_a_line_after_it_is_read)
{
        uint8_t noise[1000];

        bench_start(v, "vectornav_vn100", 0);
        for (size_t i = 0; i < sizeof noise; i++)
                noise[i] = (uint8_t)(i * 37 | 0x80);
        bench_bytes(v, noise, sizeof noise);
        ck_assert_uint_eq(v->b.device->counts.errors, 1);
        ck_assert_str_eq(v->b.device->refused, "bytes that are no command");
        TALK({ "$VNRRG,01*72\r\n", "$VNRRG,01,VN-100T-CR*32\r\n" });
        /* A line that is broken off, and one without an end. */
        TALK({ "$VNRRG,0$VNRRG,01*72\r\n", "$VNRRG,01,VN-100T-CR*32\r\n" });
        ck_assert_uint_eq(v->b.device->counts.errors, 2);
        memset(noise, 'A', sizeof noise);
        noise[0] = '$';
        bench_bytes(v, noise, sizeof noise);
        TALK({ "\r\n", "" }, { "$VNRRG,01*72\r\n", "$VNRRG,01,VN-100T-CR*32\r\n" });
        ck_assert_uint_eq(v->b.device->counts.errors, 3);
        /* A byte at a time, and no CR. */
        for (const char *c = "$VNASY,0*4F\n"; *c != '\0'; c++)
                bench_bytes(v, c, 1);
        bench_fly(v, 4);
        ck_assert_str_eq(v->line, "$VNASY,0*4F\r\n");
        bench_end(&v->b);
}

TEST(a_reset_brings_back_what_was_saved_and_the_factory_nothing)
{
        bench_start(v, "vectornav_vn100", 0);
        TALK({ "$VNWRG,75,3,2,01,0721*70\r\n" }, { "$VNWNV*57\r\n" },
             { "$VNWRG,75,3,4,01,0721*76\r\n" }, { "$VNRST*4D\r\n" },
             { "$VNRRG,75*71\r\n", "$VNRRG,75,3,2,01,0721*75\r\n" });
        /* It counts its time anew. */
        bench_count(v, 2);
        ck_assert_uint_lt(le_get_u64(v->packet + 4), 40 * MS);
        TALK({ "$VNRFS*5F\r\n" }, { "$VNRRG,75*71\r\n", "$VNRRG,75,0,0,00*5D\r\n" });
        bench_count(v, 80);
        ck_assert_int_eq(v->packets, 0);
        bench_end(&v->b);
}

static const char *told(void)
{
        static char text[DEVICE_TELL_MAX];

        v->b.device->ops->tell(v->b.device, text, sizeof text);
        return text;
}

TEST(it_tells_what_the_board_made_of_it)
{
        bench_start(v, "vectornav_vn100", 0);
        bench_bytes(v, "\xFF\xFE", 2);
        ck_assert_str_eq(told(), "never spoken to");
        TALK({ "$VNRRG,01*72\r\n", "$VNRRG,01,VN-100T-CR*32\r\n" });
        ck_assert_str_eq(told(), "no output was asked for");
        TALK({ "$VNASY,0*4F\r\n" }, { "$VNWRG,75,3,2,01,0721*70\r\n" },
             { "$VNWRG,76,3,16,11,0001,0106*69\r\n" }, { "$VNASY,1*4E\r\n" });
        bench_count(v, 800);
        ck_assert_ptr_nonnull(strstr(told(), "packets of output 1 at 400 Hz, "));
        ck_assert_ptr_nonnull(strstr(told(), "packets of output 2 at 50 Hz"));
        bench_end(&v->b);
}
