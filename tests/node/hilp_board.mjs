// A board written from docs/protocol.md alone, in JavaScript: it finds frames, keeps the conversation, estimates
// its tilt and steers four motors against it. `hilrig conform` must find nothing wrong with it, of either version.
// Not under sanitizers: run/conform.sh asks the same.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, encode, frame, Malformed, unframe } from './hilp/wire.mjs';

const SENSORS = { 2: 3, 3: 15 }; // its type, by version
const OUTPUTS = 4;
const INVALID = -0x80000000;
const REST_S = 1; // at rest before it arms
const FAILSAFE_MS = 1000; // of its own clock, without sensors
const STILL_RADPS = 0.1;
const IDLE = 0.06, MOST = 0.6, CLIMB_PER_S = 0.2;
const ANGLE_GAIN = 0.3, RATE_GAIN = 0.05; // duty per rad, per rad/s
const TRUST_ACCEL_PER_S = 0.5;

const MODE = { disarmed: 0, armed: 1, goto: 2, land: 3 };
const HELLO = 1, HELLO_ACK = 2, MOTORS = 4, INPUT = 5, TIME_SYNC = 6;
const TEXT = 8, GOODBYE = 9, OPTION = 13, OPTION_ACK = 14;

const microseconds = () => Number(process.hrtime.bigint() / 1000n);

// What it does with its motors. Time is the frames' time_us, but for the failsafe.
class Controller {
        constructor(hello) {
                this.hello = hello;
                this.mode = MODE.disarmed;
                this.asked = MODE.disarmed;
                this.roll = this.pitch = 0;
                this.rate = [0, 0, 0];
                this.rest = 0;
                this.thrust = 0;
                this.failsafe = false;
                this.stopped = false; // by itself: it must be disarmed before it arms again
        }

        ask(mode) {
                if (mode === MODE.disarmed) this.stopped = false;
                this.asked = mode;
        }

        // Complementary filter; what is invalid is as if it had not come.
        sense(m) {
                const dt = this.time === undefined ? 0 : Math.min((m.time_us - this.time) * 1e-6, 0.1);
                this.time = m.time_us;
                if (m.accel === undefined || [...m.accel, ...m.gyro].includes(INVALID)) return dt;
                const [ax, ay, az] = m.accel.map((count) => count * this.hello.accel_unit * 1e-9);
                this.rate = m.gyro.map((count) => count * this.hello.gyro_unit * 1e-9);
                const share = this.rest === 0 ? 1 : Math.min(TRUST_ACCEL_PER_S * dt, 1);
                this.roll += this.rate[0] * dt;
                this.pitch += this.rate[1] * dt;
                this.roll += share * (Math.atan2(-ay, -az) - this.roll);
                this.pitch += share * (Math.atan2(ax, Math.hypot(ay, az)) - this.pitch);
                this.rest = Math.hypot(...this.rate) < STILL_RADPS ? this.rest + dt : 0;
                return dt;
        }

        // Four outputs in X: front right, rear right, rear left, front left.
        step(m) {
                const dt = this.sense(m);
                if (this.asked === MODE.disarmed || this.stopped) this.mode = MODE.disarmed;
                else if (this.mode !== MODE.disarmed || this.rest >= REST_S) this.mode = this.asked;
                if (this.mode === MODE.disarmed) {
                        this.thrust = 0;
                        return new Array(OUTPUTS).fill(0);
                }
                this.thrust = this.mode === MODE.goto ? Math.min(Math.max(this.thrust, IDLE) + CLIMB_PER_S * dt, MOST) : IDLE;
                const roll = -ANGLE_GAIN * this.roll - RATE_GAIN * this.rate[0];
                const pitch = -ANGLE_GAIN * this.pitch - RATE_GAIN * this.rate[1];
                const share = (this.thrust - IDLE) / MOST;
                return [[-1, 1], [-1, -1], [1, -1], [1, 1]].map(([r, p]) =>
                        Math.round(65535 * Math.min(Math.max(this.thrust + share * (r * roll + p * pitch), 0), 1)));
        }

        // Its own clock runs on while nothing comes.
        starve() {
                this.failsafe = true;
                this.stopped = true;
                this.mode = MODE.disarmed;
        }
}

// The conversation. `say` gets bytes.
class Board {
        constructor(say, version) {
                this.say = say;
                this.version = version;
                this.unique = Math.floor(Math.random() * 2 ** 32);
                this.out = 0;
                this.bytes = Buffer.alloc(0);
        }

        send(m) {
                this.say(frame(encode({ ...m, sequence: this.out++ & 0xff })));
        }

