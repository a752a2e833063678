// How well `hilrig compare` does: planted defects that it must find, and a release against itself, where
// it must find nothing. Prints each with its 95 % confidence interval (Clopper and Pearson), and with
// --page writes that as docs/regression.md.
//
//     node scripts/regression.mjs [--suite FILE] [--tries 100] [--self 1000] [--first SEED] [--jobs N]
//                                 [--work DIR] [--page FILE] [--defect NAME:KEY=VALUE[,KEY=VALUE...]]...
//
// A try flies the suite with seeds of its own, as it is and once with each defect, and compares. The seeds
// begin at 100001: the suite was chosen by looking at others. The
// release against itself: of all runs without a defect, no two of one seed, as many as two suites have are
// drawn and put against each other. Everything stays in --work, and the same command goes on from there.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync,
        writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const hilrig = resolve(root, process.env.BUILD ?? 'build', 'hilrig');
const fc = 'vehicles.0.fc.reference.planted';
const options = {
        suite: join(root, 'rig_configs/suites/default.json'), tries: 100, self: 1000, first: 100001, jobs: 0,
        work: 'runs/regression', page: null, defect: [],
};
const planted = [
        `motor commands 250 us late:${fc}.delay_us=250`,
        `gain of the rate loop 10 % lower:${fc}.gain_ratio=0.9`,
        `accelerometer off by one LSB (0.488 mg), backwards:${fc}.accel_bias_mps2=[-0.00479,0,0]`,
        `GPS fixes 200 ms stale:${fc}.gps_stale_s=0.2`,
];
// For information, a few tries each: the bias that takes some of the accelerometer's own away, and a
// gyroscope's, which the flight controller measures on the ground and takes away.
const told = [
        `accelerometer off by one LSB (0.488 mg), forwards:${fc}.accel_bias_mps2=[0.00479,0,0]`,
        `gyroscope off by one LSB (0.061 degrees/s):${fc}.gyro_bias_dps=[0.061,0,0]`,
];
const toldTries = 5;

function fail(text) {
        console.error(`regression: ${text}`);
        process.exit(2);
}

function parseArguments(words) {
        for (let i = 0; i < words.length; i += 2) {
                const name = words[i].replace(/^--/, ''), value = words[i + 1];

                if (!(name in options) || value === undefined) fail(`${words[i]}: see the head of this file`);
                if (name === 'defect') options.defect.push(value);
                else options[name] = typeof options[name] === 'number' ? Number(value) : value;
        }
        if (![options.tries, options.self, options.first, options.jobs].every((n) => Number.isInteger(n) && n >= 0))
                fail('--tries, --self, --first and --jobs: whole numbers');
}

parseArguments(process.argv.slice(2));
function readDefect(text, tries) {
        const [, name, sets] = /^([^:]+):(.+)$/.exec(text) ?? fail(`--defect ${text}: must be NAME:KEY=VALUE`);

        // A comma parts two settings only where a key follows.
        return { name, sets: sets.split(/,(?=[a-z_0-9.]+=)/), tries: Math.min(tries, options.tries) };
}
const defects = (options.defect.length ? options.defect : planted).map((text) => readDefect(text, Infinity));
const others = options.defect.length ? [] : told.map((text) => readDefect(text, toldTries));

const suite = JSON.parse(readFileSync(options.suite, 'utf8'));
const beside = (list) => (list ?? []).map((o) => ({ file: resolve(dirname(options.suite), o.file) }));
const seeds = suite.seeds?.list?.length ?? suite.seeds?.count ?? 16;
const work = resolve(options.work);
const done = new Map();

mkdirSync(work, { recursive: true });
const ledger = join(work, 'results.jsonl');
if (existsSync(ledger))
        for (const line of readFileSync(ledger, 'utf8').split('\n').filter(Boolean)) {
                const result = JSON.parse(line);
                done.set(result.key, result);
        }

function note(key, result) {
        done.set(key, { key, ...result });
        appendFileSync(ledger, `${JSON.stringify({ key, ...result })}\n`);
}

function* runFolders(folder) {
        for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
                if (entry.name === 'summary.json') yield entry.parentPath ?? entry.path;
}

