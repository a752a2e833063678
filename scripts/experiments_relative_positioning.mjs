// Table and picture of the position by the IMU alone for docs/experiments.md, out of a flown
// rig_configs/suites/relative_positioning.json.
//
//     node scripts/experiments_relative_positioning.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import {
        colours, draw, figure, mean, readBelief, readFlight, replaceBlock, smoothness, suiteRuns, table,
} from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_relative_positioning.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const goS = 4, endS = 16, standsM = 0.06;
const axes = ['north', 'east', 'up'];
const rigs = { relative_positioning: 'without noise', relative_positioning_noise: 'with noise' };
const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);

for (const run of runs) {
        run.path = await readFlight(run.folder, { fromS: goS, toS: endS, everyS: 0.004 });
        run.belief = await readBelief(run.folder, { fromS: goS, toS: endS });
        for (const row of run.path) row.up -= standsM;
        let i = 0;
        run.off = run.belief.map((b) => {
                while (i + 1 < run.path.length && run.path[i + 1].t <= b.t) i++;
                const d = Object.fromEntries(axes.map((a) => [a, Math.abs(b[a] - run.path[i][a])]));
                return { t: b.t, ...d, all: Math.hypot(d.north, d.east, d.up) };
        });
}
const real = smoothness(runs.map((r) => r.path.filter((_, i) => i % 8 === 0)), axes);
const relative = smoothness(runs.map((r) => r.belief), axes);
runs.forEach((run, i) => { run.real = real[i]; run.relative = relative[i]; });

const of = (rig) => runs.filter((r) => r.rig === rig);
const most = (run, a) => Math.max(...run.off.map((r) => r[a]));
const passed = runs.filter((r) => r.summary.verdict === 'passed').length;
const text = [`${passed} of ${runs.length} runs passed (hilrig ${runs[0].summary.version}).`,
        table(['largest difference, m', 'printed', ...Object.values(rigs).flatMap((n) => [`${n}, mean`, 'worst seed'])],
                [['north', 0.4068883, 'north'], ['east', 0.3996819, 'east'], ['up', 1.474556, 'up'], ['all three', undefined, 'all']]
                        .map(([name, paper, a]) => [name, figure(paper), ...Object.keys(rigs).flatMap((rig) =>
                                [figure(mean(of(rig).map((r) => most(r, a)))), figure(Math.max(...of(rig).map((r) => most(r, a))))])])
                        .concat([['at the end', '-', ...Object.keys(rigs).flatMap((rig) =>
                                [figure(mean(of(rig).map((r) => r.off.at(-1).all))), figure(Math.max(...of(rig).map((r) => r.off.at(-1).all)))])]])),
        'LOESS, standard error of time over the variable (s), without noise:',
        table(['', 'real, printed', 'ours', 'relative, printed', 'ours'],
                [['north', 2.910365, 1.648658], ['east', 2.398179, 1.363661], ['up', 11.23941, 11.35762]].map(([a, r, p]) =>
                        [a, figure(r), figure(mean(of('relative_positioning').map((run) => run.real.of_time[a]))),
                                figure(p), figure(mean(of('relative_positioning').map((run) => run.relative.of_time[a])))])),
];
replaceBlock(join(docs, 'experiments.md'), 'relative_positioning', text.join('\n\n'));

draw(join(docs, 'pictures', 'experiments_relative_positioning.png'), 'Position by the IMU alone: how far it is off, every seed',
        'time since the request (s)', Object.entries(rigs).map(([rig, name]) => ({
                title: name, y: 'm', key: 'off',
                series: of(rig).map((run, i) => ({
                        title: '', colour: colours[i % colours.length], rows: run.off.map((r) => [r.t - goS, r.all]),
                })),
        })), 2);
