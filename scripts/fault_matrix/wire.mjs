// What wire.cap holds: HILP frames in both directions, as docs/protocol.md has them, and the samples
// in them.
import { readFileSync } from 'node:fs';

const CRC = new Uint16Array(256).map((_, byte) => {
        let crc = byte << 8;
        for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
        return crc;
});

// The payload of the bytes between two zeros, or null.
function unframe(bytes) {
        if (bytes.length > 243) return null;
        const body = Buffer.alloc(bytes.length);
        let n = 0;
        for (let at = 0; at < bytes.length;) {
                const end = at + bytes[at];
                if (bytes[at] === 0 || end > bytes.length) return null;
                for (at++; at < end; at++) body[n++] = bytes[at];
                if (end < bytes.length) body[n++] = 0;
        }
        if (n < 3) return null;
        let crc = 0xffff;
        for (let i = 0; i < n - 2; i++) crc = ((crc << 8) & 0xffff) ^ CRC[(crc >> 8) ^ body[i]];
        return crc === body.readUInt16LE(n - 2) ? body.subarray(0, n - 2) : null;
}

function streams(path) {
        const cap = readFileSync(path);
        const parts = [[], []];
        for (let at = 24; at + 20 <= cap.length;) {
                const end = at + 16 + cap.readUInt32LE(at + 8);
                parts[cap[at + 16]].push(cap.subarray(at + 20, end));
                at = end;
        }
        return parts.map((list) => Buffer.concat(list));
}

function pieces(bytes) {
        const list = [];
        for (let at = 0; at < bytes.length;) {
                const zero = bytes.indexOf(0, at);
                const end = zero < 0 ? bytes.length : zero;
                const raw = bytes.subarray(at, end);
                const payload = zero < 0 ? null : unframe(raw);
                if (end > at) list.push({ raw, payload, type: payload ? payload[0] : 0 });
                at = end + 1;
        }
        return list;
}

export const HELLO = 1, SENSORS = 15, MOTORS = 4, INPUT = 5, STATE = 7, PARTS = 10, SONARS = 11;

// Whole frames' bytes without the counter of all frames: how many hellos were said depends on the host.
const content = (p) => (p.payload ? Buffer.concat([p.payload.subarray(0, 1), p.payload.subarray(2)]) : p.raw);

// Words, time sync and hellos come when they like. A frame that tells no time has that of the one behind it.
function timed(list, types, tickOf) {
        const kept = list.filter((p) => !p.payload || types.includes(p.type));
        let tick = Infinity;
        for (let i = kept.length - 1; i >= 0; i--) {
                tick = tickOf(kept[i]) ?? tick;
                kept[i].tick = tick;
                kept[i].content = content(kept[i]);
        }
        return kept;
}

export function readWire(path) {
        const [there, back] = streams(path).map(pieces);
        const hello = there.find((p) => p.type === HELLO).payload;
        const period_us = hello.readUInt32LE(6);
        const time = (p) => (p.type === SENSORS || p.type === SONARS ? Number(p.payload.readBigUInt64LE(6)) / period_us : undefined);
        const toFc = timed(there, [SENSORS, INPUT, PARTS, SONARS], time);
        const ticks = new Map(toFc.filter((p) => p.type === SENSORS).map((p) => [p.payload.readUInt32LE(2), p.tick]));
        const answered = (p) => (p.type === MOTORS ? ticks.get(p.payload.readUInt32LE(2)) : undefined);
        const fromFc = timed(back, [MOTORS, STATE], answered);
        const units = {};
        ['accel', 'gyro', 'pressure', 'field', 'range'].forEach((key, i) => {
                units[key] = hello.readUInt32LE(30 + 4 * i) * 1e-9;
        });
        return { toFc, fromFc, units };
}

// The longest time for which the rig sent nothing, by the host's clock.
export function longestGap(path) {
        const cap = readFileSync(path);
        let last, longest_s = 0;
        for (let at = 24; at + 20 <= cap.length; at += 16 + cap.readUInt32LE(at + 8)) {
                if (cap[at + 16] !== 0) continue;
                const t_s = cap.readUInt32LE(at) + 1e-9 * cap.readUInt32LE(at + 4);
                longest_s = Math.max(longest_s, t_s - (last ?? t_s));
                last = t_s;
        }
        return longest_s;
}

// The first piece in which they differ: its index, or -1; and the earliest tick of the two.
export function firstDifference(a, b, same = (x, y) => x.content.equals(y.content)) {
        const n = Math.min(a.length, b.length);
        let i = 0;
        while (i < n && a[i].tick === b[i].tick && same(a[i], b[i])) i++;
        if (i === a.length && i === b.length) return { index: -1, tick: Infinity };
        return { index: i, tick: Math.min(a[i]?.tick ?? Infinity, b[i]?.tick ?? Infinity) };
}

