// Lets the vehicle stand still with sensors whose noise is known, and draws the Allan deviations that `hilrig identify --rest`
// finds beside what they should be.
//
//     node scripts/identify_rest_picture.mjs OUT.png
//
// BUILD names the folder of the program.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [out] = process.argv.slice(2);
if (!out) {
        console.error('usage: node scripts/identify_rest_picture.mjs OUT.png');
        process.exit(2);
}
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig');
const truth = {
        accel: { title: 'accelerometer', unit: 'm/s^2', perDensity: 9.80665e-6, noise_density_ug_rthz: [100, 100, 200],
                bias_instability_mps2: [3e-4, 3e-4, 6e-4], random_walk_mps3_rthz: [0, 5e-5, 0] },
        gyro: { title: 'gyroscope', unit: 'deg/s', perDensity: 1, noise_density_dps_rthz: [0.004, 0.004, 0.008],
                bias_instability_dps: [0.0012, 0.0012, 0.003], random_walk_dps2_rthz: [0, 2e-4, 0] },
};
const keys = (half) => Object.keys(truth[half]).filter((key) => Array.isArray(truth[half][key]));

function call(args) {
        const done = spawnSync(hilrig, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
        if (done.error || done.status > 1) throw new Error(done.error ?? done.stderr);
        return done.stdout;
}

const scratch = mkdtempSync(join(tmpdir(), 'rest-'));
const sets = ['accel', 'gyro'].flatMap((half) => keys(half).flatMap((key) =>
        ['--set', `vehicles.0.vehicle.sensors.imu.${half}.${key}=${JSON.stringify(truth[half][key])}`]));
call(['run', 'rig_configs/rigs/rest.json', ...sets, '--out', join(scratch, 'run')]);
const found = JSON.parse(call(['identify', '--rest', join(scratch, 'run', 'run.ulg'), '--json']));

const colour = ['#0072b2', '#d55e00', '#009e73'];
function panel(half) {
        const [density, instability, walk] = keys(half).map((key) => truth[half][key]);
        const series = [];
        ['x', 'y', 'z'].forEach((axis, i) => {
                const a = found[half][axis].allan, file = join(scratch, `${half}${axis}`);
                writeFileSync(file, a.tau_s.map((t, k) => [t, a.deviation[k], a.from[k] ?? a.deviation[k], a.to[k] ?? a.deviation[k]].join(' ')).join('\n') + '\n');
                const n = truth[half].perDensity * density[i] / Math.sqrt(2);
                series.push(`"${file}" using 1:2:3:4 with yerrorbars pt 7 ps 0.6 lw 1 lc rgb "${colour[i]}" title "${axis}, found"`,
                        `sqrt(${n * n} / x + 0.441271 * ${instability[i] ** 2} + ${walk[i] ** 2} * x / 3) with lines dt 2 lw 1 lc rgb "${colour[i]}" title "${axis}, as it was set"`);
        });
        return `set title "${truth[half].title}"\nset ylabel "Allan deviation (${truth[half].unit})"\nplot ${series.join(', \\\n     ')}\n`;
}
const script = `set terminal pngcairo size 1200,480 font "sans,11" background "#ffffff"
set output "${out}"
set multiplot layout 1,2
set logscale xy
set format y "10^{%L}"
set grid lc rgb "#dddddd"
set xrange [0.001:200]
set samples 500
set xlabel "averaging time (s)"
${panel('accel')}${panel('gyro')}unset multiplot
`;
const drawn = spawnSync('gnuplot', [], { input: script, encoding: 'utf8' });
rmSync(scratch, { recursive: true });
if (drawn.error || drawn.status !== 0) {
        console.error(drawn.error ? 'gnuplot is missing: apt-get install gnuplot-nox' : drawn.stderr);
        process.exit(1);
}
