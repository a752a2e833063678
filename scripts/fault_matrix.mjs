// Flies every fault of scripts/fault_matrix/faults.mjs once on the reference flight controller and
// writes docs/fault-matrix.md: what the fault did on the wire, from which tick to which, and what the
// flight controller did about it.
//
//     node scripts/fault_matrix.mjs [--only PATTERN] [--no-host] [--page FILE]
//
// Each fault begins at tick 12000 of a hover. Its flight is held against one without the fault, to the
// bit: the first difference must be at the tick that was asked for. A third flight, in which the
// fault does not end, says in the same way where it ended. Replay must give the same signal, and so
// must a second flight. A fault that changes nothing is an error. What a fault did to the first
// sample that it touched is checked against its amount. Exit status 1: one of this did not hold. Host
// faults are flown in real time, three times 25 s, and need a machine that has time for them.
// BUILD: the build folder; TMPDIR: where the flights are.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { faults } from './fault_matrix/faults.mjs';
import { duties, readLog, TRUTH, value } from './fault_matrix/flight_log.mjs';
import { describe, table } from './fault_matrix/page.mjs';
import { checkSample, difference, sensorOf } from './fault_matrix/sample.mjs';
import { firstDifference, longestGap, MOTORS, readWire, samples, SENSORS } from './fault_matrix/wire.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({ options: { only: { type: 'string' }, 'no-host': { type: 'boolean' }, page: { type: 'string' } } });
const hilrig = resolve(root, process.env.BUILD ?? 'build', 'hilrig');
const scratch = mkdtempSync(join(tmpdir(), 'hilrig-faults-'));

const BEGIN = 12000, PERIOD_US = 1000, END_S = 24, ENDED = 4;
const RIGS = {
        md4_200: { file: 'rig_configs/default.json', height_m: 5 },
        // Low enough that its sonar hears the ground.
        finken3: { file: 'rig_configs/rigs/finken3.json', height_m: 2 },
};

// ---- Flights

function scenario(rig, fault, for_s) {
        const steps = [
                { at_s: 0, mode: 'disarmed' },
                { at_s: 3, mode: 'armed' },
                { at_s: 4, mode: 'goto', up_m: RIGS[rig].height_m },
        ];
        if (fault) steps.push({ at_s: BEGIN * PERIOD_US * 1e-6, ...(for_s ? { for_s } : {}), ...fault.fault });
        return {
                name: 'fault',
                duration_s: END_S,
                payloads: fault?.payloads ?? [],
                steps,
                requirements: [
                        { name: 'stays upright', kind: 'always', signal: 'tilt_deg', max: 45 },
                        { name: 'keeps its height within 1 m', formula: `always[11, ${END_S - 1}] abs(altitude_m - ${RIGS[rig].height_m}) < 1` },
                        { name: 'stays within 3 m', formula: `always[11, ${END_S - 1}] hypot(north_m, east_m) < 3` },
                        { name: 'does not touch the ground', formula: `always[11, ${END_S - 1}] contact == 0` },
                ],
        };
}

function fly(name, rig, fault, for_s, pace = 'lockstep') {
        const out = join(scratch, name);
        const file = join(scratch, `${name}.json`);
        writeFileSync(file, JSON.stringify(scenario(rig, fault, for_s)));
        const run = spawnSync(hilrig, ['run', RIGS[rig].file, '--scenario', file, '--pace', pace, '--out', out,
                '--set', `vehicles.0.fc.link=unix-listen:${join(scratch, 'fc.sock')}`,
                '--set', 'vehicles.0.fc.reconnect=true', '--set', 'log.truth_rate_hz=1000'], { cwd: root, encoding: 'utf8' });
        if (run.error || run.status === 2) throw new Error(`${name}: ${run.error ?? run.stderr}`);
        return { out, summary: JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) };
}

function read(flight) {
        return { ...flight, wire: readWire(join(flight.out, 'wire.cap')), log: readLog(join(flight.out, 'run.ulg'), PERIOD_US) };
}

function drop(...flights) {
        for (const f of flights) rmSync(f.out, { recursive: true, force: true });
}

