// How well `hilrig compare` does on the reference flight controller: planted defects, each of five sizes, by the
// number of seeds; and the release against itself, where it must find nothing. Prints docs/regression.md, and with
// --page writes it.
//
//     node scripts/regression.mjs [--flights 200] [--planted 50] [--draws 25] [--self 1000] [--first SEED]
//                                 [--alone SEED] [--jobs N] [--work DIR] [--page FILE]
//
// Flies the suite "default" with --flights seeds from --alone on, from which --self comparisons of the release with
// itself are drawn, no two flights of one seed. Flies it again with as many seeds from --first on, and with --planted of
// these for each defect, from which --draws comparisons are drawn for each defect and number of seeds: of some seeds as
// they were flown with the defect and without, and of as many that the two sides do not have in common. The number of
// deviations in a margin was chosen by looking at the flights without a defect from 400001 on; those from 100001 on were
// flown afterwards. Everything stays in --work, and the same command goes on from there.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync,
        writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { draws, drawn, percent, upper } from './draws.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const hilrig = resolve(root, process.env.BUILD ?? 'build', 'hilrig');
const suiteFile = join(root, 'rig_configs/suites/default.json');
const options = { flights: 200, planted: 50, draws: 25, self: 1000, first: 400001, alone: 100001, jobs: 2, work: 'runs/regression', page: '' };
const counts = [3, 5, 10, 20], enough = [10, 20];
const fc = 'vehicles.0.fc.reference';
const imu = 'vehicles.0.vehicle.sensors.imu';
const planted = (key, unit, sizes) => sizes.map((size) => ({ size: `${size} ${unit}`, set: `${fc}.planted.${key}=${size}` }));
const defects = [
        { name: 'roll rate loop: P times', sizes: [0.95, 0.9, 0.8, 0.7, 0.5].map((x) => (
                { size: `${x}`, set: `${fc}.control.rate_p_nm_per_radps=[${+(0.4 * x).toPrecision(3)},0.4,0.08]` })) },
        { name: 'gyroscope: x times', sizes: [0.98, 0.95, 0.9, 0.8, 0.7].map((x) => (
                { size: `${x}`, set: `${imu}.gyro.scale=[${x},1,1]` })) },
        { name: 'one motor weaker by', sizes: [2, 5, 10, 15, 20].map((x) => (
                { size: `${x} %`, step: { at_s: 0, vehicle_fault: { does: 'motor_weak', rotor: 0, loss_ratio: x / 100 } } })) },
        { name: 'motor commands late by', sizes: planted('delay_us', 'us', [125, 250, 500, 1000, 2000]) },
        { name: 'GPS fixes late by', sizes: planted('gps_stale_s', 's', [0.05, 0.1, 0.2, 0.4, 0.8]) },
];

function fail(text) {
        console.error(`regression: ${text}`);
        process.exit(2);
}

for (let i = 2; i < process.argv.length; i += 2) {
        const name = process.argv[i].replace(/^--/, ''), value = process.argv[i + 1];
        if (!(name in options) || value === undefined) fail(`${process.argv[i]}: see the head of this file`);
        options[name] = typeof options[name] === 'number' ? Number(value) : value;
}
if (options.flights < 2 * counts.at(-1) || options.planted < counts.at(-1)) fail(`--flights and --planted: too few for ${counts.at(-1)} seeds`);

const work = resolve(options.work);
const ledger = join(work, 'results.jsonl');
const done = new Map();
mkdirSync(work, { recursive: true });
if (existsSync(ledger))
        for (const line of readFileSync(ledger, 'utf8').split('\n').filter(Boolean)) {
                const { key, ...result } = JSON.parse(line);
                done.set(key, result);
        }

