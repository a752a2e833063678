// The FINken report's messages and tracking (fig 4.2 to 4.6) with a flight of rig_configs/rigs/medusa.json in the place of
// the real aircraft: how far apart its words arrive over an Ivy bus, for one and for two aircraft, in real time; and how
// well the simulated vehicle that is flown by its attitude and height follows it. Tables and a picture for
// docs/experiments.md.
//
//     node scripts/mixed_reality.mjs RUN docs
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { colours, draw, figure, intervals, mean, readFlight, readWords, replaceBlock, table } from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/mixed_reality.mjs RUN docs');
        process.exit(2);
}
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig');
const scratch = mkdtempSync(join(tmpdir(), 'mixed-reality-'));
const messageS = 0.022, bus = '127.255.255.255:2042', aircraft = ['147', '148'];

function fly(name, rig, sets) {
        const out = join(scratch, name);
        const flown = spawnSync(hilrig, ['run', `rig_configs/rigs/${rig}.json`, '--out', out, ...sets.flatMap((s) => ['--set', s])],
                { encoding: 'utf8' });
        // 3: the host was late for some periods, which the table says.
        if (flown.status > 1 && flown.status !== 3) throw new Error(flown.stderr || `${hilrig}: ${flown.error}`);
        return out;
}

// The same flight as a table with a row for each of Paparazzi's messages, between two samples of the log.
async function writeTable() {
        const rows = await readFlight(folder, { everyS: 0.004 }), path = join(scratch, 'flight.csv');
        const keys = ['north', 'east', 'up', 'roll', 'pitch', 'yaw'], lines = ['t_s,north_m,east_m,up_m,roll_deg,pitch_deg,yaw_deg'];
        let at = 0;
        for (let k = 0; k * messageS < rows[rows.length - 1].t; k++) {
                const t = k * messageS;
                while (at + 2 < rows.length && rows[at + 1].t < t) at++;
                const share = Math.max(0, (t - rows[at].t) / (rows[at + 1].t - rows[at].t));
                lines.push([t, ...keys.map((key) => rows[at][key] + share * (rows[at + 1][key] - rows[at][key]))].map((v) => v.toFixed(6)).join(','));
        }
        writeFileSync(path, lines.join('\n'));
        return path;
}

