#!/usr/bin/env node
// Draws vehicles at random around quad_x_1kg, flies each for a minute with every sensor error that it has, and with scales and
// biases of its IMU that calibration left, identifies it from the stock vehicle, and prints how often the 95 % intervals hold
// the truth, and the median error.
// The battery's resistance is off by a twentieth (1 sigma).
// scripts/identify_coverage.mjs [VEHICLES [SEED [AT_ONCE [OUT.png]]]]; BUILD names the folder of the program. OUT.png: a picture
// of all intervals beside the truth.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draws } from './draws.mjs';
import { finished } from './processes.mjs';

const count = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? 1);
const atOnce = Number(process.argv[4] ?? 1);
const picture = process.argv[5];
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig');
const start = 'rig_configs/vehicles/quad_x_1kg.json';
const stock = JSON.parse(readFileSync(start, 'utf8'));

const uniform = draws(seed);
// Between 1/most and most, evenly in its logarithm.
const around = (most) => Math.exp((2 * uniform() - 1) * Math.log(most));
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
const within = (most) => [0, 0, 0].map(() => (2 * uniform() - 1) * most);

function draw() {
        const drag = stock.airframe.linear_drag_n_per_mps.map((d) => d);
        const xy = drag[0] * around(2);
        const damping = stock.airframe.angular_damping_nm_per_radps.map((d) => d * around(2));
        const lag = stock.motor.tau_s * around(1.4);
        const [xx, yy] = [stock.inertia_kgm2.xx * around(1.25), stock.inertia_kgm2.yy * around(1.25)];
        return {
                'motor lag': lag,
                'lag down': lag * around(1.5),
                'thrust expo': 0.5 + 0.5 * uniform(),
                'thrust factor': stock.rotors.thrust_n_per_radps2 * around(1.2),
                'torque factor': stock.rotors.torque_nm_per_radps2 * around(1.4),
                'inertia xx': xx,
                'inertia yy': yy,
                // No body has more about one axis than about the other two together.
                'inertia zz': Math.min(stock.inertia_kgm2.zz * around(1.1), 0.98 * (xx + yy)),
                'drag x, y': xy,
                'drag z': drag[2] * around(2),
                'damping x': damping[0],
                'damping y': damping[1],
                'damping z': damping[2],
        };
}

function settings(v) {
        const at = 'vehicles.0.vehicle.';
        return [
                `battery.resistance_mohm=${stock.battery.resistance_mohm * (1 + 0.05 * normal())}`,
                `motor.tau_s=${v['motor lag']}`,
                `motor.tau_down_s=${v['lag down']}`,
                `motor.thrust_expo=${v['thrust expo']}`,
                `rotors.thrust_n_per_radps2=${v['thrust factor']}`,
                `rotors.torque_nm_per_radps2=${v['torque factor']}`,
                `inertia_kgm2.xx=${v['inertia xx']}`,
                `inertia_kgm2.yy=${v['inertia yy']}`,
                `inertia_kgm2.zz=${v['inertia zz']}`,
                `airframe.linear_drag_n_per_mps=${JSON.stringify([v['drag x, y'], v['drag x, y'], v['drag z']])}`,
                `airframe.angular_damping_nm_per_radps=${JSON.stringify([v['damping x'], v['damping y'], v['damping z']])}`,
        ].map((s) => at + s);
}

// Scale to 0.5 %, as the data sheet says; of the biases what is left of its 20 mg and 0.5 degrees/s.
function imuErrors() {
        const at = 'vehicles.0.vehicle.sensors.imu.';
        return [
                `accel.scale=${JSON.stringify(within(0.005).map((e) => 1 + e))}`,
                `gyro.scale=${JSON.stringify(within(0.005).map((e) => 1 + e))}`,
                `accel.bias_mps2=${JSON.stringify(within(0.05))}`,
                `gyro.bias_dps=${JSON.stringify(within(0.1))}`,
        ].map((s) => at + s);
}

const tally = {};
let flown = 0;