// A suite of its own for each defect, in a folder of its own; a step goes into a copy of the scenario of the same name.
function fly(name, first, seeds, { set, step } = {}) {
        const folder = join(work, name), suite = JSON.parse(readFileSync(suiteFile, 'utf8'));
        const beside = ({ file }) => ({ file: resolve(dirname(suiteFile), file) });

        if (existsSync(join(folder, 'suite.json'))) return folder;
        suite.rigs = suite.rigs.map(beside);
        suite.scenarios = suite.scenarios.map(beside);
        if (step) {
                const scenario = JSON.parse(readFileSync(suite.scenarios[0].file, 'utf8'));
                scenario.steps.unshift(step);
                suite.scenarios = [{ file: join(work, `${name}-scenario`, 'release_check.json') }];
                mkdirSync(dirname(suite.scenarios[0].file), { recursive: true });
                writeFileSync(suite.scenarios[0].file, JSON.stringify(scenario));
        }
        writeFileSync(join(work, `${name}.json`), JSON.stringify({ ...suite, $schema: undefined, seeds: { first, count: seeds } }));
        const words = ['suite', join(work, `${name}.json`), '--out', folder, '--jobs', `${options.jobs}`,
                '--set', 'log.wire=false', '--set', 'log.truth_rate_hz=1', ...(set ? ['--set', set] : [])];
        const said = spawnSync(hilrig, words, { encoding: 'utf8', maxBuffer: 1 << 26 });
        // A defect may well fail the flight; it must have been flown.
        if (said.status !== 0 && said.status !== 1) fail(`${words.join(' ')}\n${said.stdout}${said.stderr}`);
        // A summary is all that is compared.
        for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
                if (entry.isFile() && !/^(summary|suite)\.json$/.test(entry.name)) rmSync(join(entry.parentPath ?? entry.path, entry.name));
        return folder;
}

const from = (first, n) => Array.from({ length: n }, (_, i) => first + i);

function layOut(folder, from, seeds) {
        rmSync(folder, { recursive: true, force: true });
        seeds.forEach((seed, i) => {
                const run = join(folder, 'default/release_check', `${i + 1}-1`);
                mkdirSync(run, { recursive: true });
                linkSync(join(from, 'default/release_check', `${seed}-1`, 'summary.json'), join(run, 'summary.json'));
        });
        return folder;
}