async function listen(name, rig, count, flight) {
        const players = aircraft.slice(0, count).map((id) =>
                spawn(hilrig, ['twin', 'play', flight, '--as', 'ivy', '--at', bus, '--aircraft', id], { stdio: 'ignore' }));
        const sets = ['pace=realtime', 'stop_after_s=45'];
        for (let i = 0; i < count; i++)
                sets.push(`vehicles.${i}.twin.source=ivy`, `vehicles.${i}.twin.where=${bus}`, `vehicles.${i}.twin.aircraft=${aircraft[i]}`);
        try {
                const run = fly(name, rig, sets);
                const apart = [];
                for (let i = 0; i < count; i++) apart.push(...intervals(await readWords(run, i)));
                return { intervals: apart.sort((a, b) => a - b), late: JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')).overruns };
        } finally {
                players.forEach((p) => p.kill());
        }
}

// By how many seconds b is later than a, both a row every everyS: where their correlation is largest.
function lagOf(a, b, everyS, mostS = 2) {
        const n = Math.min(a.length, b.length), most = Math.round(mostS / everyS);
        let best = -Infinity, lag = 0;
        for (let k = -most; k <= most; k++) {
                const from = Math.max(0, -k), to = n - Math.max(0, k);
                const x = a.slice(from, to), y = b.slice(from + k, to + k), meanX = mean(x), meanY = mean(y);
                let ab = 0, aa = 0, bb = 0;
                for (let i = 0; i < x.length; i++) {
                        ab += (x[i] - meanX) * (y[i] - meanY);
                        aa += (x[i] - meanX) ** 2;
                        bb += (y[i] - meanY) ** 2;
                }
                const r = ab / Math.sqrt(aa * bb);
                if (r > best) [best, lag] = [r, k * everyS];
        }
        return { lag, correlation: best };
}

const rms = (values) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
const quantile = (sorted, q) => sorted[Math.floor(q * (sorted.length - 1))];

async function track() {
        const everyS = 0.004, where = `where=${resolve(folder, 'run.ulg')}`;
        const run = fly('tracking', 'finken_as_reported', [`vehicles.0.twin.${where}`, `vehicles.1.twin.${where}`]);
        const real = await readFlight(run, { vehicle: 0, everyS }), simulated = await readFlight(run, { vehicle: 1, everyS });
        // The flight's own beginning: 0.2 m up.
        const n = Math.min(real.length, simulated.length), begin = real.findIndex((r) => r.up > 0.2);
        const column = (rows, key) => rows.slice(begin, n).map((r) => r[key]);
        const off = (i, key) => simulated[i][key] - real[i][key] - (simulated[begin][key] - real[begin][key]);
        let first = begin;
        while (first < n && Math.hypot(off(first, 'north'), off(first, 'east')) < 1) first++;
        const rows = ['roll', 'pitch', 'up'].map((key) => {
                const a = column(real, key), b = column(simulated, key), { lag, correlation } = lagOf(a, b, everyS);
                return [key === 'up' ? 'height, m' : `${key}, deg`, lag.toFixed(3), correlation.toFixed(3),
                        figure(rms(a)), figure(rms(a.map((v, i) => v - b[i])))];
        });
        return { real, simulated, rows, togetherS: first < n ? real[first].t - real[begin].t : undefined };
}

const flight = await writeTable();
const one = await listen('one', 'finken_as_reported', 1, flight), two = await listen('two', 'finken_as_reported', 2, flight);
const tracked = await track();
rmSync(scratch, { recursive: true });

const counted = (name, { intervals: v, late }) => [name, v.length, figure(mean(v)), figure(quantile(v, 0.01)),
        figure(quantile(v, 0.5)), figure(quantile(v, 0.99)), figure(v[v.length - 1]), v.filter((x) => x > 60).length, late];
const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
replaceBlock(join(docs, 'experiments.md'), 'mixed_reality', [
        table(['aircraft', 'words', 'mean, ms', '1 %', 'median', '99 %', 'longest', 'above 60 ms', 'periods late'],
                [counted('one', one), ['one, printed', '-', 'about 27', 'some below 22', '-', '-', '-', 'few', '-'], counted('two', two), ['two, printed', '-', 'a little more', '-', '-', '-', '-', 'few', '-']]),
        table(['of the flight', 'lag, s', 'correlation there', 'RMS of the real one', 'RMS of the difference'], tracked.rows),
        tracked.togetherS === undefined ? 'The two are never 1 m apart.' :
                `They are 1 m apart for the first time ${figure(tracked.togetherS)} s after take-off.`,
        `hilrig ${summary.version}.`,
].join('\n\n'));

const binMs = 1, bars = (v) => {
        const bins = new Map();
        v.forEach((x) => bins.set(Math.floor(x / binMs), (bins.get(Math.floor(x / binMs)) ?? 0) + 1));
        return Array.from({ length: 45 }, (_, i) => [(i + 0.5) * binMs, (bins.get(i) ?? 0) / v.length]);
};
const curve = (key) => [
        { title: 'real', colour: colours[0], rows: tracked.real.filter((_, i) => i % 10 === 0).map((r) => [r.t, r[key]]) },
        { title: 'simulated', colour: colours[2], rows: tracked.simulated.filter((_, i) => i % 10 === 0).map((r) => [r.t, r[key]]) },
];
draw(join(docs, 'pictures', 'mixed_reality.png'), 'Messages and tracking of a twin', '', [
        { title: 'from word to word (fig 4.2, 4.3)', x: 'ms', y: 'share', xRange: [0, 45], key: 'top right',
                series: [{ title: 'one', colour: colours[0], rows: bars(one.intervals) }, { title: 'two', colour: colours[2], dashed: true, rows: bars(two.intervals) }] },
        { title: 'roll (fig 4.4)', x: 't, s', y: 'degrees', xRange: [0, 58], key: 'top right', series: curve('roll') },
        { title: 'pitch (fig 4.5)', x: 't, s', y: 'degrees', xRange: [0, 58], key: 'top right', series: curve('pitch') },
        { title: 'height (fig 4.6)', x: 't, s', y: 'm', xRange: [0, 58], key: 'top right', series: curve('up') },
], 2, [520, 320]);
