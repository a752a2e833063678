// Table and picture of a GPS at rest (Gruber, figures 2.3 and 2.4) for docs/thesis_experiments.md, out of a flown
// rig_configs/suites/thesis_rest.json.
//
//     node scripts/experiments_thesis_rest.mjs SUITE_FOLDER docs
import { join } from 'node:path';
import { colours, draw, figure, mean, range, records, replaceBlock, suiteRuns, table } from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_thesis_rest.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const rigs = { md4_200_thesis: '`gruber`', default: '`satellites`, NEO-M8N' };
const everyS = 0.25;

// WGS-84; the thesis's receiver speaks centimetres.
function ecef(latitudeDeg, longitudeDeg, h) {
        const a = 6378137, e2 = 6.69437999014e-3, lat = latitudeDeg * Math.PI / 180, lon = longitudeDeg * Math.PI / 180;
        const n = a / Math.sqrt(1 - e2 * Math.sin(lat) ** 2);
        const out = (n + h) * Math.cos(lat);
        return [out * Math.cos(lon), out * Math.sin(lon), (n * (1 - e2) + h) * Math.sin(lat)]
                .map((m) => Math.round(100 * m) / 100);
}

const deviation = (x) => Math.sqrt(mean(x.map((v) => v * v)) - mean(x) ** 2);

function autocorrelation(x, lags) {
        const power = mean(x.map((v) => v * v));
        return lags.map((lag) => mean(x.slice(lag).map((v, i) => v * x[i])) / power * (x.length - lag) / x.length);
}

const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);
for (const run of runs) {
        run.fixes = [];
        for await (const { name, t, value: v } of records(run.folder, 0))
                if (name === 'vehicle_gps_position' && v.fix_type === 3)
                        run.fixes.push({
                                t, at: ecef(v.latitude_deg, v.longitude_deg, v.altitude_ellipsoid_m),
                                accuracy: Math.hypot(v.eph, v.epv), used: v.satellites_used,
                        });
        const norms = run.fixes.map((f) => Math.hypot(...f.at)), middle = mean(norms);
        run.off = norms.map((m) => m - middle);
        run.axes = [0, 1, 2].map((i) => deviation(run.fixes.map((f) => f.at[i])));
}

const of = (rig) => runs.filter((r) => r.rig === rig);
const row = (name, printed, what) => [name, printed, ...Object.keys(rigs).map((rig) => range(of(rig).map(what)))];
const after = (s) => (run) => autocorrelation(run.off, [Math.round(s / everyS)])[0];
replaceBlock(join(docs, 'thesis_experiments.md'), 'thesis_rest', [
        `${runs.length} rests of ten minutes, mean of the seeds and their range (hilrig ${runs[0].summary.version}).`,
        table(['', 'printed', ...Object.values(rigs)], [
                row('satellites used', '8 to 9', (r) => mean(r.fixes.map((f) => f.used))),
                row('standard deviation of the norm, m', '1.43', (r) => deviation(r.off)),
                row('of the largest ECEF axis, m', '-', (r) => Math.max(...r.axes)),
                row('reported accuracy, mean, m', 'figure 2.3', (r) => mean(r.fixes.map((f) => f.accuracy))),
                row('autocorrelation after 0.25 s', 'figure 2.4: a wide peak', after(everyS)),
                row('after 10 s', '-', after(10)),
                row('after 60 s', '-', after(60)),
        ]),
].join('\n\n'));

const shown = Object.keys(rigs).map((rig) => of(rig)[0]), half = 4 * 300;
const lags = Array.from({ length: half / 4 + 1 }, (_, i) => 4 * i);
draw(join(docs, 'pictures', 'thesis_rest.png'), 'GPS at rest, seed 1', 'time (s)', [
        ...shown.map((run) => ({
                title: `as figure 2.3: ${rigs[run.rig].replaceAll('`', '')}`, y: 'm', key: 'right top',
                series: [
                        { title: 'norm less its mean', colour: colours[2], rows: run.fixes.map((f, i) => [f.t, run.off[i]]) },
                        { title: 'reported accuracy', colour: colours[6], rows: run.fixes.map((f) => [f.t, f.accuracy]) },
                ],
        })),
        {
                title: 'as figure 2.4: autocorrelation', y: '', x: 'shift (s)', key: 'right top',
                series: shown.map((run, i) => ({
                        title: rigs[run.rig].replaceAll('`', ''), colour: colours[2 * i],
                        rows: autocorrelation(run.off, lags).map((c, k) => [lags[k] * everyS, c]),
                })),
        },
]);
