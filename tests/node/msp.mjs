// MSP against @betaflight/msp, in both directions: its parser reads what build/tests/programs/msp_vectors writes,
// and msp_vectors reads what its encoders write. It takes no flag but 0 into its checksum and does not
// know version 2 inside version 1, so those are unwrapped to the frames that it knows.
// Not under sanitizers: its judge reads bytes; what writes and reads them has suites and fuzz targets.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { MspParser } = require('@betaflight/msp/dist/cjs/parser.js');
const { encodeMessageV1, encodeMessageV2 } = require('@betaflight/msp/dist/cjs/encoders.js');
const { crc8DvbS2Data } = require('@betaflight/msp/dist/cjs/utils.js');

const FRAMES = 6000;
const [V1, V2, V2_OVER_V1] = [0, 1, 2];

function fail(what, ...found) {
        console.error(`disagreement: ${what}`, ...found);
        process.exit(1);
}

function vectors(args, input) {
        const program = `${process.env.BUILD ?? 'build'}/tests/programs/msp_vectors`;
        const run = spawnSync(program, args, { input, encoding: 'latin1', maxBuffer: 1 << 28 });
        if (run.error || run.status !== 0) {
                console.error(`${program}: ${run.error ?? `exit status ${run.status}`}`);
                process.exit(1);
        }
        return run.stdout.split('\n').filter(Boolean);
}

const parser = new MspParser();
let heard = [];
parser.on('data', (message) => heard.push(message));

function parse(bytes, what) {
        heard = [];
        parser._transform(bytes, 'buffer', () => {});
        if (heard.length !== 1) fail(`${what}: one message expected, heard`, heard.length);
        if (heard[0].crcError) fail(`${what}: wrong checksum`, bytes.toString('hex'));
        return heard[0];
}

// With flag 0 in place of its own, and the checksum that belongs to it.
function withoutFlag(bytes, what) {
        const last = bytes.length - 1;
        if (crc8DvbS2Data(bytes, 3, last) !== bytes[last]) fail(`${what}: wrong checksum`, bytes.toString('hex'));
        const plain = Buffer.from(bytes);
        plain[3] = 0;
        plain[last] = crc8DvbS2Data(plain, 3, last);
        return plain;
}

function unwrap(bytes, version, what) {
        if (version === V1) return bytes;
        if (version === V2) return withoutFlag(bytes, what);
        const outer = parse(bytes, what);
        if (outer.code !== 255) fail(`${what}: command of the outer frame`, outer.code);
        return withoutFlag(Buffer.concat([Buffer.from(`$X${String.fromCharCode(bytes[2])}`), Buffer.from(outer.data)]), what);
}

const counts = [0, 0, 0];
for (const line of vectors(['write', String(FRAMES), '77'])) {
        const [hex, json] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
        const ours = JSON.parse(json);
        const what = `${hex.slice(0, 40)}...`;
        const theirs = parse(unwrap(Buffer.from(hex, 'hex'), ours.version, what), what);
        counts[ours.version]++;
        if (theirs.code !== ours.command) fail(`${what}: command`, theirs.code, ours.command);
        if (Buffer.from(theirs.data).toString('hex') !== ours.payload) fail(`${what}: payload`);
        if ((theirs.unsupported === 1) !== (ours.kind === '!')) fail(`${what}: kind`, ours.kind);
        if (ours.kind !== '!' && theirs.direction !== (ours.kind === '>' ? 1 : 0)) fail(`${what}: direction`);
}
if (counts.reduce((a, b) => a + b) !== FRAMES || counts.some((n) => n < FRAMES / 4)) fail('frames of each version', counts);

// Theirs, read by ours. Version 1 has no jumbo frames there.
let seed = 7;
const roll = (n) => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * n);
};
const sent = [];
for (let n = 0; n < FRAMES; n++) {
        const version = roll(2);
        const data = Buffer.from(Array.from({ length: roll(version === V1 ? 255 : 513) }, () => roll(256)));
        const command = roll(version === V1 ? 255 : 65536);
        const frame = version === V1 ? encodeMessageV1(command, data) : encodeMessageV2(command, data);
        sent.push({ version, command, data, hex: Buffer.from(frame).toString('hex') });
}
const read = vectors(['read'], sent.map((f) => f.hex).join('\n') + '\n');
if (read.length !== sent.length) fail('frames read', read.length, sent.length);
read.forEach((line, n) => {
        const ours = JSON.parse(line);
        const { version, command, data, hex } = sent[n];
        if (ours === null) fail('not read', hex);
        if (ours.version !== version || ours.command !== command || ours.flag !== 0 || ours.kind !== '<' || ours.payload !== data.toString('hex'))
                fail('read as', line, hex);
});
console.log(`${FRAMES} frames of ours (${counts.join(', ')} of version 1, 2, 2 inside 1) and ${FRAMES} of @betaflight/msp: no disagreement`);