function replaySays(flight) {
        const r = spawnSync(hilrig, ['replay', flight.out], { cwd: root, encoding: 'utf8' });
        return r.status === 0 ? 'the same' : `${r.stdout}${r.stderr}`.trim();
}

// ---- Where two flights begin to differ

// The command that drives a tick is the answer to the frame before it. An unplugged link stops the motors at once.
function onWire(fault, a, b) {
        const answered = fault.fault.wire_fault?.does === 'unplug' ? 0 : 1;
        return Math.min(firstDifference(a.wire.toFc, b.wire.toFc).tick, firstDifference(a.wire.fromFc, b.wire.fromFc).tick,
                firstDifference(duties(a.log), duties(b.log)).tick - answered);
}

function inTruth(a, b) {
        return Math.min(...TRUTH.map((t) => firstDifference(a.log[t].records, b.log[t].records).tick));
}

function parting(fault, a, b) {
        if (fault.family === 'vehicle') return inTruth(a, b);
        return onWire(fault, a, b);
}

// The tick at which a fault that begins or ends at `tick` is due to show: a sensor's next sample.
function due(fault, plain, tick) {
        if (fault.family !== 'sensor') return tick;
        const number = fault.fault.sensor_fault.sonar;
        return samples(plain.wire, sensorOf(fault))
                .find((s) => s.tick >= tick && (number === undefined || s.content[0] === number)).tick;
}

// ---- What became of the flight

function horizontal(log, record, from) {
        const t = log.vehicle_local_position_groundtruth;
        return Math.hypot(value(t, record, 'x') - value(t, from, 'x'), value(t, record, 'y') - value(t, from, 'y'));
}

function tilt(log, record) {
        const t = log.vehicle_attitude_groundtruth;
        const x = value(t, record, 'q', 1), y = value(t, record, 'q', 2);
        return 180 / Math.PI * Math.acos(Math.max(-1, Math.min(1, 1 - 2 * (x * x + y * y))));
}

function outcome(flight) {
        const { log, wire } = flight;
        const after = (name) => log[name].records.filter((r) => r.tick >= BEGIN);
        const place = log.vehicle_local_position_groundtruth;
        const path = after('vehicle_local_position_groundtruth');
        const from = path[0], z0 = value(place, from, 'z');
        const height = path.map((r) => z0 - value(place, r, 'z'));
        const touch = after('hilrig_tick').find((r) => value(log.hilrig_tick, r, 'contact'));
        const impact = after('hilrig_surroundings').map((r) => value(log.hilrig_surroundings, r, 'impact_mps'));
        const safe = wire.fromFc.find((p) => p.type === MOTORS && p.tick >= BEGIN && p.payload[6] & 2);
        const late = (list) => list.slice(-1000);
        return {
                loss_m: Math.max(0, -Math.min(...height)), climb_m: Math.max(0, ...height),
                tilt_deg: Math.max(...after('vehicle_attitude_groundtruth').map((r) => tilt(log, r))),
                drift_m: Math.max(...path.map((r) => horizontal(log, r, from))),
                touch_s: touch && touch.tick * PERIOD_US * 1e-6, impact_mps: Math.max(0, ...impact),
                failsafe_s: safe && safe.tick * PERIOD_US * 1e-6,
                // Before it can move far again: where it is at the end.
                back: !touch && Math.max(...late(height).map(Math.abs)) < 0.5 && Math.max(...late(path).map((r) => horizontal(log, r, from))) < 2,
        };
}

// ---- One fault

// By how many ticks the commands that drove the vehicle were older than they would have been: least and most.
function staleness(flight, within) {
        const answer = new Map(flight.wire.fromFc.filter((p) => p.type === MOTORS)
                .map((p) => [p.tick, Array.from({ length: 4 }, (_, i) => p.payload.readUInt16LE(9 + 2 * i)).join()]));
        const t = flight.log.hilrig_tick, late = [];
        for (const r of t.records.filter((q) => within(q) && q.tick > BEGIN + 30)) {
                const used = Array.from({ length: 4 }, (_, i) => Math.round(65535 * value(t, r, 'duty', i))).join();
                const age = Array.from({ length: 30 }, (_, k) => k).find((k) => answer.get(r.tick - 1 - k) === used);
                if (age !== undefined) late.push(age);
        }
        return [Math.min(...late), Math.max(...late)];
}

