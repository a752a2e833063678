// MAVLink against node-mavlink, in both directions: it reads what build/tests/programs/mavlink_vectors writes and
// the other way round, and both must agree on every field; whole frames must be the same bytes where
// node-mavlink follows the standard. Also: the values in io/codec/mavlink_values.h are its values.
// Not under sanitizers: its judge reads bytes; what writes and reads them has suites and fuzz targets.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import * as mavlink from 'node-mavlink';

const MESSAGES = 6000;
const { minimal, common, standard, ardupilotmega } = mavlink;
const REGISTRY = { ...minimal.REGISTRY, ...common.REGISTRY, ...standard.REGISTRY, ...ardupilotmega.REGISTRY };
// The splitter knows fewer checksums by itself than the definitions that come with it.
const magicNumbers = Object.fromEntries(
        Object.entries(REGISTRY).map(([id, { MAGIC_NUMBER }]) => [id, MAGIC_NUMBER]),
);

function fail(what, ...found) {
        console.error(`disagreement: ${what}`, ...found);
        process.exit(1);
}

function vectors(args, input) {
        const program = `${process.env.BUILD ?? 'build'}/tests/programs/mavlink_vectors`;
        const run = spawnSync(program, args, { input, encoding: 'latin1', maxBuffer: 1 << 28 });
        if (run.error || run.status !== 0) {
                console.error(`${program}: ${run.error ?? `exit status ${run.status}`}`);
                process.exit(1);
        }
        return run.stdout.split('\n').filter(Boolean);
}

const wide = (field) => /^u?int64_t/.test(field.type);
const toPlain = (field, value) => (wide(field) ? value.toString() : value);
const toTheirs = (field, value) => (wide(field) ? BigInt(value) : value);

// The message as mavlink_vectors prints it.
function described(packet) {
        const clazz = REGISTRY[packet.header.msgid];
        const data = packet.protocol.data(packet.payload, clazz);
        return {
                id: packet.header.msgid,
                name: clazz.MSG_NAME,
                version: packet.protocol instanceof mavlink.MavLinkProtocolV2 ? 2 : 1,
                sequence: packet.header.seq,
                system: packet.header.sysid,
                component: packet.header.compid,
                fields: Object.fromEntries(clazz.FIELDS.map((f) => [f.source, toPlain(f, data[f.name])])),
        };
}

// Nine digits make a float exactly; JSON's doubles are that float again once rounded.
function rounded(message) {
        for (const field of REGISTRY[message.id].FIELDS) {
                const value = message.fields[field.source];
                if (field.type === 'float') message.fields[field.source] = Math.fround(value);
                if (field.type === 'float[]') message.fields[field.source] = value.map(Math.fround);
        }
        return message;
}

async function read(bytes) {
        const found = [];
        const onCrcError = (buffer) => fail('checksum', buffer.toString('hex'));
        const stream = mavlink.createMavLinkStream(Readable.from([bytes]), { onCrcError, magicNumbers });
        for await (const packet of stream) found.push(described(packet));
        return found;
}

function written(message) {
        const clazz = REGISTRY[message.id];
        const data = new clazz();
        for (const field of clazz.FIELDS) data[field.name] = toTheirs(field, message.fields[field.source]);
        const Protocol = message.version === 2 ? mavlink.MavLinkProtocolV2 : mavlink.MavLinkProtocolV1;
        const protocol = new Protocol(message.system, message.component);
        const bytes = protocol.serialize(data, message.sequence);
        return { protocol, bytes, clazz };
}

// It sends extensions in version 1, and nothing at all of a payload of zeros: there the bytes differ.
const follows = ({ clazz, bytes }, { version }) =>
        version === 1 ? !clazz.FIELDS.some((field) => field.extension) : bytes[1] > 0;

// ---- What we write, read by node-mavlink

const lines = vectors(['write', String(MESSAGES)]).map((line) => line.match(/^(\w+) (.*)$/).slice(1));
const messages = lines.map(([, json]) => rounded(JSON.parse(json)));
const frames = lines.map(([hex]) => Buffer.from(hex, 'hex'));
const theirs = await read(Buffer.concat(frames));