async function identify(i, truth, sets) {
        const folder = mkdtempSync(join(tmpdir(), 'identify-'));
        const run = await finished(hilrig, ['run', 'rig_configs/rigs/quad_x_1kg.json', '--pace', 'lockstep', '--scenario',
                'rig_configs/scenarios/identify.json', '--seed', String(seed * 1000 + i), ...sets, '--out', join(folder, 'run')]);
        const found = run.status < 2 ? await finished(hilrig, ['identify', join(folder, 'run', 'run.ulg'), '--vehicle', start,
                '--air-density', '1.183', '--json']) : run;
        rmSync(folder, { recursive: true });
        if (found === run || found.status >= 2) {
                console.log(`vehicle ${i}: ${found.stderr}`);
                return;
        }
        flown++;
        const parameters = JSON.parse(found.stdout).parameters;
        for (const [name, is] of Object.entries(truth)) {
                const p = parameters[name];
                const t = (tally[name] ??= { told: 0, inside: 0, errors: [], drawn: [] });
                t.told += p.told;
                t.inside += p.from <= is && is <= p.to;
                t.errors.push(Math.abs(p.found / is - 1));
                t.drawn.push([p.found, p.from, p.to].map((x) => 100 * (x / is - 1)));
        }
}

const drawn = Array.from({ length: count }, (_, i) => {
        const truth = draw();
        return [i, truth, [...settings(truth), ...imuErrors()].flatMap((s) => ['--set', s])];
});
await Promise.all(Array.from({ length: atOnce }, async () => {
        for (let next; (next = drawn.shift());) await identify(...next);
}));
console.log(`${flown} of ${count} vehicles, seed ${seed}\n`);
console.log('| parameter | told | in the 95 % interval | median error | largest |');
console.log('|---|---|---|---|---|');
for (const [name, t] of Object.entries(tally)) {
        const errors = t.errors.sort((a, b) => a - b);
        const percent = (x) => `${(100 * x).toFixed(2)} %`;
        console.log(`| ${name} | ${t.told} | ${t.inside} | ${percent(errors[errors.length >> 1])} | ${percent(errors.at(-1))} |`);
}

// Each parameter's vehicles side by side, in order of what was found; those whose interval does not hold the truth in another colour.
function panel(names, scratch) {
        const rows = [[], []];
        names.forEach((name, i) => tally[name].drawn.sort((a, b) => a[0] - b[0]).forEach(([found, from, to], k, all) =>
                rows[Number(!(from <= 0 && to >= 0))].push([i + 0.8 * ((k + 0.5) / all.length - 0.5), found, from, to].join(' '))));
        const series = rows.map((r, miss) => {
                const path = join(scratch, names[0].replaceAll(' ', '') + miss);
                writeFileSync(path, r.join('\n') + '\n');
                return r.length && `"${path}" with yerrorbars pt 7 ps 0.4 lw 1 lc rgb "${['#0072b2', '#d55e00'][miss]}" notitle`;
        });
        return `set xrange [-0.5:${names.length - 0.5}]
set xtics (${names.map((name, i) => `"${name.replace(' ', '\\n')}" ${i}`).join(', ')})
plot 0 lc rgb "#000000" lw 1 notitle, ${series.filter(Boolean).join(', ')}
`;
}
if (picture) {
        const scratch = mkdtempSync(join(tmpdir(), 'coverage-')), soft = (name) => /drag|damping [xy]/.test(name), names = Object.keys(tally);
        const script = `set terminal pngcairo size 1200,420 font "sans,10" background "#ffffff"
set output "${picture}"
set multiplot layout 1,2
set grid y lc rgb "#dddddd"
set bmargin 3.5
set errorbars small
set pointintervalbox 0
set ylabel "found, less what is true (%)"
${panel(names.filter((name) => !soft(name)), scratch)}${panel(names.filter(soft), scratch)}unset multiplot
`;
        const done = spawnSync('gnuplot', [], { input: script, encoding: 'utf8' });
        rmSync(scratch, { recursive: true });
        if (done.error || done.status !== 0) throw new Error(done.error ? 'gnuplot is missing: apt-get install gnuplot-nox' : done.stderr);
}