function seen(fault, plain, flight, ticks) {
        const within = (p) => p.tick >= BEGIN && p.tick < BEGIN + ticks;
        const count = (list) => list.filter(within).length;
        if (fault.family === 'sensor') {
                const sensor = sensorOf(fault), number = fault.fault.sensor_fault.sonar;
                const [a, b] = [plain, flight].map((f) => samples(f.wire, sensor).filter((s) => number === undefined || s.content[0] === number));
                const first = firstDifference(a, b);
                // A first sample that is missing or late is not held against another one.
                const pair = first.index >= 0 && a[first.index]?.tick === b[first.index]?.tick ? [a[first.index], b[first.index], b[first.index - 1]] : null;
                return { first: first.tick, counts: [count(b), count(a)], pair, sensor };
        }
        if (fault.family === 'vehicle') {
                const [a, b] = [plain, flight].map((f) => samples(f.wire, 'imu'));
                const first = firstDifference(a, b);
                return { imu: first.tick, pair: null, change: difference(a[first.index], b[first.index]) };
        }
        const got = (list, type) => list.filter((p) => p.type === type && within(p)).length;
        const bad = (list) => list.filter((p) => !p.payload).length;
        return {
                sensors: [got(flight.wire.toFc, SENSORS), got(plain.wire.toFc, SENSORS)],
                motors: [got(flight.wire.fromFc, MOTORS), got(plain.wire.fromFc, MOTORS)],
                bad: [bad(flight.wire.toFc), bad(flight.wire.fromFc)],
                stale: ['delay', 'jitter'].includes(fault.fault.wire_fault?.does) ? staleness(flight, within) : null,
        };
}

function examine(fault, plain, name) {
        const for_s = fault.forS ?? 3, ticks = Math.round(for_s * 1e6 / PERIOD_US);
        const flight = read(fly(name, fault.rig ?? 'md4_200', fault, for_s));
        const again = fly(`${name}-again`, fault.rig ?? 'md4_200', fault, for_s);
        const wrong = [];
        const check = (holds, text) => holds || wrong.push(text);

        check(again.summary.signal_sha256 === flight.summary.signal_sha256, 'a second flight gave another signal');
        drop(again);
        check(replaySays(flight) === 'the same', `replay: ${replaySays(flight)}`);

        const before = fault.payloads ? read(fly(`${name}-plain`, 'md4_200', { fault: { mode: 'goto', up_m: 5 }, payloads: fault.payloads }, 0)) : plain;
        const first = parting(fault, before, flight), expected = due(fault, before, BEGIN);
        if (fault.harmless) check(first === Infinity, `changed something at tick ${first}, and should not`);
        else {
                check(first < Infinity, 'changed nothing');
                check(first >= expected && first <= expected + (fault.slack ?? 0), `first seen at tick ${first}, asked for ${expected}`);
        }
        const what = seen(fault, before, flight, ticks);
        const late = fault.fault.wire_fault?.ticks;
        // Both ways may be late at once.
        if (what.stale) check(fault.fault.wire_fault.does === 'delay' ? what.stale.every((k) => k === late) : what.stale[1] > 0 && what.stale[1] <= 2 * late, `commands ${what.stale} ticks old`);
        if (fault.fault.sensor_fault?.does === 'dropout' && fault.fault.sensor_fault.probability === 1) check(what.counts[0] === 0, `${what.counts[0]} samples came`);
        if (what.pair) for (const text of checkSample(fault.fault.sensor_fault, what)) check(false, text);

        let last, over;
        if (!fault.forGood && !fault.harmless) {
                const endless = read(fly(`${name}-endless`, fault.rig ?? 'md4_200', fault, 0));
                over = due(fault, before, BEGIN + ticks);
                const slack = fault.endSlack ?? fault.slack ?? 0;
                // What waits for its delay would have come between two samples.
                const soonest = fault.fault.sensor_fault?.does === 'delay' ? BEGIN + ticks : over;
                last = parting(fault, endless, flight);
                check(slack === Infinity || (last >= soonest && last <= over + slack), `over at tick ${last}, asked for ${over}`);
                const event = flight.log.hilrig_event.records.find((r) => value(flight.log.hilrig_event, r, 'kind') === ENDED);
                check(event?.tick === BEGIN + ticks, `its end was recorded at tick ${event?.tick}`);
                drop(endless);
        }
        drop(flight);
        if (before !== plain) drop(before);
        return { fault, first, last, over, ticks, seen: what, did: outcome(flight), summary: flight.summary, wrong, difference: what.pair && difference(...what.pair) };
}

