// The VectorNav units' packets, read by a decoder that was written from the maker's layout (the lengths of all fields as in
// libvnc's BinaryPacketGroupLengths), not from ours: the drivers' packets and random ones, field by field against the
// samples that build/tests/programs/vectornav_stream fed.
// Not under sanitizers: its judge reads bytes; what writes and reads them has suites and fuzz targets.
import { spawnSync } from 'node:child_process';

const LENGTHS = [
        [8, 8, 8, 12, 16, 12, 24, 12, 12, 24, 20, 28, 2, 4, 8],
        [8, 8, 8, 2, 8, 8, 8, 4, 4, 1],
        [2, 12, 12, 12, 4, 4, 16, 12, 12, 12, 12, 2, 40],
        [8, 8, 2, 1, 1, 24, 24, 12, 12, 12, 4, 4, 2, 28],
        [2, 12, 16, 36, 12, 12, 12, 12, 12, 12, 28, 24],
        [2, 24, 24, 12, 12, 12, 12, 12, 12, 4, 4, 68, 64],
        [8, 8, 2, 1, 1, 24, 24, 12, 12, 12, 4, 4, 2, 28],
];
const [COMMON, TIME, IMU, GNSS, ATTITUDE, INS, GNSS2] = [0, 1, 2, 3, 4, 5, 6];
const START_S = 1785153600; // UTC
const LEAP_S = 18;
const GPS_EPOCH_S = Date.UTC(1980, 0, 6) / 1000;
const DEG = 180 / Math.PI;

function fail(what, ...found) {
        console.error(`disagreement: ${what}`, ...found);
        process.exit(1);
}

const near = (a, b, tolerance) => Math.abs(a - b) <= tolerance * (1 + Math.abs(b));

function crc(bytes) {
        let c = 0;
        for (const byte of bytes) {
                for (let bit = 7; bit >= 0; bit--) {
                        const out = (c >> 15) & 1;
                        c = ((c << 1) & 0xffff) ^ ((out ^ ((byte >> bit) & 1)) ? 0x1021 : 0);
                }
        }
        return c;
}

function withSum(body) {
        let sum = 0;
        for (const c of body) sum ^= c.charCodeAt(0);
        return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
}

// A packet as its fields: `group.bit` to a DataView of its bytes.
function decode(bytes) {
        if (bytes[0] !== 0xfa) fail('no sync byte', bytes.toString('hex'));
        if (crc(bytes.subarray(1)) !== 0) fail('wrong CRC', bytes.toString('hex'));
        const groups = [0, 1, 2, 3, 4, 5, 6].filter((g) => (bytes[1] >> g) & 1);
        const fields = new Map();
        let at = 2 + 2 * groups.length;
        groups.forEach((group, i) => {
                const mask = bytes.readUInt16LE(2 + 2 * i);
                LENGTHS[group].forEach((length, bit) => {
                        if (!((mask >> bit) & 1)) return;
                        fields.set(`${group}.${bit}`, bytes.subarray(at, at + length));
                        at += length;
                });
        });
        if (at + 2 !== bytes.length) fail(`length: fields end at ${at}, packet at ${bytes.length}`);
        return fields;
}

const floats = (f, at = 0, count = (f.length - at) >> 2) => Array.from({ length: count }, (_, i) => f.readFloatLE(at + 4 * i));
const doubles = (f) => [0, 8, 16].map((at) => f.readDoubleLE(at));

let compared = 0;
function same(what, found, expected, tolerance) {
        compared++;
        if (found.length !== expected.length || found.some((x, i) => !near(x, expected[i], tolerance)))
                fail(what, found, expected);
}

const rotate = ([x, y, z, w], v) => {
        const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
        return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
};

