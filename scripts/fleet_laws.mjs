// How the laws of flocks do by the same figures: the flight of flock_8.json by each, with packets lost and with a vehicle
// lost in flight, and the table of docs/fleets.md.
//
//   node scripts/fleet_laws.mjs [--seeds 10] [--jobs 2] [--work FOLDER] [--page docs/fleets.md]
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs, promisify } from 'node:util';

const { values: options } = parseArgs({
        options: {
                seeds: { type: 'string', default: '10' },
                jobs: { type: 'string', default: '2' },
                work: { type: 'string', default: '/tmp/hilrig-fleet-laws' },
                page: { type: 'string' },
        },
});
const hilrig = `${process.env.BUILD ?? 'build'}/hilrig`;
const run = promisify(execFile);

const LAWS = ['micklisch', 'olfati_saber', 'vasarhelyi'];
const EVENTS = [
        { name: 'nothing lost', set: [] },
        { name: '10 % of packets lost', set: ['radio.loss_percent=10'] },
        { name: '30 % of packets lost', set: ['radio.loss_percent=30'] },
        { name: 'a vehicle lost at 25 s', scenario: 'rig_configs/scenarios/flock_loses_one.json', set: [] },
];

async function fly(law, event, seed) {
        const out = `${options.work}/${law}-${EVENTS.indexOf(event)}-${seed}`;
        rmSync(out, { recursive: true, force: true });
        const set = [
                `vehicles.*.fc.reference.laws.flock=${law}`,
                'vehicles.*.fc.reference.flock.vasarhelyi.speed_mps=0', ...event.set,
        ].flatMap((s) => ['--set', s]);
        const scenario = event.scenario ? ['--scenario', event.scenario] : [];
        await run(hilrig, ['run', 'rig_configs/rigs/flock_8.json', '--seed', String(seed), '--out', out, ...scenario, ...set])
                .catch((error) => { if (error.code !== 1) throw error; });
        const summary = JSON.parse(readFileSync(`${out}/summary.json`));
        rmSync(out, { recursive: true, force: true });
        return { law, event, verdict: summary.verdict, requirements: summary.requirements };
}

// What a requirement's robustness says of the quantity that it bounds.
const figure = (flight, name, of) => of(flight.requirements.find((r) => r.name === name).robustness);
const COLUMNS = [
        ['centre off by, m', (f) => figure(f, 'the centre comes to the target', (r) => 0.5 - r), Math.max],
        ['least separation, m', (f) => figure(f, 'keep apart', (r) => 0.6 + r), Math.min],
        ['lattice uneven by, m', (f) => figure(f, 'an even lattice', (r) => 0.3 - r), Math.max],
];

function row(law, event, flights) {
        const of = flights.filter((f) => f.law === law && f.event === event);
        const passed = of.filter((f) => f.verdict === 'passed').length;
        const cells = COLUMNS.map(([, value, worst]) => {
                const sorted = of.map(value).sort((a, b) => a - b);
                const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
                return `${median.toFixed(2)} (${worst(...sorted).toFixed(2)})`;
        });
        return `| ${law} | ${event.name} | ${passed} of ${of.length} | ${cells.join(' | ')} |`;
}

mkdirSync(options.work, { recursive: true });
const todo = LAWS.flatMap((law) => EVENTS.flatMap((event) =>
        Array.from({ length: Number(options.seeds) }, (_, i) => [law, event, i + 1])));
const flights = [];
await Promise.all(Array.from({ length: Number(options.jobs) }, async () => {
        for (let next; (next = todo.shift()) !== undefined;) flights.push(await fly(...next));
}));
const table = [
        `| law | lost | passed | ${COLUMNS.map(([name]) => name).join(' | ')} |`, '|---|---|---|---|---|---|',
        ...LAWS.flatMap((law) => EVENTS.map((event) => row(law, event, flights))),
].join('\n');
if (options.page === undefined) {
        console.log(table);
} else {
        const text = readFileSync(options.page, 'utf8');
        const made = text.replace(/<!-- laws -->\n[^]*?<!-- end -->/, `<!-- laws -->\n${table}\n<!-- end -->`);
        if (made === text && !text.includes(table)) throw new Error(`${options.page}: no place for the table`);
        writeFileSync(options.page, made);
}