// In real time the frames of two flights differ; what the rig says of itself is looked at.
function examineHost(fault, name) {
        const f = fly(name, 'md4_200', fault, 0, 'realtime');
        const log = readLog(join(f.out, 'run.ulg'), PERIOD_US), t = log.hilrig_tick;
        const { does, by_ms } = fault.fault.host_fault;
        // Without a gap, from the tick behind the fault's.
        const missed = [];
        for (const r of t.records.filter((q) => q.tick > BEGIN)) {
                if (!value(t, r, 'missed')) break;
                missed.push(r.tick);
        }
        const gap_ms = 1000 * longestGap(join(f.out, 'wire.cap'));
        const wrong = [];
        if (f.summary.verdict !== 'void') wrong.push(`the verdict is ${f.summary.verdict}: ${f.summary.end_reason}`);
        if (by_ms > 0 && missed[0] !== BEGIN + 1) wrong.push(`first missed period ${missed[0]}, not ${BEGIN + 1}`);
        if (by_ms > 0 && missed.length < by_ms - 2) wrong.push(`${missed.length} missed periods for ${by_ms} ms`);
        if (does === 'stall' ? !f.summary.end_reason.includes('stall') : !/clock|stall|missed/.test(f.summary.end_reason)) wrong.push(`it said: ${f.summary.end_reason}`);
        if ((does === 'stall' || by_ms < 0) && gap_ms < Math.abs(by_ms)) wrong.push(`the longest gap between frames is ${gap_ms} ms`);
        const step = log.hilrig_event.records.find((r) => r.tick === BEGIN);
        if (!step) wrong.push('the step is not in the record');
        const flight = { ...f, log, wire: readWire(join(f.out, 'wire.cap')) };
        drop(f);
        return { fault, first: missed[0] ?? BEGIN, missed: missed.length, gap_ms, did: outcome(flight), summary: f.summary, wrong, seen: {} };
}

// ---- All of them

const chosen = faults.filter((f) => !(options['no-host'] && f.family === 'host') && (!options.only || new RegExp(options.only).test(JSON.stringify(f.fault))));
let failed = 0;
try {
        const plain = {};
        for (const rig of Object.keys(RIGS)) plain[rig] = read(fly(`plain-${rig}`, rig, null, 0));
        const rows = [];
        for (const [i, fault] of chosen.entries()) {
                try {
                        const row = fault.family === 'host' ? examineHost(fault, `fault-${i}`) : examine(fault, plain[fault.rig ?? 'md4_200'], `fault-${i}`);
                        rows.push(row);
                        failed += row.wrong.length > 0;
                        console.log(describe(row));
                } catch (e) {
                        failed++;
                        console.log(`WRONG ${JSON.stringify(fault.fault)}\n      WRONG: ${e.message}`);
                }
        }
        console.log(`${rows.length} faults, ${failed} wrong`);
        if (!options.only && !options['no-host'] && failed === 0) {
                const page = options.page ?? join(root, 'docs', 'fault-matrix.md');
                writeFileSync(page, table(rows, Object.entries(plain).map(([rig, f]) => ({ rig, did: outcome(f), summary: f.summary }))));
                console.log(`wrote ${page}`);
        }
} finally {
        rmSync(scratch, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
