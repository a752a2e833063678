// ArduPilot and PX4 as shipped, stood in for by a program that speaks MAVLink by node-mavlink and a CAN bus in slcan's text: it
// says nothing before its sensors come, arms when it is told to, and its outputs are commanded on the bus and reported by MAVLink.
// Not under sanitizers: it judges a conversation; what reads and writes it has suites and fuzz targets.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import * as mavlink from 'node-mavlink';
import { check, hilrig, root, scratch, trial, until } from './pages/trial.mjs';

const { minimal, common, standard, ardupilotmega } = mavlink;
const REGISTRY = { ...minimal.REGISTRY, ...common.REGISTRY, ...standard.REGISTRY, ...ardupilotmega.REGISTRY };
const magicNumbers = Object.fromEntries(Object.entries(REGISTRY).map(([id, { MAGIC_NUMBER }]) => [id, MAGIC_NUMBER]));
const protocol = new mavlink.MavLinkProtocolV2(1, 1);
const SET_MODE = 176, ARM = 400, MESSAGE_INTERVAL = 511, ARMED = 128, PREARM = 0x10000000;
const DUTY = [0, 0.1, 0, 0.2];
// How each reports its outputs: PX4 in the numbers of what drives them, here a bus.
const FAMILIES = { ardupilot: { autopilot: 3, output: (duty) => 1000 + 1000 * duty }, px4: { autopilot: 12, output: (duty) => 8191 * duty } };
const PARAMS = { UAVCAN_ENABLE: 3, PWM_MAIN_TIM0: 50 };

const rig = (name, flies_s, more) => ({
        name, pace: 'realtime', world: `${root}/rig_configs/worlds/flat.json`,
        realtime: { missed_max_percent: 100, stall_max_ms: 60000, starved_max_percent: 100 },
        vehicles: [{
                name: 'quad', vehicle: `${root}/rig_configs/vehicles/quad_x_1kg.json`,
                fc: { codec: 'ardupilot', dialect: 'shipped', link: `unix-listen:${scratch}/${name}.mavlink`, motor_order: [0, 1, 2, 3], hello_timeout_ms: 60000, timeout_ms: 30000, ...more },
                ports: [{ device: 'dronecan_slcan', link: `unix-listen:${scratch}/${name}.can`, motors: true }],
        }],
        scenario: { name, duration_s: flies_s + 78, steps: [{ at_s: 0, mode: 'disarmed' }, { name: 'arm', when: 'can_arm > 0', at_latest_s: 60, mode: 'armed' }, { name: 'armed', when: 'armed > 0', at_latest_s: 70, mode: 'armed' }, { after_s: flies_s, end: true }], requirements: [{ name: 'arms', kind: 'eventually', signal: 'armed', min: 1 }] },
});

// int14[4]: of each the low eight bits, then the high six.
function rawCommand(transfer) {
        const bits = DUTY.map((duty) => Math.round(duty * 8191)).map((value) => (value & 0xff).toString(2).padStart(8, '0') + (value >> 8 & 0x3f).toString(2).padStart(6, '0')).join('');
        const bytes = bits.match(/.{8}/g).map((byte) => parseInt(byte, 2));
        return `T1004060A8${[...bytes, 0xc0 | transfer & 31].map((byte) => byte.toString(16).padStart(2, '0')).join('').toUpperCase()}\r`;
}

async function opened(path, board) {
        await until(path, () => existsSync(path) || board.status !== undefined);
        check(board.status === undefined, `it ended with ${board.status}\n${board.words}`);
        const socket = connect(path);
        socket.on('error', () => {});
        return socket;
}

// What the rig said to a board whose outputs are reported in this order, and what it found.
async function fly(name, { codec = 'ardupilot', reported = DUTY, speaks = true, falls_silent = false, flies_s = 2, ...more } = {}) {
        const family = FAMILIES[codec];
        const folder = join(scratch, `${name}-run`), file = join(scratch, `${name}.json`);
        writeFileSync(file, JSON.stringify(rig(name, flies_s, { codec, ...more })));
        const flown = spawn(hilrig, ['run', file, '--out', folder], { cwd: root });
        const board = { words: '', heard: [], armed: false, mode: 0 };
        const ended = new Promise((done) => { flown.on('close', (status) => { board.status = status; done(); }); });
        for (const stream of [flown.stdout, flown.stderr]) stream.on('data', (text) => { board.words += text; });

        // It comes in flight, once its sensors have begun.
        const can = await opened(join(scratch, `${name}.can`), board);
        let sensors = '', transfer = 0, ticks = 0;
        can.on('data', (text) => { sensors += text; });
        await until('sensors', () => sensors.length > 0 || board.status !== undefined);
        const link = await opened(join(scratch, `${name}.mavlink`), board);
        const arrived = new PassThrough(), begun = Date.now();
        link.pipe(arrived).pipe(new mavlink.MavLinkPacketSplitter({}, { magicNumbers })).pipe(new mavlink.MavLinkPacketParser()).on('data', (packet) => {
                const type = REGISTRY[packet.header.msgid];
                const message = packet.protocol.data(packet.payload, type);
                board.heard.push({ ...message, type: type.MSG_NAME });
                if (message.paramId in PARAMS) tell(message.paramId);
                if (![ARM, SET_MODE].includes(message.command)) return;
                if (message.command === ARM) board.armed = message._param1 === 1;
                else board.mode = message._param2;
                say(Object.assign(new common.CommandAck(), { command: message.command, result: 0 }));
        });
        const asked = new Set(), whole = new Int32Array(1), bits = new Float32Array(whole.buffer);
        const tell = (paramId) => {
                asked.add(paramId);
                whole[0] = PARAMS[paramId];
                say(Object.assign(new common.ParamValue(), { paramId, paramType: 6, paramValue: bits[0] }));
        };
        const say = (message) => link.write(protocol.serialize(message, transfer & 0xff));
        const speak = setInterval(() => {
                can.write(rawCommand(transfer++));
                // NodeStatus, RawIMU.
                if (!speaks || !sensors.includes('T1801552A8') || !sensors.includes('T0803EB2A8')) return;
                if (falls_silent && board.armed) return;
                ticks++;
                say(Object.assign(new minimal.Heartbeat(), { type: 2, autopilot: family.autopilot, baseMode: board.armed ? ARMED : 0, customMode: board.mode, systemStatus: 4 }));
                say(Object.assign(new common.AttitudeQuaternion(), { timeBootMs: Date.now() - begun, q1: 1, reprOffsetQ: [0, 0, 0, 0] }));
                say(Object.assign(new ardupilotmega.EkfStatusReport(), { flags: 0x33f }));
                say(Object.assign(new common.SysStatus(), { onboardControlSensorsHealth: codec === 'px4' && asked.size < 2 ? 0 : PREARM }));
                const [servo1Raw, servo2Raw, servo3Raw, servo4Raw] = reported.map((duty) => Math.round(family.output(duty)));
                say(Object.assign(new common.ServoOutputRaw(), { servo1Raw, servo2Raw, servo3Raw, servo4Raw }));
        }, 50);
        await ended;
        clearInterval(speak);
        can.destroy();
        link.destroy();
        board.spoke = ticks > 0;
        board.summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
        return board;
}

