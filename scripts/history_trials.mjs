// How well `hilrig history` finds where releases changed: histories of 24 builds of the reference flight controller, each a little
// different from the others; some with a gain that is lower from one build on, some with one that is lower for a while.
// Table for docs/history.md. Histories that are in FOLDER are not flown again.
//
//     node scripts/history_trials.mjs FOLDER docs [TRIALS]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceBlock, table } from './flights.mjs';
import { plantedBuilds } from './planted_builds.mjs';

const [folder, docs, count = '20'] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/history_trials.mjs FOLDER docs [TRIALS]');
        process.exit(2);
}
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig'), builds = 24, seeds = '5';

function run(args, allowed) {
        const done = spawnSync(hilrig, args, { encoding: 'utf8' });
        if (!allowed.includes(done.status)) throw new Error(`hilrig ${args.join(' ')}: ${done.status}: ${done.stderr}`);
}

function trial(seed, drop, mends) {
        const out = join(folder, `${drop}-${mends ? 'mended-' : ''}${seed}`), { first, mended, lines } = plantedBuilds(seed, builds, drop, mends);
        mkdirSync(out, { recursive: true });
        writeFileSync(join(out, 'builds.txt'), lines.join('\n') + '\n');
        for (const line of lines) {
                const [name, ...sets] = line.split(' '), build = join(out, 'releases', name);
                if (existsSync(join(build, 'suite.json'))) continue;
                run(['suite', 'rig_configs/suites/default.json', '--seeds', seeds, '--set', 'log.wire=false', '--out', build,
                        ...sets.flatMap((s) => ['--set', s])], [0, 1]);
        }
        run(['history', join(out, 'releases'), '--json', join(out, 'history.json'), '--html', join(out, 'history.html')], [0, 1]);
        const history = JSON.parse(readFileSync(join(out, 'history.json'), 'utf8'));
        const places = drop > 0 ? [first, mended].filter((at) => at < builds) : [];
        // A place is found if some row names it. Whatever else a row names is false.
        const changes = history.rows.flatMap((r) => r.changes.map((c) => ({ name: r.name, at: c.at })));
        const found = places.filter((at) => changes.some((c) => c.at === at));
        const wrong = changes.filter((c) => !places.includes(c.at)), stray = new Set(wrong.map((c) => c.at));
        console.log(`gain ${-100 * drop} %, seed ${seed}: ${places.map((at) => 'b' + at).join(' and ') || 'nothing'}; found ${found.length}, ` +
                `${changes.length - wrong.length} of ${history.rows.length} rows; false: ${wrong.map((c) => `${c.name} b${c.at}`).join(', ') || 'none'}`);
        return { places: places.length, found: found.length, wrong: wrong.length, stray: stray.size, rows: history.rows.length, version: history.version };
}

const rows = [];
let version;
for (const [what, drop, mends] of [['10 % less from some build on', 0.1, false], ['10 % less for some builds', 0.1, true],
        ['3 % less from some build on', 0.03, false], ['no change', 0, false]]) {
        const results = [], sum = (of) => results.reduce((s, r) => s + of(r), 0);
        for (let seed = 1; seed <= Number(count); seed++) results.push(trial(seed, drop, mends));
        version = results[0].version;
        rows.push([what, results.length, sum((r) => r.places), sum((r) => r.found), results.filter((r) => r.wrong > 0).length, sum((r) => r.wrong),
                sum((r) => r.rows)]);
}
replaceBlock(join(docs, 'history.md'), 'trials', [
        table(['gain', 'histories', 'changes', 'of which a row names the very build', 'histories with another change named', 'such rows', 'of rows in all'], rows),
        `hilrig ${version}.`,
].join('\n\n'));
