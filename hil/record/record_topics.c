/* The log's opening, and how a record joins its topic. */
#include "hil/record/record_topics.h"

static void write_formats(struct ulog_writer *w, int vehicles)
{
        char format[512];

        for (int i = 0; i < TOPIC_COUNT; i++) {
                topic_format((enum record_topic)i, 0, format, sizeof format);
                ulog_format(w, format);
        }
        for (int v = SONAR_TOPIC_VEHICLES; v < vehicles; v += SONAR_TOPIC_VEHICLES) {
                topic_format(TOPIC_DISTANCE, v, format, sizeof format);
                ulog_format(w, format);
        }
}

void record_topics_begin(struct record_topics *t, FILE *file,
                         const struct recorder_setup *setup)
{
        char opening[160];

        *t = (struct record_topics){ .rotors = setup->rotors,
                                     .vehicles = setup->vehicles,
                                     .truth_period_ns = setup->truth_period_ns };
        for (int i = 0; i < VEHICLES_MAX; i++)
                record_sensors_begin(&t->vehicle[i]);
        ulog_begin(&t->ulog, file, 0);
        ulog_info_text(&t->ulog, "sys_name", "hilrig");
        ulog_info_text(&t->ulog, "ver_sw", setup->version);
        ulog_info_text(&t->ulog, "hilrig_config_sha256", setup->config_sha256);
        ulog_info_u64(&t->ulog, "hilrig_seed", setup->seed);
        ulog_info_u64(&t->ulog, "hilrig_period_ns", (uint64_t)setup->period_ns);
        ulog_info_u64(&t->ulog, "hilrig_vehicles", (uint64_t)setup->vehicles);
        ulog_info_u64(&t->ulog, "hilrig_rotors", (uint64_t)setup->rotors);
        write_formats(&t->ulog, setup->vehicles);
        /* Some readers want a data section even of a run that ended before its first
         * tick. */
        snprintf(opening, sizeof opening, "hilrig %.64s: %d vehicle%s, period %lld ns",
                 setup->version, setup->vehicles, setup->vehicles == 1 ? "" : "s",
                 (long long)setup->period_ns);
        ulog_text(&t->ulog, 0, '6', opening);
}

static void write_instance(struct record_topics *t, uint16_t *id, int vehicle,
                           int instance, enum record_topic topic,
                           const struct ulog_message *m)
{
        char name[ULOG_NAME_MAX];

        if (*id == 0) {
                topic_name(topic, vehicle, name, sizeof name);
                *id = (uint16_t)(1 + ulog_subscribe(&t->ulog, name, (uint8_t)instance));
        }
        ulog_data(&t->ulog, (uint16_t)(*id - 1), m->bytes, m->len);
}

void record_write_topic(struct record_topics *t, int vehicle, enum record_topic topic,
                        const struct ulog_message *m)
{
        write_instance(t, &t->vehicle[vehicle].id[topic], vehicle, vehicle, topic, m);
}

void record_write_sonar(struct record_topics *t, int vehicle, int sonar,
                        const struct ulog_message *m)
{
        write_instance(t, &t->vehicle[vehicle].sonar_id[sonar], vehicle,
                       vehicle % SONAR_TOPIC_VEHICLES * SONARS_MAX + sonar,
                       TOPIC_DISTANCE, m);
}

void record_write_struct(struct record_topics *t, int vehicle, enum record_topic topic,
                         int64_t t_ns, const void *from)
{
        struct ulog_message m;

        record_begin(&m, t_ns);
        if (record_topic_table[topic].sampled)
                ulog_put_u64(&m, record_us(t_ns));
        topic_encode(topic, from, &m);
        record_write_topic(t, vehicle, topic, &m);
}