// What the fields must be: `sum` of accel and gyro over dt since the packet before, `s` the newest samples.
function judge(fields, s, sum, receiver) {
        const mean = (v) => v.map((x) => x / sum.dt);
        const gauss = s.mag.map((x) => x * 1e4);
        const [celsius, kpa] = [s.temperature - 273.15, s.pressure / 1000];
        const gpsNs = BigInt(START_S + LEAP_S - GPS_EPOCH_S) * 1000000000n + BigInt(s.t_ns);
        const weekNs = 604800n * 1000000000n;
        const date = new Date(START_S * 1000 + s.t_ns / 1e6);
        const age = (s.t_ns - s.gps_t_ns) * 1e-9;
        const lla = [s.lat * DEG, s.lon * DEG, s.height];
        const carried = [(s.lat + age * 1e-6) * DEG, (s.lon - age * 1e-6) * DEG, s.height + age];
        const velocity = [6.37, -4.33, -1];
        const u64 = (f, expected) => same('u64', [f.readBigUInt64LE() === expected ? 1 : 0], [1], 0);
        const accel = (f) => same('accel', floats(f), mean(sum.accel), 1e-5);
        const gyro = (f) => same('gyro', floats(f), mean(sum.gyro), 1e-5);
        const mag = (f) => same('mag', floats(f), gauss, 1e-5);
        const theta = sum.gyro.map((x) => x * DEG);
        const utc = (f) => same('UTC', [f.readInt8(0), ...f.subarray(1, 6), f.readUInt16LE(6)],
                [date.getUTCFullYear() - 2000, date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(),
                        date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds()], 0);
        const status = (f) => same('status', [f.readUInt16LE()], [6], 0);
        const expected = {
                [`${COMMON}.0`]: (f) => u64(f, BigInt(s.t_ns)),
                [`${COMMON}.1`]: (f) => u64(f, gpsNs),
                [`${COMMON}.5`]: gyro,
                [`${COMMON}.6`]: (f) => same('LLA', doubles(f), carried, 1e-9),
                [`${COMMON}.7`]: (f) => same('velocity', floats(f), velocity, 1e-6),
                [`${COMMON}.8`]: accel,
                [`${COMMON}.9`]: (f) => same('imu', floats(f), [...mean(sum.accel), ...mean(sum.gyro)], 1e-5),
                [`${COMMON}.10`]: (f) => same('mag, temperature, pressure', floats(f), [...gauss, celsius, kpa], 1e-5),
                [`${COMMON}.11`]: (f) => same('deltas', floats(f), [sum.dt, ...theta, ...sum.accel], 1e-5),
                [`${COMMON}.12`]: status,
                [`${TIME}.0`]: (f) => u64(f, BigInt(s.t_ns)),
                [`${TIME}.1`]: (f) => u64(f, gpsNs),
                [`${TIME}.2`]: (f) => u64(f, gpsNs % weekNs),
                [`${TIME}.3`]: (f) => same('week', [f.readUInt16LE()], [Number(gpsNs / weekNs)], 0),
                [`${TIME}.6`]: utc,
                [`${IMU}.1`]: mag,
                [`${IMU}.2`]: accel,
                [`${IMU}.3`]: gyro,
                [`${IMU}.4`]: (f) => same('temperature', floats(f), [celsius], 1e-5),
                [`${IMU}.5`]: (f) => same('pressure', floats(f), [kpa], 1e-5),
                [`${IMU}.6`]: (f) => same('delta theta', floats(f), [sum.dt, ...theta], 1e-5),
                [`${IMU}.7`]: (f) => same('delta velocity', floats(f), sum.accel, 1e-5),
                [`${IMU}.8`]: mag,
                [`${IMU}.9`]: accel,
                [`${IMU}.10`]: gyro,
                [`${GNSS}.0`]: utc,
                [`${GNSS}.1`]: (f) => u64(f, gpsNs % weekNs),
                [`${GNSS}.2`]: (f) => same('week', [f.readUInt16LE()], [Number(gpsNs / weekNs)], 0),
                [`${GNSS}.3`]: (f) => same('satellites', [f[0]], [14], 0),
                [`${GNSS}.4`]: (f) => same('fix', [f[0]], [3], 0),
                [`${GNSS}.5`]: (f) => same('LLA', doubles(f), lla, 1e-12),
                [`${GNSS}.7`]: (f) => same('velocity', floats(f), velocity, 1e-6),
                [`${GNSS}.9`]: (f) => same('position uncertainty', floats(f), [0.9, 0.9, 1.3], 1e-6),
                [`${GNSS}.10`]: (f) => same('velocity uncertainty', floats(f), [0.2], 1e-6),
                [`${INS}.0`]: status,
                [`${INS}.1`]: (f) => same('LLA', doubles(f), carried, 1e-9),
                [`${INS}.4`]: (f) => same('velocity', floats(f), velocity, 1e-6),
                [`${INS}.9`]: (f) => same('position uncertainty', floats(f), [0.9], 1e-6),
                [`${INS}.10`]: (f) => same('velocity uncertainty', floats(f), [0.2], 1e-6),
                [`${GNSS2}.3`]: (f) => same('satellites', [f[0]], [14], 0),
                [`${GNSS2}.4`]: (f) => same('fix', [f[0]], [3], 0),
        };
        const knowsByReceiver = (key) => [GNSS, INS, GNSS2].includes(+key[0]) || ['0.1', '0.6', '0.7', '0.12', '1.1', '1.2', '1.3'].includes(key);
        for (const [key, field] of fields) {
                if (!receiver && knowsByReceiver(key) && !['3.0', '1.6'].includes(key)) {
                        same(`${key} without a receiver`, [...field], Array(field.length).fill(0), 0);
                        continue;
                }
                if (receiver || !['3.0', '1.6'].includes(key)) expected[key]?.(field);
        }
        judgeAttitude(fields, mean(sum.accel));
}

