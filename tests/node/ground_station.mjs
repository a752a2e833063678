// What the devices for ground stations say, read without any of our code: telemetry by node-mavlink,
// FlightGear's packets by the field list of its src/Network/net_fdm.hxx (version 24).
// Not under sanitizers: its judge reads bytes; what writes and reads them has suites and fuzz targets.
import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import * as mavlink from 'node-mavlink';

const SECONDS = 10;
const START = [10, -20, -1];
const ORIGIN = { lat: 0.8267, lon: 0.1493, height: 488, north: 6.37e6, east: 4.33e6, utc: 1700000000 };
const DEG = 180 / Math.PI;

function fly(device) {
        const program = `${process.env.BUILD ?? 'build'}/tests/programs/device_stream`;
        const run = spawnSync(program, [device, String(SECONDS)], { encoding: 'latin1', maxBuffer: 1 << 28 });
        if (run.error || run.status !== 0) {
                console.error(`${program}: ${run.error ?? `exit status ${run.status}`}`);
                process.exit(1);
        }
        return run.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

let compared = 0;
function near(what, found, expected, tolerance) {
        compared++;
        if (Math.abs(Number(found) - expected) <= tolerance) return;
        console.error(`${what}: ${found} instead of ${expected}`);
        process.exit(1);
}

function euler([w, x, y, z]) {
        return [
                Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
                Math.asin(2 * (w * y - z * x)),
                Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        ];
}

// A vector of NED in body axes.
function toBody([w, x, y, z], v) {
        const rows = [
                [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
                [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
                [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ];
        return rows.map((row) => row.reduce((sum, value, i) => sum + value * v[i], 0));
}

const turn = (rad) => ((rad % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);

// ---- Telemetry

const { minimal, common, standard } = mavlink;
const REGISTRY = { ...minimal.REGISTRY, ...common.REGISTRY, ...standard.REGISTRY };
const magicNumbers = Object.fromEntries(Object.entries(REGISTRY).map(([id, { MAGIC_NUMBER }]) => [id, MAGIC_NUMBER]));

async function messages(hex) {
        const found = [];
        const onCrcError = () => near('checksum errors', 1, 0, 0);
        const input = Readable.from([Buffer.from(hex, 'hex')]);
        for await (const packet of mavlink.createMavLinkStream(input, { onCrcError, magicNumbers }))
                found.push({
                        system: packet.header.sysid,
                        component: packet.header.compid,
                        sequence: packet.header.seq,
                        name: REGISTRY[packet.header.msgid].MSG_NAME,
                        data: packet.protocol.data(packet.payload, REGISTRY[packet.header.msgid]),
                });
        return found;
}

const check = {
        HEARTBEAT(data) {
                near('type', data.type, minimal.MavType.HEXAROTOR, 0);
                near('armed', data.baseMode & minimal.MavModeFlag.SAFETY_ARMED, minimal.MavModeFlag.SAFETY_ARMED, 0);
                near('state', data.systemStatus, minimal.MavState.ACTIVE, 0);
        },
        ATTITUDE(data, { q, ms }) {
                const [roll, pitch, yaw] = euler(q);
                near('time', data.timeBootMs, ms, 0);
                near('roll', data.roll, roll, 1e-6);
                near('pitch', data.pitch, pitch, 1e-6);
                near('yaw', data.yaw, yaw, 1e-6);
        },
        LOCAL_POSITION_NED(data, { fromStart }) {
                near('x', data.x, fromStart[0], 1e-5);
                near('y', data.y, fromStart[1], 1e-5);
                near('z', data.z, fromStart[2], 1e-5);
        },
        GLOBAL_POSITION_INT(data, { q, fromStart }) {
                const at = fromStart.map((value, i) => value + START[i]);
                near('lat', data.lat, (ORIGIN.lat + at[0] / ORIGIN.north) * DEG * 1e7, 0.51);
                near('lon', data.lon, (ORIGIN.lon + at[1] / ORIGIN.east) * DEG * 1e7, 0.51);
                near('alt', data.alt, (ORIGIN.height - at[2]) * 1e3, 0.51);
                near('relative alt', data.relativeAlt, -fromStart[2] * 1e3, 0.51);
                near('heading', data.hdg / 100 / DEG, turn(euler(q)[2]), 1e-4);
        },
        VFR_HUD(data, { fromStart }) {
                near('alt', data.alt, ORIGIN.height - START[2] - fromStart[2], 1e-4);
                near('throttle', data.throttle, 30, 0);
        },
        SERVO_OUTPUT_RAW(data) {
                near('servo 1', data.servo1Raw, 1100, 0);
                near('servo 3', data.servo3Raw, 1000, 0);
                near('servo 6', data.servo6Raw, 1600, 0);
        },
        RC_CHANNELS(data) {
                near('channel 2', data.chan2Raw, 1400, 0);
                near('channels', data.chancount, 3, 0);
        },
        SYSTEM_TIME(data, { ms }) {
                near('time', data.timeUnixUsec, ORIGIN.utc * 1e6 + ms * 1e3, 0);
        },
        STATUSTEXT(data) {
                near('words', data.text === 'words of the flight controller', 1, 0);
        },
};

const counts = {};
const sequence = [];
for (const tick of fly('telemetry')) {
        const truth = { ms: tick.t_ns / 1e6, q: tick.q, fromStart: tick.pos.map((value, i) => value - START[i]) };
        const estimate = { ms: truth.ms, q: tick.estimated_q, fromStart: tick.estimated_pos };
        for (const { system, component, sequence: number, name, data } of await messages(tick.packets.join(''))) {
                near('component', component, 1, 0);
                if (sequence[system] !== undefined) near('sequence', number, (sequence[system] + 1) % 256, 0);
                sequence[system] = number;
                counts[`${system} ${name}`] = (counts[`${system} ${name}`] ?? 0) + 1;
                check[name]?.(data, system === 1 ? truth : estimate);
        }
}
const rates = { HEARTBEAT: 1, ATTITUDE: 20, LOCAL_POSITION_NED: 10, GLOBAL_POSITION_INT: 10, VFR_HUD: 5 };
for (const system of [1, 2])
        for (const [name, rate] of Object.entries(rates)) near(name, counts[`${system} ${name}`], rate * SECONDS, 0);
for (const [name, rate] of Object.entries({ SERVO_OUTPUT_RAW: 5, RC_CHANNELS: 5, SYS_STATUS: 1, SYSTEM_TIME: 1 }))
        near(name, counts[`1 ${name}`], rate * SECONDS, 0);
near('words', counts['1 STATUSTEXT'], 1, 0);

// ---- FlightGear

const FDM = `u32 version, u32 padding, f64 longitude, f64 latitude, f64 altitude, f32 agl, f32 phi, f32 theta,
        f32 psi, f32 alpha, f32 beta, f32 phidot, f32 thetadot, f32 psidot, f32 vcas, f32 climb_rate,
        f32 v_north, f32 v_east, f32 v_down, f32 v_body_u, f32 v_body_v, f32 v_body_w, f32 A_X_pilot,
        f32 A_Y_pilot, f32 A_Z_pilot, f32 stall_warning, f32 slip_deg, u32 num_engines, u32 eng_state[4],
        f32 rpm[4], f32 fuel_flow[4], f32 fuel_px[4], f32 egt[4], f32 cht[4], f32 mp_osi[4], f32 tit[4],
        f32 oil_temp[4], f32 oil_px[4], u32 num_tanks, f32 fuel_quantity[4], u32 num_wheels, u32 wow[3],
        f32 gear_pos[3], f32 gear_steer[3], f32 gear_compression[3], u32 cur_time, i32 warp, f32 visibility,
        f32 elevator, f32 elevator_trim_tab, f32 left_flap, f32 right_flap, f32 left_aileron,
        f32 right_aileron, f32 rudder, f32 nose_wheel, f32 speedbrake, f32 spoilers`;
const READ = {
        u32: [4, 'readUInt32BE'], i32: [4, 'readInt32BE'], f32: [4, 'readFloatBE'], f64: [8, 'readDoubleBE'],
};

function fdm(hex) {
        const bytes = Buffer.from(hex, 'hex');
        const found = {};
        let at = 0;
        for (const [, type, name, count] of FDM.matchAll(/(\w+) (\w+)(?:\[(\d)\])?/g)) {
                const [size, read] = READ[type];
                const values = Array.from({ length: Number(count ?? 1) }, (_, i) => bytes[read](at + size * i));
                at += size * values.length;
                found[name] = count === undefined ? values[0] : values;
        }
        near('bytes', bytes.length, at, 0);
        near('bytes', at, 408, 0);
        return found;
}

const FOOT = 0.3048;
const KNOT = 1852 / 3600;
const NAMED = ['version', 'longitude', 'latitude', 'altitude', 'agl', 'phi', 'theta', 'psi', 'phidot', 'thetadot',
        'psidot', 'vcas', 'climb_rate', 'v_north', 'v_east', 'v_down', 'v_body_u', 'v_body_v', 'v_body_w',
        'A_X_pilot', 'A_Y_pilot', 'A_Z_pilot', 'num_engines', 'eng_state', 'rpm', 'cur_time', 'visibility'];
let packets = 0;
let last;
for (const tick of fly('flightgear')) {
        near('packets', tick.packets.length, 1, 0);
        packets++;
        const p = fdm(tick.packets[0]);
        const angles = euler(tick.q);
        near('version', p.version, 24, 0);
        near('longitude', p.longitude, ORIGIN.lon + tick.pos[1] / ORIGIN.east, 1e-12);
        near('latitude', p.latitude, ORIGIN.lat + tick.pos[0] / ORIGIN.north, 1e-12);
        near('altitude', p.altitude, ORIGIN.height - tick.pos[2], 1e-9);
        near('agl', p.agl, -tick.pos[2], 1e-5);
        ['phi', 'theta', 'psi'].forEach((name, i) => near(name, p[name], angles[i], 1e-6));
        if (last !== undefined)
                ['phidot', 'thetadot', 'psidot'].forEach((name, i) => {
                        let difference = angles[i] - last.angles[i];
                        difference -= 2 * Math.PI * Math.round(difference / (2 * Math.PI));
                        near(name, p[name], difference / ((tick.t_ns - last.t_ns) * 1e-9), 1e-4);
                });
        near('vcas', p.vcas * KNOT, Math.hypot(...tick.vel), 1e-4);
        near('climb rate', p.climb_rate * FOOT, -tick.vel[2], 1e-5);
        ['v_north', 'v_east', 'v_down'].forEach((name, i) => near(name, p[name] * FOOT, tick.vel[i], 1e-5));
        const body = toBody(tick.q, tick.vel);
        ['v_body_u', 'v_body_v', 'v_body_w'].forEach((name, i) => near(name, p[name] * FOOT, body[i], 1e-5));
        ['A_X_pilot', 'A_Y_pilot', 'A_Z_pilot'].forEach((name, i) => near(name, p[name] * FOOT, tick.accel[i], 1e-5));
        near('engines', p.num_engines, 4, 0);
        p.eng_state.forEach((state, i) => near('engine', state, i === 2 ? 0 : 2, 0));
        p.rpm.forEach((rpm, i) => near('rpm', rpm, i === 2 ? 0 : 600 * (i + 1), 1e-3));
        near('time', p.cur_time, ORIGIN.utc + Math.floor(tick.t_ns / 1e9), 0);
        near('visibility', p.visibility, 20000, 0);
        for (const [name, value] of Object.entries(p))
                if (!NAMED.includes(name)) [value].flat().forEach((zero) => near(name, zero, 0, 0));
        last = { angles, t_ns: tick.t_ns };
}
near('packets', packets, 60 * SECONDS, 1);

console.log(`${compared} values equal in ${Object.values(counts).reduce((a, b) => a + b)} messages and ${packets} FDM packets`);
