// What the experiments' scripts share: a flight's true path out of its log, smoothness by R, figures of a
// summary, tables and pictures for docs/experiments.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(new URL('../tests/node/package.json', import.meta.url));
const { MessageType, ULog } = require('@foxglove/ulog');
const { FileReader } = require('@foxglove/ulog/node');

const degrees = 180 / Math.PI;
export const colours = ['#0072b2', '#56b4e9', '#d55e00', '#e69f00', '#009e73', '#cc79a7', '#000000'];

// Roll, pitch, yaw in degrees (Gruber 3.2).
export function euler([w, x, y, z]) {
        return [
                degrees * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
                degrees * Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
                degrees * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        ];
}

// Tells of rows in the order of their time which is the first at or after each multiple of everyS since fromS.
function metronome(fromS, everyS) {
        let next = fromS;
        return (t) => {
                if (t < next - 1e-6) return false;
                next += everyS;
                return true;
        };
}

// A row every 30 ms, on the average: the log has the truth every 4 ms and the flight controller's word every 20.
export function thin(rows, fromS, everyS = 0.03) {
        const due = metronome(fromS, everyS);
        return rows.filter((r) => due(r.t));
}

// Every data record of one vehicle's topics, in the order of the log: { name, t, value }.
export async function* records(run, vehicle) {
        const file = new FileReader(join(run, 'run.ulg'));
        const log = new ULog(file);

        await log.open();
        for await (const message of log.readMessages()) {
                if (message.type !== MessageType.Data) continue;
                const { name, multiId } = log.subscriptions.get(message.msgId);
                if (multiId === vehicle) yield { name, t: Number(message.value.timestamp) / 1e6, value: message.value };
        }
        await file.close();
}

// Each word of a twin: when it came, s, and what it said of its place.
export async function readWords(run, vehicle) {
        const rows = [];

        for await (const { name, value: v } of records(run, vehicle))
                if (name === 'hilrig_twin') rows.push({ t: Number(v.arrived_ns) / 1e9, ...v });
        return rows;
}

// Milliseconds from word to word, in their order.
export const intervals = (words) => words.slice(1).map((w, i) => 1000 * (w.t - words[i].t));

// The truth, a row every everyS from fromS to toS, of one vehicle: t, north, east, up (m), their
// accelerations (m/s^2), roll, pitch, yaw (degrees). Up counts from where the vehicle's world has its ground.
export async function readFlight(run, { fromS = 0, toS = Infinity, everyS = 0.03, vehicle = 0 } = {}) {
        const rows = [], due = metronome(fromS, everyS);
        let q = [1, 0, 0, 0];

        for await (const { name, t, value: v } of records(run, vehicle)) {
                if (name === 'vehicle_attitude_groundtruth') q = v.q;
                if (name !== 'vehicle_local_position_groundtruth' || t > toS + 1e-6 || !due(t)) continue;
                const [roll, pitch, yaw] = euler(q);
                rows.push({ t, north: v.x, east: v.y, up: -v.z, ax: v.ax, ay: v.ay, az: v.az, roll, pitch, yaw });
        }
        return rows;
}

// What the flight controller of one vehicle believes: t, north, east, up (m) from where it started, roll, pitch,
// yaw (degrees).
export async function readBelief(run, { fromS = 0, toS = Infinity, vehicle = 0 } = {}) {
        const rows = [];
        let angles = [0, 0, 0];

        for await (const { name, t, value: v } of records(run, vehicle)) {
                if (name === 'vehicle_attitude') angles = euler(v.q);
                if (name !== 'vehicle_local_position' || t < fromS || t > toS) continue;
                const [roll, pitch, yaw] = angles;
                rows.push({ t, north: v.x, east: v.y, up: -v.z, roll, pitch, yaw });
        }
        return rows;
}

// Figures of a part of a flight: the largest tilt (degrees), RMS of the length of the true body rate (degrees/s),
// both of the truth in the log; RMS over ticks and rotors of the change of duties (1/s), of every tick; energy (J).
export async function readEffort(run, { fromS, toS, rotors, vehicle = 0 }) {
        let tilt = 0, rate = 0, rates = 0, duty = 0, duties = 0, energy = 0;
        let last, powered;

        for await (const { name, t, value: v } of records(run, vehicle)) {
                if (t < fromS - 1e-6 || t > toS + 1e-6) continue;
                if (name === 'vehicle_attitude_groundtruth') {
                        tilt = Math.max(tilt, degrees * Math.acos(1 - 2 * (v.q[1] ** 2 + v.q[2] ** 2)));
                } else if (name === 'vehicle_angular_velocity_groundtruth') {
                        rate += v.xyz.reduce((sum, w) => sum + (degrees * w) ** 2, 0);
                        rates++;
                } else if (name === 'hilrig_surroundings') {
                        if (powered !== undefined) energy += v.battery_v * v.battery_a * (t - powered);
                        powered = t;
                } else if (name === 'hilrig_tick') {
                        for (let i = 0; last && i < rotors; i++, duties++)
                                duty += ((v.duty[i] - last.duty[i]) / (t - last.t)) ** 2;
                        last = { t, duty: v.duty };
                }
        }
        return {
                tiltMaxDeg: tilt, rateRmsDps: Math.sqrt(rate / rates), motorsPerS: Math.sqrt(duty / duties), energyJ: energy,
        };
}

// RMS of the derivative of the acceleration, m/s^3.
export function jerkRms(rows) {
        let sum = 0;
        for (let i = 1; i < rows.length; i++) {
                const dt = rows[i].t - rows[i - 1].t;
                for (const a of ['ax', 'ay', 'az']) sum += ((rows[i][a] - rows[i - 1][a]) / dt) ** 2;
        }
        return Math.sqrt(sum / (rows.length - 1));
}

