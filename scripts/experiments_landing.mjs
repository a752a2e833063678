// Table and picture of the landings in states for docs/experiments.md, out of a flown rig_configs/suites/landing.json.
//
//     node scripts/experiments_landing.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import {
        colours, draw, figure, jerkRms, mean, metric, readFlight, replaceBlock, smoothness, suiteRuns, table, when,
} from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_landing.mjs SUITE_FOLDER docs');
        process.exit(2);
}

// Table 3: landing time, standard error, smooth time.
const printed = { 10: [7.8, 0.8512206, 5.1], 20: [13.38, 0.6584615, 9.03], 30: [14.82, 0.3058578, 12.63] };
const standsM = 0.12;
const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);

for (const run of runs) {
        run.height = parseInt(run.variant, 10);
        run.landS = 16 + run.height / 2;
        run.downS = when(run.summary, 'touches down in time');
        run.path = await readFlight(run.folder, { fromS: run.landS, toS: run.downS });
        for (const row of run.path) row.up -= standsM;
        run.smoothS = run.path.find((r) => r.up < 1).t - run.landS;
}
smoothness(runs.map((r) => r.path), ['up']).forEach((s, i) => { runs[i].smooth = s; });

const passed = runs.filter((r) => r.summary.verdict === 'passed').length;
const rows = [10, 20, 30].map((height) => {
        const of = runs.filter((r) => r.height === height);
        const time = of.map((r) => r.downS - r.landS), impact = of.map((r) => metric(r.summary, 'impact_max_mps'));
        return [
                `${height} m`, figure(printed[height][2]), figure(mean(of.map((r) => r.smoothS))), figure(printed[height][0]), figure(mean(time)),
                `${figure(Math.min(...time))} to ${figure(Math.max(...time))}`,
                figure(mean(impact)), figure(Math.max(...impact)), figure(printed[height][1]),
                figure(mean(of.map((r) => r.smooth.of_value.up))), figure(mean(of.map((r) => r.smooth.of_time.up))),
                figure(mean(of.map((r) => jerkRms(r.path)))),
        ];
});
replaceBlock(join(docs, 'experiments.md'), 'landing', [
        `${passed} of ${runs.length} runs passed (hilrig ${runs[0].summary.version}).`,
        table(['from', '"smooth time", printed, s', 'at 1 m, mean, s', 'landing time, printed, s', 'ours, mean, s', 'of the seeds, s', 'touch-down, mean, m/s', 'hardest, m/s',
                'standard error, printed', 'LOESS, up over time, m', 'LOESS, time over up, s', 'jerk, RMS, m/s³'], rows),
].join('\n\n'));

// The first of a height has its name in the key.
const colour = { 10: colours[0], 20: colours[2], 30: colours[4] };
const series = (rows) => runs.map((run) => ({
        title: run === runs.find((r) => r.height === run.height) ? `from ${run.height} m` : '',
        colour: colour[run.height], rows: rows(run),
}));
const marks = (title, mark, figureAt, m) => Object.entries(printed).map(([height, figures], i) => ({
        title: i === 0 ? title : '', colour: colour[height], mark, rows: [[figures[figureAt], m]],
}));
draw(join(docs, 'pictures', 'experiments_landing.png'), 'Landing in states, every seed', 'time since the request (s)', [
        {
                title: 'height above the ground', y: 'm', key: 'right top',
                series: [
                        ...series((run) => run.path.map((r) => [r.t - run.landS, r.up])),
                        ...marks('printed smooth time, if at 1 m', 6, 2, 1),
                        ...marks('printed landing time', 7, 0, 0),
                ],
        },
        {
                title: 'its last metre', y: 'm', key: 'right top', x: 'time before touch-down (s)',
                series: series((run) => run.path.filter((r) => r.up < 1).map((r) => [r.t - run.downS, r.up])),
        },
], 2, [560, 400]);
