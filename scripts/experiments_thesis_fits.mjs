// Tables and pictures of the fits of Gruber's thesis, 4.3, for docs/experiments.md, out of a flown rig_configs/suites/thesis_fits.json.
//
//     node scripts/experiments_thesis_fits.mjs SUITE_FOLDER docs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { colours, draw, euler, figure, mean, records, replaceBlock, suiteRuns, table } from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_thesis_fits.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const vehicles = { md4_200_thesis: 'md4_200_thesis', default: 'md4_200' };
const g = 9.81, hoverRadps = 168.93;
// What the parts of md4_200.json sum up to (docs/vehicle.md).
const partsKgm2 = { xx: 0.008173, zz: 0.014882 };
const head = ['t', 'ax', 'ay', 'az', 'gx', 'gy', 'gz', ...[0, 1, 2, 3].map((i) => `speed_${i}`),
        ...[0, 1, 2, 3].map((i) => `duty_${i}`), 'roll', 'pitch', 'voltage'];

// Gives the value at times that do not go back, of rows [t, value...], straight between them.
function between(rows) {
        let i = 0;
        return (t, k) => {
                while (i + 2 < rows.length && rows[i + 1][0] < t) i++;
                const [a, b] = [rows[i], rows[i + 1]];
                return a[k] + (b[k] - a[k]) * (t - a[0]) / (b[0] - a[0]);
        };
}

// What the thesis recorded, 100 times a second. A command is the mean of the 10 ms around its row: here it may change
// every millisecond.
async function readRecording(run, referenceV) {
        const rows = [], angles = [], volts = [], duties = [];
        let speeds;

        for await (const { name, t, value: v } of records(run, 0)) {
                if (name === 'hilrig_tick') duties.push(v.duty.slice(0, 4));
                if (name === 'vehicle_attitude') angles.push([t, ...euler(v.q).map((deg) => deg * Math.PI / 180)]);
                if (name === 'battery_status') volts.push([t, v.voltage_v / referenceV]);
                if (name === 'hilrig_rotors') speeds = v.speed_radps.slice(0, 4);
                if (name === 'sensor_combined' && speeds)
                        rows.push([t, ...v.accelerometer_m_s2, ...v.gyro_rad, ...speeds]);
        }
        const angle = between(angles), volt = referenceV ? between(volts) : () => 1;
        return rows.filter(([t]) => t > 5).map((row) => {
                const tick = Math.round(1000 * row[0]);
                const around = duties.slice(tick - 5, tick + 5);
                return [...row, ...[0, 1, 2, 3].map((i) => mean(around.map((d) => d[i]))),
                        angle(row[0], 1), angle(row[0], 2), volt(row[0], 1)];
        });
}

function runFits(flights) {
        const script = fileURLToPath(new URL('thesis_fits.py', import.meta.url));
        // Debian's own, which has the packages that deps.sh installs; another may stand before it in PATH.
        const r = spawnSync(process.env.PYTHON ?? '/usr/bin/python3', [script],
                { input: JSON.stringify(flights), encoding: 'utf8', maxBuffer: 1 << 28 });
        if (r.error || r.status !== 0)
                throw new Error(r.error ? 'python3 is missing: apt-get install python3-numpy python3-scipy' : r.stderr);
        return JSON.parse(r.stdout);
}

// What is true of the vehicle near hover, in the terms of the printed forms.
function truth(config) {
        const { vehicle } = config.vehicles[0], { rotors, airframe, motor } = vehicle;
        const height = config.world.origin.height_m + 5, kelvin = 288.15 - 0.0065 * height;
        const density = 101325 * (kelvin / 288.15) ** 5.25588 / (287.053 * kelvin) / rotors.air_density_ref_kgpm3;
        const m = vehicle.mass_kg, tF = rotors.thrust_n_per_radps2 * density, qF = rotors.torque_nm_per_radps2 * density;
        const [by, , bz] = airframe.linear_drag_n_per_mps.map((b) => b / m);
        const [bw, , bwz] = airframe.angular_damping_nm_per_radps;
        const { xx, zz } = vehicle.inertia_kgm2 ?? partsKgm2, l = rotors.arm_m;
        const k = g * tF * l / (by * bw), slow = 1 / by, fast = xx / bw;
        const tilt = (sign) => ({ k: sign * k, a1: slow + fast, a2: slow * fast, slow: by, fast: bw / xx });
        return {
                m, tF, qF, l, by, bz, bw, bwz, xx, zz, jr: rotors.inertia_kgm2, referenceV: vehicle.battery?.reference_v,
                hover: Math.sqrt(m * g / (4 * tF)), own: { tF: rotors.thrust_n_per_radps2, qF: rotors.torque_nm_per_radps2 },
                motor: { k: motor.speed_full_rpm / 4250, tau: motor.tau_s },
                throttle: { b0: 0, b1: tF / m, a: bz, k: tF / m },
                roll: tilt(1), pitch: tilt(-1), yaw: { k: qF / bwz, tau: zz / bwz },
        };
}

const runs = suiteRuns(folder).sort((a, b) => a.seed - b.seed);
for (const run of runs) {
        run.truth = truth(JSON.parse(readFileSync(join(run.folder, 'config.json'), 'utf8')));
        [run.vehicle, run.by] = run.rig.split('+');
        run.rows = await readRecording(run.folder, run.truth.referenceV);
        const hold = run.rows.filter(([t]) => t > 14 && t < 20);
        run.hoverRadps = mean(hold.map((row) => mean(row.slice(7, 11))));
}
const fitted = runs.filter((r) => r.scenario !== 'thesis_ten_metres');
const scratch = mkdtempSync(join(tmpdir(), 'thesis-fits-'));
const drawn = (r) => r.seed === fitted[0].seed && r.by === 'gps';
const fits = runFits(fitted.map((r, i) => {
        const path = join(scratch, `${i}.tsv`);
        writeFileSync(path, [head, ...r.rows].map((row) => row.join('\t')).join('\n') + '\n');
        return { experiment: r.scenario, table: path, drawn: drawn(r) };
}));
rmSync(scratch, { recursive: true });
fitted.forEach((r, i) => { r.fits = fits[i]; });
writeFileSync('/tmp/h-fits.json', JSON.stringify(runs.map(({ rows, ...r }) => r)));
