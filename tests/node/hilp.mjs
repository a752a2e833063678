// HILP a second time, written from docs/protocol.md alone and without any package: decodes and
// encodes what build/tests/programs/hilp_vectors prints and compares. Both implementations must agree on
// every field of every message, on every byte of every frame, and on what is malformed.
// Not under sanitizers: its judge reads bytes; what writes and reads them has suites and fuzz targets.
import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { crc16, decode, encode, frame, Malformed, TABLES, unframe } from './hilp/wire.mjs';

const MESSAGES = 5000;

// ---- Comparison

function decodeOrNull(payload) {
        try {
                return payload && decode(payload);
        } catch (error) {
                if (error instanceof Malformed) return null;
                throw error;
        }
}

function fail(line, found) {
        console.error(`disagreement on: ${line}\nhere: ${JSON.stringify(found)}`);
        process.exit(1);
}

const program = `${process.env.BUILD ?? 'build'}/tests/programs/hilp_vectors`;
const printed = spawnSync(program, [String(MESSAGES)], { encoding: 'latin1', maxBuffer: 1 << 28 });
if (printed.error || printed.status !== 0) {
        console.error(`${program}: ${printed.error ?? `exit status ${printed.status}`}`);
        process.exit(1);
}
if (crc16(Buffer.from('123456789')) !== 0x29b1) fail('the check value of the CRC', crc16(Buffer.from('123456789')));

const counts = { frames: 0, possible: 0, malformed: 0, types: new Set() };
for (const line of printed.stdout.split('\n').filter(Boolean)) {
        const [, word, hex, json] = line.match(/^(\w+) ([0-9a-f]*) (.*)$/);
        const bytes = Buffer.from(hex, 'hex');
        const expected = JSON.parse(json);
        const found = decodeOrNull(word === 'frame' ? unframe(bytes) : bytes);

        if (!isDeepStrictEqual(found, expected)) fail(line, found);
        if (word === 'frame') {
                const written = frame(encode(expected));
                if (!written.equals(bytes)) fail(line, written.toString('hex'));
                counts.frames++;
                counts.types.add(expected.type);
        } else if (found === null) {
                counts.malformed++;
        } else {
                counts.possible++;
        }
}
if (counts.frames !== MESSAGES || counts.types.size !== Object.keys(TABLES).length || counts.malformed === 0 || counts.possible === 0)
        fail('the mixture of the vectors', { ...counts, types: [...counts.types] });
console.log(
        `${counts.frames} frames equal both ways; of the damaged payloads ` +
                `${counts.possible} decoded the same and ${counts.malformed} were malformed to both`,
);
