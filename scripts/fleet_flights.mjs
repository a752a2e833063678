// What the tables of docs/fleets.md share: flights of a rig by the command line's seeds, some at once, and the table's place.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs, promisify } from 'node:util';

export const { values: options } = parseArgs({
        options: {
                seeds: { type: 'string', default: '10' },
                jobs: { type: 'string', default: '2' },
                work: { type: 'string', default: '/tmp/hilrig-fleet-flights' },
                page: { type: 'string' },
        },
});
const hilrig = `${process.env.BUILD ?? 'build'}/hilrig`;
const run = promisify(execFile);

async function fly(flight, number) {
        const out = `${options.work}/${number}`;
        rmSync(out, { recursive: true, force: true });
        await run(hilrig, ['run', flight.rig, '--seed', String(flight.seed), '--out', out, ...flight.args])
                .catch((error) => { if (error.code !== 1) throw error; });
        const summary = JSON.parse(readFileSync(`${out}/summary.json`));
        rmSync(out, { recursive: true, force: true });
        return { ...flight, summary };
}

// Each flight is { rig, seed, args } and what its caller adds; they come back with `summary`. A failed flight is a result, a void
// one is not.
export async function flyAll(flights) {
        mkdirSync(options.work, { recursive: true });
        const todo = flights.map((flight, i) => [flight, i]);
        const done = [];
        await Promise.all(Array.from({ length: Number(options.jobs) }, async () => {
                for (let next; (next = todo.shift()) !== undefined;) done.push(await fly(...next));
        }));
        return done;
}

// Into the page between <!-- name --> and <!-- end -->, or to the terminal.
export function replaceTable(name, lines) {
        const table = lines.join('\n');
        if (options.page === undefined) {
                console.log(table);
                return;
        }
        const text = readFileSync(options.page, 'utf8');
        const place = new RegExp(`<!-- ${name} -->\n[^]*?<!-- end -->`);
        if (!place.test(text)) throw new Error(`${options.page}: no place for the table`);
        writeFileSync(options.page, text.replace(place, `<!-- ${name} -->\n${table}\n<!-- end -->`));
}