// Thousands of records would fill the disk; a summary is all that is compared.
function keepSummaries(folder) {
        for (const run of runFolders(folder))
                for (const name of readdirSync(run))
                        if (name !== 'summary.json') rmSync(join(run, name), { recursive: true });
}

function fly(attempt, name, sets) {
        const folder = join(work, `${attempt}`, name);
        const file = join(work, `${attempt}.json`);

        if (existsSync(join(folder, 'whole'))) return folder;
        mkdirSync(dirname(folder), { recursive: true });
        writeFileSync(file, JSON.stringify({
                ...suite, $schema: undefined, rigs: beside(suite.rigs), scenarios: beside(suite.scenarios),
                seeds: { first: options.first + attempt * seeds, count: seeds },
        }));
        const words = ['suite', file, '--out', folder, '--set', 'log.wire=false', '--set', 'log.truth_rate_hz=1'];
        for (const set of sets) words.push('--set', set);
        if (options.jobs) words.push('--jobs', `${options.jobs}`);
        const said = spawnSync(hilrig, words, { encoding: 'utf8', maxBuffer: 1 << 26 });
        // A defect may well fail the flight; it must have been flown.
        if (said.status !== 0 && said.status !== 1) fail(`${words.join(' ')}\n${said.stdout}${said.stderr}`);
        keepSummaries(folder);
        writeFileSync(join(folder, 'whole'), '');
        return folder;
}

function compare(a, b) {
        const said = spawnSync(hilrig, ['compare', a, b, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });

        if (said.status === 2 || said.error) fail(`compare ${a} ${b}: ${said.stderr}`);
        return JSON.parse(said.stdout);
}

const changed = (result) => result.rows.filter((row) => /^(regressed|improved)$/.test(row.verdict));

// What changed, with the clearest first: the same chance of a false alarm parts none of them, the shift in
// deviations does.
const findings = (result) => changed(result)
        .map(({ name, verdict, p_adjusted, effect, baseline, candidate, unit }) =>
                ({ name, verdict, p_adjusted, effect, baseline, candidate, unit }))
        .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));

function tryDefects(attempt) {
        const baseline = fly(attempt, 'baseline', []);

        [...defects, ...others].forEach((defect, i) => {
                if (attempt >= defect.tries) return;
                const key = `${attempt}/${defect.name}`;
                if (done.has(key)) return;
                const candidate = fly(attempt, `defect-${i}`, defect.sets);
                const result = compare(baseline, candidate);

                note(key, { verdict: result.verdict, identical: result.identical_twins, twins: result.twins,
                        failing: result.newly_failing, rows: findings(result) });
                rmSync(candidate, { recursive: true });
        });
        const found = defects.filter((defect) => done.get(`${attempt}/${defect.name}`).rows.length > 0);
        console.log(`try ${attempt + 1} of ${options.tries}: ${found.length} of ${defects.length} found`);
}

// The same seeds again must be the same bits, and said to be.
function checkIdentity() {
        const again = fly(0, 'again', []);
        const result = compare(join(work, '0', 'baseline'), again);

        if (result.verdict !== 'same' || result.identical_twins !== result.twins)
                fail(`the release flown twice is not the same to the bit: ${result.reason}`);
}

// mulberry32: the same draws every time.
function draws(state) {
        return () => {
                state = (state + 0x6d2b79f5) | 0;
                let t = Math.imul(state ^ (state >>> 15), 1 | state);
                t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
                return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
        };
}

// Groups of a suite keep together: what is drawn is a seed, with all that was flown with it.
function pool() {
        const bySeed = new Map();

        for (let attempt = 0; attempt < options.tries; attempt++)
                for (const run of runFolders(join(work, `${attempt}`, 'baseline'))) {
                        const [, group, seed, repeat] = /baseline\/(.+)\/(\d+)-(\d+)$/.exec(run);
                        if (!bySeed.has(seed)) bySeed.set(seed, []);
                        bySeed.get(seed).push({ run, group, repeat });
                }
        // What is drawn must not depend on the order in which a folder lists them.
        return [...bySeed].sort((a, b) => Number(a[0]) - Number(b[0])).map(([, flown]) => flown);
}