const deg = 180 / Math.PI;
const METRES = 1e-7 / deg * 6371e3;
const xyz = (name, at, unit, scale) =>
        ['x', 'y', 'z'].map((axis, i) => ({ name: `${name} ${axis}`, axis, at: at + 4 * i, unit, scale }));

// Blocks in the order of the bits of `fresh`, each with its length and what is in it.
const BLOCKS = [
        { sensor: 'imu', size: 26, fields: (u) => [...xyz('accel', 2, 'm/s²', u.accel), ...xyz('gyro', 14, 'deg/s', u.gyro * deg)] },
        { sensor: 'gps', size: 36, fields: () => [
                { name: 'age', at: 0, unit: 's', scale: 1e-6 },
                { name: 'north', axis: 'n', at: 4, unit: 'm', scale: METRES }, { name: 'east', axis: 'e', at: 8, unit: 'm', scale: METRES },
                { name: 'height', axis: 'd', at: 12, unit: 'm', scale: 1e-3 },
                { name: 'vel n', at: 16, unit: 'm/s', scale: 1e-3 }, { name: 'vel e', at: 20, unit: 'm/s', scale: 1e-3 },
                { name: 'vel d', at: 24, unit: 'm/s', scale: 1e-3 },
                { name: 'h_acc', at: 28, unit: 'm', scale: 0.01, bytes: 2 }, { name: 'v_acc', at: 30, unit: 'm', scale: 0.01, bytes: 2 },
                { name: 's_acc', at: 32, unit: 'm/s', scale: 0.01, bytes: 2 },
                { name: 'fix', at: 34, unit: '', scale: 1, bytes: 1 }, { name: 'satellites', at: 35, unit: '', scale: 1, bytes: 1 }] },
        { sensor: 'baro', size: 18, fields: (u) => [{ name: 'pressure', axis: 'p', at: 4, unit: 'Pa', scale: u.pressure }] },
        { sensor: 'mag', size: 16, fields: (u) => xyz('field', 4, 'uT', u.field * 1e6) },
        { sensor: 'none', size: 0, fields: () => [] },
        { sensor: 'flow', size: 25, fields: () => [
                { name: 'flow x', axis: 'x', at: 8, unit: 'rad', scale: 1e-8 }, { name: 'flow y', axis: 'y', at: 12, unit: 'rad', scale: 1e-8 }] },
        { sensor: 'power', size: 16, fields: () => [
                { name: 'voltage', at: 4, unit: 'V', scale: 1e-6 }, { name: 'current', at: 8, unit: 'A', scale: 1e-6 },
                { name: 'charge', at: 12, unit: 'C', scale: 1e-3 }] },
];

function number(bytes, field) {
        if (field.bytes === 1) return bytes.readUInt8(field.at);
        if (field.bytes === 2) return bytes.readUInt16LE(field.at);
        const count = bytes.readInt32LE(field.at);
        return count === -0x80000000 ? NaN : count;
}

function sample(p, content, fields) {
        return { tick: p.tick, content, fields, value: fields.map((f) => number(content, f) * f.scale) };
}

// Every sample of one sensor that arrived whole.
export function samples(wire, sensor) {
        const list = [];
        if (sensor === 'sonar') {
                for (const p of wire.toFc.filter((q) => q.type === SONARS))
                        for (let i = 0; i < p.payload[14]; i++) {
                                const row = p.payload.subarray(15 + 10 * i, 25 + 10 * i);
                                list.push(sample(p, row, [{ name: `range ${row[0]}`, axis: 'r', at: 5, unit: 'm', scale: wire.units.range },
                                        { name: `echo ${row[0]}`, at: 9, unit: '', scale: 1, bytes: 1 }]));
                        }
                return list;
        }
        const bit = BLOCKS.findIndex((b) => b.sensor === sensor);
        const fields = BLOCKS[bit].fields(wire.units);
        let east;
        for (const p of wire.toFc) {
                if (p.type !== SENSORS || !(p.payload.readUInt16LE(14) & (1 << bit))) continue;
                let at = 16;
                for (let i = 0; i < bit; i++) if (p.payload.readUInt16LE(14) & (1 << i)) at += BLOCKS[i].size;
                const content = p.payload.subarray(at, at + BLOCKS[bit].size);
                // One length of a degree of longitude for the whole flight, that of its first fix.
                if (sensor === 'gps') {
                        east ??= Math.cos(content.readInt32LE(4) * 1e-7 / deg);
                        fields.find((f) => f.name === 'east').scale = METRES * east;
                }
                list.push(sample(p, content, fields));
        }
        return list;
}
