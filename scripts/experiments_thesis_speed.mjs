// Table and picture of a step of speed (Gruber, figure 5.6) for docs/thesis_experiments.md, out of a flown
// rig_configs/suites/thesis_speed.json.
//
//     node scripts/experiments_thesis_speed.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import { colours, draw, figure, mean, range, readFlight, replaceBlock, suiteRuns, table } from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_thesis_speed.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const goS = 20, endS = 40, asked = 5;
const rigs = { default: '`md4_200`', md4_200_blades: '`md4_200_blades`', md4_200_thesis: '`md4_200_thesis`' };
const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);
for (const run of runs) {
        const path = await readFlight(run.folder, { fromS: goS - 0.1, toS: endS, everyS: 0.05 });
        run.speed = path.slice(1).map((r, i) => [r.t - goS, (r.north - path[i].north) / (r.t - path[i].t), -r.pitch]);
        const last = run.speed.filter(([t]) => t > endS - goS - 2);
        run.end = mean(last.map((r) => r[1]));
        run.tilt = mean(last.map((r) => r[2]));
        run.most = Math.max(...run.speed.map((r) => r[1]));
        run.after = (share) => run.speed.find((r) => r[1] >= share * run.end)?.[0];
}

// The AirRobot's law: f = 5.05 v on 1 kg against KLinearDamping, 2.776 1/s; a metre is 5 of Karma's units, so that
// 49.02 is the weight of 1 kg.
const dampingPerS = 2.776, perUnit = 49.02 / 9.81;
const law = (gain) => {
        const end = gain * asked / dampingPerS;
        return {
                end, after: (share) => -Math.log(1 - share) / dampingPerS,
                at: (t) => end * (1 - Math.exp(-dampingPerS * t)),
        };
};
const laws = { 'DRIVE law, N and m': law(5.05), 'DRIVE law, Karma\'s units': law(5.05 / perUnit) };

replaceBlock(join(docs, 'thesis_experiments.md'), 'thesis_speed', [
        `${runs.length} flights, mean of the seeds and their range (hilrig ${runs[0].summary.version}).`,
        table(['', 'speed after 18 to 20 s, m/s', 'largest, m/s', '63 % of it after, s', '95 % after, s', 'tilt then, degrees'], [
                ...Object.entries(rigs).map(([rig, name]) => {
                        const of = runs.filter((r) => r.rig === rig);
                        return [name, ...[(r) => r.end, (r) => r.most, (r) => r.after(0.632), (r) => r.after(0.95), (r) => r.tilt]
                                .map((what) => range(of.map(what)))];
                }),
                ...Object.entries(laws).map(([name, l]) =>
                        [name, figure(l.end), figure(l.end), figure(l.after(0.632)), figure(l.after(0.95)), '-']),
        ]),
].join('\n\n'));

const times = Array.from({ length: 201 }, (_, i) => i / 10);
draw(join(docs, 'pictures', 'thesis_speed.png'), 'A speed of 5 m/s is asked for, seed 1', 'time since the request (s)', [
        {
                title: 'speed, position differentiated', y: 'm/s', key: 'right top', xRange: [0, 20], yRange: [0, 14],
                series: [
                        ...Object.entries(rigs).map(([rig, name], i) => ({
                                title: name.replaceAll('`', ''), colour: colours[[0, 4, 2][i]],
                                rows: runs.find((r) => r.rig === rig).speed.map((r) => [r[0], r[1]]),
                        })),
                        ...Object.entries(laws).map(([name, l], i) => ({
                                title: name, colour: colours[[6, 5][i]], dashed: true, rows: times.map((t) => [t, l.at(t)]),
                        })),
                ],
        },
], 1, [700, 420]);
