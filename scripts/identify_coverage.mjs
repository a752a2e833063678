#!/usr/bin/env node
// Draws vehicles at random around quad_x_1kg, flies each for a minute with every sensor error that it has, and with scales and
// biases of its IMU that calibration left, identifies it from the stock vehicle, and prints how often the 95 % intervals hold
// the truth, and the median error.
// The battery's resistance is off by a twentieth (1 sigma).
// scripts/identify_coverage.mjs [VEHICLES [SEED [AT_ONCE]]]; BUILD names the folder of the program.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draws } from './draws.mjs';
import { finished } from './processes.mjs';

const count = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? 1);
const atOnce = Number(process.argv[4] ?? 1);
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
                const t = (tally[name] ??= { told: 0, inside: 0, errors: [] });
                t.told += p.told;
                t.inside += p.from <= is && is <= p.to;
                t.errors.push(Math.abs(p.found / is - 1));
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
