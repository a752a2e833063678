#!/usr/bin/env node
// Draws the errors of an IMU, a barometer and a GPS receiver, lets the vehicle stand still with them, identifies them from the
// log, and prints how often the 95 % intervals hold the truth, and of what was told the median error.
// scripts/identify_rest_coverage.mjs [RUNS [SEED [AT_ONCE]]]; BUILD names the folder of the program.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draws } from './draws.mjs';
import { finished } from './processes.mjs';

const count = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? 1);
const atOnce = Number(process.argv[4] ?? 1);
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig');

const uniform = draws(seed);
// Evenly in its logarithm.
const between = (low, high) => low * Math.exp(uniform() * Math.log(high / low));
const axes = (low, high) => [0, 1, 2].map(() => between(low, high));
const offsets = (most) => [0, 1, 2].map(() => (2 * uniform() - 1) * most);

// Bias instability as large as white noise after 3 to 300 s of averaging, the random walk as large as that after 30 to 3000 s.
function drawHalf(half) {
        const accel = half === 'accel', density = accel ? axes(60, 300) : axes(0.0025, 0.01);
        const floor = density.map((d) => (accel ? 9.80665e-6 : 1) * d / Math.sqrt(2 * between(3, 300)));
        const instability = floor.map((f) => f / 0.664), walk = floor.map((f) => f * Math.sqrt(3 / between(30, 3000)));
        return accel
                ? { bias_mps2: offsets(0.2), noise_density_ug_rthz: density, bias_instability_mps2: instability,
                        random_walk_mps3_rthz: walk }
                : { bias_dps: offsets(0.5), noise_density_dps_rthz: density, bias_instability_dps: instability,
                        random_walk_dps2_rthz: walk };
}

// The accelerometer's scale is off by up to the data sheet's 0.5 %, which nobody tells the identification.
const draw = () => ({
        scale: offsets(0.005).map((e) => 1 + e),
        accel: drawHalf('accel'),
        gyro: drawHalf('gyro'),
        baro: { sigma_pa: between(1, 5), drift_pa: between(1, 10), drift_tau_s: between(3, 300) },
        white: { sigma_horizontal_m: between(0.3, 3), sigma_vertical_m: between(0.5, 5), sigma_velocity_mps: between(0.03, 0.3) },
        ranges: { range_error_m: between(1, 3), range_error_tau_s: between(3, 300), range_jitter_m: between(0.2, 1),
                range_rate_error_mps: between(0.05, 0.3), range_rate_tau_s: between(0.5, 10) },
});

// The temperature adds nothing, so that the bias is what the file says.
function settings(truth, satellites) {
        const at = 'vehicles.0.vehicle.sensors.';
        const sets = [`${at}imu.accel.scale=${JSON.stringify(truth.scale)}`];
        for (const half of ['accel', 'gyro']) {
                const perK = half === 'accel' ? 'bias_mps2_per_k' : 'bias_dps_per_k';
                for (const [key, value] of Object.entries({ ...truth[half], [perK]: [0, 0, 0] }))
                        sets.push(`${at}imu.${half}.${key}=${JSON.stringify(value)}`);
        }
        for (const [key, value] of Object.entries(truth.baro)) sets.push(`${at}baro.${key}=${value}`);
        sets.push(`${at}gps.model=${satellites ? 'satellites' : 'white'}`);
        for (const [key, value] of Object.entries(satellites ? truth.ranges : truth.white))
                sets.push(`${at}gps.${satellites ? 'part.' : ''}${key}=${value}`);
        return sets.flatMap((s) => ['--set', s]);
}

const tally = {};
let stood = 0;

function note(name, value, truth) {
        const t = (tally[name] ??= { of: 0, held: 0, told: 0, toldHeld: 0, errors: [] });
        // JSON has no infinity: null is no limit.
        const held = (value.from ?? -Infinity) <= truth && truth <= (value.to ?? Infinity);
        t.of++;
        t.held += held;
        if (!value.told) return;
        t.told++;
        t.toldHeld += held;
        t.errors.push(name.endsWith('bias') ? Math.abs(value.found - truth) : Math.abs(value.found / truth - 1));
}

const names = { bias: 'bias', noise: 'white noise', instability: 'bias instability', walk: 'random walk' };

function judge(found, truth, satellites) {
        for (const half of ['accel', 'gyro'])
                for (const [key, values] of Object.entries(truth[half])) {
                        const name = key.includes('instability') ? names.instability : names[key.split('_')[key.startsWith('random') ? 1 : 0]];
                        values.forEach((value, i) => note(`${half} ${name}`, found[half]['xyz'[i]][key], value));
                }
        note('barometer white', found.barometer.white, truth.baro.sigma_pa);
        note('barometer drift', found.barometer.drift, truth.baro.drift_pa);
        note('barometer drift\'s time', found.barometer.drift_tau_s, truth.baro.drift_tau_s);
        if (satellites) {
                note('GPS position\'s time', found['GPS horizontal'].drift_tau_s, truth.ranges.range_error_tau_s);
                note('GPS height\'s time', found['GPS vertical'].drift_tau_s, truth.ranges.range_error_tau_s);
                note('GPS velocity\'s time', found['GPS velocity'].drift_tau_s, truth.ranges.range_rate_tau_s);
        } else {
                note('GPS horizontal sigma', found['GPS horizontal'].white, truth.white.sigma_horizontal_m);
                note('GPS vertical sigma', found['GPS vertical'].white, truth.white.sigma_vertical_m);
                note('GPS velocity sigma', found['GPS velocity'].white, truth.white.sigma_velocity_mps);
        }
}

async function stand(i, truth, satellites) {
        const folder = mkdtempSync(join(tmpdir(), 'rest-'));
        const run = await finished(hilrig, ['run', 'rig_configs/rigs/rest.json', '--seed', String(seed * 1000 + i), ...settings(truth, satellites),
                '--out', join(folder, 'run')]);
        const found = run.status < 2 ? await finished(hilrig, ['identify', '--rest', join(folder, 'run', 'run.ulg'), '--level', '0', '--json']) : run;
        rmSync(folder, { recursive: true });
        if (found === run || found.status >= 2) {
                console.log(`run ${i}: ${found.stderr}`);
                return;
        }
        stood++;
        judge(JSON.parse(found.stdout), truth, satellites);
}

const drawn = Array.from({ length: count }, (_, i) => [i, draw(), i % 2 === 1]);
await Promise.all(Array.from({ length: atOnce }, async () => {
        for (let next; (next = drawn.shift());) await stand(...next);
}));
console.log(`${stood} of ${count} runs, seed ${seed}\n`);
console.log('| error | of | in the 95 % interval | told | of these in the interval | median error of these |');
console.log('|---|---|---|---|---|---|');
for (const [name, t] of Object.entries(tally)) {
        const errors = t.errors.sort((a, b) => a - b), middle = errors[errors.length >> 1];
        const unit = name.startsWith('accel') ? 'm/s^2' : 'deg/s';
        const text = middle === undefined ? '' : name.endsWith('bias') ? `${middle.toPrecision(2)} ${unit}` : `${(100 * middle).toFixed(1)} %`;
        console.log(`| ${name} | ${t.of} | ${t.held} | ${t.told} | ${t.toldHeld} | ${text} |`);
}
