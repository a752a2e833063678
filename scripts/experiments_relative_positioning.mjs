// Tables and pictures of the position by the IMU alone for docs/experiments.md, out of a flown
// rig_configs/suites/relative_positioning.json.
//
//     node scripts/experiments_relative_positioning.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import {
        colours, draw, figure, jerkRms, mean, readBelief, readFlight, replaceBlock, smoothness, suiteRuns, table, thin,
} from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_relative_positioning.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const goS = 4, endS = 16, standsM = 0.06, errorM = 0.38;
const units = { north: 'm', east: 'm', up: 'm', roll: 'degrees', pitch: 'degrees', yaw: 'degrees' };
const variables = Object.keys(units);
// Table 5: standard errors of the real and of the relative path, and the largest difference; the angles' unit is not printed.
const printed = {
        north: [2.910365, 1.648658, 0.4068883], east: [2.398179, 1.363661, 0.3996819], up: [11.23941, 11.35762, 1.474556],
        roll: [10.21809, 10.26872, 0.001490871], pitch: [10.25515, 10.29908, 0.001490871], yaw: [10.74641, 10.69983, 4.5587e-05],
};
const rigs = { relative_positioning: 'without noise', relative_positioning_noise: 'with noise' };
const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);

for (const run of runs) {
        run.path = await readFlight(run.folder, { fromS: goS, toS: endS, everyS: 0.004 });
        run.belief = await readBelief(run.folder, { fromS: goS, toS: endS });
        for (const row of run.path) row.up -= standsM;
        let i = 0;
        run.off = run.belief.map((b) => {
                while (i + 1 < run.path.length && run.path[i + 1].t <= b.t) i++;
                const d = Object.fromEntries(variables.map((v) => [v, b[v] - run.path[i][v]]));
                return { t: b.t, ...d, all: Math.hypot(d.north, d.east, d.up) };
        });
        run.thin = thin(run.path, goS);
}
const real = smoothness(runs.map((r) => r.thin), variables);
const relative = smoothness(runs.map((r) => thin(r.belief, goS)), variables);
runs.forEach((run, i) => { run.real = real[i]; run.relative = relative[i]; });

const of = (rig) => runs.filter((r) => r.rig === rig);
const robustness = (run) => run.summary.requirements.find((r) => r.name === 'knows where it is').robustness;
const most = (run, v) => Math.max(...run.off.map((r) => Math.abs(r[v])));
const both = (what) => Object.keys(rigs).flatMap((rig) => {
        const values = of(rig).map(what);
        return [figure(mean(values)), figure(Math.max(...values))];
});
const passed = runs.filter((r) => r.summary.verdict === 'passed').length;

function smoothTable(rig, side) {
        const rows = variables.map((v) => [v, ...[0, 1].map((i) => printed[v][i]),
                ...['real', 'relative'].map((path) => mean(of(rig).map((run) => run[path][side][v])))]);
        rows.push(['mean', ...[1, 2, 3, 4].map((i) => mean(rows.map((r) => r[i])))]);
        const cells = rows.map(([v, a, b, c, d]) => (side === 'of_time' ? [v, a, c, b, d] : [v, c, d]))
                .map(([v, ...values]) => [v, ...values.map(figure)]);
        return side === 'of_time' ? table(['', 'real, printed', 'ours', 'relative, printed', 'ours'], cells)
                : table(['', 'real', 'relative'], cells.slice(0, -1));
}

replaceBlock(join(docs, 'experiments.md'), 'relative_positioning', [
        `${passed} of ${runs.length} runs passed (hilrig ${runs[0].summary.version}).`,
        table(['', 'printed', ...Object.values(rigs).flatMap((n) => [`${n}, mean`, 'worst seed'])], [
                ...variables.map((v) => [`largest difference ${v}, ${units[v]}`,
                        units[v] === 'm' ? figure(printed[v][2]) : `${printed[v][2].toPrecision(3)}, unit not printed`,
                        ...both((r) => most(r, v))]),
                ['of all three, m', '-', ...both((r) => most(r, 'all'))],
                ['of all three at the end, m', '-', ...both((r) => r.off.at(-1).all)],
                ['of all three between the words, too, m', '-', ...both((r) => errorM - robustness(r))],
                ['jerk of the real path, RMS, m/s³', '-', ...both((r) => jerkRms(r.thin))],
        ]),
        'LOESS, standard error of time over the variable (s), without noise, beside table 5:',
        smoothTable('relative_positioning', 'of_time'),
        'LOESS, standard error of the variable over time (m, degrees), without noise:',
        smoothTable('relative_positioning', 'of_value'),
].join('\n\n'));

const time = 'time since the request (s)';
draw(join(docs, 'pictures', 'experiments_relative_positioning.png'), 'Position by the IMU alone: how far it is off, every seed',
        time, Object.entries(rigs).map(([rig, name]) => ({
                title: name, y: 'm', yRange: [0, '*'],
                series: of(rig).map((run, i) => ({
                        title: '', colour: colours[i % colours.length], rows: run.off.map((r) => [r.t - goS, r.all]),
                })),
        })), 2);

// Figures 13 and 14: real and relative, and below them what is between the two.
const line = (title, colour, rows, v, dashed) => ({ title, colour, dashed, rows: rows.map((r) => [r.t - goS, r[v]]) });
const quiet = of('relative_positioning')[0], noisy = of('relative_positioning_noise')[0];
const panels = [variables.slice(0, 3), variables.slice(3)].flatMap((three) => [
        ...three.map((v) => ({
                title: v, y: units[v], key: v === 'up' ? 'right bottom' : 'off',
                series: [line('real', colours[1], quiet.thin, v), line('relative', colours[6], quiet.belief, v, true)],
        })),
        ...three.map((v) => ({
                title: `${v}, relative less real`, y: units[v], key: v === 'up' ? 'left bottom' : 'off',
                series: [line('with noise', colours[2], noisy.off, v), line('without', colours[0], quiet.off, v)],
        })),
]);
draw(join(docs, 'pictures', 'experiments_relative_positioning_axes.png'), 'Real and relative without noise, and the difference, seed 1',
        time, panels);
