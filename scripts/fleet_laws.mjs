// How the laws of flocks do by the same figures: the flight of flock_8.json by each, with packets lost, and with a vehicle that is
// lost or joins in flight, and the table of docs/fleets.md.
//
//   node scripts/fleet_laws.mjs [--seeds 10] [--jobs 2] [--work FOLDER] [--page docs/fleets.md]
import { flyAll, options, replaceTable } from './fleet_flights.mjs';

const LAWS = ['micklisch', 'olfati_saber', 'vasarhelyi'];
const scenario = (name) => ['--scenario', `rig_configs/scenarios/${name}.json`];
const EVENTS = {
        'nothing lost': [],
        '10 % of packets lost': ['--set', 'radio.loss_percent=10'],
        '30 % of packets lost': ['--set', 'radio.loss_percent=30'],
        'a vehicle lost at 25 s': scenario('flock_loses_one'),
        'a vehicle joins at 21 s': scenario('flock_gains_one'),
};

const flights = await flyAll(LAWS.flatMap((law) => Object.entries(EVENTS).flatMap(([event, args]) =>
        Array.from({ length: Number(options.seeds) }, (_, i) => ({
                law, event, seed: i + 1, rig: 'rig_configs/rigs/flock_8.json',
                args: [...args, ...[`laws.flock=${law}`, 'flock.vasarhelyi.speed_mps=0'].flatMap((s) => ['--set', `vehicles.*.fc.reference.${s}`])],
        })))));

// What a requirement's robustness says of the quantity that it bounds.
const requirement = (flight, name) => flight.summary.requirements.find((r) => r.name === name);
const COLUMNS = [
        ['centre off by, m', (f) => 0.5 - requirement(f, 'the centre comes to the target').robustness, Math.max],
        ['least separation, m', (f) => 0.6 + requirement(f, 'keep apart').robustness, Math.min],
        ['lattice uneven by, m', (f) => 0.3 - requirement(f, 'an even lattice').robustness, Math.max],
        ['even for good after, s', (f) => requirement(f, 'time to formation').value ?? Infinity, Math.max],
];
const words = (value) => (Number.isFinite(value) ? value.toFixed(2) : 'never');

function row(law, event) {
        const of = flights.filter((f) => f.law === law && f.event === event);
        const passed = of.filter((f) => f.summary.verdict === 'passed').length;
        const cells = COLUMNS.map(([, value, worst]) => {
                const sorted = of.map(value).sort((a, b) => a - b);
                const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
                return `${words(median)} (${words(worst(...sorted))})`;
        });
        return `| ${law} | ${event} | ${passed} of ${of.length} | ${cells.join(' | ')} |`;
}

replaceTable('laws', [
        `| law | event | passed | ${COLUMNS.map(([name]) => name).join(' | ')} |`, `|${'---|'.repeat(3 + COLUMNS.length)}`,
        ...LAWS.flatMap((law) => Object.keys(EVENTS).map((event) => row(law, event))),
]);