if (theirs.length !== MESSAGES) fail('number of messages', theirs.length);
messages.forEach((message, i) => {
        if (!isDeepStrictEqual(theirs[i], message)) fail(`on ${lines[i]}`, theirs[i]);
});

// ---- What node-mavlink writes, read by us; every fifth of version 2 is signed

const key = mavlink.MavLinkPacketSignature.key('hilrig');
const sent = [];
let same = 0;
let signed = 0;
messages.forEach((message, i) => {
        const theirFrame = written(message);
        if (follows(theirFrame, message)) {
                if (!theirFrame.bytes.equals(frames[i])) fail(`on ${lines[i]}`, theirFrame.bytes.toString('hex'));
                same++;
        }
        if (message.version === 2 && i % 5 === 0) {
                const clear = new mavlink.MavLinkProtocolV2(message.system, message.component, 1);
                const data = clear.data(Buffer.concat([theirFrame.bytes.subarray(10, -2), Buffer.alloc(255)]), theirFrame.clazz);
                sent.push(clear.sign(clear.serialize(data, message.sequence), 3, key));
                signed++;
        } else {
                sent.push(theirFrame.bytes);
        }
});
const ours = vectors(['read'], Buffer.concat(sent)).map((line) => JSON.parse(line));
const counts = ours.pop();

if (!isDeepStrictEqual(counts, { bad_crc: 0, unknown: 0, noise_bytes: 0, left: 0 })) fail('counts', counts);
if (ours.length !== MESSAGES) fail('number of messages', ours.length);
messages.forEach((message, i) => {
        if (!isDeepStrictEqual(rounded(ours[i]), message)) fail(`on ${lines[i]}`, ours[i]);
});

// ---- Lengths and values

for (const { id, version } of messages) {
        const clazz = REGISTRY[id];
        const plain = clazz.FIELDS.filter((field) => !field.extension);
        const len = Math.max(...plain.map((field) => field.offset + field.size * (field.length || 1)));
        const frame = frames[messages.findIndex((m) => m.id === id && m.version === 1)];
        if (version === 1 && frame[1] !== len) fail(`length of ${clazz.MSG_NAME}`, frame[1], len);
}

// MavType.QUADROTOR as MAV_TYPE_QUADROTOR; some entries are called otherwise there.
const values = new Map();
const words = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
for (const dialect of [minimal, common, standard, ardupilotmega])
        for (const [type, entries] of Object.entries(dialect))
                for (const [name, value] of Object.entries(entries ?? {}))
                        if (typeof value === 'number')
                                values.set(`${words(type)}_${name}`, value);
const PREFIXES = [
        ['MAV_COMP_ID_', 'MAV_COMPONENT_'],
        ['MAV_SYS_STATUS_', 'MAV_SYS_STATUS_SENSOR_'],
        ['GPS_FIX_TYPE_', 'GPS_FIX_TYPE_GPS_FIX_TYPE_'],
        ['HIL_SENSOR_UPDATED_', 'HIL_SENSOR_UPDATED_FLAGS_'],
        ['ESTIMATOR_', 'ESTIMATOR_STATUS_FLAGS_'],
        ['MAV_SENSOR_ROTATION_', 'MAV_SENSOR_ORIENTATION_'],
];
const renamed = (name) => [name, ...PREFIXES.map(([from, to]) => name.replace(from, to))];
const header = readFileSync('io/codec/mavlink_values.h', 'utf8');
let checked = 0;
for (const [, name, text] of header.matchAll(/^ +([A-Z]\w+) = (\d+(?: << \d+)?)/gm)) {
        const [base, shift = 0] = text.split(' << ').map(Number);
        const alias = renamed(name).find((n) => values.has(n));
        if (alias === undefined) fail(`no value is called ${name}`);
        if (values.get(alias) !== base * 2 ** shift) fail(name, text, values.get(alias));
        checked++;
}

console.log(
        `${MESSAGES} messages equal both ways, ${same} of them byte for byte, ${signed} signed; ` +
                `${checked} values are the same`,
);
