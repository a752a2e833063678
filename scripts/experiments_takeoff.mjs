// Table and picture of the take-off in states for docs/experiments.md, out of a flown rig_configs/suites/takeoff.json.
//
//     node scripts/experiments_takeoff.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import {
        colours, draw, figure, jerkRms, mean, readBelief, readFlight, replaceBlock, smoothness, suiteRuns, table, thin,
} from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_takeoff.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const goS = 4, endS = 20, standsM = 0.12;
// Figure 8: when, and at which height in the paper's coordinates.
const printed = [[0.24, 1.46], [0.84, 3.11], [1.92, 5.63]];
const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);

for (const run of runs) {
        run.path = await readFlight(run.folder, { fromS: goS, toS: endS, everyS: 0.004 });
        for (const row of run.path) row.up -= standsM;
        const passes = (m, rows = run.path) => rows.find((r) => r.up > m)?.t - goS;
        const belief = await readBelief(run.folder, { fromS: goS, toS: endS });
        run.figures = {
                leaves: passes(0.01), second: passes(1.65), third: passes(4.75, belief),
                at: run.path.find((r) => r.t >= goS + 1.92).up,
                highest: Math.max(...run.path.map((r) => r.up)),
                hover: mean(run.path.filter((r) => r.t > 12).map((r) => r.up)),
        };
        run.climb = thin(run.path, goS);
}
smoothness(runs.map((r) => r.climb), ['up']).forEach((s, i) => { runs[i].smooth = s; });

const over = (what) => {
        const values = runs.map(what);
        return [figure(mean(values)), `${figure(Math.min(...values))} to ${figure(Math.max(...values))}`];
};
const passed = runs.filter((r) => r.summary.verdict === 'passed').length;
replaceBlock(join(docs, 'experiments.md'), 'takeoff', [
        `${passed} of ${runs.length} runs passed (hilrig ${runs[0].summary.version}).`,
        table(['heights above the ground', 'printed (figure 8)', 'ours, mean', 'of the seeds'], [
                ['leaves the ground, s after the request', '0.24', ...over((r) => r.figures.leaves)],
                ['second state, at 1.65 m, s', '0.84', ...over((r) => r.figures.second)],
                ['third state: it reports 4.75 m, s', '1.92', ...over((r) => r.figures.third)],
                ['height 1.92 s after the request, m', '4.17 (5.63 less 1.46)', ...over((r) => r.figures.at)],
                ['highest, m', '-', ...over((r) => r.figures.highest)],
                ['hovers at, m', '4.17 (5.63 less 1.46)', ...over((r) => r.figures.hover)],
                ['LOESS, up over time, m', '-', ...over((r) => r.smooth.of_value.up)],
                ['LOESS, time over up, s', '-', ...over((r) => r.smooth.of_time.up)],
                ['jerk, RMS, m/s³', '-', ...over((r) => jerkRms(r.climb))],
        ]),
].join('\n\n'));

draw(join(docs, 'pictures', 'experiments_takeoff.png'), 'Take-off in states, every seed', 'time since the request (s)', [
        {
                title: 'height above the ground', y: 'm', key: 'right bottom', yRange: [0, 6.5],
                series: [
                        ...runs.map((run, i) => ({
                                title: i === 0 ? 'ours, every seed a colour' : '', colour: colours[i % colours.length],
                                rows: run.climb.filter((r) => r.t < goS + 10).map((r) => [r.t - goS, r.up]),
                        })),
                        { title: 'printed', colour: '#000000', mark: 6, rows: printed },
                        { title: 'printed, less 1.46 m', colour: '#000000', mark: 7, rows: printed.map(([t, m]) => [t, m - 1.46]) },
                ],
        },
], 1, [700, 450]);
