// Draws a run: position against what was asked, attitude, motors, loop latency.
//
//     node scripts/plot_run.mjs RUN OUT.png
//
// Reads RUN/run.ulg with Foxglove's ULog reader (tests/node), draws with gnuplot.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(new URL('../tests/node/package.json', import.meta.url));
const { MessageType, ULog } = require('@foxglove/ulog');
const { FileReader } = require('@foxglove/ulog/node');

const [run, out] = process.argv.slice(2);
if (!out) {
        console.error('usage: node scripts/plot_run.mjs RUN OUT.png');
        process.exit(2);
}

const degrees = 180 / Math.PI;

function euler([w, x, y, z]) {
        return [
                degrees * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
                degrees * Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
                degrees * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        ];
}

// Topic -> a line of the plot's data.
const columns = {
        vehicle_local_position_groundtruth: (v) => [v.x, v.y, -v.z],
        vehicle_local_position: (v) => [v.x, v.y, -v.z],
        vehicle_attitude_groundtruth: (v) => euler(v.q),
        hilrig_tick: (v) => [...v.duty.slice(0, 4).map((d) => 100 * d), v.loop_ns / 1000],
        hilrig_setpoint: (v) => [...v.pos_ned_m, v.mode],
};

const file = new FileReader(join(run, 'run.ulg'));
const log = new ULog(file);
await log.open();
const lines = Object.fromEntries(Object.keys(columns).map((name) => [name, []]));
// Every twentieth tick, with the last latency that was measured by then: not every tick has a frame.
let ticks = 0, loop_ns = 0;
for await (const message of log.readMessages()) {
        if (message.type !== MessageType.Data) continue;
        const { name, multiId } = log.subscriptions.get(message.msgId);
        if (multiId !== 0 || !columns[name]) continue;
        if (name === 'hilrig_tick') {
                loop_ns = message.value.loop_ns || loop_ns;
                if (ticks++ % 20 !== 0) continue;
                message.value.loop_ns = loop_ns;
                loop_ns = 0;
        }
        const t_s = Number(message.value.timestamp) / 1e6;
        lines[name].push([t_s, ...columns[name](message.value)]);
}
await file.close();

// Only a flight to somewhere (mode 2) asks for a position, and it stands until the next input.
const end_s = lines.vehicle_local_position_groundtruth.at(-1)[0];
const asked = [];
lines.hilrig_setpoint.forEach(([t, north, east, down, mode], i, all) => {
        if (mode !== 2) return;
        asked.push([t, north, east, -down], [all[i + 1]?.[0] ?? end_s, north, east, -down]);
});

const scratch = mkdtempSync(join(tmpdir(), 'plot-'));
const table = (name, rows) => {
        const path = join(scratch, name);
        writeFileSync(path, rows.map((r) => r.join(' ')).join('\n') + '\n');
        return `"${path}"`;
};
const truth = table('truth', lines.vehicle_local_position_groundtruth);
const estimate = table('estimate', lines.vehicle_local_position);
const attitude = table('attitude', lines.vehicle_attitude_groundtruth);
const tick = table('tick', lines.hilrig_tick);
const setpoint = table('setpoint', asked);
const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'));
const title = `${summary.verdict}, ${summary.pace}, ${summary.ticks} periods of ` +
        `${summary.period_ns / 1000} us, ${summary.overruns} missed, hilrig ${summary.version}`;

const axes = ['north', 'east', 'up'];
const colour = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const position = axes.flatMap((axis, i) => [
        `${setpoint} using 1:${i + 2} with lines lw 1 dt 2 lc rgb "${colour[i]}" notitle`,
        `${estimate} using 1:${i + 2} with lines lw 1 lc rgb "#999999" notitle`,
        `${truth} using 1:${i + 2} with lines lw 2 lc rgb "${colour[i]}" title "${axis}"`,
]);
const angles = ['roll', 'pitch', 'yaw'].map((name, i) =>
        `${attitude} using 1:${i + 2} with lines lw 2 lc rgb "${colour[i]}" title "${name}"`);
const motors = [0, 1, 2, 3].map((i) =>
        `${tick} using 1:${i + 2} with lines lw 1 lc rgb "${colour[i]}" title "motor ${i}"`);
const latency = [`${tick} using 1:($6 > 0 ? $6 : 1/0) with dots lc rgb "${colour[0]}" notitle`];

const panel = (label, what) => `set ylabel "${label}"\nplot ${what.join(', \\\n     ')}\n`;
const script = `set terminal pngcairo size 1200,1100 font "sans,11" background "#ffffff"
set output "${out}"
set multiplot layout 4,1 title "${title}" font "sans,13"
set lmargin 9
set rmargin 16
set key outside right top
set grid lc rgb "#dddddd"
set xrange [0:${end_s}]
${panel('position (m)', position)}
${panel('attitude (deg)', angles)}
set yrange [0:*]
${panel('motor command (%)', motors)}
set xlabel "simulated time (s)"
set logscale y
set yrange [1:*]
${panel('sensor to motor (us)', latency)}
unset multiplot
`;
const drawn = spawnSync('gnuplot', [], { input: script, encoding: 'utf8' });
rmSync(scratch, { recursive: true });
if (drawn.error || drawn.status !== 0) {
        console.error(drawn.error ? 'gnuplot is missing: apt-get install gnuplot-nox' : drawn.stderr);
        process.exit(1);
}