// LOESS standard errors by scripts/smoothness.R of some flights at once: for each an object
// { of_value: { north, east, ... }, of_time: {...} }.
export function smoothness(flights, variables) {
        const scratch = mkdtempSync(join(tmpdir(), 'smoothness-'));
        const paths = flights.map((rows, i) => {
                const path = join(scratch, `${i}.tsv`);
                const lines = rows.map((r) => [r.t, ...variables.map((v) => r[v])].join('\t'));
                writeFileSync(path, [['t', ...variables].join('\t'), ...lines].join('\n') + '\n');
                return path;
        });
        const script = fileURLToPath(new URL('smoothness.R', import.meta.url));
        const r = spawnSync('Rscript', ['--vanilla', script, ...paths], { encoding: 'utf8', maxBuffer: 1 << 26 });
        rmSync(scratch, { recursive: true });
        if (r.error || r.status !== 0)
                throw new Error(r.error ? 'Rscript is missing: apt-get install r-base-core' : r.stderr);
        const out = flights.map(() => ({ of_value: {}, of_time: {} }));
        for (const line of r.stdout.trim().split('\n')) {
                const [file, variable, ofValue, ofTime] = line.split('\t');
                out[Number(file) - 1].of_value[variable] = Number(ofValue);
                out[Number(file) - 1].of_time[variable] = Number(ofTime);
        }
        return out;
}

// Every run of a suite's folder: { rig, variant, scenario, seed, folder, summary }.
export function suiteRuns(folder) {
        const runs = [];
        const folders = (path) => readdirSync(path, { withFileTypes: true }).filter((d) => d.isDirectory());

        for (const rig of folders(folder))
                for (const scenario of folders(join(folder, rig.name)))
                        for (const run of folders(join(folder, rig.name, scenario.name))) {
                                const path = join(folder, rig.name, scenario.name, run.name);
                                if (!existsSync(join(path, 'summary.json'))) continue;
                                const [name, variant = ''] = rig.name.split('+');
                                runs.push({
                                        rig: name, variant, scenario: scenario.name, seed: Number(run.name.split('-')[0]),
                                        folder: path, summary: JSON.parse(readFileSync(join(path, 'summary.json'), 'utf8')),
                                });
                        }
        return runs;
}

export const metric = (summary, name) => summary.metrics.find((m) => m.name === name)?.value;
export const requirement = (summary, name) => summary.requirements.find((r) => r.name === name)?.value;
// When a requirement was met, or came closest to failing.
export const when = (summary, name) => summary.requirements.find((r) => r.name === name)?.at_s;
export const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;

// Three significant digits, without an exponent.
export function figure(value) {
        if (value === null || value === undefined || Number.isNaN(value)) return '-';
        if (value === 0) return '0';
        const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
        return value.toFixed(Math.min(digits, 4));
}

// The mean, and from where to where.
export const range = (values, digits = figure) =>
        `${digits(mean(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))})`;

export function table(head, rows) {
        const line = (cells) => `| ${cells.join(' | ')} |`;
        return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

// Puts text between <!-- NAME --> and <!-- /NAME --> of a file.
export function replaceBlock(path, name, text) {
        const old = readFileSync(path, 'utf8');
        const begin = `<!-- ${name} -->`, end = `<!-- /${name} -->`;
        const a = old.indexOf(begin), b = old.indexOf(end);
        if (a < 0 || b < a) throw new Error(`${path}: no ${begin} ... ${end}`);
        writeFileSync(path, `${old.slice(0, a + begin.length)}\n${text.trim()}\n${old.slice(b)}`);
}

// Draws panels beside each other: [{ title, x, y, xRange, yRange, key, series }] of [{ title, rows: [[x, y]...],
// colour, dashed, mark }]; with a mark, gnuplot's number of one, points instead of a line. `size` is a panel's in pixels.
export function draw(out, title, xLabel, panels, columns = 3, size = [420, 300]) {
        const scratch = mkdtempSync(join(tmpdir(), 'draw-'));
        const layout = `${Math.ceil(panels.length / columns)},${columns}`;
        let files = 0;
        const plot = (s) => {
                const path = join(scratch, `${files++}`);
                writeFileSync(path, s.rows.map((r) => r.join(' ')).join('\n') + '\n');
                const style = s.mark ? `points pt ${s.mark} ps 1.2` : `lines lw ${s.dashed ? '1 dt 2' : '1.5'}`;
                return `"${path}" with ${style} ` +
                        `lc rgb "${s.colour}" ${s.title ? `title "${s.title}"` : 'notitle'}`;
        };
        const script = `set terminal pngcairo size ${size[0] * columns},${size[1] * Math.ceil(panels.length / columns)} ` +
                `font "sans,10" background "#ffffff"
set output "${out}"
set multiplot layout ${layout} title "${title}" font "sans,12"
set grid lc rgb "#dddddd"
set key noenhanced font "sans,8"
${panels.map((p) => `set title "${p.title}"
set xlabel "${p.x ?? xLabel}"
set ylabel "${p.y}"
set xrange [${p.xRange?.join(':') ?? '*:*'}]
set yrange [${p.yRange?.join(':') ?? '*:*'}]
set key ${p.key ?? 'off'}
plot ${p.series.map(plot).join(', \\\n     ')}`).join('\n')}
unset multiplot
`;
        const drawn = spawnSync('gnuplot', [], { input: script, encoding: 'utf8' });
        rmSync(scratch, { recursive: true });
        if (drawn.error || drawn.status !== 0)
                throw new Error(drawn.error ? 'gnuplot is missing: apt-get install gnuplot-nox' : drawn.stderr);
}
