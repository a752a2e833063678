// How well `hilrig bisect` finds a release that broke something: lists of 64 builds of the reference flight controller, each a
// little different from the others, some with a gain that is lower from one build on. Table for docs/bisect.md. Lists whose
// result is in FOLDER are not flown again.
//
//     node scripts/bisect_trials.mjs FOLDER docs [TRIALS [WITHOUT A CHANGE]]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { upper } from './draws.mjs';
import { figure, mean, replaceBlock, table } from './flights.mjs';
import { plantedBuilds } from './planted_builds.mjs';

const [folder, docs, count = '20', without = count] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/bisect_trials.mjs FOLDER docs [TRIALS [WITHOUT A CHANGE]]');
        process.exit(2);
}
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig'), builds = 64;

function trial(seed, drop) {
        const out = join(folder, `${drop}-${seed}`), { first, lines } = plantedBuilds(seed, builds, drop);
        const left = join(out, 'bisect.json');
        if (!existsSync(left)) {
                rmSync(out, { recursive: true, force: true });
                mkdirSync(out, { recursive: true });
                writeFileSync(join(out, 'builds.txt'), lines.join('\n') + '\n');
                const run = spawnSync(hilrig, ['bisect', 'rig_configs/suites/default.json', '--builds', join(out, 'builds.txt'),
                        '--set', 'log.wire=false', '--out', join(out, 'flights'), '--json', left], { encoding: 'utf8' });
                if (run.status === 2 || run.status === null) throw new Error(run.stderr);
                rmSync(join(out, 'flights'), { recursive: true });
        }
        const result = JSON.parse(readFileSync(left, 'utf8'));
        const named = result.verdict === 'found' ? result.first_bad : result.verdict;
        console.log(`gain ${-100 * drop} %, seed ${seed}: first bad b${first}, told ${named}, ${result.flights} flights, ${result.row?.name ?? '-'}`);
        return { flights: result.flights, found: result.verdict === 'found', right: drop > 0 && named === `b${first}`, open: result.verdict === 'open',
                version: result.version };
}

const rows = [];
let version;
for (const drop of [0.1, 0]) {
        const results = [], trials = Number(drop > 0 ? count : without);
        for (let seed = 1; seed <= trials; seed++) results.push(trial(seed, drop));
        version = results[0].version;
        const flights = results.map((r) => r.flights), wrong = results.filter((r) => r.found && !r.right).length;
        rows.push([drop === 0 ? 'none' : `${100 * drop} % less`, trials, results.filter((r) => r.right).length,
                wrong, `${(100 * upper(wrong, trials)).toFixed(0)} %`, results.filter((r) => r.open).length,
                results.filter((r) => !r.found && !r.open).length, figure(mean(flights)), Math.max(...flights)]);
}
replaceBlock(join(docs, 'bisect.md'), 'trials', [
        table(['gain from some build on', 'lists', 'named rightly', 'another named', 'of all such lists at most', 'open', 'ends alike', 'flights, mean', 'most'], rows),
        `At most: the upper end of the 95 % interval. hilrig ${version}.`,
].join('\n\n'));