        acknowledge(version, every) {
                this.send({
                        type: HELLO_ACK, version, frame_every: every, rotors: OUTPUTS, sensors_used: 1,
                        unique: this.unique, name: `board of JavaScript, version ${this.version}`,
                });
        }

        greet(m) {
                const speaks = m.version_min <= this.version && this.version <= m.version_max;
                this.controller = speaks ? new Controller(m) : undefined;
                this.lockstep = (m.flags & 1) !== 0;
                this.newest = this.heard = undefined;
                this.acknowledge(speaks ? this.version : 0, 1);
        }

        sensors(m) {
                if (this.newest !== undefined && ((m.number - this.newest) | 0) <= 0) return;
                this.newest = m.number;
                this.frameMs = performance.now();
                const c = this.controller;
                const duty = c.step(m);
                const armed = c.mode !== MODE.disarmed;
                this.send({ type: MOTORS, answers: m.number, flags: (armed ? 1 : 0) | (c.failsafe ? 2 : 0), mode: c.mode, duty });
                c.failsafe = false;
                if (!armed && c.asked !== MODE.disarmed && !this.told) {
                        this.told = true;
                        this.send({ type: TEXT, severity: 1, text: 'not at rest for long enough' });
                }
        }

        take(m, received) {
                if (m.type === HELLO) return this.greet(m);
                if (this.controller === undefined) {
                        if (m.type !== GOODBYE && !(performance.now() - this.askedMs < 100)) {
                                this.askedMs = performance.now();
                                this.acknowledge(this.version, 0);
                        }
                        return;
                }
                switch (m.type) {
                case SENSORS[this.version]: return this.sensors(m);
                case INPUT: return this.controller.ask(m.mode);
                case GOODBYE: return this.controller.ask(MODE.disarmed);
                case OPTION: return this.send({ type: OPTION_ACK, key: m.key, accepted: 0 });
                case TIME_SYNC:
                        if (m.reply === 0)
                                this.send({ ...m, reply: 1, board_receive: received, board_transmit: microseconds() });
                }
        }

        // The same bytes as just before are a repetition.
        payload(bytes, received) {
                let m;
                try {
                        m = decode(bytes);
                } catch (error) {
                        if (error instanceof Malformed) return;
                        throw error;
                }
                if (this.heard?.equals(bytes) && m.type !== HELLO) return;
                this.heard = bytes;
                this.take(m, received);
        }

        receive(chunk) {
                const received = microseconds();
                this.bytes = Buffer.concat([this.bytes, chunk]);
                for (let end; (end = this.bytes.indexOf(0)) >= 0; ) {
                        const whole = this.bytes.subarray(0, end + 1);
                        this.bytes = this.bytes.subarray(end + 1);
                        const payload = whole.length > 1 ? unframe(whole) : null;
                        if (payload !== null) this.payload(Buffer.from(payload), received);
                }
                if (this.bytes.length > 4096) this.bytes = this.bytes.subarray(-4096);
        }

        watch() {
                const c = this.controller;
                if (c !== undefined && !this.lockstep && c.mode !== MODE.disarmed && performance.now() - this.frameMs > FAILSAFE_MS)
                        c.starve();
        }
}

// What `hilrig conform` says of a board of that version.
const conform = (version) => new Promise((resolve) => {
        const folder = mkdtempSync(join(tmpdir(), 'hilp-board-'));
        const path = join(folder, 'board.sock');
        const server = createServer((socket) => {
                const board = new Board((bytes) => socket.write(bytes), version);
                const timer = setInterval(() => board.watch(), 20);
                socket.on('data', (chunk) => board.receive(chunk));
                socket.on('close', () => clearInterval(timer));
                socket.on('error', () => clearInterval(timer));
        });

        server.listen(path, () => {
                const program = `${process.env.BUILD ?? 'build'}/hilrig`;
                // 250 frames a second are enough: what is tried here is the board, on a machine however busy.
                const run = spawn(program, ['conform', '--link', `unix:${path}`, '--period-us', '4000', '--seconds', '0.3', '--json']);
                let text = '';
                run.stdout.on('data', (bytes) => { text += bytes; });
                run.stderr.on('data', (bytes) => { text += bytes; });
                run.on('error', (error) => { text += `${program}: ${error.message}`; });
                run.on('close', (status) => {
                        server.close();
                        rmSync(folder, { recursive: true });
                        resolve({ status, text });
                });
        });
});

for (const { status, text } of await Promise.all(Object.keys(SENSORS).map((version) => conform(Number(version))))) {
        if (status !== 0) {
                console.error(text);
                process.exit(1);
        }
        const { board, passed, skipped } = JSON.parse(text);
        console.log(`${board}: ${passed} steps passed, ${skipped} skipped`);
        if (skipped !== 0) process.exit(1);
}
