// Tables and pictures of the fits of Gruber's thesis, 4.3, for docs/thesis_experiments.md, out of a flown
// rig_configs/suites/thesis_fits.json.
//
//     node scripts/experiments_thesis_fits.mjs SUITE_FOLDER docs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { colours, draw, euler, figure, mean, range, records, replaceBlock, suiteRuns, table } from './flights.mjs';

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/experiments_thesis_fits.mjs SUITE_FOLDER docs');
        process.exit(2);
}

const vehicles = { md4_200_thesis: 'md4_200_thesis', default: 'md4_200' };
const g = 9.81;
// What the parts of md4_200.json sum up to (docs/vehicle.md).
const partsKgm2 = { xx: 0.008173, zz: 0.014882 };
const head = ['t', 'ax', 'ay', 'az', 'gx', 'gy', 'gz', ...[0, 1, 2, 3].map((i) => `speed_${i}`),
        ...[0, 1, 2, 3].map((i) => `duty_${i}`), 'roll', 'pitch', 'true_roll', 'true_pitch', 'voltage'];

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
        const rows = [], angles = [], volts = [], duties = [], speeds = new Map(), trueAngles = [];
        const radians = (q) => euler(q).map((deg) => deg * Math.PI / 180);

        for await (const { name, t, value: v } of records(run, 0)) {
                if (name === 'hilrig_tick') duties.push(v.duty.slice(0, 4));
                if (name === 'vehicle_attitude') angles.push([t, ...radians(v.q)]);
                if (name === 'vehicle_attitude_groundtruth') trueAngles.push([t, ...radians(v.q)]);
                if (name === 'battery_status') volts.push([t, v.voltage_v / referenceV]);
                if (name === 'hilrig_rotors') speeds.set(t, v.speed_radps.slice(0, 4));
                if (name === 'sensor_combined') rows.push([t, ...v.accelerometer_m_s2, ...v.gyro_rad]);
        }
        const angle = between(angles), trueAngle = between(trueAngles), volt = referenceV ? between(volts) : () => 1;
        return rows.filter(([t]) => t > 5 && speeds.has(t)).map((row) => {
                const tick = Math.round(1000 * row[0]);
                const around = duties.slice(tick - 5, tick + 5);
                return [...row, ...speeds.get(row[0]), ...[0, 1, 2, 3].map((i) => mean(around.map((d) => d[i]))),
                        angle(row[0], 1), angle(row[0], 2),
                        trueAngle(row[0], 1), trueAngle(row[0], 2), volt(row[0], 1)];
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
        run.rows = await readRecording(run.folder, run.truth.referenceV);
        const hold = run.rows.filter(([t]) => t > 14 && t < 20), end = run.rows.filter(([t]) => t > 40 && t < 42);
        run.hoverRadps = mean(hold.map((row) => mean(row.slice(7, 11))));
        run.tiltDeg = mean(end.map((row) => Math.hypot(row[15], row[16]) * 180 / Math.PI));
        run.drawn = run.seed === runs[0].seed;
}
const fitted = runs.filter((r) => r.variant === 'gps' && r.scenario !== 'thesis_ten_metres');
const scratch = mkdtempSync(join(tmpdir(), 'thesis-fits-'));
const fits = runFits(fitted.map((r, i) => {
        const path = join(scratch, `${i}.tsv`);
        writeFileSync(path, [head, ...r.rows].map((row) => row.join('\t')).join('\n') + '\n');
        return { experiment: r.scenario, table: path, drawn: r.drawn };
}));
rmSync(scratch, { recursive: true });
fitted.forEach((r, i) => { r.fits = fits[i]; });

// Three digits, however small.
const digits = (v) => (v !== 0 && (Math.abs(v) < 0.01 || Math.abs(v) >= 1e4) ? v.toExponential(2) : figure(v));
const flights = (vehicle, fit) => fitted.filter((r) => r.rig === vehicle && r.fits[fit]);
const truthOf = (vehicle) => runs.find((r) => r.rig === vehicle).truth;

// A row of a parameter as fitted: what is printed, then of each vehicle what is true, and the flights' mean and range.
function row(name, printed, fit, told, ofTruth) {
        return [name, printed, ...Object.keys(vehicles).flatMap((v) => [
                digits(ofTruth(truthOf(v))), range(flights(v, fit).map((r) => told(r.fits[fit].parameters, r)), digits),
        ])];
}
const printedForm = [
        ['motor, front', 'motor', { k: ['gain', '1.08'], tau: ['T, s', '0.165'] }],
        ['motor, front, command times voltage', 'motor, right', { k: ['gain', '1.08'], tau: ['T, s', '0.165'] }],
        ['throttle', 'throttle', { b0: ['b0', '-1.60e-4'], b1: ['b1', '8.34e-5'], a: ['a, 1/s', '2.78'] }],
        ['roll, accelerometer', 'roll', { k: ['K', '7.63e-5'], a1: ['a1', '0.250'], a2: ['a2', '1.12e-5'] }],
        ['roll, v_y\'', 'roll, right', { k: ['K', '7.63e-5'], a1: ['a1', '0.250'], a2: ['a2', '1.12e-5'] }],
        ['pitch, accelerometer', 'pitch', { k: ['K', '-6.24e-5'], a1: ['a1', '0.111'], a2: ['a2', '6.67e-5'] }],
        ['pitch, v_x\'', 'pitch, right', { k: ['K', '-6.24e-5'], a1: ['a1', '0.111'], a2: ['a2', '6.67e-5'] }],
        ['yaw', 'yaw', { k: ['K', '5.41e-5'], tau: ['T, s', '0.774'] }],
];
const head5 = ['', 'printed', ...Object.values(vehicles).flatMap((v) => [`\`${v}\`: true`, 'fitted'])];
const formRows = printedForm.flatMap(([name, fit, parameters]) => Object.entries(parameters).map(
        ([key, [label, printed]]) => row(`${name}: ${label}`, printed, fit, (p) => p[key], (t) => t[fit.split(',')[0]][key])));

const percents = ['motor', 'motor, right', 'motor, rear', 'throttle', 'throttle, right', 'roll', 'roll, right', 'roll, rate',
        'pitch', 'pitch, right', 'pitch, rate', 'yaw', 'yaw, right'];
const percentRows = percents.map((fit) => [fit, ...Object.keys(vehicles).flatMap((v) => {
        const of = flights(v, fit).map((r) => r.fits[fit]);
        const middle = (k) => figure(mean(of.map((f) => f[k]))), most = (k) => figure(Math.max(...of.map((f) => f[k])));
        return [middle('fit_percent'), fit.endsWith('rate') ? '-' : middle('printed_percent'), most('tilt_deg'), most('rate_dps')];
})]);

// What the fits make of the vehicle, as printed and otherwise. The thrust factor is the calculated one, as there.
const bz = (r) => flights(r.rig, 'throttle, right').find((f) => f.seed === r.seed).fits['throttle, right'].parameters.a;
const turning = (r, k) => g * r.truth.own.tF * r.truth.l / k;
const rateDamping = (p, r) => r.truth.own.tF * r.truth.l / p.k, yawDamping = (p, r) => r.truth.own.qF / p.k;
const rightRows = [
        row('t_F from throttle, m k, of k s/(s + b_z)', '8.04e-5 (m b1)', 'throttle, right', (p, r) => r.truth.m * p.k, (t) => t.tF),
        row('b_z, 1/s, likewise', '2.776', 'throttle, right', (p) => p.a, (t) => t.bz),
        row('roll, v_y\', slow pole, 1/s', '4.00', 'roll, right', (p) => p.slow, (t) => Math.min(t.roll.slow, t.roll.fast)),
        row('roll, v_y\', fast pole, 1/s', '22,399', 'roll, right', (p) => p.fast, (t) => Math.max(t.roll.slow, t.roll.fast)),
        row('pitch, v_x\', slow pole, 1/s', '9.05', 'pitch, right', (p) => p.slow, (t) => Math.min(t.roll.slow, t.roll.fast)),
        row('pitch, v_x\', fast pole, 1/s', '1656', 'pitch, right', (p) => p.fast, (t) => Math.max(t.roll.slow, t.roll.fast)),
        row('b_ω of K by b_y = b_z, N m s', '1.0473', 'roll, right', (p, r) => turning(r, p.k) / bz(r), (t) => t.bw),
        row('b_ω of K by its own slow pole', '0.727', 'roll, right', (p, r) => turning(r, p.k) / p.slow, (t) => t.bw),
        row('b_ω by the gyroscope', '-', 'roll, rate', rateDamping, (t) => t.bw),
        row('J_xx by the gyroscope, kg m²', '9.43e-3, calculated', 'roll, rate', (p, r) => rateDamping(p, r) * p.tau, (t) => t.xx),
        row('b_ωz, yaw as printed, N m s', '0.941', 'yaw', yawDamping, (t) => t.bwz),
        row('J_zz, yaw as printed, kg m²', '0.729', 'yaw', (p, r) => yawDamping(p, r) * p.tau, (t) => t.zz),
        row('b_ωz, with the rotors\' inertia', '-', 'yaw, right', yawDamping, (t) => t.bwz),
        row('J_zz, likewise', '-', 'yaw, right', (p, r) => yawDamping(p, r) * p.tau, (t) => t.zz),
        row('J_r, likewise, kg m²', '-', 'yaw, right', (p, r) => 2 * r.hoverRadps * yawDamping(p, r) * p.kz, (t) => t.jr),
];
const recordings = { parameters: 'as recorded', late: 'rotor speeds one row late', exact: 'exact speeds', true: 'and exact attitude' };
const costRows = Object.keys(vehicles).flatMap((v) => [
        ['b_z, 1/s', 'throttle, right', (p) => p.a, (t) => t.bz],
        ['t_F, kg m', 'throttle, right', (p) => p.k * truthOf(v).m, (t) => t.tF],
        ['slow pole of v_y\', 1/s', 'roll, right', (p) => p.slow, (t) => t.roll.slow],
        ['fast pole of v_y\', 1/s', 'roll, right', (p) => p.fast, (t) => t.roll.fast],
        ['b_ω/J_xx, gyroscope, 1/s', 'roll, rate', (p) => 1 / p.tau, (t) => t.roll.fast],
].map(([name, fit, told, ofTruth]) => [`\`${vehicles[v]}\`: ${name}`, digits(ofTruth(truthOf(v))),
        ...Object.keys(recordings).map((k) => range(flights(v, fit).map((r) => told(r.fits[fit][k])), digits))]));
const profile = (v) => flights(v, 'roll, right').find((r) => r.drawn).fits['roll, right'].profile;
const poles = [1, 10, 30, 100, 300, 1656, 22399, 100000];
const poleRows = Object.keys(vehicles).map((v) => [`\`${vehicles[v]}\``,
        ...poles.map((pole) => profile(v).find(([p]) => Math.abs(p / pole - 1) < 1e-6)[1].toFixed(4))]);
const experiments = { thesis_ten_metres: ['2', '166.90'], thesis_turn: ['3', '169.08'], thesis_pitch_roll: ['4', '170.81'] };
const hover = Object.entries(experiments).map(([scenario, [number, printed]]) => [number, printed,
        ...Object.keys(vehicles).flatMap((v) => ['hoverRadps', 'tiltDeg'].flatMap((what) => ['gps', 'ins'].map((by) => {
                const of = runs.filter((r) => r.scenario === scenario && r.rig === v && r.variant === by);
                const value = mean(of.map((r) => r[what]));
                return what === 'hoverRadps' ? value.toFixed(2) : figure(value);
        })))]);

const passed = runs.filter((r) => r.summary.verdict === 'passed').length;
replaceBlock(join(docs, 'thesis_experiments.md'), 'thesis_fits', [
        `${passed} of ${runs.length} flights passed (hilrig ${runs[0].summary.version}). ` +
                'Fits are of those with GPS: mean of the seeds and their range.',
        '### Forms as printed', table(head5, formRows),
        '### What follows of them, and of the right forms', table(head5, rightRows),
        '### How well they fit',
        table(['fit %', ...Object.values(vehicles).flatMap((v) =>
                [`\`${v}\`: fitted`, 'printed function', 'tilt up to, degrees', 'rate up to, degrees/s'])], percentRows),
        '### What the recording costs', table(['', 'true', ...Object.values(recordings)], costRows),
        'The residual of the roll fit (v_y\') with one pole held, the other free, over the least one, seed 1:',
        table(['pole, 1/s', ...poles.map((p) => p.toLocaleString('en'))], poleRows),
        '### Hover (table 4.1)', table(['experiment', 'printed, rad/s', ...Object.values(vehicles).flatMap((v) =>
                [`\`${v}\`: GPS`, 'INS', 'tilt 40 s after the start, degrees: GPS', 'INS'])], hover),
].join('\n\n'));

// Each vehicle's flights of the first seed: what was measured, the fit, the printed transfer function.
const panels = Object.entries(vehicles).flatMap(([v, name]) => [
        ['motor', 'speed, byte', 'motor'], ['throttle, right', 'v_z\', m/s^2', 'throttle'],
        ['roll, right', 'v_y\', m/s^2', 'roll'], ['yaw, right', 'rate, rad/s', 'yaw'],
].map(([fit, y, what]) => {
        const { series } = flights(v, fit).find((r) => r.drawn).fits[fit];
        const line = (title, colour, i) => ({ title, colour, rows: series.map((s) => [s[0], s[i]]) });
        return {
                title: `${name.replaceAll('_', ' ')}: ${what}`, y, key: v === 'md4_200_thesis' && what === 'throttle' ? 'right top' : 'off',
                yRange: v === 'default' && what === 'roll' ? [-5, 5] : undefined,
                series: [line('measured', '#999999', 1), line('printed function', colours[2], 3), line('fitted', colours[0], 2)],
        };
}));
draw(join(docs, 'pictures', 'thesis_fits.png'), 'As figures 4.4, 4.6, 4.7 and 4.10, less hover, seed 1', 'time (s)', panels, 4, [360, 260]);

draw(join(docs, 'pictures', 'thesis_poles.png'), 'The residual of the roll fit (v_y\') over one of its poles, the other free, seed 1',
        'log10 of the pole, 1/s', Object.entries(vehicles).map(([v, name]) => {
                const t = truthOf(v).roll;
                const mark = (title, pole, colour, pt) => ({ title, colour, mark: pt, rows: [[Math.log10(pole), 1]] });
                return {
                        title: name.replaceAll('_', ' '), y: 'RMS over the least', key: 'right top', yRange: [0.98, 1.6],
                        series: [
                                { title: 'residual', colour: colours[0], rows: profile(v).map(([p, r]) => [Math.log10(p), r]) },
                                mark('true', t.fast, colours[4], 7), mark('', t.slow, colours[4], 7), mark('half of 100 Hz', 2 * Math.PI * 50, colours[6], 2),
                                mark('printed, roll', 22399, colours[2], 6), mark('printed, pitch', 1656, colours[2], 4),
                        ],
                };
        }), 2, [460, 320]);