// What a comparison says, and in which rows.
async function compare(key, a, seedsA, b, seedsB, lane) {
        if (done.has(key)) return;
        const folders = [layOut(join(work, `lane${lane}-a`), a, seedsA), layOut(join(work, `lane${lane}-b`), b, seedsB)];
        const child = spawn(hilrig, ['compare', ...folders, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
        let text = '';
        for await (const part of child.stdout) text += part;
        const { verdict, rows } = JSON.parse(text);
        const names = (word) => rows.filter((row) => row.verdict === word).map((row) => row.name);
        const result = { verdict, regressed: names('regressed'), improved: names('improved'), open: names('too little data') };
        done.set(key, result);
        appendFileSync(ledger, `${JSON.stringify({ key, ...result })}\n`);
}

const alone = fly('alone', options.alone, options.flights), good = fly('baseline', options.first, options.flights);
const bad = defects.map((defect, d) => defect.sizes.map((size, s) => fly(`defect-${d}-${s}`, options.first, options.planted, size)));
const tasks = [];
for (const n of enough) {
        const random = draws(n);
        for (let k = 0; k < options.self; k++) {
                const seeds = drawn(random, from(options.alone, options.flights), 2 * n);
                tasks.push([`self/${n}/${k}`, alone, seeds.slice(0, n), alone, seeds.slice(n)]);
        }
}
bad.forEach((folders, d) => folders.forEach((folder, s) => {
        for (const n of counts) {
                const random = draws(1000 * d + 100 * s + n);
                for (let k = 0; k < options.draws; k++) {
                        const seeds = drawn(random, from(options.first, options.planted), n);
                        tasks.push([`${d}/${s}/${n}/${k}`, good, seeds, folder, seeds]);
                        if (enough.includes(n))
                                tasks.push([`${d}/${s}/${n} apart/${k}`, good, drawn(random, from(options.first + options.planted,
                                        options.flights - options.planted), n), folder, seeds]);
                }
        }
}));
await Promise.all(Array.from({ length: options.jobs }, async (_, lane) => {
        for (let task = tasks.shift(); task; task = tasks.shift()) await compare(...task, lane);
}));

const share = (key, times, is) => Array.from({ length: times }, (_, k) => done.get(`${key}/${k}`)).filter(is).length;
const regressed = (r) => r.verdict === 'regressed';
const passedOver = (r) => r.verdict === 'same' || r.verdict === 'improved';
// The rows that regressed most often.
function telling(d, s) {
        const times = new Map();
        for (let k = 0; k < options.draws; k++)
                for (const name of done.get(`${d}/${s}/20/${k}`).regressed) times.set(name, (times.get(name) ?? 0) + 1);
        return [...times].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([name]) => name.replace(/ \(.*\)/, '')).join(', ') || '-';
}

const version = spawnSync(hilrig, ['--version'], { encoding: 'utf8' }).stdout.trim();
const alarms = (n) => share(`self/${n}`, options.self, (r) => r.regressed.length + r.improved.length > 0);
const differing = Object.entries({ flights: 200, planted: 50, draws: 25, self: 1000, first: 400001, alone: 100001 })
        .filter(([name, usual]) => options[name] !== usual).map(([name]) => ` --${name} ${options[name]}`).join('');
const lines = [
        '# How well regressions are found', '',
        'A comparison is worth what it finds and what it does not cry about. Both are counted here, on the reference flight',
        'controller, by', '',
        `    node scripts/regression.mjs${differing} --page docs/regression.md`, '',
        `This page is what that wrote with ${version}. The suite is "default" of \`rig_configs/suites/\`, one flight of 18 s in`,
        `simulated time. Every number is a share of comparisons that were drawn from ${options.flights} flights as it is, and ${options.planted} with each`,
        'defect, with the rules of [comparing.md](comparing.md) and the margins built in.', '',
        '## False alarms', '',
        `The release against itself, ${options.self} times for each number of seeds: flights of different seeds on both sides, so that`,
        'twins do not resemble each other, as those of a firmware that does not repeat itself. (With the same seeds they are the',
        'same to the bit, which is never an alarm. With three or five seeds there cannot be one.) Seeds from 100001 on; margins',
        'and chances were chosen by looking at others.', '',
        '| seeds | an alarm: some row regressed or improved | at most, with 95 % confidence | verdict "same" | "too little data" |', '|---|---|---|---|---|',
        ...enough.map((n) => `| ${n} | ${alarms(n)} of ${options.self} | ${percent(upper(alarms(n), options.self), 1)} | ` +
                `${percent(share(`self/${n}`, options.self, (r) => r.verdict === 'same'), options.self)} | ` +
                `${percent(share(`self/${n}`, options.self, (r) => r.verdict === 'too little data'), options.self)} |`), '',
        '## Defects', '',
        `How often the verdict is "regressed", \`hilrig compare\`'s exit status 1, in ${options.draws} comparisons for each number. They are`,
        `drawn from ${options.planted} seeds, and overlap. Paired: the same seeds on both sides, as releases are compared. Apart: no seed in`,
        'common, as for a firmware that does not repeat itself; "passed over" is there "same" or "improved", and the rest "too',
        'little data", exit status 3. Fewer than six seeds can tell no change from chance, whatever it is.', '',
        `| defect | ${counts.map((n) => `${n} paired`).join(' | ')} | ${enough.map((n) => `${n} apart | passed over`).join(' | ')} | regressed most often |`,
        `|---|${counts.map(() => '---|').join('')}${enough.map(() => '---|---|').join('')}---|`,
        ...defects.flatMap((defect, d) => defect.sizes.map(({ size }, s) => `| ${defect.name} ${size} | ` +
                `${counts.map((n) => percent(share(`${d}/${s}/${n}`, options.draws, regressed), options.draws)).join(' | ')} | ` +
                `${enough.map((n) => [regressed, passedOver].map((is) => percent(share(`${d}/${s}/${n} apart`, options.draws, is), options.draws)).join(' | ')).join(' | ')} | ` +
                `${telling(d, s)} |`)), '',
        'A defect is passed over where no row is worse for certain, and each is within its margin. Between flights apart that is',
        'twice the deviation by which they differ anyway. More seeds find what is less; with pairs ten are plenty.', '',
        'A constant bias of the gyroscope (`planted.gyro_bias_dps`) is no defect here: the flight controller measures it while the',
        'vehicle stands, and takes it away to the bit. One of the accelerometer (`planted.accel_bias_mps2`) adds to an error that',
        'it has of its own, or takes some of it away.',
];
const page = `${lines.join('\n')}\n`;

console.log(`\n${page}`);
// What stands there of firmware was flown otherwise (regression_firmware.mjs), and stays.
const firmware = options.page && existsSync(options.page) ? readFileSync(options.page, 'utf8').match(/\n## Firmware\n[^]*/)?.[0] ?? '' : '';
if (options.page) writeFileSync(options.page, page + firmware);
process.exit(enough.some((n) => alarms(n) > 0.01 * options.self) ? 1 : 0);
