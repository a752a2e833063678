// Opens run logs with Foxglove's ULog reader, which shares no line with ours: every message must
// parse, the times of a topic must not go backwards, no tick may be missing. Prints one JSON object
// a file.
//
//     node ulog.mjs FILE...
//
// Without a file it tests the recorder: what build/tests/programs/ulog_sample writes must come out value for
// value, a log cut short must read, and a changed one must be noticed.
// Exit status: 0 good, 1 something is wrong with a file.
// Not under sanitizers: its judge reads bytes; what writes and reads them has suites and fuzz targets.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { MessageType, ULog } from '@foxglove/ulog';

// The package offers its file reader to CommonJS alone.
const { FileReader } = createRequire(import.meta.url)('@foxglove/ulog/node');

class Wrong extends Error {}

function check(truth, text) {
        if (!truth) throw new Wrong(text);
}

async function read(path) {
        const file = new FileReader(path);
        const log = new ULog(file);
        await log.open();

        const topics = new Map();
        const texts = [];
        let dropouts = 0;
        for await (const message of log.readMessages()) {
                if (message.type === MessageType.Log)
                        texts.push({ t_us: Number(message.timestamp), text: message.message });
                if (message.type === MessageType.Dropout) dropouts++;
                if (message.type !== MessageType.Data) continue;
                const { name, multiId } = log.subscriptions.get(message.msgId);
                const key = `${name}.${multiId}`;
                if (!topics.has(key)) topics.set(key, { values: [] });
                topics.get(key).values.push(message.value);
        }
        await file.close();
        return { header: log.header, topics, texts, dropouts };
}

// The reader sorts by time, so the order in the file is looked at in the file.
function checkTimes(path) {
        const bytes = readFileSync(path);
        const last = new Map();
        for (let at = 16; at + 3 <= bytes.length;) {
                const end = at + 3 + bytes.readUInt16LE(at);
                if (end > bytes.length) break;
                if (bytes[at + 2] === 'D'.charCodeAt(0)) {
                        const id = bytes.readUInt16LE(at + 3);
                        const time = bytes.readBigUInt64LE(at + 5);
                        check(time >= (last.get(id) ?? 0n), `message ${id}: ${time} us after ${last.get(id)} us`);
                        last.set(id, time);
                }
                at = end;
        }
}

function checkInformation({ header }) {
        const information = header.information;
        check(information.get('sys_name') === 'hilrig', 'sys_name is not hilrig');
        for (const key of ['ver_sw', 'hilrig_config_sha256'])
                check(typeof information.get(key) === 'string', `${key} is no text`);
        for (const key of ['hilrig_seed', 'hilrig_period_ns', 'hilrig_vehicles', 'hilrig_rotors'])
                check(typeof information.get(key) === 'bigint', `${key} is no number`);
}

// A gap in the ticks is allowed where the log owns up to it.
function checkTicks(log) {
        for (let v = 0n; v < log.header.information.get('hilrig_vehicles'); v++) {
                const ticks = log.topics.get(`hilrig_tick.${v}`)?.values ?? [];
                for (let i = 1; i < ticks.length; i++) {
                        const step = ticks[i].tick - ticks[i - 1].tick;
                        check(step === 1n || (step > 1n && log.dropouts > 0),
                                `hilrig_tick.${v}: ${ticks[i].tick} follows ${ticks[i - 1].tick}`);
                        check(BigInt(ticks[i].vehicle) === v, `hilrig_tick.${v}: is of ${ticks[i].vehicle}`);
                }
        }
}

// The rules of tests/programs/ulog_sample.c, written a second time.
const SONARS = 16;
const TICKS = 1000;
const VEHICLES = 2;

function checkSampleTick(n, v, tick) {
        const s = n / 1024 + v;
        const duty = [s / 3, s / 7, 0.5, 1, 0, 0, 0, 0];
        const at = `vehicle ${v}, tick ${n}`;

        check(tick.timestamp === BigInt(n + 1) * 1000n, `${at}: time ${tick.timestamp}`);
        check(tick.tick === BigInt(n), `${at}: number ${tick.tick}`);
        duty.forEach((value, i) => check(Object.is(tick.duty[i], value), `${at}: duty ${tick.duty}`));
        check(tick.lateness_ns === n && tick.compute_ns === 0, `${at}: lateness ${tick.lateness_ns}`);
        check(tick.frame_sent === 1 && tick.missed === 0, `${at}: marks`);
        check(tick.armed === (n >= 500 ? 1 : 0), `${at}: armed ${tick.armed}`);
}