const says = (board, text) => check(board.words.includes(text), `"${text}" is not said:\n${board.words}`);

await trial({
        async good() {
                const board = await fly('good'), commands = board.heard.filter((m) => m.type === 'COMMAND_LONG');
                check(board.status === 0 && board.spoke, `${board.status}\n${board.words}`);
                check(commands.some((m) => m.command === MESSAGE_INTERVAL && m._param1 === 36), 'its outputs were not asked for');
                check(commands.some((m) => m.command === ARM && m._param1 === 1), 'it was not armed');
                check(!board.armed, 'it was left armed');
                check(!board.heard.some((m) => m.type === 'PARAM_REQUEST_READ' && m.paramId.startsWith('SIM_')), 'it was asked for what is of simulations');
                // How long it waited for a processor is known.
                check(board.summary.processes[0].starved_percent >= 0, JSON.stringify(board.summary.processes));
                const { motors } = board.summary.ports[0];
                check(motors.length === 4 && motors.every((m, i) => m.ticks > 3 && m.moves_as_rotor === i && m.difference_max < 1e-3), JSON.stringify(motors));
        },
        async px4() {
                const board = await fly('px4', { codec: 'px4' }), { motors } = board.summary.ports[0];
                check(board.status === 0, `${board.status}\n${board.words}`);
                check(board.heard.some((m) => m.command === MESSAGE_INTERVAL && m._param1 === 36), 'its outputs were not asked for');
                check(!board.armed, 'it was left armed');
                check(!board.heard.some((m) => m.type.startsWith('HIL_')), 'it was sent what is of simulations');
                check(motors.every((m, i) => m.ticks > 3 && m.moves_as_rotor === i && m.difference_max < 1e-3), JSON.stringify(motors));
        },
        // What stands in for the bus that PX4's process does not have.
        async bus() {
                const server = createServer().listen(0, '127.0.0.1'), firmware = createSocket('udp4');
                await once(server, 'listening');
                const bus = spawn('python3', [join(root, 'rig_configs/flight_controllers/px4_vectornav/esc_bus.py'), `${server.address().port}`, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
                const [[socket], [port]] = await Promise.all([once(server, 'connection'), once(bus.stdout, 'data')]);
                let text = '';
                socket.on('data', (part) => { text += part; });
                const tell = async (mode, whole) => {
                        const controls = [...DUTY, NaN, ...Array(11).fill(0)], before = text.length;
                        firmware.send(protocol.serialize(Object.assign(new common.HilActuatorControls(), { timeUsec: 1n, controls, mode, flags: 0n }), 0), Number(port), '127.0.0.1');
                        await until('a command', () => text.length > before);
                        check(text.slice(before) === whole, `${text.slice(before)} instead of ${whole}`);
                };
                await tell(ARMED, rawCommand(0));
                await tell(ARMED | 1, rawCommand(1));
                await tell(1, 'T1004060A800000000000000C2\r'); // not armed
                socket.destroy();
                const [status] = await once(bus, 'close');
                check(status === 0, `it ended with ${status}`);
                server.close();
                firmware.close();
        },
        async swapped() {
                const board = await fly('swapped', { reported: [0, 0.2, 0, 0.1] }), { motors } = board.summary.ports[0];
                says(board, 'moves as');
                check(motors[1].moves_as_rotor === 3 && motors[3].moves_as_rotor === 1 && motors[0].moves_as_rotor === 0, JSON.stringify(motors));
        },
        async silent() {
                // Of a silence on a busy host the rig takes off what this program could not run, however long that is.
                const board = await fly('silent', { falls_silent: true, flies_s: 600, timeout_ms: 1000 });
                check(board.status === 1, `${board.status}\n${board.words}`);
                check(/(silent|without motors) at/.test(board.words), board.words);
        },
        async mute() {
                const board = await fly('mute', { speaks: false, hello_timeout_ms: 5000 });
                check(board.status === 2, `${board.status}\n${board.words}`);
                says(board, 'no heartbeat of ArduPilot is heard');
        },
}, { browses: false });
