// Table and picture of the hallways for docs/experiments.md, out of a flown rig_configs/suites/hallways.json.
//
//     node scripts/experiments_hallways.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import {
        colours, draw, figure, jerkRms, mean, readFlight, replaceBlock, smoothness, suiteRuns, table,
} from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_hallways.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const goS = 14;
const variables = ['north', 'east', 'up', 'roll', 'pitch', 'yaw'];
const methods = ['method_1', 'method_2'];
const printed = {
        method_1: { s: 123.43, east: '-0.72 to 0', loess: [6.224846, 37.9196, 40.98503, 36.44013, 39.47894, 39.52665, 33.4292] },
        method_2: { s: 150.12, east: '-0.18 to 0.21', loess: [1.156503, 25.09231, 40.22925, 34.7439, 38.23012, 18.57348, 28.00426] },
};
const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);

for (const run of runs) {
        const path = await readFlight(run.folder, {});
        // Within half a metre for good.
        run.thereS = path.findLast((r) => Math.hypot(r.north - 12, r.east) > 0.5).t;
        run.path = path.filter((r) => r.t >= 4 && r.t <= run.thereS);
        const inside = run.path.filter((r) => r.north > 2 && r.north < 10).map((r) => r.east);
        run.east = [Math.min(...inside), Math.max(...inside)];
        run.hallways = [[2, 4], [4, 6], [6, 10]].map(([from, to]) =>
                run.path.find((r) => r.north > to).t - run.path.find((r) => r.north > from).t);
}
smoothness(runs.map((r) => r.path), variables).forEach((s, i) => { runs[i].smooth = s; });

const of = (method) => runs.filter((r) => r.variant === method);
const over = (method, what) => figure(mean(of(method).map(what)));
const both = (what) => methods.map((m) => over(m, what));
const eastmost = (m) => `${figure(Math.min(...of(m).map((r) => r.east[0])))} to ${figure(Math.max(...of(m).map((r) => r.east[1])))}`;
const passed = runs.filter((r) => r.summary.verdict === 'passed').length;
const interleave = (name, prints, ours) => [name, prints[0], ours[0], prints[1], ours[1]];
const head = ['', 'method 1, printed', 'ours', 'method 2, printed', 'ours'];
const flownS = (r) => r.path.at(-1).t - r.path[0].t;
const share = (error, s) => error / (s / Math.sqrt(12));
const prints = (i) => methods.map((m) => figure(printed[m].loess[i]));
replaceBlock(join(docs, 'experiments.md'), 'hallways', [
        `${passed} of ${runs.length} runs passed (hilrig ${runs[0].summary.version}).`,
        table(head, [
                interleave('at the goal, s from the start of the run', methods.map((m) => figure(printed[m].s)), both((r) => r.thereS)),
                interleave('of which since it was asked, s', ['-', '-'], both((r) => r.thereS - goS)),
                interleave('in the first hallway, s', ['17.9', '22.7'], both((r) => r.hallways[0])),
                interleave('in the second, s', ['15.7', '22.6'], both((r) => r.hallways[1])),
                interleave('in the third, s', ['43.4', '56.2'], both((r) => r.hallways[2])),
                interleave('aside, in the hallways, all seeds, m', methods.map((m) => printed[m].east), methods.map(eastmost)),
                interleave('jerk, RMS, m/s³', ['-', '-'], both((r) => jerkRms(r.path))),
        ]),
        'LOESS, standard error of time over the variable (s), beside what is printed (table 4):',
        table(head, [
                ...variables.map((v, i) => interleave(v, prints(i), both((r) => r.smooth.of_time[v]))),
                interleave('mean', prints(6), both((r) => mean(variables.map((v) => r.smooth.of_time[v])))),
        ]),
        'The same over T/√12, the most that it can be in a flight of T seconds:',
        table(head, [
                ...variables.map((v, i) => interleave(v, methods.map((m) => figure(share(printed[m].loess[i], printed[m].s))),
                        both((r) => share(r.smooth.of_time[v], flownS(r))))),
                interleave('mean', methods.map((m) => figure(share(printed[m].loess[6], printed[m].s))),
                        both((r) => mean(variables.map((v) => share(r.smooth.of_time[v], flownS(r)))))),
        ]),
        'LOESS, standard error of the variable over time (m, degrees):',
        table(['', 'method 1', 'method 2'], variables.map((v) => [v, ...both((r) => r.smooth.of_value[v])])),
].join('\n\n'));

const walls = [[[2, 3.5], [4, 3.5], [4, 3], [6, 3], [6, 2.5], [10, 2.5]]];
walls.push(walls[0].map(([n, e]) => [n, -e]));
const black = walls.map((rows) => ({ title: '', colour: '#000000', rows }));
const paths = (m, colour) => of(m).map((run, i) => ({
        title: i === 0 && colour ? m.replace('_', ' ') : '', colour: colour ?? colours[i % colours.length],
        rows: run.path.map((r) => [r.north, r.east]),
}));
const widest = Math.ceil(20 * Math.max(...runs.flatMap((r) => r.path.map((row) => Math.abs(row.east))))) / 20;
draw(join(docs, 'pictures', 'experiments_hallways.png'), 'Three hallways, every seed', 'north (m)', [
        {
                title: 'between the walls', y: 'east (m)', key: 'right top', yRange: [-4, 4],
                series: [...black, ...paths('method_1', colours[2]), ...paths('method_2', colours[0])],
        },
        ...methods.map((m) => ({
                title: `${m.replace('_', ' ')}, zoomed in, every seed a colour`,
                y: 'east (m)', yRange: [-widest, widest], series: paths(m),
        })),
], 3);

// Figures 11 and 12.
const units = { north: 'm', east: 'm', up: 'm', roll: 'degrees', pitch: 'degrees', yaw: 'degrees' };
draw(join(docs, 'pictures', 'experiments_hallways_time.png'), 'Through the hallways by either method, seed 1',
        'time since the start of the run (s)', variables.map((v) => ({
                title: v, y: units[v], key: v === 'north' ? 'right bottom' : 'off',
                series: methods.map((m, i) => ({
                        title: m.replace('_', ' '), colour: [colours[2], colours[0]][i],
                        rows: of(m)[0].path.map((r) => [r.t, r[v]]),
                })),
        })));