function layOut(folder, drawn) {
        rmSync(folder, { recursive: true, force: true });
        drawn.forEach((flown, i) => {
                for (const { run, group, repeat } of flown)
                        cpSync(join(run, 'summary.json'), join(folder, group, `${i + 1}-${repeat}`, 'summary.json'));
        });
        return folder;
}

function trySelf(all) {
        const random = draws(1);
        let alarms = 0;

        if (options.self > 0 && all.length < 2 * seeds) fail(`--self needs at least 2 tries to draw from`);
        for (let k = 0; k < options.self; k++) {
                for (let i = 0; i < 2 * seeds; i++) {
                        const other = i + Math.floor(random() * (all.length - i));
                        [all[i], all[other]] = [all[other], all[i]];
                }
                const key = `self/${options.tries}/${k}`;
                if (!done.has(key))
                        note(key, { rows: findings(compare(layOut(join(work, 'self-a'), all.slice(0, seeds)),
                                layOut(join(work, 'self-b'), all.slice(seeds, 2 * seeds)))) });
                alarms += done.get(key).rows.length > 0;
        }
        return alarms;
}

const logFactorial = [0];
function logChoose(n, k) {
        while (logFactorial.length <= n)
                logFactorial.push(logFactorial.at(-1) + Math.log(logFactorial.length));
        return logFactorial[n] - logFactorial[k] - logFactorial[n - k];
}

const atMost = (k, n, p) => {
        let sum = 0;
        for (let i = 0; i <= k; i++) sum += Math.exp(logChoose(n, i) + i * Math.log(p) + (n - i) * Math.log1p(-p));
        return sum;
};

function solve(above) {
        let low = 0, high = 1;
        for (let i = 0; i < 60; i++) {
                const middle = (low + high) / 2;
                if (above(middle)) low = middle;
                else high = middle;
        }
        return low;
}

// Clopper and Pearson, Biometrika 26 (1934).
function interval(k, n) {
        return [
                k === 0 ? 0 : solve((p) => 1 - atMost(k - 1, n, p) < 0.025),
                k === n ? 1 : solve((p) => atMost(k, n, p) > 0.025),
        ];
}

const percent = (x) => `${(100 * x).toFixed(1)} %`;
const ratio = (k, n) => (n === 0 ? 'not tried'
        : `${k} of ${n} (${percent(interval(k, n)[0])} to ${percent(interval(k, n)[1])})`);

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const inWords = (x) => (Math.abs(x) >= 1000 ? x.toFixed(0) : Number(x.toPrecision(3)).toString());
const results = (defect) => Array.from({ length: defect.tries }, (_, i) => done.get(`${i}/${defect.name}`));
const foundIn = (defect) => results(defect).filter((result) => result.rows.length > 0).length;
const regressedIn = (defect) => results(defect).filter((result) => result.verdict === 'regressed').length;
const setOf = (defect) => defect.sets.map((set) => `\`${set}\``).join(', ');

// Of each row that told: how often, how often it was the clearest, and by how much it moved.
function telling(defect) {
        const rows = new Map();

        for (const result of results(defect))
                result.rows.forEach((row, rank) => {
                        const told = rows.get(row.name) ?? { unit: row.unit, times: 0, first: 0, from: [], to: [], effect: [], way: {} };

                        rows.set(row.name, told);
                        told.times++;
                        told.first += rank === 0;
                        told.from.push(row.baseline);
                        told.to.push(row.candidate);
                        told.effect.push(Math.abs(row.effect));
                        told.way[row.verdict] = (told.way[row.verdict] ?? 0) + 1;
                });
        return [...rows].sort((a, b) => b[1].times - a[1].times || b[1].first - a[1].first);
}

function tellingTable(defect) {
        return [
                `### ${defect.name[0].toUpperCase()}${defect.name.slice(1)}`, '',
                '| figure | found by it | clearest | regressed, improved | baseline | with the defect | shift in deviations |',
                '|---|---|---|---|---|---|---|',
                ...telling(defect).slice(0, 6).map(([name, told]) => `| ${name} | ${told.times} | ${told.first} | ` +
                        `${told.way.regressed ?? 0}, ${told.way.improved ?? 0} | ` +
                        `${[told.from, told.to].map((list) => `${inWords(median(list))} ${told.unit}`.trim()).join(' | ')} | ` +
                        `${inWords(median(told.effect))} |`),
                '',
        ];
}

