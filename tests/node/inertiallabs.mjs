// The InertialLabs unit's packets, read by a decoder that was written from the layout that ArduPilot's and PX4's drivers
// have of it (types, lengths, units, axes), not from ours: every field against the samples that
// build/tests/programs/vectornav_stream fed. Rounding is half a unit of the field.
// Not under sanitizers: its judge reads bytes; what writes and reads them has suites and fuzz targets.
import { spawnSync } from 'node:child_process';

const G = 9.8106, DEG = 180 / Math.PI;
const START_S = 1785153600, LEAP_S = 18, WEEK_MS = 604800000; // UTC of the first sample
const GPS_EPOCH_S = Date.UTC(1980, 0, 6) / 1000;

function fail(what, ...found) {
        console.error(`disagreement: ${what}`, ...found);
        process.exit(1);
}

// Type to its name, the format of its numbers (as struct.unpack has it), and what one unit of each is.
const TYPES = {
        0x01: ['time', 'I', 1], 0x3c: ['week', 'H', 1],
        0x23: ['accel', 'iii', 1e-6 * G], 0x21: ['gyro', 'iii', 1e-5 / DEG],
        0x25: ['baro', 'Hi', [2, 0.01]], 0x24: ['mag', 'hhh', 1e-8],
        0x07: ['angles', 'Hhh', 0.01], 0x12: ['velocity', 'iii', 0.01],
        0x10: ['position', 'iii', [1e-7, 1e-7, 0.01]], 0x58: ['velocity sigma', 'BBB', 1e-3],
        0x57: ['position sigma', 'HHH', 1e-3], 0x53: ['status', 'H', 1],
        0x4a: ['extended', 'BB', 1], 0x3b: ['satellites', 'B', 1],
        0x30: ['GNSS position', 'iii', [1e-7, 1e-7, 0.01]], 0x32: ['GNSS velocity', 'iHi', 0.01],
        0x3e: ['GNSS time', 'I', 1], 0x36: ['GNSS info', 'BB', 1], 0x41: ['new', 'B', 1],
        0x52: ['temperature', 'h', 0.1], 0x5a: ['status 2', 'H', 1],
        0x42: ['DOP', 'HHHHH', 1e-3], 0x54: ['solution', 'B', 1],
};
const READ = {
        B: [1, (b, at) => b.readUInt8(at)], H: [2, (b, at) => b.readUInt16LE(at)], h: [2, (b, at) => b.readInt16LE(at)],
        I: [4, (b, at) => b.readUInt32LE(at)], i: [4, (b, at) => b.readInt32LE(at)],
};

function decode(b) {
        if (b.readUInt32BE(0) !== 0xaa550195) fail('no header', b.toString('hex'));
        if (b.readUInt16LE(4) !== b.length - 2) fail('length', b.readUInt16LE(4), b.length);
        const sum = b.subarray(2, -2).reduce((s, x) => (s + x) & 0xffff, 0);
        if (sum !== b.readUInt16LE(b.length - 2)) fail('sum', sum);
        const fields = {};
        let at = 7 + b[6];
        for (const type of b.subarray(7, at)) {
                if (!TYPES[type]) fail('unknown type', type.toString(16));
                const [name, format, unit] = TYPES[type];
                fields[name] = [...format].map((letter, i) => {
                        const [size, read] = READ[letter];
                        at += size;
                        return { value: read(b, at - size) * (unit[i] ?? unit), unit: unit[i] ?? unit };
                });
        }
        if (at !== b.length - 2) fail(`fields end at ${at} of ${b.length}`);
        return fields;
}

let compared = 0;
function same(what, found, expected) {
        compared++;
        if (found?.length !== expected.length ||
                found.some(({ value, unit }, i) => !(Math.abs(value - expected[i]) <= 0.5001 * unit + 1e-6 * Math.abs(expected[i]))))
                fail(what, found, expected);
}
const rfu = ([x, y, z]) => [y, x, -z]; // and north, east, down to east, north, up
const mean = (all) => [0, 1, 2].map((i) => all.reduce((s, v) => s + v[i], 0) / all.length);

function judge(f, s, since, isNew) {
        const age = (s.t_ns - s.gps_t_ns) * 1e-9;
        const gpsMs = (START_S + LEAP_S - GPS_EPOCH_S) * 1000;
        same('accel', f.accel, rfu(mean(since.map((x) => x.accel))));
        same('gyro', f.gyro, rfu(mean(since.map((x) => x.gyro))));
        same('mag', f.mag, rfu(s.mag));
        same('baro', f.baro, [s.pressure, 44330.77 * (1 - (s.pressure / 101325) ** 0.190263)]);
        same('temperature', f.temperature, [s.temperature - 273.15]);
        same('time', f.time, [(gpsMs + s.t_ns / 1e6) % WEEK_MS]);
        same('week', f.week, [Math.floor(gpsMs / WEEK_MS)]);
        same('velocity', f.velocity, rfu([6.37, -4.33, -1]));
        same('position', f.position, [(s.lat + age * 1e-6) * DEG, (s.lon - age * 1e-6) * DEG, s.height + age]);
        same('GNSS position', f['GNSS position'], [s.lat * DEG, s.lon * DEG, s.height]);
        same('GNSS velocity', f['GNSS velocity'], [Math.hypot(6.37, 4.33), 360 - Math.atan2(4.33, 6.37) * DEG, 1]);
        same('GNSS time', f['GNSS time'], [(gpsMs + s.gps_t_ns / 1e6) % WEEK_MS]);
        same('position sigma', f['position sigma'], [0.9, 0.9, 1.3]);
        same('velocity sigma', f['velocity sigma'], [0.2, 0.2, 0.2]);
        same('fix, satellites', [...f.extended, ...f.satellites], [2, 1, 14]);
        same('status', [...f.status, ...f['status 2'], ...f.solution], [0, 0, 0]);
        same('new', f.new, [isNew ? 3 : 0]);
        if (f.DOP.some(({ value }) => !(value > 0 && value < 10))) fail('DOP', f.DOP);
        // Its attitude is its own: near what gravity and field say of a unit that hardly accelerates.
        if (Math.abs(f.angles[1].value) > 10 || Math.abs(f.angles[2].value) > 10) fail('angles', f.angles);
}

const program = `${process.env.BUILD ?? 'build'}/tests/programs/vectornav_stream`;
const run = spawnSync(program, ['inertiallabs'], { input: '8000\n', encoding: 'utf8', maxBuffer: 1 << 28 });
if (run.error || run.status !== 0) fail(`${program}: ${run.error ?? `exit status ${run.status}`}`);
let since = [], gps = -1, packets = 0, announced = 0;
for (const line of run.stdout.split('\n').filter(Boolean)) {
        const s = JSON.parse(line);
        since.push(s);
        for (const hex of s.said) {
                const isNew = s.gps_t_ns !== gps;
                judge(decode(Buffer.from(hex, 'hex')), s, since, isNew);
                since = [];
                gps = s.gps_t_ns;
                packets++;
                announced += isNew;
        }
}
// 10 s: 200 packets a second, ten solutions.
if (packets !== 2000 || announced !== 100) fail('packets, solutions', packets, announced);
console.log(`${compared} fields of ${packets} packets agree`);