function checkSampleTruth(i, v, topic) {
        const s = (10 * i) / 1024 + v;
        const position = topic('vehicle_local_position_groundtruth')[i];
        const imu = topic('sensor_combined')[i];
        const at = `vehicle ${v}, truth ${i}`;

        check(position.timestamp === BigInt(10 * i + 1) * 1000n, `${at}: time ${position.timestamp}`);
        check(position.x === s && position.y === 2 * s && position.z === -s, `${at}: position`);
        check(position.xy_valid === true, `${at}: not valid`);
        check(topic('vehicle_attitude_groundtruth')[i].q.join() === '1,0,0,0', `${at}: attitude`);
        check(imu.gyro_rad[0] === s && imu.gyro_rad[2] === 0.25, `${at}: gyro`);
        check(imu.accelerometer_m_s2[2] === -9.5, `${at}: accelerometer`);
        check(imu.gyro_integral_dt === (i === 0 ? 0 : 1000), `${at}: ${imu.gyro_integral_dt} us`);
}

function checkSampleSensors(v, topics) {
        const topic = (name, instance = v) => topics.get(`${name}.${instance}`)?.values ?? [];
        const at = `vehicle ${v}`;

        for (const sonar of [0, 5]) {
                const ranges = topic('distance_sensor', SONARS * v + sonar);
                check(ranges.length === TICKS / 40, `${at}: ${ranges.length} ranges of sonar ${sonar}`);
                for (const range of ranges)
                        check(range.current_distance === 0.5 + sonar && range.signal_quality === 100,
                                `${at}: sonar ${sonar}`);
        }
        check(topic('distance_sensor', SONARS * v + 1).length === 0, `${at}: a sonar that never measured`);
        check(topic('sensor_optical_flow').length === TICKS / 20, `${at}: number of flow samples`);
        for (const flow of topic('sensor_optical_flow')) {
                check(flow.pixel_flow.join() === '0.5,-0.25' && flow.delta_angle[0] === 0.125, `${at}: flow`);
                check(Number.isNaN(flow.delta_angle[2]) && flow.delta_angle_available === true, `${at}: gyro`);
                check(Number.isNaN(flow.distance_m) && flow.distance_available === false, `${at}: distance`);
                check(flow.integration_timespan_us === 20000 && flow.quality === 200, `${at}: interval`);
        }
        check(topic('battery_status').length === TICKS / 20, `${at}: number of power samples`);
        topic('battery_status').forEach((power, i) => {
                check(power.voltage_v === 14.5 && power.current_a === 8.25 && power.connected, `${at}: power`);
                check(Math.abs(power.discharged_mah - (20 * i + 19)) < 1e-3, `${at}: ${power.discharged_mah} mAh`);
        });
        for (const ins of topic('hilrig_ins'))
                check(ins.z === -4 && ins.roll === 0.5 && ins.yaw === -0.5, `${at}: INS`);
        check(topic('hilrig_relative').length === TICKS / 20, `${at}: number of relative positions`);
        for (const relative of topic('hilrig_relative'))
                check(relative.peer === 2 && relative.range === 5.5 && relative.azimuth === -1.5 && relative.elevation === 0.25 &&
                        relative.has_range && relative.has_bearing, `${at}: relative position`);
        topic('hilrig_surroundings').forEach((around, i) =>
                check(around.wind_ned_mps[1] === (10 * i) / 1024 + v && around.obstacle === -2, `${at}: wind`));
        const [event, ...more] = topic('hilrig_event');
        check(v !== 1 || (event?.what.replace(/\0*$/, '') === 'pole' && event.impact_mps === 3.25 && event.obstacle === 7 && event.step === -1),
                `${at}: event ${event?.what}, ${event?.impact_mps} m/s`);
        check(more.length === 0 && (v === 1 || !event), `${at}: number of events`);
}