// Its attitude is its own: turns of unit length, and the same in every field of a packet.
function judgeAttitude(fields, accel) {
        const q = fields.get(`${ATTITUDE}.2`) ?? fields.get(`${COMMON}.4`);
        if (!q) return;
        const [x, y, z, w] = floats(q);
        same('length of the quaternion', [Math.hypot(x, y, z, w)], [1], 1e-6);
        const ypr = fields.get(`${ATTITUDE}.1`) ?? fields.get(`${COMMON}.3`);
        if (ypr)
                same('yaw, pitch, roll', floats(ypr), [
                        Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) * DEG,
                        Math.asin(2 * (w * y - z * x)) * DEG,
                        Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) * DEG,
                ], 1e-4);
        const linear = fields.get(`${ATTITUDE}.7`);
        if (linear) {
                const a = rotate([x, y, z, w], accel);
                same('acceleration without gravity', floats(linear), [a[0], a[1], a[2] + 9.80665], 1e-4);
        }
}

// Sends the commands, flies, and judges every packet. commands: bodies. Returns packets by length.
function fly(device, commands, ticks) {
        const program = `${process.env.BUILD ?? 'build'}/tests/programs/vectornav_stream`;
        const input = `160\n${commands.map((c) => `${withSum(c)}\n4\n`).join('')}${ticks}\n`;
        const run = spawnSync(program, [device], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
        if (run.error || run.status !== 0) fail(`${program}: ${run.error ?? `exit status ${run.status}`}`);
        const counts = new Map(), sums = new Map();
        const answers = [];
        const history = [];
        for (const line of run.stdout.split('\n').filter(Boolean)) {
                const s = JSON.parse(line);
                history.push(s);
                for (const hex of s.said) {
                        const bytes = Buffer.from(hex, 'hex');
                        if (bytes[0] === 0x24) {
                                answers.push(bytes.toString('latin1'));
                                continue;
                        }
                        const fields = decode(bytes);
                        // Of a packet that waited for the wire the samples are those of its time.
                        const t = fields.get(`${COMMON}.0`) ?? fields.get(`${TIME}.0`);
                        const now = history[Number(t.readBigUInt64LE() / 1250000n)];
                        const kind = [...fields.keys()].join(' ');
                        const since = sums.get(kind);
                        sums.set(kind, now.t_ns);
                        counts.set(bytes.length, (counts.get(bytes.length) ?? 0) + 1);
                        if (since === undefined) continue; // how long it had summed is not seen here
                        const sum = { dt: 0, accel: [0, 0, 0], gyro: [0, 0, 0] };
                        for (let at = since / 1250000 + 1; at <= now.t_ns / 1250000; at++) {
                                sum.dt += 1.25e-3;
                                sum.accel = sum.accel.map((x, i) => x + history[at].accel[i] * 1.25e-3);
                                sum.gyro = sum.gyro.map((x, i) => x + history[at].gyro[i] * 1.25e-3);
                        }
                        judge(fields, now, sum, device === 'vectornav_vn300');
                }
        }
        commands.forEach((c, i) => {
                const echo = c.startsWith('VNRRG') ? c : withSum(c);
                if (!answers[i]?.startsWith(echo.startsWith('$') ? echo : `$${echo},`)) fail(`answer to ${c}`, answers[i]);
        });
        return counts;
}

function counted(what, counts, expected) {
        for (const [length, least] of expected)
                if (!(counts.get(length) >= least)) fail(`${what}: packets of ${length} bytes`, counts);
}

counted('ArduPilot 4.7, VN-100', fly('vectornav_vn100', ['VNASY,0', 'VNWRG,06,0,1', 'VNRRG,01', 'VNWRG,75,3,2,01,0721',
        'VNWRG,76,3,16,11,0001,0106', 'VNASY,1'], 1600), [[82, 800], [56, 100]]);
counted('ArduPilot 4.7, VN-300', fly('vectornav_vn300', ['VNASY,0', 'VNRRG,01', 'VNWRG,75,3,1,01,0721',
        'VNWRG,76,3,8,31,0001,0106,0613', 'VNWRG,77,3,80,49,0003,26B8,0018', 'VNASY,1'], 1600), [[82, 800], [104, 100], [110, 10]]);
counted('PX4', fly('vectornav_vn300', ['VNRRG,01', 'VNWRG,6,0', 'VNWRG,75,2,1,6,1,600', 'VNWRG,76,2,8,36,1,130,84,613',
        'VNWRG,77,2,80,A,1,26B9'], 1600), [[40, 800], [114, 100], [106, 10]]);
counted('PX4, VN-100', fly('vectornav_vn100', ['VNWRG,75,2,1,6,1,600', 'VNWRG,76,2,8,36,1,130,84,613',
        'VNWRG,77,2,80,A,1,26B9'], 1600), [[40, 1600], [114, 200], [106, 20]]);

// Any of the fields that it knows, always with the time.
const KNOWN = [0x1ffb, 0x004f, 0x07fe, 0x26bb, 0x0186, 0x0613, 0x0018];
let seed = 12345;
const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
let flights = 0;
for (let i = 0; i < 60; i++) {
        const masks = KNOWN.map((known, group) => {
                let mask = 0;
                for (let bit = 0; bit < 15; bit++) if ((known >> bit) & 1 && random() < 0.25) mask |= 1 << bit;
                return group === COMMON ? mask | 1 : mask;
        });
        const size = 4 + masks.reduce((sum, mask, group) => sum + (mask ? 2 : 0) +
                LENGTHS[group].reduce((n, length, bit) => n + ((mask >> bit) & 1 ? length : 0), 0), 0);
        if (size > 256) continue;
        const groups = masks.reduce((set, mask, group) => set | (mask ? 1 << group : 0), 0);
        const command = `VNWRG,75,3,${4 + (i % 5)},${groups.toString(16)}${masks.filter(Boolean).map((m) => `,${m.toString(16)}`).join('')}`;
        counted(command, fly(i % 2 ? 'vectornav_vn300' : 'vectornav_vn100', [command], 160), [[size, i % 2 ? 9 : 19]]);
        flights++;
}
if (flights < 30) fail('too few random packets', flights);
console.log(`${compared} fields of ${flights + 4} flights agree`);