// Options that the command must have to give the same page.
const differing = () => [['tries', 100], ['self', 1000], ['first', 100001]]
        .filter(([name, usual]) => options[name] !== usual).map(([name]) => ` --${name} ${options[name]}`).join('');

const toldOf = (defect) => `${defect.name} (${setOf(defect)}): ` +
        (foundIn(defect) === 0 ? `found in none of ${defect.tries} tries, `
                + `${results(defect).reduce((sum, r) => sum + r.identical, 0)} of ${results(defect).reduce((sum, r) => sum + r.twins, 0)} flights the same to the bit`
                : `found in ${foundIn(defect)} of ${defect.tries} tries, the whole verdict regressed in ${regressedIn(defect)}`);

for (let attempt = 0; attempt < options.tries; attempt++) tryDefects(attempt);
if (options.tries > 0) checkIdentity();
const alarms = trySelf(options.tries > 0 ? pool() : []);
const version = spawnSync(hilrig, ['--version'], { encoding: 'utf8' }).stdout.trim();
const last = options.first + options.tries * seeds - 1;
const lines = [
        '# How well regressions are found', '',
        'A comparison is worth what it finds and what it does not cry about. Both are counted here, on the reference flight',
        'controller, by', '',
        `    node scripts/regression.mjs${differing()} --page docs/regression.md`, '',
        `This page is what that wrote with ${version}: ${options.tries} tries and ${options.self} comparisons of the release`,
        `with itself. The suite is "${suite.name}" of \`rig_configs/suites/\`, ${seeds} seeds of one flight in simulated time. Each try`,
        `has seeds of its own, ${options.first} to ${last} altogether; the suite and its figures were chosen by looking at`,
        'others: 1 to 250, 1000001 to 1000048 and 2000001 to 2000060. In parentheses: 95 % confidence interval of Clopper and',
        'Pearson.', '',
        '## Defects', '',
        'Found: at least one row of the comparison regressed or improved, at the chance of any false alarm that',
        '[comparing.md](comparing.md) names. Regressed: so did the whole verdict, which `hilrig compare` ends with status 1 for.', '',
        '| planted | set | found | regressed |', '|---|---|---|---|',
        ...defects.map((defect) => `| ${defect.name} | ${setOf(defect)} | ${ratio(foundIn(defect), defect.tries)} | ` +
                `${ratio(regressedIn(defect), defect.tries)} |`),
        '',
        ...others.map((defect) => `- For comparison: ${toldOf(defect)}.`),
        ...(others.length ? ['',
                'The accelerometer has an error of its own, from its temperature. A bias that adds to it is a regression; the other',
                'way round it takes some of it away, and counts as an improvement: it is seen in either case. A constant bias of',
                'the gyroscope is measured while the vehicle stands, and taken away to the bit.', ''] : []),
        '## False alarms', '',
        `A release against itself with other seeds on each side: an alarm in ${ratio(alarms, options.self)} comparisons.`, '',
        `For each of them twice ${seeds} of the ${options.tries * seeds} flights without a defect are drawn, no two of one seed, and put`,
        'against each other. Which side and which twin a flight gets is drawn, too, so that each comparison is a try of its own.',
        'With the same seeds on both sides, as releases are compared, nothing differs: the same to the bit, which is never an alarm.', '',
        '## By what they were found', '',
        'Figures are in [requirements.md](requirements.md#figures-of-every-flight). Clearest: the largest shift in deviations of the',
        'paired differences, medians over the tries.', '',
        ...(others.length ? [
                'At 1 kHz a delay of a quarter of a period is made as a mean of two outputs in a row. That smooths what the sensors\' noise',
                'does to the motors, which the motors\' activity shows before all else; `answer_delay_ms` is the delay itself.', ''] : []),
        ...defects.flatMap(tellingTable),
];
const page = lines.join('\n').replace(/\n+$/, '\n');

console.log(`\n${page}`);
if (options.page) writeFileSync(options.page, page);
const missed = defects.some((defect) => foundIn(defect) < 0.99 * options.tries);
process.exit(missed || alarms > 0.01 * options.self ? 1 : 0);
