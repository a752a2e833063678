// Tables and pictures of the attitude laws for docs/experiments.md, out of a flown rig_configs/suites/attitude.json.
//
//     node scripts/experiments_attitude.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import {
        colours, draw, figure, jerkRms, mean, readEffort, readFlight, replaceBlock, requirement, smoothness, suiteRuns, table,
} from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_attitude.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const laws = ['cascade', 'filtered', 'kemper_pid', 'kemper_pd', 'hoffmann', 'dikmen', 'finken'];
const rigs = { attitude_quiet: 'without noise', attitude_indoor: 'with noise' };
const variables = ['north', 'east', 'up', 'roll', 'pitch', 'yaw'];
const printed = {
        attitude_quiet: [
                ['x', 4.384743, 1.601325, 4.177628], ['y', 3.631218, 1.438495, 3.571708], ['z', 10.68106, 4.881332, 7.573814],
                ['ϕ', 5.21786, 6.888175, 5.700442], ['θ', 4.917646, 9.668774, 5.259321], ['ψ', 4.130222, 3.679341, 11.65922],
        ],
        attitude_indoor: [
                ['x', 3.099703, 5.685, 4.622426], ['y', 2.152327, 4.784024, 3.785161], ['z', 10.2911, 7.357921, 7.995629],
                ['ϕ', 4.871248, 14.01324, 11.12085], ['θ', 4.855147, 12.34499, 10.50764], ['ψ', 10.41253, 15.09638, 11.88806],
        ],
};
const stepS = 12, endS = 27;

const runs = suiteRuns(folder).filter((r) => rigs[r.rig]).sort((a, b) => a.seed - b.seed);
for (const run of runs) {
        run.path = await readFlight(run.folder, { fromS: stepS, toS: endS });
        run.effort = await readEffort(run.folder, { fromS: stepS, toS: endS, rotors: 4 });
}
smoothness(runs.map((r) => r.path), variables).forEach((s, i) => { runs[i].smooth = s; });

const of = (rig, law) => runs.filter((r) => r.rig === rig && r.variant === law);
const over = (rig, law, what) => figure(mean(of(rig, law).map(what)));
const worst = (run, name) => Math.max(...['north', 'east'].map((axis) => requirement(run.summary, `${name}${axis}`)));

function smoothTable(rig, side) {
        return table(['', ...laws.map((l) => `\`${l}\``)], [
                ...variables.map((v) => [v, ...laws.map((law) => over(rig, law, (r) => r.smooth[side][v]))]),
                ['mean', ...laws.map((law) => over(rig, law, (r) => mean(variables.map((v) => r.smooth[side][v]))))],
        ]);
}

function printedTable(rig) {
        const rows = printed[rig];
        return table(['printed', 'Kemper', 'Hoffman', 'Dikmen'], [
                ...rows.map(([name, ...values]) => [name, ...values.map(figure)]),
                ['mean', ...[1, 2, 3].map((i) => figure(mean(rows.map((r) => r[i]))))],
        ]);
}

function flightTable(rig) {
        const rows = [
                ['settled to 0.1 m, north or east, s', (r) => worst(r, 'arrives ')],
                ['overshoot, north or east, %', (r) => worst(r, 'not far beyond, ')],
                ['largest tilt, degrees', (r) => r.effort.tiltMaxDeg],
                ['jerk, RMS, m/s³', (r) => jerkRms(r.path)],
                ['body rate, RMS, degrees/s', (r) => r.effort.rateRmsDps],
                ['motor activity, RMS, 1/s', (r) => r.effort.motorsPerS],
                ['energy, J', (r) => r.effort.energyJ],
        ];
        return table(['mean of the seeds', ...laws.map((l) => `\`${l}\``)],
                rows.map(([name, what]) => [name, ...laws.map((law) => over(rig, law, what))]));
}

const passed = runs.filter((r) => r.summary.verdict === 'passed').length;
const text = [`${passed} of ${runs.length} runs passed (hilrig ${runs[0].summary.version}).`];
for (const [rig, name] of Object.entries(rigs)) {
        text.push(`### The step ${name}`, flightTable(rig),
                `LOESS, standard error of the variable over time (m, degrees), ${name}:`, smoothTable(rig, 'of_value'),
                `LOESS, standard error of time over the variable (s), ${name}:`, smoothTable(rig, 'of_time'),
                `As printed (table ${rig === 'attitude_quiet' ? 1 : 2}):`, printedTable(rig));
}
replaceBlock(join(docs, 'experiments.md'), 'attitude', text.join('\n\n'));

const units = { north: 'm', east: 'm', up: 'm', roll: 'degrees', pitch: 'degrees', yaw: 'degrees' };
for (const [rig, name] of Object.entries(rigs))
        draw(join(docs, 'pictures', `experiments_${rig}.png`), `From (0, 0, 0) to (1, 1, 1), ${name}, seed 1`,
                'time since the step (s)', variables.map((v) => ({
                        title: v, y: units[v], key: v === 'up' ? 'right bottom' : 'off',
                        series: laws.map((law, i) => ({
                                title: law, colour: colours[i],
                                rows: of(rig, law)[0].path.filter((r) => r.t < stepS + 6)
                                        .map((r) => [r.t - stepS, v === 'up' ? r.up - 2.06 : r[v]]),
                        })),
                })));