function checkSample(log) {
        const information = log.header.information;
        check(information.get('hilrig_seed') === 2n ** 64n - 1n, 'seed');
        check(information.get('hilrig_config_sha256') === '0123456789abcdef', 'config_sha256');
        for (let v = 0; v < VEHICLES; v++) {
                const topic = (name) => log.topics.get(`${name}.${v}`)?.values ?? [];
                check(topic('hilrig_tick').length === TICKS, `${topic('hilrig_tick').length} ticks`);
                topic('hilrig_tick').forEach((tick, n) => checkSampleTick(n, v, tick));
                check(topic('sensor_combined').length === TICKS / 10, 'number of IMU samples');
                for (let i = 0; i < TICKS / 10; i++) checkSampleTruth(i, v, topic);
                check(topic('vehicle_gps_position').length === TICKS / 100, 'number of GPS samples');
                for (const gps of topic('vehicle_gps_position'))
                        check(gps.fix_type === 3 && gps.altitude_ellipsoid_m === 64.5, 'GPS sample');
                check(topic('vehicle_status').at(-1).arming_state === 2, 'arming state');
                checkSampleSensors(v, log.topics);
        }
        check(log.texts.at(-2).text === 'vehicle 1: collision with pole at 3.2 m/s', log.texts.at(-2).text);
        check(log.texts.at(-1).text === 'sample ended', `last text: ${log.texts.at(-1).text}`);
        check(log.texts.at(-1).t_us === TICKS * 1000, `at ${log.texts.at(-1).t_us} us`);
}

async function verdict(path, sample) {
        let log;
        try {
                log = await read(path);
                checkInformation(log);
                checkTimes(path);
                checkTicks(log);
                if (sample) checkSample(log);
                return { log };
        } catch (error) {
                return { log, error: error.message };
        }
}

async function checkFile(path) {
        const { log, error } = await verdict(path, false);
        const messages = {};
        for (const [key, { values }] of log?.topics ?? []) messages[key] = values.length;
        console.log(JSON.stringify({ file: path, ok: !error, error, messages,
                texts: log?.texts.length, dropouts: log?.dropouts }));
        return !error;
}

async function checkRecorder(folder) {
        const program = `${process.env.BUILD ?? 'build'}/tests/programs/ulog_sample`;
        const ran = spawnSync(program, [folder], { encoding: 'utf8' });
        check(!ran.error && ran.status === 0, `${program}: ${ran.error ?? ran.stderr}`);

        const whole = await verdict(join(folder, 'run.ulg'), true);
        check(!whole.error, `sample: ${whole.error}`);

        const bytes = readFileSync(join(folder, 'run.ulg'));
        const copy = join(folder, 'copy.ulg');
        for (let n = 1; n < 20; n++) {
                writeFileSync(copy, bytes.subarray(0, 3000 + 12345 * n));
                const cut = await verdict(copy, false);
                check(!cut.error, `cut at ${3000 + 12345 * n}: ${cut.error}`);
        }
        // The duty of the last tick is the last 0.5 in the file.
        bytes[bytes.lastIndexOf(Buffer.from([0, 0, 0, 0, 0, 0, 0xe0, 0x3f]))] ^= 1;
        writeFileSync(copy, bytes);
        const changed = await verdict(copy, true);
        check(changed.error?.includes('duty'), `a changed bit was not noticed: ${changed.error}`);

        const messages = [...whole.log.topics.values()].reduce((n, t) => n + t.values.length, 0);
        console.log(`${messages} messages of ${whole.log.topics.size} topics as written`);
}

const files = process.argv.slice(2);
let good = true;
for (const path of files) good = (await checkFile(path)) && good;
if (files.length === 0) {
        const folder = mkdtempSync(join(tmpdir(), 'hilrig-ulog-'));
        try {
                await checkRecorder(folder);
        } catch (error) {
                console.error(error.message);
                good = false;
        }
        rmSync(folder, { recursive: true });
}
process.exit(good ? 0 : 1);
